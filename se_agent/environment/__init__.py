"""The environment variables of our own process, and of those that we start."""
