"""The search: loop, policies, judge, journal. Knows no operator and no evaluator by name."""
