"""Benchmarks and figures: what the documentation claims, measured by scripts."""
