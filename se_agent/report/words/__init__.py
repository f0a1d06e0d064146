"""Figures, statuses and results in words."""
