"""Portfolios for the tests of the summary: those shipped, and one that takes all the room."""

import datetime
from dataclasses import replace

import numpy as np

from dirrac_core.studies.people.stored_portfolio import stored_portfolio
from pages.portfolio.run import Asked, Reviewed
from pages.shared.defaults import first_declined

LINK = "http://localhost:8501/portfolio?v=2&dataset=german&group_by=Personal+status"
DAY = datetime.date(2026, 11, 17)


def shipped(dataset):
    scenario = replace(first_declined(dataset), applicant=0)
    frame = stored_portfolio(scenario.settings)
    return Reviewed.of(Asked(scenario, len(frame)), frame)


def crowded(reviewed):
    """The same portfolio with everything that takes room: long names, no plans, much to blame."""
    frame = reviewed.frame.copy()
    lost = np.arange(len(frame)) % 3 == 0
    frame.loc[lost, "found"] = False
    frame.loc[lost, ["x", "cost", "worst_case", "m2", "declined"]] = None
    frame.loc[lost, "too_much_doubt"] = True
    names = [feature.name for feature in reviewed.case.dataset.schema.features]
    frame["unlocks"] = [tuple((name,) for name in names) if out else () for out in lost]
    frame.attrs["complete"] = False
    dataset = reviewed.case.dataset
    title = f"{dataset.title}, with a very long name that somebody gave to a table of their own"
    case = replace(reviewed.case, dataset=replace(dataset, title=title))
    return replace(reviewed, frame=frame, case=case)
