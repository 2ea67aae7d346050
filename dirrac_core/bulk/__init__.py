"""Many people from a file: read in chunks, planned, written in parts."""
