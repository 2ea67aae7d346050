"""CSV text that a spreadsheet opens as data, never as a formula."""

import pandas as pd

# A spreadsheet may run a cell that starts with one of these.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_csv(frame: pd.DataFrame, header: bool = True) -> str:
    """The table as CSV text without its index; text that could be a formula gets an apostrophe.

    Column names are guarded like cells. Numbers stay numbers, also negative ones. Lines end as
    RFC 4180 has it, so that a line break of either kind inside a cell is quoted and no part of a
    cell can pass for a line of its own.
    """
    guarded = frame.set_axis([_guarded(str(name)) for name in frame.columns], axis=1)
    for place, kind in enumerate(frame.dtypes):
        if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind)):
            # Text is the only kind of cell that can start like a formula without being a number.
            cells = [_guarded(cell) for cell in frame.iloc[:, place].astype(object)]
            guarded.isetitem(place, cells)
    return guarded.to_csv(index=False, header=header, lineterminator="\r\n")


def _guarded(cell: object) -> object:
    """The cell, with a leading apostrophe where it is text that starts like a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
