"""What the methods are made of: the set of actions alone, grids, optimisers, inner problems."""
