"""Searches of others, as they are published: each a program that runs one on its own."""
