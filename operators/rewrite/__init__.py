"""Rules: candidates without a model. One small file for each.

`rule` has the class that all derive from, `change` what a rule yields, `program` and `reading`
what it asks of a syntax tree.
"""
