"""Start: what robust recourse is, three ready examples, and the datasets."""

from pages.shared import notices, state
from pages.start.datasets import show_datasets
from pages.start.examples import show_examples
from pages.start.idea import show_idea

state.current()
notices.report_link()
show_idea()
show_examples()
show_datasets()
