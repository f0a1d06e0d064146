"""Counts of a character before a position are looked up, where the text stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.inlined_return import InlinedReturn
from operators.rewrite.prefix_counts import PrefixCounts
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

LOOP = """
def solve(text, places):
    found = []
    for offset in places:
        line = text.count("\\n", 0, offset) + 1
        found.append((line, offset - text.rfind("\\n", 0, offset)))
    return found
"""
LOOPED = """
from bisect import bisect_left

def solve(text, places):
    found = []
    newlines = [place for place, char in enumerate(text) if char == "\\n"]
    for offset in places:
        line = bisect_left(newlines, offset) + 1
        found.append((line, offset - text.rfind("\\n", 0, offset)))
    return found
"""
LOOPED_LAST = """
from bisect import bisect_left

def solve(text, places):
    found = []
    newlines = [-1, *(place for place, char in enumerate(text) if char == "\\n")]
    for offset in places:
        line = bisect_left(newlines, offset)
        found.append((line, offset - newlines[bisect_left(newlines, offset) - 1]))
    return found
"""
OBJECT = """
class Page:
    def __init__(self, title, body):
        self.title = title
        self.body = body

    def row(self, at):
        return self.body.count("\\n", 0, at)

    def shown(page, at):
        return "%d" % (page.body[:at].count('\\n') + 1), page.start(at)

    def start(self, at):
        return self.body.rfind("\\n", 0, at) + 1


class Word:
    def __init__(self, body):
        self.body = body

def solve(body, places):
    page = Page("", body)
    return [(page.row(at), page.shown(at)) for at in places]
"""
OBJECT_AFTER = """
from bisect import bisect_left

class Page:
    def __init__(self, title, body):
        self.title = title
        self.body = body
        self._newlines = [place for place, char in enumerate(self.body) if char == "\\n"]

    def row(self, at):
        return bisect_left(self._newlines, at)

    def shown(page, at):
        return "%d" % (bisect_left(page._newlines, at) + 1), page.start(at)
"""
CLOSURE = """
def solve(text, places):
    def line_of(offset):
        return text.count("\\n", 0, offset) + 1

    return [line_of(offset) for offset in places]
"""


class TestContract(RuleContract):
    rule = PrefixCounts
    slow = LOOP
    others = (OBJECT, CLOSURE)


class TestObjectContract(RuleContract):
    rule = PrefixCounts
    slow = OBJECT.partition("\n\ndef solve")[0] + "\n"


def test_a_loop() -> None:
    assert rewritten(PrefixCounts(), LOOP) == [dedented(LOOPED), dedented(LOOPED_LAST)]


def test_all_methods_of_a_class_ask_the_list_of_the_object() -> None:
    counted, last = rewritten(PrefixCounts(), OBJECT)
    _, _, after = dedented(OBJECT).partition("\n    def start")
    assert counted == f"{dedented(OBJECT_AFTER).rstrip()}\n\n    def start{after}"
    assert "self._newlines = [-1, *(place for place, char in enumerate(self.body)" in last
    assert "return bisect_left(self._newlines, at) - 1" in last
    assert '"%d" % (bisect_left(page._newlines, at)),' in last
    assert "return self._newlines[bisect_left(self._newlines, at) - 1] + 1" in last


def test_an_inner_function() -> None:
    (text,) = rewritten(PrefixCounts(), CLOSURE)
    made = '    newlines = [place for place, char in enumerate(text) if char == "\\n"]\n'
    assert f"{made}    def line_of(offset):\n" in text
    assert "return bisect_left(newlines, offset) + 1" in text


def test_a_helper_of_the_module_is_written_out() -> None:
    text = """
    def line_of(text, offset):
        return text.count("\\n", 0, offset) + 1

    def solve(text, places):
        return [line_of(text, offset) for offset in places]
    """
    (made,) = rewritten(InlinedReturn(), text)
    assert "return [bisect_left(newlines, offset) + 1 for offset in places]" in made
    assert_equivalent(InlinedReturn(), text, "a\nb\n", [0, 1, 2, 9])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('text[:p].count("\\n")', "bisect_left(newlines, p)"),
        ('text[0:p].count("\\n") + 1', "bisect_left(newlines, p) + 1"),
        ('len(text[:p].split("\\n"))', "bisect_left(newlines, p) + 1"),
        ('len(text[:p].split("\\n")) - 1', "bisect_left(newlines, p)"),
        ('2 * len(text[:p].split("\\n"))', "2 * (bisect_left(newlines, p) + 1)"),
        ('text.count(",", 0, p + 1)', "bisect_left(comma_places, p + 1)"),
        ('text.count("1", 0, p)', "bisect_left(digit_one_places, p)"),
        ('text.count("\\0", 0, p)', "bisect_left(char_places, p)"),
    ],
)
def test_other_spellings(old: str, new: str) -> None:
    text = f"def solve(text, ps):\n    return [{old} for p in ps]\n"
    (made,) = rewritten(PrefixCounts(), text)
    assert f"return [{new} for p in ps]" in made
    assert_equivalent(PrefixCounts(), text, "1,\nx\n\0,x", [0, 1, 2, 3, 4, 7, 20])


@pytest.mark.parametrize(
    "count",
    [
        pytest.param('text.count("\\n")', id="the-whole-text"),
        pytest.param('text.count("\\n", p)', id="the-rest"),
        pytest.param('text.count("\\n", 1, p)', id="from-elsewhere"),
        pytest.param('text.count("\\r\\n", 0, p)', id="two-characters"),
        pytest.param('text.count("", 0, p)', id="no-character"),
        pytest.param('text.count(b"\\n", 0, p)', id="bytes"),
        pytest.param("text.count(char, 0, p)", id="any-text"),
        pytest.param('text[p:].count("\\n")', id="the-end"),
        pytest.param('text[:p:2].count("\\n")', id="every-second"),
        pytest.param("len(text[:p].splitlines())", id="other-line-ends"),
        pytest.param("len(text[:p].split())", id="blanks"),
        pytest.param('len(text[:p].split("\\n", 1))', id="split-once"),
        pytest.param('text.rfind("\\n", 0, p)', id="last-places-alone"),
        pytest.param('text.count("\\n", 0, -1)', id="negative"),
        pytest.param('text.count("\\n", 0, p - 1)', id="perhaps-negative"),
        pytest.param('text.count("\\n", 0, len(text) - 1)', id="of-no-text"),
        pytest.param('text.count("\\n", 0, text.find("x"))', id="perhaps-not-found"),
        pytest.param('text.count("\\n", 0, min(p, text.find("x")))', id="the-least"),
        pytest.param('text.count("\\n", 0, None)', id="no-position"),
        pytest.param('text.count("\\n", 0, end)', id="perhaps-none"),
        pytest.param('str(p).count("\\n", 0, p)', id="another-text"),
        pytest.param('text.strip().count("\\n", 0, p)', id="made-anew"),
    ],
)
def test_must_not_fire(count: str) -> None:
    text = f"def solve(text, char, ps, end=None):\n    return [{count} for p in ps]\n"
    assert rewritten(PrefixCounts(), text) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("for p in ps:\n    text = text[1:]\n    n = C", id="bound-in-the-loop"),
        pytest.param("for p, text in ps:\n    n = C", id="a-text-for-each"),
        pytest.param("g = (C for p in ps)\ntext = 'x'\nn = [*g]", id="a-generator-waits"),
        pytest.param("g = lambda p: C\ntext = 'x'\nn = g(1)", id="a-function-waits"),
        pytest.param("def g(p):\n    return C\ntext = 'x'\nn = g(1)", id="bound-again"),
        pytest.param("def g(p, text):\n    return C\nn = g(1, 'x')", id="its-own"),
        pytest.param("for p in ps:\n    if p:\n        raise ValueError(C)", id="an-error"),
        pytest.param("for p in ps:\n    if p:\n        n = C\n        return n", id="left"),
        pytest.param(
            "def g():\n    nonlocal text\n    text = 'x'\nfor p in ps:\n    n = C\n    g()",
            id="bound-by-an-inner-function",
        ),
        pytest.param("for w in ps:\n    p = text.find(w)\n    n = C", id="perhaps-not-found"),
        pytest.param("for p in range(-3, 3):\n    n = C", id="from-below"),
        pytest.param("p = 9\nwhile n < 3:\n    p -= 2\n    n = C", id="lowered"),
    ],
)
def test_must_not_fire_where_the_text_changes(body: str) -> None:
    code = body.replace("C", 'text.count("\\n", 0, p)').replace("\n", "\n    ")
    text = f"def solve(text, ps):\n    n = 0\n    {code}\n    return n\n"
    assert rewritten(PrefixCounts(), text) == []


def test_a_list_that_grows_is_counted_anew() -> None:
    text = """
    def solve(rows, n):
        found = []
        for p in range(n):
            found.append(rows[:p].count("x"))
            GROWS
        return found
    """
    assert rewritten(PrefixCounts(), text.replace("GROWS", 'rows.append("x")')) == []
    still = text.replace("GROWS", "pass")
    assert len(rewritten(PrefixCounts(), still)) == 1
    assert_equivalent(PrefixCounts(), still, ["x", "xx", "", "x"], 6)


def test_a_position_that_is_asked_before_may_be_one_of_find() -> None:
    text = """
    def solve(text, word):
        found = []
        at = text.find(word)
        while at >= 0:
            found.append(text.count("\\n", 0, at))
            at = text.find(word, at + 1)
        return found
    """
    assert_equivalent(PrefixCounts(), text, "a\na\n\naa", "a")


def test_a_text_that_may_be_none_has_no_places() -> None:
    text = """
    def solve(places, text=None):
        return [text.count("\\n", 0, place) for place in places]
    """
    assert_equivalent(PrefixCounts(), text, [], None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("self.title = title", "self.body = title", id="set-twice"),
        pytest.param("self.body = body", "if body:\n            self.body = body",
                     id="set-perhaps"),
        pytest.param("class Page:", "class Page:\n    __slots__ = 'body'", id="slots"),
        pytest.param("class Page:", "@dataclass\nclass Page:", id="decorated"),
        pytest.param("class Page:", "class Page(Other):", id="of-another-file"),
        pytest.param("class Page:", "class Page(metaclass=Other):", id="a-metaclass"),
        pytest.param("class Word:", "class Word(Page):", id="a-class-below-sets-it"),
        pytest.param('Page("", body)', 'Page("", "")\n    page.body = body', id="set-outside"),
        pytest.param("page = Page", "setattr(body, 1, 2)\n    page = Page", id="set-by-name"),
        pytest.param("page = Page", "del page.body\n    page = Page", id="deleted"),
        pytest.param("return [(p", "return vars(page), [(p", id="attributes-are-listed"),
        pytest.param("def row", "def clear(self):\n        self.body += '.'\n\n    def row",
                     id="grows"),
        pytest.param("def row", "def __getattr__(self, name): pass\n\n    def row", id="asked"),
        pytest.param("    def row(self, at):", "    def row(self, at):\n        self = at",
                     id="another-object"),
        pytest.param("class Page:", "class Page:\n    body = ''", id="of-the-class"),
        pytest.param("class Word:\n", "class Low(Page):\n    def __init__(self): pass\n\n"
                     "class Word:\n", id="a-class-below-makes-none"),
        pytest.param("class Word:\n", "class Low(Page):\n    def body(self): pass\n\n"
                     "class Word:\n", id="a-method-below"),
    ],
)  # fmt: skip
def test_an_attribute_that_may_change_must_not_fire(old: str, new: str) -> None:
    text = OBJECT.replace(old, new, 1)
    assert text != OBJECT
    made = rewritten(PrefixCounts(), text)
    assert not [each for each in made if "return bisect_left(self._newlines, at)" in each]


def test_a_part_of_what_may_be_a_list_stays() -> None:
    text = """
    class Rows:
        def __init__(self, rows):
            self.rows = rows

        def before(self, at):
            return self.rows[:at].count("x")
    """
    assert rewritten(PrefixCounts(), text) == []
    noted = text.replace("self, rows)", "self, rows: str)")
    line = text.replace("self.rows =", "self.rows: str =")
    used = text.replace(
        "            return", "            self.rows.startswith('x')\n            return"
    )
    for known in (noted, line, used):
        assert len(rewritten(PrefixCounts(), known)) == 1


def test_an_object_without_a_text_has_no_places() -> None:
    text = """
    class Page:
        def __init__(self, body=None):
            self.body = body

        def rows(self, places):
            return [self.body.count("\\n", 0, place) for place in places]

    def solve(places, *body):
        return Page(*body).rows(places)
    """
    assert len(rewritten(PrefixCounts(), text)) == 2
    assert_equivalent(PrefixCounts(), text, [])
    assert_equivalent(PrefixCounts(), text, [0, 1, 2, 3, 9], "a\n\nb")


def test_a_count_for_an_error_alone_is_left() -> None:
    text = """
    class Page:
        def __init__(self, body):
            self.body = body

        def fail(self, at):
            line = self.body.count("\\n", 0, at)
            raise ValueError(line)
    """
    assert rewritten(PrefixCounts(), text) == []


TEXTS = st.text("a\n", max_size=9)
PLACES = st.lists(st.integers(0, 12), max_size=6)


@given(TEXTS, PLACES)
def test_same_answers(text: str, places: list[int]) -> None:
    for slow in (LOOP, OBJECT, CLOSURE):
        assert_equivalent(PrefixCounts(), slow, text, places)


@pytest.mark.parametrize("number", [None, 3])
def test_what_is_no_text_raises_as_before(number: object) -> None:
    for text in (LOOP, *rewritten(PrefixCounts(), LOOP)):
        with pytest.raises((TypeError, AttributeError), match=r"count|iterable"):
            answer(text, (number, [1, 2]))


def test_an_error_for_bytes_that_is_waited_for_stays() -> None:
    text = """
    def solve(text, places):
        try:
            return [text.count("a", 0, place) for place in places]
        except TypeError:
            return [text.count(b"a", 0, place) for place in places]
    """
    assert rewritten(PrefixCounts(), text) == []
    assert rewritten(PrefixCounts(), text.replace("TypeError", "KeyError"))
