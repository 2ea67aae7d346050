"""What the browser does on every page: downloads, the outline, and the change of theme."""

from pages.shared.browser import HERE, mount


def equip_page() -> None:
    """Call it once per run, after everything is drawn; what comes later is found as well.

    Every chart can be taken as PNG and SVG, every table as CSV. No heading skips a level for a
    screen reader, whatever size it is drawn in. Charts are drawn in the colours of the theme, so
    the page runs again when the visitor changes it; Streamlit itself waits for the next click.
    """
    mount(HERE, "whole_page", "whole page", on_changed_change=lambda: None)
