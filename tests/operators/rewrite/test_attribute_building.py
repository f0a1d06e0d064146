"""Texts that grow in an attribute are collected, where the loop only adds to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.attribute_building import AttributeBuilding
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
class Page:
    def __init__(self):
        self.text = ""
        self.open = 0

    def feed(self, words):
        for word in words:
            for c in word:
                if c == "<":
                    self.open += 1
                elif not self.open:
                    self.text += c  # as it is
            self.text = self.text + " "
        return len(self.text)

def solve(words):
    page = Page()
    return page.feed(words), page.feed(words), page.text, page.open
"""
AFTER = """
class Page:
    def __init__(self):
        self.text = ""
        self.open = 0

    def feed(self, words):
        text_parts = []
        for word in words:
            for c in word:
                if c == "<":
                    self.open += 1
                elif not self.open:
                    text_parts.append(c)  # as it is
            text_parts.append(" ")
        self.text += "".join(text_parts)
        return len(self.text)

def solve(words):
    page = Page()
    return page.feed(words), page.feed(words), page.text, page.open
"""


class TestContract(RuleContract):
    rule = AttributeBuilding
    slow = SLOW


def test_a_method() -> None:
    assert rewritten(AttributeBuilding(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('self.text = ""', "self.text = 0", id="a-number"),
        pytest.param('self.text = ""', 'self.text = b""', id="bytes"),
        pytest.param('self.text = ""', "self.texts = words", id="set-elsewhere"),
        pytest.param('self.text + " "', "str(self.text)", id="asked-meanwhile"),
        pytest.param('self.text + " "', "self.text + self.mark()", id="calls-a-method"),
        pytest.param('self.text + " "', "self.text + mark(self)", id="hands-itself-on"),
        pytest.param('self.text + " "', "self.text + mark(word)", id="asks-somebody"),
        pytest.param("self.open += 1", "return 1", id="leaves"),
        pytest.param("self.open += 1", "yield word", id="waits"),
        pytest.param("class Page:", "class Page:\n    def text(self): pass\n", id="a-property"),
        pytest.param("for word in words:", "for word in words[:other.text]:", id="of-another"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    found = rewritten(AttributeBuilding(), SLOW.replace(old, new))
    outer = "text_parts = []\n        for word"
    assert not [text for text in found if outer in text]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("words = (w + self.text for w in words)", id="a-generator-reads-it"),
        pytest.param("words = map(lambda w: w + self.text, words)", id="a-function-reads-it"),
        pytest.param("words = self.longer(words)", id="a-method-may-read-it"),
        pytest.param("words = longer(self, words)", id="a-function-of-others-may"),
    ],
)
def test_what_is_made_before_the_loop_may_ask_for_the_text(lines: str) -> None:
    loop = "        for word in words:\n"
    text = SLOW.replace(loop, f"        {lines}\n{loop}")
    assert rewritten(AttributeBuilding(), text) == []


def test_must_not_fire_outside_of_a_class() -> None:
    text = 'def f(page, xs):\n    page.text = ""\n    for x in xs:\n        page.text += x\n'
    assert rewritten(AttributeBuilding(), text) == []


@given(st.lists(st.text("a<", max_size=3), max_size=4))
def test_same_answers(words: list[str]) -> None:
    assert_equivalent(AttributeBuilding(), SLOW, words)
