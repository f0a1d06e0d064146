"""Randomness by address: what a random stream is for, and its generator; and fresh seeds.

Not here: what is drawn from it.
"""

from __future__ import annotations

import enum
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator


class Purpose(enum.IntEnum):
    """What a random stream is for. Part of the file format: never renumber."""

    POLICY = 0
    PAIR_ORDER = 1
    INPUTS = 2
    OPERATOR = 3
    BOOTSTRAP = 4
    MUTANTS = 5
    COUNTEREXAMPLE = 6
    OBSERVATION = 7
    WITHOUT_MEMORY = 8
    MODEL = 9
    EXPOSURE = 10


def rng_at(seed: int, slot: int, purpose: Purpose, *more: int) -> Generator:
    """Return the generator at this address; no stream depends on what ran before."""
    from numpy.random import SeedSequence, default_rng

    return default_rng(SeedSequence([seed, slot, purpose, *more]))


def fresh_seed() -> int:
    """Return a seed that nobody can know before: 48 bits of the operating system's.

    That is too many to keep tables for, and few enough for any reader of JSON.
    """
    return secrets.randbits(48)
