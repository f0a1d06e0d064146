"""How many tokens a text has, and what of it a prompt may hold."""
