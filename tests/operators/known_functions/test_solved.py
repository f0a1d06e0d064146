"""Recurrences and polynomials that nobody listed: found from calls, written into programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from operators.editing.genome import replayed
from operators.known_functions.adapter import Adapter
from operators.known_functions.archetype import Written
from operators.known_functions.body import with_archetype
from operators.known_functions.library import library
from operators.known_functions.matching import Match, convincing, matches_among
from operators.known_functions.operator import KnownFunctions
from operators.known_functions.site import sites
from operators.known_functions.solving import solved_polynomial, solved_recurrence
from tests.operators.known_functions.test_operator import brief, proposed
from tests.operators.known_functions.watching import function_of, watched

KERNELS = [library()["linear_recurrence"], library()["polynomial"]]
FAR = 700
small = st.integers(-3, 3)
some_coefficients = st.lists(small, min_size=1, max_size=4).filter(lambda c: bool(c[-1]))


def terms(coefficients: Sequence[int], first: Sequence[int], number: int) -> list[int]:
    found = list(first)
    while len(found) < number:
        found.append(sum(c * found[-j] for j, c in enumerate(coefficients, 1)))
    return found[:number]


def found(
    function: Callable[[int], Any], numbers: Sequence[int], *constants: int
) -> Match | None:
    """Return the best match of a function that is watched on some numbers."""
    calls = watched(function, [(n,) for n in numbers])
    matches = convincing(matches_among(KERNELS, calls, constants))
    return matches[0] if matches else None


def standing_in(match: Match) -> Callable[[int], Any]:
    """Return the function that an edit makes of one which fails."""
    text = "def old(n):\n    for _ in range(1):\n        raise RuntimeError\n"
    new = with_archetype(text, sites(text)["old"], match.archetype, match.adapter)
    return function_of(new, "old")


def written(match: Match) -> Written:
    return match.archetype.written(match.adapter)


@given(some_coefficients, st.data())
@settings(max_examples=80)
def test_a_recurrence_is_found_from_its_first_terms(
    coefficients: list[int], data: st.DataObject
) -> None:
    order = len(coefficients)
    first = data.draw(st.lists(small, min_size=order, max_size=order))
    brute = terms(coefficients, first, FAR)
    solved = solved_recurrence([*enumerate(brute[: 3 * order + 3])])
    assert solved is not None
    rule, beginning = solved.literals
    assert (terms(rule, beginning, FAR), solved.begin) == (brute, 0)
    adapter = Adapter(arguments=(*map(repr, solved.literals), "a0"), types="a0 >= 0")
    new = standing_in(Match(library()["linear_recurrence"], adapter, 0, 1, 0.0))
    assert [new(n) for n in (*range(40), 500, 501, FAR - 1)] == [
        brute[n] for n in (*range(40), 500, 501, FAR - 1)
    ]


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=7), st.integers(1, 4), st.data())
@settings(max_examples=80)
def test_a_polynomial_is_found_from_any_points(
    coefficients: list[int], divisor: int, data: st.DataObject
) -> None:
    """Its binomials have whole values where its powers may have fractions."""
    assume(coefficients[-1])

    def brute(n: int) -> int:
        return sum(c * math.comb(n, i) for i, c in enumerate(coefficients)) * divisor

    points = data.draw(st.sets(st.integers(0, 60), min_size=2 * len(coefficients) + 2))
    assume(all(len({n % m for n in points}) == m for m in range(2, 6)))
    solved = solved_polynomial([(n, brute(n)) for n in sorted(points)])
    assert solved is not None
    adapter = Adapter(arguments=(*map(repr, solved.literals), "a0"))
    match = Match(library()["polynomial"], adapter, 0, 1, 0.0)
    assert not written(match).calls
    new = standing_in(match)
    for n in (*range(30), 10**6, 10**20):
        expected = sum(c * _comb(n, i) for i, c in enumerate(coefficients)) * divisor
        assert match.archetype.function(*solved.literals, n) == expected
        assert new(n) == expected


def _comb(n: int, k: int) -> int:
    return math.prod(range(n - k + 1, n + 1)) // math.factorial(k)


def steps(n: int) -> int:
    return 0 if n < 2 else 1 + steps(3 * n + 1 if n % 2 else n // 2)


PRIMES = [p for p in range(2, 400) if all(p % d for d in range(2, p))]


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda n: PRIMES[n], id="primes"),
        pytest.param(lambda n: sum(int(d) ** 2 for d in str(n)), id="squares-of-digits"),
        pytest.param(steps, id="collatz"),
        pytest.param(lambda n: n * 7919 % 101 * (n * 31 % 17), id="noise"),
        pytest.param(math.factorial, id="factorial"),
        pytest.param(lambda n: math.comb(2 * n, n) // (n + 1), id="catalan"),
        pytest.param(math.isqrt, id="roots"),
        pytest.param(lambda n: 3 * n + 1, id="a-line-says-nothing"),
        pytest.param(lambda n: 5, id="a-constant-says-nothing"),
        pytest.param(lambda n: n * n if n < 40 else 0, id="breaks-off"),
        pytest.param(lambda n: n % 2 == 0, id="yes-or-no"),
    ],
)
def test_what_is_neither_has_no_match(function: Callable[[int], Any]) -> None:
    assert found(function, range(60)) is None


def test_odd_numbers_say_nothing_of_even_ones() -> None:
    assert found(lambda n: n * n, range(30)) is not None
    assert found(lambda n: n * n, range(1, 60, 2)) is None


@pytest.mark.parametrize(
    "numbers", [range(0, 120, 3), range(0, 200, 5), [n for n in range(80) if n % 4 != 3]]
)
def test_a_remainder_that_was_not_seen_may_be_another_case(numbers: Sequence[int]) -> None:
    assert found(lambda n: n * n, numbers) is None


def test_sums_of_floats_are_rounded_in_their_own_way() -> None:
    def doubled(n: int) -> float:
        return math.prod([2.0] * n)

    assert found(doubled, range(60)) is None
    assert found(lambda n: n * (n + 1) / 2 * (n + 2), range(60)) is None


def test_a_number_of_the_program_that_was_not_reached_may_be_a_modulus() -> None:
    def squares(n: int) -> int:
        return sum(i * i for i in range(n)) % 1_000_003

    assert found(squares, range(40), 1_000_003) is None
    reached = found(squares, range(0, 300, 1), 1_000_003)
    assert reached is not None
    assert [*map(standing_in(reached), range(600))] == [*map(squares, range(600))]


def test_terms_that_begin_late_are_counted_from_there() -> None:
    brute = terms([1, 1, 1], [0, 1, 1], 60)
    match = found(lambda n: brute[n - 2000], range(2000, 2050))
    assert match is not None
    assert max(map(len, match.adapter.arguments)) < 20
    assert [*map(standing_in(match), range(2010, 2060))] == brute[10:]
    assert found(lambda n: 10**25 * n * n, range(40)) is None  # nobody reads such a literal


def test_texts_beside_a_formula_stay_as_they_are() -> None:
    def named(n: int) -> int | str:
        return sum(range(n)) or "a ** b"

    match = found(named, range(40))
    assert match is not None
    assert [*map(standing_in(match), range(2, 60))] == [*map(named, range(2, 60))]
    if "'" in match.adapter.result:
        assert standing_in(match)(0) == "a ** b"


@given(st.lists(st.integers(-(10**6), 10**6), min_size=30, max_size=60))
def test_what_is_drawn_has_no_match(drawn: list[int]) -> None:
    assume(len({*drawn}) > 20)
    assert found(lambda n: drawn[n], range(len(drawn))) is None


@pytest.mark.parametrize(
    ("name", "coefficients", "first"),
    [
        ("Lucas", [1, 1], [2, 1]),
        ("ways to climb stairs", [1, 1], [1, 1]),
        ("sum of Fibonacci numbers", [2, 0, -1], [0, 1, 2]),
        ("tribonacci", [1, 1, 1], [0, 1, 1]),
        ("tribonacci, later", [1, 1, 1], [0, 0, 1]),
        ("ways to climb by three", [1, 1, 1], [1, 1, 2]),
        ("tetranacci", [1, 1, 1, 1], [0, 0, 0, 1]),
        ("Pell", [2, 1], [0, 1]),
        ("Pell-Lucas", [2, 1], [2, 2]),
        ("convergents to the root of 2", [2, 1], [1, 1]),
        ("Jacobsthal", [1, 2], [0, 1]),
        ("Jacobsthal-Lucas", [1, 2], [2, 1]),
        ("Padovan", [0, 1, 1], [1, 1, 1]),
        ("Perrin", [0, 1, 1], [3, 0, 2]),
        ("Narayana", [1, 0, 1], [1, 1, 1]),
        ("dominoes on 3 by n", [0, 4, 0, -1], [1, 0, 3, 0]),
        ("dominoes and trominoes", [2, 0, 1], [1, 1, 2]),
        ("Hanoi", [3, -2], [0, 1]),
    ],
)
def test_named_recurrences(name: str, coefficients: list[int], first: list[int]) -> None:
    brute = terms(coefficients, first, FAR)
    match = found(lambda n: brute[n], range(20))
    assert match, name
    assert [*map(standing_in(match), range(FAR))] == brute


def total(rule: Callable[[int], int]) -> Callable[[int], int]:
    return lambda n: sum(rule(i) for i in range(1, n + 1))


@pytest.mark.parametrize(
    ("function", "formula"),
    [
        (total(lambda i: i), "n * (n + 1) // 2"),
        (total(lambda i: i * i), "n * (n + 1) * (2 * n + 1) // 6"),
        (total(lambda i: i**3), "n * n * (n + 1) ** 2 // 4"),
        (total(lambda i: i**4), "n * (n + 1) * (2 * n + 1) * (3 * n ** 2 + 3 * n - 1) // 30"),
        (total(lambda i: i**5), "n * n * (n + 1) ** 2 * (2 * n ** 2 + 2 * n - 1) // 12"),
        (total(lambda i: 2 * i - 1), "n * n"),
        (total(lambda i: 2 * i), "n * (n + 1)"),
        (total(lambda i: (2 * i - 1) ** 2), "n * (2 * n - 1) * (2 * n + 1) // 3"),
        (total(lambda i: 4 * i * i), "2 * n * (n + 1) * (2 * n + 1) // 3"),
        (total(lambda i: (2 * i - 1) ** 3), "n * n * (2 * n ** 2 - 1)"),
        (total(lambda i: 8 * i**3), "2 * n * n * (n + 1) ** 2"),
        (total(lambda i: i * (i + 1)), "n * (n + 1) * (n + 2) // 3"),
        (total(lambda i: i * (i + 1) // 2), "n * (n + 1) * (n + 2) // 6"),
        (lambda n: n * (3 * n - 1) // 2, "n * (3 * n - 1) // 2"),
        (lambda n: n * (2 * n - 1), "n * (2 * n - 1)"),
        (lambda n: 3 * n * (n - 1) + 1, "3 * n ** 2 - 3 * n + 1"),
        (lambda n: n * n // 4, "n * n // 4 if n % 2 == 0 else (n - 1) * (n + 1) // 4"),
        (
            lambda n: sum(range(n, 0, -2)),
            "n * (n + 2) // 4 if n % 2 == 0 else (n + 1) ** 2 // 4",
        ),
        (lambda n: 7 - n * n, "7 - n ** 2"),
        (lambda n: sum(2**i for i in range(n)), "(1 << n) - 1"),
        (lambda n: sum(3**i for i in range(n)), "(3 ** n - 1) // 2"),
        (lambda n: sum(i * 2**i for i in range(n)), "(n - 2) * (1 << n) + 2"),
        (lambda n: 5 * (-2) ** n, "5 * (-2) ** n"),
    ],
)
def test_what_has_a_formula_is_written_as_one(
    function: Callable[[int], int], formula: str
) -> None:
    match = found(function, [*range(20), 25, 30, 32, 57, 80])
    assert match
    assert written(match).expression.replace("a0", "n") == formula
    assert [*map(standing_in(match), range(200))] == [*map(function, range(200))]


@pytest.mark.parametrize(
    ("coefficients", "first"), [([1, 1, 0, -1], [3, 3, 5, 8]), ([1, 1, 1, 1], [0, 0, 2, 0])]
)
def test_gaps_between_the_calls_are_no_hindrance(
    coefficients: list[int], first: list[int]
) -> None:
    brute = terms(coefficients, first, 3000)
    numbers = [*range(7), 8, 9, 10, 11, 18, 26, 40, 77, 512, 1000, 2999]
    match = found(lambda n: brute[n], numbers)
    assert match
    assert match.adapter.arguments == (repr(coefficients), repr(first), "a0")


def test_terms_before_the_first_call_are_worked_out() -> None:
    """A call that counts from 0 reads best; what was not seen is left to the old body."""
    match = found(lambda n: terms([1, 2, 1], [4, 0, 1], n + 1)[n], range(2, 20))
    assert match
    assert match.adapter.arguments == ("[1, 2, 1]", "[4, 0, 1]", "a0")
    assert match.adapter.types == "type(a0) is int and a0 >= 2"
    halves = found(lambda n: terms([3, 2, 2], [1, 0, 1], n)[n - 1], range(1, 22))
    assert halves
    assert halves.adapter.arguments[-1] == "a0 - 1"
    assert standing_in(halves)(30) == terms([3, 2, 2], [1, 0, 1], 30)[29]


def test_a_modulus_of_the_program_is_found_as_ever() -> None:
    brute = terms([1, 2, 1], [4, 0, 1], 80)
    match = found(lambda n: brute[n] % 1_000_003, range(80), 1_000_003)
    assert match
    assert match.adapter.result == "r % 1000003"


TRIBONACCI = """def count(n):
    if n > 900:
        raise ValueError("too many")
    a, b, c = 0, 1, 1
    for _ in range(n):
        a, b, c = b, c, a + b + c
    return a if n != 1 else {one}
"""


@pytest.mark.parametrize("one", [1, 7])
def test_edges_are_answered_by_the_old_body(one: int) -> None:
    text = TRIBONACCI.format(one=one)
    new = proposed(brief(text, "count", [(n,) for n in range(-2, 24)]))
    assert "t(n) = t(n - 1) + t(n - 2) + t(n - 3), from 0, 1, 1 on" in new
    for number in (-5, -1, 0, 1, 2, 3, 60, 501, 900, True, False):
        assert function_of(new, "count")(number) == function_of(text, "count")(number)
    with pytest.raises(ValueError, match="too many"):
        function_of(new, "count")(901)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted"):
        function_of(new, "count")(2.0)


SQUARES = """def squares(n):
    total = 0
    for i in range(n + 1):
        total += i * i
    return total
"""


def test_a_formula_stands_alone_and_leaves_what_is_negative_to_the_old_body() -> None:
    new = proposed(brief(SQUARES, "squares", [(n,) for n in range(-1, 30)]))
    assert new == SQUARES.replace(
        "    total = 0\n",
        "    if type(n) is int and n >= 0:\n"
        "        return n * (n + 1) * (2 * n + 1) // 6\n"
        "    total = 0\n",
    )
    for number in (-9, -2, -1, True, 31, 400):
        assert function_of(new, "squares")(number) == function_of(SQUARES, "squares")(number)


@pytest.mark.parametrize("text", [TRIBONACCI.format(one=1), SQUARES])
def test_the_edit_replays_and_is_not_done_twice(text: str) -> None:
    name = "count" if "count" in text else "squares"
    numbers = [(n,) for n in range(24)]
    proposal = KnownFunctions().propose(brief(text, name, numbers))
    assert proposal is not None
    solution = proposal.solution
    assert replayed({"main.py": text}, solution.edits) == (solution.files, ())
    again = KnownFunctions().propose(brief(solution.text, name, numbers))
    assert again is None or not {"polynomial", "linear_recurrence"} & {
        value for edit in again.solution.edits for _, value in edit.parameters
    }


def test_what_is_inserted_is_not_replaced_by_itself() -> None:
    once = proposed(brief(TRIBONACCI.format(one=1), "count", [(n,) for n in range(24)]))
    again = brief(once, "recurrence", [(n,) for n in range(24)])
    assert KnownFunctions().propose(again) is None
