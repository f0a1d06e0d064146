"""An error that is handled stays what it was, and so does all that was done before it."""

from __future__ import annotations

import pytest

from tests.operators.rewrite.cases import answer, edits_of, rule

SITES = {
    "needless_copy": ("IndexError", "return sorted(xs)[0]"),
    "generator_instead_of_list": ("IndexError", "return [x for x in xs if x > 1][0]"),
    "position_table": ("ValueError", "return [xs.index(x) for x in (3, 1)]"),
    "heap_min": (
        "ValueError",
        (
            "xs = list(xs)\n    while True:\n"
            "        m = min(xs)\n        xs.remove(m)\n        if m: return m"
        ),
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


@pytest.mark.parametrize("name", ["needless_copy", "position_table", "heap_min"])
def test_any_error_may_take_its_place_where_all_are_waited_for(name: str) -> None:
    text = _program(SITES[name][1], WAITING["a handler"].format("Exception"))
    found = rule(name).candidates(text)
    assert found
    for candidate in found:
        for xs in ([], [1, 3], [3, 1, 2]):
            assert answer(candidate.text, (xs,))[0] == answer(text, (xs,))[0]


KEPT = {
    "string_building": "s = ''\n    {}for x in xs:\n            s += str(9 // x)",
    "list_building": "s = []\n    {}for x in xs:\n            s.insert(0, 9 // x)",
    "sum_over_generator": "s = 0\n    {}for x in xs:\n            s += int(x)",
    "dictionary_default": "s = {{}}\n    {}for x in xs:\n            s[x] = s.get(x, 0) + 1",
    "distinct_map": "s = 0\n    {}for x in xs:\n            s += part(x)",
    "string_translate": "s = ''\n    {}for x in xs:\n            s += part(x).lower()",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_was_done_before_an_error_stays_where_it_is_handled(name: str) -> None:
    part = "def part(x):\n    return 9 // ord(x)\n"
    body = KEPT[name].format("try:\n        ")
    handled = (
        f"def solve(xs):\n    {body}\n    except ValueError:\n        pass\n    return s\n"
    )
    assert edits_of(name, part + handled) == []
    seen = handled.replace("pass", "return s")
    assert edits_of(name, part + seen) == []
    unseen = handled.replace("pass", "return None")
    assert edits_of(name, part + unseen)


SHORTER = {
    "early_exit": "found = False\n    for x in xs:\n        if int(x) > 3:\n"
    "            found = True\n    return found",
    "generator_instead_of_list": "return any([int(x) > 3 for x in xs])",
    "distinct_map": "return any([int(x) > 3 for x in xs])",
    "character_table": "return any([int(x) > 3 for x in xs])",
}


@pytest.mark.parametrize("name", SHORTER)
def test_steps_that_raise_are_not_left_out_where_that_is_handled(name: str) -> None:
    assert edits_of(name, _program(SHORTER[name], "return first(xs)"))
    assert edits_of(name, _program(SHORTER[name], WAITING["a handler"].format(""))) == []
