"""The git repository of a user's file: what is asked of it, and a commit for it."""
