"""Draw the program of the corpus that answers a prompt.

A program is likelier the nearer it is to those in the prompt, when it follows the strategy that
the prompt names, and less likely when the prompt says that its idea failed. Of a strategy that
the parent does not follow the plain programs come first. A share of answers helps nobody. Pure:
the same prompt, seed and number draw the same.
"""

from __future__ import annotations

import enum
import io
import math
import random
import re
import tokenize
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from experiments.arena.corpus import Lot, Program, Strategy, address, plain
from experiments.arena.prompt import Asked, Form

SMALL, WHOLE, AFAR = 7.0, 5.0, 2.5
"""How fast the chance falls with the distance: of diffs, of whole programs, of other ways."""

BESIDE = 0.3
"""Pull of a program that is shown beside the parent."""

FOLLOWED = 8.0
"""Factor of the programs of the strategy that the prompt names."""

NAIVE = 0.4
"""Factor a step beyond the plainest program of a strategy that is new."""

BACK = 0.3
"""Factor of a plainer program of the parent's own strategy."""

SHUNNED, PRAISED, REPEATED = 0.25, 1.5, 0.2
"""Factors of an idea said to have failed, of a strategy said to work, of what is shown."""

EDITIONS = 20
"""Texts of each program; they differ in nothing that matters."""

ALIKE = 0.6
"""Share of the words of an idea that a line holds when it means it."""

_SHARES = (("prose", 0.04), ("broken", 0.04), ("renamed", 0.05))
_WORD = re.compile(r"[a-z]{3,}")


class Manner(enum.Enum):
    """What becomes of the drawn program."""

    PLAIN = "as it is"
    PROSE = "words without a program"
    BROKEN = "cut in the middle of a line"
    RENAMED = "the parent once more, under other names"


@dataclass(frozen=True)
class Drawn:
    """What is answered."""

    program: Program
    manner: Manner
    edition: int = 0


def drawn(asked: Asked, lot: Lot, seed: str) -> Drawn:
    """Return what answers a prompt about a problem of the corpus."""
    rng = random.Random(seed)
    chance = rng.random()
    manner = Manner.PLAIN
    for name, share in _SHARES:
        if 0 <= chance < share:
            manner = Manner[name.upper()]
        chance -= share
    weighted = weights(asked, lot)
    (program,) = rng.choices(list(weighted), list(weighted.values()))
    return Drawn(program, manner, rng.randrange(EDITIONS))


def weights(asked: Asked, lot: Lot) -> dict[Program, float]:
    """Return how likely each program is, up to a factor."""
    parent = plain(asked.parent or lot.initial.text)
    reach = AFAR if asked.afar else SMALL if asked.form is Form.DIFF else WHOLE
    own = min(lot.programs, key=lambda program: distance(program.text, parent))
    wanted = meant(asked.wanted, lot.strategies)
    worked = {p.strategy for p in lot.programs if named(p.words, asked.worked)}
    shown = {address(text) for text in asked.shown}
    base = address(parent)
    found = {}
    for program in lot.programs[1:]:
        if program.content == base:
            continue
        weight = math.exp(-reach * distance(program.text, parent))
        weight += BESIDE * sum(
            math.exp(-reach * distance(program.text, plain(text))) for text in asked.shown
        )
        if program.strategy != own.strategy:
            weight *= NAIVE**program.step
        elif program.step < own.step:
            weight *= BACK
        if wanted is not None and program.strategy == wanted.name:
            weight *= FOLLOWED
        if program.strategy in worked:
            weight *= PRAISED
        if named(program.words, asked.failed):
            weight *= SHUNNED
        if program.content in shown:
            weight *= REPEATED
        found[program] = weight
    return found


def meant(words: str, strategies: Iterable[Strategy]) -> Strategy | None:
    """Return the strategy that is meant by some words, if any is."""
    best = max(strategies, key=lambda each: _share(each.words, words), default=None)
    return best if best is not None and _share(best.words, words) >= ALIKE else None


def named(idea: str, lines: Iterable[str]) -> bool:
    """Say whether one of the lines means an idea."""
    return any(_share(idea, line) >= ALIKE for line in lines)


def _share(idea: str, text: str) -> float:
    words = _words(idea)
    return len(words & _words(text)) / len(words) if words else 0.0


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


@cache
def distance(text: str, other: str) -> float:
    """Return how unlike two programs are, from 0 to 1: pairs of neighbouring tokens."""
    mine, theirs = _pairs(text), _pairs(other)
    both = sum((mine & theirs).values())
    return 1 - 2 * both / max(1, mine.total() + theirs.total())


@cache
def _pairs(text: str) -> Counter[tuple[str, str]]:
    tokens = _tokens(text)
    return Counter(pairwise(tokens))


def _tokens(text: str) -> list[str]:
    left_out = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)
    try:
        read = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text.split()
    return [t.string.strip() or str(t.type) for t in read if t.type not in left_out]
