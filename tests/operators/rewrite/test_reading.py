"""What code is, whatever its layout."""

from __future__ import annotations

import libcst as cst
import pytest

from operators.rewrite.reading import flat, same, text


def expression(code: str) -> cst.BaseExpression:
    """Parse it in brackets that are not its own."""
    parsed = cst.parse_expression(f"f({code}\n)")
    assert isinstance(parsed, cst.Call)
    return parsed.args[0].value


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("a\n  + b", "a + b"),
        ("a  # one\n  + b  # two\n\n  - c", "a + b - c"),
        ("xs\n  .sort\n  (\n  1,\n  2\n)", "xs .sort (\n  1,\n  2\n)"),
        ("(a\n  + b)", "(a\n  + b)"),
        ('"""one\n  two"""\n  + b', '"""one\n  two""" + b'),
        ('"one"\n  "# two"', '"one" "# two"'),
        ("not \\\n  a\n  or b", "not \\\n  a or b"),
    ],
)
def test_an_expression_stands_on_one_line_but_for_its_own_brackets(
    code: str, line: str
) -> None:
    found = text(expression(code))
    assert found == line
    assert expression(found).deep_equals(cst.parse_expression(found))


def test_layout_is_no_difference_but_in_texts() -> None:
    one, other = expression('d["a b"][\n  - 1  # last\n]'), expression('d["a b"][-1]')
    assert same(one, other)
    assert flat(one) == flat(other) == 'd["a b"][-1]'
    assert not same(one, expression('d["ab"][-1]'))
    assert not same(expression("not x"), expression("notx"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('f"{a} {b}"', 'f"{a}{b}"'),
        ('f"{a}  {b}"', 'f"{a} {b}"'),
        ('f"{{{a}}}"', 'f"{ {a} }"'),
        ('f" "', 'f""'),
        ('d["a\u2028b"]', 'd["ab"]'),
        ('f"{a}\u2028{b}"', 'f"{a}{b}"'),
        ('"\x0c"', '""'),
    ],
)
def test_blanks_in_texts_are_no_layout(one: str, other: str) -> None:
    first, second = expression(one), expression(other)
    assert not same(first, second)
    assert same(first, expression(f"\n  {one}  # last"))
