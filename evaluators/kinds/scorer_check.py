"""Does a scorer refuse what is no answer? Answers are spoiled, and what gets a score is told.

Each is made of a right answer: NaN, an infinity, a text, nothing or a huge number stands at one
place of it; or all of it is empty, shorter, longer or of another type. A search would find what
a scorer lets through, and live on it. Not here: who rates them (`evaluators.kinds.scorer`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.function.values import parts, put
from evaluators.running.shown import shown
from se_agent import wire
from se_agent.errors import WireError

_NUMBER = re.compile(r"(?<!\S)[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?(?!\S)")
_ROUNDING = 1e-9  # share of a score that does not count
_PLACES = 3  # places of an answer at which something else is tried: first, middle, last
_WRONG: tuple[Any, ...] = (math.nan, math.inf, -math.inf, None, "x", [])
_HUGE: tuple[Any, ...] = (1e308, -1e308, 10**30, -(10**30))


@dataclass(frozen=True)
class Spoiled:
    """An answer that no program should give.

    Attributes:
        value: The answer.
        words: What is wrong with it, such as `nan at [0]`.
        wrong: Whether no score is right for it; of another one only a score that is better
            than that of the right answer is a gap.
    """

    value: Any
    words: str
    wrong: bool = True


@dataclass(frozen=True)
class LetThrough:
    """A spoiled answer that got a score.

    Attributes:
        words: What is wrong with the answer.
        score: What it got.
    """

    words: str
    score: float


@dataclass(frozen=True)
class Scrutiny:
    """What became of spoiled answers.

    Attributes:
        tried: How many were rated.
        right: Score of the answer that they were made of.
        gaps: Those that got a score.
    """

    tried: int
    right: float
    gaps: tuple[LetThrough, ...]


def scrutinized(
    answer: Any,
    right: float,
    rate: Callable[[bytes], float | None],
    *,
    minimize: bool,
    more: Callable[[], bool] = lambda: True,
) -> Scrutiny:
    """Have spoiled answers rated.

    Args:
        answer: A right one.
        right: Its score.
        rate: Returns the score of an answer in wire form (of a text, its bytes), or None.
        minimize: Whether a smaller score is better.
        more: Whether there is time for another one.
    """
    tried, gaps = 0, list[LetThrough]()
    for one in spoiled(answer):
        if not more():
            break
        try:
            sent = one.value.encode() if type(answer) is str else wire.dumps(one.value)
        except WireError:
            continue
        tried, score = tried + 1, rate(sent)
        if score is None:
            continue
        better = (right - score) if minimize else (score - right)
        if one.wrong or better > _ROUNDING * max(abs(right), abs(score)):
            gaps.append(LetThrough(one.words, score))
    return Scrutiny(tried, right, tuple(gaps))


def spoiled(answer: Any) -> Iterator[Spoiled]:
    """Yield answers made of a right one, each spoiled in one way."""
    if type(answer) is str:
        yield from _texts(answer)
        return
    for path in _numbers(answer):
        place = f" at {''.join(f'[{shown(step)}]' for step in path)}" if path else ""
        for value in _WRONG:
            yield Spoiled(put(answer, path, value), f"{shown(value)}{place}")
        for value in _HUGE:
            yield Spoiled(put(answer, path, value), f"{shown(value)}{place}", wrong=False)
    yield from _arrays(answer)
    yield from _sizes(answer)
    for value in (None, "x", {}, 0):
        if type(value) is not type(answer):
            yield Spoiled(value, f"{shown(value)} instead of the answer")


def _numbers(answer: Any) -> list[tuple[Any, ...]]:
    """Return the first, a middle and the last place of a number."""
    found = [path for path, part in parts(answer) if _is_number(part)]
    chosen = (found[n] for n in (0, len(found) // 2, -1)) if found else ()
    return list(dict.fromkeys(chosen))[:_PLACES]


def _is_number(part: Any) -> bool:
    kind = getattr(getattr(part, "dtype", None), "kind", "")
    return type(part) in (int, float) or (kind in ("i", "u", "f") and part.ndim == 0)


def _arrays(answer: Any) -> Iterator[Spoiled]:
    """Yield answers with NaN and infinities in an array of floats."""
    for path, part in parts(answer):
        kind = getattr(getattr(part, "dtype", None), "kind", "")
        if kind != "f" or not part.size:
            continue
        place = "".join(f"[{shown(step)}]" for step in path)
        for value in (math.nan, math.inf, -math.inf):
            other = part.copy().reshape(-1)
            other[0] = value
            told = f"{shown(value)} in the array{f' at {place}' if place else ''}"
            filled = other.reshape(part.shape)[()]
            yield Spoiled(put(answer, path, filled), told)
        return


def _sizes(answer: Any) -> Iterator[Spoiled]:
    """Yield shorter, longer and empty answers."""
    if type(answer) in (list, tuple) and answer:
        kind = type(answer)
        yield Spoiled(kind(), "an empty answer", wrong=False)
        yield Spoiled(answer[:-1], "an answer without its last element", wrong=False)
        yield Spoiled(kind([*answer, answer[-1]]), "its last element twice", wrong=False)
        yield Spoiled(kind([*answer] * 50), "all elements fifty times", wrong=False)
    elif type(answer) is dict and answer:
        last = next(reversed(answer))
        less = {key: value for key, value in answer.items() if key != last}
        yield Spoiled({}, "an empty answer", wrong=False)
        yield Spoiled(less, f"an answer without {shown(last)}", wrong=False)


def _texts(answer: str) -> Iterator[Spoiled]:
    yield Spoiled("", "no output")
    words = [*_NUMBER.finditer(answer)]
    for word in dict.fromkeys((words[0], words[len(words) // 2], words[-1]) if words else ()):
        line = answer.count("\n", 0, word.start()) + 1
        for other in ("nan", "inf", "-inf", "x"):
            text = f"{answer[: word.start()]}{other}{answer[word.end() :]}"
            yield Spoiled(text, f"{other} for {word[0]} in line {line}")
        for other in ("1e308", "-1e308", "1" + "0" * 30):
            text = f"{answer[: word.start()]}{other}{answer[word.end() :]}"
            yield Spoiled(text, f"{other} for {word[0]} in line {line}", wrong=False)
    half = answer[: len(answer) // 2]
    yield Spoiled(half, "the first half of the output", wrong=False)
