"""A scenario in the address of a page, and controls that stand in it."""
