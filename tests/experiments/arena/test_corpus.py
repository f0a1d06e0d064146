"""The corpus of the market: right programs are right and differ, wrong ones are found out."""

from __future__ import annotations

import copy
import random
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest

from experiments.arena.corpus import Lot, Program, lot, names, parsed

Arguments = tuple[Any, ...]  # of any problem
each = pytest.mark.parametrize("name", names())


@cache
def defined(text: str, name: str) -> Callable[..., Any]:
    """What a text of ours defines."""
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    found: Callable[..., Any] = namespace[name]
    return found


def inputs(found: Lot, seeds: range, size: int) -> Iterator[Arguments]:
    text = (found.folder / "generator.py").read_text(encoding="utf-8")
    for seed in seeds:
        yield defined(text, "generate")(random.Random(seed), size)


def answer(found: Lot, program: Program, arguments: Arguments) -> str:
    """What a program answers and what it leaves of its arguments, or how it fails."""
    given = copy.deepcopy(arguments)
    try:
        value = defined(program.text, found.problem.entry_point)(*given)
    except (LookupError, TypeError, ValueError) as err:
        return type(err).__name__
    return repr((value, given))


def operations(function: Callable[..., Any], arguments: Arguments) -> int:
    """Bytecodes that a call executes."""
    count = 0

    def watch(frame: FrameType, event: str, argument: object) -> Any:  # a trace function
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return watch

    given, before = copy.deepcopy(arguments), sys.gettrace()
    sys.settrace(watch)
    try:
        function(*given)
    finally:
        sys.settrace(before)
    return count


def test_there_are_twelve_problems() -> None:
    assert len(names()) >= 12


@each
def test_there_is_enough_to_choose_from(name: str) -> None:
    found = lot(name)
    right = [program for program in found.programs[1:] if program.right]
    assert len(right) >= 8
    assert len({program.strategy for program in right}) >= 3
    assert len(found.programs) - 1 - len(right) >= 2
    assert {program.strategy for program in right} == {s.name for s in found.strategies}


@each
def test_all_programs_differ_beyond_layout_and_names(name: str) -> None:
    programs = lot(name).programs
    assert programs[0].content == lot(name).problem.initial().content
    assert len({program.content for program in programs}) == len(programs)
    assert len({program.words for program in programs}) == len(programs)
    assert len({program.name for program in programs}) == len(programs)


@each
def test_right_programs_are_right_and_wrong_ones_are_not(name: str) -> None:
    found = lot(name)
    sizes = [size for size in (5, 12, 24) for _ in range(14)]
    asked = [next(inputs(found, range(n, n + 1), size)) for n, size in enumerate(sizes)]
    expected = [answer(found, found.initial, arguments) for arguments in asked]
    for program in found.programs:
        same = [answer(found, program, arguments) for arguments in asked] == expected
        assert same is program.right, program.name


@each
def test_there_is_a_gradation_of_cost(name: str) -> None:
    found = lot(name)
    toml = tomllib.loads((found.folder / "problem.toml").read_text(encoding="utf-8"))
    (arguments,) = inputs(found, range(1), min(40, toml["inputs"]["sizes"][2]))
    entry = found.problem.entry_point
    costs = sorted(
        operations(defined(program.text, entry), arguments)
        for program in found.programs
        if program.right
    )
    assert costs[0] * 2 < operations(defined(found.initial.text, entry), arguments)
    steps = [b for a, b in pairwise(costs) if b > 1.05 * a]
    assert len(steps) >= 5


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# Idea\nWords.\n", id="no complexity"),
        pytest.param("# Idea\nWords.\nComplexity: O(1)\n\n## name\nWords.\n", id="no program"),
    ],
)
def test_a_heading_with_something_left_out_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="headings lack words"):
        parsed(text)
