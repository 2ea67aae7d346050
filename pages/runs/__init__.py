"""Long work of many visitors: whose turn it is, and results kept for everyone."""
