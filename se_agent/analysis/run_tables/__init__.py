"""The tables of a run: their columns, and what is read of its journal for them."""
