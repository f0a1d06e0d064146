"""Constants marked `# tune:`, one at a time, by random search: the baseline of all tuners.

A mark stands behind an assignment of a number and names its range:

    ROUNDS = 60  # tune: int 20..200
    RATE = 0.1  # tune: 0.001..1.0 log

Half of the draws are even over the range (on a log scale if it says so), half are small steps
from the present value. A genome holds one edit of a constant, the last: it says what the
constant was in the base and what it is now. Not here: tuners that learn from what they saw.
"""

from __future__ import annotations

import io
import math
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from se_agent.code import content_address, evolve_lines, node_hash
from se_agent.problem import Language
from se_agent.types import Brief, Edit, Proposal, Purpose, rng_at

if TYPE_CHECKING:
    from numpy.random import Generator

    from se_agent.protocols import Operator, Replaying

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_MARK = re.compile(
    rf"^(?P<head>\s*(?P<name>\w+)\s*(?::[^=#]+)?=\s*)(?P<value>{_NUMBER})"
    rf"(?P<tail>\s*\#\s*tune:\s*(?P<int>int\s+)?(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER})"
    r"(?P<log>\s+log)?\s*)$"
)
_STEP = 0.1  # deviation of a small step, as a share of the range
_DRAWS = 32  # before it is said that there is nothing new
_DIGITS = 4  # that a drawn number has at least
_FINE = 0.0005  # share of the range that rounding may move a drawn number by


@dataclass(frozen=True)
class Constant:
    """A marked constant: where it stands, what it is, and what it may be.

    Attributes:
        path: Of its file.
        line: Its line, from 1.
        name: That it is assigned to.
        occurrence: Which of several marked constants of this name in this file, from 0.
        value: The number that stands there; it may lie outside the range.
        low: Least value.
        high: Largest value.
        whole: Whether only whole numbers will do; then both ends are whole.
        log: Whether draws are even over the logarithm.
    """

    path: str
    line: int
    name: str
    occurrence: int
    value: float
    low: float
    high: float
    whole: bool
    log: bool

    def drawn(self, rng: Generator) -> float:
        """Return a value within the range, not always a new one."""
        low, high, value = self._scaled(self.low), self._scaled(self.high), self.value
        if rng.random() < 0.5 or not self.low <= value <= self.high:
            drawn = rng.uniform(low, high)
        else:
            drawn = rng.normal(self._scaled(value), _STEP * (high - low))
        found = math.exp(drawn) if self.log else drawn
        found = min(max(found, self.low), self.high)
        return float(round(found)) if self.whole else self._short(found)

    def _short(self, value: float) -> float:
        """Return the number with the fewest digits that is near enough, and in the range."""
        near = _FINE * (self.high - self.low)
        for digits in range(_DIGITS, 17):
            short = float(f"{value:.{digits}g}")
            if self.low <= short <= self.high and abs(short - value) <= near:
                return short
        return value

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value


class Tune:
    """Change one constant that is marked `# tune: LOW..HIGH`."""

    name = "tune"
    arity = 1
    language = Language.PYTHON

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the first parent with one constant changed; None without a mark or news."""
        parent = brief.slot.parents[0]
        found = [c for path, text in parent.files.items() for c in constants(path, text)]
        if not found or brief.editable:
            return None
        rng = rng_at(brief.seed, brief.slot.number, Purpose.OPERATOR, brief.slot.variant)
        for _ in range(_DRAWS):
            constant = found[rng.integers(len(found))]
            value = constant.drawn(rng)
            files = dict(parent.files)
            files[constant.path] = replaced(files[constant.path], constant, value)
            content = content_address(files)
            if content != parent.content and content not in brief.tried:
                return self._proposal(brief, files, constant, value)
        return None

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Give a constant its drawn value, where it still is what it was in the base.

        One that was tuned here as well keeps its own value; see `Replaying`.
        """
        found = [] if editable else [c for path in files for c in constants(path, files[path])]
        for constant in found:
            if self._changes(edit, constant) and edit.node == _node(constant):
                ((_, value),) = edit.parameters
                text = replaced(files[constant.path], constant, float(value))
                return {**files, constant.path: text}
        return None

    def _proposal(
        self, brief: Brief, files: dict[str, str], constant: Constant, value: float
    ) -> Proposal:
        parent = brief.slot.parents[0]
        old, new = _written(constant, constant.value), _written(constant, value)
        earlier = [edit for edit in parent.edits if self._changes(edit, constant)]
        edit = Edit(
            rule=self.name,
            function="",
            node=earlier[0].node if earlier else _node(constant),
            occurrence=constant.occurrence,
            parameters=((constant.name, new),),
        )
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=parent.base or parent.id,
                edits=(*(e for e in parent.edits if e not in earlier), edit),
            ),
            direction=f"Tune `{constant.name}` within {constant.low:g}..{constant.high:g}",
            expected_effect=f"another value may suit the inputs better: {old} -> {new}",
        )

    def _changes(self, edit: Edit, constant: Constant) -> bool:
        """Say whether an edit is an earlier one of this constant."""
        names = [name for name, _ in edit.parameters]
        here = (self.name, constant.occurrence, [constant.name])
        return (edit.rule, edit.occurrence, names) == here


def constants(path: str, text: str) -> list[Constant]:
    """Return the marked constants of a text, in order; a mark whose range is empty is none.

    A mark in a string is no mark, and a text that is not Python has none.
    """
    allowed, lines = evolve_lines(text), text.splitlines()
    found: list[Constant] = []
    for number in _marked(text):
        mark = _MARK.match(lines[number - 1])
        if mark is None or (allowed is not None and number not in allowed):
            continue
        before = sum(constant.name == mark["name"] for constant in found)
        if constant := _constant(path, number, before, mark):
            found.append(constant)
    return found


def _constant(path: str, line: int, occurrence: int, mark: re.Match[str]) -> Constant | None:
    low, high, value = (float(mark[part]) for part in ("low", "high", "value"))
    whole, log = mark["int"] is not None, mark["log"] is not None
    if not math.isfinite(high - low) or not math.isfinite(value):
        return None
    if whole:
        low, high = float(math.ceil(low)), float(math.floor(high))
    if low >= high or (log and low <= 0):
        return None
    return Constant(path, line, mark["name"], occurrence, value, low, high, whole, log)


def _marked(text: str) -> list[int]:
    """Return the numbers of the lines that end in a comment with a mark."""
    if "tune:" not in text:
        return []
    # All line ends that `splitlines` knows: a form feed does not count for tokenize.
    lines = (line + "\n" for line in text.splitlines())
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO("".join(lines)).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    comments = (token for token in tokens if token.type == tokenize.COMMENT)
    return [token.start[0] for token in comments if "tune:" in token.string]


def replaced(text: str, constant: Constant, value: float) -> str:
    """Return the text with another value for a constant, all else as it was."""
    lines = text.splitlines(keepends=True)
    line = lines[constant.line - 1]
    body = line.rstrip("\r\n")
    mark = _MARK.match(body)
    assert mark is not None, "the constant was found in this text"
    ending = line[len(body) :]
    lines[constant.line - 1] = mark["head"] + _written(constant, value) + mark["tail"] + ending
    return "".join(lines)


def _node(constant: Constant) -> str:
    return node_hash(f"{constant.name} = {_written(constant, constant.value)}")


def _written(constant: Constant, value: float) -> str:
    return str(int(value)) if constant.whole else repr(value)


if TYPE_CHECKING:
    _: Operator = Tune()
    _again: Replaying = Tune()
