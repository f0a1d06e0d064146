"""LocalMemory, the short-term memory of a run: directions, reasoning bank, evidence."""
