"""A scenario as a short, readable link and back; a bad link keeps what is valid in it.

A link carries `v=2` and lists only what differs from the settings a dataset starts with. One
without `v` was written by version 1.0.0: what it does not mention takes the defaults of that time.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from dirrac_core import load_dataset
from dirrac_core.arrays import checked_choice
from dirrac_core.case.case import bundle_of
from dirrac_core.case.futures import shifts_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import STORIED
from dirrac_core.data.actionability import FeatureRule, edited_rules
from dirrac_core.data.rule_rows import check_rules_fit
from dirrac_core.data.upload.visitor_tables import is_table_name
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import MODELS
from pages.shared.address.declaration import LECTURE
from pages.shared.address.parameters import NAMES, PARAMETERS, Parameter, read_edit, write_edit
from pages.shared.address.shift_links import MOST_RADIUS, read_shifts, write_shifts
from pages.shared.defaults import (
    LOGISTIC,
    first_declined,
    offered_futures,
    paper_settings,
    usual_scenario,
    usual_settings,
)
from pages.shared.navigation import PAGES

VERSION = "2"
# The largest values the controls offer; a link may not go beyond them.
MOST = {"delta_add": 3.0, "weight_radius": 1.0, "training_size": 1_000_000, "cut_off": 20.0}
MOST_RADII = {"weights": MOST_RADIUS, "deviations": 10.0}
# The least and the most effort of one feature, 1 being the usual.
EFFORTS = (0.1, 100.0)
# The smallest gap offered; a smaller one only costs time.
SMALLEST_GAP = 1e-6
LONGEST_NUMBER, LONGEST_PARAMETER = 20, 300
UPLOAD_AGAIN = (
    "this table is not open here, because a table is never shared and is forgotten when the "
    "browser is closed or reloaded. Upload the same file with the same settings on the page “Your "
    "data”, and this link opens."
)
# The filters of the finder, which is on every page about an applicant.
FILTERS = "only"
# Parameters in the address that belong to a page and not to the scenario.
# Lecture mode stays on from one teaching page to the next.
PAGE_PARAMETERS = (FILTERS, LECTURE, *(name for page in PAGES.values() for name in page.parameters))


def to_query(scenario: Scenario) -> dict[str, str]:
    """Version, dataset and applicant always; of the rest only what differs from the usual."""
    query = {"v": VERSION, "dataset": scenario.dataset, "applicant": str(scenario.applicant)}
    usual = usual_settings(scenario.dataset, scenario.model)
    for parameter in PARAMETERS:
        value = getattr(scenario, parameter.field)
        if value != getattr(usual, parameter.field):
            query[parameter.name] = parameter.write(value)
    if scenario.model != LOGISTIC:
        query["model"] = scenario.model
    if scenario.edits:
        query["may"] = ";".join(write_edit(edit) for edit in scenario.edits)
    if scenario.shifts:
        query["shifts"] = write_shifts(scenario.shifts)
    return query


def from_query(
    query: Mapping[str, str], start: Scenario, own_tables: Collection[str] = ()
) -> tuple[Scenario, list[str]]:
    """The scenario a link describes, and a sentence for every part of it that was ignored.

    What the link does not mention takes the default of the link's version, `start` giving the
    dataset and applicant. A link into a table that is none of `own_tables` is ignored as a whole.
    """
    ignored: list[str] = []
    if is_foreign_table(query, own_tables):
        return start, [f"dataset = {query['dataset']}: {UPLOAD_AGAIN}"]
    dataset, applicant = start.dataset, start.applicant
    if "dataset" in query:
        try:
            first = first_declined(query["dataset"])
        except InvalidInput as problem:
            ignored.append(_describe("dataset", query["dataset"], problem))
        else:
            dataset, applicant = first.dataset, first.applicant
    model = query.get("model", LOGISTIC)
    if model not in MODELS:
        model = LOGISTIC
    if is_of_version_1(query):
        # ρ = 0.1 is the default of logistic weights; the slopes of a network have their own.
        scenario = Scenario(dataset, applicant, radii=paper_settings(model)["radii"])
    else:
        scenario = usual_scenario(dataset, applicant, model)
    if query.get("v", VERSION) != VERSION:
        ignored.append(f"v = {query['v']}: the version of an address is {VERSION}.")
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


def address_of(page: str, query: Mapping[str, str]) -> str:
    """A page in this state, as a link from any page of the app and as this version writes it."""
    if is_of_version_1(query):
        scenario, _ = from_query(query, first_declined(query["dataset"]))
        own = {name: query[name] for name in query if name not in NAMES}
        query = to_query(scenario) | own
    return f"{page}?{urlencode(query)}"


def is_of_version_1(query: Mapping[str, str]) -> bool:
    """Whether version 1.0.0 wrote this link: it has settings and no version."""
    return "v" not in query and any(name in query for name in NAMES)


def is_foreign_table(query: Mapping[str, str], own_tables: Collection[str]) -> bool:
    """Whether a link is about a table that this visitor has not uploaded."""
    name = query.get("dataset")
    return is_table_name(name) and name not in own_tables


def is_unreadable(text: str) -> bool:
    """Whether a page's own parameter is beyond what its widgets can take: endless or infinite."""
    if len(text) > LONGEST_PARAMETER:
        return True
    try:
        return not math.isfinite(float(text))
    except ValueError:
        return False


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
        changed = replace(scenario, **{parameter.field: parameter.read(text)})
        _check_offered(changed, parameter.field)
    except InvalidInput as problem:
        ignored.append(_describe(parameter.name, text, problem))
        return scenario
    except ValueError:
        ignored.append(f"{parameter.name} = {text}: a number is needed.")
        return scenario
    return changed


def _check_offered(scenario: Scenario, field: str) -> None:
    """Refuse what the core would accept but the controls or the dataset do not offer."""
    value = getattr(scenario, field)
    if field == "preset":
        load_dataset(scenario.dataset).preset(value)
    if field == "rules":
        check_rules_fit(load_dataset(scenario.dataset).schema, value)
    if field == "futures":
        checked_choice("The futures", value, offered_futures(scenario.dataset, scenario.model))
    most = MOST_RADII[scenario.radius_unit] if field == "radii" else MOST.get(field)
    if most is not None and value is not None:
        largest = max(value) if isinstance(value, tuple) else value
        if largest > most:
            message = f"the control goes up to {most:g}"
            raise InvalidInput(message)
    if field == "gap" and value < SMALLEST_GAP:
        message = f"the smallest gap is {SMALLEST_GAP:g}"
        raise InvalidInput(message)
    if field == "radii" and isinstance(value, tuple):
        components = number_of_components(scenario)
        if len(value) != components:
            message = f"{components} radii are needed, one per component"
            raise InvalidInput(message)


def number_of_components(scenario: Scenario) -> int:
    """K of the chosen futures, without declared shifts."""
    if scenario.futures in STORIED:
        plain = replace(scenario, radii=0.0, shifts=())
        return len(shifts_of(plain, load_dataset(scenario.dataset)))
    estimate = bundle_of(scenario).estimate
    return 1 if estimate is None else estimate.components


def _with_edits(scenario: Scenario, text: str, ignored: list[str]) -> Scenario:
    dataset = load_dataset(scenario.dataset)
    rules: dict[str, FeatureRule] = {}
    for part in text.split(";"):
        try:
            rule = read_edit(part)
            _check_effort(rule)
            edited_rules(dataset, scenario.preset, [rule])
        except InvalidInput as problem:
            ignored.append(_describe("may", part, problem))
        except ValueError:
            ignored.append(f"may = {part}: this is not “feature:move:least:most:effort”.")
        else:
            rules[rule.feature] = rule
    return replace(scenario, edits=tuple(rules.values()))


def _check_effort(rule: FeatureRule) -> None:
    """Refuse an effort beyond what the control offers: numbers near 0 or endless break solvers."""
    least, most = EFFORTS
    if not least <= rule.effort <= most:
        message = f"the effort goes from {least:g} to {most:g}"
        raise InvalidInput(message)


def _with_shifts(scenario: Scenario, text: str, ignored: list[str]) -> Scenario:
    shifts, unread = read_shifts(load_dataset(scenario.dataset), text)
    ignored += unread
    try:
        return replace(scenario, shifts=shifts)
    except InvalidInput as problem:
        ignored.append(_describe("shifts", text, problem))
        return scenario


def _describe(name: str, text: str, problem: InvalidInput) -> str:
    return f"{name} = {text}: {problem}."
