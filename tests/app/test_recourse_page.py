"""The workbench: a plan for every dataset."""

import pytest

from dirrac_core import DATASETS


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_opens_with_a_plan(open_app, dataset):
    at = open_app(dataset=dataset)
    assert not at.exception and not at.error
    assert "declined today" in at.header[0].value
