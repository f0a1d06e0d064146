"""What right programs do, watched in the jail."""
