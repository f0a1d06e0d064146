"""The live page: who knows its address gets it, and nobody else gets anything."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.report.html.server import LiveReport, LiveServer
from tests.finished import finished, recorded, unfinished


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = unfinished(tmp_path_factory.mktemp("live"), 20)
    with LiveServer(LiveReport(folder)) as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def _get(server: LiveServer, path: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), dict(answer.headers)
    finally:
        connection.close()


@pytest.mark.tier("runs")
def test_the_page_may_ask_its_own_server_and_nobody_else(server: LiveServer) -> None:
    status, text, headers = _get(server, f"/{server.token}/")
    assert status == 200
    assert "connect-src 'self';" in text
    assert '"live":true' in text
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.tier("runs")
def test_newer_data_have_another_version(server: LiveServer, tmp_path: Path) -> None:
    folder = server.report.folder
    before = json.loads(_get(server, f"/{server.token}/version")[1])
    assert before == json.loads(_get(server, f"/{server.token}/version")[1])
    assert before["running"] is False
    rows = json.loads(_get(server, f"/{server.token}/data")[1])["run"]["steps"]["rows"]
    whole = finished(tmp_path, timed=True)
    with Journal(folder / "run.db") as journal:
        held = json.loads(_get(server, f"/{server.token}/version")[1])
        assert held["running"] is True
        journal.append(*list(recorded(whole))[20:60])
    after = json.loads(_get(server, f"/{server.token}/version")[1])
    assert after["version"] != before["version"]
    more = json.loads(_get(server, f"/{server.token}/data")[1])["run"]["steps"]["rows"]
    assert len(more) > len(rows)


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/data",
        "/version",
        "/x/",
        "/x/data",
        "/{token}",
        "/{token}/../",
        "/{token}/run.db",
        "//",
    ],
)
def test_whoever_does_not_know_the_address_learns_nothing(
    path: str, server: LiveServer
) -> None:
    status, text, _ = _get(server, path.replace("{token}", server.token))
    assert (status, text) == (404, "not found\n")


@pytest.mark.parametrize("host", ["evil.example", "localhost:{port}", "127.0.0.1", ""])
def test_a_name_that_points_here_is_refused(host: str, server: LiveServer) -> None:
    given = host.replace("{port}", str(server.server_port))
    assert _get(server, f"/{server.token}/", Host=given)[0] == 404
    assert _get(server, f"/{server.token}/", Host=server.host)[0] == 200


def test_nothing_but_reading_is_understood(server: LiveServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request("POST", f"/{server.token}/data", body="x")
    assert connection.getresponse().status == 501
    connection.close()


@pytest.mark.tier("runs")
def test_a_run_that_cannot_be_read_is_told_and_the_server_goes_on(tmp_path: Path) -> None:
    (tmp_path / "run.db").write_bytes(b"no journal" * 100)
    with LiveServer(LiveReport(tmp_path)) as broken:
        threading.Thread(target=broken.serve_forever, daemon=True).start()
        for _ in range(2):
            status, text, _headers = _get(broken, f"/{broken.token}/data")
            assert status == 503
            assert text.startswith("error: ")
        broken.shutdown()
