"""A backtest: promises to at most ten Student applicants in each past, and what became of them."""

from dirrac_core.case.recommended import recommended
from dirrac_core.data import load_dataset
from dirrac_core.studies.evidence.backtest import backtest
from dirrac_core.studies.evidence.pasts import PLACEBO

student = load_dataset("student")
record = backtest(student, recommended(student), kind=PLACEBO, applicants=10, jobs=1)
print(f"{record.tally.sentence}; promised at most {record.tally.promised:.2f} on average")
print(record.rows[["date", "row", "promised", "observed", "broken"]].head().to_string(index=False))
