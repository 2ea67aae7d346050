"""Models brought along without pickle: XGBoost and LightGBM files, checked and explained."""

from dirrac_core.trees.brought.files import read_tree_file
from dirrac_core.trees.brought.match import BroughtModel, brought_model
from dirrac_core.trees.brought.reference import check_reference

__all__ = ["BroughtModel", "brought_model", "check_reference", "read_tree_file"]
