"""The command line: thin shells, one library call each."""
