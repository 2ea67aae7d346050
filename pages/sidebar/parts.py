"""Which parts of the settings a change leaves as they are on the screen.

Who moves a control sees it moved: the browser has done that. To draw all settings again took a
third of every reaction, so a part is drawn again only where something else in it is to be read or
set.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import STORIED
from dirrac_core.errors import DirracError
from dirrac_core.recourse.kinds.alternatives import SAFEST
from pages.shared import computing, state

HISTORY, FUTURES, RADIUS, COMPONENTS, EFFORT, MORE = PARTS = (
    *("history", "futures", "radius", "components", "effort", "more settings"),
)
# The groups of settings in the last part, and the key of those that are open.
DETAILS, EVIDENCE, REALISM, ADVANCED, SHARE = GROUPS = (
    *("More on the futures", "Choose ρ", "Realism", "Advanced", "Share"),
)
OPEN = "open settings"
# Fields that a part shows in a widget of their own and nowhere else, by the key of the widget.
OWN = {
    FUTURES: {"set futures": "futures"},
    RADIUS: {"set radii": "radii"},
    EFFORT: {"set delta_add": "delta_add"},
    MORE: {f"set {field}": field for field in ("link", "radius_unit", "training_size")},
}
_DRAWN = "settings as drawn"


@dataclass(frozen=True)
class Drawn:
    """All that a part was drawn from."""

    scenario: Scenario
    history: tuple[bool, bool]
    opened: tuple[str, ...]


def note_drawn(part: str) -> None:
    """The part shows the present settings."""
    st.session_state[_DRAWN] = {**st.session_state[_DRAWN], part: _now()}


def forget_drawn() -> None:
    """A whole page begins."""
    st.session_state[_DRAWN] = {}


def all_drawn() -> bool:
    """Whether the whole page has every part."""
    return set(st.session_state[_DRAWN]) == set(PARTS)


def _now() -> Drawn:
    history = (state.can_undo(), state.can_redo())
    return Drawn(state.current(), history, tuple(st.session_state.get(OPEN, ())))


def out_of_date() -> list[str]:
    """The parts that do not show the present settings; for a callback."""
    drawn, now = st.session_state[_DRAWN], _now()
    return [part for part in PARTS if _is_moved(part) or not SAYS_THE_SAME[part](drawn[part], now)]


def _is_moved(part: str) -> bool:
    """Whether a widget of the part stands elsewhere than it should: somebody pressed “Undo”."""
    session, scenario = st.session_state, state.current()
    return any(
        key in session and session[key] != getattr(scenario, field)
        for key, field in OWN.get(part, {}).items()
    )


def _history(drawn: Drawn, now: Drawn) -> bool:
    return drawn.history == now.history


def _futures(drawn: Drawn, now: Drawn) -> bool:
    old, new = drawn.scenario, now.scenario
    return old.shifts == new.shifts and (not new.shifts or old.futures == new.futures)


def _radius(drawn: Drawn, now: Drawn) -> bool:
    old, new = drawn.scenario, now.scenario
    if _of_no_plan(old) != _of_no_plan(new):
        return False
    if isinstance(old.radii, tuple) or isinstance(new.radii, tuple):
        return old.radii == new.radii
    try:
        # It is the same, but not what is said of it where ρ goes beyond.
        ceiling = computing.radius_ceiling(new)
    except DirracError:
        return False
    return (old.radii > ceiling) == (new.radii > ceiling)


def _components(drawn: Drawn, now: Drawn) -> bool:
    old, new = (_of_no_plan(each.scenario) for each in (drawn, now))
    unsaid: tuple[str, ...] = ("link", "radius_unit", "preset", "edits")
    if new.futures in STORIED:
        # As many as there are stories, however many people each model is trained on.
        unsaid += ("training_size",)
    several = [isinstance(each.scenario.radii, tuple) for each in (drawn, now)]
    same = replace(old, **{field: getattr(new, field) for field in unsaid}) == new
    return same and several[0] == several[1]


def _effort(drawn: Drawn, now: Drawn) -> bool:
    return True


def _more(drawn: Drawn, now: Drawn) -> bool:
    opened = set(now.opened)
    # The choice of ρ speaks of all settings, and of a run that may have begun; so does the address.
    if drawn.opened != now.opened or opened & {EVIDENCE, SHARE}:
        return False
    if opened & {REALISM, ADVANCED}:
        return _apart_from_walked(drawn.scenario) == _apart_from_walked(now.scenario)
    # The paper's models have a size of their own, which is not set.
    sizes = [each.scenario.futures != "paper" for each in (drawn, now)]
    return DETAILS not in opened or sizes[0] == sizes[1]


SAYS_THE_SAME: dict[str, Callable[[Drawn, Drawn], bool]] = {
    HISTORY: _history,
    FUTURES: _futures,
    RADIUS: _radius,
    COMPONENTS: _components,
    EFFORT: _effort,
    MORE: _more,
}


def _apart_from_walked(scenario: Scenario) -> Scenario:
    return replace(scenario, radii=0.0, delta_add=0.0)


def _of_no_plan(scenario: Scenario) -> Scenario:
    """The same settings whatever ρ and effort are, and whichever plan of the menu is chosen."""
    return replace(_apart_from_walked(scenario), plan_kind=SAFEST, level=None)
