"""What is kept of a run, and what it came to: its folder, its journal, its result.

Not here: what an event changes in a run that is under way (`state`), nor reports of it.
"""
