"""A scenario as a short, readable link and back; a bad link keeps what is valid in it."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import quote, unquote

from dirrac_core import load_dataset
from dirrac_core.actionability import FeatureRule, edited_rules
from dirrac_core.data.visitor_tables import is_table_name
from dirrac_core.errors import InvalidInput
from dirrac_core.scenario import Scenario, bundle_of
from pages.shared.future_links import MOST_RADIUS, read_shifts, write_shifts

# The largest values the controls offer; a link may not go beyond them.
MOST = {"radii": MOST_RADIUS, "delta_add": 3.0, "weight_radius": 1.0}
# The smallest gap that may be asked for; a smaller one only costs time.
SMALLEST_GAP = 1e-6
LONGEST_NUMBER, LONGEST_PARAMETER = 20, 300
UPLOAD_AGAIN = (
    "this table is not open here, because a table is never shared and is forgotten when the "
    "browser is closed or reloaded. Upload the same file with the same settings on the page “Your "
    "data”, and this link opens."
)
# Parameters in the address that belong to a page and not to the scenario.
PAGE_PARAMETERS = (
    "tab",
    # Geometry: the axes, what is held, what is shown, the what-if point and the step.
    *("across", "up", "held", "view", "layers", "across_at", "up_at", "step"),
    # Frontier: who is asked, what effort is set against, and the methods beside DiRRAc.
    *("who", "against", "beside"),
    # Future models: what the cloud is looked at by.
    *("seen", "weight_across", "weight_up"),
    # Methods: for whom, which families, how many people, and the plan in detail.
    *("methods_for", "methods_shown", "methods_first", "methods_plan"),
    # Portfolio: how many people, what effort is set against, the groups and their measure.
    *("portfolio_first", "portfolio_up", "group_by", "group_measure"),
    # Shift lab: its part, the shift, what plans are prepared for, the study of real data, the tour.
    *("lab_part", "lab_kind", "lab_size", "lab_prepared", "lab_effort"),
    *("lab_dataset", "lab_setting", "tour"),
    # Paper: its part, the table or figure and its dataset, the statement and its controls.
    *("paper_part", "paper_shown", "paper_dataset"),
    *("claim", "claim_rho", "claim_k", "claim_add", "claim_of", "claim_gap"),
    *("claim_share", "lesson_add"),
    # Learn: the chapter, and whether formulas are shown.
    *("chapter", "formulas"),
)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a link: its name there, the scenario's field, and how it is read."""

    name: str
    field: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_radii(text: str) -> float | tuple[float, ...]:
    parts = [float(part) for part in text.split("_")]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _write_radii(radii: float | tuple[float, ...]) -> str:
    listed = radii if isinstance(radii, tuple) else (radii,)
    return "_".join(_short(radius) for radius in listed)


def _read_components(text: str) -> int | str:
    return "auto" if text == "auto" else int(text)


def _short(number: float) -> str:
    """The shortest text that reads back as the same number."""
    text = repr(float(number))
    return text.removesuffix(".0")


PARAMETERS = (
    Parameter("model", "model", str),
    Parameter("k", "components", _read_components),
    Parameter("assume", "link", str),
    Parameter("rho", "radii", _read_radii, _write_radii),
    Parameter("add", "delta_add", float, _short),
    Parameter("norm", "cost", str),
    Parameter("weights", "weighting", str),
    Parameter("divergence", "divergence", str),
    Parameter("eps", "weight_radius", float, _short),
    Parameter("categories", "categories", str),
    Parameter("preset", "preset", str),
    Parameter("solver", "solver", str),
    Parameter("gap", "gap", float, _short),
    Parameter("seed", "seed", int),
)
NAMES = ("dataset", "applicant", *(p.name for p in PARAMETERS), "may", "shifts")
_DEFAULTS = {field.name: field.default for field in fields(Scenario)}


def to_query(scenario: Scenario) -> dict[str, str]:
    """Dataset and applicant always; of the rest only what differs from the defaults."""
    query = {"dataset": scenario.dataset, "applicant": str(scenario.applicant)}
    for parameter in PARAMETERS:
        value = getattr(scenario, parameter.field)
        if value != _DEFAULTS[parameter.field]:
            query[parameter.name] = parameter.write(value)
    if scenario.edits:
        query["may"] = ";".join(_write_edit(edit) for edit in scenario.edits)
    if scenario.shifts:
        query["shifts"] = write_shifts(scenario.shifts)
    return query


def from_query(
    query: Mapping[str, str], start: Scenario, own_tables: Collection[str] = ()
) -> tuple[Scenario, list[str]]:
    """The scenario a link describes, and in words every part of it that was ignored.

    What the link does not mention takes its default, `start` giving the dataset and applicant.
    A link into a table that is none of `own_tables` is ignored as a whole.
    """
    ignored: list[str] = []
    if is_foreign_table(query, own_tables):
        return start, [f"dataset = {query['dataset']}: {UPLOAD_AGAIN}"]
    scenario = Scenario(start.dataset, start.applicant)
    if "dataset" in query:
        try:
            scenario = first_declined(query["dataset"])
        except InvalidInput as problem:
            ignored.append(_told("dataset", query["dataset"], problem))
    if "applicant" in query:
        scenario = _with_applicant(scenario, query["applicant"], ignored)
    for parameter in PARAMETERS:
        if parameter.name in query:
            scenario = _with_parameter(scenario, parameter, query[parameter.name], ignored)
    if query.get("may"):
        scenario = _with_edits(scenario, query["may"], ignored)
    if query.get("shifts"):
        scenario = _with_shifts(scenario, query["shifts"], ignored)
    known = (*NAMES, *PAGE_PARAMETERS)
    ignored += [
        f"{name} = {query[name]}: there is no such setting." for name in query if name not in known
    ]
    return scenario, ignored


def is_foreign_table(query: Mapping[str, str], own_tables: Collection[str]) -> bool:
    """Whether a link is about a table that this visitor has not uploaded."""
    name = query.get("dataset")
    return is_table_name(name) and name not in own_tables


def unreadable(text: str) -> bool:
    """Whether a page's own parameter is beyond what its widgets can take: endless or infinite."""
    if len(text) > LONGEST_PARAMETER:
        return True
    try:
        return not math.isfinite(float(text))
    except ValueError:
        return False


def first_declined(dataset: str) -> Scenario:
    """The default scenario of a dataset: the first person today's model declines."""
    scenario = Scenario(dataset, 0)
    declined = bundle_of(scenario).declined
    if not declined.size:
        message = "Today's model must decline somebody for there to be a plan, got nobody declined"
        raise InvalidInput(message)
    return replace(scenario, applicant=int(declined[0]))


def _with_applicant(scenario: Scenario, text: str, ignored: list[str]) -> Scenario:
    people = len(load_dataset(scenario.dataset).present)
    # Longer numbers are not even read: there is no such row.
    if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER and int(text) < people:
        return replace(scenario, applicant=int(text))
    ignored.append(f"applicant = {text}: the applicants run from 0 to {people - 1}.")
    return scenario


def _with_parameter(
    scenario: Scenario, parameter: Parameter, text: str, ignored: list[str]
) -> Scenario:
    try:
        value = parameter.read(text)
    except ValueError:
        ignored.append(f"{parameter.name} = {text}: a number is needed.")
        return scenario
    try:
        changed = replace(scenario, **{parameter.field: value})
        _check_offered(changed, parameter.field)
    except InvalidInput as problem:
        ignored.append(_told(parameter.name, text, problem))
        return scenario
    return changed


def _check_offered(scenario: Scenario, field: str) -> None:
    """Refuse what the core would accept but the controls or the dataset do not offer."""
    value = getattr(scenario, field)
    if field == "preset":
        load_dataset(scenario.dataset).preset(value)
    if field in MOST:
        largest = max(value) if isinstance(value, tuple) else value
        if largest > MOST[field]:
            message = f"the control goes up to {MOST[field]:g}"
            raise InvalidInput(message)
    if field == "gap" and value < SMALLEST_GAP:
        message = f"the smallest gap is {SMALLEST_GAP:g}"
        raise InvalidInput(message)
    if field == "radii" and isinstance(value, tuple):
        components = 1
        estimate = bundle_of(scenario).estimate
        if estimate is not None:
            components = estimate.components
        if len(value) != components:
            message = f"{components} radii are needed, one a component"
            raise InvalidInput(message)


def _with_edits(scenario: Scenario, text: str, ignored: list[str]) -> Scenario:
    dataset = load_dataset(scenario.dataset)
    rules: dict[str, FeatureRule] = {}
    for part in text.split(";"):
        try:
            rule = _read_edit(part)
            edited_rules(dataset, scenario.preset, [rule])
        except InvalidInput as problem:
            ignored.append(_told("may", part, problem))
        except ValueError:
            ignored.append(f"may = {part}: this is not “feature:move:least:most:effort”.")
        else:
            rules[rule.feature] = rule
    return replace(scenario, edits=tuple(rules.values()))


def _with_shifts(scenario: Scenario, text: str, ignored: list[str]) -> Scenario:
    shifts, unread = read_shifts(load_dataset(scenario.dataset), text)
    ignored += unread
    try:
        return replace(scenario, shifts=shifts)
    except InvalidInput as problem:
        ignored.append(_told("shifts", text, problem))
        return scenario


def _write_edit(rule: FeatureRule) -> str:
    """feature:move:least:most:effort, with trailing parts left out when they say nothing."""
    parts = [
        quote(rule.feature, safe=" "),
        rule.move,
        "" if rule.low is None else _short(rule.low),
        "" if rule.high is None else _short(rule.high),
        "" if rule.effort == 1.0 else _short(rule.effort),
    ]
    return ":".join(parts).rstrip(":")


def _read_edit(text: str) -> FeatureRule:
    name, move, low, high, effort = (text.split(":") + [""] * 3)[:5]
    return FeatureRule(
        unquote(name),
        move,
        float(low) if low else None,
        float(high) if high else None,
        float(effort) if effort else 1.0,
    )


def _told(name: str, text: str, problem: InvalidInput) -> str:
    return f"{name} = {text}: {problem}."
