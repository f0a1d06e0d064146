"""Many runs from one plan: the rows of a problem set, and later whole grids."""
