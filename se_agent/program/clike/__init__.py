"""Programs of C-like languages as tokens: what is code, and what of it belongs together."""
