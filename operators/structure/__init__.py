"""Structure around a program: what a `score` program with a declared answer is wrapped into.

Not here: other values for what stands there already (`operators.tuning`).
"""
