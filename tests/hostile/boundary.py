"""Attacks on the clock by work that is moved out of the calls that are timed. Data only."""

from __future__ import annotations

from evaluators.sandbox.frames import FrameKind
from tests.hostile.attack import NO_GAIN, Attack, Place
from tests.hostile.channel import FORGE
from tests.hostile.peeking import QUADRATIC

_QUICKLY = "return list(dict.fromkeys(xs))\n"
_OURS = """
import sys
frame = sys._getframe()
while "_called" not in frame.f_globals: frame = frame.f_back
ours = frame.f_globals
"""


def _attack(
    name: str,
    tries: str,
    program: str,
    *,
    ends: str = NO_GAIN,
    place: Place = Place.MEASURED,
    at: dict[str, str] | None = None,
) -> Attack:
    text = f"{QUADRATIC}left = []\n{program.replace('QUICKLY', _QUICKLY)}"
    return Attack(name=name, tries=tries, program=text, ends=ends, place=place, at=at or {})


ATTACKS = (
    _attack(
        "loads-for-long",
        "works while it is loaded, and in each call as before",
        """
slow(list(range(1500)))
def distinct(xs):
    return slow(xs)
""",
    ),
    _attack(
        "keeps-answers-of-first-calls",
        "keeps all answers, as if the inputs of the first calls came again",
        """
known = {}
def distinct(xs):
    key = tuple(xs)
    if key not in known: known[key] = slow(xs)
    return list(known[key])
""",
        place=Place.FINAL,
    ),
    _attack(
        "reads-ahead",
        "looks for further inputs in the channel during a call, to answer them untimed",
        """
import os, select
def distinct(xs):
    if select.select([3], [], [], 0)[0]: left.append(os.read(3, 1 << 20))
    return slow(xs)
""",
    ),
    _attack(
        "says-too-soon-that-it-was-called",
        "ends the time of a call itself, and works after it",
        FORGE
        + f"""
def distinct(xs):
    if getattr(ours().f_locals["job"], "warm", 0):
        forge({FrameKind.CALLED:d}, b"")
        os.read(3, 1)
    return slow(xs)
""",
        ends="REJECTED when measured",
    ),
    _attack(
        "works-while-answers-are-written",
        "has our code write its answers down, and works there instead of in the call",
        _OURS
        + """
ours["slow"] = slow
def value(value, arguments, job):
    return FrameKind.VALUE, _written(slow(value) if job.warm else value), b""
ours["_value"].__code__ = value.__code__
def distinct(xs):
    frame = sys._getframe()
    while "job" not in frame.f_locals: frame = frame.f_back
    if frame.f_locals["job"].warm: return xs
    return slow(xs)
""",
    ),
    _attack(
        "works-while-inputs-are-read",
        "answers at once, and works when the inputs of the next calls are read",
        _OURS
        + """
import types
ours["_left"], ours["_slow"], take = left, slow, ours["_inputs"]
ours["_take"] = types.FunctionType(take.__code__, ours)
def later(count, decode):
    while _left: _slow(_left.pop())
    return _take(count, decode)
take.__code__ = later.__code__
def distinct(xs):
    left.append(list(xs))
    QUICKLY""",
    ),
    _attack(
        "works-when-the-alarm-rings",
        "answers at once, and works in a signal handler when the call is over",
        """
import signal
def ring(*_):
    while left: slow(left.pop())
signal.signal(signal.SIGALRM, ring)
def distinct(xs):
    left.append(list(xs))
    signal.setitimer(signal.ITIMER_REAL, 0.0003)
    QUICKLY""",
        ends="WA",
        at={"jail": "REJECTED"},
    ),
    _attack(
        "works-in-a-thread-between-calls",
        "has a thread work while this process waits for the clock to be read",
        """
import threading
def distinct(xs):
    done = threading.Thread(target=slow, args=(list(xs),))
    done.start()
    left[:] = [done]
    QUICKLY""",
        at={"jail": "REJECTED"},
    ),
    _attack(
        "works-in-a-child-process",
        "has a child process work, whose time is not in its own clock",
        """
import os
def distinct(xs):
    pid = os.fork()
    if not pid:
        slow(xs)
        os._exit(0)
    os.waitpid(pid, 0)
    QUICKLY""",
        at={"jail": "REJECTED"},
    ),
)
