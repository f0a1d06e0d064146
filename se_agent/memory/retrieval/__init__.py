"""Finding the items that a program needs: query words, full text, vectors, fusion.

No clock, no network, no shared generator: the same pool and query give the same hits. Not here:
where items are kept and what makes one (`se_agent.memory.experience`).
"""
