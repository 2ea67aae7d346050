"""Any classifier as an ONNX file, asked through onnxruntime: no proof, but LIME and search.

ONNX describes arithmetic, not a kind of model, so nothing is known of a file's inner structure: it
can be asked, not proved about. onnxruntime is an optional extra.
"""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidModel
from dirrac_core.models.classifiers import ProbabilityModel
from dirrac_core.trees.brought.files import MOST_BYTES
from dirrac_core.trees.brought.match import matched_inputs
from dirrac_core.trees.problem import View

NO_EXTRA = (
    "An ONNX file needs the package onnxruntime, which is not installed; "
    "`pip install onnxruntime` brings it"
)
# Types of numbers a file may want, and how they are given.
NUMBERS = {"tensor(float)": np.float32, "tensor(double)": np.float64}


@dataclass(frozen=True, eq=False)
class OnnxClassifier(ProbabilityModel):
    """An ONNX file as a classifier of encoded people; it travels to workers as its bytes."""

    content: bytes
    view: View
    threshold: float = 0.0
    session: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.session is None:
            object.__setattr__(self, "session", _session(self.content))

    def __reduce__(self) -> tuple[Any, ...]:
        return OnnxClassifier, (self.content, self.view, self.threshold)

    def probability(self, X: npt.ArrayLike) -> Array:
        """The model's probability of the favourable outcome of each encoded row."""
        people = self.view.inputs(frozen_array("X", X, (None, None)))
        (asked,) = self.session.get_inputs()
        try:
            said = self.session.run(None, {asked.name: people.astype(NUMBERS[asked.type])})
        except _failures() as problem:
            raise InvalidModel(
                f"The model must read {people.shape[1]} numbers per person, got {_first(problem)}"
            ) from None
        return _favourable(said, len(people))


def onnx_model(content: bytes, schema: Schema, columns: list[str]) -> OnnxClassifier:
    """The two-class model in an ONNX file with one input of numbers; InvalidModel says what is
    wrong with it. `columns` are named as for `brought_model`."""
    if not isinstance(content, bytes) or not content:
        raise InvalidModel("A model file must not be empty, got nothing")
    if len(content) > MOST_BYTES:
        raise InvalidModel(
            f"A model file may have at most {MOST_BYTES // 1024**2} MB, got "
            f"{len(content) / 1024**2:.0f}"
        )
    session = _session(content)
    _check_input(session.get_inputs(), len(columns))
    model = OnnxClassifier(content, matched_inputs(schema, columns), session=session)
    # Asked once, so that a file of another kind is refused here and not on the way.
    model.probability(np.zeros((1, len(schema.columns))))
    return model


def _runtime() -> Any:
    try:
        return import_module("onnxruntime")
    except ImportError:
        raise InvalidModel(NO_EXTRA) from None


def _failures() -> tuple[type[Exception], ...]:
    """The errors onnxruntime has for what it cannot do; they share no class of their own."""
    state = _runtime().capi.onnxruntime_pybind11_state
    names = ("Fail", "InvalidProtobuf", "InvalidGraph", "InvalidArgument", "NotImplemented")
    return (RuntimeError, ValueError, *(getattr(state, name) for name in names))


def _session(content: bytes) -> Any:
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except _failures() as problem:
        raise InvalidModel(f"The file must be an ONNX model: {_first(problem)}") from None


def _first(problem: Exception) -> str:
    return (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]


def _check_input(inputs: list[Any], columns: int) -> None:
    if len(inputs) != 1 or inputs[0].type not in NUMBERS:
        kinds = ", ".join(each.type for each in inputs)
        raise InvalidModel(f"An ONNX model must have one input of numbers, got {kinds or 'none'}")
    wanted = inputs[0].shape[-1] if inputs[0].shape else None
    if isinstance(wanted, int) and wanted != columns:
        raise InvalidModel(f"The model has {wanted} columns and needs as many names, got {columns}")


def _favourable(outputs: list[Any], rows: int) -> Array:
    """The second of two probabilities per row, in the form classifiers are exported with."""
    for output in reversed(outputs):
        listed = output
        if isinstance(output, list) and output and isinstance(output[0], dict):
            listed = [[each[key] for key in sorted(each)] for each in output]
        values = np.asarray(listed)
        if values.shape == (rows, 2) and np.issubdtype(values.dtype, np.floating):
            whole = values.sum(axis=1)
            if (values >= 0.0).all() and (np.abs(whole - 1.0) < 1e-4).all():
                favourable: Array = values[:, 1].astype(np.float64)
                return favourable
    raise InvalidModel(
        "An ONNX classifier must give two probabilities per person that add up to 1, got "
        + ", ".join(str(np.shape(output)) for output in outputs)
    )
