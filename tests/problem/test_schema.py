"""Mistakes in the TOML files of a problem: the line, the key, and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.problems.folders import SCORED, TOML, told

ANSWER = """
[answer]
coordinates = 3
positions = [0, 1]
low = [0.0, 0.0]
high = [1.0, 1.0]
"""

COMMAND = """kind = "command"
command.run = [1]

[score]
direction = "minimize"
"""
LOOKS_LIKE_A_CASE = '''[[case]]
name = "a"
args = """
[[case]]
args =
"""

[[case]]
args = "()"
'''

# Values whose line is that of what they are part of: items, free tables, inline tables.
PARTS = [
    ("item", TOML.replace("100", '"a"'), "problem.toml:5: inputs.sizes[1]: "),
    ("item of strings", "imports = [1]\n" + TOML, "problem.toml:1: imports[0]: "),
    ("dotted key", COMMAND, "problem.toml:2: command.run[0]: "),
    ("free table", TOML + "[programs]\na = 1\n", "problem.toml:7: programs.a: "),
    ("inline free table", "programs = {a = 1}\n" + TOML, "problem.toml:1: programs.a: "),
    ("quoted key", TOML + '[programs]\n"a" = 1\n', "problem.toml:7: programs.a: "),
    ("number for a key", TOML + "[programs]\n7 = 1\n", "problem.toml:7: programs.7: "),
    ("weight", "weights.cpu = -1\n" + TOML, "problem.toml:1: weights.cpu: "),
    ("inline table", "limits = {a = 1}\n" + TOML, "problem.toml:1: limits.a: unknown key"),
    (
        "empty inline table",
        'kind = "function"\nentry_point = "f"\ninputs = {}\n',
        "problem.toml:3: inputs.sizes: this key is missing",
    ),
]

BROKEN = [
    *((name, {"problem.toml": text}, error, "") for name, text, error in PARTS),
    (
        "text like a case",
        {"cases.toml": LOOKS_LIKE_A_CASE},
        "cases.toml:8: case[1].name: this key is missing",
        'add `name = "empty list"`',
    ),
    (
        "case whose key another one has",
        {"cases.toml": '[[case]]\nargs = "()"\n[[case]]\nname = "b"\n'},
        "cases.toml:1: case[0].name: this key is missing",
        'add `name = "empty list"`',
    ),
    ("toml", {"problem.toml": "kind = function"}, "problem.toml:1: not valid TOML", "quotes"),
    ("cut", {"problem.toml": TOML + "x = ["}, "problem.toml:6: not valid TOML", "quotes"),
    (
        "key",
        {"problem.toml": 'entry_pont = "f"\n' + TOML},
        "problem.toml:1: entry_pont: unknown key",
        "did you mean 'entry_point'?",
    ),
    (
        "key in a section",
        {"problem.toml": TOML + "visibel = 3\n"},
        "problem.toml:6: inputs.visibel: unknown key",
        "did you mean 'visible'?",
    ),
    (
        "section",
        {"problem.toml": TOML + "[limit]\ncpu_seconds = 1\n"},
        "problem.toml:6: limit: unknown key",
        "did you mean 'limits'?",
    ),
    (
        "name",
        {"problem.toml": 'name = "x"\n' + TOML},
        "problem.toml:1: name: unknown key",
        "known keys: kind, ",
    ),
    (
        "kind",
        {"problem.toml": TOML.replace("function", "functoin")},
        "problem.toml:1: kind: 'functoin' is not known",
        "did you mean 'function'?",
    ),
    (
        "need",
        {"problem.toml": 'needs = ["files", "thread"]\n' + TOML},
        "problem.toml:1: needs[1]: 'thread' is not known",
        "did you mean 'threads'?",
    ),
    (
        "title",
        {"problem.toml": 'title = "two\\nlines"\n' + TOML},
        r"problem.toml:1: title: 'two\nlines' is not one line of printable characters",
        "README.md",
    ),
    (
        "size",
        {"problem.toml": TOML.replace("100", "0")},
        "problem.toml:5: inputs.sizes[1]: input should be greater than 0, not 0",
        "",
    ),
    (
        "number that nobody reads",
        {"problem.toml": "check.tolerance = -1" + "0" * 4000 + "\n" + TOML},
        "problem.toml:1: not valid TOML: a name or a number of 4,002 characters",
        "",
    ),
    (
        "need of another kind",
        {"problem.toml": "needs = [3]\n" + TOML},
        "problem.toml:1: needs[0]: 3 is not known",
        "one of: threads, children, files",
    ),
    (
        "direction",
        {"problem.toml": SCORED.replace("maximize", "up")},
        "problem.toml:8: score.direction: 'up' is not known",
        "one of: minimize, maximize",
    ),
    (
        "no kind",
        {"problem.toml": "[inputs]\nsizes = [1]\n"},
        "problem.toml: kind: this key is missing",
        'add `kind = "function"`',
    ),
    (
        "no sizes",
        {"problem.toml": TOML.replace("sizes = [10, 100]", "")},
        "problem.toml:4: inputs.sizes: this key is missing",
        "add `sizes = [10, 100, 1000]`",
    ),
    (
        "type",
        {"problem.toml": TOML + 'visible = "3"\n'},
        "problem.toml:6: inputs.visible: input should be a valid integer",
        "README.md",
    ),
    (
        "sizes shrink",
        {"problem.toml": TOML.replace("100", "1")},
        "problem.toml:5: inputs.sizes: [10, 1] do not grow",
        "README.md",
    ),
    (
        "final",
        {"problem.toml": TOML + "final = 50\n"},
        "problem.toml:6: inputs.final: 50 is not one of the sizes",
        "README.md",
    ),
    (
        "case key",
        {
            "cases.toml": '[[case]]\nname = "a"\nargs = "()"\n\n'
            '[[case]]\nname = "b"\narg = "()"\n'
        },
        "cases.toml:7: case[1].arg: unknown key",
        "did you mean 'args'?",
    ),
    (
        "answer of a function",
        {"problem.toml": TOML + ANSWER},
        "answer: a function problem says nothing of its answers",
        "remove [answer]",
    ),
    (
        "answer key",
        {"problem.toml": SCORED + ANSWER.replace("positions", "position")},
        "answer.position: unknown key",
        "did you mean 'positions'?",
    ),
    (
        "answer without ends",
        {"problem.toml": SCORED + ANSWER.replace("low = [0.0, 0.0]\n", "")},
        "answer.low: this key is missing",
        "add `low = [0.0, 0.0]`",
    ),
    (
        "no such coordinate",
        {"problem.toml": SCORED + ANSWER.replace("[0, 1]", "[0, 3]")},
        "answer.positions: [0, 3] are not different numbers below 3",
        "README.md",
    ),
    (
        "ends of one position",
        {"problem.toml": SCORED + ANSWER.replace("[1.0, 1.0]", "[1.0]")},
        "answer.high: [1.0] are not 2 numbers, one for each",
        "README.md",
    ),
    (
        "empty box",
        {"problem.toml": SCORED + ANSWER.replace("[1.0, 1.0]", "[1.0, 0.0]")},
        "answer.high: [1.0, 0.0] are not above [0.0, 0.0]",
        "README.md",
    ),
]


@pytest.mark.parametrize(
    ("files", "error", "hint"), [pytest.param(*row, id=name) for name, *row in BROKEN]
)
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path, files: dict[str, str | None], error: str, hint: str
) -> None:
    said, advice = told(tmp_path, files)
    assert error in said
    assert hint in advice
    assert "\n" not in said + advice


def test_a_number_that_our_own_words_have_is_said_once(tmp_path: Path) -> None:
    said, _ = told(tmp_path, {"problem.toml": TOML + "final = 5\n"})
    assert said.endswith("inputs.final: 5 is not one of the sizes [10, 100]")
