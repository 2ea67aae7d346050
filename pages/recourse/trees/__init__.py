"""The workbench of boosted trees: plan, promise, reasons, menu, what-if and files."""
