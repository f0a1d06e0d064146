"""Texts made up from those seen: laws that all of them keep, whatever was seen."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.counterexample.function.strategies import Dice
from evaluators.counterexample.stdin.changing import InputChange
from evaluators.counterexample.stdin.form import KnownInput, known_of
from evaluators.counterexample.stdin.layout import Document
from evaluators.counterexample.stdin.making import Draw
from evaluators.counterexample.stdin.smaller import smaller, weight
from tests.evaluators.counterexample.stdin.test_layout import ALL, GROUPS

NUMBERS = st.integers(-50, 50)
ROW = st.tuples(st.sampled_from(["ann", "bob", "cy"]), NUMBERS, st.integers(0, 9))


SIZES = [(0, 1), (3, 2), (1, 5), (5, 3)]


@st.composite
def texts(draw: st.DrawFn) -> list[str]:
    """Draw texts of which the first line counts lines, and tokens of the second one."""
    made = []
    more = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), max_size=4))
    for size, width in [*SIZES, *more]:
        rows = draw(st.lists(ROW, min_size=size, max_size=size))
        wide = draw(st.lists(NUMBERS, min_size=width, max_size=width))
        lines = [f"{size} {width}", " ".join(map(str, wide))]
        lines += [f"{name} {low},{high}" for name, low, high in rows]
        made.append("\n".join(lines) + "\n")
    return made


def known(found: list[str]) -> KnownInput:
    made = known_of(found)
    assert made is not None
    return made


def made_up(found: KnownInput, number: int) -> list[Document]:
    """Return some new documents and some changed ones, bent to what was seen."""
    draw = Draw(found.layout, Dice(Random(number)))
    change = InputChange(draw)
    new = [draw.fresh() for _ in range(8)]
    new += [change.changed(draw.dice.pick(found.documents)) for _ in range(16)]
    return [found.mending.mended(document) for document in new]


@pytest.mark.tier("hunts")
@settings(max_examples=25, deadline=None)
@given(texts(), st.integers(0, 99))
def test_made_up_texts_keep_the_counts(found: list[str], number: int) -> None:
    own = known(found)
    for document in made_up(own, number):
        first, second, *rows = own.layout.write(document).splitlines()
        if own.like_seen(document):
            assert first == f"{len(rows)} {len(second.split())}"


@pytest.mark.tier("hunts")
@settings(max_examples=25, deadline=None)
@given(texts(), st.integers(0, 99))
def test_what_is_like_the_texts_seen_stays_within_them(found: list[str], number: int) -> None:
    own = known(found)
    numbers = [
        int(token)
        for text in found
        for token in text.split("\n", 1)[1].split()
        if token.lstrip("-").isdigit()
    ]
    names = {token for text in found for token in text.split() if token.isalpha()}
    for document in made_up(own, number):
        if not own.like_seen(document):
            continue
        for line in own.layout.write(document).splitlines()[1:]:
            for token in line.split():
                if token.lstrip("-").isdigit():
                    assert min(numbers) <= int(token) <= max(numbers)
                if token.isalpha():
                    assert len(token) <= max(map(len, names))


@pytest.mark.parametrize("found", ALL)
def test_all_that_is_written_can_be_read_if_it_counts(found: list[str]) -> None:
    own = known(found)
    for document in made_up(own, 7):
        if own.like_seen(document):
            assert own.layout.read(own.layout.write(document)) == document


def test_groups_that_are_made_up_have_lines_of_their_own() -> None:
    draw = Draw(known(GROUPS).layout, Dice(Random(7)))
    sizes = {len(unit) for _ in range(20) for section in draw.fresh() for unit in section}
    assert max(sizes) > 1


@pytest.mark.parametrize("found", ALL)
def test_what_was_seen_is_like_what_was_seen(found: list[str]) -> None:
    own = known(found)
    assert all(map(own.like_seen, own.documents))
    assert len(own.documents) == len(found)


@pytest.mark.parametrize("found", ALL)
def test_some_of_what_is_made_up_is_new_and_counts(found: list[str]) -> None:
    own = known(found)
    made = {
        own.layout.write(one) for n in range(5) for one in made_up(own, n) if own.like_seen(one)
    }
    assert len(made - set(found)) >= 3


@pytest.mark.parametrize("found", ALL)
def test_smaller_texts_have_counts_that_are_right(found: list[str]) -> None:
    own = known(found)
    largest = max(found, key=len)
    document = own.layout.read(largest)
    assert document is not None
    less = [own.layout.settled(one) for one in smaller(document, own.layout)]
    read = [own.layout.read(own.layout.write(one)) for one in less]
    assert sum(one is not None for one in read) >= len(less) // 2
    assert any(weight(own.layout.write(one)) < weight(largest) for one in less)


SORTED = [f"{n}\n" + "".join(f"{i * i} {50 + i % 2}\n" for i in range(n)) for n in range(2, 7)]
BELOW = [f"{n} {9 - n}\n" + "".join(f"{i % n}\n" for i in range(9 - n)) for n in range(1, 7)]
PAIRS = [
    f"{n}\n" + "".join(f"{i} {j}\n" for i, j in [(1, 2), (1, 3), (2, 3), (1, 4), (2, 4)][:n])
    for n in range(1, 6)
] * 3
LOG = [
    f"{2 * n}\n"
    + "".join(f"open {w}\n" for w in "abcd"[:n])
    + "".join(f"close {w}\n" for w in "dcba"[4 - n :])
    for n in range(1, 5)
]


@pytest.mark.parametrize(
    ("found", "fair", "unfair"),
    [
        pytest.param(SORTED, "3\n0 50\n4 50\n9 51\n", "3\n4 50\n0 50\n9 51\n", id="sorted"),
        pytest.param(BELOW, "2 3\n0\n1\n1\n", "2 3\n0\n1\n2\n", id="below-a-number"),
        pytest.param(PAIRS, "2\n1 2\n2 4\n", "2\n1 2\n1 2\n", id="no-row-twice"),
        pytest.param(PAIRS, "2\n1 2\n2 4\n", "2\n1 2\n4 2\n", id="order-in-a-row"),
        pytest.param(LOG, "2\nopen b\nclose b\n", "2\nopen b\nclose c\n", id="seen-before"),
        pytest.param(LOG, "2\nopen b\nclose b\n", "2\nclose b\nopen b\n", id="never-ahead"),
    ],
)
def test_what_every_text_kept_is_kept(found: list[str], fair: str, unfair: str) -> None:
    own = known(found)
    verdicts = []
    for text in (fair, unfair):
        document = own.layout.read(text)
        verdicts.append(document is not None and own.like_seen(document))
    assert verdicts == [True, False]
