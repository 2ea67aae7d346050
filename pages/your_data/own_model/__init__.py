"""A model of the visitor's own: by its coefficients, or as a file."""
