"""The datasets that come with the project."""
