"""The folder beside the runs: what is kept across them, and how it is looked after."""
