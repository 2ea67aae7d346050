"""Every table and figure of the paper as one function, with the published numbers next to ours."""
