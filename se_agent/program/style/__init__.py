"""How plain a change of a program is, and the same change in the words of its file.

Text in, text out; what the author wrote stays as it is. Not here: whether a rewritten program
still does the same, and as fast (`se_agent.engine.step.minimise`).
"""
