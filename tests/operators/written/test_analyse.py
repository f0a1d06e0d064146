"""`analyse` asks for tags, and makes no candidate."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.written.analyse import Analyse
from se_agent.config.run_file import Run
from se_agent.engine.run.resolve import operators_of
from se_agent.errors import ReplyError
from se_agent.values.memory_context import ContextSection, MemoryContext
from tests.contracts.written import SLOW, brief

TAGS = '<archetype type="array_scan" phases="read, scan" />'


def told(text: str = "## Archetypes\n\n- **array_scan**: a walk.\n") -> MemoryContext:
    return MemoryContext(sections=(ContextSection(source="knowledge", text=text, tokens=9),))


class TestAnalyse:
    @pytest.mark.row("LF-35")
    def test_its_prompt_shows_the_program_all_archetypes_and_the_tags(self) -> None:
        system, user = Analyse().prompt(dataclasses.replace(brief(SLOW), memory=told()))
        assert SLOW.strip() in user.content
        assert "- **array_scan**: a walk." in system.content
        for tag in ("<archetype type=", "phases=", "<api_constraint"):
            assert tag in system.content

    def test_the_same_brief_gives_the_same_messages(self) -> None:
        assert Analyse().prompt(brief(SLOW)) == Analyse().prompt(brief(SLOW))

    @pytest.mark.parametrize(
        "reply", [TAGS, f"I think:\n{TAGS}\n", "<api_constraint>x</api_constraint>"]
    )
    def test_a_reply_with_a_tag_is_taken_and_holds_no_candidate(self, reply: str) -> None:
        assert Analyse().parse(reply, brief(SLOW)) is None  # type: ignore[func-returns-value]

    @given(reply=st.text(alphabet="ab< >/", max_size=40))
    def test_one_without_a_tag_is_refused_in_words(self, reply: str) -> None:
        with pytest.raises(ReplyError, match="there is no tag in it"):
            Analyse().parse(reply, brief(SLOW))

    def test_only_a_run_that_names_it_has_it(self) -> None:
        models = {"main": {"name": "m", "base_url": "http://localhost:1"}}
        run = Run.model_validate({"problem": "x", "models": models})
        assert "analyse" not in operators_of(run)
        named = run.model_copy(update={"operators": ("analyse", "mutation")})
        assert isinstance(operators_of(named)["analyse"], Analyse)
