"""The one table of the workbench: a row is read, locked, ranged, weighted and tried out."""
