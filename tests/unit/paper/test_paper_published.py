"""The paper's numbers, checked against some typed in from its pages by hand."""

import pytest

from dirrac_core.errors import UnknownName
from dirrac_core.paper.store import TABLES, published

# Table, what picks the row, and what it must say.
TYPED_BY_HAND = (
    ("linear", {"dataset": "german", "method": "AR"}, {"m2": 0.76, "cost_l1": 0.61}),
    ("linear", {"dataset": "sba", "method": "Wachter"}, {"cost_l1": 2.30, "cost_l1_spread": 2.39}),
    ("linear", {"dataset": "student", "method": "Gaussian DiRRAc"}, {"m2": 0.74, "cost_l2": 0.54}),
    ("nonlinear", {"dataset": "student", "method": "LIME-ROAR"}, {"m1": 0.97, "cost_l1": 6.30}),
    ("rbr", {"dataset": "sba", "method": "RBR"}, {"m2": 0.97, "cost_l2_spread": 0.18}),
    ("components", {"dataset": "sba", "method": "DiRRAc"}, {"components": 4, "cost_l1": 1.83}),
    ("prior", {"dataset": "student", "method": "DiRRAc"}, {"m2": 0.97, "cost_l1": 1.81}),
    ("actionability", {"dataset": "german", "method": "DiRRAc"}, {"cost_l2": 1.27}),
    ("mint", {"method": "MINT"}, {"m2": 0.87, "m2_spread": 0.09, "cost_l1": 0.77}),
    ("roar_ensembles", {"dataset": "german", "method": "ROAR-Avg"}, {"cost_l1": 4.46}),
    ("runtime", {"dataset": "sba", "method": "DiRRAc"}, {"seconds": 0.363}),
    ("accuracy", {"dataset": "student", "people": "shifted", "model": "mlp"}, {"accuracy": 0.99}),
    ("elbow", {"dataset": "student"}, {"components": 6}),
)
ROWS = {
    "linear": 18,
    "nonlinear": 18,
    "rbr": 9,
    "components": 6,
    "prior": 9,
    "actionability": 9,
    "mint": 3,
    "roar_ensembles": 15,
    "runtime": 15,
    "accuracy": 12,
    "elbow": 3,
}


@pytest.mark.parametrize(("table", "row", "numbers"), TYPED_BY_HAND)
def test_number_of_the_paper(table, row, numbers):
    rows = published(table)
    chosen = rows[(rows[list(row)] == list(row.values())).all(axis=1)]
    assert len(chosen) == 1
    assert chosen.iloc[0][list(numbers)].to_dict() == numbers


def test_every_row_of_every_table_is_there():
    assert {table: len(published(table)) for table in TABLES} == ROWS
    assert all((published(table)["source"] == "published").all() for table in TABLES)


def test_unknown_table():
    with pytest.raises(UnknownName, match="published table"):
        published("table 1")
