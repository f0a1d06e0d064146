"""Attacks on what a machine has: time, memory, disk. Data only."""

from __future__ import annotations

from tests.hostile.attack import HARMLESS, Attack, Place
from tests.hostile.channel import FORGE

TIME = (
    Attack(
        name="endless-loop",
        tries="never ends",
        program="def f():\n while True: pass",
        ends="TLE",
    ),
    Attack(
        name="endless-at-import",
        tries="never ends while it is loaded",
        program="while True: pass",
        ends="TLE",
    ),
    Attack(
        name="endless-and-deaf",
        tries="never ends, catches every exception and ignores every signal",
        program="""
        import signal
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        def f():
            while True:
                try:
                    while True: pass
                except BaseException: pass
        """,
        ends="TLE",
    ),
    Attack(
        name="sleeps",
        tries="sleeps, to hold a worker without using CPU time",
        program="import time\ndef f(): time.sleep(99)",
        ends="TLE",
    ),
    Attack(
        name="waits-for-a-signal",
        tries="waits for a signal that never comes",
        program="import signal\ndef f(): signal.pause()",
        ends="TLE",
    ),
    Attack(
        name="script-sleeps",
        tries="sleeps as a script",
        program="import time\ntime.sleep(99)",
        place=Place.SCRIPT,
        ends="TLE",
    ),
    Attack(
        name="script-hangs-up",
        tries="closes every descriptor, then never ends",
        program="import os\nos.closerange(0, 64)\nwhile True: pass",
        place=Place.SCRIPT,
        ends="TLE",
    ),
    Attack(
        name="hangs-up",
        tries="closes the channel on which it should answer, then never ends",
        program="import os\ndef f():\n os.closerange(0, 64)\n while True: pass",
        ends="RE",
    ),
    Attack(
        name="huge-power",
        tries="hides in one C function that no Python exception interrupts",
        program="def f(): return 3 ** 10**8",
        ends="TLE",
    ),
    Attack(
        name="answers-then-spins",
        tries="answers fast, then spins when the process ends",
        program="""
        import atexit
        def spin():
            while True: pass
        atexit.register(spin)
        def f(): return 1
        """,
        ends=HARMLESS,
    ),
    Attack(
        name="script-answers-then-spins",
        tries="prints the answer, then spins: the end of a script is part of its time",
        program="print(6, flush=True)\nwhile True: pass",
        place=Place.STDIO,
        ends="TLE",
    ),
)

MEMORY = (
    Attack(
        name="fifty-gigabytes",
        tries="asks for 50 GB at once",
        program="def f(): return bytearray(50 << 30)",
        ends="MLE",
    ),
    Attack(
        name="grows-slowly",
        tries="takes memory until there is none",
        program="def f():\n xs = []\n while True: xs.append(bytearray(16 << 20))",
        ends="MLE",
    ),
    Attack(
        name="four-times-500-mb",
        tries="takes 500 MB in each of four processes, to stay below the limit in each",
        program="""
        import os, time
        def f():
            for _ in range(4):
                if os.fork() == 0:
                    data = b"x" * (500 << 20)
                    time.sleep(99)
            time.sleep(99)
        """,
        ends="REJECTED",
        at={"namespace": "MLE"},
        memory_bytes=600 << 20,
    ),
    Attack(
        name="four-times-500-mb-alone",
        tries="takes 500 MB four times in one process",
        program="def f(): return sum(map(len, [bytearray(500 << 20) for _ in range(4)]))",
        ends="MLE",
    ),
    Attack(
        name="script-takes-a-terabyte",
        tries="asks for a terabyte as a script",
        program="x = bytearray(1 << 40)",
        place=Place.SCRIPT,
        ends="MLE",
    ),
    Attack(
        name="huge-int",
        tries="returns an integer of 100,000 bits, quadratic to print",
        program="def f(): return 1 << 100_000",
        answer=1 << 100_000,
        ends=HARMLESS,
    ),
    Attack(
        name="deep-recursion",
        tries="recurses without end",
        program="def f(): return f()",
        ends="RE",
    ),
    Attack(
        name="deep-recursion-in-c",
        tries="overruns the stack in C",
        program="""
        def f():
            x = ()
            for _ in range(3 * 10**5): x = (x,)
            return hash(x)
        """,
        ends="RE",
    ),
    Attack(
        name="deep-program",
        tries="overruns the parser, ours or its own",
        program="def distinct(xs): return " + "(" * 50_000 + ")" * 50_000,
        place=Place.FUNCTION,
        ends="CE",
    ),
    Attack(
        name="deep-answer",
        tries="returns a list that is nested ten thousand times",
        program="def f():\n x = []\n for _ in range(10**4): x = [x]\n return x",
        ends="RE",
        says="nested deeper",
    ),
    Attack(
        name="answer-in-itself",
        tries="returns a list that holds itself",
        program="def f():\n x = []\n x.append(x)\n return x",
        ends="RE",
        says="nested deeper",
    ),
    Attack(
        name="segfault",
        tries="reads address 0",
        program="import ctypes\ndef f(): ctypes.string_at(0)",
        ends="RE",
        says="signal 11",
    ),
    Attack(name="abort", tries="aborts", program="import os\ndef f(): os.abort()", ends="RE"),
    Attack(
        name="hash-collisions",
        tries="returns a set that takes its reader quadratic time",
        program=FORGE
        + """
def distinct(xs):
    alike = b",".join(b"%d" % (n * (2**61 - 1)) for n in range(1, 30_000))
    forge_answer(b'{"s":[%s]}' % alike)
""",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="answer-of-lists",
        tries="answers 12 MB of empty lists, which take their reader 250 MB",
        program=FORGE + "def distinct(xs): forge_answer(b'[' + b'[],' * 4_000_000 + b'[]]')",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="score-of-lists",
        tries="gives the scorer's side 12 MB of empty lists to read",
        program=FORGE + "def distinct(xs): forge_answer(b'[' + b'[],' * 4_000_000 + b'[]]')",
        place=Place.SCORE,
        ends="WA",
    ),
)

FLOODS = (
    Attack(
        name="prints-200-mb",
        tries="writes 200 MB to standard output",
        program="""
        import os
        def f():
            for _ in range(200): os.write(1, bytes(1 << 20))
            return 1
        """,
        ends=HARMLESS,
    ),
    Attack(
        name="script-prints-without-end",
        tries="prints without end as a script",
        program="import os\nwhile True: os.write(1, bytes(9999))",
        place=Place.SCRIPT,
        ends="RE",
        says="answer larger than",
    ),
    Attack(
        name="script-errors-without-end",
        tries="writes to standard error without end",
        program="import os\nwhile True: os.write(2, bytes(9999))",
        place=Place.SCRIPT,
        ends="RE",
    ),
    Attack(
        name="script-sparse-output",
        tries="makes its output a terabyte of nothing",
        program="import os\nos.ftruncate(1, 1 << 40)",
        place=Place.SCRIPT,
        ends="RE",
    ),
    Attack(
        name="answer-too-large",
        tries="returns more than it may answer",
        program="def f(): return 'x' * 2_000_000",
        ends="RE",
        says="answer larger than",
    ),
    Attack(
        name="exception-of-10-mb",
        tries="raises an exception of 10 MB",
        program="def f(): raise ValueError('x' * 10**7)",
        ends="RE",
    ),
    Attack(
        name="fills-the-disk",
        tries="fills every folder that it may write to",
        program="""
        import os
        def f():
            refused = None
            for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", ".", "/home", "/root"):
                try:
                    with open(os.path.join(folder, "se-agent-filler"), "wb") as file:
                        while True: file.write(bytes(1 << 20))
                except OSError as err:
                    if err.errno in (1, 13, 30): refused = err
            raise refused
        """,
        ends="REJECTED",
    ),
    Attack(
        name="file-in-memory",
        tries="keeps data in a file without a name",
        program="import os\ndef f(): os.memfd_create('x')",
        ends="REJECTED",
    ),
)
