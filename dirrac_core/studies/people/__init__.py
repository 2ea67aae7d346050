"""Plans for everyone declined: portfolios, groups, the stored runs."""
