"""Your data: from an upload to every other page."""

from dirrac_core.data.sample_table import sample_table
from dirrac_core.data.visitor_tables import is_table_name
from dirrac_core.scenario import solve_scenario


def clean(at):
    assert not at.exception
    assert not at.error, [e.value for e in at.error]
    return at


def upload(at, which, content, name="mine.csv"):
    at.file_uploader(key=f"upload {which}").set_value((name, content, "text/csv"))
    return at.run()


def button(at, label):
    return next(b for b in at.button if b.label == label)


def good_outcome(at):
    return next(m for m in at.multiselect if m.label == "Good outcome")


def trained(at, content, good, name="mine.csv"):
    clean(upload(at, "present", content, name))
    clean(good_outcome(at).set_value([good]).run())
    return clean(button(at, "Train and open").click().run())


def test_upload_to_recourse(open_app):
    at = clean(open_app("your_data"))
    trained(at, sample_table("present").encode(), "passed")
    scenario = at.session_state["scenario"]
    assert is_table_name(scenario.dataset)
    assert at.query_params["dataset"] == scenario.dataset
    clean(at.switch_page("../../pages/recourse.py").run())
    solved = solve_scenario(scenario)
    assert at.subheader[0].value == solved.case.dataset.schema.sentence(
        solved.case.x0, solved.real.plan.x
    )
