"""The gold set of retrieval, read from its two halves; its rules are in `gold/README.md`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from se_agent.memory.retrieval.fusion import search
from se_agent.memory.retrieval.pool import ItemPool, Query
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.memory.retrieval.query_words import words_of
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.observation import Observation, Scaling
from se_agent.values.solution import Solution

FOLDER = Path(__file__).parent / "gold"
HALVES = ("dev", "test")

Words = Callable[[str, dict[str, Any]], tuple[str, ...]]
"""Words of a program, given its text and what else the set says of it."""


@dataclass(frozen=True)
class Pair:
    """A program, and the lesson that is right for it.

    Attributes:
        lesson: Key of the lesson.
        program: Table of the program.
        also: Keys of lessons that are as right.
    """

    lesson: str
    program: dict[str, Any]
    also: frozenset[str]


@cache
def lessons(half: str) -> tuple[dict[str, Any], ...]:
    """Return the tables of all lessons of a half."""
    return tuple(tomllib.loads((FOLDER / f"{half}.toml").read_text(encoding="utf-8"))["lesson"])


def pairs(half: str) -> Iterator[Pair]:
    """Yield all pairs of a half."""
    for lesson in lessons(half):
        for program in lesson.get("program", ()):
            yield Pair(lesson["key"], program, frozenset(program.get("also", ())))


def program_words(text: str, told: dict[str, Any]) -> tuple[str, ...]:
    """Return what the house makes of a program."""
    observed, failed = Observation(), None
    if "exponent" in told:
        observed = Observation(
            scaling=Scaling(exponent=told["exponent"], sizes=(1, 2), seconds=(1.0, 2.0))
        )
    if "status" in told:
        failed = Evaluation(status=Status(told["status"]), feedback=told.get("error", ""))
    program = Solution(id="Gen0_Sol_0", files={"program.py": text})
    return words_of(program, "python", observed, failed)


def code_words(text: str, told: dict[str, Any]) -> tuple[str, ...]:
    """Return the words of the text itself: the baseline."""
    return tuple(dict.fromkeys(re.findall(r"\w+", text)))


def item(lesson: dict[str, Any], words: Words) -> PoolItem:
    """Return a lesson as a pool has it."""
    triggers = " ".join((*words(lesson["source"], lesson), lesson["operator"]))
    return PoolItem(
        id=lesson["key"],
        title=lesson["title"],
        triggers=triggers,
        body=f"{lesson['description']}\n{lesson['content']}",
        language="python",
        failed=lesson["outcome"] == "Failed",
    )


def recall(half: str, words: Words, *, k: int = 3) -> float:
    """Return the share of pairs whose lesson is among the first k hits."""
    all_items = [item(lesson, words) for lesson in lessons(half)]
    found, pools = [], dict[frozenset[str], ItemPool]()
    for pair in pairs(half):
        if pair.also not in pools:
            pools[pair.also] = ItemPool(one for one in all_items if one.id not in pair.also)
        asked = Query(words=words(pair.program["text"], pair.program), language="python")
        hits = search(pools[pair.also], asked, k=k)
        found.append(pair.lesson in {hit.item.id for hit in hits})
    return sum(found) / len(found)
