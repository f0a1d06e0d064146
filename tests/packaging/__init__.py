"""What we would ship, installed where nothing of ours is."""
