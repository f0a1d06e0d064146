"""What a model says when it distils or compresses lessons: lenient in form, checked in content.

Words only: figures, sources, outcomes and counts are completed by Python (`reply_grounding`).
Not here: the records that come of it (`se_agent.values.lesson`).
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from se_agent.values.lesson import Outcome

_ITEMS = 64  # a reply with more is not what was asked for

_OUTCOMES = {
    "succ": Outcome.SUCCESS,
    "pass": Outcome.SUCCESS,
    "fail": Outcome.FAILED,
    "neut": Outcome.NEUTRAL,
}
"""Outcomes by how their names begin: a model writes `successful`, or `failure`."""


def _words(value: Any) -> Any:  # whatever a model wrote where a text belongs
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return "" if value is None else value if isinstance(value, dict) else str(value)


def _source(value: Any) -> Any:  # a bare id, or the seed's object
    if isinstance(value, dict):
        generation, own = value.get("generation"), str(value.get("solution_id") or "")
        short = own.lower().startswith("sol") and generation is not None
        return f"Gen{generation}_{own}" if short else own
    return _words(value)


def _known(value: Any) -> Any:  # an outcome that nobody knows says nothing
    return _OUTCOMES.get(str(value).strip().lower()[:4])


def _direction(value: Any) -> Any:  # a direction may come as its words alone
    return {"direction": value} if isinstance(value, str) else value


def _evidence(value: Any) -> Any:
    return value if isinstance(value, dict) else {"code_change": value}


def _nothing(value: Any) -> Any:  # the ways in which a model says null
    return None if value in ({}, [], "", "null", "None") else value


Words = Annotated[str, BeforeValidator(_words)]


class SaidDirection(BaseModel):
    """One of `updated_directions`. `key` is that of an entry it was shown; empty: a new one."""

    key: Words = ""
    direction: Annotated[Words, Field(min_length=1)]
    outcome: Annotated[Outcome | None, BeforeValidator(_known)] = None
    source_ref: Annotated[str, BeforeValidator(_source)] = ""
    evidence: Words = ""


class SaidEvidence(BaseModel):
    """What changed in the logic, and where it holds."""

    code_change: Words = ""
    context: Words = ""


class SaidItem(BaseModel):
    """The `new_memory_item`."""

    title: Annotated[Words, Field(min_length=1)]
    description: Words = ""
    content: Words = ""
    source_ref: Annotated[str, BeforeValidator(_source)] = ""
    evidence: Annotated[SaidEvidence, BeforeValidator(_evidence)] = SaidEvidence()


class Said(BaseModel):
    """The reply of an extraction (LM-50)."""

    updated_directions: Annotated[
        list[Annotated[SaidDirection, BeforeValidator(_direction)]], Field(max_length=_ITEMS)
    ]
    new_memory_item: Annotated[SaidItem | None, BeforeValidator(_nothing)] = None


class KeptItem(BaseModel):
    """A lesson that survives a compression; `sources` are the numbers of what it is made of."""

    sources: Annotated[list[int], Field(min_length=1, max_length=_ITEMS)]
    title: Words = ""
    description: Words = ""
    content: Words = ""


class Compressed(BaseModel):
    """The reply of a compression."""

    items: Annotated[list[KeptItem], Field(max_length=_ITEMS)]


AGAIN = "Answer again with the JSON alone, whole."
"""What a model is told to do after a reply that cannot be used."""
