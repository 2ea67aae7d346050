"""The guided tour: ten steps for a class, each a link to a page in an exact state."""

import streamlit as st

from pages.shared.lecture import choose_step, is_lecture, predicted, speaker_notes
from pages.shift_lab.tour_pictures import Stop, draw_stop

TOUR = "Guided tour"
_STEP = "tour"
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
        "stand a worst case, an assumption and an observation, and the worst case is the largest "
        "of the three numbers.",
        "Which of the three would you tell the applicant, and why not simply the smallest?",
        predict="Of a worst case, an assumption and an observation about the same plan, which "
        "number will be the largest?",
        notes="Let three people argue for one number each. The worst case covers every "
        "distribution with this mean and scatter; the Gaussian figure assumes a shape; "
        "the observation is a count. None of them is wrong.",
    ),
    Stop(
        "Today's line is not tomorrow's",
        "shift_lab",
        COVARIANCE,
        "People with the unfavourable outcome have spread, and all later boundaries have moved "
        "away from the dashed line of today. More than half of the later models decline DiRRAc's "
        "plans; none declines ROAR's, which cost more than twice the effort.",
        "What would one have had to know beforehand to make a plan that survives and is cheap?",
        predict="People with the unfavourable outcome spread. Which plans are still accepted: "
        "those made just good enough for today, or those made with a large margin?",
        notes="Ten people, ten models trained after the shift. ROAR is not cleverer here: at "
        "its usual setting it goes further, and distance helps.",
    ),
    Stop(
        "The same shift, declared",
        "shift_lab",
        {**COVARIANCE, "lab_prepared": "the three kinds of shift", "lab_rho": "0.25"},
        "The plans were prepared for the three kinds of shift with ρ = 0.25, so what came lies "
        "inside what was declared: the promise covers it, and no more models decline than it "
        "says. They take about a tenth more effort than before.",
        "Open this step and drag ρ down to 0.1. The plans hardly change; what does?",
        predict="What if the plans had been prepared for such shifts? How much more effort would "
        "that take: a tenth, half, twice?",
        notes="Declaring a shift changes the direction of the plan more than its length.",
    ),
    Stop(
        "The shape of what is allowed",
        "geometry",
        SYNTHETIC,
        "The shaded set holds every plan within the budget that all three components accept with "
        "the doubt taken off. The plan is not at its nearest point: there, in the worst case, "
        "nearly every future model would decline.",
        "Where would you put the plan if effort were all that counts?",
        predict="Where in the shaded set is the best plan: at the point nearest to the applicant?",
        notes="At the nearest point m = r for some component, so its robust score is 0.",
    ),
    Stop(
        "More doubt, less room",
        "geometry",
        {**SYNTHETIC, "view": "Animate ρ"},
        "Open this step and press Play. With ρ the curves move away from their dashed lines, and "
        "the cheapest plan costs more and more.",
        "Can ρ be so large that nothing is left, and what would that mean?",
        predict="ρ grows. Does the allowed set grow or shrink, and does the cheapest plan cost "
        "more or less?",
        notes="There is a ρ at which nothing is left: the ceiling. Learn computes it.",
    ),
    Stop(
        "An algorithm that goes downhill",
        "geometry",
        {**SYNTHETIC, "view": "Algorithm 1, step by step"},
        "Open this step and press “Step on”: every step of the paper's algorithm lowers the worst "
        "case, and it ends at a plan the certified solver cannot beat by 1 in 1,000.",
        "How could one know that it has arrived, without the other solver?",
        predict="Can going downhill get stuck in a place that is not the best?",
        notes="In general yes; for one component no, because every better set is convex. A "
        "certificate answers for this case.",
    ),
    Stop(
        "One plan, two numbers",
        "learn",
        {**GERMAN, "k": "1", "formulas": "true"},
        "Open this step and switch “They may follow” on the left between any distribution and "
        "Gaussian. With one component the plan stays the same to the last digit, and only the "
        "number next to it changes.",
        "Sections 3 and 4 hold the reason. Who finds it?",
        predict="Switch the assumption from any distribution to Gaussian. Does the plan change?",
        notes="Both links fall with the same score a, so with K = 1 the best plan is the same.",
    ),
    Stop(
        "What lasting costs",
        "frontier",
        {**GERMAN, "against": "worst case"},
        "Every mark is a plan: further right costs more, further down promises more. Along "
        "DiRRAc's steps extra effort never makes the worst case worse.",
        "Open this step and switch to the observed count. Does more effort still never hurt?",
        predict="Does spending more effort always buy a better promise? And a better observed "
        "count?",
        notes="The worst case can only fall along DiRRAc's frontier. The count is about models "
        "nobody promised anything about.",
    ),
    Stop(
        "The trap",
        "recourse",
        TRAP,
        "With effort enough to change a category, the plan moves to “no account”. At most 3 in "
        "100 fail, it promises, and yet most models trained after the correction of the data "
        "decline it.",
        "The proof is right and the plan fails. Who made the mistake?",
        predict="The promise says at most 3 of 100 decline. How many of the models trained after "
        "the data were corrected decline it?",
        notes="This is the heart of the lesson: a proof is about the futures that were "
        "declared. The old file had the names of the account codes wrong.",
    ),
    Stop(
        "Asking the better question",
        "future_models",
        {**TRAP, "shifts": "sampling-noise;coding-correction:1.0"},
        "Declared: the coding may be corrected. The plan no longer needs the account; its "
        "worst case is higher, and hardly any later model declines it.",
        "Which shift would you declare for a model you know?",
        predict="Declare that the coding may be corrected. Will the promise look better or worse, "
        "and the plan?",
        notes="A weaker number that keeps its word is worth more than a strong one that does not.",
    ),
)


def show_tour() -> None:
    """One step at a time: a question, then what is to be seen, then what to ask the class."""
    if not is_lecture():
        st.markdown(
            "Ten steps for a lesson. Let the class predict, then reveal. Each link opens the app "
            "in its own tab, in the exact state the step speaks about."
        )
    screen, controls = st.container(border=not is_lecture()), st.container()
    with controls:
        number = choose_step(_STEP, len(STOPS))
    with screen:
        _stop(number)
    if not is_lecture():
        with st.expander("All ten steps"):
            st.markdown(
                "\n".join(f"{place}. [{stop.title}]({stop.address})" for place, stop in _numbered())
            )


def _numbered() -> list[tuple[int, Stop]]:
    return list(enumerate(STOPS, start=1))


def _stop(number: int) -> None:
    stop = STOPS[number - 1]
    st.markdown(f"### {number} · {stop.title}")
    if predicted(_STEP, number, stop.predict):
        draw_stop(stop)
        st.markdown(f"**Look.** {stop.look}")
        st.markdown(f"**Ask the class.** {stop.ask}")
        speaker_notes(stop.notes)
    st.link_button("Open this step", stop.address, icon=":material/open_in_new:", type="primary")
