"""Where a run stands: a fold over its events, and what its budget leaves to be spent.

Not here: the events on disk (`journal`), nor what is decided by them (`step`).
"""
