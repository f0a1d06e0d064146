"""A run as the data of a page: what stands in it at once, and by number what is shown later.

It reads the run's folder and never writes to it. Not here: how it looks (`assets`), one step
(`step_data`), the memory over time (`memory_data`), several runs (`grid_data`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from se_agent.analysis.operator_credit import operator_credit
from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.conversations import conversations
from se_agent.analysis.run_tables.followed_run import FollowedRun
from se_agent.analysis.run_tables.step_facts import Row, StepOutcome, text_of
from se_agent.chat.events import Lost, Objected, Replied, Unanswered
from se_agent.engine.journal.journal import Journal, belonging
from se_agent.errors import SeAgentError
from se_agent.events import BlockMeasured, Event, Learned, Observed, Selected
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
from se_agent.report.words.relay import switches
from se_agent.stats.summary import busy
from se_agent.values.evaluation import Status
from se_agent.values.observation import growth_told
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
_STEP_PLACES = [(name, names_of("steps").index(name)) for name in _STEP_FIELDS]
_FIELDS = (*_STEP_FIELDS, "direction", "reason", "approach", "text", "detail")

Call = Replied | Unanswered | Lost


@dataclass
class _Heard:
    """What the events of a run told.

    Attributes:
        touched: Slots of steps that something was told of since this was emptied last.
        slots: Slots by the id of the program that was to be made there.
    """

    story: Story = field(default_factory=Story)
    calls: dict[int, list[Call]] = field(default_factory=dict)
    objected: dict[tuple[int, str, int], str] = field(default_factory=dict)
    lessons: dict[int, Learned] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)
    slots: dict[str, int] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        """Go on by one event; the lists of directions, which are long, are not kept."""
        self._touch(event)
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

    def _touch(self, event: Event) -> None:
        """Note the step that an event tells of; some name it by its program."""
        self.touched.add(event.slot)
        if isinstance(event, Selected):
            self.slots[event.child] = event.slot
        elif isinstance(event, BlockMeasured):
            self.touched.add(self.slots.get(event.candidate, -1))
        elif isinstance(event, Observed):
            self.touched.add(self.slots.get(event.solution, -1))


class RunPage:
    """The data of a run's page, which go on as the run does.

    A closed step is put into words once, unless something more is told of it.
    """

    def __init__(self, folder: Path, pool: TextPool | None = None) -> None:
        """Take the folder of a run, finished or not; nothing is read yet.

        Args:
            folder: Folder of the run.
            pool: An empty one that says how texts are packed; None: as by default.
        """
        self._folder = folder
        self._empty = TextPool() if pool is None else pool
        self._begin()

    def data(self, *, running: bool = False) -> tuple[dict[str, object], TextPool]:
        """Return the data of the run as it is now, and the texts that they name by number.

        Args:
            running: Whether a process is at work on it.

        Raises:
            JournalError: The folder holds no journal that can be read.
        """
        self._read_on()
        run, heard = self._run, self._heard
        heard.story.running = running
        steps = list(self._table_rows())
        self._keep_closed(steps)
        pool = self._kept.copy()  # texts of what is under way may be others soon
        details = StepDetails(pool=pool, timed=heard.story.timed)
        rows = [self._rows.get(slot) or self._row(slot, row, details) for slot, row in steps]
        found: dict[str, object] = {
            "summary": _summary(run, heard),
            "steps": {"fields": _FIELDS, "rows": rows},
            "operators": list(_operators(row for _, row in steps)),
            "programs": list(_programs(heard, details)),
            "memory": memory_data(run, heard.lessons, pool),
        }
        return found, pool

    @property
    def unread(self) -> tuple[str, ...]:
        """A line for each event that cannot be read."""
        return tuple(self._run.unread)

    def _begin(self) -> None:
        self._heard = _Heard()
        self._run = FollowedRun(self._folder, self._heard.apply)
        self._kept = self._empty.copy()
        self._asked: dict[str, list[object]] = {}
        self._rows: dict[int, list[object]] = {}

    def _read_on(self) -> None:
        """Read what is new; all of it where another journal has taken the place of the one."""
        try:
            with Journal(self._folder / "run.db", write=False) as journal:
                if not self._run.is_same(journal):
                    self._begin()
                with belonging(self._folder):
                    self._run.read_on(journal)
            self._read_prompts()
        except SeAgentError:
            self._begin()
            raise
        for slot in sorted(self._heard.touched):
            self._rows.pop(slot, None)
        self._heard.touched.clear()

    def _read_prompts(self) -> None:
        """Read what models were asked since."""
        calls = self._heard.calls
        heard = (call for slot in sorted(self._heard.touched) for call in calls.get(slot, ()))
        new = dict.fromkeys(call.request for call in heard if call.request)
        unknown = [request for request in new if request not in self._asked]
        for request, messages, wrong in conversations(self._folder, unknown):
            said = [(message.role, message.content) for message in messages]
            said = [("system", f"[not readable: {wrong}]")] if wrong else said
            self._asked[request] = [[role, self._kept.add(text)] for role, text in said]

    def _keep_closed(self, rows: Iterable[tuple[int, Row]]) -> None:
        """Put steps into words that were closed since."""
        story = self._heard.story
        details = StepDetails(pool=self._kept, timed=story.timed)
        closed = story.chapters.keys() - story.unclosed - self._rows.keys()
        for slot, row in rows:
            if slot in closed:
                self._rows[slot] = self._row(slot, row, details)

    def _table_rows(self) -> Iterator[tuple[int, Row]]:
        at = names_of("steps").index("slot")
        for row in self._run.tables.rows("steps"):
            slot = row[at]
            assert isinstance(slot, int)
            yield slot, row

    def _row(self, slot: int, row: Row, details: StepDetails) -> list[object]:
        heard = self._heard
        chapter = heard.story.chapters.get(slot) or Chapter(slot)
        solution, proposal = chapter.solution, None
        if chapter.proposed is not None:
            proposal = chapter.proposed.proposal
        calls = [self._call(call, details.pool) for call in heard.calls.get(slot, ())]
        told = step_details(chapter, heard.story, details)
        told |= {"calls": calls, "lesson": _lesson(heard.lessons.get(slot))}
        own = {"outcome": str(chapter.standing)}
        return [
            *(own.get(name, short(row[place])) for name, place in _STEP_PLACES),
            phrases.one_line(proposal.direction, 300) if proposal else "",
            phrases.one_line(reason(chapter, heard.story), 400),
            solution.approach if solution else "",
            details.pool.add(text_of(solution)) if solution else None,
            details.pool.add_value(told),
        ]

    def _call(self, call: Call, pool: TextPool) -> dict[str, object]:
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
            "reply": pool.add(reply.text) if reply else None,
        }


def _summary(run: FollowedRun, heard: _Heard) -> dict[str, object]:
    story, found = heard.story, run.result
    started, best = story.started, champion(story)
    busy_words = load(busy([event.block for event in story.own_blocks]))
    return {
        "name": run.folder.name,
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
        "growth": _growth(story),
        "score": [short(found.score_initial), short(found.score), found.direction],
        "trusted": found.trusted,
        "spread": short(story.spread),
        "machine": started.machine if started else "",
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
        "notes": [
            *switches(story.relays),
            *found.notes,
            *filter(None, [busy_words]),
            *run.unread,
        ],
        "worth": _worth(run),
        "approach": best.approach if best else "",
        "trials": [
            {"id": trial.id, "told": trial_outcome(trial, story)}
            for trial in story.trials.values()
        ],
    }


def _growth(story: Story) -> str:
    """Return how its time grows against before, in words; empty: that was not told."""
    found = story.confirmed
    return f"CPU time {growth_told(found.growth)}" if found and found.growth else ""


def _worth(run: FollowedRun) -> dict[str, object] | None:
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


def _operators(steps: Iterable[Row]) -> Iterator[list[object]]:
    """Yield name, tries, proven gains and share of the CPU seconds of each operator."""
    for each in operator_credit(steps):
        yield [each.operator, each.tries, each.gains, short(each.share)]


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
