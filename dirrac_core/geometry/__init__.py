"""What pictures of a plane need: slices of the feasible set and their regions."""
