"""What a page loads for good is kept out of later garbage collections.

A full collection walks through every object of the process, 0.1 s for the libraries and the pages
alone, and it comes in the middle of somebody's reaction.
"""

import gc
from functools import cache


@cache
def settle(page: str) -> None:
    """After the first run of a page in this process: set aside what is alive now."""
    gc.collect()
    gc.freeze()
