"""The search, step by step: opened, filled, measured, closed; and its winner trimmed.

Not here: the run around it, its self-test and its confirmation (`se_agent.engine.run`).
"""
