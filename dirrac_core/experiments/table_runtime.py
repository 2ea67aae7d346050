"""The table of run times: seconds a plan, one applicant after another on one core."""

from dataclasses import replace

import pandas as pd

from dirrac_core.baselines import Wachter
from dirrac_core.evaluation import describe
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.bench import Bench, Variants, compete, our_bench
from dirrac_core.experiments.experiment import OURS, Experiment, Settings
from dirrac_core.experiments.protocol import Unruled, protocol_bench
from dirrac_core.experiments.published import published
from dirrac_core.experiments.tables_linear import actionable_recourse, dirrac, roar

# Timing needs few people.
TIMED = 20


def timed(bench: Bench) -> list[Variants]:
    """The methods of the paper's table."""
    wachter = Wachter(bench.current)
    return [
        actionable_recourse(bench),
        (wachter if bench.source == OURS else Unruled(wachter, bench.current, bench.binary),),
        *roar(bench),
        *dirrac(bench, bench.mixture()),
    ]


def runtime(settings: Settings, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """One row a source, dataset and method: `n` applicants, mean `seconds` and their spread."""
    people = min(TIMED, settings.applicants or TIMED)
    alone = replace(settings, applicants=people, jobs=1)
    printed = published("runtime")
    datasets = list(dict.fromkeys(printed["dataset"]))
    benches = [
        bench
        for name in datasets
        for bench in (protocol_bench(name, 0, alone, "free"), our_bench(name, alone, "free"))
    ]
    rows = []
    complete = True
    for index, bench in enumerate(benches):
        words = f"{bench.dataset}, {bench.source}"

        def tell(part: float, _: str, index: int = index, words: str = words) -> None:
            progress((index + part) / len(benches), words)

        # The first plan of a process pays for what is loaded then.
        compete(replace(bench, applicants=bench.applicants[:1]), timed(bench), alone, tell, cancel)
        found = compete(bench, timed(bench), alone, tell, cancel)
        if found is None:
            complete = False
            break
        for method, measured in found:
            told = describe(measured)
            rows.append(
                {
                    "source": bench.source,
                    "dataset": bench.dataset,
                    "method": method.name,
                    "n": told["n"],
                    "seconds": told["seconds"],
                    "seconds_spread": told["seconds_spread"],
                }
            )
    frame = pd.concat([printed, pd.DataFrame(rows)], ignore_index=True)
    frame.attrs["complete"] = complete
    return frame


EXPERIMENTS = (
    Experiment(
        name="runtime",
        kind="table",
        title="Seconds a plan",
        place="Table 11",
        about="Wachter is the fastest, and DiRRAc takes a fifth to a third of a second a plan.",
        difference=(
            "Other machines and other solvers: ours calls the cone solver directly, with the "
            "data of a problem built once, and its times include the proof; the published one "
            "solves each projection as a mixed-integer program."
        ),
        compute=runtime,
    ),
)
