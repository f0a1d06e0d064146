"""The tables of the study, computed from its raw rows. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experiments.figures.rows import Row
from experiments.noise.counts import gain_of
from experiments.noise.plan import GAINS, HALVES
from experiments.noise.rivals import apart_samples, one_run_each, same_samples, signed_rank
from se_agent.config.sections import Judge
from se_agent.noise.kernels import Family
from se_agent.noise.proportion import Share
from se_agent.stats.sequential import deviation, self_test_spread, sequential
from se_agent.values.evaluation import SequentialDecision

NEAR = 0.1
"""A pair belongs to a gain when its true size is that near to it, as a share of the gain."""

Rows = Mapping[str, Row]
Found = Callable[[Row], bool]


@dataclass(frozen=True)
class Half:
    """The rows of a half, apart by what they are.

    Attributes:
        name: Idle or loaded.
        tests: Self-tests.
        alike: Comparisons of programs that do the same work.
        edited: Comparisons of programs with a gain.
    """

    name: str
    tests: list[Row]
    alike: list[Row]
    edited: list[Row]

    @classmethod
    def of(cls, name: str, rows: Rows) -> Half:
        """Sort the rows of a half."""
        compared = [again(row) for row in rows.values() if "decision" in row]
        return cls(
            name,
            [row for row in rows.values() if "decision" not in row],
            [row for row in compared if not row["gain"]],
            [row for row in compared if row["gain"]],
        )


def again(row: Row) -> Row:
    """Return a comparison as the rule of today ends it, on the blocks that it asks for.

    Raises:
        ValueError: It asks for more blocks than there are.
    """
    if found := ended(row):
        return found
    raise ValueError(
        f"{row['key']}: {len(row['blocks'])} blocks, and the rule asks for more: measure its "
        "half again, which goes on with them"
    )


def ended(row: Row) -> Row | None:
    """Return a comparison as the rule of today ends it; None where it asks for more blocks.

    It is asked again, block by block, so that a rule that changed is seen to change.
    """
    rule = sequential(Judge(), row["spread"])
    effects = [block["effect"] for block in row["blocks"]]
    for count in range(1, len(effects) + 1):
        decision = rule.decide(effects[:count])
        if decision is not SequentialDecision.MORE:
            blocks = row["blocks"][:count]
            cost = sum(block["cost_seconds"] for block in blocks)
            return {**row, "decision": decision, "blocks": blocks, "cost_seconds": cost}
    return None


def _found(row: Row) -> bool:
    return row["decision"] is SequentialDecision.YES


_RIVALS: dict[str, Found] = {
    "this rule": _found,
    "one run each": lambda row: one_run_each(same_samples(row) or _screen(row)),
    "signed rank, the same pairs": lambda row: signed_rank(same_samples(row) or _screen(row)),
}
_APART: dict[str, Found] = {
    "one run each, two processes": lambda row: one_run_each(apart_samples(row)),
    "signed rank, 24 pairs, two processes": lambda row: signed_rank(apart_samples(row)),
}


def page(halves: Mapping[str, Rows], counts: Rows) -> str:
    """Return all tables as Markdown.

    Args:
        halves: The rows of each half, by its name.
        counts: Instructions of the edits, by world.
    """
    sorted_ = [Half.of(name, halves[name]) for name in HALVES if halves.get(name)]
    parts = [
        "### Identical programs called faster",
        _alike(sorted_),
        "### The same by family, this rule",
        _families(sorted_),
        "### Edits of known size that were found",
        _power(sorted_, counts),
        "### What a comparison costs",
        _cost(sorted_),
    ]
    return "\n\n".join(parts)


def _alike(halves: Sequence[Half]) -> str:
    lines = ["| half | rule | comparisons | false | rate | 95 % interval |"]
    lines.append("|---|---|--:|--:|--:|---|")
    for half in halves:
        for title, found in (_RIVALS | _APART).items():
            share = _share(half.alike, found)
            lines.append(
                f"| {half.name} | {title} | {share.total} | {share.count} "
                f"| {_percent(share.rate, 1)} | {_interval(share)} |"
            )
    return "\n".join(lines)


def _families(halves: Sequence[Half]) -> str:
    lines = ["| half | family | text | comparisons | false | 95 % bound | spread of blocks |"]
    lines.append("|---|---|---|--:|--:|--:|--:|")
    for half in halves:
        for family in Family:
            mine = [row for row in half.alike if row["family"] == family]
            spread = _spread(mine)
            for text in dict.fromkeys(sorted(row["kind"] for row in mine)):
                share = _share([row for row in mine if row["kind"] == text], _found)
                lines.append(
                    f"| {half.name} | {family} | {text} | {share.total} | {share.count} "
                    f"| {_percent(share.interval()[1], 1)} | {_percent(spread, 2)} |"
                )
    return "\n".join(lines)


def _power(halves: Sequence[Half], counts: Rows) -> str:
    names = (
        *("half", "gain", "pairs", "true size: median, range", "found", "95 % interval"),
        *("no", "undecided", "one run each", "signed rank"),
    )
    lines = [f"| {' | '.join(names)} |", "|---|--:|--:|---|--:|---|--:|--:|--:|--:|"]
    for half in halves:
        for gain in GAINS:
            sized = _sized([row for row in half.edited if row["gain"] == gain], counts)
            if sized:
                lines.append(_power_line(half.name, gain, sized))
    return "\n".join(lines)


def _power_line(half: str, gain: float, sized: Sequence[tuple[Row, float]]) -> str:
    rows, sizes = [row for row, _ in sized], [size for _, size in sized]
    share = _share(rows, _found)
    ends = [sum(row["decision"] == end for row in rows) for end in ("no", "undecided")]
    others = [_percent(_share(rows, found).rate, 0) for found in list(_RIVALS.values())[1:]]
    size = f"{_percent(statistics.median(sizes), 2)}, {_percent(min(sizes), 2)} to "
    return (
        f"| {half} | {_percent(gain, 0)} | {share.total} | {size}{_percent(max(sizes), 2)} "
        f"| {_percent(share.rate, 1)} | {_interval(share)} | {ends[0]} | {ends[1]} "
        f"| {others[0]} | {others[1]} |"
    )


def _sized(rows: Sequence[Row], counts: Rows) -> list[tuple[Row, float]]:
    """Return the rows whose edit has been counted and is of the size, each with that size."""
    found = []
    for row in rows:
        if row["world"] in counts:
            inputs = row["blocks"][-1]["inputs"]
            size = gain_of(counts[row["world"]], row["pair"], inputs)
            if abs(size - row["gain"]) <= NEAR * row["gain"]:
                found.append((row, size))
    return found


def _cost(halves: Sequence[Half]) -> str:
    lines = ["| half | end | comparisons | median CPU s | median blocks | cores busy |"]
    lines.append("|---|---|--:|--:|--:|--:|")
    for half in halves:
        for end in ("no", "yes", "undecided"):
            rows = [row for row in half.alike + half.edited if row["decision"] == end]
            if rows:
                cost, blocks, cores = (
                    statistics.median(values)
                    for values in (
                        [row["cost_seconds"] for row in rows],
                        [len(row["blocks"]) for row in rows],
                        [row["cores"] for row in rows],
                    )
                )
                lines.append(
                    f"| {half.name} | {end} | {len(rows)} | {cost:.2f} | {blocks:.0f} "
                    f"| {cores:.1f} |"
                )
    lines += ["", "Spread that the self-tests gave: " + "; ".join(map(_tests, halves)) + "."]
    lines += [told for half in halves if (told := _disturbed(half))]
    return "\n".join(lines)


def _disturbed(half: Half) -> str:
    """Say what was made again because others used the machine, and how it had ended."""
    alike, edited = (
        [one["decision"] for row in rows for one in row.get("disturbed", ())]
        for rows in (half.alike, half.edited)
    )
    if not alike and not edited:
        return ""
    found = [sum(one == SequentialDecision.YES for one in ends) for ends in (alike, edited)]
    return (
        f"Made again, {half.name}, for others used the machine or its host meanwhile: "
        f"{len(alike)} of identical programs ({found[0]} called faster), "
        f"{len(edited)} of edits ({found[1]} found)."
    )


def _tests(half: Half) -> str:
    spreads = [
        self_test_spread([block["effect"] for block in row["blocks"]]) for row in half.tests
    ]
    if not spreads:
        return f"{half.name} none"
    return (
        f"{half.name} median {_percent(statistics.median(spreads), 2)}, "
        f"largest {_percent(max(spreads), 2)} of {len(spreads)}"
    )


def _share(rows: Sequence[Row], found: Found) -> Share:
    return Share(sum(map(found, rows)), len(rows))


def _spread(rows: Sequence[Row]) -> float:
    return deviation([b["effect"] for row in rows for b in row["blocks"][1:]], floor=0.0)


def _screen(row: Row) -> list[float]:
    return list(row["blocks"][0]["pair_effects"])


def _interval(share: Share) -> str:
    low, high = share.interval()
    return f"{_percent(low, 1)} to {_percent(high, 1)}"


def _percent(value: float, digits: int) -> str:
    return f"{100 * value:.{digits}f} %"
