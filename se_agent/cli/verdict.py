"""A proof in words: for the terminal, for a pull request, for a program. Pure."""

from __future__ import annotations

from se_agent.measured import FailedCase
from se_agent.report.words import one_line, seconds, single_call, times
from se_agent.target.referee import Outcome, Proof

EXIT = {Outcome.FASTER: 0, Outcome.SLOWER: 1, Outcome.NOT_PROVEN: 1, Outcome.DIFFERENT: 4}
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
            *_notes(proof),
        ]
    return [
        headline(proof),
        f"CPU a call: {seconds(proof.old_seconds)} -> {_new_seconds(proof)}",
        f"same results on {proof.compared} inputs, and on every measured one",
        *_made_up(proof),
        f"{_basis(proof)}; identical code differs by {proof.spread:.1%} here",
        *_notes(proof),
    ]


def _made_up(proof: Proof) -> list[str]:
    if not proof.made_up:
        return []
    return [f"no difference found on {proof.made_up} inputs made up to find one"]


def headline(proof: Proof) -> str:
    """Return the verdict in one line, with its doubt."""
    doubt = _interval(proof)
    if proof.interval is None and proof.outcome is Outcome.SLOWER:
        return f"not proven: it is slower, at most {times(proof.gain or 1.0)} ({doubt})"
    if proof.outcome is Outcome.FASTER:
        return f"faster: {times(proof.gain or 1.0)} ({doubt})"
    if proof.outcome is Outcome.SLOWER:
        return f"not proven: it is slower, {times(proof.gain or 1.0)} ({doubt})"
    if proof.outcome is Outcome.NOT_PROVEN:
        return f"not proven: {times(proof.gain or 1.0)} is within the noise ({doubt})"
    return "different results"


def markdown(proof: Proof, old: str, new: str) -> str:
    """Return a block for a pull request."""
    told = [headline(proof)] if proof.different else lines(proof, old, new)
    body = [f"**`{old}` against `{new}`: {told[0]}**", ""]
    if proof.different is not None:
        body += ["```text", *_difference(proof.different), "```"]
        body += [f"- {line}" for line in _notes(proof)]
    else:
        body += [f"- {line}" for line in told[1:]]
    return "\n".join(body)


def row(proof: Proof, old: str, new: str) -> dict[str, object]:
    """Return the object that `--json` prints."""
    low, high = proof.interval or (None, None)
    known = proof.gain is not None
    return {
        "old": old,
        "new": new,
        "status": proof.outcome.value,
        "gain": proof.gain,
        "gain_low": low,
        "gain_high": high,
        "old_seconds": proof.old_seconds if known else None,
        "new_seconds": proof.new_seconds if known else None,
        "blocks": proof.blocks,
        "compared": proof.compared,
        "made_up": proof.made_up,
        "alone_seconds": list(proof.alone) if proof.alone else None,
        "difference": vars(proof.different) if proof.different else None,
        "notes": list(proof.notes),
    }


def _difference(case: FailedCase) -> list[str]:
    shown = [("case", case.name), ("input", case.input), ("old", case.expected)]
    rows = [*shown, ("new", case.got)]
    return [f"{label + ':':<7}{one_line(text, 400)}" for label, text in rows if text]


def _basis(proof: Proof) -> str:
    blocks = f"{proof.blocks} fresh block{'s' if proof.blocks != 1 else ''}"
    inputs = f"{proof.inputs} distinct input{'s' if proof.inputs != 1 else ''} a run"
    return f"{blocks}, {inputs}"


def _interval(proof: Proof) -> str:
    if proof.interval is None:
        blocks = "one block" if proof.blocks == 1 else f"{proof.blocks} blocks"
        return f"no interval: stopped after {blocks}"
    low, high = proof.interval
    return f"{times(low)} to {times(high)}, 99 % interval"


def _new_seconds(proof: Proof) -> str:
    least = "more than " if proof.interval is None else ""
    return f"{least}{seconds(proof.new_seconds)}"


def _notes(proof: Proof) -> list[str]:
    single = [f"{single_call(*proof.alone)}."] if proof.alone else []
    return [f"doubt: {note}" for note in (*single, *proof.notes)]
