"""A run speaks to a real endpoint, and its key is nowhere in what is left of it."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.chat.events import Replied, Unanswered
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.errors import ModelError
from se_agent.events import Evaluated, Event
from se_agent.llm.failures import SHOWN
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import factory
from tests.engine.talking import of, run_file
from tests.fakes import number_problem
from tests.llm.endpoint import Answer, Endpoint, Request, completion, fails, says, serving, text

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving() as endpoint:
        yield endpoint


def numbers(request: Request) -> Answer:
    """Answer with a number that was not given before: each prompt shows a larger one."""
    given = re.findall(r"x = (\d+)", str(request.body))
    return says(completion(f"x = {max(map(int, given)) + 2}"))


def json_text(body: str) -> Answer:
    return text(body, kind="application/json")


def run(results: Path, server: Endpoint, **budget: object) -> list[Event]:
    endpoint = {
        "name": "any",
        "base_url": server.url,
        "total_seconds": 0.2,
        "prompt_price": 1.0,
        "cached_price": 0.5,
        "completion_price": 2.0,
    }
    try:
        start(
            run_file(results, models={"main": endpoint}, budget=budget, generation_size=1),
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
        )
    finally:
        with Journal(results / "run" / "run.db", write=False) as journal:
            events = list(journal.events())
    return events


def left_of(folder: Path) -> Iterator[bytes]:
    """Yield all that is on disk, compressed texts of journals as they were."""
    yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file())
    for journal in folder.rglob("run.db"):
        with closing(sqlite3.connect(journal)) as db:
            yield from (body.encode() for (body,) in db.execute("SELECT body FROM events"))
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'contents'").fetchone():
                texts = db.execute("SELECT text FROM contents")
                yield from (zlib.decompress(text) for (text,) in texts)


def tells(found: Iterable[bytes], key: str = KEY) -> list[bytes]:
    """Return what holds a key, or the name of the header that it is sent in."""
    secrets = (key.lower().encode(), b"authorization")
    return [each for each in found if any(secret in each.lower() for secret in secrets)]


def test_a_key_that_the_endpoint_repeats_is_not_kept(tmp_path: Path, server: Endpoint) -> None:
    def repeating(request: Request) -> Answer:
        text = numbers(request).pieces[0].decode()
        return json_text(text.replace('"x = ', f'"# {request.headers["authorization"]}\\nx = '))

    server.will(repeating)
    replies = of(run(tmp_path, server, calls=2), Replied)
    assert [reply.text.split("\n")[0] for reply in replies] == ["# Bearer ***"] * 2
    assert tells(left_of(tmp_path)) == []


def test_usage_and_money_are_the_endpoints(tmp_path: Path, server: Endpoint) -> None:
    server.will(numbers)
    replies = of(run(tmp_path, server, calls=4), Replied)
    assert len(replies) == len(server.requests) == 4
    assert {r.headers["authorization"] for r in server.requests} == {f"Bearer {KEY}"}
    (usage,) = {e.usage for e in replies}
    assert (usage.prompt, usage.cached, usage.completion, usage.reasoning) == (20, 15, 7, 4)
    (money,) = {e.money for e in replies}
    assert money == pytest.approx((5 * 1.0 + 15 * 0.5 + 7 * 2.0) / 1e6)
    assert tells(left_of(tmp_path)) == []


def test_half_an_answer_is_paid_for_by_an_estimate(tmp_path: Path, server: Endpoint) -> None:
    server.will(numbers, json_text('{"choices": [{"message": {"content": "x ='), numbers)
    events = run(tmp_path, server, calls=2)
    (failed,), replies = of(events, Unanswered), of(events, Replied)
    assert failed.lost.prompt > 100, "as counted here: the prompt was sent"
    assert 5 < failed.lost.completion < 50
    cost = failed.lost.prompt * 1.0 + failed.lost.completion * 2.0
    assert failed.money == pytest.approx(cost / 1e6)
    assert [reply.lost.total for reply in replies] == [0, 0]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        pytest.param(401, r"401: no entry with Bearer \*\*\*", id="wrong-key"),
        pytest.param(500, "5 calls in a row failed", id="down"),
    ],
)
def test_a_key_that_an_endpoint_repeats_stays_out(
    tmp_path: Path, server: Endpoint, status: int, message: str
) -> None:
    def repeats(request: Request) -> Answer:
        return fails(status, f"no entry with {request.headers['authorization']}")

    server.will(numbers, repeats)
    with pytest.raises(ModelError, match=message) as caught:
        run(tmp_path, server)
    said = f"{caught.value} {caught.value.hint}"
    assert KEY not in said
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        events = list(journal.events())
    assert events[-1].kind == "failed"
    assert len(of(events, Replied)) == 1
    assert len(of(events, Unanswered)) == (0 if status == 401 else 4)
    found = list(left_of(tmp_path))
    assert any(b"models" in each for each in found)
    assert tells(found) == []


def test_no_part_of_a_key_is_kept_where_a_message_is_cut(
    tmp_path: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "qv7Xw9-no-form-that-tells-a-key")
    offsets = iter(range(SHOWN - 16, SHOWN - 9))  # behind "400: ", 5 to 11 of its characters

    def refuses(request: Request) -> Answer:
        key = request.headers["authorization"].removeprefix("Bearer ")
        return fails(400, "." * next(offsets) + key)

    server.will(numbers, refuses)
    with pytest.raises(ModelError, match="5 calls in a row failed"):
        run(tmp_path, server)
    found = list(left_of(tmp_path))
    assert any(b"400: ...." in each for each in found)
    assert not any(b"qv7X" in each for each in found)


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("trouble", "message", "replies"),
    [
        pytest.param(fails(404, "no such model"), "404: no such model", 1, id="unknown-model"),
        pytest.param(text("<html>sign in</html>"), "5 calls in a row failed", 1, id="html"),
        pytest.param(json_text('{"choices": [{"mess'), "5 calls in a row", 1, id="half"),
        pytest.param(Answer(then="stall"), "5 calls in a row failed", 1, id="stalls"),
        pytest.param(says(completion("")), "", 4, id="empty"),
    ],
)
def test_a_run_with_an_endpoint_in_trouble_is_kept(
    tmp_path: Path, server: Endpoint, trouble: Answer, message: str, replies: int
) -> None:
    """It ends with a clear error, or goes on where each answer is one; nothing is lost."""
    server.will(numbers, trouble)
    if message:
        with pytest.raises(ModelError, match=message) as caught:
            run(tmp_path, server, calls=12)
        assert "\n" not in f"{caught.value}{caught.value.hint}"
    else:
        run(tmp_path, server, calls=4)
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        kept = list(journal.events())
    assert len(of(kept, Replied)) == replies
    assert kept[-1].kind == ("failed" if message else "ended")
    assert len(of(kept, Evaluated)) >= 1, "what was paid for is used"
