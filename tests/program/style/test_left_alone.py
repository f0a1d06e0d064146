"""Passes leave what the author asked, words in texts, and other functions as they are."""

from __future__ import annotations

from textwrap import dedent

from se_agent.program.style.passes import PASSES


def _made(name: str, old: str, new: str) -> str:
    return PASSES[name](dedent(old), dedent(new))


def test_guards_of_the_author_stay_in_lines_that_changed() -> None:
    old = """
        def f(a, b):
            return sum([x if isinstance(x, int) else x.size for x in a])
        """
    new = dedent(old).replace("[", "").replace("]", "")
    assert _made("guards", old, new) == new


def test_a_handler_of_the_author_stays_in_lines_that_changed() -> None:
    old = """
        def f(a, b):
            if b:
                try:
                    return sorted(a)
                except TypeError:
                    pass
            return list(a)
        """
    new = """
        def f(a, b):
            try:
                return sorted(a)
            except TypeError:
                pass
            return list(a)
        """
    assert _made("guards", old, new) == dedent(new)


def test_an_import_that_hides_a_name_of_python_from_others_stays_in_its_function() -> None:
    old = "def f(a):\n    return a\n\n\ndef g(a):\n    return pow(a, 2, 3)\n"
    new = old.replace("    return a\n", "    from math import pow\n\n    return pow(a, 2)\n", 1)
    assert _made("imports", old, new) == new


def test_words_in_a_text_are_no_denial() -> None:
    old = "def f(a):\n    return a\n"
    new = 'def f(a):\n    return "not (a in b), perhaps"\n'
    assert _made("parentheses", old, new) == new


def test_parts_that_the_next_round_of_a_loop_joins_again_get_no_more() -> None:
    old = "def f(a):\n    return a\n"
    new = """
        def f(a):
            found = []
            parts = []
            for each in a:
                parts.append(each)
                text = "".join(parts)
                text += "!"
                found.append(text)
            return found
        """
    assert _made("shorter", old, new) == dedent(new)


def test_a_name_that_an_error_an_import_or_a_pattern_sets_is_no_copy_to_rename() -> None:
    old = "def f(a):\n    return a\n"
    for line in (
        "try:\n        a()\n    except OSError as why_2:\n        return why_2.errno",
        "import array as why_2",
        "match a:\n        case {**why_2}:\n            return why_2",
    ):
        new = f"def f(a):\n    why_2 = None\n    {line}\n    return why_2\n"
        assert _made("names", old, new) == new


def test_a_constant_keeps_a_name_that_is_another_thing_in_a_function() -> None:
    old = "def f(a):\n    return a\n"
    inside = "def f(a):\n    return table[a]\n\n\ndef g(table):\n    return table\n"
    new = f"table = {{1: 2}}\n\n\n{inside}"
    assert _made("names", old, new) == new


def test_an_empty_start_stays_where_a_loop_may_be_left_before_it_is_joined() -> None:
    old = "def f(a):\n    return a\n"
    new = """
        def f(a):
            for each in a:
                text = ""
                parts = [text]
                if not each:
                    break
                parts.extend(each)
                text = "".join(parts)
            return text
        """
    assert _made("shorter", old, new) == dedent(new)
