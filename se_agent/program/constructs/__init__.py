"""Costly constructs of Python programs, in words."""
