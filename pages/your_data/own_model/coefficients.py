"""Today's model of an uploaded table: trained on it, or given by its coefficients."""

import streamlit as st

from dirrac_core.data import Dataset
from dirrac_core.models.given.coefficients import (
    HEADER,
    INTERCEPT,
    coefficient_template,
    described_model,
)
from pages.shared.downloads import offer_file
from pages.shared.plain_text import plain
from pages.your_data.kept_file import offer_place

TRAIN, GIVEN = "train", "given"
MODELS = {TRAIN: "Trained on this table", GIVEN: "My own coefficients or scorecard"}
FILE_TYPES = ("csv", "json", "txt")


def choose_given() -> bool:
    """Whether the visitor brings a model; draws the choice."""
    st.subheader("Today's model")
    chosen = st.segmented_control(
        "Today's decisions are made by a model",
        list(MODELS),
        default=TRAIN,
        required=True,
        format_func=MODELS.__getitem__,
        key="today's model",
        persist_state="session",
    )
    return bool(chosen == GIVEN)


def choose_coefficients(dataset: Dataset) -> bytes | None:
    """What has to be given, a template, the upload, and what is assumed; the file in use."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            "Give the coefficients of a fitted linear model, such as scikit-learn's "
            "LogisticRegression, as text (never a pickle). They are read in the **units of your "
            "table**: score = intercept + coefficient × value for each number + the coefficient "
            "of each category the person has. A score of 0 or more is the good decision, and the "
            "score is read as log-odds."
        )
        with st.expander("A model that was fitted on scaled columns", icon=":material/straighten:"):
            st.markdown(
                "With StandardScaler, divide each coefficient by the scale of its column, and "
                "subtract coefficient × mean ÷ scale (summed over the columns) from the intercept. "
                "With OneHotEncoder, each category has its own coefficient; one that was dropped "
                "has none and counts 0."
            )
            st.code(
                "slope = model.coef_[0] / scaler.scale_\n"
                "intercept = model.intercept_[0] - (slope * scaler.mean_).sum()",
                language="python",
            )
    with right:
        _template(dataset)
        return _upload()


def show_assumptions() -> None:
    """What it means to know a model by its coefficients only."""
    st.caption(
        "**What is assumed of your model.** It decides today exactly as given. How it would come "
        "out if it were trained again depends on its recipe, which is looked for: logistic "
        "regressions with every strength of penalty, on columns in several units, with and "
        "without weights of the two outcomes. If one of them reproduces your coefficients on this "
        "table, the later models are re-trainings of that recipe. If none does, the "
        "page says so and takes the moves of the closest one for your model's too."
    )


def _template(dataset: Dataset) -> None:
    offer_file(
        "Template for this table (CSV)", coefficient_template(dataset.schema), "coefficients.csv"
    )
    st.caption(
        f"A line for each coefficient: {', '.join(HEADER)}. Numbers leave the category empty; the "
        f"intercept is called {INTERCEPT}. Or as JSON: an object with “intercept” and "
        "“coefficients”, where a column has a number, or an object with one for each category. "
        "A scorecard is a CSV too: feature,bin,points, with lines (base), (cut-off) and (points "
        "to double the odds). A bin is a range (“< 12”, “12 to 24”, “24+”), a number, a category "
        "or “missing”; columns that the card does not name have no points."
    )


def _upload() -> bytes | None:
    kept, _ = offer_place(
        "upload coefficients",
        lambda name, content: (name, content, described_model(content)),
        "Coefficients (CSV or JSON) or a scorecard (CSV)",
        FILE_TYPES,
        megabytes=1,
    )
    if kept is None:
        return None
    name, content, description = kept
    st.markdown(f"In use: **{plain(name, 60)}** · {description}")
    return content
