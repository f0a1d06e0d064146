"""Edits of hot places are proposed first, and what is on offer says how hot it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from operators.editing.edits import Candidate, Editing
from operators.editing.heat import heat
from se_agent.program.language import Language
from se_agent.values.brief import Brief
from se_agent.values.observation import HotLine, Observation
from se_agent.values.solution import Edit
from tests.contracts.operator import brief

TEXT = """\
def cold(xs, known):
    return [x for x in xs if x in [1, 2, 3, 4, 5]]

def warm(xs):
    total = 0
    for x in xs:
        total += x
    return total

def hot(xs):
    return [x for x in xs if x in [7, 8, 9, 10, 11]]
"""
LINES = {
    "cold": "return [x for x in xs if x in [1, 2, 3, 4, 5]]",
    "warm": "total += x",
    "hot": "return [x for x in xs if x in [7, 8, 9, 10, 11]]",
}


def observed(**shares: float) -> Observation:
    numbers = {text.strip(): n for n, text in enumerate(TEXT.splitlines(), 1)}
    hot = tuple(
        HotLine(function=name, line=numbers[LINES[name]], text=LINES[name], share=share, hits=9)
        for name, share in shares.items()
    )
    return Observation(hot=hot, functions=shares)


@pytest.mark.parametrize(
    ("new", "function", "expected"),
    [
        pytest.param(TEXT.replace("[7, 8, 9, 10, 11]", "HELD"), "hot", 0.7, id="a hot line"),
        pytest.param(TEXT.replace("total += x", "x"), "warm", 0.2, id="a warm one"),
        pytest.param(TEXT.replace("total = 0", "total = 1"), "warm", 0.1, id="beside it"),
        pytest.param("import re\n" + TEXT, "hot", 0.35, id="nothing is replaced"),
        pytest.param(TEXT.replace("known", "seen"), "cold", 0.0, id="where nothing is spent"),
    ],
)
def test_lines_that_are_replaced_count_as_much_as_their_function(
    new: str, function: str, expected: float
) -> None:
    assert heat(observed(hot=0.7, warm=0.2), TEXT, new, function) == pytest.approx(expected)


def test_shares_are_added_in_the_order_of_the_text() -> None:
    """A set has another order in each process, and a sum of floats depends on it."""
    shares = [1 / (8 * number) for number in range(3, 203)]
    lines = [f"y{number} = x + {number}" for number in range(len(shares))]
    text = "\n    ".join(["def hot(x):", *lines, "return x\n"])
    hot = tuple(
        HotLine(function="hot", line=number + 2, text=line, share=share, hits=9)
        for number, (line, share) in enumerate(zip(lines, shares, strict=True))
    )
    found = heat(Observation(hot=hot), text, "def hot(x):\n    return x\n", "hot")
    assert found == sum(shares) / 2


def test_equal_lines_of_another_function_do_not_count() -> None:
    found = observed(warm=1.0)
    assert heat(found, TEXT, TEXT.replace("total += x", "x"), "cold") == 0.0


def test_nothing_is_said_where_nothing_was_seen() -> None:
    assert heat(Observation(), TEXT, "", "hot") is None


class Sets(Editing):
    """Looks for elements in sets instead of lists."""

    name = "sets"
    language = Language.PYTHON

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return one for each of the two functions."""
        return tuple(
            Candidate(
                text=text.replace(LINES[function], LINES[function].replace("in [", "in *{")),
                edit=Edit(rule=self.name, function=function, node=""),
                direction="Use a set",
                effect="O(1)",
            )
            for function in ("cold", "hot")
        )


def functions(given: Brief) -> list[str]:
    return [offer.edit.function for offer in Sets().offers(given)]


def test_the_hottest_place_comes_first() -> None:
    given = brief(TEXT)
    assert functions(given) == ["cold", "hot"]
    assert functions(replace(given, observed=observed(hot=0.9, cold=0.1))) == ["hot", "cold"]
    assert functions(replace(given, observed=observed(hot=0.1, cold=0.9))) == ["cold", "hot"]
    assert functions(replace(given, observed=observed(hot=0.3))) == ["hot", "cold"]
    assert functions(replace(given, observed=observed(warm=1.0))) == ["cold", "hot"]


class Twice(Sets):
    """Comes by the same text in two ways."""

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return one that is hot twice, and a cold one."""
        cold, hot = super().candidates(text)
        return hot, cold, replace(hot, edit=replace(hot.edit, node="other"))


def test_a_text_is_offered_once() -> None:
    offers = Twice().offers(brief(TEXT))
    assert [offer.edit.function for offer in offers] == ["hot", "cold"]


def test_offers_tell_how_hot_and_variants_keep_their_order() -> None:
    given = replace(brief(TEXT), observed=observed(hot=0.8, cold=0.1))
    offers = Sets().offers(given)
    assert [offer.heat for offer in offers] == pytest.approx([0.8, 0.1])
    for variant, offer in enumerate(offers):
        slot = replace(given.slot, variant=variant)
        made = Sets().propose(replace(given, slot=slot))
        assert made is not None
        assert (made.solution.edits[-1], made.solution.content) == (offer.edit, offer.content)


def test_offers_say_nothing_of_heat_where_nothing_was_seen() -> None:
    assert [offer.heat for offer in Sets().offers(brief(TEXT))] == [None, None]
