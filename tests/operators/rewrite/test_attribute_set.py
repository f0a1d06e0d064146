"""A list of an object that methods add to and search has a set beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.attribute_set import AttributeSet
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
class Board:
    def __init__(self, muted):
        self.muted = muted
        self.seen = []  # in the order of coming

    def note(self, word):
        key = (word, len(word))
        if key in self.seen or word in self.muted:
            return False
        self.seen.append(key)
        return True

    def knows(self, word):
        return (word, len(word)) in self.seen

    def restart(self):
        self.seen.clear()

    def first(self):
        return [key[0] for key in sorted(self.seen)]

def solve(words, muted):
    board = Board(muted)
    found = [board.note(word) for word in words]
    kept = board.first(), len(board.seen), board.knows("a")
    board.restart()
    return found, kept, [board.note(word) for word in words[:3]], board.seen[-1:]
"""
AFTER = """
class Board:
    def __init__(self, muted):
        self.muted = muted
        self.seen = []  # in the order of coming
        self._seen_set = set()

    def note(self, word):
        key = (word, len(word))
        if key in self._seen_set or word in self.muted:
            return False
        self.seen.append(key)
        self._seen_set.add(key)
        return True

    def knows(self, word):
        return (word, len(word)) in self._seen_set

    def restart(self):
        self.seen.clear()
        self._seen_set.clear()

"""


class TestContract(RuleContract):
    rule = AttributeSet
    slow = SLOW


def test_searches_ask_the_set_and_the_list_stays() -> None:
    (text,) = rewritten(AttributeSet(), SLOW)
    assert text.startswith(dedented(AFTER))
    assert text.endswith(dedented(SLOW[SLOW.index("    def first") :]))


@given(st.lists(st.text("ab", max_size=2), max_size=9), st.lists(st.text("ab", max_size=1)))
def test_answers_stay(words: list[str], muted: list[str]) -> None:
    assert_equivalent(AttributeSet(), SLOW, words, muted)


def test_an_element_that_the_list_is_asked_for_is_taken_from_it() -> None:
    text = SLOW.replace("append(key)", "append((word, len(self.seen)))")
    (new,) = rewritten(AttributeSet(), text)
    assert "self._seen_set.add(self.seen[-1])\n" in new
    assert_equivalent(AttributeSet(), text, ["a", "b", "a"], [])


def test_an_element_that_is_worked_out_is_worked_out_once() -> None:
    (text,) = rewritten(AttributeSet(), SLOW.replace("append(key)", "append(self.made(key))"))
    assert "self.seen.append(self.made(key))\n" in text
    assert "self._seen_set.add(self.seen[-1])\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("self.seen.clear()", "self.seen = []", id="is-set-again"),
        pytest.param("self.seen.clear()", "self.seen.pop()", id="shrinks"),
        pytest.param("self.seen.clear()", "del self.seen[0]", id="loses-an-element"),
        pytest.param("self.seen.clear()", "self.seen[0] = 1", id="has-one-stored"),
        pytest.param("self.seen.clear()", "self.seen += [1]", id="is-lengthened"),
        pytest.param("self.seen.clear()", "other(self.seen)", id="is-handed-on"),
        pytest.param("self.seen.clear()", "return self.seen", id="is-returned"),
        pytest.param("self.seen.clear()", "mine = self.seen", id="has-another-name"),
        pytest.param("append(key)", "append([word])", id="holds-lists"),
        pytest.param("append(key)", "append(key, 1)", id="is-no-list"),
        pytest.param("if key in self.seen or", "if", id="is-searched-in-one-place-alone"),
        pytest.param("self.seen = []", "self.seen = muted", id="is-given"),
        pytest.param("def restart", "def __eq__(self, o): 0\n    def restart", id="equal"),
        pytest.param("len(board.seen)", "sum(board.seen, ())", id="may-be-its-sum"),
        pytest.param("len(board.seen)", "board.seen == found", id="is-compared"),
        pytest.param("board.restart()", "getattr(board, 'seen').pop()", id="asked-by-name"),
        pytest.param("key in self.seen", "[word] in self.seen", id="a-list-is-sought"),
        pytest.param("class Board:", "class Board(Base):", id="has-a-base"),
        pytest.param("class Board:", "@slotted\nclass Board:", id="is-decorated"),
        pytest.param("\ndef solve", "class B(Board): pass\n\ndef solve", id="has-a-subclass"),
        pytest.param("board.restart()", "board.seen.append(1)", id="is-added-to-elsewhere"),
        pytest.param("board.restart()", "setattr(board, 'seen', [])", id="is-set-by-name"),
        pytest.param("def solve", "set = list\ndef solve", id="sets-are-something-else"),
    ],
)
def test_lists_that_stay(old: str, new: str) -> None:
    assert old in SLOW
    text = SLOW.replace(old, new)
    if "if word" in text:
        text = text.replace("in self.seen\n", "in self.muted\n")
    assert rewritten(AttributeSet(), text) == []
