"""Figures: data in, plotly figure out; no page, no state."""
