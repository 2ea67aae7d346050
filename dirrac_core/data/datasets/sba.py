"""SBA loans to Californian real estate and rental firms: approved before 2006, and since."""

from dataclasses import replace

import pandas as pd

from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.datasets.files import read_shipped
from dirrac_core.data.periods import periods_of
from dirrac_core.data.schema.derived import Ratio
from dirrac_core.data.schema.feature import YES_NO, Feature, ranged
from dirrac_core.data.schema.plan_rules import (
    PlanRule,
    RatioRule,
    ShareRule,
    StepRule,
    SumRule,
)
from dirrac_core.data.schema.presets import FREE, Preset
from dirrac_core.data.schema.rules import ProductRule, ThresholdRule
from dirrac_core.data.schema.schema import Schema

FIRST_SHIFTED_YEAR = 2006
REAL_ESTATE_MONTHS = 240
RECESSION = (pd.Timestamp("2007-12-01"), pd.Timestamp("2009-06-30"))
LOCATIONS = ("not recorded", "urban", "rural")
LEAK = "Charged-off amount"

_FEATURES = (
    Feature(
        "Term",
        "integer",
        unit="months",
        explanation="Time over which the loan is paid back",
        source="Term",
        up_phrase="stretch the loan from {before} to {after} {unit}",
        down_phrase="shorten the loan from {before} to {after} {unit}",
    ),
    Feature(
        "Employees",
        "integer",
        unit="employees",
        explanation="People the firm employs",
        source="NoEmp",
        up_phrase="employ {after} people instead of {before}",
        down_phrase="employ {after} people instead of {before}",
    ),
    Feature(
        "Jobs created",
        "integer",
        unit="jobs",
        explanation="Jobs the loan is to create",
        source="CreateJob",
        up_phrase="create {after} jobs instead of {before}",
        down_phrase="create {after} jobs instead of {before}",
    ),
    Feature(
        "Jobs retained",
        "integer",
        unit="jobs",
        direction="up",
        explanation="Jobs the loan is to keep",
        source="RetainedJob",
        up_phrase="keep {after} jobs instead of {before}",
        down_phrase="keep only {after} jobs instead of {before}",
    ),
    Feature(
        "Location",
        "unordered",
        categories=LOCATIONS,
        direction="none",
        explanation="Where the firm is, as the SBA recorded it",
        source="UrbanRural",
        up_phrase="change the location from {before} to {after}",
        down_phrase="change the location from {before} to {after}",
    ),
    Feature(
        LEAK,
        "continuous",
        unit="US$",
        direction="none",
        explanation="Money written off; known only after the outcome",
        source="ChgOffPrinGr",
        step=100.0,
        up_phrase="have {after} instead of {before} {unit} written off",
        down_phrase="have {after} instead of {before} {unit} written off",
    ),
    Feature(
        "Gross amount",
        "continuous",
        unit="US$",
        explanation="Amount of the loan the bank approved",
        source="GrAppv",
        step=100.0,
        up_phrase="borrow {after} instead of {before} {unit}",
        down_phrase="borrow {after} instead of {before} {unit}",
    ),
    Feature(
        "SBA amount",
        "continuous",
        unit="US$",
        explanation="Part of the loan the SBA guarantees",
        source="SBA_Appv",
        step=100.0,
        up_phrase="have {after} instead of {before} {unit} of it guaranteed",
        down_phrase="have {after} instead of {before} {unit} of it guaranteed",
    ),
    Feature(
        "New business",
        "unordered",
        categories=YES_NO,
        direction="none",
        explanation="The firm is at most two years old",
        source="NewExist",
        up_phrase="apply as a new business",
        down_phrase="apply as an existing business",
    ),
    Feature(
        "Real estate",
        "unordered",
        categories=YES_NO,
        explanation="The loan is backed by real estate, which is so from 240 months on",
        source="Term",
        up_phrase="back the loan with real estate",
        down_phrase="take the loan without real estate behind it",
    ),
    Feature(
        "Portion",
        "continuous",
        decimals=2,
        step=0.01,
        direction="none",
        explanation="Share of the loan the SBA guarantees",
        source="SBA_Appv / GrAppv",
        up_phrase="have a share of {after} instead of {before} guaranteed",
        down_phrase="have a share of {after} instead of {before} guaranteed",
    ),
    Feature(
        "Recession",
        "unordered",
        categories=YES_NO,
        direction="none",
        explanation="The loan ends within the recession of December 2007 to June 2009",
        source="DisbursementDate, Term",
        up_phrase="let the loan end within the recession",
        down_phrase="let the loan end outside the recession",
    ),
)
_RULES = (
    ThresholdRule(
        switch="Real estate",
        category="yes",
        feature="Term",
        at_least=REAL_ESTATE_MONTHS,
        sentence="The loan is backed by real estate exactly when it runs 240 months or more.",
    ),
    ProductRule(
        result="SBA amount",
        factor="Portion",
        base="Gross amount",
        tolerance=0.5,
        sentence="The SBA amount is the portion times the gross amount.",
    ),
)
_PRESETS = {
    "sensible": Preset(
        locked={
            "Location": "The firm is where it is.",
            "Recession": "Nobody chooses when a recession comes.",
            "New business": "The age of the firm is a fact.",
            LEAK: "Money written off is known only after the outcome.",
            "Portion": "The guaranteed share follows from the SBA's programme, not the applicant.",
        },
        only_up={"Jobs retained": "Giving up jobs is not a plan one may recommend."},
    ),
    "paper": Preset(
        locked={
            "Location": "The paper treats it as immutable.",
            "Recession": "The paper treats it as immutable.",
        },
        only_up={"Jobs retained": "The paper lets it grow only."},
    ),
    "free": FREE,
}

# Of real firms, this share carries the instalment a plan may have at most.
USUAL_FIRMS = 0.98
# And this share expects the loan to create no more jobs.
USUAL_NEW_JOBS = 0.9
INSTALMENT = Ratio("Monthly instalment", "Gross amount", "Term", "US$")


def _plan_rules(people: pd.DataFrame) -> tuple[PlanRule, ...]:
    most = float(int((people["Gross amount"] / people["Term"]).quantile(USUAL_FIRMS)))
    jobs = float(people["Jobs created"].quantile(USUAL_NEW_JOBS))
    new_jobs = f"9 of 10 real firms expect a loan to create at most {jobs:g} jobs."
    return (
        RatioRule(
            "Instalment",
            "Gross amount",
            "Term",
            most=most,
            reason=f"98 of 100 real firms pay back at most {most:,.0f} US$ per month.",
        ),
        ShareRule(
            "Share of the amount",
            "Gross amount",
            least=0.5,
            most=1.0,
            reason="A loan of less than half the sum needed, or of more than it, is no answer to "
            "the application.",
        ),
        StepRule("New employees", "Employees", most=jobs, reason=new_jobs),
        StepRule("New jobs", "Jobs created", most=jobs, reason=new_jobs),
        SumRule(
            "Jobs there are",
            (("Jobs retained", 1.0), ("Employees", -1.0), ("Jobs created", -1.0)),
            most=0.0,
            reason="A firm cannot keep more jobs than it has and creates.",
        ),
    )


def sba_people(loans: pd.DataFrame) -> pd.DataFrame:
    """The twelve features in real units from the columns of the SBA file (text, ISO dates)."""
    term = loans["Term"].astype(int)
    gross, guaranteed = loans["GrAppv"].astype(float), loans["SBA_Appv"].astype(float)
    paid = pd.to_datetime(loans["DisbursementDate"].replace("", None), format="%Y-%m-%d")
    end = paid + pd.to_timedelta(30 * term, unit="D")
    return pd.DataFrame(
        {
            "Term": term,
            "Employees": loans["NoEmp"].astype(int),
            "Jobs created": loans["CreateJob"].astype(int),
            "Jobs retained": loans["RetainedJob"].astype(int),
            "Location": loans["UrbanRural"].map(dict(zip("012", LOCATIONS, strict=True))),
            LEAK: loans["ChgOffPrinGr"].astype(float),
            "Gross amount": gross,
            "SBA amount": guaranteed,
            "New business": _yes_no(loans["NewExist"] == "2"),
            "Real estate": _yes_no(term >= REAL_ESTATE_MONTHS),
            "Portion": guaranteed / gross,
            # A loan without a date compares false, so it counts as outside the recession.
            "Recession": _yes_no(end.between(*RECESSION)),
        }
    )


def load_sba(leak: bool) -> Dataset:
    """The dataset from the shipped file, with or without the column that leaks the label."""
    loans = read_shipped("sba.csv")
    people = sba_people(loans)
    favourable = loans["MIS_Status"] != "CHGOFF"
    year = loans["ApprovalFY"].astype(int)
    shifted = year >= FIRST_SHIFTED_YEAR
    features = tuple(feature for feature in _FEATURES if leak or feature.name != LEAK)
    presets = {name: p if leak else p.without(LEAK) for name, p in _PRESETS.items()}
    presets["sensible"] = replace(presets["sensible"], rules=_plan_rules(people[~shifted]))
    schema = Schema(ranged(features, people[~shifted]), _RULES, presets, (INSTALMENT,))
    leak_note = (
        "The charged-off amount is known only after the outcome, so it leaks the label. It is "
        "kept because the paper has it, and locked in the sensible preset; “sba-no-leak” is the "
        "same data without it."
        if leak
        else "The charged-off amount, which the paper uses, is left out: it is known only after "
        "the outcome and leaks the label."
    )
    return Dataset(
        name="sba" if leak else "sba-no-leak",
        title="SBA loans" if leak else "SBA loans without the leak",
        schema=schema,
        present=make_sample(schema, people[~shifted], favourable[~shifted]),
        shifted=make_sample(schema, people[shifted], favourable[shifted]),
        favourable="paid back",
        unfavourable="default",
        shift_description=(
            "An economic period: loans approved before 2006, then the loans of 2006 and later, "
            "with the recession among them; defaults rise from 16 to 53 in 100."
        ),
        years="approved 1989–2005 (present), 2006–2012 (shifted)",
        notes=(
            leak_note,
            "The paper's thirteenth feature, “Selected”, is the case study's random train/test "
            "flag and is left out.",
            "The paper's text says 1989–2006 for the present data; its own files split at 2006.",
            "The favourable outcome is a loan paid back; the published code has it the other way "
            "round.",
            "Three loans have no disbursement date and count as outside the recession; two loans "
            "do not say whether the firm is new and count as existing.",
        ),
        periods=periods_of(year[~shifted], "ApprovalFY"),
    )


def _yes_no(answer: "pd.Series[bool]") -> "pd.Series[str]":
    return answer.map({False: YES_NO[0], True: YES_NO[1]})
