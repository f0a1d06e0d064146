"""What `advise` asks of the operators, and how it prints what it found."""
