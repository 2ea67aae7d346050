"""Tables of visitors: named after their content, bounded, told in words when forgotten."""

import threading
from contextvars import copy_context
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from dirrac_core import load_dataset
from dirrac_core.case.case import solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import table_dataset
from dirrac_core.data.upload import visitor_tables
from dirrac_core.data.upload.sample_table import GOOD, LABEL, sample_table
from dirrac_core.data.upload.visitor_tables import (
    UPLOAD_LIMITS,
    is_kept,
    is_table_name,
    open_only,
    register_table,
    visitor_table,
)
from dirrac_core.errors import UnknownName
from pages.shared.navigation import ROOT


def people(seed=0, **more):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, 60)
    paid = np.where(age + rng.normal(0, 15, 60) > 50, "yes", "no")
    return pd.DataFrame({"age": age, "size": rng.random(60), "paid": paid, **more})


def made(frame, **more):
    return table_dataset(frame, **{"label": "paid", "favourable": "yes"} | more)[0]


@pytest.fixture
def room(monkeypatch):
    """A registry of its own, with room for three tables."""
    kept = visitor_tables._Tables(3, 10**9)
    monkeypatch.setattr(visitor_tables, "_TABLES", kept)
    return kept


def test_the_name_is_that_of_the_content_and_the_settings(room):
    name = register_table(made(people()))
    assert is_table_name(name)
    content = people().to_csv(index=False).encode()
    assert register_table(made(content)) == name
    others = [
        made(people(seed=1)),
        made(people(), favourable="no"),
        made(people(), title="Mine"),
        made(people(), overrides={"age": {"direction": "up", "protected": False}}),
        made(people(), overrides={"age": {"unit": "y"}}),
        made(people(), shifted=people(seed=2)),
        replace(made(people()), given_model=np.array([1.0, 2.0, -1.0])),
    ]
    names = [register_table(dataset) for dataset in others]
    assert len({name, *names}) == len(others) + 1


def test_a_table_is_found_by_its_name_like_a_shipped_dataset(room):
    name = register_table(made(people()))
    dataset = load_dataset(name)
    assert dataset.name == name and dataset is visitor_table(name)
    solution = solve_scenario(Scenario(name, 0))
    assert solution.case.dataset is dataset
    # The same content again keeps the object and with it what was trained on it.
    assert register_table(made(people())) == name and load_dataset(name) is dataset


def test_a_name_alone_opens_nothing(room):
    name = register_table(made(people()))
    seen = []

    def somebody_else():
        assert not is_kept(name)
        for look in (load_dataset, lambda table: solve_scenario(Scenario(table, 0))):
            with pytest.raises(UnknownName, match="which you have not uploaded"):
                look(name)
        # Who has the same content may open it.
        seen.append(load_dataset(register_table(made(people()))).name)

    def acts_for_the_owner():
        seen.append(load_dataset(name).name)

    for act in (somebody_else, partial(copy_context().run, acts_for_the_owner)):
        other = threading.Thread(target=act)
        other.start()
        other.join()
    assert seen == [name, name]
    open_only(())
    with pytest.raises(UnknownName):
        load_dataset(name)
    open_only([name])
    assert load_dataset(name).name == name


def test_the_table_used_longest_ago_is_forgotten_first(room):
    first, second, third = (register_table(made(people(seed))) for seed in range(3))
    visitor_table(first)
    fourth = register_table(made(people(3)))
    assert [is_kept(name) for name in (first, second, third, fourth)] == [True, False, True, True]
    with pytest.raises(UnknownName, match="upload the same file with the same settings"):
        load_dataset(second)
    assert register_table(made(people(1))) == second and is_kept(second)


def test_memory_is_bounded_too(monkeypatch):
    size = visitor_tables._size(made(people()))
    monkeypatch.setattr(visitor_tables, "_TABLES", visitor_tables._Tables(100, int(2.5 * size)))
    names = [register_table(made(people(seed))) for seed in range(4)]
    assert [is_kept(name) for name in names] == [False, False, True, True]


def test_one_table_larger_than_the_room_is_still_kept(monkeypatch):
    monkeypatch.setattr(visitor_tables, "_TABLES", visitor_tables._Tables(100, 1))
    assert is_kept(register_table(made(people())))


def test_many_visitors_at_once(room):
    problems = []

    def visit(seed):
        dataset = made(people(seed))
        for _ in range(20):
            name = register_table(dataset)
            try:
                found = visitor_table(name)
            except UnknownName:
                continue
            if not np.array_equal(found.present.X, dataset.present.X):
                problems.append(seed)

    visits = [threading.Thread(target=visit, args=(seed,)) for seed in range(8)]
    for each in visits:
        each.start()
    for each in visits:
        each.join()
    assert problems == [] and len(room._kept) <= 3


@pytest.mark.parametrize(
    "name", ["table", "table-", "table-xyz", "TABLE-" + 32 * "0", "table-" + 31 * "0", None, 5, []]
)
def test_names_that_are_none(name):
    assert not is_table_name(name)
    with pytest.raises(UnknownName, match="must be one of"):
        Scenario(name, 0)


def test_a_scenario_may_name_a_table_that_is_not_here():
    absent = "table-" + 32 * "0"
    scenario = Scenario.from_json(Scenario(absent, 3).to_json())
    with pytest.raises(UnknownName, match="must be uploaded before it is opened"):
        solve_scenario(scenario)


def test_the_server_takes_what_the_page_promises():
    config = (ROOT / ".streamlit" / "config.toml").read_text()
    assert f"maxUploadSize = {UPLOAD_LIMITS.file_bytes // 1_000_000}\n" in config


@pytest.mark.parametrize("shifted", [None, "shifted"])
def test_the_sample_can_be_uploaded(shifted):
    later = None if shifted is None else sample_table("shifted").encode()
    present = sample_table("present").encode()
    dataset = made(present, shifted=later, label=LABEL, favourable=GOOD, limits=UPLOAD_LIMITS)
    student = load_dataset("student")
    assert len(dataset.schema.features) == len(student.schema.features)
    np.testing.assert_array_equal(dataset.present.y, student.present.y)
    assert (dataset.shifted is None) == (later is None)
