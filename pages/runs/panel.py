"""The panel of a background run: how far it is, a way to stop it, and why it failed."""

import streamlit as st

from dirrac_core.errors import DirracError
from pages.runs import background
from pages.runs.background import Run
from pages.shared import notices

# Seconds between two looks at a run.
LOOK_EVERY = 1.0
# Seconds for which a page waits for the end of a run that was just stopped: it mostly comes within
# a fraction of one, and the page need not be drawn twice.
GRACE = 0.5


def show_run(run: Run | None) -> bool:
    """Draw a run that waits or works, or say why it failed; whether it is still under way.

    The panel looks again and again, and the page runs again at the end.
    """
    if run is None:
        return False
    if run.is_stopping():
        run.wait(GRACE)
    if run.active:
        st.fragment(_look, run_every=LOOK_EVERY)(run)
        # Outside of the fragment: Streamlit answers a click inside of one only after a run of the
        # page that is under way, and that may compute for long.
        st.button(
            "Stopping" if run.is_stopping() else "Stop",
            icon=":material/stop:",
            key=f"stop {id(run)}",
            on_click=run.stop,
            disabled=run.is_stopping(),
            help="What is finished by then is kept.",
        )
        st.caption("You can go to other pages meanwhile and come back; closing the tab ends it.")
        return True
    if run.state == background.FAILED:
        with notices.show_errors():
            raise DirracError(run.problem)
    return False


def _look(run: Run) -> None:
    if not run.active:
        st.rerun()
    ahead = background.places_ahead(run)
    if run.state == background.WAITING and ahead:
        others = "1 other computation" if ahead == 1 else f"{ahead} other computations"
        st.progress(0.0, f"Waiting for {others} on this server; it starts by itself.")
    else:
        begins = "Starting" if run.state == background.WAITING else "Starting the worker processes"
        st.progress(run.part, run.words or begins)
