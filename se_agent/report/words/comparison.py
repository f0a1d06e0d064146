"""A comparison of arms in words and tables: the same in a terminal, in Markdown and on a page.

Pure. Not here: what is compared, and how (`se_agent.analysis`).
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from se_agent.analysis.arms import DEFAULT, Arm
from se_agent.analysis.comparison import ArmComparison, ArmEffect, MeasureComparison, Regression
from se_agent.analysis.comparison_rows import ComparisonRow, comparison_rows
from se_agent.analysis.measures import Scale, on_scale
from se_agent.config.deviations import in_words
from se_agent.report.words.phrases import clean, one_line, times
from se_agent.stats.bootstrap import MeanInterval
from se_agent.stats.paired import PairKey, Standings
from se_agent.wording import command, counted

_WIDE = 60
_RARE = 0.001
_WORDS = {
    "gain": "arm / base, more is better",
    "cost": "arm / base, less is better",
    "difference": "arm - base, more is better",
}


class WordTable(NamedTuple):
    """A table in words.

    Attributes:
        title: What stands above it.
        names: Names of the columns.
        rows: Cells in words.
        right: Places of the columns of figures.
    """

    title: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...]


def tables(found: ArmComparison, *, details: bool = False) -> Iterator[WordTable]:
    """Yield the arms, what runs came to, what that took, and what they came to by problem.

    Args:
        found: The comparison.
        details: Whether to tell, too, what it took to other shares of the best known.
    """
    results = [each for each in found.measures if each.measure.is_result]
    rest = [each for each in found.measures if not each.measure.is_result]
    shown = [each for each in rest if details or not each.measure.is_detail]
    costs = [each for each in shown if each.measure.scale == "cost"]
    yield _arms(found)
    yield from map(_overall, results)
    if costs:
        yield _costs(costs)
    yield from (_overall(each) for each in shown if each.measure.scale != "cost")
    yield from map(_by_problem, results)


def regression_lines(regressions: Sequence[Regression]) -> Iterator[str]:
    """Yield a line for each pair that was lost, and how to open both of its runs."""
    yield (
        f"regressions: {counted(len(regressions), 'pair')} lost"
        if regressions
        else ("regressions: no pair was lost")
    )
    for each in regressions:
        behind = effect_words(-each.behind, each.measure.scale)
        where = f"{one_line(each.key.problem, _WIDE)}, seed {each.key.seed}"
        yield f"  {one_line(each.arm, _WIDE)}: {where}: {each.measure.title} {behind}"
        yield f"    {clean(command('show', each.run))}"
        yield f"    {clean(command('show', each.base_run))}"


def note_lines(found: ArmComparison) -> Iterator[str]:
    """Yield what has to be known of it: doubts, and each run that was left out."""
    for note in found.notes:
        yield f"note: {one_line(note, 1000)}"
    for each in found.left_out:
        yield f"left out: {one_line(str(each.folder), 300)}: {one_line(each.why, 300)}"


def markdown(found: ArmComparison, *, details: bool = False) -> str:
    """Return all of it as Markdown; `details` as in `tables`."""
    parts = ["\n".join(_markdown_table(table)) for table in tables(found, details=details)]
    lost = [line.strip() for line in regression_lines(found.regressions)]
    head, *lines = lost
    parts.append("\n".join([head, "", *(f"- `{_code(line)}`" for line in lines)]).rstrip())
    parts.append("\n".join(f"- {_cell(line)}" for line in note_lines(found)))
    return "\n\n".join(part for part in parts if part)


def csv_text(found: ArmComparison) -> str:
    """Return each effect as a row of figures, overall and by problem."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(ComparisonRow._fields)
    for row in comparison_rows(found):
        writer.writerow(clean(cell) if isinstance(cell, str) else cell for cell in row)
    return out.getvalue()


def effect_words(effect: float, scale: Scale) -> str:
    """Return an effect such as `1.20x` or `-0.013`."""
    value, _, _ = on_scale(effect, effect, effect, scale)
    return f"{value:+.4g}" if scale == "difference" else times(value)


def interval_words(found: MeanInterval, scale: Scale) -> str:
    """Return an interval such as `1.02x to 1.31x`; few values have none."""
    if not found.is_known:
        return f"none: {counted(found.count, 'value')}"
    _, *ends = on_scale(found.mean, found.low, found.high, scale)
    told = [f"{end:+.4g}" if scale == "difference" else times(end) for end in ends]
    return " to ".join(told)


_SPENT = {
    "evaluations": ("evaluations", ",.1f"),
    "cpu_seconds": ("CPU seconds", ",.1f"),
    "calls": ("calls", ",.1f"),
    "tokens": ("tokens", ",.0f"),
    "money": ("money", ".4g"),
}
"""What a run spends, by the name in its result, with a title and a format."""


def _arms(found: ArmComparison) -> WordTable:
    arms = (found.base, *found.arms)
    common = set.intersection(*({run.pair_key for run in arm.runs} for arm in arms))
    spent = {name: [_spent(arm, name, common) for arm in arms] for name in _SPENT}
    shown = {name: means for name, means in spent.items() if any(means)}
    told = (
        ["-" if each is None else format(each, _SPENT[name][1]) for each in means]
        for name, means in shown.items()
    )
    rows = ((*_arm(arm, found.base), *cells) for arm, *cells in zip(arms, *told, strict=True))
    titles = (_SPENT[name][0] for name in shown)
    names = ("arm", "runs", "problems", "settings that differ", *titles)
    right = (1, 2, *range(4, len(names)))
    title = "arms, and what a run spent on average"
    if common and any({run.pair_key for run in arm.runs} != common for arm in arms):
        title += f" (over {counted(len(common), 'run')} of each, which all arms have)"
    if not common:
        title += " (of problems and seeds that not all arms have: not to be compared)"
    return WordTable(title, names, tuple(rows), right)


def _spent(arm: Arm, name: str, common: Set[PairKey]) -> float | None:
    """Return what its runs spent on average; None where that is not known of all of them.

    Args:
        arm: The arm.
        name: What was spent.
        common: What all arms have run: runs of anything else would not compare. Empty: all.
    """
    runs = [run for run in arm.runs if not common or run.pair_key in common]
    values = [getattr(run.result, name) for run in runs]
    return None if None in values else statistics.fmean(values)


def _arm(arm: Arm, base: Arm) -> tuple[str, ...]:
    told = in_words(arm.settings) or DEFAULT
    problems = {run.result.problem for run in arm.runs}
    name = f"{one_line(arm.name, _WIDE)}{' (base)' if arm is base else ''}"
    return name, str(len(arm.runs)), str(len(problems)), "" if told == arm.name else told


_COLUMNS = ("effect", "95 % interval", "wins", "ties", "losses")
_RIGHT = (1, 2, 3, 4, 5, 6, 7)


def _overall(compared: MeasureComparison) -> WordTable:
    title = f"{compared.measure.title} ({_WORDS[compared.measure.scale]})"
    if compared.floor is not None:
        title += f"; noise floor {_floor(compared)}"
    rows = tuple((_arm_name(each), *_row(compared, each)) for each in compared.effects)
    names = ("arm", "problems", *_COLUMNS, "chance", "verdict")
    return WordTable(title, names, rows, _RIGHT)


def _costs(found: Sequence[MeasureComparison]) -> WordTable:
    """Return one table of all costs; its rows say what of, arm by arm."""
    rows = tuple(
        (compared.measure.title, _arm_name(each), *_row(compared, each))
        for compared in found
        for each in compared.effects
    )
    names = ("what", "arm", "problems", *_COLUMNS, "chance", "verdict")
    title = f"what that took ({_WORDS['cost']})"
    return WordTable(title, names, rows, tuple(place + 1 for place in _RIGHT))


def _arm_name(effect: ArmEffect) -> str:
    return one_line(effect.arm, _WIDE)


def _row(compared: MeasureComparison, effect: ArmEffect) -> tuple[str, ...]:
    return (
        str(len(effect.paired.problems)),
        *_cells(effect.paired.overall, effect.paired.standings, compared.measure.scale),
        _chance(effect),
        str(effect.verdict),
    )


def _floor(compared: MeasureComparison) -> str:
    """Return both ends of the noise floor, the smaller effect first."""
    scale, floor = compared.measure.scale, compared.floor or 0.0
    ends = sorted((-floor, floor), reverse=scale == "cost")
    return " to ".join(effect_words(end, scale) for end in ends)


def _by_problem(compared: MeasureComparison) -> WordTable:
    measure = compared.measure
    rows = (
        (
            one_line(problem.problem, _WIDE),
            *_cells(problem.effect, problem.standings, measure.scale),
            _arm_name(each),
            str(each.problems[problem.problem].words),
        )
        for each in compared.effects
        for problem in each.paired.problems
    )
    title = f"{measure.title} by problem, intervals over seeds ({_WORDS[measure.scale]})"
    names = ("problem", *_COLUMNS, "arm", "verdict")
    return WordTable(title, names, tuple(rows), (1, 2, 3, 4, 5))


def _cells(found: MeanInterval, standings: Standings, scale: Scale) -> tuple[str, ...]:
    return (
        effect_words(found.mean, scale),
        interval_words(found, scale),
        *(f"{number} ({standings.share(number):.0%})" for number in standings),
    )


def _chance(effect: ArmEffect) -> str:
    """Return the corrected probability of such an effect by chance, where it is known."""
    if not effect.paired.overall.is_known:
        return "-"
    if effect.corrected < _RARE:
        return f"< {_RARE}"
    return f"{effect.corrected:.3f}"


def _markdown_table(table: WordTable) -> Iterator[str]:
    yield f"**{_cell(table.title)}**"
    yield ""
    yield _markdown_row(table.names)
    yield (
        "|"
        + "|".join("--:" if n in table.right else "---" for n in range(len(table.names)))
        + "|"
    )
    yield from map(_markdown_row, table.rows)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    """Return a text that is neither a border of a table nor markup."""
    for sign in ("\\", "|", "[", "`"):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("<", "&lt;")


def _code(text: str) -> str:
    """Return a text that does not end the code that it stands in."""
    return text.replace("`", "'")
