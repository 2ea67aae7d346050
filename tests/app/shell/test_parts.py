"""A part of the settings that is left as it is on the screen would be drawn the same."""

from dataclasses import replace

import pytest
from screen import ready

from dirrac_core.data.actionability import FeatureRule
from dirrac_core.models.futures.shift import Shift
from dirrac_core.recourse.kinds.alternatives import AT_MOST, SPARING
from pages.sidebar import parts
from pages.sidebar.parts import ADVANCED, DETAILS, REALISM, Drawn

# What is where a widget stands, as the browser itself has it, and not what the widget is.
POSITION = ("value", "set_value", "raw_value", "raw_values", "default")
CHANGES = {
    "ρ": {"radii": 0.3},
    "ρ beyond the ceiling": {"radii": 9.0},
    "ρ of each": {"radii": (0.1,) * 7},
    "effort": {"delta_add": 0.9},
    "link": {"link": "gaussian"},
    "unit": {"radius_unit": "weights", "radii": 0.1},
    "training size": {"training_size": 400},
    "futures": {"futures": "sampling"},
    "K": {"futures": "sampling", "components": 3},
    "K by the elbow": {"futures": "sampling", "components": "auto"},
    "the paper's": {"futures": "paper", "components": "auto", "radius_unit": "weights"},
    "declared besides": {"shifts": (Shift("sampling-noise"),)},
    "declared instead": {"futures": "sampling", "shifts": (Shift("sampling-noise"),)},
    "another plan": {"plan_kind": SPARING},
    "a level": {"plan_kind": AT_MOST, "level": 0.2},
    "what may change": {"preset": "paper"},
    "one feature": {"edits": (FeatureRule("Duration", "no"),)},
    "realism": {"plausibility": None, "widen": False},
    "rules of the domain": {"domain_rules": False},
    "cost": {"cost": "l2"},
    "weights": {"weighting": "ball"},
    "solver": {"solver": "projected_gradient"},
}


def drawn(at):
    """What each part was drawn from, and what it is."""
    settings = at.sidebar.children[1]
    seen = {}
    for number, part in enumerate(parts.PARTS):
        described = []
        for element in settings.children[number]:
            proto = type(element.proto)()
            proto.CopyFrom(element.proto)
            for field in POSITION:
                if field in proto.DESCRIPTOR.fields_by_name:
                    proto.ClearField(field)
            described.append((type(element).__name__, proto.SerializeToString(deterministic=True)))
        seen[part] = described
    return at.session_state[parts._DRAWN], seen


@pytest.mark.parametrize("opened", [(DETAILS,), (REALISM, ADVANCED)])
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_said_to_be_the_same_is_the_same(open_app, opened, change):
    at = open_app("recourse", dataset="german", v="2")
    at.session_state[parts.OPEN] = list(opened)
    before, old = drawn(ready(at.run()))
    at.session_state["scenario"] = replace(at.session_state["scenario"], **CHANGES[change])
    after, new = drawn(ready(at.run()))
    assert set(new) == set(parts.PARTS) and all(old.values())
    kept = [part for part in parts.PARTS if parts.SAYS_THE_SAME[part](before[part], after[part])]
    assert {part: old[part] for part in kept} == {part: new[part] for part in kept}


def test_what_speaks_of_everything_is_drawn_at_every_change(open_app):
    at = ready(open_app("recourse", dataset="german", v="2"))
    (scenario, history), every = (at.session_state["scenario"], (True, False)), parts.GROUPS
    other = Drawn(scenario, history, every)
    assert not parts.SAYS_THE_SAME[parts.MORE](other, other)
    assert parts.SAYS_THE_SAME[parts.HISTORY](other, other)
    assert not parts.SAYS_THE_SAME[parts.HISTORY](replace(other, history=(False, False)), other)
