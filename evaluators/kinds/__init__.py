"""The kinds of problems: function, stdio, score, command, and what they share."""
