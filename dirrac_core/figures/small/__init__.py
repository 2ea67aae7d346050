"""Small pictures as SVG text: drawn in a millisecond, in the ink of the page that shows them."""
