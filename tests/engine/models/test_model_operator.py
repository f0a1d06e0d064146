"""Model-written operators in the loop: what a reply is worth, and what becomes of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.events import Objected, Planned, Replied, Unanswered
from se_agent.chat.messages import Message, Role, Usage
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.engine.models.model_operator import objection
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.engine.step.propose import PATIENCE
from se_agent.errors import ReplyError, SandboxError
from se_agent.events import Proposed, SearchEnded
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import Crash, events_of, factory
from tests.engine.talking import (
    Drifting,
    Mutation,
    PlanFirst,
    Planner,
    asked,
    models,
    of,
    ran,
    run_file,
    say,
    spoken,
)
from tests.fakes import number_problem


class TestReplies:
    """What is paid for is on record, and used."""

    def test_they_are_on_record_with_their_usage(self, tmp_path: Path) -> None:
        replies = of(ran(run_file(tmp_path)), Replied)
        assert len(replies) == 9
        assert {(e.usage.prompt, e.usage.completion) for e in replies} == {(9, 4)}

    @pytest.mark.lm("LM-33")
    def test_the_rendered_memory_reaches_the_system_prompt(self, tmp_path: Path) -> None:
        """LM-31, LM-33."""
        asked.clear()
        ran(run_file(tmp_path, generation_size=2))
        assert asked[0][0] == Message("system", "")
        assert "Say x = " in asked[-1][0].content

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("after", [3, 4, 7, 12, 20])
    def test_a_reply_that_was_paid_for_is_used(self, tmp_path: Path, after: int) -> None:
        asked.clear()
        with pytest.raises(SandboxError, match="gave up"):
            start(
                run_file(tmp_path),
                problem=number_problem(),
                listeners=[Crash(after)],
                evaluators=factory(ComparisonKind.EXACT),
            )
        result = resume(tmp_path / "run", evaluators=factory(ComparisonKind.EXACT))
        replies = of(events_of(result), Replied)
        assert len(asked) == len(replies) == len({e.slot for e in replies})
        assert replay(tmp_path / "run").differences == ()

    def test_a_replay_asks_nobody(self, tmp_path: Path) -> None:
        asked.clear()
        ran(run_file(tmp_path))
        assert len(asked) == 9

    def test_a_replay_sees_that_another_prompt_was_answered(self, tmp_path: Path) -> None:
        config = run_file(tmp_path, operators=[Drifting.name], policy="portfolio")
        start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
        differing = [line for line in replay(tmp_path / "run").differences if "request" in line]
        assert len(differing) == 2 * 9


class TestSecondChance:
    """An unusable reply is shown to the model, once."""

    def test_the_model_is_told_what_was_wrong(self, tmp_path: Path) -> None:
        events = spoken(tmp_path, "nonsense", "x = 3", "x = 4")
        first, second, _ = asked
        assert second[: len(first)] == first
        said, objection = second[len(first) :]
        assert said == Message("assistant", "nonsense")
        assert objection.role == "user"
        assert "'nonsense' is no program\nWrite x = N." in objection.content
        assert [(e.slot, e.attempt) for e in of(events, Replied)] == [(0, 0), (0, 1), (1, 0)]
        made = [e.proposal.solution.text for e in of(events, Proposed) if e.proposal]
        assert made == ["x = 3", "x = 4"]
        (objected,) = of(events, Objected)
        assert (objected.slot, objected.attempt) == (0, 0)
        assert objected.why.startswith("'nonsense' is no program")

    def test_a_model_that_never_has_a_candidate_is_given_up(self, tmp_path: Path) -> None:
        events = spoken(tmp_path, *["bad"] * 90)
        assert len(of(events, Replied)) == 2 * PATIENCE
        assert of(events, SearchEnded)[0].budget_end == "exhausted"

    def test_two_bad_replies_are_no_candidate(self, tmp_path: Path) -> None:
        events = spoken(tmp_path, "bad", "worse", "x = 5")
        assert [e.proposal is None for e in of(events, Proposed)] == [True, False]
        assert [(e.slot, e.attempt) for e in of(events, Replied)] == [(0, 0), (0, 1), (1, 0)]
        assert [(e.slot, e.attempt) for e in of(events, Objected)] == [(0, 0), (0, 1)]
        assert replay(tmp_path / "run").differences == ()

    def test_no_candidate_in_a_good_reply_is_an_answer(self, tmp_path: Path) -> None:
        events = spoken(tmp_path, "there is none", "x = 5")
        assert [e.proposal is None for e in of(events, Proposed)] == [True, False]

    def test_what_was_wrong_is_on_record_where_there_is_no_second_call(
        self, tmp_path: Path
    ) -> None:
        events = spoken(tmp_path, "nonsense")
        (refused,) = (e for e in of(events, Unanswered) if e.attempt)
        with Journal(tmp_path / "run" / "run.db", write=False) as journal:
            *_, told = unpacked_messages(refused.request, journal.text)
        assert "'nonsense' is no program" in told.content

    def test_an_empty_reply_is_not_said_again(self, tmp_path: Path) -> None:
        events = spoken(tmp_path, "", "x = 5")
        assert [m.role for m in asked[1]] == ["system", "user", "user"]
        assert of(events, Objected)[0].why == "it is empty"


class TestPlans:
    """A planner's reply makes strategies, and no candidate."""

    def test_strategies_are_on_record_and_the_policy_is_told(self, tmp_path: Path) -> None:
        events = spoken(
            tmp_path,
            "",
            "sieve wheel",
            "x = 2",
            operators=[Mutation.name, Planner.name],
            policy="tests.engine.talking:PlanFirst",
        )
        (planned,) = of(events, Planned)
        assert [s.name for s in planned.strategies] == ["sieve", "wheel"]
        assert of(events, Proposed)[0].proposal is None
        first, second, *_ = PlanFirst.told
        assert first.planned == planned.strategies
        assert first.proposal is None
        assert second.planned == ()

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("after", [4, 5, 6])
    def test_they_are_made_once_however_often_a_run_breaks(
        self, tmp_path: Path, after: int
    ) -> None:
        say(*["sieve wheel", "x = 2", "x = 3"])
        config = run_file(
            tmp_path,
            models=models("scripted"),
            operators=[Mutation.name, Planner.name],
            policy="tests.engine.talking:PlanFirst",
            budget={"calls": 3},
        )
        with pytest.raises(SandboxError, match="gave up"):
            start(
                config,
                problem=number_problem(),
                listeners=[Crash(after)],
                evaluators=factory(ComparisonKind.EXACT),
            )
        events = events_of(resume(tmp_path / "run", evaluators=factory(ComparisonKind.EXACT)))
        assert len(of(events, Planned)) == 1
        assert len(of(events, Replied)) == 3
        assert replay(tmp_path / "run").differences == ()


def test_a_reply_that_was_cut_off_is_told_as_that() -> None:
    """Thoughts may have taken all that it was allowed to say."""
    usage = Usage(prompt=9, completion=70, reasoning=60)
    reply = Replied(role=Role.MUTATE, model="main", text=" ", usage=usage, complete=False)
    told = "it was cut off at 70 tokens, 60 of them thoughts (max_tokens, or a filter): "
    assert objection(reply, ReplyError("no program")) == f"{told}it is empty"
    filtered = reply.model_copy(update={"text": "no", "usage": Usage(completion=7)})
    told = "it was cut off at 7 tokens (max_tokens, or a filter): no program"
    assert objection(filtered, ReplyError("no program")) == told
