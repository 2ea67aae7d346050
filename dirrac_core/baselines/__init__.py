"""The methods DiRRAc is compared with, one file each, behind one protocol."""

from dirrac_core.baselines.actionable_recourse import ActionableRecourse
from dirrac_core.baselines.cepm import Cepm
from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.baselines.lime import Lime
from dirrac_core.baselines.mint import CausalModel, Mint
from dirrac_core.baselines.protocol import Method, Plan
from dirrac_core.baselines.rbr import Rbr, RbrSettings
from dirrac_core.baselines.roar import Roar, RoarSettings
from dirrac_core.baselines.roar_ensemble import RoarAverage, RoarEnsemble
from dirrac_core.baselines.roar_published import Descent, RoarPublished
from dirrac_core.baselines.wachter import Wachter

__all__ = [
    "ActionableRecourse",
    "CausalModel",
    "Cepm",
    "Descent",
    "Dirrac",
    "Lime",
    "Method",
    "Mint",
    "Plan",
    "Rbr",
    "RbrSettings",
    "Roar",
    "RoarAverage",
    "RoarEnsemble",
    "RoarPublished",
    "RoarSettings",
    "Wachter",
]
