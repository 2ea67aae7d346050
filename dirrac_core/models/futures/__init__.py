"""Models of the future: luck, past changes, stress and declared shifts."""
