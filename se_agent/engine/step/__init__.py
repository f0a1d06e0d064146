"""One step of the search, from the selection of its parents to its commit."""
