"""The user's own code that calls what is to be faster."""
