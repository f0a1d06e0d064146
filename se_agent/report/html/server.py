"""A live report: the same page, from this machine to this machine, while a run goes on.

Whoever asks must know a token that no other process was told, and must have asked this very
address by its number: a page of another site, whose name somebody lets point here, learns
nothing. It reads the run and writes nothing. Not here: what a page holds (`report`).
"""

from __future__ import annotations

import secrets
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from se_agent.errors import SeAgentError
from se_agent.report.html.page import island, page
from se_agent.report.html.report import ReportData, page_data
from se_agent.report.html.run_data import RunPage
from se_agent.report.html.text_pool import json_text
from se_agent.store.lock import is_locked

_LOOPBACK = "127.0.0.1"
_JOURNAL = "run.db"


class _Answer(NamedTuple):
    """What a path is answered with."""

    kind: str
    body: str


class LiveReport:
    """The page of a run and its newer data; a reading is kept until the run has gone on."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of a run; nothing is read yet."""
        self.folder = folder
        self._run = RunPage(folder)
        self._guard = threading.Lock()
        self._kept: tuple[str, ReportData] | None = None

    def version(self) -> str:
        """Return what changes whenever the run has gone on."""
        found = []
        for name in (_JOURNAL, f"{_JOURNAL}-wal"):
            try:
                told = (self.folder / name).stat()
            except OSError:
                continue
            found.append(f"{told.st_size}.{told.st_mtime_ns}")
        return "-".join([*found, str(int(self._is_running()))])

    def page(self) -> str:
        """Return the page with the data as they are now."""
        found = self.read()
        live = {**found.data, "live": True}
        return page(live, found.pool, title=f"{found.title} - live", live=True)

    def data(self) -> str:
        """Return the data as they are now."""
        found = self.read()
        return json_text(island({**found.data, "live": True}, found.pool))

    def read(self) -> ReportData:
        """Read on, unless the run is as it was when it was read before.

        Raises:
            SeAgentError: It cannot be read.
        """
        with self._guard:
            version = self.version()
            if self._kept is None or self._kept[0] != version:
                self._kept = version, page_data(self._run, self.folder)
            return self._kept[1]

    def state(self) -> str:
        """Return the version, and whether a process is at work on the run."""
        return json_text({"version": self.version(), "running": self._is_running()})

    def _is_running(self) -> bool:
        return is_locked(self.folder / _JOURNAL)


class LiveServer(ThreadingHTTPServer):
    """Serves a live report on a port of its own, behind a token."""

    daemon_threads = True

    def __init__(self, report: LiveReport, port: int = 0) -> None:
        """Bind a port.

        Args:
            report: What is served.
            port: Number of the port; 0: a free one.

        Raises:
            OSError: The port is taken.
        """
        super().__init__((_LOOPBACK, port), _Handler)
        self.report = report
        self.token = secrets.token_urlsafe(24)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{self.host}/{self.token}/"

    @property
    def host(self) -> str:
        """What a browser that was given the address asks for."""
        return f"{_LOOPBACK}:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    """One request; all that is no request for the page is refused in the same words."""

    server: LiveServer
    server_version = "se_agent"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Answer with the page, its data, or its version."""
        report = self.server.report
        paths = {"": report.page, "data": report.data, "version": report.state}
        make = paths.get(self._wanted()) if self._is_ours() else None
        if make is None:
            self._send(HTTPStatus.NOT_FOUND, _Answer("text/plain", "not found\n"))
            return
        try:
            body = make()
        except SeAgentError as err:
            answer = _Answer("text/plain", f"error: {err}\nhint:  {err.hint}\n")
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, answer)
            return
        kind = "application/json" if self._wanted() else "text/html"
        self._send(HTTPStatus.OK, _Answer(kind, body))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the command."""

    def _is_ours(self) -> bool:
        """Say whether the request names this server and its token."""
        token = self.path.lstrip("/").partition("/")[0]
        known = secrets.compare_digest(token.encode(), self.server.token.encode())
        return (
            known
            and "/" in self.path.lstrip("/")
            and self.headers.get("Host") == self.server.host
        )

    def _wanted(self) -> str:
        """Return the path below the token."""
        return self.path.lstrip("/").partition("/")[2].partition("?")[0]

    def _send(self, status: HTTPStatus, answer: _Answer) -> None:
        body = answer.body.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:  # who asked is gone
            self.close_connection = True
