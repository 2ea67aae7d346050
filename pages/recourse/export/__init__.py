"""What can be taken away from the workbench, and the check of what was taken away earlier."""
