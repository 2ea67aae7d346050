"""Pictures that compare methods."""
