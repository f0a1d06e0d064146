"""What is tried next, and which model is asked for it: policies, and what they draw with.

No clock, no file; told of closed steps only. Not here: who asks them (`step`).
"""
