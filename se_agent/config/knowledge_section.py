"""`[memory.knowledge]`: packs of static knowledge, and what of them a run uses."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from se_agent.config.section import Section


def _names(value: object) -> object:
    """Return the names in a text; the word for no pack is `none`."""
    if not isinstance(value, str):
        return value
    return () if value == "none" else tuple(filter(None, value.split(",")))


class KnowledgeSection(Section):
    """What is known before any run: archetypes, skeletons and pitfalls."""

    packs: Annotated[tuple[str, ...], Field(strict=False), BeforeValidator(_names)] = (
        "code_opt",
    )
    """Packs in use, the first that knows such a program counts; "none": no pack."""
    shown: bool = False
    """Prompts show what is known of such programs, and of such failures."""
    rules: bool = False
    """Operators that pay off in such programs begin with a try that counts for them."""
    token_limit: Annotated[int, Field(ge=100)] = 700
    """Tokens of a prompt that this may take."""
