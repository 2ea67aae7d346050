"""A cluster of two dask workers gives the same rows as one process."""

import joblib
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

from dirrac_core import load_dataset
from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.evaluation import Judge, declined_applicants, portfolio
from dirrac_core.evaluation.bulk import Bulk, stream_portfolio
from dirrac_core.evaluation.people_chunks import people_in_table
from dirrac_core.models.bundle import prepare
from dirrac_core.scenario import Scenario


@pytest.fixture(scope="module")
def cluster():
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        ) as workers,
        Client(workers) as client,
    ):
        yield client


def test_two_workers_of_a_cluster_give_the_same_rows_and_bytes(cluster, tmp_path):
    german = load_dataset("german")
    bundle = prepare(german)
    applicants = declined_applicants(bundle)[:40]
    dirrac = Dirrac(bundle.current, bundle.estimate.mixture, delta_add=0.3)
    asked = (applicants, dirrac, Judge.of(bundle))
    people = people_in_table(german.present.people[:100], "german")
    bulk = Bulk(Scenario("german", 0, components=1), chunk=50)
    told = []
    with joblib.parallel_config(backend="dask"):
        spread = portfolio(*asked, jobs=None, progress=lambda part, words: told.append(part))
        stream_portfolio(people, tmp_path / "spread.csv", bulk, "1", jobs=None)
    alone = portfolio(*asked, jobs=1)
    assert told[-1] == 1.0 and len(told) == len(applicants)
    assert np.array_equal(np.stack(alone["x"]), np.stack(spread["x"]))
    left, right = (frame.drop(columns=["seconds", "x"]) for frame in (alone, spread))
    pd.testing.assert_frame_equal(left, right, check_exact=True)
    stream_portfolio(people, tmp_path / "alone.csv", bulk, "1", jobs=1)
    assert (tmp_path / "spread.csv").read_bytes() == (tmp_path / "alone.csv").read_bytes()
    # Both workers took part: each has the code of the core in memory.
    loaded = cluster.run(lambda: "dirrac_core.evaluation.portfolio" in __import__("sys").modules)
    assert len(loaded) == 2 and all(loaded.values())
