"""A comparison of arms in words and tables: the same in a terminal, in Markdown and on a page.

Pure. Not here: what is compared, and how (`se_agent.analysis`).
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from se_agent.analysis.arms import DEFAULT, Arm
from se_agent.analysis.comparison import ArmComparison, ArmEffect, MeasureComparison, Regression
from se_agent.analysis.comparison_rows import ComparisonRow, comparison_rows
from se_agent.analysis.measures import Scale, on_scale
from se_agent.config.deviations import in_words
from se_agent.report.words.phrases import clean, one_line, times
from se_agent.stats.bootstrap import MeanInterval
from se_agent.stats.paired import Standings
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


def tables(found: ArmComparison) -> Iterator[WordTable]:
    """Yield the arms, a table for each measure, and what runs came to problem by problem."""
    yield _arms(found)
    for compared in found.measures:
        yield _overall(compared)
    for compared in found.measures:
        if compared.measure.is_result:
            yield _by_problem(compared)


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


def markdown(found: ArmComparison) -> str:
    """Return all of it as Markdown."""
    parts = ["\n".join(_markdown_table(table)) for table in tables(found)]
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
    spent = {name: [_spent(arm, name) for arm in arms] for name in _SPENT}
    shown = {name: means for name, means in spent.items() if any(means)}
    told = ([format(each, _SPENT[name][1]) for each in means] for name, means in shown.items())
    rows = ((*_arm(arm, found.base), *cells) for arm, *cells in zip(arms, *told, strict=True))
    titles = (_SPENT[name][0] for name in shown)
    names = ("arm", "runs", "problems", "settings that differ", *titles)
    right = (1, 2, *range(4, len(names)))
    return WordTable("arms, and what a run spent on average", names, tuple(rows), right)


def _spent(arm: Arm, name: str) -> float:
    """Return what its runs spent on average, as far as that is known."""
    values = (getattr(run.result, name) for run in arm.runs)
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else 0.0


def _arm(arm: Arm, base: Arm) -> tuple[str, ...]:
    told = in_words(arm.settings) or DEFAULT
    problems = {run.result.problem for run in arm.runs}
    name = f"{one_line(arm.name, _WIDE)}{' (base)' if arm is base else ''}"
    return name, str(len(arm.runs)), str(len(problems)), "" if told == arm.name else told


_COLUMNS = ("effect", "95 % interval", "wins", "ties", "losses")
_RIGHT = (1, 2, 3, 4, 5, 6)


def _overall(compared: MeasureComparison) -> WordTable:
    measure = compared.measure
    title = f"{measure.title} ({_WORDS[measure.scale]})"
    if compared.floor is not None:
        ends = sorted((-compared.floor, compared.floor), reverse=measure.scale == "cost")
        told = " to ".join(effect_words(end, measure.scale) for end in ends)
        title += f"; noise floor {told}"
    rows = (
        (
            one_line(each.arm, _WIDE),
            *_cells(each.paired.overall, each.paired.standings, measure.scale),
            _chance(each),
            str(each.verdict),
        )
        for each in compared.effects
    )
    return WordTable(title, ("arm", *_COLUMNS, "chance", "verdict"), tuple(rows), _RIGHT)


def _by_problem(compared: MeasureComparison) -> WordTable:
    measure = compared.measure
    rows = (
        (
            one_line(problem.problem, _WIDE),
            *_cells(problem.effect, problem.standings, measure.scale),
            one_line(each.arm, _WIDE),
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
