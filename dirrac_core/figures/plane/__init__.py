"""Pictures of a plane of two features or two settings."""
