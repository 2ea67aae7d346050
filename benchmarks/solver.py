"""How fast is the solver core? Prints tables; every comparison is a ratio within this run.

    python -m benchmarks.solver            all tables (a few minutes)
    python -m benchmarks.solver --quick    fewer applicants and sizes

Run it from the top folder with the project's environment (.venv/bin/python).
"""

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np

from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse, load_dataset
from dirrac_core.data import with_constant
from dirrac_core.models.bundle import prepare
from dirrac_core.solvers import Algorithm1
from dirrac_core.solvers.second_opinion import best_common_score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    applicants = 5 if quick else 15
    against_cvxpy(applicants)
    mixtures(applicants)
    categories(applicants)
    growth(quick)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nPeak memory of this run: {peak:.0f} MB")


def problems(
    name: str, components: int, count: int, preset: str = "sensible", categories: str = "relaxed"
) -> list[RecourseProblem]:
    """The first declined applicants of a dataset, with its own mixture, ρ = 0.1, δ_add = 1."""
    dataset = load_dataset(name)
    bundle = prepare(dataset, components=components)
    assert bundle.estimate is not None
    return [
        RecourseProblem(
            with_constant(dataset.present.X[row]),
            bundle.estimate.mixture,
            radii=0.1,
            delta_add=1.0,
            actions=dataset.actions(preset, x0=dataset.present.X[row]),
            categories=categories,
        )
        for row in bundle.declined[:count]
    ]


def median_seconds(
    solve: Callable[[RecourseProblem], object], cases: list[RecourseProblem]
) -> float:
    """Median seconds a case, after one warm-up; the problem's caches are not reused."""
    solve(fresh(cases[0]))
    seconds = []
    for case in cases:
        again = fresh(case)
        begin = time.perf_counter()
        solve(again)
        seconds.append(time.perf_counter() - begin)
    return float(np.median(seconds))


def fresh(problem: RecourseProblem) -> RecourseProblem:
    """The same problem without anything computed yet."""
    kept = problem.unbounded
    return RecourseProblem(
        kept.x0,
        kept.mixture,
        radii=kept.radii,
        delta_add=problem.delta_add,
        cost=kept.cost,
        link=problem.objective.link.name,
        weighting=problem.objective.weighting,
        actions=kept.actions,
        categories=kept.categories,
        margin=kept.margin,
    )


def cvxpy_projected_gradient(problem: RecourseProblem) -> float:
    """Algorithm 1 written the straightforward way: cvxpy for δ_min and for every projection."""
    import cvxpy as cp

    settings = Algorithm1()
    box, objective = problem.unbounded, problem.objective
    x, target = cp.Variable(box.x0.size), cp.Parameter(box.x0.size)
    bounds = box.bounds
    allowed = [
        x[-1] == 1,
        x[:-1] >= bounds.lower,
        x[:-1] <= bounds.upper,
        *(cp.sum(x[list(group)]) == 1 for group in box.actions.groups),
        *(
            theta @ x - rho * cp.norm(x, 2) >= box.margin
            for theta, rho in zip(box.mixture.means, box.radii, strict=True)
        ),
    ]
    cost = cp.norm1(x - box.x0)
    delta = cp.Problem(cp.Minimize(cost), allowed).solve(solver=cp.CLARABEL) + problem.delta_add
    nearest = cp.Problem(cp.Minimize(cp.sum_squares(x - target)), [*allowed, cost <= delta])

    def project(point: np.ndarray) -> np.ndarray:
        target.value = point
        nearest.solve(solver=cp.CLARABEL)
        return np.asarray(x.value)

    point = project(box.x0)
    value, gradient = objective.value_and_gradient(point)
    for _ in range(settings.iterations):
        size = settings.first_step
        candidate = project(point - size * gradient)
        if np.linalg.norm(candidate - point) / size <= settings.tolerance:
            break
        while objective.value(candidate) > value - np.sum((point - candidate) ** 2) / (2 * size):
            size *= settings.shrink
            if size < 1e-9:
                return value
            candidate = project(point - size * gradient)
        point = candidate
        value, gradient = objective.value_and_gradient(point)
    return value


def against_cvxpy(applicants: int) -> None:
    print("\n(a) One plan, K = 1, relaxed categories: median milliseconds per applicant\n")
    rows = []
    for name in ("german", "student"):
        cases = problems(name, 1, applicants)
        ours = median_seconds(find_recourse, cases)
        algorithm = median_seconds(lambda p: find_recourse(p, solver="projected_gradient"), cases)
        few = cases[: max(3, applicants // 3)]
        gradient = median_seconds(cvxpy_projected_gradient, few)
        bisection = median_seconds(lambda p: best_common_score(p.feasible_set, (0,)), few)
        times = [f"{1e3 * t:.1f}" for t in (ours, algorithm, gradient, bisection)]
        ratios = [f"1/{t / ours:.0f}" for t in (gradient, bisection)]
        rows.append([name, cases[0].x0.size, *times, *ratios])
    table(
        "dataset|D|certified|Algorithm 1|cvxpy projected gradient|cvxpy bisection"
        "|certified / projected gradient|certified / bisection",
        rows,
    )


def mixtures(applicants: int) -> None:
    print("\n(b) K = 5: to the first answer and to an asked gap\n")
    families = {
        name: (problems(name, 1, applicants), problems(name, 5, applicants))
        for name in ("german", "student")
    }
    families["far apart, D = 12"] = (
        [random_problem(11, 1, seed) for seed in range(applicants)],
        [random_problem(11, 5, seed) for seed in range(applicants)],
    )
    rows = []
    for name, (single, several) in families.items():
        base = median_seconds(find_recourse, single)
        for gap, label in ((1.0, "first answer"), (1e-3, "1e-3"), (1e-4, "1e-4")):
            plans = [find_recourse(fresh(p), gap=gap, time_limit=20.0) for p in several]
            seconds = np.array([plan.seconds for plan in plans])
            nodes, solves = (np.median([getattr(p, n) for p in plans]) for n in ("nodes", "solves"))
            reached = sum(plan.status == "optimal" for plan in plans)
            rows.append(
                [name, label, f"{1e3 * np.median(seconds):.1f}", f"{np.median(seconds) / base:.1f}"]
                + [f"{1e3 * np.percentile(seconds, 95):.0f}", f"{nodes:.0f}", f"{solves:.0f}"]
                + [f"{reached} of {len(plans)}"]
            )
    table("mixture|gap|median ms|times K = 1|95 % ms|nodes|solves|reached", rows)


def categories(applicants: int) -> None:
    print("\n(c) German, both groups of four categories free: whole against relaxed\n")
    rows = []
    for components in (1, 5):
        relaxed = median_seconds(find_recourse, problems("german", components, applicants, "free"))
        whole_cases = problems("german", components, applicants, "free", "whole")
        whole = median_seconds(find_recourse, whole_cases)
        times = [f"{1e3 * t:.1f}" for t in (relaxed, whole)]
        rows.append([components, *times, f"{whole / relaxed:.1f}"])
    table("K|relaxed ms|whole ms|whole / relaxed", rows)


def growth(quick: bool) -> None:
    print("\n(d) Growth of one plan with the columns d (K = 1) and with K (d = 11, first answer)\n")
    sizes = (10, 20, 50) if quick else (10, 20, 50, 100, 200)
    counts = (1, 2, 5) if quick else (1, 2, 3, 5, 10)
    by_size = [[random_problem(d, 1, seed) for seed in range(3)] for d in sizes]
    by_count = [[random_problem(11, k, seed) for seed in range(5)] for k in counts]
    report("d", sizes, [median_seconds(find_recourse, cases) for cases in by_size])
    first = [median_seconds(lambda p: find_recourse(p, gap=1.0), cases) for cases in by_count]
    report("K", counts, first)


def report(letter: str, sizes: tuple[int, ...], seconds: list[float]) -> None:
    exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    header = f"{letter}|{'|'.join(map(str, sizes))}|fitted exponent"
    table(header, [["ms", *(f"{1e3 * t:.1f}" for t in seconds), f"{exponent:.2f}"]])
    print()


def table(header: str, rows: list[list[object]]) -> None:
    """Print a Markdown table."""
    print(f"| {header.replace('|', ' | ')} |")
    print("|---" * (header.count("|") + 1) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")


def random_problem(d: int, components: int, seed: int) -> RecourseProblem:
    """Components whose means differ a lot: harder than re-trainings of one dataset."""
    rng = np.random.default_rng(seed)
    means = rng.normal(size=d + 1) + 0.3 * rng.normal(size=(components, d + 1))
    x0 = np.append(rng.random(d), 1.0)
    means[:, -1] -= means @ x0 + 0.4
    roots = 0.15 * rng.normal(size=(components, d + 1, d + 1)) / np.sqrt(d)
    weights = rng.dirichlet(5 * np.ones(components))
    mixture = ParameterMixture(weights, means, roots @ roots.transpose(0, 2, 1))
    box = Actions(lower=np.zeros(d), upper=np.ones(d))
    return RecourseProblem(x0, mixture, radii=0.1, delta_add=1.0, actions=box)


if __name__ == "__main__":
    main()
