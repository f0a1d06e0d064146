"""Attacks on what a program must not know, and on the clock. Data only."""

from __future__ import annotations

from tests.hostile.attack import (
    CAUGHT_LATER,
    HARMLESS,
    NO_GAIN,
    SLOWER,
    WAITS,
    Attack,
    Place,
)
from tests.hostile.channel import FORGE

QUADRATIC = (
    "def slow(xs):\n    seen = []\n    for x in xs:\n        if x not in seen:\n"
    "            seen.append(x)\n    return seen\n"
)
"""The work that the initial program of `problems.FUNCTION` does."""

ANSWERS = (
    Attack(
        name="frames",
        tries="looks for the expected answer in all frames",
        program="""
        import sys
        def distinct(xs):
            frame = sys._getframe(1)
            while frame:
                for name, value in {**frame.f_globals, **frame.f_locals}.items():
                    if "expect" in name or type(value) is list and value[:2] == [2, 1]:
                        if value is not xs: return value
                frame = frame.f_back
            return "none found"
        """,
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="garbage-collector",
        tries="looks for the expected answer among all objects",
        program="""
        import gc
        def distinct(xs):
            gc.collect()
            for thing in gc.get_objects():
                parts = gc.get_referents(thing)
                for part in parts:
                    if type(part) is list and part == [2, 1]: return part
                    if type(part) is bytes and part == b"[2,1]": return [2, 1]
            return "none found"
        """,
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="modules-of-ours",
        tries="looks for our modules, to find checker and clock",
        program="""
        import sys
        def f():
            return [n for n in sys.modules if n.partition(".")[0] in ("evaluators", "se_agent")]
        """,
        answer=[],
        ends=HARMLESS,
    ),
    Attack(
        name="program-of-the-parent",
        tries="looks for code of the fork server in `__main__`",
        program="import sys\ndef f(): return hasattr(sys.modules['__main__'], 'child')",
        answer=False,
        ends=HARMLESS,
    ),
    Attack(
        name="neighbours-object",
        tries="leaves a mark in a shared module, for the next process to find",
        program=(
            "import json\ndef f():\n"
            " json.seen = getattr(json, 'seen', 0) + 1\n return json.seen"
        ),
        ends=HARMLESS,
    ),
    Attack(
        name="hard-coded",
        tries="knows the answers to the visible tests by heart",
        program="""
        def distinct(xs):
            if xs == [2, 1, 2]: return [2, 1]
            return list(xs) if len(set(xs)) == len(xs) else []
        """,
        place=Place.MEASURED,
        ends=CAUGHT_LATER,
    ),
    Attack(
        name="another-program-when-tested",
        tries="is right on inputs as small as the tests, and only there",
        program=QUADRATIC
        + "def distinct(xs):\n    return slow(xs) if len(xs) < 100 else xs[:1]\n",
        place=Place.MEASURED,
        ends=CAUGHT_LATER,
    ),
    Attack(
        name="another-program-on-final-inputs",
        tries="is right as long as inputs are as small as those of the search",
        program=QUADRATIC
        + "def distinct(xs):\n    return slow(xs) if len(xs) < 500 else xs[:1]\n",
        place=Place.FINAL,
        ends=CAUGHT_LATER,
    ),
    Attack(
        name="inside-a-tolerance",
        tries="answers nearly right, for a tolerance that the problem does not have",
        program="def distinct(xs): return float(sum(xs) / len(xs)) * (1 + 1e-12)",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="inside-a-stated-tolerance",
        tries="answers as nearly right as the problem states to be enough",
        program="def distinct(xs): return float(sum(xs) / len(xs)) * (1 + 1e-12)",
        place=Place.FUNCTION,
        ends=HARMLESS,
    ),
    Attack(
        name="outside-a-stated-tolerance",
        tries="answers nearly right, but not as nearly as the problem states",
        program="def distinct(xs): return float(sum(xs) / len(xs)) * (1 + 1e-8)",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="right-once-in-two",
        tries="is wrong at random, and hopes",
        program=QUADRATIC + "import os\ndef distinct(xs):\n"
        "    return slow(xs) if len(xs) < 100 or os.urandom(1) < b'\\x20' else xs[::-1]\n",
        place=Place.MEASURED,
        ends=CAUGHT_LATER,
    ),
)

CACHES = (
    *(
        Attack(
            name=f"caches-{name}",
            tries=f"keeps answers for repeats of an input {where}",
            program=f"{QUADRATIC}{setup}\ndef distinct(xs):\n    key = {key}\n"
            f"    if key not in {cache}: {cache}[key] = slow(xs)\n"
            f"    return list({cache}[key])\n",
            place=Place.MEASURED,
            ends=NO_GAIN,
        )
        for name, where, setup, cache, key in (
            ("global", "in a global", "known = {}", "known", "tuple(xs)"),
            (
                "module",
                "in a module that all programs share",
                "import json\njson.known = getattr(json, 'known', {})",
                "json.known",
                "tuple(xs)",
            ),
        )
    ),
    Attack(
        name="caches-by-identity",
        tries="keeps answers by the identity of an object, which the next input may have",
        program=QUADRATIC + "known = {}\ndef distinct(xs):\n"
        "    if id(xs) not in known: known[id(xs)] = slow(xs)\n    return known[id(xs)]\n",
        place=Place.MEASURED,
        ends=NO_GAIN,
    ),
    Attack(
        name="caches-in-a-file",
        tries="keeps answers in a file",
        program=QUADRATIC
        + """
import json
def distinct(xs):
    key, known = json.dumps(xs), {}
    try:
        with open(ESCAPED) as file: known = json.load(file)
    except FileNotFoundError: pass
    if key not in known:
        known[key] = slow(xs)
        with open(ESCAPED, "w") as file: json.dump(known, file)
    return known[key]
""",
        place=Place.MEASURED,
        ends="REJECTED",
        at={"namespace": NO_GAIN},
    ),
)

CLOCK = (
    Attack(
        name="works-at-import",
        tries="finds the first input in our frames and works on it while it is loaded",
        program=QUADRATIC
        + """
import sys
frame, early = sys._getframe(), {}
while frame:
    for value in list(frame.f_locals.values()):
        if type(value) is tuple and len(value) == 1 and type(value[0]) is list:
            early[tuple(value[0])] = slow(value[0])
    frame = frame.f_back
def distinct(xs):
    return early[tuple(xs)] if tuple(xs) in early else slow(xs)
""",
        place=Place.MEASURED,
        ends=NO_GAIN,
    ),
    Attack(
        name="finds-inputs-where-loading-is-free",
        tries="finds the first input while it is loaded, where loading does not count",
        program="""
        import gc, sys
        found = []
        frame = sys._getframe()
        while frame:
            for value in list(frame.f_locals.values()):
                if type(value) is tuple and len(value) == 1 and type(value[0]) is list:
                    found.append(value)
            frame = frame.f_back
        for value in gc.get_objects():
            if type(value) is list and len(value) == 3 and value == [2, 1, 2]:
                found.append(value)
        def distinct(xs):
            return list(dict.fromkeys(xs)) if found else "no input in sight"
        """,
        place=Place.LOADED,
        ends="WA",
    ),
    Attack(
        name="works-where-loading-is-free",
        tries="works for long while it is loaded, where the loading of others does not count",
        program=QUADRATIC + "slow(list(range(5000)))\ndef distinct(xs):\n    return slow(xs)\n",
        place=Place.LOADED,
        ends=NO_GAIN,
    ),
    Attack(
        name="wastes-time-in-the-empty-program",
        tries="spins where it is loaded only to find out what loading costs",
        program=QUADRATIC
        + """
import sys
frame = sys._getframe()
while frame and "job" not in frame.f_locals: frame = frame.f_back
if frame and "return None" in frame.f_locals["job"].program[-40:]:
    slow(list(range(2500)))
def distinct(xs):
    return slow(xs)
""",
        place=Place.LOADED,
        ends=NO_GAIN,
    ),
    Attack(
        name="dead-text",
        tries="is compiled for long, to find the memory warmed that it left behind",
        program=QUADRATIC
        + "def distinct(xs):\n    return slow(xs)\ndef dead(x):\n"
        + "    x = [x, x, {}]\n" * 12_000,
        place=Place.MEASURED,
        ends=SLOWER,
    ),
    Attack(
        name="dead-text-of-a-megabyte",
        tries="has malloc learn from a text that nobody reads to keep large blocks",
        program="def distinct(xs):\n    for _ in range(200):\n"
        "        [b'x' * 300_000 for _ in range(6)]\n"
        "    return list(dict.fromkeys(xs))\n" + "# " + "x" * (1 << 20) + "\n",
        place=Place.MEASURED,
        ends=NO_GAIN,
    ),
    Attack(
        name="sleeps-instead-of-computing",
        tries="is quick by the CPU clock, and sleeps meanwhile",
        program="import time\ndef distinct(xs):\n    time.sleep(0.01)\n"
        "    return list(dict.fromkeys(xs))",
        place=Place.MEASURED,
        ends=WAITS,
        says="it waits",
    ),
    Attack(
        name="stops-the-clock",
        tries="replaces every clock of Python while it works",
        program=QUADRATIC + "import time\ntime.process_time = time.perf_counter = lambda: 0.0\n"
        "def distinct(xs):\n    return slow(xs)\n",
        place=Place.MEASURED,
        ends=NO_GAIN,
    ),
    Attack(
        name="works-after-the-answer",
        tries="works while the arguments are described, when its answer is given already",
        program=QUADRATIC
        + """
import sys
frame = sys._getframe()
while "_changed" not in frame.f_globals: frame = frame.f_back
def later(arguments, data):
    slow(list(range(1400)))
    return b""
call = lambda a, b, c: __import__("main").later(a, b)
frame.f_globals["_changed"].__code__ = call.__code__
def distinct(xs):
    return slow(xs)
""",
        place=Place.MEASURED,
        ends=SLOWER,
    ),
    Attack(
        name="knows-that-it-is-measured",
        tries="sees by its frames that it is measured, and leaves the work out",
        program=QUADRATIC
        + """
import sys
def distinct(xs):
    frame = sys._getframe(1)
    while frame:
        job = frame.f_locals.get("job")
        if job and job.inputs > 2: return xs
        frame = frame.f_back
    return slow(xs)
""",
        place=Place.MEASURED,
        ends=CAUGHT_LATER,
    ),
    Attack(
        name="works-in-a-thread",
        tries="works in a thread, and answers when it is done",
        program=QUADRATIC
        + """
import threading
def distinct(xs):
    out = []
    worker = threading.Thread(target=lambda: out.extend(slow(xs)))
    worker.start()
    worker.join()
    return out
""",
        place=Place.MEASURED,
        ends="REJECTED",
        at={"namespace": NO_GAIN},
    ),
    Attack(
        name="works-in-a-child",
        tries="works in a child process, whose CPU time is another's",
        program=QUADRATIC
        + """
import json, os
def distinct(xs):
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.write(theirs, json.dumps(slow(xs)).encode())
        os._exit(0)
    os.wait()
    return json.loads(os.read(ours, 1 << 20))
""",
        place=Place.MEASURED,
        ends="REJECTED",
        at={"namespace": NO_GAIN},
    ),
    Attack(
        name="answers-late",
        tries="answers fast and wrong, and sends the right answer later",
        program=QUADRATIC
        + FORGE
        + """
def distinct(xs):
    forge(0, b"[]")
    forge(0, repr(slow(xs)).encode())
""",
        place=Place.MEASURED,
        ends="REJECTED",
    ),
    Attack(
        name="one-input-at-a-time",
        tries="looks for the inputs to come in the channel",
        program="import select\ndef f(): return select.select([3], [], [], 0)[0]",
        answer=[],
        ends=HARMLESS,
    ),
)
