"""Functions with one slow idiom: they can be called, and a file that is wrong is noticed."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any  # arguments and answers are plain data of any type

import pytest

from experiments.figures import fuzz
from experiments.figures.patterns import Pattern, end, patterns, table

PATTERN = Pattern(
    name="doubled",
    idiom="concatenation",
    most=10,
    source="def doubled(values):\n    return values + values\n",
    make="ints(rng, 0, 9, size),",
    fuzz="ints(rng, -1, 10, few(rng)),",
)


def copied(values: list[int]) -> list[int]:
    return list(values)


def numbers(rng: random.Random) -> tuple[list[int]]:
    return ([rng.randrange(3) for _ in range(rng.randrange(3))],)


def longer(values: list[int]) -> list[int]:
    values.append(0)
    return values[:-1]


def as_truth(values: list[int]) -> list[int]:
    return [bool(value) if value == 1 else value for value in values]


def refusing(values: list[int]) -> list[int]:
    return [values[i] for i in range(max(len(values), 1))]


def itself(values: list[int]) -> list[int]:
    return values


@cache
def held(values: tuple[int, ...]) -> list[int]:
    return list(values)


def test_there_are_sixty_and_each_can_be_called(tmp_path: Path) -> None:
    found = patterns()
    assert len(found) == 60
    for pattern in found:
        pattern.write(tmp_path)
        function, generate, made = (
            fuzz.defined(tmp_path / file, name)
            for file, name in (
                ("code.py", pattern.name),
                ("cases.py", "generate"),
                ("cases.py", "fuzz"),
            )
        )
        assert isinstance(made(random.Random(1)), tuple)
        function(*generate(random.Random(1), 5))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(longer, id="an argument"),
        pytest.param(as_truth, id="a type"),
        pytest.param(refusing, id="an exception"),
        pytest.param(itself, id="the argument itself"),
        pytest.param(lambda values: held(tuple(values)), id="an answer handed out twice"),
    ],
)
def test_a_difference_is_noticed(other: Callable[..., Any]) -> None:
    assert fuzz.differing(copied, other, numbers, 200)


def test_a_copy_is_as_good_as_the_argument() -> None:
    assert fuzz.differing(itself, copied, numbers, 200) == ""


def test_two_that_raise_alike_are_alike() -> None:
    assert fuzz.differing(refusing, refusing, numbers, 200) == ""


def test_a_written_file_is_compared_with_what_it_was(tmp_path: Path) -> None:
    PATTERN.write(tmp_path)
    assert fuzz.differing_in(tmp_path, PATTERN.name, 50) == ""
    code = tmp_path / "code.py"
    code.write_text("def doubled(values):\n    return values * 2 or [0]\n", encoding="utf-8")
    assert fuzz.differing_in(tmp_path, PATTERN.name, 50).startswith("([],): []")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"status": "not_proven"}, "not proven"),
        ({"status": "nothing_to_try"}, "nothing to try"),
        (
            {"status": "proven", "gain": 2.0, "written": False, "why_not": "outside"},
            "proven, not written for a doubt",
        ),
        ({"status": "proven", "gain": 2.0, "written": True, "wrong": ""}, "written, right"),
        ({"status": "proven", "gain": 2.0, "written": True, "wrong": "(1,)"}, "written, wrong"),
    ],
)
def test_each_end_has_its_name(row: dict[str, Any], told: str) -> None:
    assert end(row) == told
    text = table({"frozen": row})
    assert f"1 of 60 functions: 1 {told}" in text
    assert "| frozen | copying a list into a tuple by a loop | " in text
