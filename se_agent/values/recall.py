"""What earlier runs give to a run at its start: values that its journal holds.

Not here: how they are found (`se_agent.memory.experience`), nor who uses them (the engine).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from se_agent.values.solution import Edit

RECALL = "recall"
"""Name of the operator of a recalled program; a run always has it, and no policy asks it."""


@dataclass(frozen=True, kw_only=True)
class RecalledItem:
    """A lesson of earlier runs, or what people ask for, as a run may use it.

    Attributes:
        id: Its id in `memory.db`.
        kind: `lesson`, `policy` or `preference`.
        outcome: `Success` or `Failed`, for a lesson.
        title: A few words.
        description: One sentence.
        content: The insight.
        operator: Registered name of the operator behind it; of a preference its role.
        direction_key: Key of the direction that it is about.
        words: What a program is found by that it suits.
        language: Language of the program; empty: any.
        family: Family of its problem; empty: several.
        effect: ln(reference / candidate) or a difference of scores; -inf: it was not right.
        significant: Whether the effect is proven.
        merged: How many steps say so.
        lift: Log gain that a step had more on average where it was shown; 0: not known.
        related: What the knowledge graph has around it, in lines of a prompt; empty: nothing.
    """

    id: str
    title: str
    kind: str = "lesson"
    outcome: str = ""
    description: str = ""
    content: str = ""
    operator: str = ""
    direction_key: str = ""
    words: tuple[str, ...] = ()
    language: str = ""
    family: str = ""
    effect: float = 0.0
    significant: bool = False
    merged: int = 1
    lift: float = 0.0
    related: str = ""


@dataclass(frozen=True, kw_only=True)
class ModelReturns:
    """What a model brought in earlier runs of a family of problems.

    Attributes:
        model: Its name in the run file.
        steps: Steps that it wrote.
        gains: How many of them were proven better than their parent.
    """

    model: str
    steps: int
    gains: int


@dataclass(frozen=True, kw_only=True)
class LearnedPreferences:
    """What did best in earlier runs, of what a run has to choose (AM-66).

    Attributes:
        models: What models brought, by name.
        top_k: Lessons in a prompt with which steps fared best; 0: not known.
    """

    models: tuple[ModelReturns, ...] = ()
    top_k: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is known."""
        return not (self.models or self.top_k)


@dataclass(frozen=True, kw_only=True)
class RelatedFacts:
    """What earlier runs relate to an error.

    Attributes:
        error: Key of its template.
        lines: At most three: where it was seen, what mended it, which inputs show it.
    """

    error: str
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class KnownProgram:
    """A program that an earlier run proved better than the one that this run begins with.

    Attributes:
        id: Id of the solution in `memory.db`.
        files: Texts by path.
        edits: Changes that make it of the initial program; empty: it is a program of its own.
        effect: What was proven of it: ln(reference / candidate), or a difference of scores.
        run: The run that proved it.
    """

    id: str
    files: Mapping[str, str]
    edits: tuple[Edit, ...] = ()
    effect: float = 0.0
    run: str = ""
