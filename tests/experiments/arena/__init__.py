"""Of the market."""
