"""A portfolio: plans for the first ten declined people of a dataset, written to a file."""

import tempfile
from pathlib import Path

import pandas as pd

from dirrac_core.bulk.people import people_in_table
from dirrac_core.bulk.stream import Bulk, stream_portfolio
from dirrac_core.case.settings import Settings
from dirrac_core.data import load_dataset
from dirrac_core.version import version

people = people_in_table(load_dataset("german").present.people, "german")
with tempfile.TemporaryDirectory() as folder:
    out = Path(folder) / "plans.csv"
    bulk = Bulk(Settings("german", components=1), most_plans=10)
    done = stream_portfolio(people, out, bulk, version(), jobs=1)
    rows = pd.read_csv(out)
print(f"{done.plans} plans; columns: {', '.join(rows.columns[:8])} …")
