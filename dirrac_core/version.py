"""The version of this software, from the metadata of its installation."""

from importlib.metadata import version as installed_version

DISTRIBUTION = "dirrac-dashboard"


def version() -> str:
    """The version, as pyproject.toml states it."""
    return installed_version(DISTRIBUTION)
