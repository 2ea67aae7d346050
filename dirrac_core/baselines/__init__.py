"""The methods DiRRAc is compared with, one file each, behind one protocol."""

from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.baselines.protocol import Method, Plan
from dirrac_core.baselines.roar import Roar, RoarSettings
from dirrac_core.baselines.roar_published import Descent, RoarPublished

__all__ = ["Descent", "Dirrac", "Method", "Plan", "Roar", "RoarPublished", "RoarSettings"]
