"""Runs, from start to end. Knows no operator and no evaluator by name.

At the top is what commands call (`run`), then the rooms that it is made of:
`step` over `models` over `judging` over `journal` and `state` over `search`.
"""
