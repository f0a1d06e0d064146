"""What was learned in a run, and what of it a prompt may hold.

LocalMemory is the working part (`local`); the ledger beneath it forgets nothing (`ledger`).
"""

from se_agent.memory.condense import ModelCompressor
from se_agent.memory.distil import ModelExtractor, SiblingExtractor
from se_agent.memory.extract import DeterministicExtractor
from se_agent.memory.ledger import Ledger, search
from se_agent.memory.local import Applied, LocalMemory
from se_agent.memory.render import render_markdown
from se_agent.memory.tokens import TokenCounter, counter

__all__ = [
    "Applied",
    "DeterministicExtractor",
    "Ledger",
    "LocalMemory",
    "ModelCompressor",
    "ModelExtractor",
    "SiblingExtractor",
    "TokenCounter",
    "counter",
    "render_markdown",
    "search",
]
