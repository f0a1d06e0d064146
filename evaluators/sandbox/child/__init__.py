"""What runs beside the candidate, in its process or above it."""
