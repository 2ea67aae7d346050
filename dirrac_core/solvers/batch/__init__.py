"""Many certified plans at once: the contract of `certified`, as array operations over people.

Arrays hold the people along their last axis and are only ever combined entry by entry or summed
over the other axes, so that nobody's answer depends, even in its last digit, on who else is there.
"""
