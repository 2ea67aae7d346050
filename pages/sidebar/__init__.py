"""The sidebar of the applicant pages."""
