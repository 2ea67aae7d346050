"""A visitor's own table: read, understood, kept for its session."""
