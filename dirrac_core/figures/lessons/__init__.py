"""Pictures for the lesson and the paper."""
