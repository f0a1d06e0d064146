"""Runs with models: what ends them, what pauses them, and what is told before they start."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.events import Lost, Replied, Unanswered
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import ConfigError, ModelError
from se_agent.events import Event, Started
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import events_of, factory
from tests.engine.talking import (
    models,
    of,
    ran,
    run_file,
    say,
)
from tests.fakes import Endless, number_problem


class TestEnds:
    """A budget that ends is a normal end; a dead endpoint pauses the run."""

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("budget", "end", "most"),
        [
            pytest.param({"calls": 5}, "calls", 5, id="calls"),
            pytest.param({"tokens": 13 * 15}, "tokens", 14, id="tokens"),
            pytest.param({"money": 13e-6 * 15}, "money", 14, id="money"),
        ],
    )
    def test_what_is_used_up_ends_the_search(
        self, tmp_path: Path, budget: dict[str, object], end: str, most: int
    ) -> None:
        config = run_file(
            tmp_path,
            models=models("Counting", max_tokens=10, prompt_price=1.0, completion_price=1.0),
            budget={"evaluations": None, **budget},
        )
        result = start(
            config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT)
        )
        events = events_of(result)
        assert result.budget_end == end
        assert result.calls == len(of(events, Replied))
        assert result.tokens == sum(e.usage.total for e in of(events, Replied))
        assert 1 <= len(of(events, Replied)) <= most
        assert {e.limit for e in of(events, Unanswered)} <= {end}
        assert replay(Path(result.run)).differences == ()

    def test_a_budget_without_room_for_any_call_begins_no_run(self, tmp_path: Path) -> None:
        config = run_file(
            tmp_path, models=models("Counting", max_tokens=10), budget={"tokens": 20}
        )
        with pytest.raises(ConfigError, match=r"budget\.tokens: 20 has no room for one call"):
            start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
        assert list(tmp_path.glob("*/run.db")) == []

    @pytest.mark.tier("runs")
    def test_no_call_is_tried_again_when_the_time_of_the_search_is_over(
        self, tmp_path: Path
    ) -> None:
        """Those under way are refused, which is no sign of trouble: the run ends well."""
        config = run_file(
            tmp_path,
            models=models("Busy"),
            generation_size=6,
            # 10 s are put aside. CPU time, since a machine may be too busy to ask before a wall
            # clock is over.
            budget={"evaluations": None, "cpu_seconds": 14.0},
        )
        result = start(
            config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT)
        )
        assert result.budget_end == "cpu_seconds"
        events = events_of(result)
        # Whoever looks at the clock first refuses: the call itself, or what ends the search.
        refused = {e.why for e in of(events, Unanswered)} | {e.why for e in of(events, Lost)}
        assert refused == {"429: busy"}
        assert replay(Path(result.run)).differences == ()

    def test_an_endpoint_that_is_down_pauses_the_run(self, tmp_path: Path) -> None:
        say(*["x = 1", "x = 2"])
        config = run_file(tmp_path, models=models("scripted"))
        seen: list[Event] = []
        with pytest.raises(ModelError, match="5 calls in a row failed"):
            start(
                config,
                problem=number_problem(),
                listeners=[Listening(seen)],
                evaluators=factory(ComparisonKind.EXACT),
            )
        assert len(of(seen, Replied)) == 2
        assert len(of(seen, Unanswered)) == 4
        assert seen[-1].kind == "failed"
        say(*(f"x = {n}" for n in range(3, 40)))
        result = resume(tmp_path / "run", evaluators=factory(ComparisonKind.EXACT))
        assert result.evaluations == 9
        assert replay(tmp_path / "run").differences == ()

    @pytest.mark.tier("runs")
    def test_prompts_that_outgrow_a_context_end_steps_and_not_the_run(
        self, tmp_path: Path
    ) -> None:
        config = run_file(tmp_path, models=models("Narrow"), budget={"evaluations": 40})
        result = start(
            config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT)
        )
        events = events_of(result)
        assert result.budget_end == "exhausted"
        assert of(events, Replied)
        refused = of(events, Unanswered)
        assert len(refused) > 5
        assert all("takes no prompt of" in event.why for event in refused)
        assert replay(Path(result.run)).differences == ()


class Listening:
    def __init__(self, seen: list[Event]) -> None:
        self._seen = seen

    def on_event(self, event: Event) -> None:
        self._seen.append(event)


class TestRunFiles:
    """What cannot be asked is told before anything is spent."""

    @pytest.mark.parametrize(
        ("changes", "message", "hint"),
        [
            pytest.param({"models": {}}, "needs a model", "models.main.name", id="no-model"),
            pytest.param(
                {"models": models("Counting", weights={"mutate": 0.0})},
                "above 0 for 'mutate'",
                "weights.mutate of one of main",
                id="no-weight",
            ),
            pytest.param(
                {"models": models("Counting", context=20)},
                "20 tokens have no room for the first prompt of operator",
                "weights.mutate = 0",
                id="context",
            ),
            pytest.param(
                {"budget": {"money": 1.0}},
                "models.main has no prices",
                "prompt_price",
                id="price",
            ),
            pytest.param(
                {
                    "operators": [Endless.name],
                    "models": {},
                    "memory": {"extraction": "each"},
                },
                "memory.extraction = 'each' needs a model",
                "models.main.name",
                id="lessons",
            ),
        ],
    )
    def test_a_role_without_a_model_is_an_error(
        self, tmp_path: Path, changes: dict[str, object], message: str, hint: str
    ) -> None:
        with pytest.raises(ConfigError, match=message) as caught:
            start(
                run_file(tmp_path, **changes),
                problem=number_problem(),
                evaluators=factory(ComparisonKind.EXACT),
            )
        assert hint in caught.value.hint
        assert not list(tmp_path.iterdir())

    @pytest.mark.tier("runs")
    def test_a_context_that_memory_outgrows_is_noted(self, tmp_path: Path) -> None:
        """The run goes on: how far memory grows is not known."""
        few = models("Counting", context=1500, max_tokens=20)
        wide = models("Counting", context=9000, max_tokens=20)
        for folder, given, told in (("few", few, 1), ("wide", wide, 0)):
            (started,) = of(ran(run_file(tmp_path / folder, models=given)), Started)
            notes = [note for note in started.notes if "models.main.context" in note]
            assert len(notes) == told

    def test_a_model_that_nobody_asks_is_not_made(self, tmp_path: Path) -> None:
        config = run_file(
            tmp_path,
            operators=[Endless.name],
            policy="portfolio",
            models={"main": {"name": "x", "provider": "?"}},
        )
        assert of(ran(config), Replied) == []
