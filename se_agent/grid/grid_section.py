"""The table `[grid]` of a grid's file, and what is said of a value that it cannot hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any  # whatever TOML can say

from pydantic import BeforeValidator, Field

from se_agent.config.section import Section
from se_agent.config.sections import Count

MOST_CELLS = 100_000

_SEEDS = 5
_NO_PROBLEMS = 'not a list of problems, such as ["order_report", "./mine"]'
_ARM_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}")


def _must_be(kind: type, otherwise: str) -> BeforeValidator:
    """Return what refuses a value of another kind in these words."""

    def check(given: object) -> object:
        if not isinstance(given, kind):
            raise ValueError(otherwise)  # noqa: TRY004 - pydantic catches no other
        return given

    return BeforeValidator(check)


def _problem_list(given: object) -> object:
    if isinstance(given, list) and all(isinstance(name, str) for name in given):
        return given
    raise ValueError(_NO_PROBLEMS)


def _seed_list(given: object) -> object:
    """Return the seeds that are listed, or that a number of them means."""
    if isinstance(given, list):
        if wrong := [each for each in given if type(each) is not int or each < 0]:
            raise ValueError(f"{wrong[0]!r} is no seed, which is a whole number from 0 on")
        return given
    if type(given) is not int or not 0 < given <= MOST_CELLS:
        raise ValueError(
            f"neither a whole number from 1 to {MOST_CELLS}, nor a list such as [1, 2, 3]"
        )
    return tuple(range(given))


def _with_plain_names(arms: Mapping[str, object]) -> object:
    if wrong := [name for name in arms if not _ARM_NAME.fullmatch(name)]:
        raise ValueError(
            f"{wrong[0]!r} names no arm: it takes letters, digits and . _ + -, 64 at most, and "
            "a letter or a digit first"
        )
    return arms


class GridSection(Section):
    """What a grid varies, beside the settings that all its runs have."""

    problems: (
        Annotated[tuple[str, ...], BeforeValidator(_problem_list), Field(strict=False)] | None
    ) = None
    """Shipped problems, folders, globs of both, or problem sets; left out: `problem`."""
    seeds: Annotated[tuple[Count, ...], BeforeValidator(_seed_list), Field(strict=False)] = (
        tuple(range(_SEEDS))
    )
    """Number of seeds, from 0 on, or a list or range; each is a pair for a comparison."""
    arms: Annotated[
        dict[str, Any],
        BeforeValidator(_with_plain_names),
        _must_be(dict, "not a table of arms, such as { all = {}, late = { lag = 4 } }"),
    ] = Field(default_factory=dict)
    """Settings of each arm by dotted key, by a name of your choice; {} changes nothing."""
    axes: Annotated[
        dict[str, Any], _must_be(dict, "not a table of axes, such as { lag = [1, 4] }")
    ] = Field(default_factory=dict)
    """Values of a key: a list, or { from = 1, to = 9, step = 2 }; each makes arms."""
    null: Annotated[bool, _must_be(bool, "neither true nor false")] = False
    """A null arm: the first arm again. Its difference is the noise of everything else."""


class GridTable(Section):
    """The part of the file that is the grid's own."""

    grid: Annotated[
        GridSection, _must_be(dict, "not a table: write [grid], and its keys below it")
    ]
