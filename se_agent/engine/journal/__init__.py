"""What is kept of a run: its folder, its journal, its result."""
