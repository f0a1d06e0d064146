"""Bits that were read leave the number that holds what came."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.bit_buffer import BitBuffer
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(data, width):
    buffer = count = at = 0
    found = []
    while True:
        while count < width and at < len(data):
            buffer = (buffer << 8) | data[at]
            at += 1
            count += 8
        if count < width:
            break
        found.append((buffer >> (count - width)) & ((1 << width) - 1))
        count -= width
    if count:
        found.append((buffer << (width - count)) & ((1 << width) - 1))
    return found
"""
AFTER = """
def solve(data, width):
    buffer = count = at = 0
    found = []
    while True:
        buffer &= (1 << count) - 1
        while count < width and at < len(data):
            buffer = (buffer << 8) | data[at]
            at += 1
            count += 8
        if count < width:
            break
        found.append((buffer >> (count - width)) & ((1 << width) - 1))
        count -= width
    if count:
        found.append((buffer << (width - count)) & ((1 << width) - 1))
    return found
"""
ENCODER = """
def solve(data, width):
    found = bytearray()
    bits, held = 0, 0
    held = 0
    for value in data:
        held += 9
        bits <<= 9
        bits |= value
        while held >= 8:
            held -= 8
            found.append((bits >> held) & 255)
    return bytes(found), held, width
"""
READER = """
class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self._bits: int = 0
        self._count = 0

    def read(self, width):
        while self._count < width:
            self._bits = (self._bits << 8) + self.data[self.at]
            self._count += 8
            self.at += 1
        self._count -= width
        return (self._bits >> self._count) & ((1 << width) - 1)

    def align(self):
        self._count -= self._count % 8

def solve(data, width):
    reader = Reader(data)
    found = []
    for _ in range(len(data) * 8 // (width + 8)):
        found.append(reader.read(width))
        reader.align()
    return found
"""


class TestContract(RuleContract):
    rule = BitBuffer
    slow = SLOW
    others = (ENCODER, READER)


def test_read_bits_are_dropped_before_the_loop_that_fills() -> None:
    assert rewritten(BitBuffer(), SLOW) == [dedented(AFTER)]


def test_they_are_dropped_before_the_line_where_the_loop_also_reads() -> None:
    (text,) = rewritten(BitBuffer(), ENCODER)
    assert (
        "    for value in data:\n        bits &= (1 << held) - 1\n        held += 9\n" in text
    )


def test_a_buffer_may_be_held_by_an_object() -> None:
    (text,) = rewritten(BitBuffer(), READER)
    assert "        self._bits &= (1 << self._count) - 1\n        while self._count" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    return found", "    return found, buffer", id="returned"),
        pytest.param("buffer >> (count - width)) &", "buffer >> (count - width)) |", id="or"),
        pytest.param("(buffer >> (count - width))", "(buffer >> count)", id="read-bits-again"),
        pytest.param("buffer >> (count - width)", "buffer >> (at - width)", id="another-count"),
        pytest.param("buffer >> (count - width)", "buffer >> (count + width)", id="further-up"),
        pytest.param("            count += 8", "            count += 4", id="counts-another"),
        pytest.param("        count -= width", "        count += width", id="counts-up"),
        pytest.param("        count -= width", "        count = at * 8", id="count-set"),
        pytest.param("        if count < width:", "        if buffer > 99:", id="compared"),
        pytest.param("(buffer << 8) | data", "(buffer << 8) ^ data", id="mixed"),
        pytest.param("(buffer << 8) | data", "(buffer >> 8) | data", id="the-other-way"),
        pytest.param("(buffer << (width - count))", "(buffer << width)", id="filled-elsewhere"),
        pytest.param(
            "        if count < width:", "        if at: count = 9", id="set-in-one-line"
        ),
        pytest.param("    if count:", "    for count in data:", id="set-by-a-loop"),
        pytest.param("    if count:", "    if count := at:", id="set-in-a-test"),
        pytest.param(
            "            at += 1", "            at = next(data)", id="may-end-between"
        ),
        pytest.param("    found = []", "    found = []; count = 8", id="set-beside"),
        pytest.param("        count -= width", "        pass", id="never-lowered"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(BitBuffer(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("reader = Reader", "reader = other = Reader", id="fine"),
        pytest.param("return found", "return found, reader._bits", id="asked-from-outside"),
        pytest.param("self._bits >> self._count)", "self._bits >> 0)", id="not-the-front"),
        pytest.param("self._count -= self._count % 8", "self._count = 99", id="count-set"),
        pytest.param("self._count -= width", "self._count -= width; self.align()", id="called"),
        pytest.param("def align(self):", "def _bits(self):", id="a-method-of-that-name"),
        pytest.param("found = []", "found = [getattr(reader, '_bits')]", id="asked-by-text"),
    ],
)
def test_an_attribute_is_looked_for_in_the_whole_file(old: str, new: str) -> None:
    assert old in READER
    assert len(rewritten(BitBuffer(), READER.replace(old, new))) == (new.count("other"))


@pytest.mark.parametrize("text", [SLOW, READER], ids=["local", "object"])
@given(st.binary(max_size=40), st.integers(1, 17))
def test_same_answers(text: str, data: bytes, width: int) -> None:
    assert_equivalent(BitBuffer(), text, data, width)


@given(st.lists(st.integers(0, 511), max_size=40))
def test_what_is_written_is_the_same(values: list[int]) -> None:
    assert_equivalent(BitBuffer(), ENCODER, values, 9)
