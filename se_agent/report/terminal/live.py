"""A run while it runs: a picture on a terminal, plain lines everywhere else.

Both are listeners. What cannot be shown is dropped, never raised: a closed pipe or a narrow
terminal must not end a run that was paid for.
"""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Self

from rich.cells import cell_len
from rich.text import Text

from se_agent.events import (
    BlockMeasured,
    Challenged,
    Evaluated,
    Event,
    GenerationOpened,
    Learned,
    Proposed,
    Relayed,
    Resumed,
    SearchEnded,
    Selected,
    SelfTested,
    Started,
    Trimmed,
)
from se_agent.memory_events import Noted, Recalled
from se_agent.report import steps
from se_agent.report.story import Standing, Story
from se_agent.report.terminal.columns import Columns
from se_agent.report.terminal.heartbeat import Beat
from se_agent.report.terminal.patient import room
from se_agent.report.terminal.picture import sparkline
from se_agent.report.terminal.wrapping import TIED, wrapped
from se_agent.report.words import phrases
from se_agent.report.words.quiet import Quiet, reason
from se_agent.report.words.relay import switch
from se_agent.report.words.remaining import remaining
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.objective import CPU_TIME, seconds
from se_agent.wording import counted

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_CHECKING = "checking the problem: its tests, twice, and the size of its inputs"
_STEPS = 4
_LABEL = 9  # columns to the left of the picture
_ENDED = 60  # characters of how a step ended
_BARS = 50  # columns of the curve
_TORN = 12  # columns that two lines may lose, as words are not broken
_HANG = 4  # columns that the rest of a broken line is moved to the right
_NEWEST = 256  # closed steps that a view can look back at
_LONG = 20.0  # seconds of silence after which a plain view says what the run is at
_SILENCE = dt.timedelta(seconds=5)  # in a step, before its stages get lines of their own


class PlainView:
    """One line a step, and one a stage of it where a run would be silent for long.

    Args:
        console: Where the lines go.
        resumed: The run that is taken up, in words; empty for a new one.
    """

    def __init__(self, console: Console, resumed: str = "") -> None:
        self._console = console
        self._resumed = resumed
        self._story = Story(newest=_NEWEST)
        self._lesson = ""  # the newest one that was not told yet
        self._quiet = Quiet()
        self._since = self._last = dt.datetime.now(dt.UTC)
        self._doing = ""
        self._beat = Beat(self.say_what, _LONG)

    def __enter__(self) -> Self:
        if not self._resumed:
            self._print(_CHECKING)
        self._beat.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._beat.stop()
        for text in self._quiet.end():
            self._print(text)

    def on_event(self, event: Event) -> None:
        """Print what is worth a line; the past of a resumed run is not printed again."""
        self._story.apply(event)
        if event.at < self._since:
            return
        for text in self._lines(event):
            self._print(text)
            self._last = event.at

    def on_work(self, what: str) -> None:
        """Remember it for a line, should there be none for long; see `Attending`."""
        self._doing = phrases.one_line(what, 120)

    def snapshot(self) -> Story:
        """Return what it shows; see `Recalling`."""
        return self._story

    def restore(self, past: object) -> None:
        """Go on with what another view has shown."""
        assert isinstance(past, Story)
        self._story = past

    def say_what(self, silent: float) -> None:
        """Print what the run is at, after so many seconds without a line."""
        self._print(f"    {self._doing or phrases.phase(self._story)}, {silent:.0f} s so far")

    def _lines(self, event: Event) -> Iterator[str]:
        story = self._story
        match event:
            case Started():
                yield f"{event.name}: the initial program is right, {_metric(event)}"
                yield from (f"  note: {phrases.one_line(note, 300)}" for note in event.notes)
                if event.prior_from:
                    yield f"  prior: {phrases.one_line(event.prior_from, 300)}"
            case Recalled():
                said = f"{event.words}; {event.source}"
                yield f"  recalled: {phrases.one_line(said, 300)}"
            case Noted():
                yield f"  note: {phrases.one_line(event.text, 300)}"
            case Relayed():
                yield f"  relay: {phrases.one_line(switch(event), 300)}"
            case Resumed() if self._resumed:
                yield f"going on with {self._resumed}"
            case SelfTested():
                yield f"self-test: identical code differs by {100 * event.spread:.2g} %"
            case GenerationOpened():
                self._quiet.open(event, partial(_heading, event, story))
            case Selected() if story.started and story.started.config.get("models"):
                yield from self._begun(event.slot)  # a reply may take minutes
            case Learned():
                yield from self._closed(event)
            case BlockMeasured() if event.slot == -1:
                yield _own(event, self._story)
            case BlockMeasured() | Proposed() | Evaluated() | Challenged():
                if told := _news(event, story):
                    silent = event.at - self._last >= _SILENCE
                    yield from self._begun(event.slot)
                    yield from [f"    {told}"] if silent else []
            case SearchEnded():
                yield from self._quiet.end()
                if story.started and story.best != story.started.initial.id:
                    yield f"search over, best: {phrases.so_far(story)}"
                    yield _trimming(phrases.to_leave_out(story))
            case Trimmed():
                yield f"  {steps.trial_line(story.trials[event.slot], story)}"
            case _:
                return

    def _closed(self, event: Learned) -> Iterator[str]:
        self._lesson = steps.lesson(event) or self._lesson
        chapter = self._story.chapters[event.slot]
        if event.child or steps.remarkable(chapter):
            yield from self._begun(event.slot)
            yield f"  {steps.line(chapter, self._story)}"
            why = ""
        else:
            why = reason(chapter, self._story)
        if event.child and event.refused:
            yield f"    memory {steps.guarded(event)}"
        yield from self._quiet.close(event.slot, why)

    def _begun(self, slot: int) -> Iterator[str]:
        """Yield the heading of a step's generation, if it was not told yet."""
        heading = [*self._quiet.begin(slot)]
        yield from heading
        if heading and self._lesson:
            yield f"  learned: {self._lesson}"
            self._lesson = ""

    def _print(self, text: str) -> None:
        self._beat.heard()
        try:
            width = room(self._console)
            for line in wrapped(text, width, hang=_HANG) if width else [text]:
                self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        except OSError:
            self._console.quiet = True


class LiveView:
    """A few lines that redraw themselves: phase, best, counts, budget, lesson, last steps.

    Args:
        console: A terminal.
    """

    def __init__(self, console: Console) -> None:
        from rich.live import Live

        self._console = console
        self._guard = threading.RLock()
        self._story = Story(newest=_NEWEST)
        self._lesson = ""
        self._doing = ""
        self._since = dt.datetime.now(dt.UTC)
        self._heard = time.monotonic()
        self._live = Live(
            console=console,
            get_renderable=self.render,
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        try:
            self._live.stop()
        except OSError:
            self._console.quiet = True

    def on_event(self, event: Event) -> None:
        """Take note; the picture is redrawn by its own clock, below the doubts that stay."""
        with self._guard:
            self._story.apply(event)
            if isinstance(event, Started) and not event.at < self._since:
                self._tell(event.notes)
            if isinstance(event, Noted) and not event.at < self._since:
                self._tell([event.text])
            if isinstance(event, Learned):
                self._lesson = steps.lesson(event) or self._lesson
            self._doing = _news(event, self._story)
            self._heard = time.monotonic()

    def _tell(self, notes: Iterable[str]) -> None:
        """Print what is doubtful before time is spent on it."""
        try:
            for note in notes:
                text = f"note: {phrases.one_line(note, 300)}"
                for line in wrapped(text, self._console.width, hang=_HANG):
                    self._console.print(
                        line, style="yellow", markup=False, highlight=False, soft_wrap=True
                    )
        except OSError:
            self._console.quiet = True

    def on_work(self, what: str) -> None:
        """Show it until there is an event; see `Attending`."""
        with self._guard:
            self._doing = phrases.one_line(what, 120)
            self._heard = time.monotonic()

    def snapshot(self) -> Story:
        """Return what it shows; see `Recalling`."""
        return self._story

    def restore(self, past: object) -> None:
        """Go on with what another view has shown."""
        assert isinstance(past, Story)
        with self._guard:
            self._story = past
            closed = [c.learned for c in past.chapters.values() if c.learned]
            self._lesson = next(filter(None, map(steps.lesson, reversed(closed))), "")

    def render(self) -> RenderableType:
        """Return the picture of this moment."""
        with self._guard:
            table, wide = Columns(styles=("bold cyan",)), self._console.width - _LABEL
            for label, text in self._rows():
                table.add(f"{label:<{_LABEL - 2}}", _fit(text, wide))
            return table

    def _rows(self) -> Iterator[tuple[str, Text]]:
        story = self._story
        name = f"{story.started.name}: " if story.started else ""
        yield "run", Text(f"{name}{phrases.phase(story)}", style="bold")
        # It counts on while nothing else moves: a sign of life.
        silent = f"{time.monotonic() - self._heard:.0f} s so far"
        yield "now", Text(f"{self._doing}, {silent}" if self._doing else silent, style="dim")
        if story.started is None:
            return
        best = story.solutions.get(story.best)
        how = best.approach if best else ""
        yield "best", Text(f"{phrases.so_far(story)}{f': {how}' if how else ''}")
        if story.curve:
            plain = not self._console.encoding.startswith("utf")
            bars = max(min(_BARS, self._console.width - _LABEL), 1)
            yield "", Text(sparkline(story.curve, width=bars, plain=plain), style="green")
        yield "steps", Text(_counts(story))
        yield "spent", Text(phrases.budget(story))
        if left := remaining(story, dt.datetime.now(dt.UTC)):
            yield "left", Text(left)
        yield "learned", Text(self._lesson)
        for number, line in enumerate(self._last()):
            yield "" if number else "last", line

    def _last(self) -> list[Text]:
        """Return the last steps in lines that fit, one below the other."""
        table = Columns()
        for chapter in steps.newest(self._story, _STEPS):
            style = steps.STYLES[chapter.standing]
            *told, ended = steps.cells(chapter, self._story)
            ended = phrases.one_line(ended, _ENDED).replace("new best", f"new{TIED}best")
            tied = (phrases.clean(cell).replace(" ", TIED) for cell in told)
            table.add(*(Text(cell, style) for cell in (*tied, ended)))
        return table.lines(max(self._console.width - _LABEL, 1))


def _fit(text: Text, room: int) -> Text:
    """Return a row of two lines at most; where it does not fit one, it has single spaces."""
    if cell_len(text.plain) <= room:
        return text
    return Text(phrases.one_line(text.plain, max(2 * room - _TORN, room)), style=text.style)


def _own(event: BlockMeasured, story: Story) -> str:
    """Return the line of a block of the self-test or of the confirmation."""
    where, effect = phrases.phase(story), event.block.effect
    final = event.inputs is InputSet.FINAL
    return f"{where}{f': {phrases.value(effect, story)}' if final else ''}"


def _heading(event: GenerationOpened, story: Story) -> str:
    many = counted(event.size, "step")
    best, spent = phrases.so_far(story), phrases.budget(story)
    left = f"; {told}" if (told := remaining(story)) else ""
    return f"generation {event.generation}: {many}; best: {best}; {spent}{left}"


def _trimming(most: int | None) -> str:
    """Say what comes after the search, and how much of it."""
    if most == 0:
        return "its gain is confirmed now"
    count = f"up to {most} " if most else ""
    return f"trimming: {count}changes to leave out; then its gain is confirmed"


def _news(event: Event, story: Story) -> str:
    """Say what goes on since an event of a step; nothing where the phase says it."""
    match event:
        case Proposed() if event.proposal and not event.duplicate_of:
            return f"{event.proposal.solution.id}: its tests are run"
        case Evaluated() if event.evaluation.status is Status.AC:
            return f"{event.solution}: passes its tests, is compared now"
        case BlockMeasured() if event.slot != -1:
            return _comparison(event, story)
        case Challenged() if event.hunt.tried:
            tried = counted(event.hunt.tried, "input")
            return f"{event.solution}: was tried on {tried} made up to refute it"
        case _:
            return ""


def _comparison(event: BlockMeasured, story: Story) -> str:
    """Say how the comparison of a step or of a trial stands."""
    made = story.chapters if event.slot >= 0 else story.trials
    return steps.comparison(made[event.slot].blocks, story)


def _counts(story: Story) -> str:
    counts = story.counts()
    counts.pop(Standing.NOTHING, None)
    told = (f"{n} {phrases.ENDINGS.get(word, word)}" for word, n in counts.most_common())
    return ", ".join(told) or "none yet"


def _metric(event: Started) -> str:
    metric = event.metric
    if event.objective != CPU_TIME:
        return f"{event.objective.title} is what is compared"
    if metric.unit == "s":
        return f"{seconds(metric.value)} of CPU time an input"
    score = phrases.figure(metric.value)
    return f"score {score} ({metric.direction}){phrases.untrusted(event.trusted)}"


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Listener

    _plain: Callable[..., Listener] = PlainView
    _live: Callable[..., Listener] = LiveView
