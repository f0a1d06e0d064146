"""The operators in a run: planned, followed, repaired and united, from prompts alone."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from operators.written.blocks import blocks
from se_agent.chat.events import Planned, Replied
from se_agent.chat.messages import Message, Reply, RetryCheck
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import start
from se_agent.events import Evaluated, Proposed, Selected
from se_agent.report.story import Story
from se_agent.report.words.phrases import search_end
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import events_of, factory
from tests.engine.talking import of
from tests.fakes import number_problem, number_run

WRITTEN = ("mutation", "plan", "recombination", "repair", "replan", "rewriting")
HEAD = '{"direction": "Say %d", "expected_effect": "more", "lessons_used": []}\n'


class Reader:
    """Knows nothing but its prompt: whatever the program there says, it says a few more."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._turn = itertools.count()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Answer in the form that was asked for."""
        system, user = messages[0].content, messages[1].content
        turn = next(self._turn)
        if "and plan other ways" in system:
            names = ", ".join(f'{{"name": "way {turn} {letter}"}}' for letter in "abc")
            return Reply(text=f'{{"strategies": [{names}]}}')
        texts = [b.text for b in blocks(user) if b.text.startswith("x = ")]
        old = texts[0].rstrip("\n")
        new = max(int(text.removeprefix("x = ")) for text in texts[:2]) + 1 + turn % 5
        diff = f"<<<<<<< SEARCH\n{old}\n=======\nx = {new}\n>>>>>>> REPLACE"
        whole = f"```python\nx = {new}\n```"
        return Reply(text=HEAD % new + (diff if "SEARCH/REPLACE" in user else whole))

    def close(self) -> None:
        """Nothing is under way."""


class Parrot(Reader):
    """Answers with the program of its name, whatever it is asked."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._program = endpoint.name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Answer."""
        prompts.append("\n".join(message.content for message in messages[1:]))
        return Reply(text=f"{HEAD % 1}```python\n{self._program}\n```")


prompts: list[str] = []


@pytest.mark.parametrize(
    ("program", "again"),
    [
        pytest.param("x = -1", "## Repeated\nThe last {} answers were", id="no-gain"),
        pytest.param("x = 8", "is the same as one that was given", id="a-gain-once"),
    ],
)
def test_a_model_that_repeats_itself_is_told_and_asked_for_something_else(
    tmp_path: Path, program: str, again: str
) -> None:
    """It is given up after a few answers, and the end of the run says why."""
    prompts.clear()
    config = number_run(
        tmp_path,
        operators=list(WRITTEN),
        models={"main": {"name": program, "provider": f"{__name__}:Parrot"}},
        budget={"calls": 90},
        asking={"in_flight": 1},
        generation_size=1,
    )
    result = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    events = events_of(result)
    used = Counter(event.operator for event in of(events, Selected))
    wrote = used["rewriting"] + used["mutation"]
    assert result.evaluations == 1
    assert (wrote, abs(used["rewriting"] - used["mutation"]) <= 1) == (9, True)
    assert again not in prompts[0]
    assert again.format(wrote - 2) in prompts[-1]
    told = search_end(Story.of(events))
    assert told.endswith("; the last 8 answers of models were nothing new")
    assert replay(Path(result.run)).differences == ()


@pytest.mark.tier("library")
@pytest.mark.lm("LM-29")
def test_a_run_with_nothing_but_a_model(tmp_path: Path) -> None:
    """LM-29: what came of a step reaches the prompts of later ones."""
    config = number_run(
        tmp_path,
        operators=list(WRITTEN),
        models={"main": {"name": "reader", "provider": f"{__name__}:Reader"}},
        budget={"calls": 90},
        asking={"in_flight": 1},
    )
    result = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    events = events_of(result)
    used = {event.operator for event in of(events, Selected)}
    assert {"plan", "rewriting", "mutation", "repair", "recombination"} <= used
    assert of(events, Planned)[0].strategies[0].name == "way 1 a"  # the second call
    made = [event.proposal for event in of(events, Proposed) if event.proposal]
    assert all(proposal.direction.startswith("Say ") for proposal in made)
    assert {proposal.solution.strategy for proposal in made} >= {"way 1 a", "way 1 b"}
    assert {event.evaluation.status for event in of(events, Evaluated)} == {"AC", "WA"}
    assert len(of(events, Replied)) <= 90
    assert replay(Path(result.run)).differences == ()


@pytest.mark.tier("library")
@pytest.mark.row("AM-13", "AM-31")
@pytest.mark.parametrize("is_on", [False, True])
def test_who_repairs_gets_the_guide_pack_where_it_is_switched_on(
    tmp_path: Path, is_on: bool
) -> None:
    config = number_run(
        tmp_path,
        operators=list(WRITTEN),
        models={"main": {"name": "any", "provider": f"{__name__}:Reader"}},
        budget={"evaluations": 40},
        memory={"prior": False, "experience": {"guide_pack": is_on}},
    )
    result = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    with Journal(Path(result.run) / "run.db", write=False) as journal:
        replies = [one for one in of(list(journal.events()), Replied) if one.role == "repair"]
        parts = [json.loads(journal.text(reply.request)) for reply in replies]
        asked = ["\n".join(journal.text(text) for _, text in one) for one in parts]
    assert asked
    told = "What is known of it, and of failures like it:"
    assert all((told in text) == is_on for text in asked)
    assert all("seven: expected no multiple, got" in text for text in asked if is_on)
    assert any("Pattern: WA (" in text for text in asked) == is_on
    assert replay(Path(result.run)).differences == ()
