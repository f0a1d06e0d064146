"""Attacks on the clock by work that is done after the answer. Data only."""

from __future__ import annotations

from tests.hostile.attack import NO_GAIN, Attack, Place
from tests.hostile.peeking import QUADRATIC

_QUICKLY = "return list(dict.fromkeys(xs))\n"


def _attack(
    name: str, tries: str, program: str, *, place: Place, at: dict[str, str] | None = None
) -> Attack:
    text = f"{QUADRATIC}left = []\n{program.replace('QUICKLY', _QUICKLY)}"
    return Attack(
        name=f"works-{name}", tries=tries, program=text, ends=NO_GAIN, place=place, at=at or {}
    )


ATTACKS = (
    _attack(
        "at-the-next-call",
        "does the work of a call at the next one: the last call has none",
        """
def distinct(xs):
    for ys in left: slow(ys)
    left[:] = [list(xs)]
    QUICKLY""",
        place=Place.FINAL,
    ),
    _attack(
        "every-second-call",
        "does the work of two calls at every second one",
        """
def distinct(xs):
    left.append(list(xs))
    if len(left) == 2:
        for ys in left: slow(ys)
        left.clear()
    QUICKLY""",
        place=Place.FINAL,
    ),
    _attack(
        "in-del",
        "works when an object is released that it keeps until the next call",
        """
class Later:
    def __init__(self, xs): self.xs = list(xs)
    def __del__(self): slow(self.xs)
def distinct(xs):
    left[:] = [Later(xs)]
    QUICKLY""",
        place=Place.FINAL,
    ),
    _attack(
        "when-nobody-looks-at-an-object",
        "works when the collector finds what nobody refers to any more",
        """
class Later:
    def __init__(self, xs): self.xs, self.me = list(xs), self
    def __del__(self): slow(self.xs)
def distinct(xs):
    Later(xs)
    QUICKLY""",
        place=Place.MEASURED,
    ),
    _attack(
        "in-weakref-callback",
        "works when an object is gone to which it keeps a weak reference",
        """
import weakref
class Token: pass
def distinct(xs):
    token = Token()
    weakref.finalize(token, slow, list(xs))
    left[:] = [token]
    QUICKLY""",
        place=Place.FINAL,
    ),
    _attack(
        "in-a-generator",
        "works when generators are closed that it began and keeps",
        """
def later(xs):
    try: yield
    finally: slow(xs)
def distinct(xs):
    left.append(later(list(xs)))
    next(left[-1])
    QUICKLY""",
        place=Place.MEASURED,
    ),
    _attack(
        "at-exit",
        "works when the interpreter ends",
        """
import atexit
def distinct(xs):
    atexit.register(slow, list(xs))
    QUICKLY""",
        place=Place.MEASURED,
    ),
    _attack(
        "at-an-exit-that-always-takes-as-long",
        "works when the interpreter ends, and idles there until as much as ever is done",
        """
import atexit, time
def end():
    began = time.process_time()
    for xs in left: slow(xs)
    while time.process_time() - began < 0.2: pass
atexit.register(end)
def distinct(xs):
    left.append(list(xs))
    QUICKLY""",
        place=Place.MEASURED,
    ),
    _attack(
        "at-exit-after-a-long-first-call",
        "works when the interpreter ends, and idles in its first call: a process pays more",
        """
import atexit, time
def end():
    for xs in left: slow(xs)
atexit.register(end)
def distinct(xs):
    began = time.process_time()
    while not left and time.process_time() - began < 0.03: pass
    left.append(list(xs))
    QUICKLY""",
        place=Place.FINAL,
    ),
    _attack(
        "in-a-thread-after-the-answer",
        "has a thread work, and answers without waiting for it",
        """
import threading
def distinct(xs):
    threading.Thread(target=slow, args=(list(xs),)).start()
    QUICKLY""",
        place=Place.MEASURED,
        at={"jail": "REJECTED"},
    ),
)
