"""What became of promises: backtests, the radius chosen by them, records, remedies."""
