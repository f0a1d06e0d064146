"""Whole runs that carry forty texts no encoding likes: they end, resume, replay, are shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent import wire
from se_agent.chat.events import Replied
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.engine.run.start import resume, start
from se_agent.engine.run.user_hints import tell
from se_agent.errors import SandboxError
from se_agent.events import Evaluated, Event, Proposed
from se_agent.protocols import Listener
from se_agent.values.brief import Brief
from se_agent.values.evaluation import (
    ComparisonKind,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    Measurement,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from se_agent.wire.spelling import as_bytes, as_text, encodable, is_hidden
from tests.cli.calls import Called, call
from tests.engine.runs import Crash
from tests.engine.talking import of, spoken
from tests.fakes import Endless, NumberEvaluator, number, number_problem, number_run
from tests.finished import recorded
from tests.texts import TEXTS

SHORT = [text for text in TEXTS.values() if len(text) < 1000]
KEYS = {"budget": {"evaluations": len(SHORT)}, "generation_size": 1}


class Awkward(Endless):
    """Says a text of the table with each of its numbers, wherever it may say something."""

    name = "tests.engine.test_texts:Awkward"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return another number."""
        made, text = super().propose(brief), SHORT[brief.slot.number % len(SHORT)]
        assert made is not None
        return replace(
            made,
            direction=f"say {text}",
            expected_effect=text,
            lessons_used=(text,),
            notes=(text,),
        )


class Murmuring(NumberEvaluator):
    """Says a text of the table of each number: of every third as of a wrong one."""

    def preflight(self, solution: Solution) -> Preflight:
        """Say all of them."""
        return replace(super().preflight(solution), notes=tuple(SHORT))

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Refute every fifth number by an input that is a text."""
        text = _text_of(number(solution))
        if number(solution) % 5:
            return Hunt(tried=9, outside=text, note=text, cost_seconds=0.1)
        found = Counterexample(
            arguments=as_text(wire.dumps((text,))), failed=_failed(text), status=Status.WA
        )
        return Hunt(tried=9, found=found, cost_seconds=0.1)

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Read the inputs, and find the program right."""
        assert all(wire.loads(as_bytes(test.arguments))[0] in SHORT for test in tests)
        measured = Measurement(cpu_seconds=0.1)
        return Evaluation(status=Status.AC, measurement=measured, cost_seconds=0.1)

    def _judged(self, value: int) -> Evaluation:
        text = _text_of(value)
        if value % 3 == 1:
            failed = (_failed(text),)
            return Evaluation(status=Status.WA, failing=failed, feedback=text, cost_seconds=0.1)
        return replace(super()._judged(0), feedback=text, score=float(value) or None)


def _text_of(value: int) -> str:
    return SHORT[value % len(SHORT)]


def _failed(text: str) -> FailedCase:
    return FailedCase(name=text, expected=text, got=text, input=text)


def murmuring() -> EvaluatorFactory:
    return lambda problem, config: Murmuring(ComparisonKind.TIMED)


def run(results: Path, *listeners: Listener) -> Path:
    """Make a run; return its folder, though it broke off."""
    config = number_run(results, operators=[Awkward.name], **KEYS)
    with suppress(SandboxError):
        start(
            config,
            problem=number_problem(timed=True),
            evaluators=murmuring(),
            listeners=listeners,
        )
    return results / "run"


class Telling:
    """A person who tells a run each text of the table that has words."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = iter([text for text in SHORT if any(map(str.isalpha, text))])

    def on_event(self, event: Event) -> None:
        if event.kind == "learned" and (text := next(self._left, "")):
            tell(self._folder, f"try {text}")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("texts")
    return run(home, Telling(home / "run"))


@pytest.mark.tier("runs")
def test_a_run_ends_and_its_journal_is_read_again(whole: Path) -> None:
    events = list(recorded(whole))
    assert events[-1].kind == "ended"
    said = {event.evaluation.feedback for event in of(events, Evaluated)}
    assert {encodable(text) for text in SHORT} <= said | {""}
    told = [event.proposal for event in of(events, Proposed) if event.proposal]
    assert {made.notes[0] for made in told} >= {encodable(text) for text in SHORT}


@pytest.mark.tier("runs")
def test_it_is_replayed(whole: Path) -> None:
    assert replay(whole).differences == ()


@pytest.mark.parametrize(
    "after", [30, *(pytest.param(n, marks=pytest.mark.tier("runs")) for n in (90, 150))]
)
def test_a_run_that_broke_off_goes_on_as_if_it_had_not(tmp_path: Path, after: int) -> None:
    unbroken = run(tmp_path / "unbroken")
    folder = run(tmp_path / "broken", Crash(after))
    resume(folder, evaluators=murmuring())
    both = (canonical(recorded(one)) for one in (folder, unbroken))
    assert next(both)[1:] == next(both)[1:]  # the run file names the folder
    assert replay(folder).differences == ()


def shows_all(called: Called) -> bool:
    hidden = set(called.out + called.err) - {"\n"}
    return called.code == 0 and not any(map(is_hidden, hidden))


@pytest.mark.tier("runs")
def test_no_page_of_it_drives_the_terminal(whole: Path) -> None:
    refuted = next(e.solution for e in recorded(whole) if e.kind == "challenged")
    for arguments in (
        ("show", whole),
        ("show", whole, refuted),
        ("show", whole, "--calls"),
        ("show", whole, "--memory"),
        ("show", whole, "best"),
        ("diff", whole),
        ("rollback", whole, "--list"),
        ("ls", "--results", whole.parent),
        ("replay", whole),
        ("resume", whole),
    ):
        called = call(*arguments)
        assert called.code in (0, 2), called.err
        assert shows_all(called._replace(code=0)), arguments


@pytest.mark.tier("runs")
def test_what_programs_read_is_json(whole: Path) -> None:
    for arguments in (("resume", whole, "--json"), ("ls", "--results", whole.parent, "--json")):
        called = call(*arguments)
        assert shows_all(called)
        json.loads(called.out.splitlines()[-1])


@pytest.mark.tier("runs")
def test_a_model_may_reply_with_any_of_them(tmp_path: Path) -> None:
    texts = list(TEXTS.values())
    mended = [f"x = {number}" for number in range(1, len(texts) + 1)]
    replies = [reply for pair in zip(texts, mended, strict=True) for reply in pair]
    events = spoken(tmp_path, *replies)
    said = [text[: 4 * 8192] for text in replies]  # what an endpoint would let it say
    assert [event.text for event in of(events, Replied)] == [*map(encodable, said)]
    assert events[-1].kind == "ended"
    for arguments in (("show", tmp_path / "run", "--calls"), ("show", tmp_path / "run")):
        assert shows_all(call(*arguments))
