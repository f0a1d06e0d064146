"""Constants marked `# tune:`, one at a time, by random search: the baseline of all tuners.

A mark stands behind an assignment of a number and names its range:

    ROUNDS = 60  # tune: int 20..200
    RATE = 0.1  # tune: 0.001..1.0 log

Half of the draws are even over the range (on a log scale if it says so), half are small steps
from the present value. Not here: tuners that learn from what they saw.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from se_agent.code import content_address, evolve_lines, node_hash
from se_agent.types import Brief, Edit, Proposal, Purpose, rng_at

if TYPE_CHECKING:
    from numpy.random import Generator

    from se_agent.protocols import Operator

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_MARK = re.compile(
    rf"^(?P<head>\s*(?P<name>\w+)\s*(?::[^=#]+)?=\s*)(?P<value>{_NUMBER})"
    rf"(?P<tail>\s*\#\s*tune:\s*(?P<int>int\s+)?(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER})"
    r"(?P<log>\s+log)?\s*)$"
)
_STEP = 0.1  # deviation of a small step, as a share of the range
_DRAWS = 32  # before it is said that there is nothing new


@dataclass(frozen=True)
class Constant:
    """A marked constant: where it stands, what it is, and what it may be."""

    path: str
    line: int
    name: str
    value: float
    low: float
    high: float
    whole: bool
    log: bool

    def drawn(self, rng: Generator) -> float:
        """Return another value within the range, not always a new one."""
        low, high, value = self._scaled(self.low), self._scaled(self.high), self.value
        if rng.random() < 0.5 or not self.low <= value <= self.high:
            drawn = rng.uniform(low, high)
        else:
            drawn = rng.normal(self._scaled(value), _STEP * (high - low))
        found = math.exp(drawn) if self.log else drawn
        found = min(max(found, self.low), self.high)
        return float(round(found)) if self.whole else float(f"{found:.4g}")

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value


class Tune:
    """Change one constant that is marked `# tune: LOW..HIGH`."""

    name = "tune"
    arity = 1

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

    def _proposal(
        self, brief: Brief, files: dict[str, str], constant: Constant, value: float
    ) -> Proposal:
        parent = brief.slot.parents[0]
        old, new = _written(constant, constant.value), _written(constant, value)
        edit = Edit(
            rule=self.name,
            function="",
            node=node_hash(f"{constant.name} = {old}"),
            parameters=((constant.name, new),),
        )
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=parent.base or parent.id,
                edits=(*parent.edits, edit),
            ),
            direction=f"Tune `{constant.name}` within {constant.low:g}..{constant.high:g}",
            expected_effect=f"another value may suit the inputs better: {old} -> {new}",
        )


def constants(path: str, text: str) -> list[Constant]:
    """Return the marked constants of a text, in order; a mark whose range is empty is none."""
    allowed = evolve_lines(text)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        mark = _MARK.match(line)
        if mark is None or (allowed is not None and number not in allowed):
            continue
        low, high = float(mark["low"]), float(mark["high"])
        log = mark["log"] is not None
        if low < high and (low > 0 or not log):
            value, whole = float(mark["value"]), mark["int"] is not None
            found.append(Constant(path, number, mark["name"], value, low, high, whole, log))
    return found


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


def _written(constant: Constant, value: float) -> str:
    return str(int(value)) if constant.whole else repr(value)


if TYPE_CHECKING:
    _: Operator = Tune()
