"""Made-up worlds in which it can be told what a prompt's memory is worth to a model."""
