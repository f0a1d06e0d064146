"""Attacks on the user's own tests, which share a process with the program. Data, and a run."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from evaluators.suite.suite import Suite
from se_agent.problem.model import Gate
from se_agent.values.evaluation import Evaluation, Measurement, Status
from se_agent.values.solution import Solution
from tests.hostile.attack import HARMLESS, Attack, Place

MARK = f"test_gate_{os.getpid()}.py"
"""In the command line of every process that a run of the tests starts."""

_TESTS = "from tools import double\n\n\ndef test_three():\n    assert double(3) == 6\n"
_SO_FAR = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1))

ATTACKS = (
    Attack(
        name="gate-exits",
        tries="ends pytest with exit code 0 before a test was run",
        program="import os\nos._exit(0)",
        place=Place.GATE,
        ends="RE",
    ),
    Attack(
        name="gate-prints-and-exits",
        tries="prints that all tests passed, and ends pytest with exit code 0",
        program=(
            "import os\ndef double(n):\n os.write(1, b'1 passed in 0.01s\\n')\n os._exit(0)\n"
        ),
        place=Place.GATE,
        ends="RE",
    ),
    Attack(
        name="gate-daemon",
        tries="leaves a process behind that is in another session, and kills what it can",
        program="""
        import os, signal, time
        def double(n):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    for _ in range(60): time.sleep(60)
                os._exit(0)
            return 2 * n
        """,
        place=Place.GATE,
        ends=HARMLESS,
    ),
    Attack(
        name="gate-never-ends",
        tries="waits for ever, with a process in another session that does, too",
        program="""
        import os, time
        def double(n):
            if os.fork() == 0: os.setsid()
            while True: pass
        """,
        place=Place.GATE,
        ends="TLE",
    ),
)


def judged(text: str, level: str, *, patient: bool) -> tuple[str, str]:
    """Run the tests on a program; return how that ended, and what was said.

    Whoever does not have to end early is given time: the machine may be busy.
    """
    with tempfile.TemporaryDirectory() as name:
        text = text.replace("PROJECT", json.dumps(name))
        Path(name, ".env").write_text("KEY=planted\n", encoding="ascii")
        Path(name, "tools.py").write_text(text, encoding="utf-8")
        Path(name, MARK).write_text(_TESTS, encoding="utf-8")
        gate = Gate(
            root=name,
            module="tools.py",
            tests=MARK,
            path=(".",),
            python=sys.executable,
            seconds=20.0 if patient else 1.0,
        )
        solution = Solution(id="Gen1_Sol_1", files={"tools.py": text})
        found = Suite(gate, level).judged(solution.text, _SO_FAR)
    return (HARMLESS if found.status is Status.AC else found.status), found.feedback
