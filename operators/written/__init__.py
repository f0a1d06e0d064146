"""Operators whose candidates a model writes: what it is asked, and how its reply is read.

Both halves are pure. Who asks the model is the engine's business.
"""
