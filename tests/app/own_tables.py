"""A visitor with a table of their own: uploaded, trained on, looked at."""

from screen import button, page_file

from dirrac_core.data.upload.visitor_tables import open_only


def clean(at):
    assert not at.exception
    assert not at.error, [e.value for e in at.error]
    return at


def upload(at, which, content, name="mine.csv"):
    at.file_uploader(key=f"upload {which}").set_value((name, content, "text/csv"))
    return at.run()


def good_outcome(at):
    return next(m for m in at.multiselect if m.label == "Good outcome")


def trained(at, content, good, name="mine.csv"):
    clean(upload(at, "present", content, name))
    clean(good_outcome(at).set_value([good]).run())
    return clean(button(at, "Train and open").click().run())


def opened(at, page):
    return at.switch_page(page_file(page)).run()


def scenario_of(at):
    """What this visitor has set; the test may look at the visitor's table as well."""
    scenario = at.session_state["scenario"]
    open_only({scenario.dataset})
    return scenario
