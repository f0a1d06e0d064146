"""What the sandbox and the engine themselves cost: `python -m experiments.bench`."""
