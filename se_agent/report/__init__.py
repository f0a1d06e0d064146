"""What people look at: a run's events as words, tables and pictures. Writes nothing."""
