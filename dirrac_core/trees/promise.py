"""What may be promised: re-trainings of people the plan has not seen, and two bounds from them.

Fresh models are trained on the half of the people no plan was made with (see `retrainings`), so
the share of them that declines a plan is an honest estimate of what other people's models do. Two
statements follow:

- On average: the one-sided Clopper–Pearson bound on the share of all such models. It assumes
  nothing about their distribution.
- For the next sample: its models share its luck, so all may lie to one side. The fresh models come
  from G simulated next samples. The centres of their log-odds scatter with a standard deviation b,
  and the models of one sample with w around its centre. What is known of the truth is itself one
  sample, of fewer people: the next centre lies below the mean of all by at most
  t·b·√(1 + ratio + 1/G) in 95 of 100 samples, where ratio is how many people a next sample has
  over those the fresh ones are drawn from, and t the 95 % quantile of Student's distribution with
  G − 1 degrees of freedom. So at most the share Φ(−low/w) declines. That log-odds scatter like a
  bell curve is an assumption; `benchmarks/trees.py` checks it on people nothing else has seen.
  With several stories the worst of them counts.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.retrainings import Retrainings
from dirrac_core.wording import at_most

CONFIDENCE = 0.95
FEWEST_SAMPLES = 2


@dataclass(frozen=True)
class Promise:
    """`declined` of `fresh` re-trainings decline the plan.

    With `confidence` at most the share `on_average` of all re-trainings of this kind do, and at
    most `at_most` of the models of the next sample of people.
    """

    declined: int
    fresh: int
    on_average: float
    at_most: float
    confidence: float = CONFIDENCE

    @property
    def observed(self) -> float:
        """The share that declined."""
        return self.declined / self.fresh

    @property
    def sentence(self) -> str:
        """Both bounds in one sentence."""
        sure = f"{self.confidence:.0%}"
        return (
            f"On average {at_most(self.on_average)} re-trainings of this kind decline the plan "
            f"(with {sure} confidence), and {at_most(self.at_most)} of those of one next sample of "
            f"people (in {sure} of such samples, if Gaussian)."
        )


def promise_of(problem: TreeProblem, x: Array, models: Retrainings) -> Promise:
    """The promise of a plan x (D,) from fresh re-trainings, drawn apart from those planned on."""
    if not models.fresh:
        raise InvalidInput("A promise needs fresh re-trainings, got none")
    margins = problem.margins(x, models.fresh)
    declined = int((margins < 0.0).sum())
    average = upper_bound(declined, len(margins))
    story, sample = np.array(models.fresh_story), np.array(models.fresh_sample)
    worst = max(
        next_sample(margins[story == each], sample[story == each], models.size_ratio[each])
        for each in set(models.fresh_story)
    )
    return Promise(declined, len(margins), average, max(average, worst))


def upper_bound(declined: int, fresh: int) -> float:
    """The one-sided Clopper–Pearson bound: the p with P(Bin(fresh, p) ≤ declined) = 1 − CONFIDENCE.

    It is the CONFIDENCE quantile of Beta(declined + 1, fresh − declined); 1 when all declined.
    """
    if not 0 <= declined <= fresh or fresh < 1:
        raise InvalidInput(f"declined must be from 0 to fresh ≥ 1, got {declined} of {fresh}")
    if declined == fresh:
        return 1.0
    return float(stats.beta.ppf(CONFIDENCE, declined + 1, fresh - declined))


def next_sample(margins: Array, samples: npt.NDArray[np.intp], ratio: float) -> float:
    """The share of the next sample's models that decline at most, in CONFIDENCE of samples.

    `margins` (m,) are how far the fresh log-odds lie above the threshold, `samples` (m,) the
    simulated sample of each.
    """
    groups = [margins[samples == each] for each in np.unique(samples)]
    number = len(groups)
    if number < FEWEST_SAMPLES or len(margins) == number:
        # Nothing is known of the spread, between samples or within them.
        return 1.0
    centres = np.array([group.mean() for group in groups])
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    width = float(np.sqrt(within / (len(margins) - number)))
    away = float(stats.t.ppf(CONFIDENCE, number - 1)) * np.sqrt(1.0 + ratio + 1.0 / number)
    low = float(centres.mean() - away * centres.std(ddof=1))
    if width == 0.0:
        return 0.0 if low >= 0.0 else 1.0
    return float(stats.norm.cdf(-low / width))
