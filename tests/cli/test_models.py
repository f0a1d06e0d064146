"""Models on the command line: asked by `doctor`, and named by `run --model`."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.calls import COMMAND, call, exit_code, process, started, two_lines
from tests.cli.commands.test_problem_set import QUICK
from tests.cli.folders import GENERATOR, INITIAL, problem_folder
from tests.engine.models.test_keys import KEY, left_of, tells
from tests.llm.endpoint import Answer, Endpoint, Request, completion, fails, says, serving


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with serving() as endpoint:
        endpoint.will(compatible)
        yield endpoint


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def compatible(request: Request) -> Answer:
    wanted = "response_format" in request.body
    return says(completion('{"language": "C", "year": 1972}' if wanted else "ready"))


def wordy(request: Request) -> Answer:
    return says(completion("C, in 1972."))


def named(server: Endpoint, *more: str) -> list[str]:
    settings = ("name=fake", f"base_url={server.url}", "total_seconds=2.0", *more)
    return [part for each in settings for part in ("--set", f"models.main.{each}")]


class TestDoctor:
    @pytest.mark.tier("runs")
    def test_a_model_that_does_all(self, server: Endpoint) -> None:
        called = call("doctor", "--model", *named(server), "--json")
        assert called.code == 0
        assert [(row["name"], row["ok"]) for row in json.loads(called.out)] == [
            ("models.main", True),
            ("models.main schema", True),
        ]
        assert "says 'ready' in" in called.err
        assert "27 tokens" in called.err
        assert len(server.requests) == 2

    def test_one_that_knows_no_schemas(self, server: Endpoint) -> None:
        server.will(wordy)
        called = call("doctor", "--model", *named(server))
        assert called.code == 0
        assert "json_schema = false" in called.out
        assert call("doctor", "--model", *named(server, "json_schema=false")).code == 0

    def test_one_that_says_nothing(self, server: Endpoint) -> None:
        server.will(says(completion("", finish_reason="length")))
        called = call("doctor", "--model", *named(server))
        assert called.code == 2
        assert "it says nothing; 27 tokens" in called.out

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            pytest.param(fails(401, "wrong key"), "401: wrong key", id="wrong-key"),
            pytest.param(fails(404, "no such model"), "404: no such model", id="unknown"),
        ],
    )
    def test_one_that_does_not_answer(
        self, server: Endpoint, answer: Answer, words: str
    ) -> None:
        server.will(answer)
        called = call("doctor", "--model", *named(server))
        assert called.code == 2
        assert words in called.out
        assert len(server.requests) == 1

    def test_one_without_a_key(self) -> None:
        away = ("--set", "models.main.base_url=https://example.com/v1")
        called = call("doctor", "--model", "--set", "models.main.name=gpt", *away)
        assert called.code == 2
        assert "no key in OPENAI_API_KEY" in called.out

    def test_each_of_a_run_file(self, server: Endpoint, tmp_path: Path) -> None:
        run = tmp_path / "run.toml"
        tables = "".join(
            f'[models.{name}]\nname = "{name}"\nbase_url = "{server.url}"\n'
            for name in ("small", "large")
        )
        run.write_text(f'problem = "order_report"\n{tables}', encoding="utf-8")
        called = call("doctor", run, "--model")
        assert called.code == 0
        assert {request.body["model"] for request in server.requests} == {"small", "large"}

    def test_none_is_named(self) -> None:
        error, hint = two_lines(call("doctor", "--model"))
        assert error == "no model is named"
        assert "models.main.name" in hint

    def test_a_run_file_without_the_question(self) -> None:
        assert "with --model only" in two_lines(call("doctor", "run.toml"))[0]


class TestDryRun:
    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_it_shows_the_prompts_and_asks_nobody(
        self, server: Endpoint, tmp_path: Path
    ) -> None:
        url = ("--set", f"models.main.base_url={server.url}")
        called = call("run", "order_report", "--model", "fake", *url, "--dry-run", "--json")
        assert called.code == 0
        answer = json.loads(called.out)
        roles = [one["role"] for one in answer["prompts"]]
        assert roles == ["plan", "replan", "rewrite", "refine", "cross_over", "repair"]
        assert answer["estimate"]["calls"] > 10
        for one in answer["prompts"]:
            assert f"=== {one['role']}: operator " in called.err
            assert f"{one['tokens']} tokens; asked: main 100%" in called.err
        assert "calls   about" in called.err
        assert "money   unknown" in called.err
        assert server.requests == []
        assert list(tmp_path.iterdir()) == []

    def test_a_context_that_is_too_small_is_told(self) -> None:
        small = ("--set", "models.main.context=9000")
        called = call("run", "order_report", "--model", "fake", *small, "--dry-run")
        assert "!!! models.main.context = 9000 has no room" in called.out

    def test_without_a_model_there_is_nothing_to_show(self) -> None:
        error, hint = two_lines(call("run", "order_report", "--dry-run"))
        assert error == "--dry-run: the run file names no model"
        assert "--model NAME" in hint

    def test_of_a_set_nothing_is_run_instead(self, tmp_path: Path) -> None:
        rows = tmp_path / "rows.jsonl"
        rows.touch()
        error, hint = two_lines(call("run", rows, "--model", "fake", "--dry-run"))
        assert error == f"{rows}: a problem set"
        assert hint == f"`se-agent grid {rows}` runs all its rows"


def test_an_empty_name_is_not_a_run_without_a_model() -> None:
    error, _ = two_lines(call("run", "order_report", "--model", ""))
    assert error.startswith("--set models.main.name")


@pytest.mark.tier("runs")
def test_ctrl_c_while_a_model_is_asked_saves_the_run_and_it_goes_on(
    server: Endpoint, tmp_path: Path
) -> None:
    server.will(Answer(then="stall"))
    folder = problem_folder(tmp_path)
    settings = (*QUICK, "name=asked", "budget.evaluations=3", "budget.calls=2")
    chosen = [part for each in settings for part in ("--set", each)]
    asked = ["--model", "fake", "--set", f"models.main.base_url={server.url}"]
    running = started([*COMMAND, "run", folder, *asked, *chosen], tmp_path)
    end = time.monotonic() + 60
    while not server.requests:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end, "no model was asked"
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=50)  # the server stalls for longer
    assert (exit_code(running), err) == (130, "")
    assert out.splitlines()[-2] == "interrupted; saved. Resume with:"
    assert out.splitlines()[-1].startswith("  se-agent resume ")
    server.will(wordy)
    resumed = process([*COMMAND, "resume", tmp_path / "results" / "asked", "--json"], tmp_path)
    assert resumed.code == 0, resumed
    row = json.loads(resumed.out)
    assert row["status"] in {"proven", "not_proven"}
    assert 0 < row["calls"] <= 2


@pytest.mark.tier("runs")
def test_a_model_writes_for_optimize_and_what_it_took_is_told(
    server: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server.will(wordy)
    (tmp_path / "pairs.py").write_text(INITIAL, encoding="utf-8")
    made = f"{GENERATOR}\n\ndef sized(rng):\n    return generate(rng, 200)\n"
    (tmp_path / "inputs.py").write_text(made, encoding="utf-8")
    settings = (
        "operators=mutation",
        "budget.calls=2",
        "budget.evaluations=2",
        f"models.main.base_url={server.url}",
    )
    chosen = [part for each in (*QUICK, *settings) for part in ("--set", each)]
    called = call(
        "optimize", "pairs.py:pairs", "--inputs", "inputs.py:sized", "--model", "fake", *chosen
    )
    assert called.code == 0, called
    assert "unusable reply: the reply holds no program" in called.out
    assert "models: 2 calls" in called.out


@pytest.mark.tier("runs")
@pytest.mark.parametrize("status", [401, 500])
def test_a_key_is_in_nothing_that_is_printed_or_kept(
    server: Endpoint, tmp_path: Path, status: int
) -> None:
    """The endpoint repeats it, in a reply that is used and in its errors; no command does."""

    def repeats(request: Request) -> Answer:
        program = INITIAL.replace("found = 0", "found = 1 - 1")
        told = f"# {request.headers['authorization']}\n{program}"
        return says(completion(f"```python\n{told}```"))

    def refuses(request: Request) -> Answer:
        # Longer than a call may take: no further attempt is made, however slow the machine is.
        later = {"retry-after": "3600"}
        told = f"no entry with {request.headers['authorization']}"
        return fails(status, told, headers=later)

    server.will(repeats, refuses)
    run = tmp_path / "results" / "asked"
    # One call at a time: of two at once either may get the first answer.
    settings = (
        *("name=asked", "budget.evaluations=9"),
        *("asking.in_flight=1", "models.main.total_seconds=60"),
    )
    chosen = [part for each in (*QUICK, *settings) for part in ("--set", each)]
    asked = ["--model", "fake", "--set", f"models.main.base_url={server.url}"]
    said = []
    for command, code in (
        (["run", problem_folder(tmp_path), *asked, *chosen], 2),
        (["resume", run, "--json"], 2),
        (["show", run], 0),
        (["show", run, "--calls"], 0),
        (["show", run, "g1s0", "--calls"], 0),
    ):
        called = process(["env", f"OPENAI_API_KEY={KEY}", *COMMAND, *command], tmp_path)
        assert called.code == code, called
        said += [called.out, called.err]
    assert tells(each.encode() for each in said) == []
    assert sum(f"{status}: no entry with Bearer ***" in each for each in said) >= 3
    assert sum("# Bearer ***" in each for each in said) >= 2
    left = [*left_of(tmp_path)]
    assert any(b"# Bearer ***" in each for each in left)
    assert tells(left) == []
