"""Contents: a mapping like any other, in a fraction of the room."""

from __future__ import annotations

import math
import pickle
import sys
import tracemalloc
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.engine.state.dedup_index import Contents, Origin, Tried
from tests.fakes import solution

names = st.sampled_from([f"content {n}" for n in range(12)])
origins = st.builds(
    Origin,
    solution=st.integers(0, 10**12).map("Gen{}_Sol_0".format),
    slot=st.integers(-1, 10**9),
    rule=st.one_of(st.just(math.inf), st.integers(0, 10**9).map(float)),
)


def of(pairs: Iterable[tuple[str, Origin]], *, recent: int = 3) -> Contents:
    found = Contents(recent=recent)
    for content, origin in pairs:
        found[content] = origin
    return found


@given(st.lists(st.tuples(names, origins)), st.integers(1, 5))
def test_it_is_a_dictionary(pairs: list[tuple[str, Origin]], recent: int) -> None:
    found, plain = of(pairs, recent=recent), dict(pairs)
    for number in range(13):
        content = f"content {number}"
        assert found.get(content) == plain.get(content)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 99))))
def test_whoever_is_first_is_known(asked: list[tuple[str, int]]) -> None:
    found, first = Contents(recent=2), dict[str, Origin]()
    for text, slot in asked:
        program = solution(text, id=f"Gen1_Sol_{slot}")
        expected = first.setdefault(program.content, Origin(program.id, slot))
        assert found.know(program, slot) == found.get(program.content) == expected


@given(st.lists(st.tuples(names, origins)))
def test_a_snapshot_of_it_is_the_same(pairs: list[tuple[str, Origin]]) -> None:
    found = of(pairs)
    again = pickle.loads(pickle.dumps(found))
    assert [again.get(content) for content, _ in pairs] == [found.get(c) for c, _ in pairs]


def test_what_a_slot_may_know() -> None:
    rule, model = Origin("Gen1_Sol_4", 4, 4.0), Origin("Gen1_Sol_5", 5)
    tried = Tried(of([("rule", rule), ("model", model)]), 6, 5, frozenset({"promised"}))
    assert [name in tried for name in ("rule", "model", "promised", "new")] == [
        True,
        False,
        True,
        False,
    ]
    assert "model" in Tried(tried.contents, 6, 6)


@pytest.mark.tier("runs")
def test_twenty_thousand_take_little_room() -> None:
    tracemalloc.start()
    try:
        found = Contents(recent=512)
        for number in range(20_000):
            content = sha256(str(number).encode()).hexdigest()
            found[content] = Origin(f"Gen{number // 8}_Sol_{number % 8}", number)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    for number in (0, 1, 511, 512, 12_345, 19_999):
        origin = found.get(sha256(str(number).encode()).hexdigest())
        assert origin == Origin(f"Gen{number // 8}_Sol_{number % 8}", number)
    assert kept < 1.3e6  # a dictionary of texts takes 8 MB


@pytest.mark.tier("runs")
def test_threads_find_what_was_set_before_they_asked() -> None:
    found, known, over = Contents(recent=64), [0], Event()
    found["0"] = Origin("Gen0_Sol_0", 0)

    def read() -> int:
        asked = 0
        while not over.is_set():
            number = known[0] - asked % 70 % (known[0] + 1)
            origin = found.get(str(number))
            assert origin is not None
            assert origin.slot == number
            asked += 1
        return asked

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            readers = [pool.submit(read) for _ in range(3)]
            try:
                for number in range(1, 6000):
                    found[str(number)] = Origin(f"Gen{number}_Sol_0", number)
                    known[0] = number
            finally:
                over.set()
            assert all(reader.result() for reader in readers)
    finally:
        sys.setswitchinterval(before)
