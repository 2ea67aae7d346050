"""One question: settings, applicant, models and answer."""
