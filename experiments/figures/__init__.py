"""Long experiments whose rows are kept: `python -m experiments.figures`."""
