"""Start: what robust recourse is, three ready scenarios, and the datasets."""

import streamlit as st

from dirrac_core import DATASETS, load_dataset
from dirrac_core.appraisal import plan_for_today
from dirrac_core.data.cards import DatasetCard, dataset_card
from dirrac_core.figures.axes import feature_axis
from dirrac_core.figures.recourse_idea import recourse_idea
from dirrac_core.models.bundle import PAPER_ACCURACY
from dirrac_core.scenario import Scenario
from pages.shared import computing, navigation, notices, state, wording
from pages.shared.links import first_declined
from pages.shared.pictures import picture, theme

TEACHING = Scenario("synthetic", 0, components=3)
# Title, why it is worth a look, the page it opens, and its scenario.
READY = (
    (
        "A loan applicant",
        "48 months and 5,951 DM were declined. What would be accepted, and by later models too?",
        "recourse",
        Scenario("german", 1),
    ),
    (
        "A student",
        "Which second grade would make passing likely, and does that hold at another school?",
        "recourse",
        Scenario("student", 0, delta_add=0.2),
    ),
    (
        "The teaching example",
        "Two numbers, nothing else: everything can be seen and checked by eye.",
        "geometry",
        TEACHING,
    ),
)
CARDS_IN_A_ROW = 3


def idea() -> None:
    """One picture and five sentences."""
    st.title("What to change, and how long that lasts")
    left, right = st.columns([2, 3], gap="large", vertical_alignment="center")
    with left:
        st.markdown(
            "A model declined somebody; **recourse** is what that person can change so that it "
            "says yes. The cheapest change takes them just across today's line. But models are "
            "trained again and the line moves: the person did what was asked, and is declined "
            "after all. A **robust plan** goes far enough to stay accepted by the futures that "
            "were declared possible. Every plan here says how often it can fail in the worst "
            "case, proves how close to the best possible plan it is, and shows what models "
            "trained later really decided."
        )
    with right:
        _picture()


def _picture() -> None:
    """The teaching example, computed: its plan for today, its robust plan, 100 later models."""
    case = computing.case(TEACHING)
    robust = computing.solution(TEACHING).real.plan.x
    plain = plan_for_today(case)
    future = case.bundle.future.parameters
    first, second = (feature_axis(feature) for feature in case.dataset.schema.features)
    today = case.problem.current_model
    axes = (first, second)
    picture(recourse_idea(case.x0, plain, robust, today, future, axes, theme()), "idea")


def ready_scenarios() -> None:
    """Three places to begin; each opens the right page in the right state."""
    st.subheader("Begin with an example")
    columns = st.columns(len(READY), border=True)
    for column, (title, words, page, scenario) in zip(columns, READY, strict=True):
        with column:
            st.markdown(f"#### {title}")
            st.write(words)
            if st.button("Open", key=f"open {title}", icon=":material/arrow_forward:"):
                state.set_scenario(scenario)
                st.switch_page(navigation.file_of(page))
    st.page_link(
        navigation.file_of("shift_lab"),
        label="For a class: the guided tour in ten steps",
        icon=":material/tour:",
        query_params={"lab_part": "Guided tour"},
    )


def datasets() -> None:
    """A card for each dataset."""
    st.subheader("Datasets")
    names = list(DATASETS)
    for start in range(0, len(names), CARDS_IN_A_ROW):
        columns = st.columns(CARDS_IN_A_ROW)
        for column, name in zip(columns, names[start : start + CARDS_IN_A_ROW], strict=False):
            with column, st.container(border=True, height="stretch"):
                _card(_facts(name))
    st.page_link(
        navigation.file_of("your_data"),
        label="Or use a table of your own: nothing leaves this machine",
        icon=":material/upload_file:",
    )


@st.cache_data(max_entries=len(DATASETS), show_spinner=False)
def _facts(name: str) -> DatasetCard:
    return dataset_card(load_dataset(name))


def _card(card: DatasetCard) -> None:
    st.markdown(f"#### {card.title}")
    st.markdown(
        f"{card.present.rows:,} people, {card.features} features; {card.years}. "
        f"{round(100 * card.present.share)} of 100 had the good outcome: “{card.favourable}”."
    )
    after = "" if card.shifted is None else f" ({card.shifted.rows:,} people)"
    st.markdown(f"**What changes later{after}:** {card.shift}")
    more = st.expander("Good to know", key=f"more {card.name}", on_change="rerun")
    if more.open:
        with more:
            # Only on request: it trains the dataset's models.
            bundle = computing.bundle(Scenario(card.name, 0))
            notes = (wording.accuracy(bundle.accuracy, PAPER_ACCURACY.get(card.name)), *card.notes)
            for note in notes:
                st.markdown(f"- {note}")
    if st.button("Open", key=f"open {card.name}", icon=":material/arrow_forward:"):
        state.set_scenario(first_declined(card.name))
        st.switch_page(navigation.file_of("recourse"))


state.current()
notices.about_the_link()
idea()
ready_scenarios()
datasets()
