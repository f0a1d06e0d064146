"""Levels of isolation, and what each of them closes."""
