"""A run as the data of a page: what stands in it at once, and by number what is shown later.

It reads the run's folder and never writes to it. Not here: how it looks (`assets`), one step
(`step_data`), the memory over time (`memory_data`), several runs (`grid_data`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.conversations import conversations
from se_agent.analysis.run_tables.step_facts import StepOutcome, text_of
from se_agent.chat.events import Lost, Objected, Replied, Unanswered
from se_agent.chat.messages import Message
from se_agent.engine.journal.journal import Journal, belonging
from se_agent.events import Event, Learned
from se_agent.report.html.figures import short
from se_agent.report.html.memory_data import memory_data
from se_agent.report.html.reasons import reason
from se_agent.report.html.step_data import StepDetails, step_details
from se_agent.report.html.text_pool import TextPool
from se_agent.report.steps import trial_outcome
from se_agent.report.story import Chapter, Story
from se_agent.report.words import phrases
from se_agent.report.words.best import champion
from se_agent.report.words.doubts import doubts
from se_agent.report.words.machine import load
from se_agent.report.words.phrases import outcome
from se_agent.stats.summary import busy
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

_STEP_FIELDS = (
    "slot",
    "generation",
    "solution",
    "parents",
    "operator",
    "strategy",
    "informed",
    "outcome",
    "status",
    "effect",
    "effect_low",
    "effect_high",
    "total_effect",
    "best",
    "best_effect",
    "evaluations",
    "calls",
    "tokens",
    "money",
    "run_cpu_seconds",
    "cost_seconds",
    "memory_version",
    "at",
)
_FIELDS = (*_STEP_FIELDS, "direction", "reason", "approach", "text", "detail")

Call = Replied | Unanswered | Lost


@dataclass
class _Heard:
    """What the events of a run told."""

    story: Story = field(default_factory=Story)
    calls: dict[int, list[Call]] = field(default_factory=dict)
    objected: dict[tuple[int, str, int], str] = field(default_factory=dict)
    lessons: dict[int, Learned] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def apply(self, event: Event) -> None:
        """Go on by one event; the lists of directions, which are long, are not kept."""
        match event:
            case Replied() | Unanswered() | Lost():
                self.calls.setdefault(event.slot, []).append(event)
            case Objected():
                self.objected[event.slot, event.role, event.attempt] = event.why
            case Learned():
                item = event.lesson.new_memory_item if event.lesson else None
                bare = event.model_copy(update={"lesson": None, "bank": None})
                if event.refused or event.bank is not None or item is not None:
                    self.lessons[event.slot] = event
                event = bare
            case _:
                pass
        self.story.apply(event)


def run_data(folder: Path, pool: TextPool, *, running: bool = False) -> dict[str, object]:
    """Return the data of a run.

    Args:
        folder: Folder of the run, finished or not.
        pool: Takes the long texts.
        running: Whether a process is at work on it.

    Raises:
        JournalError: The folder holds no journal that can be read.
    """
    run = RecordedRun(folder)
    heard = _heard(folder)
    heard.story.running = running
    details = StepDetails(pool=pool, timed=heard.story.timed)
    prompts = _prompts(run, heard, pool)
    return {
        "summary": _summary(run, heard),
        "steps": {
            "fields": _FIELDS,
            "rows": list(_step_rows(run, heard, details, prompts)),
        },
        "programs": list(_programs(heard, details)),
        "memory": memory_data(run, heard.lessons, pool),
    }


def _heard(folder: Path) -> _Heard:
    heard = _Heard()
    with Journal(folder / "run.db", write=False) as journal, belonging(folder):
        for event in journal.events(unread=heard.unread.append):
            heard.apply(event)
    return heard


def _summary(run: RecordedRun, heard: _Heard) -> dict[str, object]:
    story, found = heard.story, run.result
    started, best = story.started, champion(story)
    busy_words = load(busy([event.block for event in story.own_blocks]))
    return {
        "name": run.name,
        "folder": str(run.folder),
        "problem": found.problem,
        "status": "running" if story.running else found.status,
        "outcome": outcome(story),
        "best": found.best_solution_id,
        "timed": story.timed,
        "initial": started.initial.id if started else "",
        "python": all(path.endswith(".py") for path in started.initial.files)
        if started
        else True,
        "gain": [short(each) for each in (found.gain, found.gain_low, found.gain_high)],
        "score": [short(found.score_initial), short(found.score), found.direction],
        "trusted": found.trusted,
        "spread": short(story.spread),
        "machine": run.record.machine,
        "isolation": started.isolation if started else "",
        "seed": found.seed,
        "settings": dict(found.settings),
        "evaluations": found.evaluations,
        "generations": found.generations,
        "cpu_seconds": short(found.cpu_seconds),
        "wall_seconds": short(story.ended.wall_seconds) if story.ended else None,
        "calls": found.calls,
        "tokens": found.tokens,
        "money": short(found.money),
        "budget_end": found.budget_end,
        "doubts": [f"{doubt.name}: {doubt.words}" for doubt in doubts(story)],
        "notes": [*found.notes, *filter(None, [busy_words]), *heard.unread],
        "worth": _worth(run),
        "approach": best.approach if best else "",
        "trials": [
            {"id": trial.id, "told": trial_outcome(trial, story)}
            for trial in story.trials.values()
        ],
    }


def _worth(run: RecordedRun) -> dict[str, object] | None:
    """Return what memory was seen to be worth; None where nothing was seen."""
    worth = run.result.memory
    if not (worth.informed.steps and worth.withheld.steps):
        return None
    return {
        "informed": [worth.informed.gains, worth.informed.steps],
        "withheld": [worth.withheld.gains, worth.withheld.steps],
        "difference": short(worth.difference),
        "interval": [short(end) for end in worth.interval],
    }


def _step_rows(
    run: RecordedRun, heard: _Heard, details: StepDetails, prompts: _Conversations
) -> Iterator[list[object]]:
    names = names_of("steps")
    places = [names.index(name) for name in _STEP_FIELDS]
    for row in run.rows("steps"):
        slot = row[names.index("slot")]
        assert isinstance(slot, int)
        chapter = heard.story.chapters.get(slot) or Chapter(slot)
        solution, proposal = chapter.solution, None
        if chapter.proposed is not None:
            proposal = chapter.proposed.proposal
        told = step_details(chapter, heard.story, details)
        told |= {"calls": prompts.of(slot), "lesson": _lesson(heard.lessons.get(slot))}
        own = {"outcome": str(chapter.standing)}
        yield [
            *(
                own.get(name, short(row[place]))
                for name, place in zip(_STEP_FIELDS, places, strict=True)
            ),
            phrases.one_line(proposal.direction, 300) if proposal else "",
            phrases.one_line(reason(chapter, heard.story), 400),
            solution.approach if solution else "",
            details.pool.add(text_of(solution)) if solution else None,
            details.pool.add_value(told),
        ]


def _lesson(event: Learned | None) -> dict[str, object] | None:
    """Return what was learned of a step; None: nothing."""
    item = event.lesson.new_memory_item if event and event.lesson else None
    if item is None:
        return None
    return {"type": str(item.type), "title": item.title, "content": item.content}


def _programs(heard: _Heard, details: StepDetails) -> Iterator[dict[str, object]]:
    """Yield the programs that no step made: the initial one, and those of trials."""
    story = heard.story
    if story.started is None:
        return
    yield _program(story.started.initial, StepOutcome.INITIAL, story, details)
    for trial in story.trials.values():
        if trial.dropped and (solution := story.solutions.get(trial.id)):
            yield _program(solution, StepOutcome.MINIMISED, story, details)


def _program(
    solution: Solution, outcome: StepOutcome, story: Story, details: StepDetails
) -> dict[str, object]:
    told = details.of_program(solution.id, story)
    return {
        "solution": solution.id,
        "parents": " ".join(solution.parents),
        "operator": solution.operator,
        "outcome": str(outcome),
        "status": str(Status.AC),
        "total_effect": short(story.ranks.get(solution.id)),
        "approach": solution.approach,
        "text": details.pool.add(text_of(solution)),
        "detail": details.pool.add_value(told),
    }


class _Conversations:
    """The calls of each step, with what was asked and what was said."""

    def __init__(self, heard: _Heard, pool: TextPool, asked: dict[str, list[object]]) -> None:
        self._heard, self._pool, self._asked = heard, pool, asked

    def of(self, slot: int) -> list[dict[str, object]]:
        """Return the calls of a step, oldest first."""
        return [self._call(call) for call in self._heard.calls.get(slot, ())]

    def _call(self, call: Call) -> dict[str, object]:
        reply = call if isinstance(call, Replied) else None
        why = "" if isinstance(call, Replied) else call.why
        objected = self._heard.objected.get((call.slot, call.role, call.attempt), "")
        return {
            "role": str(call.role),
            "model": call.model,
            "attempt": call.attempt,
            "outcome": call.kind,
            "tokens": [reply.usage.prompt, reply.usage.completion] if reply else None,
            "money": short(call.money),
            "seconds": short(call.seconds),
            "why": objected if reply else why,
            "asked": self._asked.get(call.request),
            "reply": self._pool.add(reply.text) if reply else None,
        }


def _prompts(run: RecordedRun, heard: _Heard, pool: TextPool) -> _Conversations:
    requests = dict.fromkeys(
        call.request for calls in heard.calls.values() for call in calls if call.request
    )
    asked: dict[str, list[object]] = {}
    for request, messages, wrong in conversations(run.folder, requests):
        asked[request] = list(_messages(messages, pool))
        if wrong:
            asked[request] = [["system", pool.add(f"[not readable: {wrong}]")]]
    return _Conversations(heard, pool, asked)


def _messages(messages: Iterable[Message], pool: TextPool) -> Iterator[object]:
    for message in messages:
        yield [message.role, pool.add(message.content)]
