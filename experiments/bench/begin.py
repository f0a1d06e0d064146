"""What it costs to begin: CPU time of an import and of `--help`, and what they load."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

HEAVY = ("openai", "optuna", "cma", "libcst", "numpy")
RUNS = 7

CASES = {
    "bare python": "pass",
    "import se_agent": "import se_agent",
    "se-agent --help": "import sys; sys.argv = ['se-agent', '--help']\n"
    "from se_agent.cli.app import main\n"
    "try:\n    main()\nexcept SystemExit:\n    pass",
}


def measure() -> dict[str, float]:
    """Return the median CPU seconds of each case, as whole processes."""
    return {
        name: statistics.median(_cpu(code) for _ in range(RUNS)) for name, code in CASES.items()
    }


def loaded(code: str) -> list[str]:
    """Return which heavy packages a piece of code loads."""
    told = f"print(*[m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    script = f"{code}\nimport sys\n{told}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return done.stderr.split()


def _cpu(code: str) -> float:
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    for name, seconds in measure().items():
        print(f"{name:18s} {1000 * seconds:6.1f} ms CPU   loads: {loaded(CASES[name]) or '-'}")
