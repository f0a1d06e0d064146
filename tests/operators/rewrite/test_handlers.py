"""An error that somebody waits for is not exchanged for another one."""

from __future__ import annotations

import pytest

from tests.operators.rewrite.cases import answer, edits_of, rule

SITES = {
    "needless_copy": ("IndexError", "return sorted(xs)[0]"),
    "generator_instead_of_list": ("IndexError", "return [x for x in xs if x > 1][0]"),
    "position_table": ("ValueError", "return [xs.index(x) for x in (3, 1)]"),
    "heap_min": (
        "ValueError",
        "while True:\n        m = min(xs)\n        xs.remove(m)\n        if m: return m",
    ),
}
WAITING = {
    "a handler": "try:\n        return first(xs)\n    except {}:\n        return None",
    "one of two": "try:\n        return first(xs)\n    except (KeyError, {}):\n        pass",
    "suppressed": "with contextlib.suppress({}):\n        return first(xs)",
}


def _program(body: str, caller: str) -> str:
    first = f"def first(xs):\n    {body}\n"
    return f"import contextlib\n{first}def solve(xs):\n    {caller}\n"


@pytest.mark.parametrize("way", WAITING)
@pytest.mark.parametrize("name", SITES)
def test_an_error_that_is_waited_for_stays(name: str, way: str) -> None:
    error, body = SITES[name]
    assert edits_of(name, _program(body, WAITING[way].format(error))) == []


@pytest.mark.parametrize("name", SITES)
def test_any_error_may_take_its_place_where_all_are_waited_for(name: str) -> None:
    text = _program(SITES[name][1], WAITING["a handler"].format("Exception"))
    found = rule(name).candidates(text)
    assert found
    for candidate in found:
        for xs in ([], [1, 3], [3, 1, 2]):
            assert answer(candidate.text, (xs,))[0] == answer(text, (xs,))[0]
