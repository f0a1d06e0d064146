"""The shipped problems."""
