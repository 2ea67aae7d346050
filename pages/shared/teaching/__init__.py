"""What teaching pages share: lecture mode, and the German lesson."""
