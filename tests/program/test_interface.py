"""What callers can rely on is read from the text of a function, and nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.program.interface import (
    changed_parameters,
    parameters,
    raised_exceptions,
    type_phrase,
)


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("a.sort()", ("a",)),
        ("b[0] = 1; a.append(2)", ("a", "b")),
        ("del a[0]", ("a",)),
        ("a.size = 3", ("a",)),
        ("a = sorted(a); a.pop()", ()),
        ("c = []; c.append(a)", ()),
        ("return a[0] + len(b)", ()),
        ("def inner(a): a.clear()", ()),
        ("for a in b: a.pop()", ()),
    ],
)
def test_a_parameter_is_changed_only_where_its_own_value_is(
    body: str, changed: tuple[str, ...]
) -> None:
    assert changed_parameters(f"def f(a, b):\n    {body}\n", "f") == changed


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("raise ValueError(a)", ("ValueError",)),
        ("raise errors.Broken from None", ("Broken",)),
        ("try:\n        raise KeyError\n    except KeyError:\n        pass", ()),
        ("try:\n        raise KeyError\n    except (KeyError, ValueError):\n        pass", ()),
        ("try:\n        g()\n    except E:\n        raise", ()),
        ("def inner():\n        raise ValueError", ()),
    ],
)
def test_exceptions_are_those_that_leave_the_function(
    body: str, raised: tuple[str, ...]
) -> None:
    assert raised_exceptions(f"def f(a):\n    {body}\n", "f") == raised


def test_of_a_function_that_is_not_there_nothing_is_known() -> None:
    for read in (parameters, changed_parameters, raised_exceptions):
        assert read("def f(a): a.sort()", "g") == ()
        assert read("int main() {}", "main") == ()


def test_parameters_keep_their_order() -> None:
    assert parameters("def f(a, /, b, *rest, c=1, **more): ...", "f") == ("a", "b", "c")


@pytest.mark.parametrize(
    ("value", "phrase"),
    [
        (1, "int"),
        ([1, 2], "list of int"),
        ([], "list"),
        ([1, "a"], "list"),
        ([[1], [2]], "list of list of int"),
        ({"a": 1}, "dict"),
        ((1.5,), "tuple of float"),
    ],
)
def test_types_are_told_as_people_say_them(value: object, phrase: str) -> None:
    assert type_phrase(value) == phrase


@given(text=st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert isinstance(changed_parameters(text, "f"), tuple)
