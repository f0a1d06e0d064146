"""Inputs, expected answers, checkers, and how an answer is shown."""
