"""Lessons drawn out of finished steps, by rules or by a model: the one entry to this room.

Its names are imported when they are asked for, as those of `se_agent.memory`.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` itself would be imported for this one name
if TYPE_CHECKING:
    from se_agent.memory.extraction.first_prompts import lesson_prompts
    from se_agent.memory.extraction.llm_compressor import ModelCompressor
    from se_agent.memory.extraction.llm_extractor import ModelExtractor, SiblingExtractor
    from se_agent.memory.extraction.rule_extractor import DeterministicExtractor
else:

    def __getattr__(name: str) -> object:
        """Return a name of this room, out of the module that has it."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _PLACES[name].partition(":")
        return getattr(import_module(f"{__name__}.{module}"), attribute or name)


_PLACES = {
    "DeterministicExtractor": "rule_extractor",
    "ModelCompressor": "llm_compressor",
    "ModelExtractor": "llm_extractor",
    "SiblingExtractor": "llm_extractor",
    "lesson_prompts": "first_prompts",
}
"""Where each name is defined."""

__all__ = [
    "DeterministicExtractor",
    "ModelCompressor",
    "ModelExtractor",
    "SiblingExtractor",
    "lesson_prompts",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
