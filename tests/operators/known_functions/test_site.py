"""What a function can come by, of the constants of its program."""

from __future__ import annotations

from operators.known_functions.site import constants

TEXT = '''"""A text about 4711."""

MODULUS = 99_991


def helper(x):
    """Seventeen is not among them."""
    return x % 13


def near(x):
    return helper(x) + 2**10


def far(x):
    return x * 31 + near(x)


class Box:
    def go(self, x):
        return far(x) * 37
'''


def test_they_are_in_it_or_at_module_level_or_in_what_it_calls() -> None:
    assert constants(TEXT, "near") == (99991, 1024, 13)


def test_those_of_callers_are_none() -> None:
    assert set(constants(TEXT, "far")) - set(constants(TEXT, "near")) == {31}
    assert 37 in constants(TEXT, "Box.go")


def test_docstrings_are_none() -> None:
    assert not [value for value in constants(TEXT, "Box.go") if "Seventeen" in str(value)]


def test_a_text_that_is_no_python_has_none() -> None:
    assert constants("def (", "near") == ()


def test_annotations_are_none() -> None:
    text = (
        "def near(n: 'int', *, far: 'row' = 5) -> 'bool':\n"
        "    rest: dict[str, 'cell']\n"
        "    count: int = 7\n"
        "    return n % count == far\n"
    )
    assert constants(text, "near") == (7, 5)
