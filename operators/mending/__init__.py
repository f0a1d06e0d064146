"""Failing Python programs are mended by known fixes, without a model."""
