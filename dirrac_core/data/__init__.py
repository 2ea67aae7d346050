"""People in real units: schemas, the shipped datasets, synthetic shifts, and your own table."""

from dirrac_core.data.dataset import Dataset, Sample
from dirrac_core.data.datasets.cards import DatasetCard, SampleCard, dataset_card
from dirrac_core.data.datasets.synthetic import ShiftedSet, shifted_sets
from dirrac_core.data.load import DATASETS, checked_dataset_name, load_dataset
from dirrac_core.data.schema.actions import Actions, ConditionalRule, LinearRule
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.presets import Preset
from dirrac_core.data.schema.rules import ProductRule, RuleCheck, ThresholdRule
from dirrac_core.data.schema.schema import Change, Schema, with_constant
from dirrac_core.data.upload.table import TableReport, table_dataset

__all__ = [
    "DATASETS",
    "Actions",
    "Change",
    "ConditionalRule",
    "Dataset",
    "DatasetCard",
    "Feature",
    "LinearRule",
    "Preset",
    "ProductRule",
    "RuleCheck",
    "Sample",
    "SampleCard",
    "Schema",
    "ShiftedSet",
    "TableReport",
    "ThresholdRule",
    "checked_dataset_name",
    "dataset_card",
    "load_dataset",
    "shifted_sets",
    "table_dataset",
    "with_constant",
]
