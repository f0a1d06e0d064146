"""Slow functions of kinds that reports name again and again are found, wherever they stand.

As plain functions, methods, nested functions and generators; and all that rules make of them
answers as they do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from textwrap import dedent, indent
from typing import Any, NamedTuple

import pytest

from tests.operators.rewrite.cases import RULES, answer, rewritten, rule

Args = tuple[Any, ...]


class Case(NamedTuple):
    """A slow function `work`, what stands above it, a rule that changes it, and arguments."""

    rule: str
    work: str
    draw: Callable[[random.Random], Args]
    above: str = ""


def numbers(rng: random.Random) -> list[int]:
    return [rng.randrange(9) for _ in range(rng.randrange(9))]


def text(rng: random.Random) -> str:
    return "".join(rng.choices("ab1 -_.", k=rng.randrange(12)))


CASES = {
    "frames-of-bytes": Case(
        "buffer_building",
        """
        def work(frames):
            out = b""
            for frame in frames:
                for byte in frame:
                    out += b"\\xdb\\xdc" if byte == 192 else bytes((byte,))
                out += b"\\xc0"
            return out
        """,
        lambda rng: ([bytes(numbers(rng)) + b"\xc0" for _ in range(rng.randrange(4))],),
    ),
    "way-back-as-a-tuple": Case(
        "buffer_building",
        """
        def work(parents, node):
            way = ()
            while node in parents and len(way) < 20:
                way = way + (node,)
                node = parents[node]
            return way
        """,
        lambda rng: (dict(enumerate(numbers(rng))), rng.randrange(9)),
    ),
    "words-off-the-front": Case(
        "front_offset",
        """
        def work(text):
            found = []
            while text:
                n = 0
                while n < len(text) and text[n].isalpha():
                    n += 1
                if n:
                    found.append(text[:n])
                text = text[n + 1:]
            return found
        """,
        lambda rng: (text(rng),),
    ),
    "tokens-of-a-rest": Case(
        "match_position",
        """
        def work(text):
            found, at = [], 0
            while at < len(text):
                match = WORD.match(text[at:])
                if match is None:
                    at += 1
                else:
                    found.append(match.group())
                    at += match.end()
            return found
        """,
        lambda rng: (text(rng),),
        above='import re\n\nWORD = re.compile("[ab]+|1")\n',
    ),
    "one-joint": Case(
        "class_replace",
        """
        def work(name):
            plain = JOINTS.sub("-", name).strip()
            return plain
        """,
        lambda rng: (text(rng),),
        above='import re\n\nJOINTS = re.compile("[-_.]+")\n',
    ),
    "kinds-of-patterns": Case(
        "compiled_table",
        """
        def work(texts):
            found = []
            for each in texts:
                for kind in KINDS:
                    if re.match(kind + "$", each):
                        found.append(each)
            return found
        """,
        lambda rng: ([text(rng) for _ in range(3)],),
        above='import re\n\nKINDS = ("[ab]+", "1*")\n',
    ),
    "parts-of-parts": Case(
        "chained_sum",
        """
        def work(rows):
            return sorted(sum(map(list, rows), []))
        """,
        lambda rng: ([numbers(rng) for _ in range(3)],),
    ),
    "layers-by-a-helper": Case(
        "update_in_place",
        """
        def work(rows):
            settings = dict()
            for row in rows:
                settings = extended(settings, dict(enumerate(row)))
            return settings
        """,
        lambda rng: ([numbers(rng) for _ in range(3)],),
        above="""
def extended(options, more):
    merged = options.copy()
    merged.update(more)
    return merged
""",
    ),
    "first-of-each-key": Case(
        "seen_keys",
        """
        def work(rows):
            kept = []
            for row in rows:
                if not any(other[:1] == row[:1] for other in kept):
                    kept.append(row)
            return kept
        """,
        lambda rng: ([tuple(numbers(rng)) for _ in range(5)],),
    ),
    "owners": Case(
        "set_membership",
        """
        def work(users, owners):
            return [user for user in users if user in owners.values()]
        """,
        lambda rng: (numbers(rng), dict(enumerate(numbers(rng)))),
    ),
    "oldest-job": Case(
        "needless_copy",
        """
        def work(jobs):
            done = []
            while jobs:
                job = list(jobs)[0]
                done.append((job, jobs.pop(job)))
            return done
        """,
        lambda rng: (dict(enumerate(numbers(rng))),),
    ),
}


def plain(case: Case) -> str:
    return f"{case.above}\n{dedent(case.work)}\ndef solve(*args):\n    return work(*args)\n"


def method(case: Case) -> str:
    work = indent(dedent(case.work).replace("def work(", "def work(self, "), "    ")
    call = "def solve(*args):\n    return Worker().work(*args)\n"
    return f"{case.above}\nclass Worker:\n{work}\n{call}"


def nested(case: Case) -> str:
    work = indent(dedent(case.work), "    ")
    return f"{case.above}\ndef solve(*args):\n{work}\n    return work(*args)\n"


def generator(case: Case) -> str:
    work = re.sub("return (.*)", r"yield (\1,)", dedent(case.work))
    return f"{case.above}\n{work}\ndef solve(*args):\n    return list(work(*args))\n"


@pytest.mark.parametrize("form", [plain, method, nested, generator])
@pytest.mark.parametrize("name", CASES)
def test_a_rule_finds_it_wherever_it_stands(name: str, form: Callable[[Case], str]) -> None:
    case = CASES[name]
    assert rewritten(rule(case.rule), form(case))


@pytest.mark.parametrize("name", CASES)
def test_all_that_rules_make_of_it_answers_alike(name: str) -> None:
    case, rng = CASES[name], random.Random(name)
    old = plain(case)
    made = {new for each in RULES for new in rewritten(rule(each), old)}
    for args in [case.draw(rng) for _ in range(40)]:
        expected = answer(old, args)
        for new in sorted(made):
            assert answer(new, args) == expected, new
