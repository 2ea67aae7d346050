"""From a changed control to the finished page: milliseconds per page and dataset.

    python -m benchmarks.pages                  every page, every dataset
    python -m benchmarks.pages --changes 10     fewer changes each

Each page runs in Streamlit's own test runner, in this process: the time a visitor waits, without
the network and the browser's drawing. The set-up (training, first opening) is told apart. Run it
from the top folder with the project's environment (.venv/bin/python).
"""

import argparse
import os
import time

import numpy as np
from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from dirrac_core import DATASETS
from pages.shared.navigation import APPLICANT_PAGES, ROOT, file_of

PATIENCE = 120.0
# The app as the tests run it: with its sidebar, whichever page is open.
WHOLE_APP = ROOT / "tests" / "app" / "whole_app.py"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--changes", type=int, default=20)
    changes = parser.parse_args().changes
    set_log_level("ERROR")
    print("| page | dataset | set-up ms | median ms | 95 % ms | changes |")
    print("|---|---|---|---|---|---|")
    for page in APPLICANT_PAGES:
        for dataset in DATASETS:
            set_up, waits = measure(page, dataset, changes)
            middle, high = np.percentile(waits, [50, 95])
            print(
                f"| {page} | {dataset} | {1e3 * set_up:.0f} | {1e3 * middle:.0f} "
                f"| {1e3 * high:.0f} | {len(waits)} |"
            )


def measure(page: str, dataset: str, changes: int) -> tuple[float, list[float]]:
    """Seconds to open a page, and after each change of ρ or δ_add to a value not seen before."""
    app = AppTest.from_file(str(WHOLE_APP), default_timeout=PATIENCE)
    app.query_params["dataset"] = dataset
    begin = time.perf_counter()
    app.run()
    app.switch_page(os.path.relpath(file_of(page), WHOLE_APP.parent)).run()
    set_up = time.perf_counter() - begin
    waits = []
    for number in range(changes):
        key, value = [
            ("set radii", 0.02 + 0.01 * (number // 2)),
            ("set delta_add", 0.25 + 0.05 * (number // 2)),
        ][number % 2]
        begin = time.perf_counter()
        app.slider(key=key).set_value(value).run()
        waits.append(time.perf_counter() - begin)
        if app.exception or app.error:
            message = f"{page} on {dataset}: {[*app.exception, *app.error][0].value}"
            raise SystemExit(message)
    return set_up, waits


if __name__ == "__main__":
    main()
