"""Runs from start to end: resolve, start, resume, replay."""
