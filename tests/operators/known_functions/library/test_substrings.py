"""Parts of a text and its palindromes against all slices."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import palindromes as p
from operators.known_functions.library import substrings as s

from .agreement import Law, by_name, check, without_law
from .drawn import few


def slices(text: str) -> list[str]:
    n = len(text)
    return [text[i:j] for i in range(n) for j in range(i + 1, n + 1)]


def places(text: str, part: str) -> list[int]:
    if not part:
        raise ValueError
    return [i for i in range(len(text)) if text[i : i + len(part)] == part]


def apart(text: str, part: str) -> int:
    found = places(text, part)
    return 1 + apart(text[found[0] + len(part) :], part) if found else 0


def best(text: str, good: Callable[[str], bool]) -> str:
    return max(["", *filter(good, slices(text))], key=len)


def distinct(text: str) -> bool:
    return len(set(text)) == len(text)


def has_all(text: str, needed: str) -> bool:
    return all(text.count(x) >= needed.count(x) for x in needed)


def covering(text: str, needed: str) -> str:
    found = [x for x in slices(text) if has_all(x, needed)] if needed else []
    return min(found, key=len, default="")


def anagrams(text: str, word: str) -> list[int]:
    if not word:
        raise ValueError
    n = len(word)
    return [i for i in range(len(text)) if sorted(text[i : i + n]) == sorted(word)]


def changed(text: str, k: int) -> int:
    if k < 0:
        raise ValueError
    return len(best(text, lambda x: len(x) - max(map(x.count, x)) <= k))


def halves(text: str) -> bool:
    half = len(text) // 2
    first, second = set(text[:half]), set(text[half:])
    return len(text) % 2 == 0 and len(first) == len(second) == 1 and first != second


def closed(text: str) -> list[int]:
    cuts = [i for i in range(1, len(text)) if not set(text[:i]) & set(text[i:])]
    return [b - a for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)] if text else []


def border(text: str) -> int:
    return max(n for n in range(len(text)) if text[:n] == text[len(text) - n :])


def common(a: str, b: str) -> int:
    return max(n for n in range(len(b) + 1) if a[:n] == b[:n])


def period(text: str) -> int:
    n = len(text)
    return min(
        (k for k in range(1, n + 1) if n % k == 0 and text[:k] * (n // k) == text), default=0
    )


def both_ways(text: str) -> bool:
    return all(text[i] == text[-1 - i] for i in range(len(text)))


def chosen(text: str) -> list[str]:
    n = len(text)
    return ["".join(x) for size in range(1, n + 1) for x in combinations(text, size)]


def partitions(text: str) -> list[list[str]]:
    if not text:
        return [[]]
    ends = [i for i in range(1, len(text) + 1) if both_ways(text[:i])]
    return [[text[:i], *rest] for i in ends for rest in partitions(text[i:])]


def widths(text: str) -> list[int]:
    found = [
        [k for k in range(len(text) + 1) if (i - k) % 2 == 0 and fits(text, i, k)]
        for i in range(2 * len(text) + 1)
    ]
    return [max(sizes) for sizes in found]


def fits(text: str, centre: int, size: int) -> bool:
    low, high = (centre - size) // 2, (centre + size) // 2
    return low >= 0 and high <= len(text) and both_ways(text[low:high])


def in_front(text: str) -> str:
    tails = [text[len(text) - i :][::-1] + text for i in range(len(text) + 1)]
    return [x for x in tails if both_ways(x)][0:1].pop()


def last_best(text: str) -> str:
    found = [x for x in slices(text) if both_ways(x)]
    return [x for x in found if len(x) == max(map(len, found))][-1] if found else ""


text = st.text("ab", max_size=9)
abc = st.text("abc", max_size=8)
short = st.text("ab", max_size=7)
with_part = st.tuples(text, st.text("ab", max_size=3))
with_word = st.tuples(abc, st.text("abc", max_size=3))
LAWS = [
    Law(s.places_of_part, places, with_part),
    Law(s.count_overlapping, lambda x, y: len(places(x, y)), with_part),
    Law(s.count_apart, apart, with_part),
    Law(s.place_of_part, lambda x, y: min(places(x, y), default=-1) if y else 0, with_part),
    Law(
        s.last_place_of_part,
        lambda x, y: max(places(x, y), default=-1) if y else len(x),
        with_part,
    ),
    Law(s.holds_part, lambda x, y: y in ["", *slices(x)], with_part),
    Law(s.longest_without_repeats, lambda x: len(best(x, distinct)), abc),
    Law(s.longest_part_without_repeats, lambda x: best(x, distinct), abc),
    Law(
        s.longest_with_distinct_letters,
        lambda x, k: len(best(x, lambda y: len({*y}) <= k)),
        st.tuples(abc, few),
    ),
    Law(s.longest_after_changes, changed, st.tuples(abc, st.integers(-1, 4))),
    Law(s.smallest_covering_part, covering, with_word),
    Law(s.places_of_anagrams, anagrams, with_word),
    Law(s.holds_anagram, lambda x, y: not y or bool(anagrams(x, y)), with_word),
    Law(s.count_parts_with_equal_ends, lambda x: sum(y[0] == y[-1] for y in slices(x)), abc),
    Law(s.count_parts_of_one_letter, lambda x: sum(len({*y}) == 1 for y in slices(x)), text),
    Law(s.count_balanced_halves, lambda x: sum(map(halves, slices(x))), abc),
    Law(s.closed_part_lengths, closed, st.text("abcdef", max_size=9)),
    Law(s.all_parts, slices, text),
    Law(s.count_distinct_parts, lambda x: len(set(slices(x))), abc | text),
    Law(
        s.longest_repeated_part,
        lambda x: len(best(x, lambda y: slices(x).count(y) > 1)),
        abc | text,
    ),
    Law(
        s.border_lengths,
        lambda x: [border(x[: i + 1]) for i in range(len(x))],
        text,
    ),
    Law(s.prefix_match_lengths, lambda x: [common(x, x[i:]) for i in range(len(x))], text),
    Law(s.smallest_period, period, text | short.map(lambda x: x + x)),
    Law(s.is_repetition, lambda x: period(x) < len(x), text | short.map(lambda x: x + x)),
    Law(
        s.smallest_rotation,
        lambda x: min([x, *(x[i:] + x[:i] for i in range(len(x)))]),
        abc | text,
    ),
    Law(p.palindrome_widths, widths, text),
    Law(p.longest_palindrome_length, lambda x: len(best(x, both_ways)), text),
    Law(p.longest_palindrome, lambda x: best(x, both_ways), text),
    Law(p.last_longest_palindrome, last_best, text),
    Law(p.count_palindromic_parts, lambda x: sum(map(both_ways, slices(x))), text),
    Law(p.count_distinct_palindromes, lambda x: len({*filter(both_ways, slices(x))}), text),
    Law(
        p.longest_palindromic_subsequence,
        lambda x: max(map(len, filter(both_ways, chosen(x))), default=0),
        abc,
    ),
    Law(
        p.insertions_to_palindrome,
        lambda x: len(x) - max(map(len, filter(both_ways, chosen(x))), default=0),
        abc,
    ),
    Law(p.count_palindromic_subsequences, lambda x: sum(map(both_ways, chosen(x))), abc),
    Law(
        p.fewest_palindromic_cuts,
        lambda x: max(min(map(len, partitions(x))) - 1, 0),
        abc,
    ),
    Law(p.palindromic_partitions, partitions, short),
    Law(p.shortest_palindrome_by_prefix, in_front, text),
    Law(
        p.longest_palindrome_of_letters,
        lambda x: max(
            n
            for n in range(len(x) + 1)
            if any(both_ways("".join(y)) for y in permutations(x, n))
        ),
        st.text("abc", max_size=5),
    ),
    Law(
        p.is_palindrome_without_one,
        lambda x: any(both_ways(y) for y in [x, *(x[:i] + x[i + 1 :] for i in range(len(x)))]),
        text | short.map(lambda x: x + "a" + x[::-1] + "b"),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(s, LAWS) | without_law(p, LAWS) == set()
