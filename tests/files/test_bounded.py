"""What somebody else wrote is read within bounds, or refused with a reason and a line."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.files.bounded import TomlError, require_line, toml
from tests.texts import TEXTS

ENDLESS = {
    "dotted": (".".join(["a"] * 50_000) + " = 1", "a key of 50,000 parts; 16 are the most", 1),
    "dotted-and-spaced": ("x = 1\n" + " . ".join(["a"] * 40) + " = 1", "a key of 40 parts", 2),
    "dotted-table": ("\n[" + ".".join(["a"] * 50_000) + "]", "a key of 50,000 parts", 2),
    "dotted-in-a-table": ("x = {" + ".".join(["a"] * 99) + " = 1}", "a key of 99 parts", 1),
    "quoted-parts": (".".join(['"a"'] * 50_000) + " = 1", "a key of 50,000 parts", 1),
    "number": ("x = 1" + "0" * 1_000_000, "a name or a number of 1,000,001 characters", 1),
    "long-hex": ("x = 0x" + "f" * 5_000, "a name or a number of 5,002 characters", 1),
    "name": ("k" * 5_000 + " = 1", "a name or a number of 5,000 characters", 1),
    "arrays": ('y = """\n\n"""\nx = ' + "[" * 5_000 + "]" * 5_000, "nested deeper than 32", 4),
    "tables": ("x = " + "{a=" * 50 + "1" + "}" * 50, "nested deeper than 32 levels", 1),
    "many-keys": ("".join(f"k{n} = 1\n" for n in range(150_000)), "more than 1 MB of keys", 0),
    "open-text": ('x = "' + '\\"' * 300_000, "Unterminated string", 1),
    "open-texts": ('x = """' + '\\"""' * 200_000, "Unterminated string", 1),
    "open-literal": ("x = '''" + "''a" * 200_000, "Expected", 1),
    "no-value": ("x = ", "Invalid value", 1),
}


@pytest.mark.tier("runs")
@pytest.mark.parametrize(("text", "message", "line"), ENDLESS.values(), ids=ENDLESS)
def test_what_nobody_writes_is_refused_with_its_line(
    text: str, message: str, line: int
) -> None:
    with pytest.raises(TomlError, match=message) as caught:
        toml(text)
    assert caught.value.line == line


def test_texts_may_hold_what_names_may_not() -> None:
    text = '''a = ".............................." # [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
b = \'\'\'[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[['\'\'\'
c = """{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"\\""""
d = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]
'''
    assert toml(text) == tomllib.loads(text)
    assert len(toml(f"a = '{'x' * 10_000_000}'")["a"]) == 10_000_000


@given(st.text(st.sampled_from("a.=[]{}\"'\\#\n 1,"), max_size=60))
def test_whatever_is_toml_is_read_as_toml(text: str) -> None:
    try:
        right = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(TomlError, match=r"."):
            toml(text)
    else:
        assert toml(text) == right


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_line_of_a_problem_file_is_short_and_is_seen(text: str) -> None:
    fine = {"", TEXTS["pair"], TEXTS["combining"], TEXTS["spelled-already"]}
    if text in fine:
        require_line(text)
        return
    with pytest.raises(ValueError, match=r"one line of printable|1,000 are the most"):
        require_line(text)
