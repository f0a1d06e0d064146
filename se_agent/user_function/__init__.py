"""Prove and optimize a function of the user's own."""
