"""What teaching pages share: curves, demonstrations and the German lesson."""
