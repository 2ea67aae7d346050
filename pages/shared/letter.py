"""The plan as files to hand over: a printable letter and a table. Pure functions, no page."""

import datetime
import html
from collections.abc import Iterable

import pandas as pd

from dirrac_core.appraisal import Facts
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.figures.wording import joined
from dirrac_core.scenario import Case, Solution
from pages.shared import wording

_STYLE = """
@page { size: A4; margin: 18mm }
body { font: 11pt/1.45 Georgia, "Times New Roman", serif; color: #1d2328; background: #fff;
       max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 17pt; margin: 0 0 .2rem } h2 { font-size: 12pt; margin: 1.1rem 0 .3rem }
p, ul { margin: .3rem 0 } .plan { font-size: 13pt; margin: .6rem 0; font-weight: bold }
.quiet { color: #4b545b; font-size: 9.5pt } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #c9ced2;
         vertical-align: top } td.n { white-space: nowrap } dt { font-weight: bold }
dd { margin: 0 0 .35rem 0 } .changed td { font-weight: bold }
"""


def letter(solution: Solution, facts: Facts, link: str, today: datetime.date) -> str:
    """A one-page letter in HTML without any outside resource; every text is escaped."""
    case, plan = solution.case, solution.real.plan
    if plan.x is None:
        message = "A letter needs a plan"
        raise ValueError(message)
    schema = case.dataset.schema
    decision = "accepted" if case.accepted_today(case.x0) else "declined"
    title = f"{wording.applicant_name(case.scenario.applicant)}: what would change the decision"
    assumed = " if Gaussian" if case.scenario.link == "gaussian" else ""
    beyond = (
        " More than the guarantee allows: the real shift went beyond the conditions below."
        if facts.declined > facts.guarantee * len(facts.observed)
        else ""
    )
    rows = "\n".join(_letter_row(case, *row) for row in _rows(solution))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{_e(title)}</title>
<style>{_STYLE}</style></head><body>
<h1>{_e(title)}</h1>
<p class="quiet">{_e(case.dataset.title)} · {today:%d %B %Y} · today: {decision}</p>
<p class="plan">{_e(schema.sentence(case.x0, plan.x))}</p>
<table><thead><tr><th>Feature</th><th>Now</th><th>Plan</th></tr></thead>
<tbody>
{rows}
</tbody></table>
<h2>How well this lasts when the model is trained again</h2>
<dl>
<dt>Guarantee: {_e(wording.at_most(facts.guarantee))} future models decline it</dt>
<dd>in the worst case, for every distribution of future models within the radius of doubt.</dd>
<dt>Assumption: {_e(wording.at_most(facts.if_gaussian))} decline it</dt>
<dd>if the future models also scatter like a bell curve (Gaussian).</dd>
<dt>Observed: {facts.declined} of {len(facts.observed)} declined it</dt>
<dd>{_e(case.bundle.future.source)} A count, not a promise.{beyond}</dd>
</dl>
<h2>The promise holds under these conditions</h2>
<ul>
{_listed(conditions(solution))}
</ul>
<p class="quiet">Effort {wording.amount(plan.cost)} of at most {wording.amount(plan.delta)}; the
cheapest valid plan needs {wording.amount(plan.delta_min)}. Proven: no plan within this effort can
promise fewer than {wording.no_fewer(plan.lower_bound)}{assumed}. The screen behind this
letter:<br>{_e(link)}</p>
</body></html>
"""


def conditions(solution: Solution) -> list[str]:
    """What must hold for the promise to hold, in plain sentences."""
    case, scenario = solution.case, solution.case.scenario
    radii = sorted({float(radius) for radius in case.problem.radii})
    rho = f"{radii[0]:g}" if len(radii) == 1 else f"{radii[0]:g} to {radii[-1]:g}"
    k = case.problem.mixture.components
    kinds = "one kind of future model" if k == 1 else f"{k} kinds of future models"
    source = "re-trainings on today's data show"
    if case.declared is not None:
        source = f"these declared shifts lead to: {joined(list(case.declared.labels))}"
    weights = {
        "nominal": "Each kind is as likely as estimated.",
        "ball": "How likely each kind is may differ from the estimate by "
        f"{scenario.weight_radius:g} ({scenario.divergence} divergence).",
        "worst-component": "It does not matter how likely each kind is.",
    }
    told = [
        "All values stated in the plan are reached, and everything else stays as it is.",
        "The future model is linear in these features"
        + (", as an approximation of the network near this applicant." if case.surrogate else "."),
        f"Its weights come from {kinds}, whose average and spread lie within ρ = {rho} (Gelbrich "
        f"distance) of what {source}.",
    ]
    if k > 1:
        told.append(weights[scenario.weighting])
    told.append(
        "A change of another kind, such as new features or a new rule of decision, is not covered."
    )
    return told


def plan_csv(solution: Solution) -> str:
    """Feature, unit, now, plan and whether it changes; no cell can act as a formula."""
    schema = solution.case.dataset.schema
    rows = [
        (name, schema.feature(name).unit, now, then, "yes" if changed else "no")
        for name, now, then, changed in _rows(solution)
    ]
    return safe_csv(pd.DataFrame(rows, columns=["feature", "unit", "now", "plan", "changed"]))


def _rows(solution: Solution) -> list[tuple[str, float | str, float | str, bool]]:
    case, plan = solution.case, solution.real.plan
    schema = case.dataset.schema
    assert plan.x is not None
    changed = {change.feature for change in schema.describe_change(case.x0, plan.x)}
    now, then = schema.decode(case.x0), schema.decode(plan.x)
    return [(f.name, now[f.name], then[f.name], f.name in changed) for f in schema.features]


def _letter_row(case: Case, name: str, now: float | str, then: float | str, changed: bool) -> str:
    schema = case.dataset.schema
    after = schema.format_value(name, then) if changed else "as it is"
    mark = ' class="changed"' if changed else ""
    return (
        f"<tr{mark}><td>{_e(name)}</td><td>{_e(schema.format_value(name, now))}</td>"
        f"<td>{_e(after)}</td></tr>"
    )


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"<li>{_e(sentence)}</li>" for sentence in sentences)


def _e(text: str) -> str:
    return html.escape(text, quote=True)
