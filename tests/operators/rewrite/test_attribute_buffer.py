"""Bytes and texts that methods add to an attribute grow in place, where nobody sees it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.attribute_buffer import AttributeBuffer
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

WRITER = """
class Source:
    def __init__(self, width):
        self._code = ""
        self._width, self._depth, self._fresh = width, 0, True

    def newline(self):
        self._code += "\\n"; self._fresh = True

    def write(self, word):
        if self._fresh:
            self._code += " " * self._width * self._depth  # as deep as it is
        self._fresh = False
        self._code = self._code + word + ";"

    def block(self, words):
        self._depth += 1
        for word in words:
            self.write(word)
            if len(word) > 1: self.newline()
            else: self._code += (
                "-"  # a short one
                "-"
            )
        self._depth -= 1

    def clear(self):
        self._code = ''

    def finish(self):
        self.newline()
        return self._code.strip(" ")

    def __str__(self):
        return f"<{self._code!r:>9}>"

def solve(words):
    source = Source(2)
    source.block(words)
    seen = [str(source), source.finish(), source.finish()]
    source.clear()
    source.block(words)
    return seen, str(source)
"""
WRITER_AFTER = """
class Source:
    def __init__(self, width):
        self._code = []
        self._width, self._depth, self._fresh = width, 0, True

    def newline(self):
        self._code.append("\\n"); self._fresh = True

    def write(self, word):
        if self._fresh:
            self._code.append(" " * self._width * self._depth)  # as deep as it is
        self._fresh = False
        self._code.append(word + ";")

    def block(self, words):
        self._depth += 1
        for word in words:
            self.write(word)
            if len(word) > 1: self.newline()
            else: self._code.append(
                "-"  # a short one
                "-"
            )
        self._depth -= 1

    def clear(self):
        self._code = []

    def finish(self):
        self.newline()
        return "".join(self._code).strip(" ")

    def __str__(self):
        return f"<{''.join(self._code)!r:>9}>"

def solve(words):
    source = Source(2)
    source.block(words)
    seen = [str(source), source.finish(), source.finish()]
    source.clear()
    source.block(words)
    return seen, str(source)
"""
PACKET = """
import struct

class Packet:
    __slots__ = ("_wire", "names")

    def __init__(self) -> None:
        self._wire: bytes = b""
        self.names: list[bytes] = []

    def number(self, value: int) -> None:
        self._wire = self._wire + struct.pack(">H", value)

    def name(self, label: bytes) -> None:
        at = self._wire.find(label)
        if at > 0 and self._wire[at - 1] == len(label):
            self.number(0xC000 | at)
        else:
            self._wire += bytes([len(label)]) + label

    def padded(self) -> None:
        while len(self._wire) % 4:
            self._wire += b"\\0"

    def parts(self):
        return self._wire[2:5], self._wire[:2].hex(), b"a" in self._wire, self._wire[:]

    def take(self):
        data, self._wire = self._wire, b""
        return data

    def value(self) -> bytes:
        if not self._wire:
            return b"-"
        self.padded()
        return self._wire

def solve(labels):
    packet = Packet()
    for label in labels:
        packet.name(label)
    seen = [packet.parts(), packet.value(), packet.take(), packet.value()]
    for label in labels:
        packet.name(label)
    kinds = {type(each).__name__ for each in packet.parts()}
    return seen, packet.value(), sorted(kinds), type(packet.value()).__name__
"""
PACKET_CHANGES = [
    ('self._wire: bytes = b""', "self._wire: bytearray = bytearray()"),
    ("self._wire = self._wire + struct", "self._wire += struct"),
    (
        "return self._wire[2:5], self._wire[:2].hex(), b",
        "return bytes(self._wire[2:5]), bytes(self._wire[:2]).hex(), b",
    ),
    ("in self._wire, self._wire[:]", "in self._wire, bytes(self._wire)[:]"),
    ('data, self._wire = self._wire, b""', "data, self._wire = bytes(self._wire), bytearray()"),
    ("        return self._wire\n", "        return bytes(self._wire)\n"),
]
UNPACKER = """
class Unpacker:
    def __init__(self):
        self.restart()

    def restart(self):
        self.count, self.plain = 0, bytes()

    def literal(self, value):
        self.plain += bytes((value,))

    def again(self, distance, length):
        while length > 0:
            piece = self.plain[len(self.plain) - distance :][:length]
            self.plain += piece
            length -= len(piece)

    def near(self, distance, length):
        self.plain += self.plain[-distance : length - distance]

    def run(self, tokens):
        for token in tokens:
            if isinstance(token, int):
                self.literal(token)
            elif token[0] > token[1]:
                self.near(*token)
            elif self.plain:
                self.again(min(token[0], len(self.plain)), token[1])
        return self.plain

def solve(tokens):
    unpacker = Unpacker()
    plain = unpacker.run(tokens)
    more = unpacker.run(tokens)
    unpacker.restart()
    return plain, more, unpacker.run(tokens), type(plain).__name__
"""
SMALL = """
class Log:
    def __init__(self):
        self.out = b""
        self.seen = 0

    def add(self, piece):
        self.out += piece

    def last(self):
        return self.seen

    def get(self):
        return self.out

def solve(pieces):
    log = Log()
    for piece in pieces:
        log.add(piece)
    return log.get(), log.last()
"""
PUT = """
    def put(self):
        self.out += b"put"
        return 1

    def whole(self):
        return self.out.hex()

"""


class TestContract(RuleContract):
    rule = AttributeBuffer
    slow = WRITER
    others = (PACKET, UNPACKER, SMALL)


def changed(text: str) -> list[str]:
    return rewritten(AttributeBuffer(), text)


def test_a_text_is_collected_in_a_list() -> None:
    assert changed(WRITER) == [dedented(WRITER_AFTER)]


def test_bytes_grow_as_a_bytearray() -> None:
    after = dedented(PACKET)
    for old, new in PACKET_CHANGES:
        assert old in after
        after = after.replace(old, new)
    assert changed(PACKET) == [after]


def test_a_part_that_is_added_needs_no_copy() -> None:
    (after,) = changed(UNPACKER)
    assert "self.plain += self.plain[-distance : length - distance]" in after
    assert "piece = bytes(self.plain[len(self.plain) - distance :])[:length]" in after
    assert "elif self.plain:" in after
    assert "self.count, self.plain = 0, bytearray()" in after


@given(st.lists(st.text("ab", max_size=2), max_size=5))
def test_same_text(words: list[str]) -> None:
    assert_equivalent(AttributeBuffer(), WRITER, words)


@given(st.lists(st.binary(max_size=3), max_size=6))
def test_same_packets(labels: list[bytes]) -> None:
    assert_equivalent(AttributeBuffer(), PACKET, labels)


@given(st.lists(st.integers(0, 255) | st.tuples(st.integers(1, 9), st.integers(1, 9))))
def test_same_plain_bytes(tokens: list[int | tuple[int, int]]) -> None:
    assert_equivalent(AttributeBuffer(), UNPACKER, tokens)


@pytest.mark.parametrize(
    ("body", "new"),
    [
        pytest.param("return self.out or b'-'", "return bytes(self.out) or b'-'", id="or"),
        pytest.param("return not self.out", "", id="truth"),
        pytest.param("return bool(self.out), len(self.out)", "", id="asked-for-size"),
        pytest.param("return [b for b in self.out]", "[b for b in bytes(self.out)]", id="loop"),
        pytest.param("return self.out.decode(), self.out.count(b'a')", "", id="no-bytes"),
        pytest.param("return self.out.upper()", "return bytes(self.out).upper()", id="bytes"),
        pytest.param(
            "f = (self.out).upper\n        return f()", "(bytes(self.out)).upper", id="a-method"
        ),
        pytest.param("return {self.out: 1}", "{bytes(self.out): 1}", id="hashed"),
        pytest.param("return '%s' % self.out", "'%s' % bytes(self.out)", id="shown"),
        pytest.param("return self.out == b'ab'", "bytes(self.out) == b'ab'", id="compared"),
        pytest.param("return b'' < self.out < b'b'", "b'' < bytes(self.out) <", id="between"),
        pytest.param(
            "return b'ab' in self.out and self.out[self.last()]", "", id="one-element"
        ),
        pytest.param(
            "at = slice(1)\n        return self.out[at]", "bytes(self.out)[at]", id="slice"
        ),
        pytest.param("return self.out[-1:]", "return bytes(self.out[-1:])", id="a-part"),
        pytest.param("return self.out.find(self.put())", "bytes(self.out).find(", id="grows"),
        pytest.param(
            "return self.out[:self.put()]", "bytes(self.out)[:self.put()]", id="grown"
        ),
        pytest.param(
            "x = self.out\n        x += b'!'\n        return x", "x = bytes(", id="kept"
        ),
    ],
)
def test_reads_of_bytes(body: str, new: str) -> None:
    text = SMALL.replace("return self.out", body).replace("    def get", f"{PUT}    def get")
    (after,) = changed(text)
    assert (new or body) in after
    for pieces in ([], [b"ab"], [b"a", b"\x01b", b"a"]):
        assert_equivalent(AttributeBuffer(), text, pieces)


@pytest.mark.parametrize(
    "body", ["return self.seen", "return len(self.out)", "return not self.out"]
)
def test_what_is_in_it_has_to_be_read_in_the_file(body: str) -> None:
    assert changed(SMALL.replace("return self.out", body)) == []


def test_what_is_emptied_beside_its_copy_is_copied_once() -> None:
    spilled = SMALL.replace("return self.seen", "x, y = self.out, 1\n        self.out = b''")
    text = spilled.replace("self.out += piece", "self.out += piece\n        self.last()")
    assert "x, y = bytes(self.out), 1\n        self.out = bytearray()" in changed(text)[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('strip(" ")', 'strip(" "), len(self._code)', id="size"),
        pytest.param('strip(" ")', 'strip(" ") if self._code else 0', id="truth"),
        pytest.param('f"<{self._code', "f\"<{f'{self._code}'", id="two-quotes"),
        pytest.param("if self._fresh", 'if self._code[-1:] == "\\n"', id="looked-back-at"),
        pytest.param('" " * self', "self._code * self", id="doubled"),
        pytest.param("self._code = ''", "self._code += self._code; self._code = ''", id="lost"),
    ],
)  # fmt: skip
def test_texts_that_are_left(old: str, new: str) -> None:
    assert old in WRITER
    assert changed(WRITER.replace(old, new)) == []


def test_two_attributes_are_two_changes() -> None:
    text = SMALL.replace("self.seen = 0", "self.seen = ''").replace(
        "self.out += piece", "self.out += piece; self.seen += str(piece)"
    )
    assert len(changed(text)) == 2
    assert_equivalent(AttributeBuffer(), text, [b"a", b"bc"])
