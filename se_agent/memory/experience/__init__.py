"""What the runs of a workspace learned, for the runs to come."""
