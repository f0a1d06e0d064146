"""What becomes of a call where an endpoint is in trouble, or something is wrong for good."""

from __future__ import annotations

import gzip
import hashlib
import time

import pytest

from se_agent.errors import ModelError, TooLongError
from se_agent.llm.bounded import LONGEST
from tests.contracts.model import ASKED
from tests.llm.conftest import KEY, Models
from tests.llm.endpoint import (
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
END = [
    '{"choices": [{"delta": {"content": "x"}}]}',
    '{"choices": [{"delta": {}, "finish_reason": "stop"}]}',
]
TOO_LONG = "This model's maximum context length is 8192 tokens"


class TestTriedAgain:
    @pytest.mark.parametrize("stream", [False, True])
    @pytest.mark.parametrize(
        "trouble",
        [
            pytest.param(fails(429, "slow down", headers=NOW), id="too-many"),
            pytest.param(fails(500, "oh", headers=NOW), id="500"),
            pytest.param(text("<html>bad gateway</html>", status=502, headers=NOW), id="502"),
            pytest.param(fails(529, "overloaded", headers=NOW), id="529"),
            pytest.param(Answer(pieces=(b'{"id"',), then="cut"), id="half-an-answer"),
            pytest.param(says({"error": {"message": "busy", "code": 503}}), id="error-200"),
        ],
    )
    def test_trouble_that_passes(
        self, models: Models, server: Server, trouble: Answer, stream: bool
    ) -> None:
        good = streams("x = 1") if stream else says(completion())
        server.will(trouble, good)
        assert models(stream=stream).complete(ASKED).text == "x = 1"
        assert len(server.requests) == 2

    @pytest.mark.parametrize(
        "trouble",
        [
            pytest.param(streams("x", then="cut"), id="cut-after-the-end"),
            pytest.param(events('{"choices": [{"delta": {"content": "x"}}]}'), id="no-end"),
            pytest.param(
                events('{"choices": [{"delta": {"content": "x"}}]}', then="cut"), id="cut"
            ),
            pytest.param(events('{"choices": [{"del'), id="half-a-json"),
            pytest.param(events("[" * 9_999), id="nested"),
            pytest.param(events('{"error": {"message": "overloaded"}}'), id="an-error"),
            pytest.param(events("[1]", '"x"', "{}"), id="nonsense"),
        ],
    )
    def test_a_stream_that_goes_wrong(
        self, models: Models, server: Server, trouble: Answer
    ) -> None:
        server.will(trouble, streams("x = 1"))
        reply = models(stream=True).complete(ASKED)
        assert reply.text in ("x", "x = 1")
        assert (len(server.requests) == 1) == (reply.text == "x"), "it came to its end first"

    @pytest.mark.parametrize(
        "after",
        [
            pytest.param(events(*END), id="no-done"),
            pytest.param(events(*END, then="cut"), id="cut"),
            pytest.param(events(*END, then="stall"), id="stalls"),
            pytest.param(events(*END, '{"us'), id="half-a-json"),
            pytest.param(events(*END, "[" * 9_999), id="nested"),
            pytest.param(events(*END, '{"error": {"message": "overloaded"}}'), id="an-error"),
        ],
    )
    def test_a_reply_that_came_whole_is_not_paid_for_again(
        self, models: Models, server: Server, after: Answer
    ) -> None:
        server.will(after, streams("x = 1"))
        reply = models(stream=True, timeout_seconds=0.5).complete(ASKED)
        assert (reply.text, reply.complete, reply.lost) == ("x", True, ())
        assert len(server.requests) == 1

    def test_an_endpoint_is_left_alone_as_long_as_it_asks(
        self, models: Models, server: Server
    ) -> None:
        server.will(fails(429, "slow", headers={"Retry-After": "0.4"}), says(completion()))
        assert models().complete(ASKED).seconds >= 0.4

    def test_who_asks_for_more_time_than_there_is_is_not_waited_for(
        self, models: Models, server: Server
    ) -> None:
        server.will(fails(429, "slow", headers={"Retry-After": "3600"}))
        with pytest.raises(ModelError, match="429: slow; it asks to wait 3600 s") as raised:
            models().complete(ASKED)
        assert "lower asking.in_flight" in raised.value.hint
        assert len(server.requests) == 1

    def test_errors_for_an_hour_end_with_the_total_time(
        self, models: Models, server: Server
    ) -> None:
        server.will(fails(500, "oh", headers={"Retry-After": "0.05"}))
        with pytest.raises(ModelError, match=r"500: oh \(\d+ attempts in \d+ s\)") as raised:
            models(total_seconds=1.0).complete(ASKED)
        assert not raised.value.fatal
        assert 1 < len(server.requests) < 22

    @pytest.mark.tier("runs")
    def test_the_end_of_the_time_does_not_hide_what_was_wrong(
        self, models: Models, server: Server
    ) -> None:
        server.will(fails(500, "oh", headers=NOW), Answer(then="stall"))
        with pytest.raises(ModelError, match=r"500: oh \(2 attempts"):
            models(total_seconds=1.0).complete(ASKED)

    @pytest.mark.parametrize("stream", [False, True])
    @pytest.mark.parametrize(
        "silence",
        [
            pytest.param(Answer(then="stall"), id="nothing-comes"),
            pytest.param(streams("x", end="", then="stall"), id="no-more-comes"),
            pytest.param(
                Answer(
                    pieces=[b" "] * 99, pause=0.1, headers={"Content-Type": "application/json"}
                ),
                id="slow-bytes",
            ),
            pytest.param(
                Answer(
                    pieces=[b": wait\n\n"] * 99,
                    pause=0.1,
                    headers={"Content-Type": "text/event-stream"},
                ),
                id="slow-comments",
            ),
        ],
    )
    def test_silence_is_bounded(
        self, models: Models, server: Server, silence: Answer, stream: bool
    ) -> None:
        server.will(silence)
        model = models(stream=stream, timeout_seconds=0.2, total_seconds=0.6)
        began = time.monotonic()
        with pytest.raises(ModelError, match=r"longer than|broke off|no JSON"):
            model.complete(ASKED)
        assert time.monotonic() - began < 5, "99 pieces take 10 s"

    @pytest.mark.tier("runs")
    def test_a_stream_that_goes_on_ends_with_the_time_of_the_call(
        self, models: Models, server: Server
    ) -> None:
        server.will(streams(*"x" * 99, pause=0.1))
        model = models(stream=True, timeout_seconds=0.5, total_seconds=0.8)
        with pytest.raises(ModelError, match=r"longer than 0\.8 s in all$") as caught:
            model.complete(ASKED)
        assert caught.value.hint == "raise total_seconds of the model"
        (part,) = caught.value.lost
        assert set(part.text) == {"x"}, "what came of it may be billed"

    @pytest.mark.tier("runs")
    def test_a_stream_may_take_longer_than_a_piece_of_it(
        self, models: Models, server: Server
    ) -> None:
        server.will(streams("x", " ", "=", " ", "1", pause=0.15))
        reply = models(stream=True, timeout_seconds=0.6).complete(ASKED)
        assert (reply.text, len(server.requests)) == ("x = 1", 1)
        assert reply.seconds > 0.6


class TestTheEnd:
    @pytest.mark.parametrize("stream", [False, True])
    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_a_redirect_is_not_followed(
        self, models: Models, server: Server, status: int, stream: bool
    ) -> None:
        """Prompts hold programs: they go to who was named, and to nobody else."""
        with serving() as other:
            other.will(says(completion()))
            to = f"{other.url}/chat/completions?session=s3ss10n"
            server.will(Answer(status=status, headers={"Location": to}))
            told = f"{status}: it redirects to {other.url}, which is not followed$"
            with pytest.raises(ModelError, match=told) as why:
                models(stream=stream).complete(ASKED)
            assert (why.value.fatal, other.requests) == (True, [])
        assert "base_url" in why.value.hint

    @pytest.mark.parametrize("location", ["http://[bad/v1", "http://exa\u2100mple/v1", ""])
    def test_a_redirect_to_no_address(
        self, models: Models, server: Server, location: str
    ) -> None:
        headers = {"Location": location.encode().decode("latin-1")} if location else {}
        server.will(Answer(status=307, headers=headers))
        with pytest.raises(ModelError, match="307: ") as why:
            models().complete(ASKED)
        assert why.value.fatal

    @pytest.mark.parametrize(
        ("answer", "message", "hint"),
        [
            pytest.param(
                fails(401, f"Incorrect API key provided: {KEY}"),
                "401: Incorrect API key provided: ",
                "OPENAI_API_KEY holds the key",
                id="wrong-key",
            ),
            pytest.param(fails(403, "not yours"), "403: not yours", "this model", id="403"),
            pytest.param(
                fails(404, "The model `fake` does not exist"),
                "404: The model `fake` does not exist",
                "`name` and `base_url`",
                id="unknown-model",
            ),
            pytest.param(
                text("<h1>Not Found</h1>", status=404),
                "404: <h1>Not Found",
                "end in /v1",
                id="wrong-path",
            ),
            pytest.param(
                fails(429, "You exceeded your quota", code="insufficient_quota"),
                "429: You exceeded",
                "no credit left",
                id="no-credit",
            ),
            pytest.param(
                text("<html>Welcome to the router!</html>"),
                "a web page: <html>Welcome",
                "`base_url`",
                id="a-web-page",
            ),
        ],
    )
    @pytest.mark.parametrize("stream", [False, True])
    def test_is_said_at_once_where_the_next_call_would_fail_too(
        self,
        models: Models,
        server: Server,
        answer: Answer,
        message: str,
        hint: str,
        stream: bool,
    ) -> None:
        server.will(answer)
        with pytest.raises(ModelError, match=message) as raised:
            models(stream=stream).complete(ASKED)
        assert raised.value.fatal
        assert hint in raised.value.hint
        assert "\n" not in f"{raised.value}{raised.value.hint}"
        assert len(server.requests) == 1

    @pytest.mark.tier("runs")
    def test_nobody_there(self, models: Models) -> None:
        with serving() as gone:
            url = gone.url
        with pytest.raises(ModelError, match=r"cannot be reached: .* attempts") as raised:
            models(base_url=url).complete(ASKED)
        assert raised.value.fatal, "it has never answered: the address may be wrong"

    @pytest.mark.parametrize(
        "answer",
        [
            pytest.param(fails(400, TOO_LONG), id="400"),
            pytest.param(fails(500, TOO_LONG, code="context_length_exceeded"), id="500"),
            pytest.param(
                says({"error": {"message": TOO_LONG, "code": "context_length_exceeded"}}),
                id="error-200",
            ),
        ],
    )
    def test_a_prompt_that_is_too_long_ends_one_call_only(
        self, models: Models, server: Server, answer: Answer
    ) -> None:
        server.will(answer)
        with pytest.raises(TooLongError, match="maximum context length") as raised:
            models().complete(ASKED)
        assert not raised.value.fatal
        assert len(server.requests) == 1
        assert "`context`" in raised.value.hint

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            pytest.param(text(""), "nothing at all", id="nothing"),
            pytest.param(text('{"choices": [{"mess'), "no JSON: {", id="half-a-json"),
            pytest.param(says([1]), r"without a choice: \[1\]", id="a-list"),
            pytest.param(says({"choices": []}), "without a choice", id="no-choice"),
            pytest.param(says({"choices": None}), "without a choice", id="null"),
        ],
    )
    def test_of_garbage_comes_after_a_few_attempts(
        self, models: Models, server: Server, answer: Answer, message: str
    ) -> None:
        server.will(answer)
        with pytest.raises(ModelError, match=message):
            models().complete(ASKED)
        assert len(server.requests) == 3

    def test_what_came_is_shown_in_part(self, models: Models, server: Server) -> None:
        server.will(text("<html>" + "x" * 5000))
        with pytest.raises(ModelError, match=r"x{160,180}…") as raised:
            models().complete(ASKED)
        assert len(str(raised.value)) < 400

    def test_what_came_is_fit_for_a_terminal(self, models: Models, server: Server) -> None:
        server.will(fails(400, "a\x1b[31m\x00\u202eb \ud800"))
        with pytest.raises(ModelError, match=r"400: a \[31m b$"):
            models().complete(ASKED)

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("kind", "packing", "most"),
        [
            pytest.param("application/json", "identity", 32, id="whole"),
            pytest.param("text/event-stream", "identity", 32, id="stream"),
            pytest.param("application/json", "gzip", 0.032, id="packed"),
        ],
    )
    def test_an_answer_without_end_is_not_read_to_its_end(
        self, models: Models, server: Server, kind: str, packing: str, most: float
    ) -> None:
        headers = {"Content-Type": kind, "Content-Encoding": packing}
        body = b" " * 99_999 + b"\n"
        if packing == "gzip":
            body = gzip.compress(hashlib.shake_256(b"").digest(100_000))
        endless = Answer(pieces=[body] * (LONGEST // len(body) + 2), headers=headers)
        server.will(endless)
        with pytest.raises(ModelError, match=f"it sends more than {most} MB"):
            models(stream=kind != "application/json", timeout_seconds=60.0).complete(ASKED)
        assert len(server.requests) == 1


class TestHeaders:
    """What they say is an endpoint's word, and no reason to fail otherwise than it does."""

    @pytest.mark.parametrize("charset", ["hex", "base64", "rot13", "zlib", "utf-16", "none"])
    @pytest.mark.parametrize("status", [200, 500])
    def test_json_is_in_utf_8_whatever_they_say(
        self, models: Models, server: Server, charset: str, status: int
    ) -> None:
        kind = {"Content-Type": f"application/json; charset={charset}", **NOW}
        server.will(
            says(completion("x = 'ö'"), status=status, headers=kind), says(completion())
        )
        assert models().complete(ASKED).text == ("x = 'ö'" if status == 200 else "x = 1")

    def test_nothing_packed_is_asked_for_and_a_packed_stream_is_not_unpacked(
        self, models: Models, server: Server
    ) -> None:
        """All of it would come at once, and hold up every other call until it is read."""
        body = gzip.compress(b"a\n" * 30_000_000)
        packed = {"Content-Encoding": "gzip", "Content-Type": "text/event-stream"}
        server.will(Answer(pieces=(body,), headers=packed))
        with pytest.raises(ModelError, match="it packs a stream, which it was asked not to"):
            models(stream=True).complete(ASKED)
        assert server.requests[0].headers["accept-encoding"] == "identity"

    def test_what_is_packed_more_than_once_is_not_unpacked(
        self, models: Models, server: Server
    ) -> None:
        body = gzip.compress(gzip.compress(b" " * 10_000_000))
        twice = {"Content-Encoding": "gzip, gzip", "Content-Type": "application/json"}
        server.will(Answer(pieces=(body,), headers=twice))
        with pytest.raises(ModelError, match="it packs what it sends more than once"):
            models().complete(ASKED)
