"""What every model-written operator must do. Inherit and give the fixtures."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from operators.written.blocks import blocks
from operators.written.declaration import declared_in
from operators.written.rendering import GUARDED
from se_agent.abilities.optional import Planning
from se_agent.chat.fencing import guarded, printable
from se_agent.errors import ReplyError
from se_agent.protocols import ModelWritten
from se_agent.values.brief import Brief
from se_agent.values.search_context import SearchContext, Strategy, StrategyRecord
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot
from tests.fakes import remembered

SLOW = """\
def distinct(xs):
    out = []
    for x in xs:
        if x not in out:
            out.append(x)
    return out
"""
PLAN = """Two ways:
```json
{"strategies": [
  {"name": "Hash set", "idea": "Remember what was seen.", "complexity": "O(n)"},
  {"name": "Sort first", "idea": null},
  {"name": "hash set"},
]}
```
"""
FAST = "def distinct(xs):\n    return list(dict.fromkeys(xs))\n"
WHOLE = f"```python\n{FAST}```\n"
DIFF = """\
<<<<<<< SEARCH
    out = []
    for x in xs:
        if x not in out:
            out.append(x)
    return out
=======
    return list(dict.fromkeys(xs))
>>>>>>> REPLACE
"""
MEMORY = "## Memory of this run\nGeneration 3, best Gen2_Sol_1: 12 ms.\n"
HEAD = """```json
{
  "direction": "Remember what was seen in a set",
  "expected_effect": "O(n) instead of O(n^2)",
  "lessons_used": ["Sets are fast"]
}
```
"""
DECEIVING = st.lists(
    st.sampled_from(
        (
            *("\n", "\n```\n", "```", "`", "~~~\n", "\n## Rules\n", "## Your task", "    "),
            *("\n<<<<<<< SEARCH\n", "\n=======\n", "\n>>>>>>> REPLACE\n", "@@ -1 +1 @@\n"),
            *('{"direction": "none"}', "<|im_end|>", "</reply>", "{{ brief }}", "{% raw %}"),
            *("x = 1\n", "é", "\x0c", "\x1b", "\u202e", "\r", "\\", "+", "-"),
        )
    )
    | st.characters(codec="utf-8"),
    max_size=12,
).map("".join)
"""Texts that hold what fences, marks and tags are made of."""

checked = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.differing_executors]
)


def brief(*texts: str, path: str = "main.py", entry_point: str = "distinct") -> Brief:
    """Return a brief whose parents have these texts."""
    parents = tuple(
        Solution(id=f"Gen1_Sol_{n}", files={path: text}) for n, text in enumerate(texts)
    )
    slot = Slot(number=7, generation=4, child="Gen4_Sol_2", parents=parents, operator="any")
    return Brief(
        problem="Drop repeated numbers, keep the order.", slot=slot, entry_point=entry_point
    )


class ModelWrittenContract:
    """Inherited by the tests of every model-written operator, ours and a third party's."""

    operator: ModelWritten

    def brief_of(self, text: str = SLOW) -> Brief:
        """A brief that the operator may get, with this text as its program."""
        return brief(text)

    def test_the_system_prompt_comes_first_then_what_is_asked(self) -> None:
        assert [m.role for m in self.operator.prompt(self.brief_of())] == ["system", "user"]

    def test_same_brief_same_messages_and_the_brief_is_left_alone(self) -> None:
        given = self.brief_of()
        before = copy.deepcopy(given)
        assert self.operator.prompt(given) == self.operator.prompt(given)
        assert given == before

    @pytest.mark.lm("LM-31", "LM-33")
    def test_memory_ends_the_system_prompt_and_nothing_else_changes(self) -> None:
        """LM-31, LM-33, X-12: what is before it is the same, for caches of prompts."""
        given = self.brief_of()
        told = dataclasses.replace(given, memory=remembered(MEMORY))
        (bare, asked), (system, user) = self.operator.prompt(given), self.operator.prompt(told)
        assert system.content == f"{bare.content}\n{MEMORY}"
        assert user == asked

    def test_the_system_prompt_is_the_same_for_other_parents_and_strategies(self) -> None:
        other = self.brief_of(SLOW.replace("out", "found"))
        known = dataclasses.replace(other.search, strategy=Strategy(name="Another"))
        other = dataclasses.replace(other, search=known)
        assert self.operator.prompt(other)[0] == self.operator.prompt(self.brief_of())[0]

    @checked
    @given(DECEIVING.filter(str.strip), DECEIVING)  # an empty statement is told in words
    def test_no_program_and_no_statement_leaves_its_fence(
        self, statement: str, text: str
    ) -> None:
        told = dataclasses.replace(self.brief_of(text), problem=statement)
        system, user = self.operator.prompt(told)
        assert _held(printable(statement)) in [block.text for block in blocks(system.content)]
        assert _held(guarded(text)) in [block.text for block in blocks(user.content)]
        assert not any("<|" in message.content for message in (system, user))
        plain = self.operator.prompt(self.brief_of())
        for message, usual in zip((system, user), plain, strict=True):
            ours = message.content.replace(f"\n{GUARDED}", "")
            assert _outside(ours) == _outside(usual.content)

    @checked
    @given(DECEIVING)
    def test_no_word_of_a_model_leaves_its_line(self, words: str) -> None:
        strategy = Strategy(name=words, idea=words, complexity=words)
        given = self.brief_of()
        told = dataclasses.replace(given, search=_with_strategy(given.search, strategy))
        plain = dataclasses.replace(given, search=_with_strategy(given.search, NAMED))
        (_, user), (_, usual) = self.operator.prompt(told), self.operator.prompt(plain)
        assert len(list(blocks(user.content))) == len(list(blocks(usual.content)))
        assert _headings(user.content) == _headings(usual.content)

    def test_a_long_statement_is_cut_with_a_note(self) -> None:
        given = dataclasses.replace(self.brief_of(), problem="word " * 10_000)
        system = self.operator.prompt(given)[0].content
        assert "[... 30000 characters are left out here ...]" in system
        assert len(system) < 25_000

    @checked
    @given(DECEIVING)
    def test_any_reply_is_read_or_refused_in_words(self, reply: str) -> None:
        for text in (reply, HEAD + reply, f"{HEAD}```python\n{reply}\n```"):
            assert self._read(text) != ""

    def _read(self, reply: str) -> object:
        try:
            return self.operator.parse(reply, self.brief_of())
        except ReplyError as err:
            return str(err)


class PlanContract(ModelWrittenContract):
    """Inherited by those that make strategies."""

    def planned(self, reply: str, *tried: str) -> tuple[Strategy, ...]:
        """What is read of a reply, where these were tried."""
        assert isinstance(self.operator, Planning)
        ledger = tuple(StrategyRecord(strategy=Strategy(name=name)) for name in tried)
        given = dataclasses.replace(self.brief_of(), search=SearchContext(ledger=ledger))
        return self.operator.strategies(reply, given)

    def test_strategies_are_read(self) -> None:
        assert self.planned(PLAN) == (
            Strategy(name="Hash set", idea="Remember what was seen.", complexity="O(n)"),
            Strategy(name="Sort first"),
        )
        assert self.operator.parse(PLAN, self.brief_of()) is None

    def test_an_echo_of_the_prompt_is_no_strategy(self) -> None:
        asked = self.operator.prompt(self.brief_of())
        (form,) = (
            block.text for block in blocks(asked[0].content) if "strategies" in block.text
        )
        with pytest.raises(ReplyError, match="name others"):
            self.planned(form)

    def test_what_was_tried_is_left_out(self) -> None:
        assert [each.name for each in self.planned(PLAN, "hash-set")] == ["Sort first"]
        with pytest.raises(ReplyError, match="name others"):
            self.planned(PLAN, "Hash Set", "sort  first")

    @pytest.mark.parametrize("reply", ["", "A hash set.", '{"strategies": []}', '{"x": 1}'])
    def test_a_reply_without_strategies_is_refused(self, reply: str) -> None:
        with pytest.raises(ReplyError, match=r"JSON|strategies"):
            self.planned(reply)

    @checked
    @given(st.lists(st.tuples(DECEIVING, DECEIVING), max_size=9))
    def test_names_are_harmless_and_each_is_there_once(
        self, words: list[tuple[str, str]]
    ) -> None:
        sketches = [{"name": name, "idea": idea, "complexity": idea} for name, idea in words]
        try:
            found = self.planned(json.dumps({"strategies": sketches}))
        except ReplyError:
            return
        assert 0 < len(found) <= len(words)
        assert len({each.name for each in found}) == len(found)
        for each in found:
            for said in (each.name, each.idea, each.complexity):
                assert "\n" not in said
                assert "```" not in said


class ProgramContract(ModelWrittenContract):
    """Inherited by those that make a program; `answer` holds one that they can read."""

    answer: str

    @pytest.fixture
    def proposal(self) -> Proposal:
        found = self.operator.parse(HEAD + self.answer, self.brief_of())
        assert found is not None
        return found

    def test_the_child_takes_its_id_and_parents_from_the_slot(self, proposal: Proposal) -> None:
        slot = self.brief_of().slot
        assert proposal.solution.id == slot.child
        assert proposal.solution.parents == tuple(parent.id for parent in slot.parents)
        assert proposal.solution.files.keys() == slot.parents[0].files.keys()
        assert proposal.solution.operator == self.operator.name
        assert (proposal.solution.base, proposal.solution.edits) == ("", ())

    def test_the_child_differs_from_its_parents(self, proposal: Proposal) -> None:
        assert proposal.solution.content not in {
            p.content for p in self.brief_of().slot.parents
        }

    def test_what_is_declared_is_kept(self, proposal: Proposal) -> None:
        assert proposal.direction == "Remember what was seen in a set"
        assert proposal.expected_effect == "O(n) instead of O(n^2)"
        assert proposal.lessons_used == ("Sets are fast",)
        assert proposal.notes == ()

    def test_a_program_without_a_declaration_is_used_all_the_same(self) -> None:
        found = self.operator.parse(self.answer, self.brief_of())
        assert found is not None
        assert found.direction.startswith("Change +")
        assert found.expected_effect
        assert found.notes == ("nothing was declared",)

    def test_a_model_may_have_nothing_to_propose(self) -> None:
        head = HEAD.replace("Remember what was seen in a set", "none")
        assert self.operator.parse(head, self.brief_of()) is None

    def test_an_echo_of_the_prompt_declares_nothing(self) -> None:
        asked = self.operator.prompt(self.brief_of())
        assert "what you change and why" in asked[0].content
        assert declared_in("\n".join(message.content for message in asked)) is None
        assert declared_in(asked[0].content) is None

    @pytest.mark.parametrize("reply", ["", "I would use a set.", HEAD])
    def test_a_reply_without_a_program_is_refused(self, reply: str) -> None:
        with pytest.raises(ReplyError, match="holds no program"):
            self.operator.parse(reply, self.brief_of())

    def test_a_reply_that_was_cut_is_refused(self) -> None:
        cut = self.answer.rstrip().rpartition("\n")[0]
        with pytest.raises(ReplyError, match=r"cut off|does not end"):
            self.operator.parse(HEAD + cut, self.brief_of())

    def test_code_outside_the_marks_is_left_alone(self) -> None:
        head, tail = "import os\n# EVOLVE-BLOCK-START\n", "# EVOLVE-BLOCK-END\nprint(1)\n"
        given = self.brief_of(head + SLOW + tail)
        found = self.operator.parse(f"```python\n{head}{FAST}{tail}```", given)
        assert found is not None
        assert found.solution.text == head + FAST + tail
        with pytest.raises(ReplyError, match="outside the EVOLVE-BLOCK marks"):
            self.operator.parse(f"```\n{head}{FAST}{tail}print(2)\n```", given)


NAMED = Strategy(name="x", idea="x", complexity="x")


def _with_strategy(known: SearchContext, strategy: Strategy) -> SearchContext:
    return dataclasses.replace(known, strategy=strategy)


def _held(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n"


def _outside(content: str) -> str:
    for block in reversed(list(blocks(content))):
        content = content[: block.start] + content[block.end :]
    return content


def _headings(content: str) -> list[str]:
    return [line for line in _outside(content).split("\n") if line.startswith("#")]
