"""The paper's figures: what their rows say, and that rows out of a CSV can be drawn."""

import io
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import load_dataset
from dirrac_core.figures.drawing.palette import THEMES, alt_text
from dirrac_core.paper import experiment
from dirrac_core.paper.catalogue import EXPERIMENTS
from dirrac_core.paper.experiment import Run, Settings, in_parts, marked
from dirrac_core.paper.figures import feasible_set, frontier, shift_types
from dirrac_core.paper.figures import shift_impact as impact
from dirrac_core.paper.synthetic_futures import kinds_of_models
from dirrac_core.progress import never
from dirrac_core.studies import shift_impact

FEW = Settings(applicants=2, jobs=1)


def from_csv(rows):
    """The rows as they come back from a file."""
    return pd.read_csv(io.StringIO(rows.to_csv(index=False)))


@pytest.fixture(autouse=True)
def _one_dataset(monkeypatch):
    """One of the paper's three datasets is enough here."""
    monkeypatch.setattr(experiment, "REAL", ("sba",))


def computed(name, settings=FEW, cancel=never):
    return EXPERIMENTS[name].compute(Run(settings, cancel=cancel))


def drawn(name, rows, theme="light"):
    return EXPERIMENTS[name].draw(from_csv(rows), theme)


def test_parts_come_in_turn_with_one_progress_bar():
    told = []

    def rows(run, x):
        run.progress(0.5, "half")
        return pd.DataFrame({"x": [x]})

    parts = {"a": partial(rows, x=1), "bb": partial(rows, x=2)}
    frame = in_parts(lambda _: parts)(Run(FEW, lambda part, words: told.append((part, words))))
    assert frame.to_dict("list") == {"x": [1, 2]}
    assert frame.attrs["complete"] and told == [(0.25, "a: half"), (0.75, "bb: half")]
    stopped = in_parts(lambda _: parts)(Run(FEW, cancel=lambda: True))
    assert len(stopped) == 0 and not stopped.attrs["complete"]


def test_a_cancelled_part_is_the_last():
    def cancelled(run):
        return marked(pd.DataFrame({"x": [1]}), False)

    frame = in_parts(lambda _: {"a": cancelled, "bb": cancelled})(Run(FEW))
    assert frame["x"].tolist() == [1] and not frame.attrs["complete"]


def test_a_cap_that_was_asked_for_stays():
    assert Run(Settings()).at_most(7).settings.applicants == 7
    assert Run(Settings(applicants=99)).at_most(7).settings.applicants == 99


def test_each_kind_of_shift_is_a_component():
    known = kinds_of_models(seed=3, n=12)
    assert known.kinds == ("mean",) * 4 + ("covariance",) * 4 + ("both",) * 4
    assert known.magnitudes == pytest.approx([0.1, 0.2, 0.3, 0.4] * 3)
    mixture = known.mixture()
    np.testing.assert_allclose(mixture.means[1], known.parameters[4:8].mean(axis=0))
    np.testing.assert_allclose(mixture.covariances[2], np.cov(known.parameters[8:], rowvar=False))
    assert len(known.future()) == 12
    uneven = replace(known, kinds=("mean",) * 9 + ("covariance",) * 3)
    np.testing.assert_allclose(uneven.mixture().weights, [0.75, 0.25])


def test_the_plans_of_the_feasible_set_are_feasible():
    rows = computed("feasible_set")
    vector = ["x1", "x2", "x3"]
    assert rows["rho"].unique().tolist() == list(feasible_set.RADII)
    for rho, part in rows.groupby("rho"):
        thetas = part.loc[part["row"] == "component", vector].to_numpy()
        (x0,) = part.loc[part["row"] == "applicant", vector].to_numpy()
        (x,) = part.loc[part["row"] == "plan", vector].to_numpy()
        assert np.linalg.norm(x - x0) <= part["delta"].iloc[0] + 1e-6
        assert (thetas @ x - rho * np.linalg.norm(x) >= 1e-3 - 1e-6).all()
    worst = rows.groupby("rho")["worst_case"].first()
    assert (np.diff(worst) > 0.0).all()
    figure = drawn("feasible_set", rows)
    assert [note.text for note in figure.layout.annotations] == ["ρ = 0", "ρ = 1", "ρ = 2"]
    stars = [trace for trace in figure.data if trace.name == "Certified plan"]
    assert len(stars) == 3 and stars[0].marker.symbol == "star"


def test_models_in_real_units_decide_as_the_scaled_ones():
    schema = load_dataset("synthetic").schema
    thetas = np.array([[5.0, 7.0, -6.0], [8.0, -1.0, 0.5]])
    rows = shift_types._models("mean", "model", schema, thetas)
    people = load_dataset("synthetic").present
    real = people.people.to_numpy() @ rows[["x1", "x2"]].to_numpy().T + rows["bias"].to_numpy()
    np.testing.assert_allclose(real, people.X @ thetas[:, :2].T + thetas[:, 2], atol=1e-9)


@pytest.mark.parametrize("theme", THEMES)
def test_shift_types_have_four_panels(theme):
    rows = computed("shift_types")
    counts = rows.groupby(["shift", "row"]).size()
    assert counts["mean", "model"] == 33 and counts["both", "model"] == 34
    assert counts["original", "person"] == 2 * shift_types.PEOPLE
    assert (rows["row"] == "today's model").sum() == 1
    figure = drawn("shift_types", rows, theme)
    titles = [note.text for note in figure.layout.annotations]
    assert titles == [
        "Original data",
        "Mean shift of 3.3",
        "Covariance shift of 3.3",
        "Both shifts of 3.4",
    ]
    moved = rows[(rows["shift"] == "mean") & (rows["row"] == "person") & (rows["outcome"] == 0)]
    assert moved["x1"].mean() == pytest.approx(-3.0 + 3.3, abs=0.4)
    assert moved["x2"].mean() == pytest.approx(-3.0, abs=0.4)


def test_clouds_show_every_model_with_its_kind():
    rows = computed("parameter_clouds")
    assert rows["shift"].value_counts().to_dict() == {"both": 34, "mean": 33, "covariance": 33}
    figure = drawn("parameter_clouds", rows)
    by_name = {trace.name: trace for trace in figure.data}
    own = rows[rows["shift"] == "covariance"]
    # Every model, and last the mean.
    *models, _ = by_name["Covariance shift"].x
    np.testing.assert_allclose(sorted(models), sorted(own["theta_1"]))
    assert by_name["Covariance shift"].y[-1] == pytest.approx(own["theta_2"].mean())


def test_the_elbow_names_the_published_and_our_components():
    rows = computed("elbow")
    printed = rows[rows["source"] == "published"].set_index("dataset")["components"]
    assert printed.to_dict() == {"german": 5, "sba": 4, "student": 6}
    ours = rows[rows["source"] == "ours"]
    assert ours["components"].tolist() == list(range(1, 11))
    assert (np.diff(ours["distortion"]) < 0.0).all() and ours["chosen"].sum() == 1
    figure = drawn("elbow", rows)
    (title,) = figure.layout.annotations
    assert title.text.endswith("(paper: K = 4)")
    chosen = int(ours.loc[ours["chosen"], "components"].iloc[0])
    assert f"chosen K = {chosen}" in alt_text(figure)


def test_the_frontier_sweeps_three_methods_and_says_n():
    rows = computed("frontier")
    assert rows.attrs["complete"] and (rows["n"] == 2).all() and len(rows) == 27
    dirrac = rows[rows["method"] == "DiRRAc"]
    assert (np.diff(dirrac["worst_case"]) <= 1e-6).all()
    assert (np.diff(dirrac["cost_l1"]) >= -1e-6).all()
    roar = rows[rows["method"] == "ROAR (exact)"]
    assert (np.diff(roar["cost_l1"]) <= 1e-4).all()
    figure = drawn("frontier", rows)
    marks = [trace.name for trace in figure.data if not trace.name.endswith(": steps")]
    assert marks == list(rows["method"].unique())


def test_a_cancelled_frontier_is_incomplete():
    told = []
    run = Run(FEW, lambda part, words: told.append(part), lambda: len(told) >= 1)
    rows = EXPERIMENTS["frontier"].compute(run)
    assert not rows.attrs["complete"] and (rows["n"] == 1).all()


def test_synthetic_shifts_are_judged_by_other_samples():
    rows = computed("frontier_synthetic", Settings(applicants=1, jobs=1))
    dirrac = rows[rows["method"] == "DiRRAc"]
    assert dirrac["parameter"].tolist() == list(frontier.SYNTHETIC_DELTA_ADDS)
    assert dirrac["m2"].iloc[-1] == 1.0 > dirrac["m2"].iloc[0]
    assert alt_text(drawn("frontier_synthetic", rows)).startswith("Synthetic: Effort against")


@pytest.mark.parametrize(
    "name,setting", [("rho_sensitivity", "rho"), ("delta_sensitivity", "delta_add")]
)
def test_sensitivity_varies_one_setting(name, setting):
    rows = computed(name)
    other = {"rho": "delta_add", "delta_add": "rho"}[setting]
    assert rows[setting].is_monotonic_increasing and rows[setting].nunique() == len(rows)
    assert (rows[other] == 0.1).all()
    assert (np.diff(rows["cost_l1"]) > -1e-6).all()
    figure = drawn(name, rows)
    np.testing.assert_allclose(figure.data[0].x, rows[setting])
    assert figure.data[0].name == load_dataset("sba").title


def test_impact_names_methods_with_their_cost(monkeypatch):
    quick = partial(shift_impact, magnitudes=(0.0, 1.0, 3.0), models=4)
    monkeypatch.setattr(impact, "shift_impact", quick)
    rows = computed("shift_impact", Settings(applicants=1, jobs=1))
    assert rows["method"].unique().tolist() == [
        "DiRRAc, shifts declared",
        "DiRRAc, re-splits only",
        "ROAR (exact)",
        "AR",
        "Wachter",
    ]
    parameters = rows.groupby("method", sort=False)["parameter"].first()
    assert parameters.iloc[:3].tolist() == [0.01, 0.05, 3.0]
    costs = rows.groupby("method", sort=False)["cost_l1"].first()
    assert costs.iloc[:3].max() - costs.iloc[:3].min() < 0.02
    largest = rows[(rows["kind"] == "covariance") & (rows["magnitude"] > 2.0)].set_index("method")
    assert largest.loc["Wachter", "m2"].max() < largest.loc["ROAR (exact)", "m2"].min()
    figure = drawn("shift_impact", rows)
    assert f"AR (cost {costs['AR']:.2f})" in {trace.name for trace in figure.data}
