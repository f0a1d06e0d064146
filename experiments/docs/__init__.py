"""What keeps the documents true."""
