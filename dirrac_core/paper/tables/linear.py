"""The tables of linear models: all methods, K, prior Σ̂, actionability, ROAR variants, run times."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pandas as pd

from dirrac_core.methods import (
    ActionableRecourse,
    Cepm,
    Roar,
    RoarAverage,
    RoarEnsemble,
    RoarPublished,
    RoarSettings,
    Wachter,
)
from dirrac_core.models.estimate import PAPER_COMPONENTS, prior_mixture
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.paper.bench import DELTA_ADD, RADIUS, Bench, Variants, compete, our_bench
from dirrac_core.paper.comparison import bench_part, protocol_and_ours
from dirrac_core.paper.experiment import (
    OURS,
    PRESET,
    PROTOCOL,
    REAL,
    Part,
    Settings,
    in_turn,
    marked,
)
from dirrac_core.paper.protocol import (
    AR_GRID,
    REACH,
    STUDENT_DELTA_ADD,
    Unruled,
    protocol_bench,
)
from dirrac_core.paper.published import published
from dirrac_core.paper.published_solver import PublishedDirrac
from dirrac_core.parallel import by_worker, has_own_workers
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.studies import describe

# ROAR's λ, the largest (cheapest plans) first; the paper takes the one that maximises M1.
LAMBDAS = (0.2, 0.1, 0.05, 0.02, 0.01)
# The paper's prior: Σ̂ = τI.
TAU = 0.1
# ROAR-Avg solves a hundred problems for each person; timing needs few people.
ENSEMBLE_APPLICANTS, TIMED = 10, 20


def dirrac(bench: Bench, mixture: ParameterMixture) -> list[Variants]:
    """DiRRAc and Gaussian DiRRAc: certified in our benches, as published in the others."""
    if bench.source == OURS:
        ours = bench.dirrac(mixture)
        return [(ours,), (replace(ours, link="gaussian"),)]
    theirs = PublishedDirrac(bench.current, mixture, bench.binary, RADIUS, DELTA_ADD)
    student = replace(theirs, delta_add=STUDENT_DELTA_ADD)
    gaussian = replace(theirs, link="gaussian")
    return [
        (Unruled(student if bench.dataset == "student" else theirs, bench.current),),
        (Unruled(gaussian, bench.current),),
    ]


def actionable_recourse(bench: Bench) -> Variants:
    """AR on the grid of the data, or without the box."""
    if bench.source == OURS:
        return (ActionableRecourse(bench.current, bench.people),)
    wide = ActionableRecourse(bench.current, bench.people, grid=AR_GRID)
    return (Unruled(wide, bench.current, held=bench.binary, reach=REACH),)


def roar(bench: Bench) -> list[Variants]:
    """ROAR over λ by its published optimiser, and solved exactly where the rules are ours."""
    settings = [RoarSettings(lam=lam) for lam in LAMBDAS]
    descents = [RoarPublished(bench.current, chosen) for chosen in settings]
    if bench.source == OURS:
        return [descents, [Roar(bench.current, chosen) for chosen in settings]]
    return [[Unruled(descent, bench.current) for descent in descents]]


def wachter(bench: Bench) -> Variants:
    """Wachter, who leaves categories alone without our rules."""
    method = Wachter(bench.current)
    return (method if bench.source == OURS else Unruled(method, bench.current, bench.binary),)


def linear(bench: Bench) -> list[Variants]:
    """Everybody in Table 1."""
    return [
        actionable_recourse(bench),
        wachter(bench),
        (Cepm(bench.current, bench.people, seed=bench.seed),),
        *roar(bench),
        *dirrac(bench, bench.mixture()),
    ]


def components(bench: Bench) -> list[Variants]:
    """DiRRAc with the paper's number of components."""
    return dirrac(bench, bench.mixture(PAPER_COMPONENTS[bench.dataset]))


def components_table(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """The comparison with `components`, the requested K."""
    rows = protocol_and_ours("components", components)(settings, progress, cancel)
    rows.insert(4, "components", rows["dataset"].map(dict(PAPER_COMPONENTS)))
    return rows


def prior(bench: Bench) -> list[Variants]:
    """ROAR, and DiRRAc that knows today's model only."""
    return [*roar(bench), *dirrac(bench, prior_mixture(bench.current.theta, TAU))]


def actionability(bench: Bench) -> list[Variants]:
    """AR and DiRRAc."""
    return [actionable_recourse(bench), *dirrac(bench, bench.mixture())]


def roar_ensembles(bench: Bench) -> list[Variants]:
    """ROAR as published and exact, against the worst of many models, averaged, and DiRRAc."""
    settings = [RoarSettings(lam=lam) for lam in LAMBDAS]
    return [
        *roar(bench),
        [RoarEnsemble(bench.current, bench.parameters, chosen) for chosen in settings],
        [RoarAverage(bench.current, bench.parameters, chosen) for chosen in settings],
        *dirrac(bench, bench.mixture()),
    ]


def ensemble_parts(settings: Settings) -> dict[str, Part]:
    """ROAR's variants on our benches."""
    asked = settings.at_most(ENSEMBLE_APPLICANTS)
    return {
        name: partial(bench_part, partial(our_bench, name, asked, PRESET), roar_ensembles, asked)
        for name in REAL
    }


def timed(bench: Bench) -> list[Variants]:
    """The methods of the paper's table of run times."""
    return [
        actionable_recourse(bench),
        wachter(bench),
        *roar(bench),
        *dirrac(bench, bench.mixture()),
    ]


def runtime(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """One row per source, dataset and method: `n` applicants, mean `seconds` and their spread."""
    alone = replace(settings, applicants=min(TIMED, settings.applicants or TIMED), jobs=1)
    printed = published("runtime")
    parts: dict[str, Part] = {}
    for name in dict.fromkeys(printed["dataset"]):
        theirs = partial(protocol_bench, name, 0, alone, PRESET)
        ours = partial(our_bench, name, alone, PRESET)
        for source, make in ((PROTOCOL, theirs), (OURS, ours)):
            parts[f"{name}, {source}"] = partial(_timed_part, make, alone, settings.jobs)
    found = in_turn(parts, progress, cancel)
    return marked(pd.concat([printed, found], ignore_index=True), found.attrs["complete"])


def _timed_part(
    make: Callable[[], Bench],
    settings: Settings,
    jobs: int | None,
    progress: Progress,
    cancel: Cancel,
) -> pd.DataFrame:
    """In a worker of one's own, where there is one: beside pages the times would be theirs too."""
    if not has_own_workers(jobs):
        return _seconds(make, settings, progress, cancel)
    progress(0.0, "timing one plan after the other")
    rows = by_worker(partial(_seconds, make, settings, no_progress, never), jobs, cancel)
    return marked(pd.DataFrame(), False) if rows is None else rows


def _seconds(
    make: Callable[[], Bench], settings: Settings, progress: Progress, cancel: Cancel
) -> pd.DataFrame:
    bench = make()
    # The first plan of a process pays for what is loaded then.
    first = replace(bench, applicants=bench.applicants[:1])
    compete(first, timed(bench), settings, progress, cancel)
    found = compete(bench, timed(bench), settings, progress, cancel)
    rows = [
        {"source": bench.source, "dataset": bench.dataset, "method": method.name}
        | {name: measures[name] for name in ("n", "seconds", "seconds_spread")}
        for method, measured in found or []
        for measures in [describe(measured)]
    ]
    return marked(pd.DataFrame(rows), found is not None)
