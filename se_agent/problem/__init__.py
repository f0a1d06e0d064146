"""What a problem is, and how its folder or its row of a set is read."""
