"""The scratch copy of the repository that faults are planted in, and pytest in it.

Nothing is written outside the copy: everything else is mounted read-only, `/tmp` is a folder
of the copy's own, and all processes of a run are in a process namespace that ends with it
(`server`). A sandbox with a fault may not contain what it should, so the name of the host is
one of our own, too, and settings of the kernel are read-only. Needs root on Linux. Not here:
which tests are run (`choice`), and what a result means (`meet`).
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from experiments.faults.draw import PACKAGES, Planted

_SUMMARY = re.compile(
    r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::.*?)?)(?: - (.*))?$", re.MULTILINE
)
_SCRIPT = """
set -e
mount --make-rprivate /
mount --bind {copy} {copy}
mount --bind {tmp} /tmp
mount -o remount,ro,bind /
cd {copy}
export HOME=/tmp HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis COLUMNS=400
exec .venv/bin/python {server}
"""
_OPTIONS = (
    *("-q", "--tb=line", "-rfE", "-p", "no:cacheprovider", "--reruns=0", "--timeout=60"),
    *("--hypothesis-seed=0", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
ENDED_WELL, FAILED, NOTHING = 0, 1, 5
"""Exit codes of pytest; others say that it could not begin, or was ended."""

OVER = -1
"""Stands for the exit code of a run that was ended at its limit; see `server`."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How a run of pytest ended.

    Attributes:
        code: Its exit code, or OVER.
        failed: Tests that failed, with what they said in one line.
        seconds: Wall time that it took.
        said: The end of its output.
    """

    code: int
    failed: Mapping[str, str]
    seconds: float
    said: str


class Bench:
    """A scratch copy of the repository, with an environment of its own."""

    def __init__(self, folder: Path) -> None:
        self.copy = folder / "copy"
        self.tmp = folder / "tmp"

    def make(self, root: Path) -> None:
        """Clone the repository and install it; what is there already stays."""
        if not (self.copy / ".git").exists():
            subprocess.run(["git", "clone", "-q", root, self.copy], check=True)
        subprocess.run(["make", "-s", ".venv/dev.stamp"], cwd=self.copy, check=True)
        # Compiled modules say of which text they are: a fault never meets an older one.
        command = [".venv/bin/python", "-m", "compileall", "-q"]
        mode = ["--invalidation-mode", "checked-hash"]
        folders = [*PACKAGES, "tests", "problems", "experiments"]
        subprocess.run([*command, *mode, *folders], cwd=self.copy, check=False)

    def text(self, file: str) -> str:
        """Return a module as it is without faults."""
        command = ["git", "show", f"HEAD:{file}"]
        return subprocess.run(
            command, cwd=self.copy, capture_output=True, text=True, check=True
        ).stdout

    @contextlib.contextmanager
    def planted(self, *faults: Planted) -> Iterator[None]:
        """Plant faults, of one module each, and take them out again."""
        with self.changed({one.file: one.in_text(self.text(one.file)) for one in faults}):
            yield

    @contextlib.contextmanager
    def changed(self, texts: Mapping[str, str]) -> Iterator[None]:
        """Have other texts in files of the copy for a while."""
        try:
            for file, text in texts.items():
                (self.copy / file).write_text(text, encoding="utf-8")
            yield
        finally:
            self.restore()

    def restore(self) -> None:
        """Take out whatever is planted, or was left by a kill or a test."""
        subprocess.run(["git", "checkout", "-q", "--", "."], cwd=self.copy, check=True)

    def pytest(self, args: Sequence[str], *, cpu: int = 90, wall: float = 150.0) -> Run:
        """Run some tests; everything that they started is gone afterwards.

        Args:
            args: Arguments of pytest, beside those that all runs have.
            cpu: Seconds of CPU time that a process may take.
            wall: Seconds after which the run is ended.
        """
        server = self._server
        for left in self.tmp.iterdir():
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        began = time.monotonic()
        asked = {"args": [*_OPTIONS, *args], "cpu": cpu, "wall": wall, "out": "/tmp/said"}
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        said = (self.tmp / "said").read_text(encoding="utf-8", errors="replace")
        failed = {name: (words or "")[:200] for name, words in _SUMMARY.findall(said)}
        seconds = round(time.monotonic() - began, 1)
        return Run(code=code, failed=failed, seconds=seconds, said=said[-600:])

    @cached_property
    def _server(self) -> subprocess.Popen[str]:
        """The process that runs pytest in the copy; it ends with this one, by its input."""
        self.tmp.mkdir(exist_ok=True)
        self.tmp.chmod(0o1777)
        script = _SCRIPT.format(
            copy=shlex.quote(str(self.copy.resolve())),
            tmp=shlex.quote(str(self.tmp.resolve())),
            server=shlex.quote(str(Path(__file__).with_name("server.py"))),
        )
        command = ["unshare", "--mount", "--uts", "--ipc", "sh", "-c", script]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
