"""What was learned in a run, and what of it a prompt may hold.

LocalMemory is the working part (`local`); the ledger beneath it forgets nothing (`ledger`).
"""

from se_agent.memory.context.tokens import TokenCounter, counter
from se_agent.memory.extraction.llm_compressor import ModelCompressor
from se_agent.memory.extraction.llm_extractor import ModelExtractor, SiblingExtractor
from se_agent.memory.extraction.rule_extractor import DeterministicExtractor
from se_agent.memory.local.ledger import Ledger, search
from se_agent.memory.local.memory import LocalMemory, MemoryUpdate
from se_agent.memory.local.rendering import render_markdown

__all__ = [
    "DeterministicExtractor",
    "Ledger",
    "LocalMemory",
    "MemoryUpdate",
    "ModelCompressor",
    "ModelExtractor",
    "SiblingExtractor",
    "TokenCounter",
    "counter",
    "render_markdown",
    "search",
]
