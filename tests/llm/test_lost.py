"""What attempts leave behind that gave no reply, for an endpoint may bill them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from se_agent.chat.messages import Reply, Usage
from se_agent.errors import ModelError
from tests.contracts.model import ASKED
from tests.llm.conftest import KEY, Models
from tests.llm.endpoint import (
    USAGE,
    Answer,
    completion,
    events,
    fails,
    says,
    serving,
    streams,
    text,
)
from tests.llm.endpoint import Endpoint as Server

NOW = {"Retry-After": "0"}
PIECE = json.dumps({"choices": [{"delta": {"content": "x ="}}]})
TOLD = Usage(prompt=20, cached=15, completion=7, reasoning=4)


@pytest.mark.parametrize(
    ("trouble", "stream", "left"),
    [
        pytest.param(text('{"choices": ['), False, Reply(text='{"choices": ['), id="half"),
        pytest.param(text(f"no {KEY}"), False, Reply(text="no ***"), id="a-key"),
        pytest.param(text(" "), False, Reply(text=""), id="nothing"),
        pytest.param(Answer(pieces=(b"{",), then="cut"), False, Reply(text=""), id="cut"),
        pytest.param(Answer(then="stall"), False, Reply(text=""), id="too-late"),
        pytest.param(
            says({"choices": [], "usage": USAGE}), False, Reply(text="", usage=TOLD), id="told"
        ),
        pytest.param(events(PIECE), True, Reply(text="x ="), id="no-end"),
        pytest.param(events(PIECE, then="cut"), True, Reply(text="x ="), id="cut-stream"),
        pytest.param(events(PIECE, then="stall"), True, Reply(text="x ="), id="stalls"),
        pytest.param(events(PIECE, '{"ch'), True, Reply(text="x ="), id="broken-piece"),
        pytest.param(
            streams("<think>hm", end=""),
            True,
            Reply(text="<think>hm", usage=TOLD),
            id="thought",
        ),
        pytest.param(
            events(PIECE, '{"error": {"message": "overloaded"}}'),
            True,
            Reply(text="x ="),
            id="an-error-later",
        ),
    ],
)
def test_what_came_is_kept_where_the_endpoint_may_have_worked(
    models: Models, server: Server, trouble: Answer, stream: bool, left: Reply
) -> None:
    server.will(trouble, streams("x = 1") if stream else says(completion()))
    reply = models(stream=stream, timeout_seconds=0.5).complete(ASKED)
    assert (reply.text, reply.usage, reply.lost) == ("x = 1", TOLD, (left,))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(fails(429, "slow down", headers=NOW), id="too-many"),
        pytest.param(text("<html>bad gateway</html>", status=502, headers=NOW), id="502"),
        pytest.param(says({"error": {"message": "busy", "code": 503}}), id="error-200"),
        pytest.param(fails(400, "unknown parameter: 'stream_options'"), id="refused"),
    ],
)
def test_who_refuses_has_done_no_work(
    models: Models, server: Server, trouble: Answer, stream: bool
) -> None:
    server.will(trouble, streams("x = 1") if stream else says(completion()))
    try:
        lost = models(stream=stream).complete(ASKED).lost
    except ModelError as err:
        lost = tuple(err.lost)
    assert lost == ()


@pytest.mark.tier("runs")
def test_nobody_there_has_done_no_work(models: Models) -> None:
    with serving() as gone:
        url = gone.url
    with pytest.raises(ModelError, match="cannot be reached") as raised:
        models(base_url=url).complete(ASKED)
    assert raised.value.lost == ()


def test_all_attempts_of_a_call_in_vain_are_added_up(models: Models, server: Server) -> None:
    server.will(text("{1"), fails(500, "oh", headers=NOW), text("{2"), text("{3"))
    with pytest.raises(ModelError, match="no JSON") as raised:
        models().complete(ASKED)
    assert [part.text for part in raised.value.lost] == ["{1", "{2"]


def test_a_page_of_some_gateway_is_nobodys_work(models: Models, server: Server) -> None:
    server.will(says(completion()), text("<html>sign in</html>"), says(completion()))
    model = models()
    model.complete(ASKED)
    assert model.complete(ASKED).lost == ()
    assert len(server.requests) == 3


def test_what_was_lost_is_told_when_a_call_is_broken_off(
    models: Models, server: Server
) -> None:
    """By Ctrl-C, or by a run that pauses for this model."""
    server.will(text("{1"), Answer(then="stall"))
    model = models(timeout_seconds=60.0)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(model.complete, ASKED)
        while len(server.requests) < 2:
            time.sleep(0.01)
        model.close()
        with pytest.raises(ModelError, match="broken off before it replied") as raised:
            call.result(timeout=5)
    assert [part.text for part in raised.value.lost] == ["{1"]


class TestAgain:
    """Attempts are made again only if whoever pays, or waits, agrees."""

    def test_who_is_refused_gives_up_and_says_so(self, models: Models, server: Server) -> None:
        server.will(text("{1"), says(completion()))
        with pytest.raises(ModelError, match="no other attempt is allowed; it ans") as raised:
            models().complete(ASKED, again=lambda lost: False)
        assert [part.text for part in raised.value.lost] == ["{1"]
        assert len(server.requests) == 1

    @pytest.mark.tier("runs")
    def test_it_is_asked_with_all_that_was_lost(self, models: Models, server: Server) -> None:
        asked: list[list[str]] = []

        def again(lost: Sequence[Reply]) -> bool:
            asked.append([part.text for part in lost])
            return True

        server.will(text("{1"), text("{2"), says(completion()))
        assert models().complete(ASKED, again=again).text == "x = 1"
        assert asked == [["{1"], ["{1", "{2"]]

    def test_a_run_that_ends_does_not_wait_for_a_busy_endpoint(
        self, models: Models, server: Server
    ) -> None:
        """What it said is billed to nobody, and tried again for as long as it takes."""
        server.will(fails(500, "oh", headers=NOW), says(completion()))
        with pytest.raises(ModelError, match="no other attempt is allowed; 500: oh") as raised:
            models().complete(ASKED, again=lambda lost: False)
        assert list(raised.value.lost) == []
        assert len(server.requests) == 1

    @pytest.mark.tier("runs")
    def test_a_long_wait_ends_where_no_other_attempt_is_allowed_any_more(
        self, models: Models, server: Server
    ) -> None:
        """A run may end while an endpoint has asked for two minutes of patience."""
        allowed = iter([True, False])
        server.will(fails(429, "busy", headers={"Retry-After": "120"}), says(completion()))
        with pytest.raises(ModelError, match="no other attempt is allowed; 429: busy"):
            models(total_seconds=600.0).complete(ASKED, again=lambda lost: next(allowed))
        assert len(server.requests) == 1

    def test_what_can_be_billed_to_nobody_is_tried_again_where_there_is_room(
        self, models: Models, server: Server
    ) -> None:
        server.will(fails(500, "oh", headers=NOW), says(completion()))
        assert models().complete(ASKED, again=lambda lost: not lost).text == "x = 1"
