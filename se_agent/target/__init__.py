"""A function of the user's own: found, given inputs, compared, changed in its file."""
