"""Boosted trees: one representation whoever trained them, and training on shared thresholds."""
