"""The sidebar of the applicant pages: every setting with its symbol and one line of help."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dirrac_core import DATASETS
from dirrac_core.models.estimate import MAX_COMPONENTS, MixtureEstimate
from dirrac_core.robustness import DIVERGENCES
from dirrac_core.scenario import COSTS, MODELS, WEIGHTINGS, Scenario
from pages.shared import computing, state, wording
from pages.shared.future_summary import declared
from pages.shared.links import MOST

RHO_STEP, DELTA_STEP, EPS_STEP = 0.01, 0.05, 0.01
# The weights of a network's approximation are slopes of a probability: about ten times smaller.
NETWORK_RADIUS = 0.01
MOST_APPLICANTS = 1_000


def sidebar() -> None:
    """Draw the settings of the current scenario."""
    scenario = state.current()
    with st.sidebar:
        _history()
        _who(scenario)
        _future(scenario)
        _effort(scenario)
        with st.expander("Advanced", icon=":material/tune:"):
            _advanced(scenario)
        _share()


def _choice(
    label: str,
    field: str,
    options: Sequence[Any],
    words: Mapping[Any, str],
    *,
    widget: Callable[..., Any] = st.selectbox,
    apply: Callable[[Any], None] | None = None,
    disabled: bool = False,
) -> None:
    """A widget that always shows the scenario's value and writes it back in its callback."""
    key = f"set {field}"
    st.session_state[key] = getattr(state.current(), field)

    def changed() -> None:
        value = st.session_state[key]
        if value is None:
            return
        if apply is None:
            state.change(**{field: value})
        else:
            apply(value)

    widget(
        label,
        options,
        key=key,
        format_func=lambda option: words.get(option, str(option)),
        help=wording.HELP[field],
        on_change=changed,
        disabled=disabled,
    )


def _slider(label: str, field: str, key: str, value: float, most: float, step: float) -> None:
    st.session_state[key] = float(value)

    def changed() -> None:
        state.change(**{field: float(st.session_state[key])})

    st.slider(
        label, 0.0, most, step=step, key=key, help=wording.HELP[_help(field)], on_change=changed
    )


def _help(field: str) -> str:
    return "rho" if field == "radii" else field


def _who(scenario: Scenario) -> None:
    offered = {**DATASETS, **state.own_tables()}
    _choice("Dataset", "dataset", list(offered), offered, apply=state.change_dataset)
    _applicant(scenario)
    _choice("Model", "model", MODELS, wording.MODELS, apply=_change_model)


def _applicant(scenario: Scenario) -> None:
    declined = computing.declined_rows(scenario.dataset, scenario.model, scenario.seed)
    # A list of thousands would slow every reaction down; “Find” reaches everybody.
    near = sorted(declined, key=lambda row: abs(row - scenario.applicant))[:MOST_APPLICANTS]
    options = sorted({*near, scenario.applicant})
    _choice(
        "Applicant",
        "applicant",
        options,
        {scenario.applicant: f"{scenario.applicant}"},
    )


def _change_model(name: str) -> None:
    """A network has one component and its own scale of ρ; a ρ nobody has touched follows."""
    usual = {"logistic": Scenario.radii, "mlp": NETWORK_RADIUS}
    old = state.current()
    radius = state.one_radius(old)
    radius = usual[name] if radius == usual[old.model] else radius
    if name == "logistic":
        state.change(model=name, radii=radius)
    else:
        state.change(model=name, components="auto", radii=radius, shifts=())


def _future(scenario: Scenario) -> None:
    st.subheader("Future models")
    _choice("They may follow", "link", list(wording.LINKS), wording.LINKS, widget=_segmented)
    if scenario.shifts:
        declared(scenario)
        return
    linear = scenario.model == "logistic"
    options = ["auto", *range(1, MAX_COMPONENTS + 1)] if linear else ["auto"]
    words = {"auto": "choose for me" if linear else "1 (LIME gives one)"}
    _choice(
        "Components K", "components", options, words, apply=_change_components, disabled=not linear
    )
    estimate = _estimate(scenario)
    if estimate is not None:
        st.caption(" ".join((estimate.reason, *estimate.notes)))
    else:
        st.caption(wording.NETWORK_NOTE)
    _radii(scenario, 1 if estimate is None else estimate.components)


def _segmented(label: str, options: Sequence[Any], **settings: Any) -> Any:
    """One of a few options, never none."""
    return st.segmented_control(label, options, required=True, width="stretch", **settings)


def _change_components(value: Any) -> None:
    state.change(components=value, radii=state.one_radius(state.current()))


def _estimate(scenario: Scenario) -> MixtureEstimate | None:
    return computing.bundle(scenario).estimate


def _radii(scenario: Scenario, components: int) -> None:
    each = isinstance(scenario.radii, tuple)
    if not each:
        _slider("Radius of doubt ρ", "radii", "set radii", scenario.radii, MOST["radii"], RHO_STEP)
    if components > 1:
        st.session_state["rho each"] = each

        def toggled() -> None:
            one = state.one_radius(state.current())
            several = st.session_state["rho each"]
            state.change(radii=(one,) * components if several else one)

        st.toggle(
            "One ρ for each component",
            key="rho each",
            help=wording.HELP["rho_each"],
            on_change=toggled,
        )
    if each:
        _radius_table(scenario)


def _radius_table(scenario: Scenario) -> None:
    for k, radius in enumerate(scenario.radii):
        key = f"set radius {k}"
        st.session_state[key] = radius

        def changed(k: int = k, key: str = key) -> None:
            radii = list(state.current().radii)
            radii[k] = float(st.session_state[key])
            state.change(radii=tuple(radii))

        st.number_input(
            f"ρ of component {k + 1}",
            0.0,
            MOST["radii"],
            step=RHO_STEP,
            key=key,
            on_change=changed,
        )


def _effort(scenario: Scenario) -> None:
    st.subheader("Effort")
    _slider(
        "Extra effort δ_add",
        "delta_add",
        "set delta_add",
        scenario.delta_add,
        MOST["delta_add"],
        DELTA_STEP,
    )


def _advanced(scenario: Scenario) -> None:
    _choice("Effort is measured by", "cost", COSTS, wording.COSTS)
    _choice("Component weights p", "weighting", WEIGHTINGS, wording.WEIGHTINGS)
    if scenario.weighting == "ball":
        names = {name: divergence.label for name, divergence in DIVERGENCES.items()}
        _choice("Divergence φ", "divergence", list(DIVERGENCES), names)
        _slider(
            "Weight radius ε",
            "weight_radius",
            "set weight_radius",
            scenario.weight_radius,
            MOST["weight_radius"],
            EPS_STEP,
        )
    _choice("Categories", "categories", list(wording.CATEGORIES), wording.CATEGORIES)
    _choice("Solver", "solver", list(wording.SOLVERS), wording.SOLVERS)
    st.session_state["set seed"] = scenario.seed
    st.number_input(
        "Seed",
        0,
        step=1,
        key="set seed",
        help=wording.HELP["seed"],
        on_change=lambda: state.change(
            seed=int(st.session_state["set seed"]), radii=state.one_radius(state.current())
        ),
    )


def _history() -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=state.undo,
            disabled=not state.can_undo(),
            help="Take back the last change.",
        )
        st.button(
            "Redo",
            icon=":material/redo:",
            type="tertiary",
            on_click=state.redo,
            disabled=not state.can_redo(),
            help="Bring back what was undone.",
        )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=state.reset,
            help="Default settings for this applicant.",
        )


def _share() -> None:
    with st.popover("Share", icon=":material/link:", width="stretch"):
        st.write("This address restores the exact screen:")
        st.code(address(), language=None, wrap_lines=True)


def address() -> str:
    """The address of the current page with the current scenario."""
    base = urlsplit(st.context.url or "")
    # A choice of several is a parameter that is there several times.
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    return f"{base.scheme}://{base.netloc}{base.path}?{urlencode(query, doseq=True)}"
