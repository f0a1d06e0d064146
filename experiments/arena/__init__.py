"""A market of real programs behind a chat endpoint: it rewards asking well and nothing else."""
