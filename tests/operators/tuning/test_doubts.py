"""Marks that do not count are told with the reason; sound ones are not."""

from __future__ import annotations

import pytest

from operators.tuning.doubts import doubts

SOUND = """
ROUNDS = 60  # tune: 20..200
RATE = 0.1  # tune: 0.001..1.0 log
SIZES = {"width": 3, "height": 5}  # tune: 1..9
STEPS = {"first": 0.5, "rounds": 20}  # tune: 0.01..1.0 log, 5..50
WEIGHTS = {  # tune: 0.0..1.0
    "near": 0.3,
    "depth": 3,  # tune: 1..9
}
PLAIN = 3  # tune this one by hand some day
x = (ROUNDS, RATE, SIZES, STEPS, WEIGHTS, PLAIN)
"""


def test_there_is_no_doubt_about_sound_marks() -> None:
    assert doubts({"main.py": SOUND, "data.txt": "a tune: of 1..2 ("}) == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param("A = 0.5  # tune: 9..1", "the range 9..1 is empty", id="upside-down"),
        pytest.param("A = 5  # tune: int 5.2..5.9", "holds no value", id="no-whole-number"),
        pytest.param("A = 0.5  # tune: 0..1 log", "must begin above 0", id="log-of-zero"),
        pytest.param("A = 0.5  # tune: a, b", "`a` is no range", id="words"),
        pytest.param("A = 0.5  # tune: 0-1", "`0-1` is no range", id="a-dash"),
        pytest.param('A = "a"  # tune: a, b', "no plain number", id="a-text"),
        pytest.param("A = [0.1, 0.2]  # tune: 0..1", "no plain number", id="a-list"),
        pytest.param("A = 3  # tune 1..5", "a colon is missing", id="no-colon"),
        pytest.param("A = 3  # tune int 1..5", "a colon is missing", id="no-colon-int"),
        pytest.param("A = 30  # tune: 1..5", "outside its range", id="outside-its-range"),
        pytest.param("A = 3; B = A  # tune: 1..5, 1..5", "2 ranges are for 1", id="two"),
        pytest.param("A = {  # tune: 5..1\n'b': 3}", "the range 5..1 is empty", id="a-dict"),
    ],
)  # fmt: skip
def test_a_mark_that_does_not_count_is_told_with_why(line: str, why: str) -> None:
    (doubt,) = doubts({"main.py": f"{line}\nx = A\n"})
    assert str(doubt).startswith("main.py:1: ")
    assert why in doubt.why


def test_a_constant_that_nothing_reads_is_told() -> None:
    text = "A = 3  # tune: 1..5\n"
    (doubt,) = doubts({"main.py": text})
    assert doubt.why == "nothing reads A"
    assert doubts({"main.py": text, "other.py": "from main import A\n"}) == ()


def test_a_mark_outside_the_blocks_is_told() -> None:
    text = "A = 3  # tune: 1..5\n# EVOLVE-BLOCK-START\nx = A\n# EVOLVE-BLOCK-END\n"
    (doubt,) = doubts({"main.py": text})
    assert "outside the EVOLVE-BLOCK marks" in doubt.why


def test_a_mark_in_a_text_is_none() -> None:
    assert doubts({"main.py": 'A = """\nB = 3  # tune: 5..1\n"""\nprint(A)\n'}) == ()
