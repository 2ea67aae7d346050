"""The named errors of the core. Every message states the rule and what was given."""


class DirracError(Exception):
    """Anything the core refuses or cannot do, as a sentence a person can act on."""


class InvalidInput(DirracError, ValueError):
    """A value breaks a stated rule: shape, sign, range, finiteness."""


class InvalidMixture(InvalidInput):
    """The weights, means or covariances do not describe a mixture."""


class InvalidActions(InvalidInput):
    """What may be changed is described in a contradictory or ill-formed way."""


class InvalidTable(InvalidInput):
    """A table of people cannot be used; the message names the column."""


class InvalidModel(InvalidInput):
    """A brought model cannot be used: its file, its task or its columns do not fit."""


class UnknownName(InvalidInput):
    """A name (of a dataset, preset, divergence, solver, ...) that does not exist."""


class SolverFailure(DirracError):
    """The cone solver gave no usable answer although the problem is well posed."""


class WorkerFailure(DirracError):
    """A worker process was ended from outside, most often because memory ran out."""


class OutputFailure(DirracError):
    """A result cannot be written: a full disk, a folder that is read-only or not there."""


class DamagedPart(DirracError):
    """A finished part of a long result is not as it was written; the message names the file."""


class MissingFile(DirracError):
    """Something that belongs to an installation is not there."""


class BrokenPlan(DirracError):
    """A computed plan failed its own checklist: a defect of this software, never an answer."""


class DrawingFailure(DirracError):
    """A figure could not be written as a picture: no browser was found, or it drew nothing."""
