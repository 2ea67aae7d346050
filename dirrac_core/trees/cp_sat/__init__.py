"""The constraint program of one applicant over boosted trees, and its runs."""
