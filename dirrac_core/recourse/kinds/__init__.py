"""Kinds of plans: safest, cheapest, fewest changes, at most a level; and the menu of them."""
