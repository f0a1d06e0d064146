"""SQLite: how a database of ours is opened and closed."""
