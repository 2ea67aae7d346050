"""How every figure is drawn: palette, sketches, lines, panels; as a file and to a browser."""
