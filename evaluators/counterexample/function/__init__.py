"""Calls of a function: their shapes, and inputs made of them."""
