"""A cluster of two dask workers gives the same rows as one process; losing it has a name."""

import time

import joblib
import numpy as np
import pandas as pd
import pytest
from dask import config
from distributed import Client, LocalCluster

from dirrac_core import load_dataset
from dirrac_core.bulk.people import people_in_table
from dirrac_core.bulk.stream import Bulk, stream_portfolio
from dirrac_core.case.case import make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.errors import WorkerFailure
from dirrac_core.parallel import mapped
from dirrac_core.studies import case_portfolio


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
    case = make_case(Scenario("german", 0, components=1))
    rows = case.bundle.declined[:40]
    people = people_in_table(german.present.people[:100], "german")
    bulk = Bulk(Settings("german", components=1), chunk=50)
    told = []
    with joblib.parallel_config(backend="dask"):
        spread = case_portfolio(
            case, rows, jobs=None, progress=lambda part, words: told.append(part)
        )
        stream_portfolio(people, tmp_path / "spread.csv", bulk, "1", jobs=None)
    alone = case_portfolio(case, rows, jobs=1)
    assert told[-1] == 1.0 and told == sorted(told)
    assert np.array_equal(np.stack(alone["x"]), np.stack(spread["x"]))
    left, right = (frame.drop(columns=["seconds", "x"]) for frame in (alone, spread))
    pd.testing.assert_frame_equal(left, right, check_exact=True)
    stream_portfolio(people, tmp_path / "alone.csv", bulk, "1", jobs=1)
    assert (tmp_path / "spread.csv").read_bytes() == (tmp_path / "alone.csv").read_bytes()
    # Both workers took part: each has the code of the core in memory.
    loaded = cluster.run(
        lambda: "dirrac_core.studies.people.portfolio" in __import__("sys").modules
    )
    assert len(loaded) == 2 and all(loaded.values())


def waited(item):
    time.sleep(0.05)
    return item


@pytest.mark.slow
def test_losing_the_scheduler_is_a_named_error():
    # A short patience: by default a client waits half a minute for a scheduler to come back.
    patience = {"distributed.comm.timeouts.connect": "2s"}
    lost = "The scheduler of a cluster must answer until the work is done"
    with (
        config.set(patience),
        LocalCluster(
            n_workers=2, processes=False, host="127.0.0.1", protocol="tcp", dashboard_address=None
        ) as workers,
        Client(workers.scheduler_address),
        joblib.parallel_config(backend="dask"),
    ):

        def closing(part, _):
            if part < 0.1:
                workers.sync(workers.scheduler.close)

        with pytest.raises(WorkerFailure, match=lost):
            mapped(waited, list(range(200)), None, closing)
        with pytest.raises(WorkerFailure, match=lost):
            mapped(waited, list(range(200)), None)
