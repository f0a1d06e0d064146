"""Many runs from one plan: the cells of a grid, the rows of a problem set."""
