"""The advisor: which functions of a program are worth the work of making them faster."""
