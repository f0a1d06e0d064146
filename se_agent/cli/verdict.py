"""A proof in words: for the terminal, for a pull request, for a program. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Literal

from se_agent.report.words.machine import load
from se_agent.report.words.phrases import one_line, times
from se_agent.report.words.reservations import reservations
from se_agent.user_function.referee import Proof, RefereeOutcome, inputs
from se_agent.values.evaluation import FailedCase
from se_agent.values.objective import seconds
from se_agent.values.observation import GROWS_FASTER, growth_told
from se_agent.wire.tolerance import number
from se_agent.wording import counted

ProofVerdict = Literal[
    "faster", "slower", "different", "no_gain", "too_noisy", "not_measured", "grows_faster"
]

_ROUNDING = 1e-6  # relative difference up to which adding up in another order may be the cause
_USUAL = 1e-9  # tolerance that is advised at least

SMALLEST = 0.05
"""Gain, as a fraction, that a "no gain" excludes: what leaves more open is "too noisy"."""

_PROVEN: Mapping[RefereeOutcome, ProofVerdict] = {
    RefereeOutcome.FASTER: "faster",
    RefereeOutcome.SLOWER: "slower",
    RefereeOutcome.DIFFERENT: "different",
}
EXIT = {
    RefereeOutcome.FASTER: 0,
    RefereeOutcome.SLOWER: 1,
    RefereeOutcome.NOT_PROVEN: 1,
    RefereeOutcome.DIFFERENT: 4,
}
"""Exit codes of `prove`."""


def lines(proof: Proof, old: str, new: str) -> list[str]:
    """Return a few lines for people, the verdict first.

    Args:
        proof: What the referee found.
        old: Name of the reference.
        new: Name of the other.
    """
    if proof.different is not None:
        return [
            f"different results: {new} does not do what {old} does",
            *_difference(proof.different),
            *_nearly(proof.different),
            *_whole(proof),
            *_notes(proof),
        ]
    return [
        headline(proof),
        *_seconds(proof),
        *_growth(proof),
        *_same(proof),
        *_made_up(proof),
        *_scope(proof),
        *_basis(proof),
        *filter(None, [load(proof.busy)]),
        *_notes(proof),
    ]


def _same(proof: Proof) -> list[str]:
    if not proof.blocks:
        return []
    within = f", within {proof.within}" if proof.within else ""
    told = inputs(proof.compared, proof.distinct)
    return [f"same results on {told}, and on every measured one{within}"]


def _scope(proof: Proof) -> list[str]:
    """Say what "the same" means: what was compared, and what was not."""
    if not proof.blocks:
        return []
    floats = "floats within that" if proof.within else "floats exactly"
    return [
        f"compared: values and types ({floats}), changed arguments, exception types",
        "not compared: prints, files, network, state of modules, words of exceptions",
    ]


def _whole(proof: Proof) -> list[str]:
    """Say how to get an input that is too long to be shown."""
    if proof.input is None or not (proof.different and proof.different.input.endswith("...")):
        return []
    size = len(proof.input.arguments)
    return [f"the input has {size:,} characters: --save-input FILE.py keeps it"]


def _nearly(case: FailedCase) -> list[str]:
    """Say what to do where floats differ by no more than rounding."""
    if case.relative is None or case.relative > _ROUNDING:
        return []
    enough = max(_USUAL, 10.0 ** math.ceil(math.log10(case.relative) + 1))
    gap = f"only floats differ, here by {case.relative:.2g} relative at most"
    return [f"{gap}: `--rel-tol {number(enough)}` takes such results as the same"]


def _made_up(proof: Proof) -> list[str]:
    if not proof.made_up:
        return []
    return [f"no difference found on {counted(proof.made_up, 'input')} made up to find one"]


def headline(proof: Proof) -> str:
    """Return the verdict in one line, with its doubt."""
    if proof.gain is None and proof.stopped:
        return f"not proven: {proof.stopped}"
    doubt = _interval(proof)
    if proof.interval is None and proof.outcome is RefereeOutcome.SLOWER:
        return f"not proven: it is slower, at most {times(proof.gain or 1.0)} ({doubt})"
    if proof.outcome is RefereeOutcome.FASTER:
        return f"faster: {times(proof.gain or 1.0)} ({doubt})"
    if proof.outcome is RefereeOutcome.SLOWER:
        return f"not proven: it is slower, {times(proof.gain or 1.0)} ({doubt})"
    if proof.reason == GROWS_FASTER:
        return (
            f"not proven: {times(proof.gain or 1.0)} here ({doubt}), but its time grows faster"
        )
    if proof.outcome is RefereeOutcome.NOT_PROVEN:
        return f"not proven: {times(proof.gain or 1.0)} is within the noise ({doubt})"
    return "different results"


def markdown(proof: Proof, old: str, new: str) -> str:
    """Return a block for a pull request."""
    told = [headline(proof)] if proof.different else lines(proof, old, new)
    body = [f"**`{old}` against `{new}`: {told[0]}**", ""]
    if proof.different is not None:
        body += ["```text", *_difference(proof.different), "```"]
        body += [f"- {line}" for line in _nearly(proof.different)]
        body += [f"- {line}" for line in _notes(proof)]
    else:
        body += [f"- {line}" for line in told[1:]]
    return "\n".join(body)


def concluded(proof: Proof) -> ProofVerdict:
    """Return what may be concluded, in one word for a program.

    `faster`, `slower` and `different` are proven. Else: `no_gain` (a gain of 5 % is excluded),
    `too_noisy` (it is not: more blocks, or an idle machine, may tell), `not_measured`, or
    `grows_faster` (it is faster on the sizes that were measured, and slower beyond them).
    """
    if proof.reason == GROWS_FASTER:
        return "grows_faster"
    if proof.outcome is not RefereeOutcome.NOT_PROVEN:
        return _PROVEN[proof.outcome]
    if proof.interval is None:
        return "not_measured"
    return "no_gain" if proof.interval[1] < 1 + SMALLEST else "too_noisy"


def row(proof: Proof, old: str, new: str) -> dict[str, object]:
    """Return the object that `--json` prints."""
    low, high = proof.interval or (None, None)
    known = proof.gain is not None
    return {
        "old": old,
        "new": new,
        "status": proof.outcome.value,
        "verdict": concluded(proof),
        "gain": proof.gain,
        "gain_low": low,
        "gain_high": high,
        "old_seconds": proof.old_seconds if known else None,
        "new_seconds": proof.new_seconds if known else None,
        "blocks": proof.blocks,
        "compared": proof.compared,
        "distinct": proof.distinct,
        "seed": proof.seed,
        "made_up": proof.made_up,
        "rel_tol": proof.within.rel,
        "abs_tol": proof.within.abs,
        "stopped": proof.stopped,
        "gain_on_the_wall": proof.on_the_wall,
        "alone_seconds": list(proof.alone) if proof.alone else None,
        "first_call_seconds": [proof.first.old, proof.first.new] if proof.first else None,
        "pays_after": proof.first.pays_after if proof.first else None,
        "growth": asdict(proof.growth) if proof.growth else None,
        "difference": vars(proof.different) if proof.different else None,
        "notes": _doubts(proof),
    }


def _difference(case: FailedCase) -> list[str]:
    shown = [("case", case.name), ("input", case.input), ("old", case.expected)]
    rows = [*shown, ("new", case.got)]
    return [f"{label + ':':<7}{one_line(text, 400)}" for label, text in rows if text]


def _basis(proof: Proof) -> list[str]:
    if proof.gain is None:
        return []
    blocks = counted(proof.blocks, "fresh block")
    runs = f"{counted(proof.inputs, 'input')} a run"
    return [f"{blocks}, {runs}; identical code differs by {proof.spread:.1%} here"]


def _interval(proof: Proof) -> str:
    if proof.interval is None:
        blocks = "one block" if proof.blocks == 1 else f"{proof.blocks} blocks"
        return f"no interval: stopped after {blocks}"
    low, high = proof.interval
    return f"{times(low)} to {times(high)}, 99 % interval"


def _seconds(proof: Proof) -> list[str]:
    if proof.gain is None:
        return []
    least = "more than " if proof.interval is None else ""
    told = f"CPU a call: {seconds(proof.old_seconds)} -> {least}{seconds(proof.new_seconds)}"
    if proof.first is None:
        return [told]
    first = f"{seconds(proof.first.old)} -> {seconds(proof.first.new)}"
    return [f"{told}, in a process that goes on; the first call, with loading: {first}"]


def _growth(proof: Proof) -> list[str]:
    return [f"CPU time {growth_told(proof.growth)}"] if proof.growth else []


def _notes(proof: Proof) -> list[str]:
    return [f"doubt: {doubt}" for doubt in _doubts(proof)]


def _doubts(proof: Proof) -> list[str]:
    told = reservations(
        proof.alone,
        times(proof.on_the_wall) if proof.on_the_wall else "",
        waits=proof.waits,
        pays_after=proof.first.pays_after if proof.first else None,
    )
    return [*(f"{clause}." for clause in told), *proof.notes]
