"""A program as data: its language, its features, its normal form, its side effects."""
