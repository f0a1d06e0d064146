"""The fork server as a `Sandbox`: each job in a process of its own, forked in no time."""

from __future__ import annotations

import contextlib
import importlib.machinery
import os
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.sandbox.isolation import bubblewrap
from evaluators.sandbox.isolation.levels import BUBBLEWRAP, CONTAINER, LEVELS, Level
from evaluators.sandbox.isolation.runtime import RunTime
from evaluators.sandbox.job import Job, JobOutcome, Mode
from evaluators.sandbox.server import container
from evaluators.sandbox.server.compiled_forms import CompiledForms
from evaluators.sandbox.server.connection import Link, LostError
from evaluators.sandbox.server.exchange import call, described, run_script
from evaluators.sandbox.server.namespace_job import Ward
from evaluators.sandbox.server.outcome import ScriptFiles, outcome_of
from evaluators.sandbox.server.probe import require
from evaluators.sandbox.server.running import Running, spent_by
from evaluators.sandbox.server.start import DIRECT, Direct, Launcher
from evaluators.sandbox.usage import Watch
from se_agent.errors import IsolationError, ProblemError, SandboxError, SeAgentError
from se_agent.files.kept_back import PACKAGES, KeptBack, beyond
from se_agent.values.evaluation import Status

_CLOSED = "the sandbox is closed"
_FREE = "free memory, processes or descriptors, then start again"
_SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class ForkServer:
    """Runs jobs in children of an empty process that was started once and locked.

    Args:
        isolation: Name of one of `levels.LEVELS`.
        imports: Modules loaded before the fork; programs may import these and the standard
            library.
        site: Folders that programs may import from and read besides. Of one that holds no
            installed packages, but a project, what is `kept_back` is not shown.
        opened: Paths of a project that are shown all the same, and others that are, too.
        patience: Wall seconds that a job may take on top of five times its CPU seconds.
        run_time: What executes compiled programs, at the level `namespace`; None: they are
            executed as they are.

    Raises:
        IsolationError: This machine cannot give the isolation that was asked for.
        ProblemError: An import is not installed here.
    """

    def __init__(
        self,
        isolation: str = "jail",
        imports: tuple[str, ...] = (),
        site: tuple[str, ...] = (),
        *,
        opened: tuple[str, ...] = (),
        patience: float = 5.0,
        run_time: RunTime | None = None,
    ) -> None:
        if isolation not in LEVELS:
            raise ValueError(f"isolation={isolation!r}: it is one of {', '.join(LEVELS)}")
        require(isolation)
        self._level = LEVELS[isolation]
        folders = [*site, *_folders_of(imports, site)]
        packages = [folder for folder in site if Path(folder).name in PACKAGES]
        kept = [KeptBack(folder, opened) for folder in site if folder not in packages]
        besides = beyond(opened, site)
        self._settings = {
            "isolation": isolation,
            "imports": imports,
            "library": (),
            "folders": folders,
            "site": site,
            "shown": [*packages, *besides],
            "projects": [(each.root, opened, each.outer) for each in kept],
            "single_threaded": _SINGLE_THREADED,
            "run_time": asdict(run_time) if run_time is not None else None,
            "compiled": "",
        }
        self._launcher = _launcher_of(isolation, [*folders, *besides])
        # Another launcher shows programs what it was told of when it was made.
        self._forms = CompiledForms(site, kept) if site and self._launcher is DIRECT else None
        self._patience = patience
        self._link: Link | None = None
        self._spent = 0.0
        self._closed = False
        self._using = threading.RLock()

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs and fork servers so far."""
        link = self._link
        return self._spent + (link.cpu_seconds if link is not None else 0.0)

    def run(self, job: Job) -> JobOutcome:
        """Run the job in a process of its own, which is gone when this returns.

        Raises:
            SandboxError: It is closed, or the fork server died twice over this job.
        """
        with self._using:
            outcome = self._tried(job)
            if outcome.status is Status.AC or job.group == 1:
                return outcome
            # Which input it failed at is known where they pass alone.
            again = self._tried(replace(job, at_once=1))
            return outcome if again.status is Status.AC else again

    def _tried(self, job: Job) -> JobOutcome:
        with contextlib.suppress(LostError):
            return self._attempt(job)
        try:
            return self._attempt(job)
        except LostError as err:
            self._check_open()
            raise SandboxError(
                f"the fork server died twice over one job: {err}",
                hint="`se-agent doctor` shows what this machine allows",
            ) from err

    def preload(self, library: Sequence[str], files: Sequence[str] = ()) -> None:
        """Have modules ready for programs, from a restart on; see `Preloading`.

        Those that are none, and those that do not load, or compile, are left to the programs.
        """
        known = sys.stdlib_module_names
        self._settings["library"] = [
            name
            for name in library
            if name.partition(".")[0] in known and not name.endswith("__main__")
        ]
        if self._forms is not None:
            self._forms.add(files)
            self._settings["compiled"] = self._forms.folder

    def restart(self) -> None:
        """Start a new fork server, hence a new address-space layout; it loads meanwhile.

        Raises:
            SandboxError: It is closed, or cannot start.
        """
        with self._using:
            try:
                self._start()
            except LostError as err:
                self._check_open()
                raise SandboxError(
                    f"the fork server cannot start: {err}",
                    hint=_FREE,
                ) from err

    def _start(self) -> None:
        self._stop()
        self._check_open()
        self._link = Link(self._settings, self._launcher)
        if self._closed:  # meanwhile, by a thread that saw no link to kill
            self._stop()
            self._check_open()

    def close(self) -> None:
        """End the fork server and its child for good; any thread may, also during a job.

        When this returns, the thread that was waiting for a job has its `SandboxError`.
        """
        self._closed = True
        link = self._link
        if link is not None:
            link.kill()
        with self._using:
            self._stop()
        if self._forms is not None:
            self._forms.close()

    def _check_open(self) -> None:
        if self._closed:
            raise SandboxError(
                _CLOSED, hint="start again: a sandbox that was closed starts nothing any more"
            )

    def _stop(self) -> None:
        if self._link is not None:
            self._spent += self._link.cpu_seconds
            self._link.close()
            self._link = None

    def _attempt(self, job: Job) -> JobOutcome:
        self._check_open()
        if self._link is None:
            self._start()
        link = self._link
        assert link is not None
        try:
            _require_started(link, self._level)
            return self._run_in(link, job)
        except BaseException as err:
            self._stop()  # whatever state the two were in, nobody will find it
            if isinstance(err, OSError) and not isinstance(err, SeAgentError):
                raise SandboxError(f"a job cannot be started: {err}", hint=_FREE) from err
            raise

    def _run_in(self, link: Link, job: Job) -> JobOutcome:
        nonce = os.urandom(8)
        with contextlib.ExitStack() as open_:
            ours, theirs = map(open_.enter_context, socket.socketpair())
            files = open_.enter_context(ScriptFiles(job)) if job.mode is Mode.STDIO else None
            # Where a job may have children, memory that was read of one process is no figure.
            watch = Watch() if self._level.warded else job.watch
            child = Running(ours, nonce, job.limits, self._patience, watch)
            ward = open_.enter_context(Ward()) if self._level.foreign else None
            inherited = [theirs.fileno(), *(files.descriptors if files else ())]
            if job.executable is None:
                child.post(described(job, nonce))  # so that the child need not wait for it
            else:
                inherited.append(job.executable)
            if ward is not None:
                inherited.append(ward.theirs)
            if ward is not None and self._level.warded:
                ward.order(job)
            limits = job.limits
            child.observed.start()
            pid = link.fork(inherited, limits.memory_bytes, limits.output_bytes if files else 0)
            theirs.close()
            child.born(pid if ward is None else ward.introduced())
            try:
                talk = run_script(child) if files else call(child, job)
                spent = spent_by(child)
                child.observed.settle(spent.cpu_seconds)
            except OSError as err:  # only the fork server reaps, or who inherits its children
                raise LostError(f"a child is gone: {err}") from err
            finally:
                child.kill()
            report = ward.finish() if ward is not None and self._level.warded else None
            reaped = link.reap(pid)
            if report is not None:
                talk, spent, reaped = report.settled(job, talk, spent)
            self._spent += spent.cpu_seconds
            outcome = outcome_of(job, talk, files, spent, reaped)
            usage = child.observed.usage(reaped.peak_bytes, spent.cpu_seconds)
            return replace(outcome, usage=usage)


def _require_started(link: Link, level: Level) -> None:
    error = link.wait_ready()
    if not error:
        return
    if not level.foreign:
        raise SandboxError(f"the fork server cannot start: {error}", hint="`se-agent doctor`")
    raise IsolationError(
        f"isolation `{level.name}` cannot be had here: {error}",
        hint="`se-agent doctor` shows which levels work, and what the others lack",
    )


def _launcher_of(isolation: str, folders: list[str]) -> Launcher:
    if isolation == BUBBLEWRAP.name:
        return Direct(bubblewrap.launcher(bubblewrap.program(), folders))
    if isolation == CONTAINER.name:
        return container.launcher(folders)
    return DIRECT


def _folders_of(imports: tuple[str, ...], site: tuple[str, ...]) -> list[str]:
    """Return the folders where the top-level packages of the imports lie."""
    folders = []
    for name in imports:
        top = name.partition(".")[0]
        spec = importlib.machinery.PathFinder.find_spec(top, [*site, *sys.path])
        if spec is None and top not in sys.builtin_module_names:
            raise ProblemError(
                f"imports: no package {top!r} is installed here",
                hint=f"`pip install {top}` beside se-agent, or drop it from `imports`",
            )
        if spec is not None and spec.origin is not None and top not in sys.stdlib_module_names:
            package = spec.submodule_search_locations is not None
            folders.append(str(Path(spec.origin).parents[1 if package else 0]))
    return list(dict.fromkeys(folders))


if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluators.sandbox.job import Sandbox

    _: Callable[..., Sandbox] = ForkServer
