"""A boosted or ONNX model of one's own on the table: read, checked, and used for a plan."""

import io

import pandas as pd
import streamlit as st

from dirrac_core.case.nonlinear.brought import (
    KINDS,
    PROBABILITY,
    Brought,
    BroughtPlan,
    brought_plan,
    declined_by,
    read_brought,
    reference_gap,
)
from dirrac_core.data import Dataset
from dirrac_core.errors import InvalidTable
from dirrac_core.progress import never, no_progress
from dirrac_core.trees.brought import BroughtModel
from dirrac_core.trees.brought.stand_in import Recipe, StandIn, stand_in_for, told_recipe
from pages.runs.processes import run_apart
from pages.shared import notices, wording
from pages.shared.plain_text import plain

# Megabytes a file may have; the core refuses larger ones, too.
LARGEST = 50
PRESET = "sensible"


def show_brought(dataset: Dataset) -> None:
    """The upload of a model file, what it says of the table, and a plan for one person."""
    with (
        st.expander("A boosted or ONNX model of my own", icon=":material/park:"),
        notices.show_errors(),
    ):
        st.markdown(
            "XGBoost (JSON or UBJSON) and LightGBM (text) are read exactly, without pickle, and "
            "plans are proved. ONNX files are asked through onnxruntime."
        )
        left, right = st.columns(2, gap="large")
        with left:
            kind = st.selectbox("Kind of file", list(KINDS), format_func=KINDS.__getitem__)
            file = st.file_uploader("Model file", key="brought model", max_upload_size=LARGEST)
        with right:
            given = st.text_area(
                "Columns of the model, one per line, in their order",
                placeholder="\n".join(feature.name for feature in dataset.schema.features[:4]),
                help="Empty: those of the table. A category is its number from 0, or one column "
                "per category named “column: category”.",
            )
            reference = st.file_uploader(
                f"Its own predictions (CSV with a column “{PROBABILITY}”), optional",
                ["csv"],
                key="brought reference",
                max_upload_size=LARGEST,
            )
        if file is None:
            return
        columns = tuple(line.strip() for line in given.splitlines() if line.strip())
        model = _model(file.getvalue(), kind, columns, dataset)
        _checked(model, dataset, None if reference is None else reference.getvalue())
        _ask(model, dataset, told_recipe(file.getvalue(), kind))


@st.cache_resource(max_entries=8, show_spinner="Reading the model", scope="session")
def _model(content: bytes, kind: str, columns: tuple[str, ...], _dataset: Dataset) -> Brought:
    return read_brought(content, kind, _dataset, columns)


def _checked(model: Brought, dataset: Dataset, reference: bytes | None) -> None:
    if reference is None:
        st.caption(
            "Not compared with its library: upload its own predictions for people of this table to "
            "be sure that it is read as it was meant."
        )
        return
    try:
        people = pd.read_csv(io.BytesIO(reference))
    except (ValueError, pd.errors.ParserError) as problem:
        raise InvalidTable(f"The predictions must be a CSV file, got {problem}") from None
    gap = reference_gap(model, dataset, people)
    st.success(
        f"Reproduces its own predictions for {len(people):,} people; largest difference {gap:.1g}.",
        icon=":material/check:",
    )


@st.cache_resource(
    max_entries=8,
    show_spinner="Training a stand-in again",
    scope="session",
    hash_funcs={BroughtModel: id},
)
def _stand_in(model: BroughtModel, recipe: Recipe, _dataset: Dataset) -> StandIn | None:
    """Trained in a process of its own; the model stands for the table it was matched to."""
    found: StandIn | None = run_apart(stand_in_for, (model, _dataset, recipe), no_progress, never)
    return found


def _ask(model: Brought, dataset: Dataset, recipe: Recipe | None) -> None:
    declined = declined_by(model, dataset)
    st.markdown(f"It declines **{len(declined):,}** of {len(dataset.present):,} people.")
    if not declined:
        return
    row = st.selectbox("A person it declines (row of the table)", declined, key="brought row")
    if st.button("Find a plan", icon=":material/route:", key="brought plan"):
        known = None
        if recipe is not None and isinstance(model, BroughtModel):
            known = _stand_in(model, recipe, dataset)
        with st.spinner("Searching for a plan"):
            _show(brought_plan(model, dataset, row, PRESET, known))


def _show(plan: BroughtPlan) -> None:
    st.markdown(f"Probability of a good outcome today: {plan.probability:.0%}.")
    if plan.sentence:
        proof = "no cheaper plan exists, proved" if plan.proved else "not proved"
        st.markdown(f"#### {plain(plan.sentence)}")
        st.markdown(f"Effort {wording.amount(plan.cost)}; {proof}.")
    else:
        st.warning(plain(plan.message), icon=":material/block:")
    st.caption(plain(plan.caution))
