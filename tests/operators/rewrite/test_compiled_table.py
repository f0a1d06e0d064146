"""Tables of patterns are compiled beside the function, or stay compiled when handed on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.compiled_table import CompiledTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = r"""
import re

BLANK = r"\s*"
KINDS = [r"\d+", "[a-c]+"]

def solve(texts):
    found = []
    for text in texts:
        for number, kind in enumerate(KINDS):
            if re.fullmatch(BLANK + kind, text, re.I):
                found.append(number)
                break  # the first
    return found
"""
AFTER = r"""
import re

BLANK = r"\s*"
KINDS = [r"\d+", "[a-c]+"]
COMPILED_KINDS = [re.compile(BLANK + kind, re.I) for kind in KINDS]

def solve(texts):
    found = []
    for text in texts:
        for number, kind in enumerate(COMPILED_KINDS):
            if kind.fullmatch(text):
                found.append(number)
                break  # the first
    return found
"""
OBJECTS = r"""
import re

_rules = {"number": r"\d+", "word": "[a-c]+"}

class Scanner:
    def __init__(self):
        self.rules = {name: re.compile(rule) for name, rule in _rules.items()}

    def first(self, text):
        return [name for name, rule in self.rules.items() if rule.match(text)]

def solve(texts):
    return [Scanner().first(text) for text in texts]
"""
GIVEN = r"""
import re

RULES = {
    "number": r"\d+",
    "word": re.compile("[a-c]+", re.I),  # in any case
}

class Scanner:
    def __init__(self, rules):
        self.rules = {name: re.compile(rule) for name, rule in rules.items()}

def solve(texts):
    scanners = [Scanner(RULES) if text else Scanner({"": "a"}) for text in texts]
    return [(len(each.rules), text) for each, text in zip(scanners, texts)]
"""


class TestContract(RuleContract):
    rule = CompiledTable
    slow = SLOW
    others = (OBJECTS, GIVEN)


def test_a_loop_over_a_table_of_the_module() -> None:
    assert rewritten(CompiledTable(), SLOW) == [dedented(AFTER)]


def test_the_constant_may_stand_above_the_only_editable_function() -> None:
    (candidate,) = CompiledTable().candidates(dedented(SLOW), editable="solve")
    assert candidate.text == dedented(AFTER)


def test_what_each_object_compiles_is_copied() -> None:
    (text,) = rewritten(CompiledTable(), OBJECTS)
    assert (
        "compiled_rules = {name: re.compile(rule) for name, rule in _rules.items()}\n\n"
        "class Scanner:\n" in text
    )
    assert "        self.rules = dict(compiled_rules)\n" in text


def test_what_is_given_stays_compiled() -> None:
    text, _ = rewritten(CompiledTable(), GIVEN)
    assert '    "number": re.compile(r"\\d+"),\n    "word": re.compile("[a-c]+", re.I),' in text
    assert "rule if isinstance(rule, re.Pattern) else re.compile(rule) for name" in text


def test_a_table_of_the_module_is_known_where_only_the_class_may_change() -> None:
    (found,) = CompiledTable().candidates(dedented(GIVEN), editable="Scanner.__init__")
    assert "RULES.items()}\n\nclass Scanner:\n" in found.text
    assert "COMPILED_RULES.copy() if rules is RULES else {name:" in found.text
    for line in ("RULES.pop('word')", "RULES = {}", "RULES['word'] = 'a'"):
        text = f"{dedented(GIVEN)}\n{line}\n"
        assert CompiledTable().candidates(text, editable="Scanner.__init__") == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return found", "KINDS.append('x')\n    return found", id="grows"),
        pytest.param("return found", "return found, kind", id="asked-after-it"),
        pytest.param("break", "text = kind", id="asked-for-itself"),
        pytest.param("BLANK + kind", "text + kind", id="another-each-time"),
        pytest.param("BLANK + kind", "BLANK", id="another-pattern"),
        pytest.param("KINDS = [", "KINDS = sorted([", id="not-a-literal"),
        pytest.param(
            "def solve", "def other(KINDS):\n    return KINDS\n\ndef solve", id="hidden"
        ),
        pytest.param("import re\n", "", id="without-the-module"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text = SLOW.replace(old, new)
    text = text.replace('"[a-c]+"]', '"[a-c]+"])') if "sorted([" in text else text
    assert rewritten(CompiledTable(), text) == []


def test_must_not_fire_for_a_table_that_comes_later() -> None:
    head, _, rest = dedented(SLOW).partition("KINDS = ")
    table, _, rest = rest.partition("\n")
    assert rewritten(CompiledTable(), f"{head}{rest}KINDS = {table}\n") == []


@pytest.mark.parametrize("text", [SLOW, OBJECTS, GIVEN], ids=["loop", "objects", "given"])
@given(st.lists(st.text(" 1aB", max_size=4), max_size=4))
def test_same_answers(text: str, texts: list[str]) -> None:
    assert_equivalent(CompiledTable(), text, texts)
