"""Student performance in Portuguese: one school now, another school after the shift."""

from dataclasses import replace

import pandas as pd

from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.datasets.files import read_shipped
from dirrac_core.data.schema.feature import YES_NO, Feature, ranged
from dirrac_core.data.schema.plan_rules import PlanRule, SumRule
from dirrac_core.data.schema.presets import FREE, Preset
from dirrac_core.data.schema.schema import Schema

PASS_MARK = 12
STUDY_TIME = ("under 2 hours", "2 to 5 hours", "5 to 10 hours", "over 10 hours")
HEALTH = ("very bad", "bad", "fair", "good", "very good")

_FEATURES = (
    Feature(
        "Age",
        "integer",
        unit="years",
        direction="up",
        explanation="Age of the student",
        source="age",
        protected=True,
        up_phrase="take the course at the age of {after} instead of {before}",
        down_phrase="be {after} instead of {before} {unit} old",
    ),
    Feature(
        "Study time",
        "ordered",
        categories=STUDY_TIME,
        explanation="Weekly study time",
        source="studytime",
        up_phrase="study {after} a week instead of {before}",
        down_phrase="study {after} a week instead of {before}",
    ),
    Feature(
        "Family support",
        "unordered",
        categories=YES_NO,
        explanation="The family helps with school work",
        source="famsup",
        up_phrase="get help with school work from the family",
        down_phrase="work without help from the family",
    ),
    Feature(
        "Higher education",
        "unordered",
        categories=YES_NO,
        direction="none",
        explanation="Wants to go on to higher education",
        source="higher",
        up_phrase="aim for higher education",
        down_phrase="give up the aim of higher education",
    ),
    Feature(
        "Internet",
        "unordered",
        categories=YES_NO,
        explanation="Internet access at home",
        source="internet",
        up_phrase="get internet access at home",
        down_phrase="do without internet access at home",
    ),
    Feature(
        "Health",
        "ordered",
        categories=HEALTH,
        explanation="Present state of health, as the student puts it",
        source="health",
        up_phrase="improve health from {before} to {after}",
        down_phrase="let health go from {before} to {after}",
    ),
    Feature(
        "Absences",
        "integer",
        direction="up",
        better="down",
        explanation="Lessons missed so far",
        source="absences",
        up_phrase="miss {after} lessons instead of {before}",
        down_phrase="miss {after} lessons instead of {before}",
    ),
    Feature(
        "First grade",
        "integer",
        unit="points",
        direction="none",
        better="up",
        explanation="Grade of the first period, 0 to 20",
        source="G1",
        up_phrase="have {after} instead of {before} {unit} in the first period",
        down_phrase="have {after} instead of {before} {unit} in the first period",
    ),
    Feature(
        "Second grade",
        "integer",
        unit="points",
        better="up",
        explanation="Grade of the second period, 0 to 20",
        source="G2",
        up_phrase="reach {after} instead of {before} {unit} in the second period",
        down_phrase="be content with {after} instead of {before} {unit} in the second period",
    ),
)
_PRESETS = {
    "sensible": Preset(
        locked={
            "Age": "“Get older” is no plan.",
            "Higher education": "The aim in life is the student's own, not a lever.",
            "Health": "Health is not a matter of choice.",
            "First grade": "The first period is already past.",
        },
        only_up={"Absences": "Lessons already missed cannot be attended any more."},
    ),
    "paper": Preset(
        locked={"Higher education": "The paper treats it as immutable."},
        only_up={
            "Age": "Nobody gets younger (the paper's choice).",
            "Absences": "Missed lessons stay missed (the paper's choice).",
        },
    ),
    "free": FREE,
}

# Of real students, this share improves by no more from one period to the next.
USUAL_STUDENTS = 0.98


def _plan_rules(people: pd.DataFrame) -> tuple[PlanRule, ...]:
    step = float((people["Second grade"] - people["First grade"]).quantile(USUAL_STUDENTS))
    return (
        SumRule(
            "Step in grades",
            (("Second grade", 1.0), ("First grade", -1.0)),
            most=step,
            reason=f"98 of 100 real students improve by at most {step:g} points per period.",
            yields=True,
        ),
    )


def load_student() -> Dataset:
    """The dataset from the shipped file."""
    table = read_shipped("student.csv")
    people = pd.DataFrame(
        {
            "Age": table["age"].astype(int),
            "Study time": table["studytime"].map(_coded(STUDY_TIME)),
            "Family support": table["famsup"],
            "Higher education": table["higher"],
            "Internet": table["internet"],
            "Health": table["health"].map(_coded(HEALTH)),
            "Absences": table["absences"].astype(int),
            "First grade": table["G1"].astype(int),
            "Second grade": table["G2"].astype(int),
        }
    )
    favourable = table["G3"].astype(int) >= PASS_MARK
    here, there = table["school"] == "GP", table["school"] == "MS"
    sensible = replace(_PRESETS["sensible"], rules=_plan_rules(people[here]))
    schema = Schema(ranged(_FEATURES, people[here]), presets={**_PRESETS, "sensible": sensible})
    return Dataset(
        name="student",
        title="Student performance",
        schema=schema,
        present=make_sample(schema, people[here], favourable[here]),
        shifted=make_sample(schema, people[there], favourable[there]),
        favourable="final grade of 12 or more",
        unfavourable="final grade below 12",
        shift_description=(
            "Another site: the model of the school Gabriel Pereira meets the students of the "
            "school Mousinho da Silveira."
        ),
        years="school year 2005–2006",
        notes=(
            "The subject is Portuguese language; grades run from 0 to 20.",
            "The second grade lies close to the final grade that decides the outcome: it is free "
            "because it is still ahead of the student.",
        ),
    )


def _coded(names: tuple[str, ...]) -> dict[str, str]:
    return {str(number): name for number, name in enumerate(names, start=1)}
