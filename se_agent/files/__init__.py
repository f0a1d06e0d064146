"""Files and texts that a user or a stranger wrote, read within bounds."""
