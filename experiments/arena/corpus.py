"""The corpus: problems, strategies to solve them, and programs that follow a strategy.

A folder of `problems/` is a problem as the README of the shipped ones has it, with a file
`programs.md`: a heading a strategy with its idea and complexity, below it a heading a program
with what it does in words and its text. "(wrong)" behind the name of a program says that it is
not right on some inputs. Programs of a strategy stand in the order in which somebody would come
to them.

Not here: which of them answers a prompt (`server`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem
from se_agent.program.features import content_address

FOLDER = Path(__file__).parent / "problems"

_STRATEGY = re.compile(r"^# (?P<name>.+)\n(?P<idea>.+)\nComplexity: (?P<complexity>.+)\n", re.M)
_PROGRAM = re.compile(
    r"^## (?P<name>\w+)(?P<wrong> \(wrong\))?\n(?P<words>[^\n]+)\n"
    r"```python\n(?P<text>.*?)^```$",
    re.M | re.S,
)
_EDITION = re.compile(r"^    edition = \d+\n", re.M)
_PATH = "main.py"  # of the program of every Python problem
_INITIAL = "The program that is there at first."


@dataclass(frozen=True)
class Strategy:
    """A way to solve a problem.

    Attributes:
        name: A few words.
        idea: What is done.
        complexity: Complexity of its best programs.
    """

    name: str
    idea: str
    complexity: str

    @property
    def words(self) -> str:
        """All that is said of it."""
        return f"{self.name}. {self.idea} {self.complexity}"


@dataclass(frozen=True)
class Program:
    """A program of the corpus.

    Attributes:
        name: Unique in its problem.
        strategy: Name of the one that it follows.
        step: Place among the programs of the strategy, from 0.
        words: What it does, in a sentence.
        text: Complete source.
        right: Whether it gives the right answers.
    """

    name: str
    strategy: str
    step: int
    words: str
    text: str
    right: bool = True

    @cached_property
    def content(self) -> str:
        """Content address of the text."""
        return address(self.text)


@dataclass(frozen=True)
class Lot:
    """A problem with all that the corpus has for it; the first program is the initial one."""

    problem: Problem
    strategies: tuple[Strategy, ...]
    programs: tuple[Program, ...]

    @property
    def name(self) -> str:
        """Name of the problem."""
        return self.problem.name

    @property
    def folder(self) -> Path:
        """Folder of the problem."""
        return FOLDER / self.name

    @property
    def initial(self) -> Program:
        """The program that a run begins with."""
        return self.programs[0]


def address(text: str) -> str:
    """Return the content address that a program has in a run, whichever edition it is."""
    return content_address({_PATH: plain(text)})


def edition(text: str, entry_point: str, number: int) -> str:
    """Return a program with a local that nothing uses.

    Two people who follow one idea do not write the same text: an edition is another program to
    those who compare texts, and the same to those who measure.
    """
    return re.sub(
        rf"(?m)^(def {entry_point}\(.*\):\n)", rf"\g<1>    edition = {number}\n", text
    )


def plain(text: str) -> str:
    """Return a program without what makes it an edition."""
    return _EDITION.sub("", text)


def names() -> list[str]:
    """Return the names of all problems."""
    return sorted(path.parent.name for path in FOLDER.glob("*/problem.toml"))


@cache
def lot(name: str) -> Lot:
    """Read a problem of the corpus."""
    problem = load_problem(str(FOLDER / name))
    text = (FOLDER / name / "programs.md").read_text(encoding="utf-8")
    strategies, programs = parsed(text)
    initial = Program("initial", strategies[0].name, 0, _INITIAL, problem.initial().text)
    return Lot(problem, strategies, (initial, *programs))


def lots() -> tuple[Lot, ...]:
    """Read the whole corpus."""
    return tuple(lot(name) for name in names())


def parsed(text: str) -> tuple[tuple[Strategy, ...], tuple[Program, ...]]:
    """Return the strategies and programs of a `programs.md`.

    Raises:
        ValueError: There is a heading that is neither.
    """
    headings = list(_STRATEGY.finditer(text))
    whole = len(headings) + len(_PROGRAM.findall(text))
    if whole != (number := len(re.findall(r"^##? \w", text, re.M))):
        raise ValueError(
            f"{number - whole} of {number} headings lack words, a complexity or a program"
        )
    strategies = [Strategy(m["name"], m["idea"], m["complexity"]) for m in headings]
    ends = [*(m.start() for m in headings[1:]), len(text)]
    programs: list[Program] = []
    for strategy, heading, end in zip(strategies, headings, ends, strict=True):
        programs += _programs(strategy.name, text[heading.end() : end], bool(programs))
    return tuple(strategies), tuple(programs)


def _programs(strategy: str, text: str, later: bool) -> Sequence[Program]:
    # The initial program is step 0 of the first strategy.
    return [
        Program(m["name"], strategy, step, m["words"], m["text"], right=not m["wrong"])
        for step, m in enumerate(_PROGRAM.finditer(text), 0 if later else 1)
    ]
