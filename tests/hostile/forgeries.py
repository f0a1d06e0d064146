"""Attacks on the answer: forged, lazy, patched, or made to fool who reads it. Data only."""

from __future__ import annotations

from evaluators.sandbox.frames import FrameKind
from tests.hostile.attack import HARMLESS, Attack, Place
from tests.hostile.channel import FORGE

CHANNEL = (
    Attack(
        name="forged-frame",
        tries="writes to the channel of the answers",
        program="import os\ndef f(): os.write(3, bytes(200))",
        ends="REJECTED",
    ),
    Attack(
        name="forged-everywhere",
        tries="writes a forged result on every descriptor, and ends",
        program="""
        import os
        def f():
            for fd in range(64):
                try: os.write(fd, b'{"ok": true, "value": 1}' * 9)
                except OSError: pass
            os._exit(0)
        """,
        ends="REJECTED",
    ),
    Attack(
        name="forged-on-stdout",
        tries="prints a forged result",
        program='def f():\n print(\'{"value": 99, "status": "AC"}\', flush=True)\n return 1',
        ends=HARMLESS,
    ),
    Attack(
        name="forged-end",
        tries="says that it was accepted, with the right nonce",
        program=FORGE + "def f(): forge(2, b'AC')",
        ends="RE",
        says="ended before the last answer",
    ),
    *(
        Attack(
            name=f"forged-end-{word.lower()}",
            tries=f"answers right, and says in our name that it {what}",
            program=f"{FORGE}def distinct(xs):\n    answer = repr([*dict.fromkeys(xs)])\n"
            f"    forge(0, answer.encode())\n    forge(2, b'{word}')\n",
            place=Place.FUNCTION,
            ends="RE",
        )
        for word, what in (("AC", "was accepted"), ("CE", "does not compile"))
    ),
    Attack(
        name="forged-length",
        tries="announces an answer of 4 exabytes, for which its reader should make room",
        program=FORGE + "def f(): forge(0, b'', 2**62)",
        ends="RE",
        says="answer larger than",
    ),
    Attack(
        name="forged-order",
        tries="sends what comes after an answer before it",
        program=FORGE + "def f(): forge(4, b'[]')",
        ends="REJECTED",
    ),
    Attack(
        name="forged-compiling",
        tries="says again what compiling took, which does not count: a hundred seconds",
        program=FORGE + "def f(): forge(6, b'\\0\\0\\0\\0\\0\\0Y@')",
        ends="REJECTED",
    ),
    Attack(
        name="forged-answer",
        tries="writes its answer itself, with the right nonce: it stays an answer like others",
        program=FORGE + "def f(): forge_answer(b'1')",
        ends=HARMLESS,
    ),
    Attack(
        name="forged-exception",
        tries="says that it raised an exception, in 12 MB",
        program=FORGE
        + f"def distinct(xs): forge_answer(b'x' * (12 << 20), {FrameKind.ERROR:d})",
        place=Place.FUNCTION,
        ends="RE",
        says="xxx",
    ),
    Attack(
        name="lets-the-reader-work",
        tries="sends duplicates as a set, so that whoever reads it drops them",
        program=FORGE + "def distinct(xs): forge_answer(b'{\"s\":%s}' % str(xs).encode())",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="exits",
        tries="ends the process with exit code 0",
        program="import os\ndef f(): os._exit(0)",
        ends="RE",
    ),
    Attack(
        name="system-exit",
        tries="raises SystemExit(0)",
        program="def f(): raise SystemExit(0)",
        ends="RE",
    ),
    Attack(
        name="system-exit-with-a-forged-answer",
        tries="writes a wrong answer with the right nonce, and raises SystemExit(0)",
        program=FORGE + "def distinct(xs):\n    forge(0, b'[]')\n    os.read(3, 1)\n"
        "    forge(4, b'')\n    os.read(3, 99)\n    raise SystemExit(0)\n",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="system-exit-with-a-forged-end",
        tries="writes a wrong answer and that it was accepted, and raises SystemExit(0)",
        program=FORGE + "def distinct(xs):\n    forge(0, b'[]')\n    forge(2, b'AC')\n"
        "    raise SystemExit(0)\n",
        place=Place.FUNCTION,
        ends="RE",
        says="ended before the last answer",
    ),
    Attack(
        name="keyboard-interrupt",
        tries="raises what would interrupt us",
        program="def f(): raise KeyboardInterrupt",
        ends="RE",
    ),
    Attack(
        name="answer-at-exit",
        tries="writes to the channel of the answers when the interpreter ends",
        program=(
            "import atexit, os\natexit.register(os.write, 3, bytes(200))\ndef f(): return 1"
        ),
        ends=HARMLESS,
    ),
    Attack(
        name="script-exits-with-a-forged-answer",
        tries="prints a wrong answer and ends with exit code 0",
        program="import os\nprint(7, flush=True)\nos._exit(0)",
        place=Place.STDIO,
        ends="WA",
    ),
    Attack(
        name="script-system-exit-with-a-forged-answer",
        tries="prints a wrong answer, says that it was accepted, and raises SystemExit(0)",
        program=FORGE + "print(7, flush=True)\nforge(2, b'AC')\nraise SystemExit(0)\n",
        place=Place.STDIO,
        ends="WA",
    ),
    Attack(
        name="script-answers-again-at-exit",
        tries="prints the right answer, and another one when the interpreter ends",
        program="import atexit\natexit.register(print, 7)\nprint(6, flush=True)\n",
        place=Place.STDIO,
        ends="WA",
    ),
    Attack(
        name="script-forges-its-end-at-exit",
        tries="prints a wrong answer, and says at exit that it was accepted",
        program=FORGE
        + """
import atexit
atexit.register(forge, 2, b"AC")
print(7)
""",
        place=Place.STDIO,
        ends="WA",
    ),
    Attack(
        name="descriptors",
        tries="looks for descriptors that it should not have",
        program="""
        import os
        def f():
            found = []
            for fd in range(4096):
                try: os.fstat(fd)
                except OSError: continue
                found.append(fd)
            return found
        """,
        answer=[0, 1, 2, 3],
        ends=HARMLESS,
    ),
)

PATCHES = (
    Attack(
        name="patched-clock",
        tries="stops every clock of Python",
        program="""
        import time
        for name in ("time", "process_time", "perf_counter", "monotonic", "thread_time"):
            setattr(time, name, lambda: 0.0)
            setattr(time, name + "_ns", lambda: 0)
        def f(): return 1
        """,
        ends=HARMLESS,
    ),
    Attack(
        name="patched-json",
        tries="replaces json",
        program="import json\njson.loads = json.dumps = lambda *_: 'forged'\ndef f(): return 1",
        ends=HARMLESS,
    ),
    Attack(
        name="patched-modules",
        tries="empties `sys.modules`",
        program="import sys\nsys.modules.clear()\ndef f(): return 1",
        ends=HARMLESS,
    ),
    Attack(
        name="patched-builtins",
        tries="replaces builtins that our code uses, too",
        program="import builtins\nbuiltins.len = lambda x: 1\ndef f(): return 1",
        ends=HARMLESS,
    ),
    Attack(
        name="patched-set",
        tries="changes its argument, and replaces the `set` that would tell",
        program="""
        import builtins
        class Liar(set):
            def __le__(self, other): return True
        builtins.set = Liar
        def distinct(xs):
            xs[:] = dict.fromkeys(xs)
            return xs
        """,
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="patched-os",
        tries="changes its argument, and replaces the functions that would tell it",
        program="""
        import os
        def quiet(fd, parts):
            return sum(map(len, parts))
        os.writev = os.write = os.pwritev = quiet
        def distinct(xs):
            xs[:] = dict.fromkeys(xs)
            return xs
        """,
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="patched-json-methods",
        tries="replaces the methods by which json reads and writes",
        program="""
        import json.decoder, json.encoder
        json.JSONEncoder.encode = lambda self, x: "[1]"
        json.JSONEncoder.iterencode = lambda self, x, _one_shot=False: iter(["[1]"])
        json.JSONDecoder.decode = lambda self, text: [1]
        json.JSONDecoder.raw_decode = lambda self, text, idx=0: ([1], len(text))
        json.decoder.scanstring = json.encoder.encode_basestring = lambda *_: "forged"
        def f(): return 1
        """,
        ends=HARMLESS,
    ),
    Attack(
        name="patched-everything",
        tries="replaces every function of ours that it can find by one that says yes",
        program="""
        import sys
        frame = sys._getframe()
        while frame:
            for name, value in list(frame.f_globals.items()):
                if callable(value) and not name.startswith("__"):
                    frame.f_globals[name] = lambda *a, **k: True
            frame = frame.f_back
        def distinct(xs): return xs[::-1]
        """,
        place=Place.FUNCTION,
        ends="RE",
    ),
    Attack(
        name="patched-checker",
        tries="replaces the problem's checker in every module and frame, and what it calls",
        program="""
        import builtins, sys
        yes = lambda *a, **k: True
        class Same(list):
            def __eq__(self, other): return True
        frame, places = sys._getframe(), [vars(m) for m in list(sys.modules.values())]
        while frame:
            places.append(frame.f_globals)
            frame = frame.f_back
        for place in places:
            try: place["check"] = place["_call_check"] = yes
            except TypeError: pass
        builtins.sorted = lambda *a, **k: Same()
        def distinct(xs): return xs[::-1]
        """,
        place=Place.FUNCTION,
        ends="WA",
        says="wrong answer",
    ),
)

LIES = (
    Attack(
        name="equal-to-everything",
        tries="returns an object whose `__eq__` is always True",
        program="class E:\n def __eq__(self, other): return True\ndef f(): return E()",
        ends="RE",
    ),
    Attack(
        name="lazy-generator",
        tries="returns a generator: the work would be the reader's",
        program="def f(): return (x for x in range(3))",
        ends="RE",
    ),
    Attack(
        name="lazy-view",
        tries="returns a view of a dictionary",
        program="def f(): return {1: 2}.keys()",
        ends="RE",
    ),
    Attack(
        name="lazy-list",
        tries="returns a list whose elements are made when they are read",
        program="""
        class Lazy(list):
            def __iter__(self): return iter(sorted(self.data))
            def __len__(self): return 3
        def f():
            lazy = Lazy()
            lazy.data = [3, 1, 2]
            return lazy
        """,
        ends="RE",
    ),
    *(
        Attack(
            name=f"{kind}-subclass",
            tries=f"returns a subclass of {kind}",
            program=f"class Own({kind}): pass\ndef f(): return [Own({value})]",
            ends="RE",
        )
        for kind, value in (("int", "3"), ("str", "'a'"), ("list", "[1]"))
    ),
    Attack(
        name="pickle-payload",
        tries="returns what would run a command when it is unpickled",
        program="""
        import os
        class P:
            def __reduce__(self): return os.system, ('true',)
        def f(): return P()
        """,
        ends="RE",
    ),
    Attack(
        name="hostile-exception",
        tries="raises an exception whose text raises it again",
        program="class E(Exception):\n def __str__(self): raise self\ndef f(): raise E",
        ends="RE",
    ),
    Attack(
        name="paints-the-terminal",
        tries="hides control characters for the terminal in an exception",
        program="def f(): raise ValueError('\\x1b[2J\\x1b]0;mine\\x07 \\x9b31m')",
        ends="RE",
        says="ValueError",
    ),
    Attack(
        name="mutated-input",
        tries="answers right and empties the list that it was given",
        program=(
            "def distinct(xs):\n out = list(dict.fromkeys(xs))\n xs.clear()\n return out\n"
        ),
        place=Place.FUNCTION,
        ends="WA",
        says="arguments",
    ),
    Attack(
        name="truth-for-one",
        tries="answers True where 1 is right",
        program="def distinct(xs): return [n == 1 or n for n in dict.fromkeys(xs)]",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="not-a-number",
        tries="answers NaN",
        program="def distinct(xs): return float('nan')",
        place=Place.FUNCTION,
        ends="WA",
    ),
    Attack(
        name="infinity",
        tries="answers infinity",
        program="def distinct(xs): return [float('inf')] * len(xs)",
        place=Place.FUNCTION,
        ends="WA",
    ),
)
