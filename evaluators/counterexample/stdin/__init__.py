"""Texts of standard input, taken apart by what the texts seen have in common."""
