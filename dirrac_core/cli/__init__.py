"""The commands of `python -m dirrac_core`, one file a subject: `add` describes, `run` does."""
