"""Figures in words: no gain without its doubt, no control character from a program.

Pure. Not here: tables and colours.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping

from se_agent.report.story import Story
from se_agent.report.words.basis import basis, doubt, final_blocks
from se_agent.report.words.reservations import reservations
from se_agent.stats.sequential import SECOND_LOOK, SPREAD_FLOOR, t_interval
from se_agent.stats.summary import (
    costly_start,
    first_call,
    less_on_the_wall,
    lessening_reason,
    told_apart,
)
from se_agent.values.evaluation import Hunt, InputSet, Status
from se_agent.values.objective import CPU_TIME, Objective, amount, seconds
from se_agent.values.observation import growth_told
from se_agent.wire.spelling import visible
from se_agent.wording import counted

_SIZES = ("B", "kB", "MB", "GB")
_BARREN = 8
TIME_LIMITS = ("cpu_seconds", "wall_seconds")
ENDINGS: Mapping[str, str] = {
    Status.WA: "gave a wrong answer",
    Status.TLE: "took too long",
    Status.MLE: "took too much memory",
    Status.RE: "ended with an error",
    Status.CE: "did not compile",
    Status.REJECTED: "did what programs here may not do",
}
"""What became of a program that is not right."""
DOUBT = "a program that set out to could print any score"
"""Why what comes of a `command` problem is untrusted."""


def clean(text: str) -> str:
    """Return `text` with control characters spelled out: no program drives a terminal."""
    return visible(text.expandtabs(4))


def one_line(text: str, width: int = 100) -> str:
    """Return `text` clean, on one line of at most `width` characters: cut between two words.

    A word that is longer than half of the line is cut itself.
    """
    return shortened(" ".join(clean(text).split()), width)


def shortened(text: str, width: int) -> str:
    """Return `text` clean, of at most `width` characters, as `one_line` cuts it.

    Its spaces stay: what stands below each other still does.
    """
    flat = clean(text)
    if len(flat) <= width:
        return flat
    room = max(width - 3, 1)
    end = flat.rfind(" ", room // 2, room + 1)
    return (flat[: end if end > 0 else room].rstrip() + "...")[:width]


def task(statement: str) -> str:
    """Return what a statement asks for: its first sentence below the title."""
    lines = [line for line in statement.splitlines() if line and not line.startswith("#")]
    first, found, _ = " ".join(lines).partition(". ")
    return one_line(first + "." if found else first, 160)


def times(ratio: float) -> str:
    """Return a ratio such as `0.031x`, `4.21x`, `23.4x` or `1,250x`."""
    if not math.isfinite(ratio):
        return f"{ratio}x"
    if 0 < ratio < 0.1:
        return f"{ratio:.2g}x"
    digits = 2 if ratio < 10 else 1 if ratio < 100 else 0
    return f"{ratio:,.{digits}f}x"


def figure(value: float | None) -> str:
    """Return a score with at most six significant digits."""
    return "-" if value is None else f"{value:.6g}"


def measured(value: float, unit: str, *, timed: bool) -> str:
    """Return one side's figure of a block, in its unit, or its score."""
    return amount(value, unit) if timed else figure(value)


def size(count: int) -> str:
    """Return a number of bytes such as `1.2 MB`."""
    value, unit = float(count), 0
    while value >= 1000 and unit < len(_SIZES) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.3g} {_SIZES[unit]}"


def effect(
    value: float, interval: tuple[float, float], *, timed: bool, trusted: bool = True
) -> str:
    """Return an effect with its interval, such as `2.31x [2.20x, 2.43x]` or `+0.0123`."""
    if value == -math.inf:
        return ""
    if not timed:
        return f"{value:+.6g}{untrusted(trusted)}"
    low, high = (times(_ratio(end)) for end in interval)
    return f"{times(_ratio(value))} [{low}, {high}]"


def value(effect: float, story: Story) -> str:
    """Return an effect without an interval, such as that of one block."""
    if not story.timed:
        return f"{effect:+.6g}{untrusted(story.trusted)}"
    return times(_ratio(effect))


def rank(effect: float, story: Story) -> str:
    """Return a composed effect, such as `about 86x`: an interval would promise too much.

    It is a product of steps, each of which was chosen because it looked good.
    """
    if not story.timed:
        return value(effect, story)
    ratio = _ratio(effect)
    return f"about {f'{ratio:,.0f}x' if 10 <= ratio < math.inf else times(ratio)}"


def standing(story: Story, solution: str = "") -> str:
    """Say how good a solution is, or the incumbent."""
    found = story.ranks.get(solution or story.best, 0.0)
    if found == 0.0:
        return f"the initial program{untrusted(story.trusted)}"
    if not story.timed and story.started is not None:
        metric = story.started.metric
        score = figure(metric.value + metric.sign * found)
        return f"score {score}{untrusted(story.trusted)}"
    return rank(found, story)


def untrusted(trusted: bool) -> str:
    """Return the words that follow every figure that a program may have made up, or none."""
    return "" if trusted else " (untrusted)"


def so_far(story: Story) -> str:
    """Say how good the incumbent is, and that it is not proven yet."""
    doubted = story.timed and story.best != _initial(story)
    return f"{standing(story)}{', not yet confirmed' if doubted else ' so far'}"


def searched(story: Story) -> str:
    """Say how good the incumbent was in the search, and that this claims nothing."""
    doubt = "; it only ranks, what is claimed was measured anew" if story.confirmed else ""
    return f"{standing(story)} in the search{doubt if story.timed else ''}"


def _initial(story: Story) -> str:
    return story.started.initial.id if story.started else ""


def outcome(story: Story) -> str:
    """Say what the run came to, each gain with its doubt."""
    if story.started is None:
        return "the run never started"
    if story.confirmed is None:
        return f"{'running' if story.running else 'unfinished'}: {so_far(story)}"
    if why := untried(story):
        return f"nothing was tried: {why}"
    if note := story.confirmed.note:
        return f"not proven: {note}"
    return _timed_outcome(story) if story.timed else _score_outcome(story)


def untried(story: Story) -> str:
    """Say what kept a search from trying any candidate; nothing if it tried one, or goes on."""
    end = story.budget_end
    if not end or story.costs.evaluations:
        return ""
    if end == "exhausted":
        return "nothing new was proposed"
    if end in TIME_LIMITS:
        return f"what comes before the search left it nothing of {end}"
    return f"the limit {end} was reached before"


def _score_outcome(story: Story) -> str:
    found, started = story.confirmed, story.started
    assert found is not None
    assert started is not None
    change = f"{figure(found.score_initial)} -> {figure(found.score)}"
    verdict = "proven" if found.status == "proven" else "not proven, no better"
    said = f"{verdict}: score {change} ({started.metric.direction})"
    return said if story.trusted else f"untrusted: {said}; {DOUBT}"


def _timed_outcome(story: Story) -> str:
    found, started = story.confirmed, story.started
    assert found is not None
    assert started is not None
    effects = [event.block.effect for event in final_blocks(story)]
    if found.status == "proven" and found.gain and found.low and found.high:
        low, high = times(found.low), times(found.high)
        better = _better(started.objective)
        rests, but = _rests(story)
        grown = f"; {growth_told(found.growth)}" if found.growth else ""
        return f"proven: {times(found.gain)} {better} ({low}-{high}, {rests}){grown}{but}"
    if found.reason and found.growth:
        faster = times(math.exp(statistics.fmean(effects)))
        return f"not proven: {faster} here, slower beyond: its time {growth_told(found.growth)}"
    if found.solution == started.initial.id or not effects:
        needs = _needs(started.objective)
        none = f"not proven: nothing was found that {needs} than the initial program"
        return none + _refuted(story)
    if any(not math.isfinite(value) for value in effects):
        return "not proven: the champion was wrong on a final input"
    mean = math.fsum(effects) / len(effects)
    ends = t_interval(effects, floor=story.spread or SPREAD_FLOOR)
    kind = "of the initial speed"
    if started.objective != CPU_TIME:
        kind = _better(started.objective)
    rests, but = _rests(story)
    return (
        f"not proven: {times(math.exp(mean))} {kind}, but it could be anything "
        f"from {times(math.exp(ends[0]))} to {times(math.exp(ends[1]))} ({rests}){but}"
    )


def _refuted(story: Story) -> str:
    """Say who seemed to be better, and answered an input made up for that otherwise."""
    chapters = story.chapters.values()
    found = [c.id for c in chapters if c.challenged and c.challenged.hunt.found]
    if not found:
        return ""
    more = f" and {len(found) - 1} more" if found[1:] else ""
    return f"; {found[0]}{more} seemed so, and fails on an input that was made up"


def _rests(story: Story) -> tuple[str, str]:
    """Return what the confirmation rests on, and why that is little, if it is."""
    assert story.started is not None
    exact = story.started.objective.exact
    blocks = [event.block for event in final_blocks(story)]
    wanted = story.started.config.get("measure", {}).get("confirm_inputs", 8)
    but = doubt(blocks, wanted=1 if exact else wanted)
    alone, wall = costly_start(blocks), less_on_the_wall(blocks)
    first = first_call(blocks)
    told = reservations(
        alone,
        times(wall) if wall else "",
        waits=told_apart(blocks),
        pays_after=first.pays_after if first else None,
    )
    clauses = [*told, *lessening_reason(blocks)]
    doubts = "".join(f"; but {told}" for told in clauses)
    return basis(blocks, exact=exact), but + doubts


def challenged(hunt: Hunt) -> str:
    """Say what a search that refuted nobody came to; one that compared nothing says nothing."""
    if not hunt.tried:
        return f"no input made up to find a difference was compared{_why(hunt, ': ')}"
    tried = counted(hunt.tried, "input")
    return f"no difference found on {tried} made up to find one{_why(hunt, '; ')}"


def _why(hunt: Hunt, after: str) -> str:
    return f"{after}{hunt.note}" if hunt.note else ""


def _better(objective: Objective) -> str:
    """Say what a ratio is one of; anything but CPU time is named wherever it is shown."""
    if objective == CPU_TIME:
        return "faster"
    return "faster on the wall" if objective.unit == "s" else f"less {objective.title}"


def unless_cpu(weights: Mapping[str, float]) -> str:
    """Return ` of peak memory` for a table of gains; nothing for CPU time, and for scores."""
    if not weights or Objective.weighted(weights) == CPU_TIME:
        return ""
    return f" of {Objective.weighted(weights).title}"


def _needs(objective: Objective) -> str:
    better = _better(objective)
    return f"takes {better}" if better.startswith("less") else f"is {better}"


def phase(story: Story) -> str:
    """Say what the run is doing now."""
    if story.started is None:
        return "checking the initial program"
    if story.ended is not None:
        return f"ended: {story.budget_end}"
    if story.confirmed is not None:
        return "saving"
    return _confirmation(story) or _trials(story) or _generation(story) or _self_test(story)


def _confirmation(story: Story) -> str:
    found = final_blocks(story)
    done = len(found)
    if not found or story.started is None:
        return ""
    wanted = story.started.config.get("measure", {}).get("confirm_blocks", 6)
    if found[-1].block.number >= SECOND_LOOK:
        return f"a large gain, measured a second time, block {done} of {wanted}"
    return f"confirmation on final inputs, block {done} of {wanted if story.timed else 1}"


def _trials(story: Story) -> str:
    if not story.trials:
        return ""
    most = 2 * (to_leave_out(story) or 0) - 1  # groups, halves of them, what nothing uses
    trial = f"trial {len(story.trials)}{f' of up to {most}' if most > 0 else ''}"
    return f"leaving out edits of the best program, {trial}"


def to_leave_out(story: Story) -> int | None:
    """Return how many edits of the search's winner may be left out for a trial.

    It is the most; 0 with `trim = false`. None: unknown, for a model wrote it.
    """
    trims = story.started is None or story.started.config.get("trim", True)
    first = next((one.trimmed for one in story.trials.values() if one.trimmed), None)
    winner = story.solutions.get(first.reference if first else story.best)
    if trims and (winner is None or winner.base != _initial(story)):
        return None
    count = len({*winner.edits}) if trims and winner else 0
    return count if count > 1 else 0


def _generation(story: Story) -> str:
    opened = story.generation
    if opened is None:
        return ""
    closed = max(story.closed - opened.slot, 0)  # it opens before those of the last are closed
    return f"generation {opened.generation}, {closed} of {opened.size} steps closed"


def _self_test(story: Story) -> str:
    if not story.timed or story.started is None:
        return "starting"
    wanted = story.started.config.get("measure", {}).get("self_test_blocks", 6)
    done = sum(block.inputs is InputSet.SEARCH for block in story.own_blocks)
    return f"self-test of the clock, block {done} of {wanted}"


def budget(story: Story) -> str:
    """Say what was spent, and of how much."""
    limits = story.started.config.get("budget", {}) if story.started else {}
    return ", ".join(_spent(story, limits))


def _spent(story: Story, limits: dict[str, float | None]) -> Iterator[str]:
    most, done = limits.get("evaluations"), story.costs.evaluations
    yield f"{done} of {most} evaluations" if most else counted(done, "evaluation")
    most = limits.get("generations")
    if most:
        number = story.generation.generation if story.generation else 0
        yield f"generation {number} of {most}"
    most = limits.get("cpu_seconds")
    spent = seconds(story.costs.cpu_seconds)
    yield f"{spent}{f' of {seconds(most)}' if most else ''} of CPU time"
    if most := limits.get("wall_seconds"):
        yield f"at most {seconds(most)} on the wall"


def search_end(story: Story) -> str:
    """Say what was spent, and why the search is over."""
    end = story.budget_end
    why = "nothing was left to try" if end == "exhausted" else f"the limit {end} was reached"
    if end == "patience" and story.started is not None:
        most = story.started.config.get("budget", {}).get(end)
        why = f"the limit {end} was reached: no new best program in {most} evaluations"
    if story.no_room is not None and story.no_room.limit == end in {"tokens", "money"}:
        # Less than the limit was spent: the next call might have passed it.
        why = story.no_room.why
    return f"spent: {budget(story)}; {why}{_barren(story)}"


def _barren(story: Story) -> str:
    """Say that models had nothing new; after so many steps a search gives them up."""
    steps = story.barren
    return f"; the last {steps} answers of models were nothing new" if steps >= _BARREN else ""


def _ratio(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf
