"""What tests and searches leave open of a program that is called right: named doubts.

`prove`, `run` and `optimize` say them alike. Not here: doubts about inputs, known before
anything runs (`user_function.unvaried`), and about a measurement (`stats.summary`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from se_agent.values.evaluation import Evaluation, Hunt, Status
from se_agent.values.observation import Untaken

OUTSIDE = "outside"
UNSEARCHED = "unsearched"
TIES = "ties"
BRANCHES = "branches"
UNSEEN = "unseen"

SERIOUS = (OUTSIDE, UNSEARCHED, TIES, UNSEEN)
"""Doubts about the change itself: a file is changed in spite of one only where it is named."""

_NAMED = 3  # branches that a doubt names
_NEVER = {
    "true": "makes {} true",
    "false": "makes {} false",
    "entered": "enters {}",
    "left": "leaves {} by its `else`",
    "taken": "takes {}",
}


class Doubt(NamedTuple):
    """A doubt about a program that is called right.

    Attributes:
        name: Name of its kind, such as `outside`.
        words: A sentence.
    """

    name: str
    words: str


def of_search(hunt: Hunt) -> Iterator[Doubt]:
    """Yield what a search for a counterexample leaves open."""
    if hunt.outside:
        yield Doubt(OUTSIDE, f"It differs outside the inputs seen: {hunt.outside}.")
    vain = hunt.cost_seconds > 0 and not hunt.tried and hunt.found is None  # in older journals
    if hunt.note or vain:
        made = "made up to find a difference"
        few = f"Few inputs {made} were" if hunt.tried else f"No input {made} was"
        yield Doubt(UNSEARCHED, f"{few} compared{f': {hunt.note}' if hunt.note else ''}.")


def of_answers(evaluation: Evaluation) -> Iterator[Doubt]:
    """Yield what right answers to the tests leave open, such as that they are copies."""
    if evaluation.status is Status.AC and evaluation.feedback:
        yield Doubt(TIES, evaluation.feedback)


def of_branches(untaken: Sequence[Untaken], *, guessed: bool = False) -> Iterator[Doubt]:
    """Yield which branches of the initial program no watched input takes.

    Args:
        untaken: The branches.
        guessed: Whether the program rests on what was observed, and on nothing else: then the
            doubt is about the change.
    """
    if untaken:
        told = [
            _NEVER[one.way].format(f"`{one.text}` (line {one.line})")
            for one in untaken[:_NAMED]
        ]
        more = f" or takes one of {len(untaken) - _NAMED} more" if untaken[_NAMED:] else ""
        never = f"No watched input {', or '.join(told)}{more}"
        if guessed:
            end = "what a known function does there is not seen"
            yield Doubt(UNSEEN, f"{never}: {end}.")
        else:
            yield Doubt(BRANCHES, f"{never}: how a change answers there is not seen.")
