"""Writes docs/licences.md: every package the dashboard installs, its version and its licence.

    .venv/bin/python scripts/licences.py

The packages are those of requirements.lock that are installed here; the licence is what the package
itself declares.
"""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
LIST = ROOT / "docs" / "licences.md"
CLASSIFIER = "License :: OSI Approved :: "


def locked(lock: str) -> list[tuple[str, str]]:
    """The packages in a lock file: name and version."""
    return re.findall(r"^([A-Za-z0-9_.-]+)==([^ ;]+)", lock, flags=re.MULTILINE)


def licence(name: str) -> str | None:
    """The declared licence of an installed package; None if it is not installed here."""
    try:
        described = metadata(name)
    except PackageNotFoundError:
        return None
    declared = described.get("License-Expression")
    if not declared:
        classifiers = described.get_all("Classifier") or []
        found = [text.removeprefix(CLASSIFIER) for text in classifiers if CLASSIFIER in text]
        # A licence field may hold the whole text; its first line names it.
        text = (described.get("License") or "").strip().split("\n")[0]
        declared = ", ".join(found) or text or "not declared"
    return declared


def listing() -> str:
    """The page, as Markdown."""
    rows = ["| package | version | licence, as the package declares it |", "|---|---|---|"]
    absent = []
    for name, version in locked(LOCK.read_text()):
        declared = licence(name)
        if declared is None:
            absent.append(name)
        else:
            rows.append(f"| {name} | {version} | {declared} |")
    text = "# Licences of what is installed\n\n"
    text += (
        "The project itself is under the MIT licence. `scripts/licences.py` writes this page.\n\n"
    )
    text += "\n".join(rows) + "\n"
    if absent:
        text += f"\nOnly on other systems: {', '.join(absent)}.\n"
    return text


if __name__ == "__main__":
    LIST.write_text(listing(), encoding="utf-8")
    print(f"Wrote {LIST.relative_to(ROOT)}")
