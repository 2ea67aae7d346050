"""ROAR as others use it: over several models, and by the published descent."""
