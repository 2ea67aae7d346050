"""Write the example tables of docs/examples/tables, with their table files.

python -m scripts.make_example_tables

`loans` is made up (seeded random numbers with the habits of real loan books: identifiers, postal
codes, dates, codes for "missing", several spellings, protected attributes). `sba` and `student` are
the shipped public data as a stranger would have them.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from dirrac_core.data.datasets.files import read_shipped
from dirrac_core.data.datasets.sba import sba_people
from dirrac_core.data.understanding.proposals import SUM_REASON
from dirrac_core.data.upload.sample_table import GOOD, LABEL, sample_table

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "examples" / "tables"
ROWS = 1500
SPELLINGS = {"employed": ["Employed", "employed", "EMPLOYED"], "self-employed": ["self-employed"]}


def loans(rng: np.random.Generator, rows: int = ROWS) -> pd.DataFrame:
    """A loan book of three years; the last one is harder."""
    day = np.sort(rng.integers(0, 3 * 365, rows))
    month = rng.integers(300, 14000, rows)
    income = np.round(rng.lognormal(7.9, 0.45, rows)).astype(int)
    amount = np.round(rng.lognormal(8.8, 0.6, rows), -2).astype(int)
    term = rng.choice([12, 18, 24, 36, 48, 60], rows)
    inquiries = rng.poisson(1.4, rows)
    work = rng.choice(["employed", "self-employed"], rows, p=[0.8, 0.2])
    savings = rng.choice(["low", "medium", "high"], rows, p=[0.5, 0.3, 0.2])
    burden = amount / term / income
    score = 1.9 - 9.0 * burden - 0.35 * inquiries + 0.6 * (savings == "high")
    score += 0.3 * (work == "employed") - 0.5 * (day > 730) + rng.logistic(0, 0.8, rows)
    frame = pd.DataFrame(
        {
            "application_id": [f"A{100000 + i}" for i in range(rows)],
            "decided_on": pd.Timestamp("2021-01-01") + pd.to_timedelta(day, unit="D"),
            "zip_code": [f"{code:05d}" for code in rng.choice([1067, 4109, 10115, 80331], rows)],
            "sex": rng.choice(["F", "M"], rows),
            "age": rng.integers(19, 74, rows),
            "marital_status": rng.choice(["single", "married", "divorced"], rows),
            "employment": [str(rng.choice(SPELLINGS[status])) for status in work],
            "savings": savings,
            "income_eur": income,
            "amount_eur": amount,
            "term_months": term,
            "inquiries": np.where(rng.random(rows) < 0.06, -9, inquiries),
            "months_in_flat": np.where(rng.random(rows) < 0.1, np.nan, month // 60),
            "repaid": np.where(score > 0, "yes", "no"),
        }
    )
    return frame.assign(decided_on=frame["decided_on"].dt.strftime("%Y-%m-%d"))


def sba() -> pd.DataFrame:
    """The SBA case-study loans with their year, without the column that leaks the label."""
    raw = read_shipped("sba.csv")
    people = sba_people(raw).drop(columns="ChgOffPrinGr", errors="ignore")
    people = people[[name for name in people.columns if "harged" not in name]]
    outcome = np.where(raw["MIS_Status"] == "CHGOFF", "charged off", "paid back")
    return people.assign(approval_year=raw["ApprovalFY"].astype(int), loan_status=outcome)


def student() -> pd.DataFrame:
    """Students of one school."""
    lines = [line.split(",") for line in sample_table("present").splitlines()]
    return pd.DataFrame(lines[1:], columns=lines[0])


INSTALMENT = {
    "kind": "ratio",
    "name": "monthly instalment",
    "top": "amount_eur",
    "bottom": "term_months",
    "most": 900.0,
    "reason": "Few people can carry more.",
}
HALF = {
    "kind": "share",
    "name": "share of amount_eur",
    "feature": "amount_eur",
    "least": 0.5,
    "reason": SUM_REASON,
}
DESCRIBED = {
    "loans": {
        "title": "Loan book (made up)",
        "label": "repaid",
        "favourable": ["yes"],
        "periods": "decided_on",
        "shifted_from": "2023",
        "rules": [INSTALMENT, HALF],
    },
    "sba": {
        "title": "SBA loans",
        "label": "loan_status",
        "favourable": ["paid back"],
        "periods": "approval_year",
        "shifted_from": "2006",
        "columns": {
            name: {"direction": "none", "reason": reason}
            for name, reason in {
                "Location": "A firm does not move for a loan.",
                "Recession": "Nobody chooses the economy.",
                "New business": "A fact of the firm.",
                "Portion": "The agency decides it.",
                "SBA amount": "It follows from the gross amount and the portion.",
            }.items()
        },
    },
    "student": {
        "title": "Students",
        "label": LABEL,
        "favourable": [GOOD],
        "columns": {"First grade": {"direction": "none", "reason": "It has been given already."}},
    },
}


def main() -> None:
    """Write every table and its description."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = {"loans": loans(np.random.default_rng(7)), "sba": sba(), "student": student()}
    for name, frame in made.items():
        frame.to_csv(FOLDER / f"{name}.csv", index=False)
        text = json.dumps(DESCRIBED[name], indent=2, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
