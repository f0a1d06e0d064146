"""What an explanation says of an item: each digest is on record, each figure comes again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from se_agent.chat.messages import Message, Reply, RetryCheck, Usage
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.events import Event, Learned, Proposed, Selected, Started, Trimmed
from se_agent.memory import Workspace, explanation_of
from se_agent.memory.experience.explanation import Explanation
from se_agent.memory.experience.item_credit import NOTHING_KNOWN, Exposure, item_lifts
from se_agent.program.features import unified_diff
from se_agent.store.blobs import digest_of
from se_agent.values.evaluation import ComparisonKind, Status
from se_agent.values.solution import Solution
from tests.engine.runs import factory
from tests.engine.talking import Counting, models, run_file
from tests.fakes import number_problem

RUNS = ("first", "second", "third")
SHOWN: dict[str, Any] = {
    "prior": True,
    "experience": {"lessons": True, "programs": False},
    "retrieval": {"shown": True, "cutoff": 0.0, "dropout": 0.4},
}

QUEUE = "\nfor q in []:\n    while q:\n        q.pop(0)\n"
"""What programs of these runs have in common, so that lessons of one suit the next."""

Numbered = dict[int, Event]


class Queueing(Counting):
    """Answers with the next number, above a queue."""

    _queued = itertools.count(1)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        usage = Usage(prompt=9, completion=4)
        return Reply(text=f"x = {next(self._queued)}{QUEUE}", usage=usage)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return three runs of a model; the later ones are shown what the earlier ones learned."""
    folder = tmp_path_factory.mktemp("runs")
    problem = replace(number_problem(), programs={"initial": f"x = 0{QUEUE}"})
    Workspace.open(folder / ".se_agent").close()
    changes: dict[str, Any] = {
        "memory": SHOWN,
        "models": models("Queueing", module=__name__),
        "budget": {"evaluations": 14},
    }
    for name in RUNS:
        config = run_file(folder, name=name, **changes)
        start(config, problem=problem, evaluators=factory(ComparisonKind.EXACT))
    return folder


@pytest.fixture(scope="module")
def journals(results: Path) -> dict[str, Numbered]:
    """Return the events of each run, by the name that items have for it."""
    found: dict[str, Numbered] = {}
    for name in RUNS:
        with Journal(results / name / "run.db", write=False) as journal:
            events = dict(journal.numbered_events())
        begun = next(event for event in events.values() if isinstance(event, Started))
        found[f"{name} {begun.at.isoformat()}"] = events
    return found


@pytest.fixture(scope="module")
def explained(results: Path) -> list[Explanation]:
    """Return what is known of every item."""
    with Workspace.open(results / ".se_agent", write=False) as workspace:
        items = workspace.items()
        made = [explanation_of(items, row.id) for row in items.rows()]
    return [one for one in made if one is not None]


def programs(events: Numbered) -> dict[str, Solution]:
    """Return the programs of a run by id."""
    found: dict[str, Solution] = {}
    for event in events.values():
        match event:
            case Started():
                found[event.initial.id] = event.initial
            case Proposed() if event.proposal and not event.duplicate_of:
                found[event.proposal.solution.id] = event.proposal.solution
            case Trimmed():
                found[event.solution.id] = event.solution
    return found


def exposures(run: str, events: Numbered) -> Iterator[Exposure]:
    """Yield what slots of a run were shown and what came of it, off its journal alone."""
    selected: dict[int, Selected] = {}
    effects: dict[str, float] = {}
    for event in events.values():
        if isinstance(event, Selected):
            selected[event.slot] = event
        if not isinstance(event, Learned):
            continue
        asked, verdict = selected.get(event.slot), event.verdict
        shown = asked.shown_memory if asked else None
        if asked is not None and shown is not None:
            proven = verdict is not None and verdict.status is Status.AC and verdict.significant
            for item in (*shown.items, *shown.items_withheld):
                yield Exposure(
                    run=run,
                    slot=event.slot,
                    item=item,
                    shown=item in shown.items,
                    gain=max(0.0, verdict.effect) if verdict and proven else 0.0,
                    family=number_problem().name,
                    operator=asked.operator,
                    generation=int(asked.child.removeprefix("Gen").partition("_")[0]),
                    parent_effect=effects.get(asked.parents[0], 0.0),
                )
        if event.effect is not None:
            effects[event.child] = event.effect


@pytest.mark.tier("runs")
def test_every_digest_is_in_the_journal_of_its_run_and_every_diff_comes_again(
    results: Path, journals: dict[str, Numbered], explained: list[Explanation]
) -> None:
    sources = [source for one in explained for source in one.sources]
    assert any(source.request for source in sources)
    for source in sources:
        events = journals[source.run]
        closed = events[source.event]
        assert isinstance(closed, Learned)
        assert (closed.slot, closed.child) == (source.slot, source.solution)
        own = programs(events)
        old, new = own[source.parent].files, own[source.solution].files
        diff = "".join(unified_diff(old[path], new[path], path) for path in old)
        assert source.diff == diff.strip()
        folder = results / source.run.partition(" ")[0]
        with Journal(folder / "run.db", write=False) as journal:
            assert journal.text(source.request)  # what was asked
        replies = [
            digest_of(event.text)
            for event in events.values()
            if event.kind == "replied" and event.slot == source.slot
        ]
        assert source.reply in replies


@pytest.mark.tier("runs")
def test_every_figure_of_an_item_is_one_of_its_steps(
    journals: dict[str, Numbered], explained: list[Explanation]
) -> None:
    assert explained
    for one in explained:
        said: list[tuple[float, bool]] = []
        for source in one.sources:
            closed = journals[source.run][source.event]
            assert isinstance(closed, Learned)
            assert closed.lesson is not None
            said += [(item.effect, item.significant) for item in closed.lesson.items]
        assert (one.item.effect, one.item.significant) in said
        assert one.item.merged >= len(one.sources)


@pytest.mark.tier("runs")
def test_every_exposure_and_every_lift_comes_again_out_of_the_journals(
    journals: dict[str, Numbered], explained: list[Explanation]
) -> None:
    known = [one for run, events in sorted(journals.items()) for one in exposures(run, events)]
    lifts = item_lifts(sorted(known, key=lambda one: (one.run, one.slot, one.item)))
    assert any(one.exposures for one in explained)
    for one in explained:
        again = [row for row in known if row.item == one.item.id]
        assert [row.exposure for row in one.exposures] == again
        assert one.lift == lifts.get(one.item.id, NOTHING_KNOWN)
        assert one.lift.shown == sum(row.shown for row in again)
        assert one.lift.withheld == len(again) - one.lift.shown
