"""An attribute is left as it is where another part of the program may see what it is."""

from __future__ import annotations

import pytest

from operators.rewrite.attribute_buffer import AttributeBuffer
from tests.operators.rewrite.cases import rewritten
from tests.operators.rewrite.test_attribute_buffer import SMALL

TABLE = "self.table = {0: self.twice}\n        self.out += "
TWICE = """
    def twice(self, piece):
        self.add(piece)
        return piece
    also = twice

"""
HEIR = """
class New(Log):
    def shown(self):
        return self.out

"""


def changed(text: str) -> list[str]:
    return rewritten(AttributeBuffer(), text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('self.out = b""', 'self.out = b"x"', id="begins-with-something"),
        pytest.param('self.out = b""', "self.out = []", id="a-list"),
        pytest.param('self.out = b""', 'self.out = self.seen = b""', id="one-value-for-two"),
        pytest.param('self.out = b""', "self.out: object = b''", id="noted-as-another-type"),
        pytest.param('self.seen = 0', "self.out = ''", id="of-two-types"),
        pytest.param("__init__", "reset", id="not-set-from-the-start"),
        pytest.param("class Log:", "class Log:\n    out = b''\n", id="a-default-of-the-class"),
        pytest.param("class Log:", "class Log:\n    out: bytes\n", id="a-field"),
        pytest.param("class Log:", "@dataclass\nclass Log:", id="a-decorated-class"),
        pytest.param("class Log:", "class Log(metaclass=M):", id="a-class-of-its-own-kind"),
        pytest.param("class Log:", "import pickle\nclass Log:", id="pickled"),
        pytest.param("class Log:", "import copy\nclass Log:", id="copied"),
        pytest.param("class Log:", "def bytes(x): ...\nclass Log:", id="another-bytes"),
        pytest.param("def solve", f"{HEIR}def solve", id="a-subclass"),
        pytest.param("log.get()", "log.out", id="read-from-outside"),
        pytest.param("log.get()", "getattr(log, 'out')", id="read-by-name"),
        pytest.param("log.get()", "getattr(log, pieces)", id="read-by-any-name"),
        pytest.param("log.get()", "vars(log)", id="looked-into"),
        pytest.param("log.get()", "'{0.out}'.format(log)", id="read-by-a-format"),
        pytest.param("return self.seen", "setattr(self, 'out', b'x')", id="set-by-name"),
        pytest.param("return self.seen", "del self.out", id="deleted"),
        pytest.param("return self.seen", "self.out *= 2", id="multiplied"),
        pytest.param("return self.seen", "self.out = self.out[1:]", id="cut"),
        pytest.param("return self.seen", "self.out[0] = 1", id="an-element-set"),
        pytest.param("return self.seen", "for self.out in (): pass", id="a-target"),
        pytest.param("return self.seen", "return self.out is None", id="asked-who-it-is"),
        pytest.param("return self.seen", "return f'{self.out=}'", id="shown-as-written"),
        pytest.param("return self.seen", "return lambda: self.out", id="read-later"),
        pytest.param("return self.seen", "while 1: yield self.out", id="read-in-a-loop"),
        pytest.param("return self.seen", "while 1: yield self.get()", id="asked-there"),
        pytest.param("return self.seen", "self = self.out", id="another-self"),
        pytest.param("def get(self)", "@other\n    def get(self)", id="decorated"),
        pytest.param("def get(self)", "def get(self, /, log)", id="another-parameter"),
        pytest.param("self.out += piece", "self.out += self.out", id="doubled"),
        pytest.param("self.out += piece", "self.out += [piece]", id="a-list-added"),
        pytest.param("self.out += piece", "self.out = piece + self.out", id="in-front"),
        pytest.param("self.out += piece", "self.out += piece(self)", id="hands-itself-on"),
        pytest.param("self.out += piece", "self.out += self.make(piece)", id="asks-the-base"),
        pytest.param("self.out += piece", "self.out += self.twice(piece)", id="adds-meanwhile"),
        pytest.param("self.out += piece", "self.out += yield piece", id="waits"),
        pytest.param("self.out += piece", "self.out += piece.also(1)", id="by-another-name"),
        pytest.param("self.out += piece", TABLE + "self.table[0](piece)", id="a-table"),
        pytest.param("self.out += piece", "self.out += piece.twice(1)", id="by-another-object"),
        pytest.param("self.out += piece",
                     "self.out += piece\n        return self.out", id="read-for-each"),
        pytest.param("self.out += piece",
                     "try: self.out += piece\n        except TypeError: pass", id="tried"),
    ],
)  # fmt: skip
def test_must_not_fire(old: str, new: str) -> None:
    text = SMALL.replace("    def get", f"{TWICE}    def get")
    assert old in text
    assert changed(text.replace(old, new)) == []
    assert len(changed(text)) == 1


def test_errors_of_pieces_that_are_known_may_be_awaited() -> None:
    trying = "try: self.out += piece.encode()\n        except Exception: raise"
    known = SMALL.replace("self.out += piece", trying)
    assert len(changed(known)) == 1
    assert changed(known.replace(".encode()", "")) == []


def test_names_of_methods_that_cannot_be_it_may_be_asked_for() -> None:
    asking = "name = 'on_' + str(self.seen)\n        return getattr(self, name, self.seen)"
    assert len(changed(SMALL.replace("return self.seen", asking))) == 1
    assert changed(SMALL.replace("return self.seen", asking.replace("on_", "o"))) == []
