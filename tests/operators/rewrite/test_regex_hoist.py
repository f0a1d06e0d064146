"""Regular expressions are compiled once: before the loop, or beside the function."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.regex_hoist import RegexHoist
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
import re

def solve(lines):
    out = []
    for line in lines:
        if re.match(r"\\d+", line):
            out.append(re.sub(" +", "-", line, count=1))  # cleaned
        out += re.compile("[a-c]", re.I).findall(line)
    return out
"""
EARLY = """
import re

def solve(lines):
    out = []
    pattern = re.compile(r"\\d+")
    pattern_2 = re.compile(" +")
    pattern_3 = re.compile("[a-c]", re.I)
    for line in lines:
        if pattern.match(line):
            out.append(pattern_2.sub("-", line, count=1))  # cleaned
        out += pattern_3.findall(line)
    return out
"""
OWN_FUNCTION = """
import re

def parts(line):
    return re.split(r"\\s", line, flags=re.A), re.search("b(.)", line, re.I) is None

def solve(lines):
    return [parts(line) for line in lines]
"""


class TestContract(RuleContract):
    rule = RegexHoist
    slow = SLOW


def test_before_the_loop_and_beside_the_function() -> None:
    early, beside = rewritten(RegexHoist(), SLOW)
    assert early == dedented(EARLY)
    assert beside.index('SOLVE_PATTERN_2 = re.compile(" +")') < beside.index("def solve")


def test_only_the_editable_function_changes() -> None:
    candidates = RegexHoist().candidates(SLOW, editable="solve")
    where = [(("where", "loop"),), (("where", "module"),)]
    assert [c.edit.parameters for c in candidates] == where
    assert all(c.text.endswith(c.text[c.text.index("def solve") :]) for c in candidates)
    assert RegexHoist().candidates(OWN_FUNCTION, editable="solve") == ()


def test_texts_of_the_module_may_be_part_of_a_pattern() -> None:
    text = "import re\nA = 'a'\ndef solve(x):\n    return re.match(A + 'b', x)\n"
    (new,) = rewritten(RegexHoist(), text)
    assert (
        "SOLVE_PATTERN = re.compile(A + 'b')\ndef solve(x):\n    return SOLVE_PATTERN.match(x)"
        in new
    )
    assert rewritten(RegexHoist(), text + "def g():\n    global A\n    A = 0\n") == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import re\nre.match('a', b)\n", id="once"),
        pytest.param("for b in c:\n    re.match('a', b)\n", id="not-the-module"),
        pytest.param("import re\nfor b in c:\n    re.match(b, 'a')\n", id="another-each-time"),
        pytest.param("import re\nfor b in c:\n    re.escape(d)\n", id="no-pattern"),
        pytest.param("import re\ndef f(a, b):\n    return re.match(a, b)\n", id="an-argument"),
        pytest.param("import re\ndef f(b, k):\n    re.match('a', b, k)\n", id="flags-given"),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(RegexHoist(), text) == []


@given(st.lists(st.text("ab1 2C", max_size=6), max_size=4))
def test_same_answers(lines: list[str]) -> None:
    assert_equivalent(RegexHoist(), SLOW, lines)
    assert_equivalent(RegexHoist(), OWN_FUNCTION, lines)


def test_two_patterns_have_two_names_where_the_first_choice_is_taken() -> None:
    text = """
        import re

        def solve(words, pattern):
            found = []
            for word in words:
                if re.match("[a-c]+", word) or re.match("x", pattern):
                    found.append(word)
            return found
        """
    inside, _ = rewritten(RegexHoist(), text)
    assert 'pattern_2 = re.compile("[a-c]+")' in inside
    assert 'pattern_3 = re.compile("x")' in inside
    assert_equivalent(RegexHoist(), text, ["ab", "d"], "y")


BRANCHES = """
import re

def solve(lines, whole, mark):
    if whole:
        return [line for line in lines if re.match("a", line)]
    found = [re.sub(mark, "x", line) for line in lines]
    mark = "b"
    found += [re.sub(mark, "y", line) for line in lines]
    return found + [line for line in lines if re.match("a", line)]
"""


@pytest.mark.parametrize("whole", [False, True])
def test_each_loop_has_patterns_of_its_own(whole: bool) -> None:
    assert rewritten(RegexHoist(), BRANCHES)
    assert_equivalent(RegexHoist(), BRANCHES, ["ab", "b", "a"], whole, "a")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("for word in words", "for word, flags in words", id="of-the-loop"),
        pytest.param("found.append", "flags ^= re.I; found.append", id="changed-there"),
        pytest.param("flags):", "flags, re):", id="another-re"),
    ],
)
def test_flags_stay_as_well(old: str, new: str) -> None:
    text = """
    import re

    def solve(words, flags):
        found = []
        for word in words:
            found.append(re.sub("a", "b", word, flags=flags))
        return found
    """
    assert old in text
    assert len(rewritten(RegexHoist(), text)) == 1
    assert rewritten(RegexHoist(), text.replace(old, new)) == []
