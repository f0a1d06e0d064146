"""What was said to each role of a run, and what came of it."""
