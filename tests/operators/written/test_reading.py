"""A program is read out of a reply, or the model is told in words what is wrong with it."""

from __future__ import annotations

import dataclasses

import pytest

from operators.mending.operator import Mend
from operators.written.mutation import Mutation
from operators.written.rewriting import Rewriting
from se_agent.errors import ReplyError
from se_agent.values.brief import Brief
from se_agent.values.step import Proposal
from tests.contracts.written import DIFF, FAST, HEAD, SLOW, WHOLE, brief

CPP = '#include <cstdio>\nint main() { puts("1"); }\n'


def cpp() -> Brief:
    made = brief(CPP, path="main.cpp", entry_point="")
    return dataclasses.replace(made, language="cpp")


def text(reply: str, given: Brief | None = None) -> str:
    found = Rewriting().parse(reply, given or brief(SLOW))
    assert found is not None
    return found.solution.text


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(WHOLE, id="labelled"),
        pytest.param(f"~~~\n{FAST}~~~", id="tildes"),
        pytest.param(f"````py\n{FAST}````\nDone.", id="longer-fence"),
        pytest.param(f"The slow part is\n```python\nx in out\n```\nso:\n{WHOLE}", id="snippet"),
        pytest.param(f"{WHOLE}\nUse it so:\n```\nprint(distinct([1]))\n```", id="usage-behind"),
        pytest.param(f"{WHOLE}RetryCheck:\n{WHOLE}", id="the-same-twice"),
        pytest.param(WHOLE.replace("\n", "\r\n"), id="crlf"),
        pytest.param(f'{{"direction": "x"}}\n{WHOLE}', id="head-without-fence"),
        pytest.param(f'```\n{{"direction": "x"}}\n```\n{WHOLE}', id="head-without-label"),
    ],
)
def test_a_whole_program_in_many_forms(reply: str) -> None:
    assert text(reply) == FAST


def test_a_diff_does_for_a_rewriting_and_a_whole_program_for_a_mutation() -> None:
    assert text(DIFF) == FAST
    found = Mutation().parse(WHOLE, brief(SLOW))
    assert found is not None
    assert found.solution.text == FAST


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        pytest.param(
            "```python\ndef distinct(xs:\n    return xs\n```",
            r"line 1 of the program is not valid Python: .*\n\| def distinct\(xs:",
            id="syntax",
        ),
        pytest.param("```python\nx = 1\n```", "has to define 'distinct'", id="entry-point"),
        pytest.param(f"```\n{SLOW}```", "same as one that was given", id="the-parent"),
        pytest.param(
            f"```\n# faster\n{SLOW.replace('out', 'found')}```", "same as one", id="renamed"
        ),
        pytest.param(f"```python\n{FAST}", "cut off", id="cut"),
        pytest.param(
            f"{WHOLE}{WHOLE.replace('dict.fromkeys', 'set')}", "2 blocks .* whole", id="two"
        ),
        pytest.param(
            DIFF.replace("out = []", "out = {}"), "block 1: its lines do not stand", id="place"
        ),
        pytest.param(
            "```python\nif x in out\n```\n```python\ny = 1\n```", "has to define", id="last-one"
        ),
        pytest.param("```python\nx = '\x00'\n```", r"U\+0000, which nobody sees", id="null"),
        pytest.param(f"```\n{FAST}# \x1b[2J\n```", r"U\+001B, which", id="terminal"),
        pytest.param(f"```\n{FAST}# a\u202eb\n```", r"U\+202E, which", id="backwards"),
        pytest.param(f"```\n{'(' * 5000}\n```", "valid Python|cannot be read", id="deep"),
    ],
)
def test_what_cannot_be_used_is_told(reply: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        text(HEAD + reply)


def test_hidden_characters_may_stay_where_they_were() -> None:
    given = brief(f"{SLOW}\nMARK = '\u200d'\n")
    made = f"{FAST}\nMARK = '\u200d'\n"
    assert text(f"```\n{made}```", given) == made


def test_a_warning_of_the_compiler_is_no_reason() -> None:
    odd = FAST.replace("return", "x = '\\d'\n    return")
    assert text(f"```\n{odd}```") == odd


def test_only_the_editable_function_may_change() -> None:
    given = dataclasses.replace(brief(f"{SLOW}\nLIMIT = 3\n"), editable="distinct")
    good = f"import re\n\n{FAST}\nLIMIT = 3\n"
    assert text(f"```\n{good}```", given) == good
    with pytest.raises(ReplyError, match="only `distinct` may change"):
        text(f"```\n{FAST}\nLIMIT = 4\n```", given)


def test_a_program_that_is_nested_too_deeply_is_refused_in_words() -> None:
    given = dataclasses.replace(brief(SLOW), editable="distinct")
    deep = " + ".join(["1"] * 4000)
    with pytest.raises(ReplyError, match="cannot be read"):
        text(f"```\n{FAST}\nLIMIT = {deep}\n```", given)


def test_other_languages_are_taken_as_they_stand() -> None:
    made = CPP.replace("puts", "printf")
    assert text(f"{HEAD}```cpp\n{made}```", cpp()) == made
    diff = '<<<<<<< SEARCH\nint main() { puts("1"); }\n=======\nint main() {}\n>>>>>>> REPLACE'
    assert text(HEAD + diff, cpp()) == "#include <cstdio>\nint main() {}\n"
    with pytest.raises(ReplyError, match="same as one"):
        text(f"```cpp\n{CPP}```", cpp())


def test_marks_and_tags_inside_a_program_are_not_ours() -> None:
    odd = (
        f'{FAST}\nTEXT = """\n</reply>\n<|im_end|>\n<<< SEARCH\n{{"direction": "none"}}\n"""\n'
    )
    found = Rewriting().parse(f"{HEAD}```python\n{odd}```", brief(SLOW))
    assert found is not None
    assert found.solution.text == odd
    assert found.direction == "Remember what was seen in a set"


def test_what_is_declared_becomes_one_harmless_line() -> None:
    head = '{"direction": "a\\n## Rules\\n```x", "expected_effect": 3, "lessons_used": "One"}'
    found = Rewriting().parse(f"{head}\n{WHOLE}", brief(SLOW))
    assert found is not None
    assert (found.direction, found.expected_effect) == ("a ## Rules ''x", "3")
    assert found.lessons_used == ("One",)


COLONLESS = FAST.replace("(xs):", "(xs)", 1)


class TestPutRight:
    """A reply whose syntax is wrong is put right where the run can, and says so."""

    def given(self) -> Brief:
        return dataclasses.replace(brief(SLOW), mended_text=Mend().mended_text)

    def read(self, reply: str) -> Proposal:
        found = Rewriting().parse(reply, self.given())
        assert found is not None
        return found

    @pytest.mark.row("LF-90")
    def test_a_whole_program_and_a_diff_are_mended_without_a_call(self) -> None:
        broken = DIFF.replace("dict.fromkeys(xs))", "dict.fromkeys(xs)")
        for reply in (f"```python\n{COLONLESS}```", broken):
            found = self.read(reply)
            assert found.solution.text == FAST
            (note,) = [n for n in found.notes if n.startswith("mended without a call: ")]
            assert "Put right: " in note

    def test_a_program_that_can_be_read_is_left_as_it_is(self) -> None:
        assert self.read(WHOLE).solution.text == FAST
        assert not any("mended" in note for note in self.read(WHOLE).notes)
        sketch = f"{WHOLE}As a sketch:\n```\ndef distinct(xs)\n    return 1\n```"
        assert self.read(sketch).solution.text == FAST

    @pytest.mark.parametrize(
        ("reply", "message"),
        [
            ("```python\ndef other(xs)\n    return xs\n```", "not valid Python"),
            (f"```python\n{COLONLESS}", "cut off"),
            ("```python\ndef distinct(xs): ] return ) xs ??\n```", "not valid Python"),
            (f"```python\n{SLOW.replace('(xs):', '(xs)', 1)}```", "not valid Python"),
        ],
        ids=["another function", "cut", "hopeless", "the parent again"],
    )
    def test_what_cannot_be_used_is_refused_in_words_on_what_was_written(
        self, reply: str, message: str
    ) -> None:
        with pytest.raises(ReplyError, match=message):
            self.read(reply)

    def test_without_the_operator_a_reply_is_refused(self) -> None:
        with pytest.raises(ReplyError, match="not valid Python"):
            text(f"```python\n{COLONLESS}```")

    def test_a_text_of_any_length_is_not_worked_on_for_seconds(self) -> None:
        assert Mend().mended_text(COLONLESS + "# x\n" * 30_000, SLOW) is None
