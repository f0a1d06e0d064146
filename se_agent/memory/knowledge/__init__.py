"""What is known before any run: packs of static knowledge, and the choice among them."""
