"""Matches: what is found through which adapter, and what is not a match."""

from __future__ import annotations

import dataclasses
from bisect import insort
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.known_functions.archetype import Archetype, archetype
from operators.known_functions.matching import Compared, Match, convincing, matches_among
from operators.known_functions.sources import held
from se_agent.values.observation import Call
from tests.operators.known_functions.watching import watched

plain = archetype(family="tests", complexity="O(1)", source="none", takes=("int",), gives="int")


@plain
def squared(n: int) -> int:
    """Return the square."""
    if n > 10**4:
        raise ValueError
    return n * n


@archetype(family="tests", complexity="O(1)", source="none", takes=("int", "int"), gives="int")
def power(base: int, exponent: int) -> int:
    """Return a power."""
    return int(base**exponent) if exponent >= 0 else 0


@archetype(
    family="tests", complexity="O(n)", source="none", takes=("list[int]",), gives="list[int]"
)
def ascending(xs: list[int]) -> list[int]:
    """Return the numbers in order."""
    return sorted(xs)


@archetype(family="tests", complexity="O(1)", source="none", takes=("int",), gives="bool")
def is_odd(n: int) -> bool:
    """Whether a number is odd."""
    return n % 2 == 1


@archetype(
    family="tests", complexity="O(n)", source="none", takes=("list[int]", "int"), gives="int"
)
def place(xs: list[int], x: int) -> int | None:
    """Return the first place of a value, or None."""
    return xs.index(x) if x in xs else None


@archetype(family="tests", complexity="O(1)", source="none", takes=("str",), gives="str")
def backwards(text: str) -> str:
    """Return the text from its end."""
    return text[::-1]


def turned(xs: list[int]) -> list[int]:
    """Return the list with its beginning at its end."""
    return xs[3:] + xs[:3] if xs and xs[0] > 10**6 else list(xs)


@plain
def endless(n: int) -> int:
    """Never return for a number above two."""
    while n > 2:
        n += 1
    return n


KNOWN: dict[str, Archetype] = {
    function.__name__: vars(function)["archetype"]
    for function in (squared, power, ascending, is_odd, place, backwards, endless)
}
LISTS = [[3, 1], [], [5], [2, 2, 1], [9, 8, 7, 1], [4, 4], [0, -5, 3], [1, 2, 3], [6, 1, 6]]


def found(calls: tuple[Call, ...], *constants: int | str) -> dict[str, Match]:
    matches = convincing(matches_among(KNOWN.values(), calls, constants))
    return {match.archetype.name: match for match in matches}


def bubble(xs: list[int]) -> list[int]:
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


def bubble_silently(xs: list[int]) -> None:
    bubble(xs)


def inserted(xs: tuple[int, ...]) -> tuple[int, ...]:
    done: list[int] = []
    for x in xs:
        insort(done, x)
    return tuple(done)


NUMBERS = [(n,) for n in range(24)]
PAIRS = [(b, e) for b in (2, 3, 5) for e in range(4)]
PLACES = [(xs, x) for xs in LISTS for x in (1, 2, 6)]
WORDS = [(word,) for word in ("abc", "", "ab", "xyz", "hello", "aab", "ba", "wxyz", "abcdef")]


@pytest.mark.parametrize(
    ("function", "inputs", "name", "arguments", "result", "guard"),
    [
        pytest.param(lambda n: n**2, NUMBERS, "squared", ("a0",), "r", "", id="plain"),
        pytest.param(lambda e, b: b**e, [(e, b) for b, e in PAIRS], "power", ("a1", "a0"), "r",
                     "", id="permuted"),
        pytest.param(lambda n: str(n * n), NUMBERS, "squared", ("a0",), "str(r)",
                     "", id="text"),
        pytest.param(lambda n: n * n - 1, NUMBERS, "squared", ("a0",), "r - 1",
                     "", id="offset"),
        pytest.param(lambda n: -n * n, NUMBERS[1:], "squared", ("a0",), "-r", "", id="negated"),
        pytest.param(lambda n: "odd" if n % 2 else "even", NUMBERS, "is_odd", ("a0",),
                     "'odd' if r else 'even'", "", id="two-texts"),
        pytest.param(lambda n: n % 2, NUMBERS, "is_odd", ("a0",), "int(r)",
                     "", id="one-or-zero"),
        pytest.param(lambda n: n % 2 == 0, NUMBERS, "is_odd", ("a0",), "not r", "", id="not"),
        pytest.param(lambda xs, n: sorted(xs), [(xs, len(xs)) for xs in LISTS], "ascending",
                     ("a0",), "r", "a1 == len(a0)", id="length-says-nothing-new"),
        pytest.param(lambda xs, k: sorted(xs), [(xs, None) for xs in LISTS], "ascending",
                     ("a0",), "r", "a1 is None", id="always-the-same"),
        pytest.param(inserted, [(tuple(xs),) for xs in LISTS], "ascending", ("list(a0)",),
                     "tuple(r)", "", id="tuples"),
        pytest.param(lambda xs, x: xs.index(x) if x in xs else -1, PLACES, "place",
                     ("a0", "a1"), "-1 if r is None else r", "", id="another-none"),
        pytest.param(lambda s: s[::-1], [(list(w),) for w, in WORDS], "backwards",
                     ("''.join(a0)",), "list(r)", "", id="letters"),
        pytest.param(lambda s: len(s) ** 2, WORDS, "squared", ("len(a0)",), "r", "",
                     id="length"),
        pytest.param(lambda n: f"<{n * n}>", NUMBERS, "squared", ("a0",),
                     "'<' + str(r) + '>'", "", id="between-texts"),
    ],
)  # fmt: skip
def test_is_found(
    function: Callable[..., Any],
    inputs: list[tuple[Any, ...]],
    name: str,
    arguments: tuple[str, ...],
    result: str,
    guard: str,
) -> None:
    adapter = found(watched(function, inputs))[name].adapter
    assert (adapter.arguments, adapter.result, adapter.guard) == (arguments, result, guard)


def test_what_is_smaller_than_all_that_agrees_is_left_to_the_old_body() -> None:
    inputs = [(n * (n % 7 + 1),) for n in range(24)]
    adapter = found(watched(lambda n: n * n if n > 1 else 7, inputs))["squared"].adapter
    assert (adapter.types, adapter.guard) == ("type(a0) is int and a0 >= 2", "")


def test_a_constant_of_the_program_may_be_an_argument() -> None:
    calls = watched(lambda n: 7**n, NUMBERS)
    assert found(calls) == {}
    assert found(calls, 7, 9)["power"].adapter.arguments == ("7", "a0")


def test_a_constant_of_the_program_may_be_a_modulus() -> None:
    calls = watched(lambda n: n * n % 50, NUMBERS)
    assert "squared" not in found(calls)
    assert found(calls, 50)["squared"].adapter.result == "r % 50"


@pytest.mark.parametrize("function", [bubble, bubble_silently])
def test_a_list_that_is_changed_is_changed_too(function: Callable[..., Any]) -> None:
    adapter = found(watched(function, [(xs,) for xs in LISTS]))["ascending"].adapter
    assert (adapter.effect, adapter.target) == ("r", "a0")
    assert adapter.result == ("r" if function is bubble else "None")


def test_two_changed_arguments_are_no_match() -> None:
    def both(xs: list[int], ys: list[int]) -> list[int]:
        xs.append(0)
        ys.append(0)
        return sorted(xs[:-1])

    assert found(watched(both, [(xs, [1]) for xs in LISTS])) == {}


@given(st.integers(0, len(LISTS) - 1))
def test_a_call_that_differs_is_left_to_the_old_body(number: int) -> None:
    long = [[*xs, 30, 20, 10, 40] for xs in LISTS]

    def nearly(xs: list[int]) -> list[int]:
        return [*xs, 0] if xs == long[number] else sorted(xs)

    assert "ascending" in found(watched(sorted, [(xs,) for xs in long]))
    match = found(watched(nearly, [(xs,) for xs in long])).get("ascending")
    assert match is None or not held(match.adapter.types, (long[number],))


@pytest.mark.tier("library")
@given(st.permutations(NUMBERS))
def test_the_order_of_the_calls_says_nothing(inputs: list[tuple[int]]) -> None:
    match = found(watched(lambda n: n * n, inputs))["squared"]
    ordered = found(watched(lambda n: n * n, NUMBERS))["squared"]
    assert match == Match(KNOWN["squared"], ordered.adapter, len(NUMBERS), 1, ordered.bits)


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        pytest.param(lambda n: n * n, NUMBERS[:5], id="few-calls"),
        pytest.param(lambda n: n % 2 == 1, NUMBERS[:8], id="few-calls-of-yes-or-no"),
        pytest.param(lambda n: n % 2 == 1, [(2 * n,) for n in range(30)], id="one-result"),
        pytest.param(lambda n: n % 2, [*((2 * n,) for n in range(30)), (1,)],
                     id="the-other-result-is-rare"),
        pytest.param(lambda: 1, [()], id="no-arguments"),
        pytest.param(lambda n: float(n * n) + 0.5, NUMBERS, id="another-function"),
        pytest.param(lambda n: bool(n * n), [(n,) for n in range(5)], id="other-types"),
    ],
)  # fmt: skip
def test_too_little_is_no_match(
    function: Callable[..., Any], inputs: list[tuple[Any, ...]]
) -> None:
    assert found(watched(function, inputs)) == {}


def test_a_function_that_does_not_end_is_stopped() -> None:
    calls = watched(lambda n: n, [(n,) for n in range(50)])
    assert "endless" not in found(calls)


def test_a_result_too_long_to_be_written_is_no_match() -> None:
    calls = watched(lambda n: f"{n}!", [(n,) for n in range(5_000, 5_012)])
    assert "power" not in found(calls, 10)


def test_what_is_refused_counts_for_nothing() -> None:
    refused = watched(lambda n: 0, [(10**5 + n,) for n in range(5)])
    calls = watched(lambda n: n * n, NUMBERS)
    assert found((*calls, *refused))["squared"].agreeing == len(NUMBERS)
    assert found((*calls[:5], *refused)) == {}


def test_what_refuses_the_larger_calls_is_no_match() -> None:
    """Most calls are edges on which both do nothing: those with work in them are refused."""

    def careful(n: int) -> int:
        if n >= 30:
            raise ValueError
        return n * n

    known = dataclasses.replace(KNOWN["squared"], function=careful)
    for last, matches in ((40, True), (90, False)):
        calls = watched(lambda n: n * n, [(n,) for n in range(last)])
        assert bool(convincing(matches_among([known], calls))) is matches


def test_large_numbers_are_not_tried() -> None:
    careful = dataclasses.replace(KNOWN["squared"], tried_below=5)
    calls = watched(lambda n: n * n, NUMBERS)
    assert convincing(matches_among([careful], calls)) == ()


def test_long_lists_are_not_tried_where_work_grows_exponentially() -> None:
    careful = dataclasses.replace(KNOWN["ascending"], length_below=3)
    calls = watched(sorted, [(xs,) for xs in LISTS])
    assert convincing(matches_among([KNOWN["ascending"]], calls)) != ()
    assert convincing(matches_among([careful], calls)) == ()


def test_a_known_function_that_gave_back_its_argument_has_not_shown_what_it_does() -> None:
    rotated = dataclasses.replace(KNOWN["ascending"], function=turned)
    lists = [(list(range(n, n + 9)), 0) for n in range(30)]
    calls = watched(lambda xs, k: list(xs), lists)
    assert convincing(matches_among([rotated], calls)) == ()
    sorted_ones = watched(list, [(xs,) for xs, _ in lists])
    assert "ascending" not in found(sorted_ones)


def test_what_was_passed_again_says_nothing_more() -> None:
    rows = [dict.fromkeys(range(n, n + 1 + n % 2), n) for n in range(60)]
    calls = watched(lambda row: len(row) == 1, [(row,) for row in rows])
    assert found(calls) == {}


def test_the_more_was_compared_the_more_must_agree() -> None:
    one = [*matches_among([KNOWN["is_odd"]], watched(lambda n: n % 2 == 1, NUMBERS))]
    assert convincing(one) != ()
    others = Compared(None, guesses=2**16)
    assert convincing([*one, others]) == ()
