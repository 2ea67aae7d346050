"""People in real units: schemas, the shipped datasets, synthetic shifts, and your own table."""

from dirrac_core.data.actions import Actions, ConditionalRule, LinearRule
from dirrac_core.data.dataset import Dataset, Sample
from dirrac_core.data.feature import Feature
from dirrac_core.data.load import DATASETS, load_dataset
from dirrac_core.data.presets import Preset
from dirrac_core.data.rules import ProductRule, RuleCheck, ThresholdRule
from dirrac_core.data.schema import Change, Schema, with_constant
from dirrac_core.data.synthetic import ShiftedSet, shifted_sets

__all__ = [
    "DATASETS",
    "Actions",
    "Change",
    "ConditionalRule",
    "Dataset",
    "Feature",
    "LinearRule",
    "Preset",
    "ProductRule",
    "RuleCheck",
    "Sample",
    "Schema",
    "ShiftedSet",
    "ThresholdRule",
    "load_dataset",
    "shifted_sets",
    "with_constant",
]
