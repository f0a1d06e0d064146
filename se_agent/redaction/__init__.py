"""Secrets: which values are secret, and how a text is freed of them."""
