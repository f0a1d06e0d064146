"""What `check` finds out before a run, and how it says it."""
