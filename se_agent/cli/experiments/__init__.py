"""Commands for many runs: compare them, and write their tables into files."""
