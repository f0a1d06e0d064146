"""Sets and bags against nested loops."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import membership as m

from .agreement import Law, by_name, check, without_law
from .drawn import few, ints


def kept_once(xs: list[int]) -> list[int]:
    result: list[int] = []
    for x in xs:
        if x not in result:
            result.append(x)
    return result


def often(xs: list[int], k: int = 2) -> list[int]:
    return [x for x in kept_once(xs) if xs.count(x) >= k]


def returning(xs: list[int]) -> list[int]:
    return [x for i, x in enumerate(xs) if x in xs[:i]]


def near(xs: list[int], k: int) -> bool:
    n = len(xs)
    return any(xs[i] == xs[j] for i in range(n) for j in range(i + 1, n) if j - i <= k)


def both(xs: list[int], ys: list[int]) -> list[int]:
    return [x for x in xs if x in ys]


def apart(xs: list[int], ys: list[int]) -> list[int]:
    return [x for x in xs if x not in ys]


def paired(xs: list[int], ys: list[int]) -> list[int]:
    left, result = list(ys), list[int]()
    for x in xs:
        if x in left:
            left.remove(x)
            result.append(x)
    return result


def taken_away(xs: list[int], ys: list[int]) -> list[int]:
    left = list(xs)
    for y in ys:
        if y in left:
            left.remove(y)
    return left


def struck_out(xs: list[int], ys: list[int]) -> bool:
    at = 0
    for y in ys:
        if at < len(xs) and xs[at] == y:
            at += 1
    return at == len(xs)


digits = st.lists(st.integers(0, 4), max_size=6)
two = st.tuples(digits, digits)
LAWS = [
    Law(m.distinct, kept_once, ints),
    Law(
        m.distinct_by_last,
        lambda xs: [x for i, x in enumerate(xs) if x not in xs[i + 1 :]],
        ints,
    ),
    Law(m.count_distinct, lambda xs: len(kept_once(xs)), ints),
    Law(m.has_duplicates, lambda xs: bool(often(xs)), ints),
    Law(m.all_distinct, lambda xs: not often(xs), ints),
    Law(m.all_equal, lambda xs: all(a == b for a in xs for b in xs), digits),
    Law(m.duplicated, often, ints),
    Law(m.duplicated_by_second, lambda xs: kept_once(returning(xs)), ints),
    Law(m.duplicated_sorted, lambda xs: sorted(often(xs)), ints),
    Law(m.repetitions, returning, ints),
    Law(m.appearing_once, lambda xs: [x for x in xs if xs.count(x) == 1], ints),
    Law(m.appearing_at_least, often, st.tuples(digits, few)),
    Law(m.count_duplicated, lambda xs: len(often(xs)), ints),
    Law(m.sum_of_appearing_once, lambda xs: sum(x for x in xs if xs.count(x) == 1), ints),
    Law(m.sum_of_distinct, lambda xs: sum(kept_once(xs)), ints),
    Law(m.first_repeated, lambda xs: returning(xs)[0], ints),
    Law(m.first_with_duplicate, lambda xs: often(xs)[0], ints),
    Law(m.has_duplicate_within, near, st.tuples(digits, st.integers(0, 4))),
    Law(m.common_in_order, both, two),
    Law(m.common_distinct, lambda xs, ys: kept_once(both(xs, ys)), two),
    Law(m.common_sorted, lambda xs, ys: sorted(kept_once(both(xs, ys))), two),
    Law(m.common_with_multiplicity, paired, two),
    Law(m.count_common_with_multiplicity, lambda xs, ys: len(paired(xs, ys)), two),
    Law(m.count_common, lambda xs, ys: len(kept_once(both(xs, ys))), two),
    Law(m.has_common, lambda xs, ys: any(x == y for x in xs for y in ys), two),
    Law(m.without, apart, two),
    Law(m.without_distinct, lambda xs, ys: kept_once(apart(xs, ys)), two),
    Law(m.without_each_other, lambda xs, ys: apart(xs, ys) + apart(ys, xs), two),
    Law(m.without_with_multiplicity, taken_away, two),
    Law(m.union_in_order, lambda xs, ys: kept_once(xs + ys), two),
    Law(m.union_sorted, lambda xs, ys: sorted(kept_once(xs + ys)), two),
    Law(
        m.in_one_only_sorted,
        lambda xs, ys: sorted(kept_once(apart(xs, ys) + apart(ys, xs))),
        two,
    ),
    Law(m.is_subset, lambda xs, ys: not apart(xs, ys), two),
    Law(m.is_sub_bag, lambda xs, ys: len(paired(xs, ys)) == len(xs), two),
    Law(
        m.same_bag,
        lambda xs, ys: sorted(xs) == sorted(ys),
        two | digits.map(lambda x: (x, x[::-1])),
    ),
    Law(m.same_set, lambda xs, ys: not apart(xs, ys) and not apart(ys, xs), two),
    Law(m.is_subsequence, struck_out, two),
    Law(
        m.common_to_all_sorted,
        lambda rows: sorted(x for x in kept_once(rows[0]) if all(x in row for row in rows)),
        st.lists(digits, max_size=3),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(m, LAWS) == set()
