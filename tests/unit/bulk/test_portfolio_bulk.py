"""A portfolio from file to file: everybody is judged, nobody is lost, nothing is done twice."""

import json
import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core import load_dataset
from dirrac_core.bulk import planner as planner_module
from dirrac_core.bulk.parts import Parts
from dirrac_core.bulk.people import people_in_file, people_in_table
from dirrac_core.bulk.planner import FAILED, Planner
from dirrac_core.bulk.stream import NOT_ASKED, OUTSIDE, Bulk, stream_portfolio
from dirrac_core.case.settings import Settings
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.errors import DamagedPart, InvalidInput, OutputFailure, SolverFailure, UnknownName
from dirrac_core.models.bundle import prepare
from dirrac_core.studies.people.many_plans import ManyPlanner

GERMAN = load_dataset("german")
FIRST = 60
PEOPLE = people_in_table(GERMAN.present.people[:FIRST], "german")
DECLINED = [int(row) for row in prepare(GERMAN).declined if row < FIRST]
BULK = Bulk(Settings("german", components=1), rounded=False, chunk=25)


def run(out, people=PEOPLE, bulk=BULK, **options):
    return stream_portfolio(people, out, bulk, "1.0", **{"jobs": 1} | options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of an uninterrupted run."""
    out = tmp_path_factory.mktemp("whole") / "out.parquet"
    done = run(out)
    assert done.complete and done.people == FIRST and done.plans == len(DECLINED)
    return out


def stopping_after(calls):
    """A cancel question that is answered by yes after so many times."""
    asked = iter([False] * calls)
    return lambda: next(asked, True)


def test_everybody_is_judged_and_the_declined_get_a_plan(whole):
    frame = pd.read_parquet(whole)
    assert frame["row"].tolist() == list(range(FIRST))
    assert frame.index[frame["decision"] == "declined"].tolist() == DECLINED
    plans = frame.loc[DECLINED]
    assert (plans["status"] == "optimal").all() and plans["m1"].all()
    assert (plans["lower_bound"] <= plans["worst_case"]).all() and plans["plan"].str.len().all()
    rest = frame.drop(index=DECLINED)
    assert rest["probability"].min() >= 0.5 > plans["probability"].max()
    assert rest[["status", "plan", "cost", "m1"]].isna().all(axis=None)
    assert [name for name in os.listdir(whole.parent)] == ["out.parquet"]


def test_the_size_of_a_chunk_and_the_format_change_nothing(whole, tmp_path):
    frame = pd.read_parquet(whole)
    run(tmp_path / "one.parquet", bulk=replace(BULK, chunk=1000))
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "one.parquet"), frame)
    run(tmp_path / "out.csv")
    back = pd.read_csv(tmp_path / "out.csv", dtype={"m1": object})
    numbers = frame.select_dtypes("number").columns
    pd.testing.assert_frame_equal(back[numbers], frame[numbers])
    assert (back["plan"].fillna("") == frame["plan"].fillna("")).all()


def test_a_cancelled_run_leaves_nothing_behind(tmp_path):
    done = run(tmp_path / "out.csv", cancel=stopping_after(9))
    assert not done.complete and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stop", [1, 5, 7])
def test_a_cancelled_run_is_resumed_to_the_same_bytes_and_nothing_is_done_twice(
    whole, tmp_path, monkeypatch, stop
):
    asked = []
    together = Planner.together
    monkeypatch.setattr(Planner, "together", lambda self, X: asked.extend(X) or together(self, X))
    out = tmp_path / "out.parquet"
    first = run(out, resume=True, cancel=stopping_after(stop))
    assert not first.complete and not out.exists() and out.with_name("out.parquet.parts").is_dir()
    unfinished = len(asked) - first.plans
    second = run(out, resume=True)
    assert second.complete and list(tmp_path.iterdir()) == [out]
    assert out.read_bytes() == whole.read_bytes()
    assert first.plans + second.plans == len(DECLINED)
    # Only the plans of the chunk that was cut short are asked for again.
    assert len(asked) == len(DECLINED) + unfinished


def test_a_run_that_only_scores_can_be_cancelled_too(tmp_path):
    scores = replace(BULK, most_plans=0)
    done = run(tmp_path / "out.csv", bulk=scores, cancel=stopping_after(2))
    assert not done.complete and done.people == 25 and list(tmp_path.iterdir()) == []


def test_an_error_leaves_nothing_behind_unless_asked(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Planner, "together", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out.csv", resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv.parts"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bulk": replace(BULK, settings=replace(BULK.settings, radii=0.2))}, "radii 0.2 .* 0.1"),
        ({"bulk": replace(BULK, rounded=True)}, "rounded True .* False"),
        ({"bulk": replace(BULK, chunk=20)}, "chunk 20 .* 25"),
        ({"people": people_in_table(GERMAN.present.people[1:], "german")}, "sha256 of the people"),
    ],
)
def test_only_the_same_run_is_resumed(tmp_path, change, words):
    out = tmp_path / "out.csv"
    run(out, resume=True, cancel=stopping_after(9))
    before = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(InvalidInput, match=words):
        run(out, resume=True, **change)
    with pytest.raises(InvalidInput, match="version '2.0' .* '1.0'"):
        stream_portfolio(PEOPLE, out, BULK, "2.0", resume=True, jobs=1)
    with pytest.raises(InvalidInput, match="unfinished run"):
        run(out)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("resume", [True, False])
def test_a_folder_without_a_manifest_is_refused_and_stays(tmp_path, resume):
    theirs = tmp_path / "out.parquet.parts" / "part-0000000.parquet"
    theirs.parent.mkdir()
    theirs.write_text("not ours")
    with pytest.raises(InvalidInput, match=r"must hold its manifest.json, got .*out.parquet.parts"):
        run(tmp_path / "out.parquet", resume=resume)
    assert theirs.read_text() == "not ours"


def begun(out):
    """A run that was stopped after two parts; their files."""
    folder = out.with_name(out.name + ".parts")
    run(out, resume=True, cancel=lambda: len(list(folder.glob("part-*.parquet"))) == 2)
    return sorted(folder.glob("part-*.parquet"))


@pytest.mark.parametrize("damage", ["bit", "cut", "empty", "swapped"])
def test_damaged_parts_are_named_before_anything_is_computed(whole, tmp_path, monkeypatch, damage):
    out = tmp_path / "out.parquet"
    parts = begun(out)
    contents = [path.read_bytes() for path in parts]
    assert len(parts) == 2
    if damage == "swapped":
        for path, content in zip(parts, reversed(contents), strict=True):
            path.write_bytes(content)
    else:
        flipped = contents[1][:99] + bytes([contents[1][99] ^ 1]) + contents[1][100:]
        parts[1].write_bytes({"bit": flipped, "cut": contents[1][:-9], "empty": b""}[damage])
    damaged = parts if damage == "swapped" else parts[1:]
    with monkeypatch.context() as patch:
        patch.setattr(Planner, "together", lambda *_: pytest.fail("work was begun"))
        with pytest.raises(DamagedPart) as told:
            run(out, resume=True)
    assert all(str(path) in str(told.value) for path in damaged)
    assert (str(parts[0]) in str(told.value)) == (damage == "swapped")
    for path in damaged:
        path.unlink()
    run(out, resume=True)
    assert out.read_bytes() == whole.read_bytes() and list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("ends", ["joined", "cancelled"])
def test_what_others_put_into_the_folder_is_never_removed(tmp_path, ends):
    out = tmp_path / "out.csv"
    begun(out)
    folder = tmp_path / "out.csv.parts"
    (folder / "thesis").mkdir()
    theirs = [folder / "thesis" / "chapter.tex", folder / "part-1.parquet", folder / "notes.txt"]
    for path in theirs:
        path.write_text("years of work")
    (folder / "joined.csv.d").mkdir()
    if ends == "joined":
        run(out, resume=True)
    else:
        with Parts(out, json.loads((folder / "manifest.json").read_text()), None, True) as parts:
            parts.keep = False
    assert all(path.read_text() == "years of work" for path in theirs)
    left = sorted(path.name for path in folder.iterdir())
    assert left == ["joined.csv.d", "notes.txt", "part-1.parquet", "thesis"]


def test_the_place_of_the_output_is_checked_before_the_models_are_trained(tmp_path, monkeypatch):
    monkeypatch.setattr(Planner, "of", lambda *_: pytest.fail("work was begun"))
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "taken.csv.parts").touch()
    for out in ("folder.csv", "missing/out.csv", "taken.csv"):
        with pytest.raises(OutputFailure, match="a place that can be written, got"):
            run(tmp_path / out)
    for jobs in (0, 1.5, "2", True):
        with pytest.raises(InvalidInput, match="jobs must be a number of processes"):
            run(tmp_path / "out.csv", jobs=jobs)


def test_a_manifest_that_is_no_manifest_is_refused(tmp_path):
    folder = tmp_path / "out.csv.parts"
    folder.mkdir()
    (folder / "manifest.json").write_text("[1]")
    with pytest.raises(InvalidInput, match="manifest"):
        run(tmp_path / "out.csv", resume=True)


def test_a_place_that_cannot_be_written_is_told_in_words(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for out in (file / "out.csv", tmp_path / "missing" / "out.csv"):
        with pytest.raises(OutputFailure, match="a place that can be written"):
            run(out)
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(OutputFailure, match="out.csv"):
        run(tmp_path / "out.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "out.csv"]


@pytest.mark.parametrize("after", [0, 2, 8])
def test_a_full_disk_is_told_in_words_and_leaves_nothing_behind(tmp_path, monkeypatch, after):
    left = iter(range(after))
    fsync = os.fsync

    def full(handle):
        if next(left, None) is None:
            raise OSError(28, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputFailure, match="No space left on device"):
        run(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_was_there_stays_until_the_new_one_is_whole(tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old")
    run(out, cancel=stopping_after(9))
    assert out.read_text() == "old"
    run(out, bulk=replace(BULK, most_plans=0))
    assert out.read_text().startswith("row,decision,")


@pytest.mark.parametrize("stop", [None, 9])
def test_no_more_plans_are_made_than_asked_for(tmp_path, stop):
    out, few = tmp_path / "out.csv", replace(BULK, most_plans=7)
    if stop is not None:
        run(out, bulk=few, resume=True, cancel=stopping_after(stop))
    run(out, bulk=few, resume=True)
    frame = pd.read_csv(out)
    assert frame.index[frame["status"] == "optimal"].tolist() == DECLINED[:7]
    assert frame.index[frame["status"] == NOT_ASKED].tolist() == DECLINED[7:]


def test_people_who_cannot_be_judged_are_counted_with_the_reason(tmp_path):
    people = GERMAN.present.people[:FIRST].astype(object)
    people.loc[2, "Status"] = "=cmd()"
    people.loc[DECLINED[0], "Duration"] = 400
    people.loc[4, "Age"] = None
    people.assign(name=[f"@{n}" for n in range(FIRST)]).to_csv(tmp_path / "p.csv", index=False)
    out = tmp_path / "out.csv"
    done = run(out, people_in_file(tmp_path / "p.csv", GERMAN.schema, "name"))
    frame = pd.read_csv(out)
    assert frame["id"].tolist() == [f"'@{n}" for n in range(FIRST)]
    assert frame.loc[[2, 4], "decision"].tolist() == ["unreadable"] * 2
    assert frame.loc[[2, 4], "cause"].tolist() == ["Status", "Age"]
    assert frame.loc[DECLINED[0], "status"] == OUTSIDE
    assert "400 months" in frame.loc[DECLINED[0], "reason"]
    counts = done.counts.set_index(["decision", "status", "cause"])["people"]
    assert counts["unreadable"].sum() == 2 and counts["declined", OUTSIDE, "Duration"] == 1
    assert counts.sum() == FIRST and done.plans == len(DECLINED) - 1


def test_a_failure_of_one_person_is_told_and_the_others_go_on(tmp_path, monkeypatch):
    planned = planner_module.planned

    def fails_once(person, *rest):
        if np.array_equal(person.x0[:-1], GERMAN.present.X[DECLINED[1]]):
            message = "The cone program must end solved or infeasible, got MaxTime"
            raise SolverFailure(message)
        return planned(person, *rest)

    # Nobody is settled by the kernel, so that everybody is asked one by one.
    monkeypatch.setattr(ManyPlanner, "applies", False)
    monkeypatch.setattr(planner_module, "planned", fails_once)
    done = run(tmp_path / "out.csv")
    assert done.one_by_one == len(DECLINED)
    frame = pd.read_csv(tmp_path / "out.csv")
    assert frame.index[frame["status"] == FAILED].tolist() == [DECLINED[1]]
    assert frame.loc[DECLINED[1], ["cause", "reason"]].tolist() == [
        "SolverFailure",
        "The cone program must end solved or infeasible, got MaxTime",
    ]
    assert done.counts["people"].sum() == FIRST


def test_who_has_no_plan_is_told_why_with_features_by_name(tmp_path):
    scenario = replace(BULK.settings, radii=3.0)
    run(tmp_path / "out.csv", bulk=replace(BULK, settings=scenario, most_plans=3))
    rows = pd.read_csv(tmp_path / "out.csv").loc[DECLINED[:3]]
    assert (rows["status"] == "infeasible").all() and rows["cost"].isna().all()
    assert rows["reason"].str.contains("with the radii at most 0.").all()
    assert not rows["reason"].str.contains("column").any()


def test_settings_are_refused_before_anything_is_written(tmp_path):
    for wrong, error, words in (
        (replace(BULK.settings, preset="nix"), UnknownName, "A preset"),
        (replace(BULK.settings, model="mlp"), InvalidInput, "one mixture for everybody"),
        (replace(BULK.settings, radii=(0.1, 0.2)), InvalidInput, "radii"),
        (replace(BULK.settings, edits=(FeatureRule("Shoe size", "no"),)), UnknownName, "feature"),
    ):
        with pytest.raises(error, match=words):
            run(tmp_path / "out.csv", bulk=replace(BULK, settings=wrong))
    for wrong in ({"chunk": 0}, {"chunk": 2.5}, {"most_plans": -1}):
        with pytest.raises(InvalidInput, match="whole number"):
            replace(BULK, **wrong)
    with pytest.raises(UnknownName, match="ending"):
        run(tmp_path / "out.txt")
    assert list(tmp_path.iterdir()) == []


def test_progress_grows_to_the_whole_and_counts_people_and_plans(tmp_path):
    told = []
    run(tmp_path / "out.csv", progress=lambda part, words: told.append((part, words)))
    parts = [part for part, _ in told]
    assert parts == sorted(parts) and parts[-1] == 1.0
    assert told[-1][1] == f"60 of 60 people, {len(DECLINED)} plans"


def test_a_file_without_people_gives_a_file_without_rows(tmp_path):
    for name in ("in.csv", "in.parquet"):
        path = tmp_path / name
        nobody = GERMAN.present.people[:0]
        nobody.to_csv(path, index=False) if name == "in.csv" else nobody.to_parquet(path)
        done = run(tmp_path / "out.csv", people_in_file(path, GERMAN.schema))
        assert done.complete and done.people == 0
        assert pd.read_csv(tmp_path / "out.csv").empty


def test_the_manifest_says_what_is_computed(tmp_path):
    run(tmp_path / "out.csv", resume=True, cancel=stopping_after(9))
    manifest = json.loads((tmp_path / "out.csv.parts" / "manifest.json").read_text())
    assert manifest["version"] == "1.0" and manifest["dataset"] == "german"
    assert manifest["sha256 of the people"] == PEOPLE.digest and manifest["radii"] == 0.1
    assert "applicant" not in manifest
