"""What a terminal shows: the live view, pages, pictures."""
