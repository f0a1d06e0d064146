"""Whether something grew: the first quarter of the samples against the last. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEAST = 8
"""Samples without which nothing is said: two a quarter."""

_MB = 1 << 20
COUNTED: Mapping[str, str] = {
    "descriptors": "our open descriptors",
    "threads": "our threads",
    "processes": "processes below us",
    "marked": "processes with our mark, anywhere",
    "folders": "entries in our temporary folder",
    "escaped": "files that programs tried to make",
    "namespaces": "namespaces of these processes",
    "shm": "entries in /dev/shm",
    "mounts": "mounts that we see",
    "cgroups": "control groups below ours",
}
"""What must be exactly as it was, by its name in a sample."""

GROWING: Mapping[str, tuple[str, int]] = {
    "own": ("memory of our process", 8 * _MB),
    "oldest": ("memory of the older fork server", 4 * _MB),
    "newest": ("memory of the younger fork server", 4 * _MB),
}
"""What may grow by so many bytes, by its name in a sample."""


@dataclass(frozen=True)
class Sample:
    """What was there at a quiet moment.

    Attributes:
        seconds: Since the start.
        evaluations: Programs that had ended by then.
        counts: How many of each thing, by a name of `COUNTED`.
        bytes: Resident memory, by a name of `GROWING`; nothing of what does not run.
        server: Pid of the older fork server, or 0.
    """

    seconds: float
    evaluations: int
    counts: Mapping[str, int]
    bytes: Mapping[str, int]
    server: int = 0


@dataclass(frozen=True)
class Verdict:
    """What is said of one thing: `words` for people, whether it is `well` for the exit code."""

    what: str
    words: str
    well: bool


def verdicts(samples: Sequence[Sample]) -> list[Verdict]:
    """Judge every thing that the samples hold."""
    if len(samples) < LEAST:
        words = f"{len(samples)} samples, and {LEAST} are the least: nothing is proven"
        return [Verdict("samples", words, well=False)]
    names = [name for name in COUNTED if name in samples[0].counts]
    return [
        *(_counted(COUNTED[name], [one.counts[name] for one in samples]) for name in names),
        *(_grown(name, samples) for name in GROWING if name in samples[0].bytes),
    ]


def left(before: Sample, after: Sample) -> list[Verdict]:
    """Judge what is there when all was closed, by what was there before anything was made."""
    more = {
        COUNTED[name]: after.counts[name] - count
        for name, count in before.counts.items()
        if after.counts[name] != count
    }
    words = ", ".join(f"{what} {number:+d}" for what, number in more.items())
    return [Verdict("left when all is closed", words or "nothing", well=not more)]


def _counted(what: str, values: Sequence[int]) -> Verdict:
    first, last = _quarters(values)
    well = first == last
    words = f"{first:g} -> {last:g}: " + ("as it was" if well else "NOT as it was")
    if max(values) != first:
        words += f" (once {max(values)})"
    return Verdict(what, words, well)


def _grown(name: str, samples: Sequence[Sample]) -> Verdict:
    what, most = GROWING[name]
    seen = [one for one in samples if name in one.bytes]
    if len(seen) < LEAST:
        return Verdict(what, f"seen in {len(seen)} samples only", well=False)
    first, last = _quarters([one.bytes[name] for one in seen])
    well = last - first <= most
    slope = _slope([one.evaluations for one in seen], [one.bytes[name] for one in seen])
    words = (
        f"{first / _MB:.1f} -> {last / _MB:.1f} MB, at most +{most / _MB:g} MB: "
        f"{'held' if well else 'MISSED'}; {slope / _MB:+.2f} MB per 1,000 evaluations"
    )
    return Verdict(what, words, well)


def _quarters(values: Sequence[int]) -> tuple[float, float]:
    """Return the medians of the first and of the last quarter."""
    size = len(values) // 4
    return statistics.median(values[:size]), statistics.median(values[-size:])


def _slope(evaluations: Sequence[int], values: Sequence[int]) -> float:
    """Return the growth in 1,000 evaluations: a straight line through all samples."""
    if len(set(evaluations)) < 2:
        return 0.0
    return 1000 * statistics.linear_regression(evaluations, values).slope
