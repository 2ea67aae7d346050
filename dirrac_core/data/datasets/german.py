"""German credit: the 1994 file as it was read then, and the corrected file of 2019."""

from dataclasses import replace

import pandas as pd

from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.datasets.files import read_shipped
from dirrac_core.data.schema.derived import Ratio
from dirrac_core.data.schema.feature import Feature, ranged
from dirrac_core.data.schema.plan_rules import ClosedRule, PlanRule, RatioRule, ShareRule, SumRule
from dirrac_core.data.schema.presets import FREE, Preset
from dirrac_core.data.schema.schema import Schema

# Codes 1 to 4 of the checking account: what the old documentation said, and what they mean.
OLD_STATUS = ("< 0 DM", "0–200 DM", "≥ 200 DM", "no account")
CORRECTED_STATUS = ("no account", "< 0 DM", "0–200 DM", "≥ 200 DM")
# Codes 1 to 4 of the personal status, as the old documentation names them.
PERSONAL_STATUS = (
    "male, divorced or separated",
    "female",
    "male, single",
    "male, married or widowed",
)

_FEATURES = (
    Feature(
        "Status",
        "unordered",
        categories=OLD_STATUS,
        explanation="Balance of the checking account at this bank",
        source="Status",
        up_phrase="bring the checking account from “{before}” to “{after}”",
        down_phrase="bring the checking account from “{before}” to “{after}”",
    ),
    Feature(
        "Duration",
        "integer",
        unit="months",
        better="down",
        explanation="Time over which the loan is paid back",
        source="Duration",
        up_phrase="stretch the loan from {before} to {after} {unit}",
        down_phrase="shorten the loan from {before} to {after} {unit}",
    ),
    Feature(
        "Credit amount",
        "integer",
        unit="DM",
        explanation="Amount of the loan in Deutsche Mark",
        source="Amount",
        step=100.0,
        up_phrase="borrow {after} instead of {before} {unit}",
        down_phrase="borrow {after} instead of {before} {unit}",
    ),
    Feature(
        "Personal status",
        "unordered",
        categories=PERSONAL_STATUS,
        direction="none",
        explanation="Sex and marital status as the bank recorded them",
        source="PersonalStatus",
        protected=True,
        up_phrase="change the personal status from “{before}” to “{after}”",
        down_phrase="change the personal status from “{before}” to “{after}”",
    ),
    Feature(
        "Age",
        "integer",
        unit="years",
        direction="up",
        explanation="Age of the applicant",
        source="Age",
        protected=True,
        up_phrase="apply again at the age of {after} instead of {before}",
        down_phrase="be {after} instead of {before} {unit} old",
    ),
)
_NO_CHOICE = "A person's sex and marital status are no lever for a loan."
_PRESETS = {
    "sensible": Preset(
        locked={"Personal status": _NO_CHOICE, "Age": "“Get older” is no plan."},
    ),
    "paper": Preset(
        locked={"Personal status": "The paper treats it as immutable."},
        only_up={"Age": "Nobody gets younger (the paper's choice)."},
    ),
    "free": FREE,
}

# Of real borrowers, this share carries the instalment a plan may have at most.
USUAL_BORROWERS = 0.98
INSTALMENT = Ratio("Monthly instalment", "Credit amount", "Duration", "DM")


def _rules(people: pd.DataFrame) -> tuple[PlanRule, ...]:
    instalment = people["Credit amount"] / people["Duration"]
    most = float(int(instalment.quantile(USUAL_BORROWERS)))
    return (
        RatioRule(
            "Instalment",
            "Credit amount",
            "Duration",
            most=most,
            reason=f"98 of 100 real borrowers pay back at most {most:,.0f} DM per month.",
        ),
        ShareRule(
            "Share of the amount",
            "Credit amount",
            least=0.5,
            reason="A loan of less than half the sum needed is no answer to the application.",
        ),
        SumRule(
            "Shortest loan",
            (("Duration", 1.0),),
            least=6.0,
            reason="Loans under 6 months are rare: fewer than 1 in 100 among the real ones.",
        ),
        ClosedRule(
            "No account",
            "Status",
            ("no account",),
            reason="Closing the account is no advice: the coding of this category is in doubt.",
        ),
    )


def load_german() -> Dataset:
    """The dataset from the two shipped files."""
    present, shifted = read_shipped("german.csv"), read_shipped("south_german.csv")
    old_people = _people(present, present["Status"].str[-1], OLD_STATUS)
    sensible = replace(_PRESETS["sensible"], rules=_rules(old_people))
    schema = Schema(
        ranged(_FEATURES, old_people),
        presets={**_PRESETS, "sensible": sensible},
        derived=(INSTALMENT,),
    )
    return Dataset(
        name="german",
        title="German credit",
        schema=schema,
        present=make_sample(schema, old_people, present["Class"] == "1"),
        shifted=make_sample(
            schema,
            _people(shifted, shifted["Status"], CORRECTED_STATUS),
            shifted["Creditability"] == "1",
        ),
        favourable="good credit",
        unfavourable="bad credit",
        shift_description=(
            "A correction: the same loans, but the codes of the checking account get the meaning "
            "they always had. What was read as “no account” was “≥ 200 DM”, the best balance."
        ),
        years="loans of 1973–1975; file of 1994 (present), corrected file of 2019 (shifted)",
        notes=(
            "Both files describe the same people: 990 of the 1,000 rows agree on duration, amount "
            "and age.",
            "The correction permutes the meaning of Status, far outside what re-splits of the "
            "present data suggest: a worst case covers the shifts one has declared.",
            "The corrected documentation also rewords the personal status (code 2 covers single "
            "men too, code 4 is single women); both files are read by code with the old words.",
            "Bad credits were oversampled (30 in 100), so shares are not those of the bank.",
        ),
        corrections={"Status": dict(zip(OLD_STATUS, CORRECTED_STATUS, strict=True))},
        oversampled=True,
    )


def _people(
    table: pd.DataFrame, status_code: "pd.Series[str]", status: tuple[str, ...]
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Status": _named(status_code, status),
            "Duration": table["Duration"].astype(int),
            "Credit amount": table["Amount"].astype(int),
            "Personal status": _named(table["PersonalStatus"].str[-1], PERSONAL_STATUS),
            "Age": table["Age"].astype(int),
        }
    )


def _named(code: "pd.Series[str]", names: tuple[str, ...]) -> "pd.Series[str]":
    return code.map({str(number): name for number, name in enumerate(names, start=1)})
