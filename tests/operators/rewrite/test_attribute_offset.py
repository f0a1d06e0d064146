"""A position moves through a text in an attribute, where methods sliced its front off."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.attribute_offset import AttributeOffset
from operators.rewrite.patterns import looks_back, pattern
from operators.rewrite.program import program
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

LEXER = """
import re

class Lexer:
    NAME = re.compile(r"[a-z]\\w*\\b", re.I)
    def __init__(self, text):
        self.text = text
        self.rest = text  # what is not read yet
    def skip(self):
        self.rest = self.rest[re.match(r"\\s*", self.rest).end():]
    def word(self):
        found = self.NAME.match(self.rest)
        if not found:
            raise self.error("no name")
        self.rest = self.rest[found.end():]  # behind it
        return found.group(), found.start(), found.span()
    def error(self, why):
        return ValueError(f"{why}: {self.rest!r}", len(self.text) - len(self.rest))
    def quoted(self):
        char, self.rest = self.rest[0], self.rest[1:]
        end = self.rest.find(char)
        if end < 0:
            raise self.error("open")
        text = self.rest[:end]
        self.rest = self.rest[end + 1:]
        return text
    def tokens(self):
        while self.rest:
            self.skip()
            if not self.rest:
                return
            if self.rest.startswith(("//", "#")) and "+" in self.rest:
                self.rest = self.rest[self.rest.index("+") + 1:]
            elif self.rest[0] in "'x":
                yield self.quoted()
            else:
                yield self.rest[:2], self.word()

def solve(text):
    found = []
    try:
        for token in Lexer(text).tokens():
            found.append(token)
    except ValueError as error:
        found.append(error.args)
    return found
"""
AT, SPAN = "self._rest_at", "range(self._rest_at, len(self.rest))"
LEXER_CHANGES = {
    "self.rest = text  # what is not read yet":
        f"self.rest = text  # what is not read yet\n        {AT} = 0",
    'self.rest = self.rest[re.match(r"\\s*", self.rest).end():]':
        f'{AT} = re.compile(r"\\s*").match(self.rest, {AT}).end()',
    "NAME.match(self.rest)": f"NAME.match(self.rest, {AT})",
    "self.rest = self.rest[found.end():]": f"{AT} = found.end()",
    "(), found.start(), found.span()":
        "(), found.start() - found.pos, (found.start() - found.pos, found.end() - found.pos)",
    "{self.rest!r}": f"{{self.rest[{AT}:]!r}}",
    "- len(self.rest))": f"- (len(self.rest) - {AT}))",
    "char, self.rest = self.rest[0], self.rest[1:]":
        f"char, {AT} = self.rest[{AT}], min({AT} + 1, len(self.rest))",
    "self.rest.find(char)": f"max(self.rest.find(char, {AT}) - {AT}, -1)",
    "self.rest[:end]": f"self.rest[{AT}:{SPAN}[:end].stop]",
    "self.rest = self.rest[end + 1:]": f"{AT} = min({AT} + end + 1, len(self.rest))",
    "while self.rest:": f"while {AT} < len(self.rest):",
    "not self.rest:": f"not ({AT} < len(self.rest)):",
    'startswith(("//", "#")) and "+" in self.rest':
        f'startswith(("//", "#"), {AT}) and self.rest.find("+", {AT}) >= 0',
    'self.rest = self.rest[self.rest.index("+") + 1:]':
        f'{AT} = min({AT} + (self.rest.index("+", {AT}) - {AT}) + 1, len(self.rest))',
    "self.rest[0] in": f"self.rest[{AT}] in",
    "self.rest[:2]": f"self.rest[{AT}:{AT} + 2]",
}  # fmt: skip
BOUNDS = """
class Source(object):
    def __init__(this, data: bytes):
        this._data, this.found = data, []
    def feed(this, a, b):
        this._data += b"xa"[b or 0:] or b"-"
    def back(this, a, b):
        this._data = b"xa"[b or 0:] + this._data
    def cut(this, a, b):
        this._data = this._data[a:]
    def ask(this, a, b):
        a, what = a or 0, b"xa"[b or 0:]
        n = this._data.find(what)
        k = n
        k += 1
        this.found.append((this._data[:b], this._data[a:], this._data[a:b], this._data[-2:]))
        while n > -9:
            n -= 3
        this.found.append((
            this._data[n:], this._data[k:], this._data[2:n], this._data[len(what):4],
            this._data.rfind(what), this._data.count(what), this._data.endswith(what),
            what not in this._data, len(this._data), 1 if this._data and a else 2,
        ))
        this.found.append(this._data[a])
    def last(this):
        this._data, this.left = this._data.lower(), 1
        return this._data[::2], bool(this._data), this._data

def solve(steps):
    source = Source(b"abcd")
    methods = {"feed": source.feed, "back": source.back, "cut": source.cut}
    for name, a, b in steps:
        try:
            methods.get(name, source.ask)(a, b)
        except IndexError:
            source.found.append(a)
    return source.found, source.last()
"""
SMALL = """
import re
WORD = re.compile("a+")

class Reader:
    def __init__(self, text):
        self.seen = 0
        self.rest = text
    def take(self, n):
        found = self.rest[:n]
        self.rest = self.rest[n:]
        return found
    def word(self):
        match = WORD.match(self.rest)
        self.rest = self.rest[match.end():]
        return self.seen
    def done(self):
        return self.rest.strip()

def solve(text):
    reader = Reader(text)
    reader.word()
    return reader.take(2), reader.done()
"""
STALE = SMALL.replace('"a+"', '"a*"').replace("return reader.take(2)", "return reader.all(2)")
STALE = STALE.replace(
    "    def done(self):",
    """    def all(self, n):
        found = []
        while self.rest:
            self.rest = self.rest[1:]
            BODY
        return found

    def skip(self):
        self.rest = self.rest[1:]

    @property
    def skipped(self):
        return self.skip()

    def done(self):""",
).replace("    reader.word()", "")


def changed(text: str) -> list[str]:
    return rewritten(AttributeOffset(), text)


class TestContract(RuleContract):
    rule = AttributeOffset
    slow = LEXER
    others = (
        SMALL,
        BOUNDS.replace("this._data[::2], this._data.upper(), bool(this._data)", ""),
    )


def test_a_lexer() -> None:
    after = dedented(LEXER)
    for old, new in LEXER_CHANGES.items():
        assert old in after
        after = after.replace(old, new)
    assert changed(LEXER) == [after]


@given(st.text("a12 +'x#", max_size=8))
def test_same_tokens(text: str) -> None:
    assert_equivalent(AttributeOffset(), LEXER, text)


STEPS = st.tuples(
    st.sampled_from(["cut", "feed", "back", "ask"]), *[st.none() | st.integers(-3, 3)] * 2
)


@given(st.lists(STEPS, max_size=7))
def test_bounds_may_be_anything(steps: list[Any]) -> None:
    assert_equivalent(AttributeOffset(), BOUNDS, steps)


MATCH = "m = WORD.match(self.rest)\n"
BOUNDED = "min(self._rest_at + m.end() - m.pos, len(self.rest))"
MEANWHILE = {
    MATCH + "if not m: raise ValueError(self.skip())\n"
    "w, self.rest = m[0], self.rest[m.end():]\nfound.append((w, m.start()))":
        "w, self._rest_at = m[0], m.end()",
    "if len(found) % 2 == 0: " + MATCH + "found.append(m.span())\n"
    "self.rest = self.rest[m.end():]": BOUNDED,
    MATCH + "for _ in 'ab':\n    self.rest = self.rest[m.end():]": BOUNDED,
    MATCH + "found.append(self.skipped)\nself.rest = self.rest[m.end():]": BOUNDED,
    MATCH + "w, self.rest = self.skip(), self.rest[m.end():]": BOUNDED,
    "if found:\n    self.rest = self.rest[m.end():]\n" + MATCH + "found.append(m)": "",
    "if found:\n    self.rest = self.rest[m.end():]\n" + MATCH + "found.append(m[0])": BOUNDED,
    MATCH + "self.rest = self.rest[m.end():]\nfound.append(m.end())":
        "found.append(m.end() - m.pos)",
    "if m := WORD.match(self.rest): found.append(m.end())": "(m.end() - m.pos)",
    "found.append((m := WORD.match(self.rest)).end())": "", MATCH + "print(m.end(0))": "",
    "found.append(self.rest[:self.skip()])": "", "found.append(self.skip() in self.rest)": "",
    "found.append(self.rest.find(self.skipped))": "", "found.append(self.rest.isdigit())": "",
    "self.rest = self.rest[self.skip():]": "", "if re.match(found[0], self.rest): pass": "",
}  # fmt: skip


@pytest.mark.parametrize("body", MEANWHILE)
def test_what_moves_meanwhile(body: str) -> None:
    text, new = STALE.replace("BODY", body.replace("\n", "\n            ")), MEANWHILE[body]
    after = changed(text)
    assert [new in each for each in after] == [True] if new else not after
    for given_text in ("", "ab", "aabaaab", "xaabbaxaa") if new else ():
        assert_equivalent(AttributeOffset(), text, given_text)


REFUSED = {
    "class Reader:": [
        "class Reader(Base):", "@dataclass\nclass Reader:", "class Reader(metaclass=M):",
        "import pickle\nclass Reader:", "from copy import copy\nclass Reader:",
        "class Reader:\n    rest = ''\n", "class Reader:\n    __slots__ = ('rest', 'seen')\n",
        "def len(x): ...\nclass Reader:", "class Other:\n    rest = ''\n\nclass Reader:",
        "class Reader:\n    def rest(self): ...\n",
    ],
    "def solve(text):": [
        "class Heir(Reader): ...\n\ndef solve(text):",
        "def f(x): x.rest = ''\n\ndef solve(text):",
        "def f(x):\n    match x:\n        case Reader(rest=y): return y\n\ndef solve(text):",
    ],
    "self.rest = text": [
        "self.rest = [text]", "self.rest = None", "self.rest = bytearray(text)", "self.x = 1",
        "self.rest, x = None, 1", "self.rest, x = text", "x = None; self.seen = x",
        "x = None\n        if text: x = text\n        self.rest = x", "x, *self.rest = text, 1",
        "self.rest: list = text", "self.rest = text; self.seen = 1", "self.rest = iter(text)",
        "for self.rest in text: pass", "self.rest, x[self.rest] = text, 1",
    ],
    "self, text": ["self, text=None", "self, text: list", "self, text: str | None",
                   "self, /, text"],
    "self.rest.strip()": [
        "self.rest.append(1)", "self.rest is None", "f'{self.rest=}'", "getattr(self, 'rest')",
        "vars(self)", "[x for self.rest in ()]", "[self][0].rest", "'{0.rest}'.format(self)",
        "self.__dict__", "(lambda self: self.rest)(self)",
    ],
    "return self.rest.strip()": [
        "del self.rest", "del self.rest[:2]", "self.rest[0] = 1", "self.rest *= 2",
        "self.rest[0].x = 1", "while self.seen: print(self.rest)", "self = self.rest",
        "def f(): return self.rest\n        return f()", "if self.seen: self.rest = ''",
    ],
    "return found": ["return found, self.rest", "return self.done()"],
    "return self.seen": ["return match", "return match.string", "return match.end(0)"],
    "reader.word()": ["reader.rest = text", "[reader.done() for _ in text]"],
    "def take": ["@other\n    def take", "@staticmethod\n    def take"],
    '"a+"': ["'^a'", r"r'\Aa'", r"r'\ba'", r"r'(?<=a)b'", "text", "'a' % 1"],
    "WORD = re": ["WORD = other", "WORD = WORD or re"],
    "import re": ["import regex as re"],
    "    def word": ["    def set(self): global WORD; WORD = 1\n\n    def word"],
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), [(o, new) for o in REFUSED for new in REFUSED[o]])
def test_must_not_fire(old: str, new: str) -> None:
    assert changed(SMALL)
    assert old in SMALL
    assert changed(SMALL.replace(old, new)) == []


TABLE = """
import re

class Lexer:
    KINDS = [("number", re.compile("[0-9]+")), ("word", re.compile("[ab]+"))]

    def __init__(self, source):
        self.rest = source

    def next(self):
        for kind, regex in self.KINDS:
            match = regex.match(self.rest)
            if match:
                self.rest = self.rest[match.end():]
                return kind, match.group()
        self.rest = self.rest[1:]
        return None

def solve(text):
    lexer, found = Lexer(text), []
    for _ in text:
        found.append(lexer.next())
    return found
"""
GIVEN = """
import re

WORD = re.compile('[ab]+')

class Lexer:
    def __init__(self, source):
        self.rest = source

    def _next(self, regex):
        match = regex.match(self.rest)
        if match:
            self.rest = self.rest[match.end():]
            return match.group()
        self.rest = self.rest[1:]
        return None

def solve(text):
    lexer, found = Lexer(text), []
    for _ in text:
        found.append(lexer._next(WORD))
    return found
"""


@pytest.mark.parametrize("text", [TABLE, GIVEN], ids=["a-table", "a-parameter"])
def test_patterns_of_a_table_or_of_all_calls_are_known(text: str) -> None:
    (new,) = changed(text)
    assert "match = regex.match(self.rest, self._rest_at)\n" in new
    for given_text in ("", "ab1", "12 ab?ba3"):
        assert_equivalent(AttributeOffset(), text, given_text)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        pytest.param(TABLE, '"[ab]+"', '"^[ab]+"', id="one-looks-back"),
        pytest.param(TABLE, 're.compile("[ab]+")', "words", id="one-is-unknown"),
        pytest.param(TABLE, '("number", ', '("number", 1, ', id="rows-of-two-lengths"),
        pytest.param(TABLE, "lexer, found", "Lexer.KINDS.append(1); lexer, found", id="grows"),
        pytest.param(TABLE, "lexer, found", "x = Lexer.KINDS; lexer, found", id="is-lent"),
        pytest.param(TABLE, "match = regex", "regex = other; match = regex", id="is-set-again"),
        pytest.param(GIVEN, "'[ab]+'", "'^[ab]+'", id="what-is-given-looks-back"),
        pytest.param(GIVEN, "_next(WORD)", "_next(regex=WORD)", id="by-keyword"),
        pytest.param(GIVEN, "_next(WORD)", "_next(other)", id="an-unknown-one"),
        pytest.param(GIVEN, "_next", "next", id="others-may-call-it"),
        pytest.param(GIVEN, "lexer._next(", "Lexer._next(lexer, ", id="by-its-class"),
        pytest.param(GIVEN, "lexer, found", "x = Lexer._next; lexer, found", id="lent"),
    ],
)
def test_patterns_that_are_not_all_known(text: str, old: str, new: str) -> None:
    assert old in text
    assert changed(text.replace(old, new)) == []


BACK = ["^a", r"\Aa", r"\bi", r"(a|\b)b", r"a*\b", "a(?<=a)", r"(?=\b)a", r"(a)?(?(1)b|c)\b"]
AHEAD = [r"if\b", r"(a|b)\b", r"(?:ab){2,}\B", "a(?!b)", "(?m)a$\n^b"]


@pytest.mark.parametrize("code", [*BACK, *AHEAD])
def test_patterns_that_look_back(code: str) -> None:
    parsed = program(f"P = re.compile({code!r})\n")
    assert parsed is not None
    found = pattern(parsed, next(n for n in parsed.nodes if type(n).__name__ == "Call"))
    assert found is not None
    assert looks_back(found) is (code in BACK)
    texts = ["ab" + rest for rest in ("if", "a", "abab", "a\nb", "b c", "ac")]
    same = all(bool(re.compile(code).match(t, 2)) == bool(re.match(code, t[2:])) for t in texts)
    assert same or code in BACK
