"""What leaves the dashboard: the letter, the scenario file, and whether an old one still holds."""
