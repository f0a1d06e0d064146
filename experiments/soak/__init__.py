"""Does anything stay behind after thousands of programs? `python -m experiments.soak`."""
