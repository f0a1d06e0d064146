"""What earlier runs give to this one: `[memory.experience]` and `[memory.retrieval]`.

Not here: how it is looked up (`se_agent.memory.experience`).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from se_agent.config.section import Section


class ExperienceSection(Section):
    """What earlier runs give to this one, as far as `memory.prior` lets it read them."""

    enabled: bool = True
    """Earlier runs are read, and added to; false: as if this run were the only one."""
    programs: bool = True
    """The best program that was proven from this very one is the first candidate."""
    edits: bool = False
    """Changes that were proven on this program, or a like one, are tried together first."""
    tests: bool = True
    """Inputs that refuted programs of this problem are asked of every candidate."""
    executions: bool = True
    """Fixes of errors that helped in earlier runs are known to `mend`."""
    guide_pack: bool = False
    """A repair prompt has all that is known of such failures, not how this one failed only."""
    lessons: bool = False
    """Lessons of earlier runs are directions to try."""
    preferences: bool = True
    """Preferences for the problem's family are known, of people and those that runs showed."""


class RetrievalSection(Section):
    """How lessons are chosen for the program that a prompt is about."""

    shown: bool = False
    """Prompts show the lessons of earlier runs that their program suits, by its constructs."""
    top_k: Annotated[int, Field(ge=1, le=20)] = 3
    """Lessons in a prompt at most; fewer where earlier steps fared better with fewer."""
    cutoff: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of the best score that a lesson has at least."""
    token_limit: Annotated[int, Field(ge=50)] = 480
    """Tokens of a prompt that lessons may take."""
    dropout: Annotated[float, Field(ge=0, le=0.5)] = 0.1
    """Chance that a lesson is left out of a prompt, so that later runs know its worth."""
    by_worth: bool = True
    """Lessons that were worth more to those who were shown them come first."""
