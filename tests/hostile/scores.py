"""Attacks on the scorer of a problem, which runs in a process of its own. Data only."""

from __future__ import annotations

from tests.hostile.attack import Attack, Place


def _answer(name: str, tries: str, answer: str, ends: str = "WA") -> Attack:
    program = f"def distinct(xs): return {answer}"
    return Attack(name=name, tries=tries, program=program, place=Place.SCORE, ends=ends)


ANSWERS = (
    _answer("score-nan", "hopes that NaN is below every limit", "[float('nan')] * len(xs)"),
    _answer("score-infinity", "asks for an infinite score", "[float('inf')] + [0] * 7"),
    _answer("score-negative", "pays with negative weights", "[9.0] + [-8.0 / 7] * 7"),
    _answer("score-rounding", "lives on a tolerance", "[1 + 1e-9] + [0.0] * 7"),
    _answer("score-true", "answers booleans instead of numbers", "[True] + [False] * 7"),
    _answer("score-huge-int", "answers an integer that no float holds", "[10**400] + [0] * 7"),
    _answer("score-longer", "answers more than was asked for", "[0.1] * 9"),
    _answer("score-none", "answers nothing", "None"),
    _answer("score-text", "answers a text", "'9' * 8"),
    _answer(
        "score-closes-the-json",
        "closes the text of its answer and goes on with arguments of its own",
        "'],\"t\":[[[9,9,9,9,9,9,9,9]],[1,0,0,0,0,0,0,0]]}'",
    ),
    _answer(
        "score-object",
        "answers an object that always compares as it should",
        "[type('W', (float,), {'__le__': lambda *_: True})(9.0)] * 8",
        ends="RE",
    ),
)

PATCHES = (
    Attack(
        name="score-patched",
        tries="replaces the scorer, for itself and for all that come later",
        program="""
        import builtins, sys
        builtins.sum = lambda *_: 0
        for module in list(sys.modules.values()): module.score = lambda *_: 1e9
        def distinct(xs): return [9.0] * len(xs)
        """,
        place=Place.SCORE,
        ends="WA",
    ),
    Attack(
        name="score-lucky",
        tries="draws its answer at random, and hopes for a good one",
        program="""
        import os
        def distinct(xs): return [int.from_bytes(os.urandom(6), 'big') / 2**52] * len(xs)
        """,
        place=Place.SCORE,
        ends="WA when measured",
    ),
    Attack(
        name="score-hash-seed",
        tries="hangs on the hash seed of its process",
        program="def distinct(xs): return [hash('x') % 10**9 / 10**10] * len(xs)",
        place=Place.SCORE,
        ends="WA when measured",
    ),
    Attack(
        name="score-exits",
        tries="ends the process before it can be scored",
        program="import os\ndef distinct(xs): os._exit(0)",
        place=Place.SCORE,
        ends="RE",
    ),
)
