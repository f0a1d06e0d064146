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


def solve(body, places):
    page = Page("", body)
    return [(page.row(at), page.shown(at)) for at in places]
"""
MADE = '[place for place, char in enumerate(TEXT) if char == "\\n"]'


class TestContract(RuleContract):
    rule = PrefixCounts
    slow = LOOP
    others = (OBJECT,)


class TestObjectContract(RuleContract):
    rule = PrefixCounts
    slow = OBJECT.partition("\n\ndef solve")[0] + "\n"


def _after(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return dedented(f"from bisect import bisect_left\n{text}")


def test_a_loop() -> None:
    counted = 'text.count("\\n", 0, offset)', "bisect_left(newlines, offset)"
    made = "    for", f"    newlines = {MADE.replace('TEXT', 'text')}\n    for"
    assert rewritten(PrefixCounts(), LOOP) == [_after(LOOP, counted, made)]


def test_all_methods_of_a_class_ask_the_list_of_the_object() -> None:
    row = 'self.body.count("\\n", 0, at)', "bisect_left(self._newlines, at)"
    shown = "page.body[:at].count('\\n')", "bisect_left(page._newlines, at)"
    line = "        self.body = body\n"
    made = line, f"{line}        self._newlines = {MADE.replace('TEXT', 'self.body')}\n"
    assert rewritten(PrefixCounts(), OBJECT) == [_after(OBJECT, row, shown, made)]


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
        ('2 * len(text[:p].split("\\n"))', "2 * (bisect_left(newlines, p) + 1)"),
        ('text.count(",", 0, p + 1)', "bisect_left(places, p + 1)"),
        ('text.rfind("x") + text[:p].count("1")', 'text.rfind("x") + bisect_left(places, p)'),
        ('text.count("\\0", 0, p)', "bisect_left(places, p)"),
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
        'text.count("\\n")', 'text.count("\\n", p)', 'text.count("\\n", 1, p)',
        'text.count("\\r\\n", 0, p)', 'text.count("", 0, p)', 'text.count(b"\\n", 0, p)',
        "text.count(char, 0, p)", 'text[p:].count("\\n")', 'text[:p:2].count("\\n")',
        "len(text[:p].splitlines())", "len(text[:p].split())", 'len(text[:p].split("\\n", 1))',
        'text.rfind("\\n", 0, p)', 'text.count("\\n", 0, -1)', 'text.count("\\n", 0, p - 1)',
        'text.count("\\n", 0, ~p)', 'text.count("\\n", 0, min(p, text.find("x")))',
        'text.count("\\n", 0, None)', 'text.count("\\n", 0, end)', 'str(p).count("\\n", 0, p)',
        'text.strip().count("\\n", 0, p)',
        'text[:p].count("x") if isinstance(text, list) else text.rfind("x")',
    ],
)  # fmt: skip
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
        pytest.param("def g():\n    nonlocal text\n    text = ''\nfor p in ps:\n    C; g()",
                     id="within"),
        pytest.param("for w in ps:\n    p = text.find(w)\n    n = C", id="perhaps-not-found"),
        pytest.param("for p in ps:\n    p += -1\n    n = C", id="added-below"),
        pytest.param("for w in ps:\n    p = w - 1\n    n = C", id="one-before"),
        pytest.param("for p in range(-3, 3):\n    n = C", id="from-below"),
        pytest.param("for m in ps:\n    p = m.start(1)\n    n = C", id="of-a-group"),
        pytest.param("p = 9\nwhile n < 3:\n    p -= 2\n    n = C", id="lowered"),
    ],
)  # fmt: skip
def test_must_not_fire_where_the_text_changes(body: str) -> None:
    code = body.replace("C", 'text.count("\\n", 0, p)').replace("\n", "\n    ")
    text = f"def solve(text, ps):\n    n = 0\n    {code}\n    return n\n"
    assert rewritten(PrefixCounts(), text) == []


def test_a_function_of_one_line_has_no_line_before_a_loop() -> None:
    text = "def solve(text: str, ps): return [text.count('a', 0, p) for p in ps]\n"
    assert rewritten(PrefixCounts(), text) == []


def test_what_was_a_text_before_tells_nothing_of_a_list() -> None:
    text = """
    def solve(text):
        text = text.split(",")
        found = []
        for i in range(3):
            found.append(text[:i + 3].count("x"))
            text.append("x")
        return found
    """
    for new in rewritten(PrefixCounts(), text):
        assert answer(new, ("a,x",)) == answer(text, ("a,x",))


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


def test_a_text_that_may_be_none_has_no_places() -> None:
    text = "def solve(ps, text=None):\n    return [text.count('x', 0, p) for p in ps]\n"
    assert_equivalent(PrefixCounts(), text, [], None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("self.title = title", "self.body = title", id="set-twice"),
        pytest.param("self.body", "if body:\n            self.body", id="set-perhaps"),
        pytest.param("class Page:", "class Page:\n    __slots__ = 'body'", id="slots"),
        pytest.param("class Page:", "@dataclass\nclass Page:", id="decorated"),
        pytest.param("class Page:", "class Page(Other):", id="of-another-file"),
        pytest.param("class Page:", "class Page(metaclass=Other):", id="a-metaclass"),
        pytest.param("def solve", "class A(m.Page[T]): pass\n\ndef solve", id="derived"),
        pytest.param("def solve", "def f(p):\n    p.body = 0\n\ndef solve", id="of-any-object"),
        pytest.param('Page("", body)', 'Page("", "")\n    page.body = body', id="set-outside"),
        pytest.param("page = Page", "setattr(body, 1, 2)\n    page = Page", id="set-by-name"),
        pytest.param("page = Page", "del page.body\n    page = Page", id="deleted"),
        pytest.param("return [(p", "return vars(page), [(p", id="attributes-are-listed"),
        pytest.param("page = Page", "body.body += '.'\n    page = Page", id="grows"),
        pytest.param("def row", "def __getattr__(self, name): pass\n\n    def row", id="asked"),
        pytest.param("row(self, at):", "row(self, at):\n        self = at", id="another"),
        pytest.param("class Page:", "class Page:\n    body = ''", id="of-the-class"),
        pytest.param("def solve", "def body(page): pass\n\ndef solve", id="a-property"),
        pytest.param("row(self,", "row(page, /, self,", id="an-argument"),
        pytest.param("row(self,", "row(this,", id="of-something-else"),
        pytest.param("    def row", "    @staticmethod\n    def row", id="no-method"),
        pytest.param("def solve", "enumerate = list\n\ndef solve", id="another-enumerate"),
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
    used = text.replace("self.rows[", "self.rows.startswith('x') or self.rows[")
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


TEXTS = st.text("a\n", max_size=9)
PLACES = st.lists(st.integers(0, 12), max_size=6)


@given(TEXTS, PLACES)
def test_same_answers(text: str, places: list[int]) -> None:
    for slow in (LOOP, OBJECT):
        assert_equivalent(PrefixCounts(), slow, text, places)


@pytest.mark.parametrize("number", [None, 3])
def test_what_is_no_text_raises_as_before(number: object) -> None:
    for text in (LOOP, *rewritten(PrefixCounts(), LOOP)):
        with pytest.raises((TypeError, AttributeError), match=r"count|iterable"):
            answer(text, (number, [1, 2]))


def test_an_error_for_bytes_that_is_waited_for_stays() -> None:
    waiting = f"{LOOP}\ntry:\n    solve(b'', [1])\nexcept TypeError:\n    pass\n"
    assert rewritten(PrefixCounts(), waiting) == []
    assert rewritten(PrefixCounts(), waiting.replace("TypeError", "KeyError"))
