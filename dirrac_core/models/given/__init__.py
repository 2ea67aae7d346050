"""Models that were made elsewhere: coefficients, scorecards, anything that reads raw columns."""
