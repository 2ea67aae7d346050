"""The tables of linear models: all methods, K, prior Σ̂, actionability, ROAR variants, run times."""

from collections.abc import Callable, Mapping
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
from dirrac_core.paper.comparison import Maker, bench_part, comparison
from dirrac_core.paper.experiment import (
    OURS,
    PRESET,
    PROTOCOL,
    Compute,
    Run,
    Settings,
    in_parts,
    marked,
    per_dataset,
)
from dirrac_core.paper.protocol import AR_GRID, REACH, STUDENT_DELTA_ADD, Unruled, protocol_bench
from dirrac_core.paper.published_solver import PublishedDirrac
from dirrac_core.paper.store import published
from dirrac_core.parallel import by_worker, has_own_workers

# ROAR's λ, the largest (cheapest plans) first; the paper takes the one that maximises M1.
ROAR_SETTINGS = tuple(RoarSettings(lam=lam) for lam in (0.2, 0.1, 0.05, 0.02, 0.01))
# The paper's prior: Σ̂ = τI.
TAU = 0.1
# ROAR-Avg solves a hundred problems for each person; timing needs few people.
ENSEMBLE_APPLICANTS, TIMED = 10, 20
RUNTIME_COLUMNS = ["source", "dataset", "method", "n", "seconds", "seconds_spread"]


def dirrac(bench: Bench, mixture: ParameterMixture | None = None) -> list[Variants]:
    """DiRRAc and Gaussian DiRRAc: certified in our benches, as published in the others."""
    known = bench.mixture() if mixture is None else mixture
    if bench.source == OURS:
        ours = bench.dirrac(known)
        return [(ours,), (replace(ours, link="gaussian"),)]
    theirs = PublishedDirrac(bench.current, known, bench.binary, RADIUS, DELTA_ADD)
    gaussian = replace(theirs, link="gaussian")
    if bench.dataset.name == "student":
        theirs = replace(theirs, delta_add=STUDENT_DELTA_ADD)
    return [(Unruled(method, bench.current),) for method in (theirs, gaussian)]


def dirrac_of_components(bench: Bench) -> list[Variants]:
    """DiRRAc with the paper's number of components."""
    return dirrac(bench, bench.mixture(PAPER_COMPONENTS[bench.dataset.name]))


def dirrac_of_prior(bench: Bench) -> list[Variants]:
    """DiRRAc that knows today's model only."""
    return dirrac(bench, prior_mixture(bench.current.theta, TAU))


def actionable_recourse(bench: Bench) -> list[Variants]:
    """AR on the grid of the data, or without the box."""
    if bench.source == OURS:
        return [(ActionableRecourse(bench.current, bench.people),)]
    wide = ActionableRecourse(bench.current, bench.people, grid=AR_GRID)
    return [(Unruled(wide, bench.current, held=bench.binary, reach=REACH),)]


def wachter(bench: Bench) -> list[Variants]:
    """Wachter, who leaves categories alone without our rules."""
    method = Wachter(bench.current)
    return [(method if bench.source == OURS else Unruled(method, bench.current, bench.binary),)]


def cepm(bench: Bench) -> list[Variants]:
    """CEPM, which has no settings."""
    return [(Cepm(bench.current, bench.people, seed=bench.seed),)]


def roar(bench: Bench) -> list[Variants]:
    """ROAR over λ by its published optimiser, and solved exactly where the rules are ours."""
    descents = [RoarPublished(bench.current, chosen) for chosen in ROAR_SETTINGS]
    if bench.source == OURS:
        return [descents, [Roar(bench.current, chosen) for chosen in ROAR_SETTINGS]]
    return [[Unruled(descent, bench.current) for descent in descents]]


def roar_of_many(bench: Bench) -> list[Variants]:
    """ROAR against the worst of many models, and averaged over them."""
    return [
        [method(bench.current, bench.parameters, chosen) for chosen in ROAR_SETTINGS]
        for method in (RoarEnsemble, RoarAverage)
    ]


# Who competes in each table.
COMPETITORS: Mapping[str, tuple[Callable[[Bench], list[Variants]], ...]] = {
    "linear": (actionable_recourse, wachter, cepm, roar, dirrac),
    "components": (dirrac_of_components,),
    "prior": (roar, dirrac_of_prior),
    "actionability": (actionable_recourse, dirrac),
    "roar_ensembles": (roar, roar_of_many, dirrac),
    "runtime": (actionable_recourse, wachter, roar, dirrac),
}


def competitors(table: str, bench: Bench) -> list[Variants]:
    """Everybody in one of the tables."""
    return [variants for method in COMPETITORS[table] for variants in method(bench)]


def linear_table(name: str, preset: str = PRESET) -> Compute:
    """The `compute` of one of the tables: ours, and every draw of the protocol."""

    def parts(settings: Settings) -> dict[str, Compute]:
        makers: dict[str, Maker] = {}
        for dataset in dict.fromkeys(published(name)["dataset"]):
            makers[f"{dataset}, ours"] = partial(our_bench, dataset, preset=preset)
            for draw in range(settings.draws):
                words = f"{dataset}, published protocol, draw {draw + 1} of {settings.draws}"
                makers[words] = partial(protocol_bench, dataset, draw, preset=preset)
        asked = partial(competitors, name)
        return {words: partial(bench_part, make, asked) for words, make in makers.items()}

    return comparison(name, parts)


def components_table(run: Run) -> pd.DataFrame:
    """The comparison with `components`, the requested K."""
    rows = linear_table("components")(run)
    rows.insert(4, "components", rows["dataset"].map(dict(PAPER_COMPONENTS)))
    return rows


def ensemble_rows(name: str, run: Run) -> pd.DataFrame:
    """ROAR's variants on one of our benches."""
    return bench_part(partial(our_bench, name), partial(competitors, "roar_ensembles"), run)


ensemble_table = comparison("roar_ensembles", per_dataset(ensemble_rows), ENSEMBLE_APPLICANTS)


def runtime_parts(_: Settings) -> dict[str, Compute]:
    """Every dataset by the published protocol and on our bench."""
    parts: dict[str, Compute] = {}
    for name in dict.fromkeys(published("runtime")["dataset"]):
        theirs, ours = partial(protocol_bench, name, 0), partial(our_bench, name)
        parts[f"{name}, {PROTOCOL}"] = partial(_timed, theirs)
        parts[f"{name}, {OURS}"] = partial(_timed, ours)
    return parts


def _timed(make: Maker, run: Run) -> pd.DataFrame:
    """In a worker of one's own, where there is one: beside pages the times would be theirs too."""
    jobs, settings = run.settings.jobs, run.settings
    few = min(TIMED, settings.applicants or TIMED)
    alone = replace(run, settings=replace(settings, applicants=few, jobs=1))
    if not has_own_workers(jobs):
        return _seconds(make, alone)
    run.progress(0.0, "timing one plan after the other")
    rows = by_worker(partial(_seconds, make, Run(alone.settings)), jobs, run.cancel)
    return marked(pd.DataFrame(), False) if rows is None else rows


def _seconds(make: Maker, run: Run) -> pd.DataFrame:
    bench, asked = make(run.settings), partial(competitors, "runtime")
    # The first plan of a process pays for what is loaded then.
    compete(replace(bench, applicants=bench.applicants[:1]), asked(bench), run)
    return bench_part(lambda _: bench, asked, run)


def with_published_times(found: pd.DataFrame) -> pd.DataFrame:
    """One row per source, dataset and method: `n` applicants, mean `seconds` and their spread."""
    return pd.concat([published("runtime"), found.filter(RUNTIME_COLUMNS)], ignore_index=True)


runtime_table = in_parts(runtime_parts, with_published_times)
