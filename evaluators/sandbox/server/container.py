"""Isolation by a container: a fork server that docker or podman started.

The jail of each child holds inside it as it does without. The container shows what the host's
Python reads, at the same paths and read-only, on an image of our own that holds nothing but
symbolic links; nothing is ever fetched. The control socket is made from inside
(`isolation.container_entry`), at a path that both sides see, for no descriptor passes through
`docker run`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import resource
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evaluators.sandbox.isolation.private_root import SCRATCH
from evaluators.sandbox.isolation.root_view import RootView, view
from evaluators.sandbox.server.callback import (
    CONTROL,
    EMPTY,
    CallbackServer,
    called,
    reason,
    refusal,
)
from evaluators.sandbox.server.start import PROGRAM
from se_agent.environment.child_process import CONTAINERS, USUAL, environment

CLIENTS = ("docker", "podman")
"""Programs that start containers by the same command line; the first that can is taken."""

_ARRIVAL = str(Path(__file__).parents[1] / "isolation" / "container_entry.py")
_MEETING = "/meeting"  # of the container: where the control socket is made
_TASKS = 64  # the fork server and one child; importing a package may start threads
_SHARE = 0.75  # of the machine's memory: what a container may take, whatever a job may
_PATIENCE = 60.0  # seconds until a client that does not answer is given up
_LIMITS = {"nofile": (resource.RLIMIT_NOFILE, 1024), "nproc": (resource.RLIMIT_NPROC, 32768)}
_LINKER = "LD_LIBRARY_PATH"


class Container:
    """Starts fork servers in containers; it has the method of `start.Launcher`.

    Args:
        client: Path of docker or podman.
        name: Name of an image that holds the links.
        seen: What the containers show.
    """

    def __init__(self, client: str, name: str, seen: RootView) -> None:
        self._client = client
        self._name = name
        self._seen = seen

    def start(self) -> CallbackServer:
        """Start one, and wait until it called; see `start.Launcher`."""
        return called(self.command)

    def command(self, folder: str) -> list[str]:
        """Return the command that starts one.

        Args:
            folder: Where we can be called, with an entry that is an empty folder.
        """
        return [
            *(self._client, "run", *_apart(), *_who(Path(self._client).name), *_limits()),
            *_shown(self._seen, folder),
            *_mounted(folder, _MEETING),
            self._name,
            *(*PROGRAM[:-1], _ARRIVAL, f"{_MEETING}/{CONTROL}", *PROGRAM),
        ]


def launcher(folders: Iterable[str], clients: Sequence[str] = CLIENTS) -> Container:
    """Return what starts fork servers in containers, by the first client that can.

    Args:
        folders: Where the packages that programs may import lie.
        clients: Names or paths of programs.

    Raises:
        IsolationError: None is installed, or none can make a container here.
    """
    seen = view(folders)
    data = image(seen.links)
    name = f"se-agent:{hashlib.sha256(data).hexdigest()[:16]}"
    why = []
    for client in clients:
        path = shutil.which(client)
        if path is not None:
            told = _kept_from(path, name, data)
            if not told:
                return Container(path, name, seen)
            why.append(f"{client}: {told}")
    raise refusal("; ".join(why) or f"there is no program {' or '.join(clients)}")


def image(links: Mapping[str, str]) -> bytes:
    """Return an image as a tar archive: symbolic links, their folders, and one for scratch."""
    folders = {SCRATCH, *(str(parent) for link in links for parent in Path(link).parents)} - {
        "/"
    }
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for path in sorted(folders):  # those that are not named, nobody but root may enter
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for link, target in sorted(links.items()):
            entry = tarfile.TarInfo(link.lstrip("/"))
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return data.getvalue()


def _kept_from(client: str, name: str, data: bytes) -> str:
    """Make sure that a client has the image; return what keeps it from that, or nothing."""
    if not _told(client, "image", "inspect", name):
        return ""
    return _told(client, "import", "-", name, given=data)


def _told(client: str, *words: str, given: bytes = b"") -> str:
    """Ask a client for something; return what it says went wrong, or nothing."""
    try:
        done = subprocess.run(
            [client, *words],
            env=environment(USUAL + CONTAINERS),
            input=given,
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
            cwd="/",
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_PATIENCE:g} s"
    except OSError as err:
        return str(err)
    if not done.returncode:
        return ""
    return reason(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"


def _apart() -> list[str]:
    """Return what makes it a container that shares, fetches and leaves nothing."""
    return [
        *("--rm", "--pull", "never", "--log-driver", "none"),
        *("--network", "none", "--ipc", "none", "--hostname", "sandbox", "--workdir", "/"),
        *("--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
    ]


def _who(client: str) -> tuple[str, str]:
    """Return what makes its user ours: who else could read our files, and be ended by us?"""
    if client == "podman":  # it needs no daemon: root of its containers is who started it
        return "--user", "0:0"
    return "--user", f"{os.geteuid()}:{os.getegid()}"


def _limits() -> Iterator[str]:
    """Yield limits of the whole container; those of a job are the jail's.

    What a client sets by itself may be more than it is allowed to.
    """
    memory = int(_SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    yield from ("--pids-limit", str(_TASKS))
    yield from ("--memory", str(memory), "--memory-swap", str(memory))
    for name, (kind, most) in _LIMITS.items():
        soft, hard = (min(one, most) if one >= 0 else most for one in resource.getrlimit(kind))
        yield from ("--ulimit", f"{name}={soft}:{hard}")


def _shown(seen: RootView, folder: str) -> Iterator[str]:
    for place in seen.places:
        yield from _mounted(place.path, place.path)
        for name in sorted(place.hidden):
            yield from _mounted(f"{folder}/{EMPTY}", f"{place.path}/{name}")
    if _LINKER in os.environ:
        yield from ("--env", _LINKER)


def _mounted(source: str, target: str) -> tuple[str, str]:
    line = io.StringIO()  # a path may hold a comma
    fields = ("type=bind", f"source={source}", f"target={target}", "readonly")
    csv.writer(line, lineterminator="").writerow(fields)
    return "--mount", line.getvalue()
