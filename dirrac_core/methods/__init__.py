"""The methods DiRRAc is compared with, one file each, behind one protocol."""

from dirrac_core.methods.actionable_recourse import ActionableRecourse
from dirrac_core.methods.cepm import Cepm
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.methods.lime import Lime
from dirrac_core.methods.mint import CausalModel, Mint
from dirrac_core.methods.protocol import Method, Plan
from dirrac_core.methods.rbr import Rbr, RbrSettings
from dirrac_core.methods.roar import Roar, RoarSettings
from dirrac_core.methods.roar_variants.ensemble import RoarAverage, RoarEnsemble
from dirrac_core.methods.roar_variants.published import Descent, RoarPublished
from dirrac_core.methods.wachter import Wachter

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
