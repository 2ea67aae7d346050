"""What the Paper page says about 91 against 99 on German is what the stored rows say."""

import re
from unittest.mock import patch

from dirrac_core.models.futures import future
from dirrac_core.paper.bench import compete
from dirrac_core.paper.catalogue import EXPERIMENTS
from dirrac_core.paper.experiment import PROTOCOL, PUBLISHED, Run, Settings
from dirrac_core.paper.protocol import protocol_bench
from dirrac_core.paper.store import RESULTS, stored
from dirrac_core.paper.tables.linear import dirrac
from dirrac_core.studies import describe

SETTINGS = Settings(jobs=1)


def test_the_range_of_the_draws_and_the_other_methods_are_the_stored_ones():
    rows, _ = stored("linear", RESULTS)
    german = rows[rows["dataset"] == "german"].assign(m2=lambda part: 100 * part["m2"])
    drawn = german[(german["source"] == PROTOCOL) & german["draw"].notna()]
    ten = drawn[drawn["method"] == "DiRRAc"]["m2"]
    said = EXPERIMENTS["linear"].difference
    assert len(ten) == 10 and "our ten range from" in said and "one balancing draw" in said
    low, high = map(int, re.search(r"our ten range from (\d+) to (\d+)", said).groups())
    assert (low, high) == (round(ten.min()), round(ten.max())) and high < 99
    whole = german[german["draw"].isna()].set_index(["source", "method"])["m2"]
    for method, pattern in (
        ("AR", r"AR (\d+) against (\d+)"),
        ("Wachter", r"er (\d+) against (\d+)"),
    ):
        ours, printed = map(int, re.search(pattern, said).groups())
        assert (ours, printed) == (round(whole[PROTOCOL, method]), round(whole[PUBLISHED, method]))


def test_more_people_behind_each_later_model_bring_the_plans_back():
    def accepted(draw):
        bench = protocol_bench("german", draw, SETTINGS)
        (found,) = compete(bench, [dirrac(bench)[0]], Run(SETTINGS))
        return describe(found[1])["m2"]

    fewer = [accepted(draw) for draw in range(2)]
    with patch.object(future, "SHIFTED_FRACTION", 200 / 600):
        more = [accepted(draw) for draw in range(2)]
    assert max(fewer) < 0.95 < min(more)
