"""The models of a run: which it needs, what they are told, what calls cost, and each made once.

Not here: which is drawn (`search`), prompts (operators, memory), the wire (`se_agent.llm`).
"""
