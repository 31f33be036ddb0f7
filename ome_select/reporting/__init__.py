"""A `Decision` as a table, as data or as a picture."""
