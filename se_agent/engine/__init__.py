"""Runs, from start to end. Knows no operator and no evaluator by name.

At the top is what commands call (`run`, `replay`, `problem_set`, ...), wired from the rooms:
`steps` over `models` over `judging` over `record` and `state` over `search`.
"""
