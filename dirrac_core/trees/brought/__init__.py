"""Models brought along without pickle: XGBoost, LightGBM and ONNX files, checked."""

from dirrac_core.trees.brought.files import read_tree_file
from dirrac_core.trees.brought.match import BroughtModel, brought_model
from dirrac_core.trees.brought.onnx_file import OnnxClassifier, onnx_model
from dirrac_core.trees.brought.reference import check_reference

__all__ = [
    "BroughtModel",
    "OnnxClassifier",
    "brought_model",
    "check_reference",
    "onnx_model",
    "read_tree_file",
]
