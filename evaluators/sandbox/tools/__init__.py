"""Compilers, pytest and valgrind, confined."""
