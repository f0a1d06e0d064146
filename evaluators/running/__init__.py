"""How programs of one mode are run, and how what they are given and answer is written."""
