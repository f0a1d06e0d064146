"""Does a row's own test fail where the code behind the row is broken? `experiments.breaks`."""
