"""The guided tour: ten steps for a class, each a link to a page in an exact state."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from pages.shared import notices

TOUR = "Guided tour"


@dataclass(frozen=True)
class Stop:
    """One step: the page and its state, what to look at, and a question for the class."""

    title: str
    page: str
    query: Mapping[str, str]
    look: str
    ask: str

    @property
    def address(self) -> str:
        """The link of this step, from any page of the app."""
        return f"{self.page}?{urlencode(self.query)}"


GERMAN = {"dataset": "german", "applicant": "1"}
SYNTHETIC = {"dataset": "synthetic", "applicant": "0", "k": "3"}
TRAP = {**GERMAN, "k": "1", "add": "2"}
COVARIANCE = {"lab_kind": "covariance", "lab_size": "2.0", "lab_effort": "0.02"}

STOPS = (
    Stop(
        "A decline and a plan",
        "recourse",
        GERMAN,
        "A loan over 48 months was declined. The headline says what would be accepted; below it "
        "stand a guarantee, an assumption and an observation, and the guarantee is the largest of "
        "the three numbers.",
        "Which of the three would you tell the applicant, and why not simply the smallest?",
    ),
    Stop(
        "Today's line is not tomorrow's",
        "shift_lab",
        COVARIANCE,
        "People with the unfavourable outcome have spread, and all later boundaries have moved "
        "away from the dashed line of today. Fewer than half of the later models accept DiRRAc's "
        "plans; all accept ROAR's, which cost more than twice the effort.",
        "What would one have had to know beforehand to make a plan that survives and is cheap?",
    ),
    Stop(
        "The same shift, declared",
        "shift_lab",
        {**COVARIANCE, "lab_prepared": "the three kinds of shift"},
        "Only one thing is different: the plans were prepared for the three kinds of shift. Now "
        "nearly all later models accept them, for about a tenth more effort.",
        "Drag the size to 3.4. Why does even this plan begin to fail?",
    ),
    Stop(
        "The shape of what is allowed",
        "geometry",
        SYNTHETIC,
        "The shaded set holds every plan within the budget that all three components accept with "
        "the doubt taken off. The plan is not at its nearest point: there, in the worst case, "
        "nearly every future model would decline.",
        "Where would you put the plan if effort were all that counts?",
    ),
    Stop(
        "More doubt, less room",
        "geometry",
        {**SYNTHETIC, "view": "Animate ρ"},
        "Press play. With ρ the curves move away from their dashed lines, and the cheapest plan "
        "costs more and more.",
        "Can ρ be so large that nothing is left, and what would that mean?",
    ),
    Stop(
        "An algorithm that goes downhill",
        "geometry",
        {**SYNTHETIC, "view": "Algorithm 1, step by step"},
        "Press Next: every step of the paper's algorithm lowers the worst case, and it ends at a "
        "plan the certified solver cannot beat by 1 in 1,000.",
        "How could one know that it has arrived, without the other solver?",
    ),
    Stop(
        "One plan, two numbers",
        "learn",
        {**GERMAN, "k": "1", "formulas": "true"},
        "Switch “They may follow” on the left between any distribution and Gaussian. With one "
        "component the plan stays the same to the last digit, and only the number beside it "
        "changes.",
        "Sections 3 and 4 hold the reason. Who finds it?",
    ),
    Stop(
        "What lasting costs",
        "frontier",
        {**GERMAN, "against": "worst-case guarantee"},
        "Every mark is a plan: further right costs more, further up promises more. Along DiRRAc's "
        "curve no extra effort ever lowers the promise.",
        "Switch to the observed count. Does more effort still never hurt?",
    ),
    Stop(
        "The trap",
        "recourse",
        TRAP,
        "With effort enough to change a category, the plan moves to “no account”. At most 3 in "
        "100 fail, it promises, and yet most models trained after the correction of the data "
        "decline it.",
        "The proof is right and the plan fails. Who made the mistake?",
    ),
    Stop(
        "Asking the better question",
        "future_models",
        {**TRAP, "shifts": "sampling-noise;coding-correction:1.0"},
        "Declared: the coding may be corrected. The plan no longer needs the account; its "
        "guarantee is weaker, and nearly all later models accept it.",
        "Which shift would you declare for a model you know?",
    ),
)


def tour() -> None:
    """One step at a time, with the way to the others."""
    st.markdown(
        "Ten steps for a lesson. Each link opens the app in its own tab, in the exact state the "
        "step speaks about, so that these notes stay with you."
    )
    numbers = range(1, len(STOPS) + 1)
    notices.about_choices({"tour": [str(number) for number in numbers]})
    number = st.segmented_control(
        "Step",
        list(numbers),
        default=1,
        required=True,
        format_func=str,
        key="tour",
        bind="query-params",
    )
    with st.container(border=True):
        _stop(number)
    with st.container(horizontal=True):
        _go("Previous", ":material/chevron_left:", number - 1)
        _go("Next", ":material/chevron_right:", number + 1)
    with st.expander("All ten steps"):
        st.markdown(
            "\n".join(f"{place}. [{stop.title}]({stop.address})" for place, stop in _numbered())
        )


def _numbered() -> list[tuple[int, Stop]]:
    return list(enumerate(STOPS, start=1))


def _stop(number: int) -> None:
    stop = STOPS[number - 1]
    st.markdown(f"#### {number} · {stop.title}")
    st.markdown(f"**Look.** {stop.look}")
    st.markdown(f"**Ask the class.** {stop.ask}")
    st.link_button("Open this step", stop.address, icon=":material/open_in_new:", type="primary")


def _go(label: str, icon: str, number: int) -> None:
    st.button(
        label,
        icon=icon,
        disabled=not 1 <= number <= len(STOPS),
        on_click=lambda: st.session_state.update({"tour": number}),
    )
