"""Lessons drawn out of finished steps, by rules or by a model."""
