"""What to expect of a proof before it begins: how many blocks at most, and about how long.

Pure. Not here: the blocks themselves. An estimate of seconds on the wall on a core that is
idle otherwise, good to a factor of two; nothing is decided by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from se_agent.config.sections import Judge, Measure
from se_agent.problem.model import EXCHANGES, RUN_INPUTS

_START = 0.35  # seconds of a fork server, which every block starts anew
_RUN = 0.011  # seconds of a run beside the calls: a fork, a jail, a pipe
_CALL = 15e-6  # a call beside the function: its input is read, its answer written
_EXCHANGE = 35e-6  # inputs come, and answers go
_RATE = 25e6  # bytes a second in which inputs and answers cross the pipe
_PAIRS = 3  # times the pairs that are asked for, where they disagree


@dataclass(frozen=True)
class Outlook:
    """What a proof takes.

    Attributes:
        blocks: At most, for a gain that is measured once.
        twice: At most, for one that is so large that it is measured a second time.
        least: Seconds if all blocks agree, and few of them decide.
        most: Seconds if they do not.
    """

    blocks: int
    twice: int
    least: float
    most: float


def outlook(seconds: float, size: int, judge: Judge, measure: Measure) -> Outlook:
    """Return what to expect, both functions taking as long as the old one.

    Args:
        seconds: CPU seconds of a call.
        size: Bytes of an input and its answer.
        judge: When a gain is proven.
        measure: How long runs take, and how many blocks there are.
    """
    calls = min(RUN_INPUTS, max(1, math.ceil(measure.fast_seconds / max(seconds, 1e-9))))
    beside = _RUN + calls * (_CALL + size / _RATE) + min(calls, EXCHANGES) * _EXCHANGE
    pair = 2 * calls * seconds + 3 * beside
    final = _START + measure.confirm_inputs * (4 * calls * seconds + 7 * beside)
    fixed = judge.counterexample_seconds + measure.confirm_blocks * final
    quick, slow = (_START + times * judge.pairs * pair for times in (1, _PAIRS))
    few = measure.self_test_blocks + 1 + judge.min_blocks
    many = measure.self_test_blocks + 1 + judge.max_blocks
    blocks = many + measure.confirm_blocks
    return Outlook(
        blocks=blocks,
        twice=2 * blocks - measure.self_test_blocks,
        least=fixed + few * quick,
        most=fixed + many * slow,
    )
