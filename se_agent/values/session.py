"""What all roles of a run agree on, as it is written: the records of session memory.

Fields are those of the seeds (LF-38 to LF-47, HS-11 to HS-15), and whether it was found true.
Not here: how entries are added, merged and rendered (`se_agent.memory.session`).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

Confidence = Literal["low", "medium", "high"]
"""high: confirmed by documents, code or a measurement; medium: inferred; low: a guess."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Sourced(_Record):
    """An entry and where it comes from.

    Attributes:
        source: Role, or part of the program, that said it.
        iteration: Generation in which it was said.
        verified: Whether an evaluation or a reading by Python shows it to be true.
    """

    source: str
    iteration: int = 0
    verified: bool = False


class _Trusted(_Sourced):
    """An entry that is trusted more or less.

    Attributes:
        confidence: How sure it is.
        dissents: Replies that spoke against it since its confidence was last changed.
    """

    confidence: Confidence = "medium"
    dissents: int = 0

    @property
    def binding(self) -> bool:
        """Whether programs have to keep to it: it is sure, and was found true (X-34)."""
        return self.verified and self.confidence == "high"


class Constraint(_Trusted):
    """What a right program has to keep to (LF-39)."""

    constraint: str


class ArchetypeRecord(_Trusted):
    """The pattern that the program follows (LF-40); `known`: a pack has a document of it."""

    type: str
    lifecycle_phases: tuple[str, ...] = ()
    known: bool = True


class KnownFix(_Sourced):
    """What mended an error (LF-41). `error_pattern` is a template where Python wrote it."""

    error_pattern: str
    solution: str


class Decision(_Sourced):
    """A turning point, or dissent from an entry, with its reason (LF-42, HS-54)."""

    decision: str
    reason: str


class CoverageStrategy(_Sourced):
    """What to try next, and at which place (LF-43); `outcome` when a step tried it."""

    strategy: str
    target: str
    outcome: str = ""


class FailureAnalysis(_Sourced):
    """How a program failed: the sixth slot (X-15, LF-65, LF-66)."""

    template: str
    details: str
    solution: str = ""


class Header(_Trusted):
    """A header that programs include, as it was written (HS-14)."""

    path: str


class ValidationRule(_Sourced):
    """What input has to pass before it is used (HS-15)."""

    rule: str
    reason: str


class OrderedStep(_Sourced):
    """A step of set-up or clean-up, and its place among those of its source (HS-16, HS-17)."""

    order: int
    step: str


class ParamConstruction(_Sourced):
    """How an argument is made (HS-18)."""

    param: str
    method: str


class SkeletonComponents(_Record):
    """Parts of a program that roles agreed on (HS-13), under the seed's names."""

    headers: tuple[Header, ...] = ()
    input_validation: tuple[ValidationRule, ...] = ()
    setup_sequence: tuple[OrderedStep, ...] = ()
    cleanup_sequence: tuple[OrderedStep, ...] = ()
    parameter_construction: tuple[ParamConstruction, ...] = ()


class _Slots(_Record):
    """The six kinds of entries, oldest first, and parts of a program."""

    api_constraints: tuple[Constraint, ...] = ()
    archetype: ArchetypeRecord | None = None
    known_fixes: tuple[KnownFix, ...] = ()
    decisions: tuple[Decision, ...] = ()
    coverage_strategies: tuple[CoverageStrategy, ...] = ()
    failure_analyses: tuple[FailureAnalysis, ...] = ()
    skeleton_components: SkeletonComponents = SkeletonComponents()


class SessionMemory(_Slots):
    """All that a run agrees on; the empty one is the seed's initial state (HS-34)."""

    @property
    def empty(self) -> bool:
        """Whether nothing is agreed on yet."""
        return self == NOTHING_AGREED


NOTHING_AGREED = SessionMemory()


class SessionUpdates(_Slots):
    """Changes to it, read from the tags of a reply or made from a measurement.

    Attributes:
        dropped: Tags of the reply that were more, or longer, than a reply may have.
    """

    dropped: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is to be changed."""
        return self == SessionUpdates(dropped=self.dropped)

    @model_serializer(mode="wrap")
    def _short(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return what it says; a journal has one of these for each step that says anything."""
        fields = type(self).model_fields
        return {
            name: value
            for name, value in whole(self).items()
            if getattr(self, name) != fields[name].default
        }
