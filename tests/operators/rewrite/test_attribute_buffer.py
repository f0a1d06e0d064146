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
        self._width, self._depth = width, 0

    def _write(self, word):
        self._code = self._code + " " * self._width * self._depth  # as deep as it is
        # and the word
        self._code += f"{word.upper()};\\n"
        if not word:
            self._code += (
                "-"  # an empty one
                "-"
            )

    def block(self, words):
        self._depth += 1
        for word in words:
            self._write(word)
        self._depth -= 1

    def clear(self):
        self._code = ''

    def getvalue(self):
        return self._code

    def __str__(self):
        return f"<{self._code}>"

def solve(words):
    source = Source(2)
    source.block(words)
    seen = [str(source), source.getvalue(), source.getvalue()]
    source.clear()
    source.block(words)
    return seen, str(source)
"""
WRITER_CHANGES = [
    ('self._code = ""', "self._code = []"),
    ("self._code = ''", "self._code = []"),
    ("self._code = self._code + ", "self._code.append("),
    ("self._depth  #", "self._depth)  #"),
    (' += f"{word.upper()};\\n"', '.append(f"{word.upper()};\\n")'),
    (" += (", ".append("),
    ("return self._code", 'return "".join(self._code)'),
    ("{self._code}", "{''.join(self._code)}"),
]
PACKET = """
import struct

def pair(value):
    return [value >> 8 & 255, value & 255]

class Packet(object):
    def __init__(self) -> None:
        self._wire: bytes = b""
        self.sizes: list[int] = []

    def number(self, value: int) -> None:
        self._wire = self._wire + struct.pack(">H", value)
        self._wire += bytes(pair(value))

    def name(self, label: bytes) -> None:
        if self._wire and self._wire[-1] == len(label):
            self.number(0xC000 | self._wire[0])
        self._wire += bytes([len(label)]) + label
        self.sizes.append(len(self._wire))

    def padded(self) -> None:
        while len(self._wire) % 4:
            self._wire += b"\\0"

    def take(self):
        data = self._wire
        self._wire = b""
        return data

    @property
    def value(self) -> bytes:
        return self._wire or b"-"

def solve(labels):
    packet = Packet()
    for label in labels:
        packet.name(label)
    packet.padded()
    seen = [packet.value, packet.take(), packet.value]
    for label in labels:
        packet.name(label)
    return seen, packet.value, packet.sizes, type(packet.take()).__name__
"""
PACKET_CHANGES = [
    ('self._wire: bytes = b""', "self._wire: bytearray = bytearray()"),
    ("self._wire = self._wire + struct", "self._wire += struct"),
    ("data = self._wire", "data = bytes(self._wire)"),
    ('self._wire = b""', "self._wire = bytearray()"),
    ("return self._wire or", "return bytes(self._wire) or"),
]
SMALL = """
class Log:
    def __init__(self):
        self.out = b""
        self.seen = 0

    def add(self, piece):
        self.out += piece

    def last(self):
        return self.seen

    def twice(self, piece):
        self.add(piece)
        return piece
    strip = twice

    def get(self):
        return self.out

def solve(pieces):
    log = Log()
    for piece in pieces:
        log.add(piece)
    return log.get(), log.last()
"""
HEIR = """
class New(Log):
    def shown(self):
        return self.out

"""


class TestContract(RuleContract):
    rule = AttributeBuffer
    slow = WRITER
    others = (PACKET, SMALL)


def changed(text: str) -> list[str]:
    return rewritten(AttributeBuffer(), text)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        pytest.param(WRITER, WRITER_CHANGES, id="a-list-of-texts"),
        pytest.param(PACKET, PACKET_CHANGES, id="a-bytearray"),
    ],
)
def test_it_grows_in_place(text: str, changes: list[tuple[str, str]]) -> None:
    after = dedented(text)
    for old, new in changes:
        assert old in after
        after = after.replace(old, new)
    assert changed(text) == [after]


@given(st.lists(st.text("ab", max_size=2), max_size=5))
def test_same_text(words: list[str]) -> None:
    assert_equivalent(AttributeBuffer(), WRITER, words)


@given(st.lists(st.binary(max_size=3), max_size=6))
def test_same_packets(labels: list[bytes]) -> None:
    assert_equivalent(AttributeBuffer(), PACKET, labels)


@pytest.mark.parametrize(
    ("body", "new"),
    [
        pytest.param("return b'<' + self.out", "b'<' + bytes(self.out)", id="an-operand"),
        pytest.param("return {(self.out)}", "return {(bytes(self.out))}", id="hashed"),
        pytest.param("return str(self.out)", "str(bytes(self.out))", id="an-argument"),
        pytest.param("return b'' < self.out < b'b'", "< bytes(self.out) <", id="compared"),
        pytest.param("return 'a' if not self.out else self.out", None, id="no-bare-read"),
        pytest.param(
            "x = self.out\n        x += b'!'\n        return x", "x = bytes(", id="kept"
        ),
    ],
)
def test_reads_of_bytes(body: str, new: str | None) -> None:
    text = SMALL.replace("return self.out", body)
    found = changed(text)
    assert [new in after for after in found] == [True] if new else not found
    for pieces in ([], [b"ab"], [b"a", b"\x01b", b"a"]) if new else ():
        assert_equivalent(AttributeBuffer(), text, pieces)


@pytest.mark.parametrize("read", ["len(self._code)", "{self._code!r}", "{self._code:>9}"])
def test_texts_that_are_left(read: str) -> None:
    asked = WRITER.replace("{self._code}", read if read.startswith("{") else f"{{{read}}}")
    assert asked != WRITER
    assert changed(asked) == []


REFUSED = {
    'self.out = b""': [
        'self.out = b"x"', 'self.out = self.seen = b""', 'self.out, self.seen = b"", 0',
        'self.out: object = b""', 'self.out = bytes()',
    ],
    "self.seen = 0": ["self.out = ''", "self.seen = 0; self.out = b''", "self.out += b'x'"],
    "__init__": ["reset"], "return self.out": ["return not self.out"],
    "class Log:": [
        "class Log:\n    out = b''\n", "@dataclass\nclass Log:", "class Log(metaclass=M):",
        "class Log(Base):", "import pickle\nclass Log:", "from copy import copy\nclass Log:",
        "def bytes(x): ...\nclass Log:", "class Other:\n    out = b''\n\nclass Log:",
    ],
    "def solve": [f"{HEIR}def solve", "def see(out): ...\n\ndef solve"],
    "log.get()": ["log.out", "getattr(log, pieces)", "vars(log)", "'{0.out}'.format(log)"],
    "return self.seen": [
        "del self.out", "self.out *= 2", "self.out = self.out[1:]", "self.out[0] = 1",
        "for self.out in (): pass", "return self.out is None", "return self.out[-2:]",
        "return self.out[self.seen]", "return self.out.hex()", "return f'{self.out=}'",
        "return lambda: self.out", "yield self.seen", "while 1: print(self.out)",
        "while 1: self.get()", "self = self.out", "x = [self]; x[0].out = b''",
    ],
    "def get(self)": ["@other\n    def get(self)", "def get(self, /, log)"],
    "self.out += piece": ["self.out = piece + self.out", "with x: self.out += piece",
                          "with x:\n            self.out += piece", "if x: self.out += piece"],
    "+= piece": [
        "+= self.out", "+= self.out + piece", "+= [piece]", "+= 'a' % piece", "+= 2 + piece",
        "+= piece; x = 1", "+= bytes(self)", "+= self.twice(piece)", "+= piece.strip(1)",
        "+= piece.twice", "+= solve(piece)", "+= self.table[0](piece)", "+= piece.other()",
        "+= b''.join(x() for x in piece)", "+= (piece := b'')", "+= piece\n        self.get()",
        "+= piece.upper()\n        piece.upper = self.add",
        "+= piece\n        return self.out", "+= piece\n        return self.out\n        1",
    ],
    "log.add(piece)": ["try: log.add(piece)\n        except: pass",
                       "try: log.add(piece)\n        except Exception: pass"],
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), [(o, new) for o in REFUSED for new in REFUSED[o]])
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SMALL
    assert changed(SMALL.replace(old, new)) == []
