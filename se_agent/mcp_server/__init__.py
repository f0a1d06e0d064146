"""Memory and proofs as tools for other agents, over the Model Context Protocol (AM-67)."""
