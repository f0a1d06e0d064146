"""What was learned, as it is written: the records of LocalMemory with the seed's fields.

Not here: how the records are kept, compressed and rendered (`se_agent.memory`).
"""

from __future__ import annotations

import enum
import math
import re
from functools import lru_cache
from operator import itemgetter
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from se_agent.values.evaluation import Branch, Status

_ID = re.compile(
    r"(?:Gen_?(?P<gen>[0-9]{1,9})_)?Sol_?(?P<sol>[0-9]{1,9})"
    r"|g(?P<g>[0-9]{1,9})s(?P<s>[0-9]{1,9})",
    re.IGNORECASE,
)


@lru_cache(1024)  # a lesson names few steps, most of them again and again
def _numbers(text: str) -> tuple[str | None, str] | None:
    """Return generation and number of an id as they are written; None: it is no id."""
    found = _ID.fullmatch(text.strip())
    return (found["gen"] or found["g"], found["sol"] or found["s"]) if found else None


def canonical_id(text: str, *, generation: int | None = None) -> str:
    """Return a solution id as `Gen3_Sol_4`, whichever of its spellings was given (X-06).

    Args:
        text: `Gen3_Sol_4`, `Gen_3_Sol_4`, `g3s4`, or `Sol_4` where `generation` is known.
        generation: Generation of the solution, for a spelling that leaves it out.

    Raises:
        ValueError: The text is none of these.
    """
    found = _numbers(text)
    gen = (found[0] or generation) if found else None
    if found is None or gen is None:
        raise ValueError(f"not a solution id: {text!r}; write it like 'Gen3_Sol_4'")
    return f"Gen{int(gen)}_Sol_{int(found[1])}"


class Record(BaseModel):
    """Base of everything that memory stores: frozen, closed, infinities as strings."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class Outcome(enum.StrEnum):
    """How a direction fared (X-05). Rendered in the seed's words."""

    SUCCESS = "Success"
    FAILED = "Failed"
    NEUTRAL = "Neutral"


def _outcome(value: Any) -> Any:  # whatever a model or an older file wrote
    aliases = {"failure": "Failed", "fail": "Failed", "succeeded": "Success", "pass": "Success"}
    text = str(value).strip()
    return aliases.get(text.lower(), text.capitalize())


AnyOutcome = Annotated[Outcome, BeforeValidator(_outcome)]
"""An outcome in any of its spellings."""


class Metric(Record):
    """A figure with its unit and the direction in which it improves (LM-09, X-08, X-09).

    Where `trusted` is false, the program has a part in saying it.
    """

    value: float
    unit: str = "s"
    direction: Literal["minimize", "maximize"] = "minimize"
    trusted: bool = True

    @property
    def sign(self) -> int:
        """1 where a larger value is better, else -1."""
        return 1 if self.direction == "maximize" else -1


Generation = Annotated[int, Field(ge=0, lt=1_000_000_000)]
Count = Annotated[int, Field(ge=0, lt=1_000_000_000)]
SolutionId = Annotated[str, BeforeValidator(lambda text: canonical_id(str(text)))]


class GlobalStatus(Record):
    """Where the run stands (LM-02, LM-08 to LM-11).

    Attributes:
        current_generation: The newest one that a lesson came from.
        best_runtime: The best's metric; None before anything was measured.
        best_solution_id: The incumbent.
        current_approach: Names of the edits, or the strategy, of the best.
    """

    current_generation: Generation = 0
    best_runtime: Metric | None = None
    best_solution_id: SolutionId = "Gen0_Sol_0"
    current_approach: str = ""


class SourceRef(Record):
    """The step that a lesson comes from (LM-24, X-07); a bare id is accepted on input."""

    generation: Generation
    solution_id: str
    parent_id: str = ""

    @model_validator(mode="before")
    @classmethod
    def _spellings(cls, value: Any) -> Any:  # a string or an object, any spelling of the ids
        if isinstance(value, str):
            value = {"solution_id": canonical_id(value)}
        if not isinstance(value, dict) or "solution_id" not in value:
            return value
        generation = value.get("generation")
        own = canonical_id(str(value["solution_id"]), generation=generation)
        parent = str(value.get("parent_id") or "")
        return {
            "generation": int(own[3 : own.index("_")]) if generation is None else generation,
            "solution_id": own,
            "parent_id": canonical_id(parent) if parent else "",
        }


class Direction(Record):
    """One strategy that was tried: the signpost layer (LM-12 to LM-16).

    Attributes:
        direction: The strategy in high-level words.
        outcome: How it fared.
        source_ref: The step that says so.
        evidence: What was seen.
        key: Stable id in the ledger; empty for one that a model wrote anew.
        tries: Steps that followed it, as far as its author counted; 0: a person suggested it.
        gains: How many of them were proven better.
        losses: How many of them were wrong or proven worse.
    """

    direction: str
    outcome: AnyOutcome
    source_ref: SourceRef
    evidence: str = ""
    key: str = ""
    tries: Count = 1
    gains: Count = 0
    losses: Count = 0

    def __hash__(self) -> int:
        """Return a hash of what tells directions of a list apart: they are looked up often."""
        return hash((self.direction, self.source_ref.solution_id))

    @property
    def untried(self) -> bool:
        """Whether a person suggested it and no step followed it yet."""
        return self.tries == 0


_MADE: dict[tuple[object, ...], Direction] = {}
_MOST_MADE = 1024


def _made_once(given: Any, make: ValidatorFunctionWrapHandler) -> Direction:
    """Return a direction, the same object for the same words.

    A lesson repeats the whole list, of which its step changed an entry or two: to read the
    others anew would take most of the time that a long journal takes.
    """
    try:
        key = (*_own(given), *_source(given["source_ref"]))
        if (known := _MADE.get(key)) is not None:
            return known
    except (KeyError, TypeError, IndexError):  # a direction already, or none, or a short form
        made: Direction = make(given)
        return made
    if len(_MADE) >= _MOST_MADE:
        _MADE.clear()
    made = _MADE[key] = make(given)
    return made


_own = itemgetter(*(name for name in Direction.model_fields if name != "source_ref"))
_source = itemgetter(*SourceRef.model_fields)


class Evidence(Record):
    """What supports a lesson (LM-25 to LM-27); `context` says where it holds."""

    code_change: str = ""
    metrics_delta: str = ""
    context: str = ""


def _a_number(effect: float) -> float:
    if math.isnan(effect):
        raise ValueError(f"effect={effect}: it has no rank")
    return effect


class Item(Record):
    """One entry of the reasoning bank (LM-18 to LM-27).

    Attributes:
        type: The branch that it came from.
        title: A few words.
        description: One sentence.
        content: The transferable insight.
        related_operator: Registered name of the operator behind the step.
        source_ref: The step that it comes from.
        evidence: What supports it.
        status: How the candidate ended; ranks failures.
        effect: How much better than its parent; -inf for one that was not right.
        significant: Whether the effect is proven.
        merged: How many items were merged into it, itself included.
        constructs: What its change took out of its parent; a program that has none of it has
            not what the lesson is about. Empty: unknown, or nothing was taken out.
    """

    type: Branch
    title: str
    description: str = ""
    content: str = ""
    related_operator: str = ""
    source_ref: SourceRef
    evidence: Evidence = Evidence()
    status: Status = Status.AC
    effect: Annotated[float, AfterValidator(_a_number)] = 0.0
    significant: bool = False
    merged: Annotated[int, Field(ge=1, lt=1_000_000_000)] = 1
    constructs: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return a hash of what tells items of a bank apart: they are looked up often."""
        return hash((self.title, self.source_ref.solution_id))


class Lesson(Record):
    """What one extraction returns (LM-50). A trivial insight makes no item (null).

    Attributes:
        updated_directions: The whole list.
        new_memory_item: What the extraction found.
        further_items: What the step showed besides, where the extraction was of several.
    """

    updated_directions: tuple[Annotated[Direction, WrapValidator(_made_once)], ...]
    new_memory_item: Item | None = None
    further_items: tuple[Item, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """All items, in the order in which they are appended."""
        new = self.new_memory_item
        return self.further_items if new is None else (*self.further_items, new)
