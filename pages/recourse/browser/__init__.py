"""What the browser draws itself: the table, the cards and the small pictures of the workbench."""
