"""How noisy is this machine: programs of known difference, compared the way a run compares."""
