"""What a prompt shows of a long program, and that a reply to it changes the whole one."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.written.excerpt import excerpt
from operators.written.mutation import Mutation
from operators.written.recombination import Recombination
from operators.written.repair import Repair
from operators.written.rewriting import Rewriting
from se_agent.protocols import ModelWritten
from se_agent.values.brief import Brief
from se_agent.values.solution import Solution
from tests.operators.written.prompts import WRONG, pair

NOTE = re.compile(r"\[\.\.\. lines (\d+) to (\d+) are not shown(: .*)? \.\.\.\]")
FILLER = "".join(
    f"def unused_{n}(x):\n    y = x + {n}\n    z = y * 2\n    return z\n\n\n" for n in range(40)
)
LONG = f"""import math

LIMIT = 10
TABLE = {{}}

{FILLER}
def helper(x):
    return math.sqrt(x) * LIMIT


@staticmethod
def target(xs):
    for x in xs:
        yield helper(x)


class Reader:
    kind = "plain"

    def read(self, line):
        return self.split(line)

    def split(self, line):
        return line.split(",")

    other = 1

{FILLER}"""
ROOM = 500


def number_of(line: str) -> int:
    return LONG.split("\n").index(line) + 1


class TestExcerpt:
    def test_a_program_with_room_is_shown_as_it_is(self) -> None:
        assert excerpt(LONG, len(LONG)) == LONG

    def test_the_focus_comes_with_what_it_needs(self) -> None:
        made = excerpt(LONG, ROOM, editable="target")
        needed = "import math\n", "LIMIT = 10\n", "def helper(x):", "@staticmethod\ndef target"
        assert all(part in made for part in needed)
        assert "def unused_3(x)" not in made
        assert ": TABLE, unused_0, unused_1, unused_2, unused_3, unused_4, ... ...]" in made

    def test_a_method_comes_with_the_head_of_its_class_and_what_it_calls(self) -> None:
        made = excerpt(LONG, ROOM, editable="Reader.read")
        assert 'class Reader:\n    kind = "plain"\n\n    def read(self, line):' in made
        assert "def split(self, line):\n        return line.split" in made
        assert "def target" not in made

    def test_what_is_hot_is_shown_before_what_is_used(self) -> None:
        hot = number_of("    y = x + 7")
        made = excerpt(LONG, 120, editable="target", hot=[hot])
        assert "yield helper(x)" in made
        assert "y = x + 7" in made
        assert "def helper" not in made

    def test_of_a_function_without_room_the_hot_lines_are_shown(self) -> None:
        body = "".join(f"    a_{n} = {n}\n" for n in range(300))
        made = excerpt(f"def f():\n{body}", 200, editable="f", hot=[202])
        assert "a_200 = 200" in made
        assert "a_199" in made
        assert "a_201" in made
        assert "a_250" not in made

    def test_marked_blocks_come_first(self) -> None:
        text = f"{FILLER}# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END\n{FILLER}"
        made = excerpt(text, ROOM)
        assert "# EVOLVE-BLOCK-START\nx = 1\n# EVOLVE-BLOCK-END" in made
        assert made.count("\n") < 8

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("int main() {\n" + "  x += 1;\n" * 400 + "}\n", id="another-language"),
            pytest.param("def f(:\n" + "    x = 1\n" * 400, id="not-python"),
            pytest.param("x = '''\r\n" + "a\r\n" * 400 + "'''\r\n", id="other-ends"),
        ],
    )
    def test_what_cannot_be_read_is_one_piece(self, text: str) -> None:
        lines = text.split("\n")
        made = excerpt(text, ROOM, hot=[200])
        assert "\n".join(lines[190:210]) in made
        assert made.count("[...") == 2

    def test_a_table_on_one_line_does_not_take_the_room(self) -> None:
        text = f"DATA = {list(range(2000))}\n\n\ndef f(x):\n    return DATA[x]\n"
        made = excerpt(text, ROOM, editable="f")
        assert made.splitlines()[0] == "[... lines 1 to 3 are not shown: DATA ...]"
        assert "def f(x):\n    return DATA[x]" in made

    def test_what_is_called_comes_after_what_is_hot(self) -> None:
        made = excerpt(LONG, 120, entry="target", hot=[number_of("    y = x + 7")])
        assert "def unused_7(x):\n    y = x + 7\n    z = y * 2\n    return z" in made
        assert "yield helper(x)" not in made
        assert "def target(xs):" in made

    def test_what_a_marked_block_uses_is_shown(self) -> None:
        block = "def f(x):\n    # EVOLVE-BLOCK-START\n    return g(x)\n    # EVOLVE-BLOCK-END\n"
        made = excerpt(f"{FILLER}def g(x):\n    return x\n\n\n{FILLER}{block}", ROOM)
        assert block.strip() in made
        assert "def g(x):\n    return x" in made

    def test_what_is_defined_under_a_condition_is_found(self) -> None:
        text = f"try:\n    from m import h\nexcept ImportError:\n    h = None\n\n{FILLER}"
        text += "if h:\n\n    def f(x):\n        return h(x)\n"
        made = excerpt(text, ROOM, editable="f")
        assert "from m import h" in made
        assert "def f(x):\n        return h(x)" in made

    def test_of_a_single_long_line_the_beginning_is_shown(self) -> None:
        made = excerpt("x=1;" * 1000, 500)
        assert made.startswith("x=1;" * 125)
        assert NOTE.search(made)

    @given(
        st.integers(200, 4000),
        st.sampled_from(["", "target", "Reader.read", "helper", "nobody"]),
        st.lists(st.integers(-5, 700), max_size=4),
    )
    def test_every_line_is_shown_or_noted_once(
        self, room: int, focus: str, hot: list[int]
    ) -> None:
        lines = LONG.split("\n")
        shown, place = 0, 0
        for line in excerpt(LONG, room, entry=focus, hot=hot).split("\n"):
            note = NOTE.fullmatch(line)
            if note:
                assert int(note[1]) == place + 1
                place = int(note[2])
            else:
                assert line == lines[place]
                place += 1
                shown += len(line) + 1
        assert place == len(lines)
        assert shown <= 2 * room + 160  # short gaps are no notes


def long_brief() -> Brief:
    given = pair()
    first, second = (
        dataclasses.replace(parent, files={"main.py": parent.text + "\n\n" + FILLER})
        for parent in given.slot.parents
    )
    failed = dataclasses.replace(
        WRONG.solution, files={"main.py": WRONG.solution.text + FILLER}
    )
    known = dataclasses.replace(
        given.search, failure=dataclasses.replace(WRONG, solution=failed)
    )
    slot = dataclasses.replace(given.slot, parents=(first, second))
    return dataclasses.replace(given, slot=slot, search=known, room=ROOM)


@pytest.mark.parametrize(
    "operator", [Mutation(), Rewriting(), Recombination(), Repair()], ids=lambda each: each.name
)
class TestPromptsOfLongPrograms:
    def test_they_show_a_part_and_ask_for_changes_of_it(self, operator: ModelWritten) -> None:
        system, user = operator.prompt(long_brief())
        assert "<<<<<<< SEARCH" in system.content
        assert "are not shown" in system.content
        assert "whole program" not in system.content + user.content
        assert NOTE.search(user.content)
        assert "def unused_30" not in user.content
        assert len(user.content) < 8000

    def test_a_reply_changes_the_whole_program(self, operator: ModelWritten) -> None:
        given = long_brief()
        base: Solution = operator.base(given)  # type: ignore[attr-defined]  # all of these have it
        head = base.text.split("\n")[0]
        reply = (
            '```json\n{"direction": "d", "expected_effect": "e"}\n```\n'
            f"<<<<<<< SEARCH\n{head}\n=======\nimport sys\n{head}\n>>>>>>> REPLACE\n"
        )
        proposal = operator.parse(reply, given)
        assert proposal is not None
        assert proposal.solution.text == "import sys\n" + base.text


def test_lines_that_fill_the_room_to_the_last_character_are_shown() -> None:
    shown = excerpt("x = 1\n" * 9, 24)
    assert shown.count("x = 1\n") == 4
