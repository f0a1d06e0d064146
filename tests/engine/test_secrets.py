"""No secret of the machine or of a project is in what a run sends, keeps or raises."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.abilities.evaluator import Challenger, Observing, Patient
from se_agent.engine.judging.redacting import clean_errors, redacting
from se_agent.engine.run.recorded import _is_cleaned
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import redactor_of
from se_agent.engine.run.start import start
from se_agent.errors import ProblemError
from se_agent.redaction.redactor import Redactor
from se_agent.redaction.secret_values import secrets_in
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.observation import Call, Observation
from se_agent.values.solution import Solution
from tests.engine.models.test_keys import left_of
from tests.engine.runs import factory
from tests.engine.talking import run_file
from tests.fakes import number_problem
from tests.llm.endpoint import Endpoint, completion, says, serving

SECRET = "Qx4mZp81LwTr6Kv2"
REDACT = Redactor([SECRET])
FAILED = FailedCase(name=SECRET, expected=SECRET[::-1], got=f"got {SECRET}", input=SECRET)
CLEAN = FailedCase(name="***", expected="***", got="got ***", input="***")
PROGRAM = Solution(id="Gen0_Sol_0", files={"main.py": "x = 1"})


class Telling:
    """An evaluator of which all that it says is a secret."""

    kind = ComparisonKind.EXACT

    def evaluate(self, solution: Solution) -> Evaluation:
        return Evaluation(status=Status.RE, failing=(FAILED,), feedback=f"said {SECRET}")

    def preflight(self, solution: Solution) -> Preflight:
        raise ProblemError(f"it says {SECRET}", hint=f"not {SECRET}", said=SECRET)

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        return Block(
            number=number, effect=0.5, reference=1.0, candidate=2.0, pair_effects=(0.5,),
            status=Status.WA, feedback=SECRET, failing=(FAILED,),
        )  # fmt: skip

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        found = Counterexample(arguments='["Qx4m"]', failed=FAILED)
        return Hunt(tried=3, found=found, outside=SECRET, note=SECRET)

    def retest(self, solution: Solution, tests: object) -> Evaluation:
        return self.evaluate(solution)

    def observe(self, solution: Solution) -> Observation:
        calls = (Call.of((SECRET,), 1), Call.of((1,), 2))
        return Observation(calls={"f": calls, "g": calls[:1]}, cost_seconds=1.0)

    def close(self) -> None:
        """End nothing."""


class TestARedactingEvaluator:
    evaluator = redacting(Telling(), REDACT)

    def test_can_what_the_other_one_can_and_no_more(self) -> None:
        assert isinstance(self.evaluator, Challenger)
        assert isinstance(self.evaluator, Observing)
        assert not isinstance(self.evaluator, Patient)
        assert self.evaluator.kind is ComparisonKind.EXACT

    def test_says_how_a_program_failed_without_secrets(self) -> None:
        assert self.evaluator.evaluate(PROGRAM) == Evaluation(
            status=Status.RE, failing=(CLEAN,), feedback="said ***"
        )
        block = self.evaluator.block(PROGRAM, PROGRAM, number=3, pairs=1)
        assert (block.feedback, block.failing) == ("***", (CLEAN,))
        assert (block.number, block.pair_effects, block.status) == (3, (0.5,), Status.WA)

    def test_leaves_the_input_of_a_counterexample_as_it_is(self) -> None:
        assert isinstance(self.evaluator, Challenger)
        hunt = self.evaluator.hunt(PROGRAM, seconds=1.0)
        known = Counterexample(arguments='["Qx4m"]', failed=CLEAN)
        assert hunt == Hunt(tried=3, found=known, outside="***", note="***")

    def test_has_seen_no_call_with_a_secret(self) -> None:
        assert isinstance(self.evaluator, Observing)
        seen = self.evaluator.observe(PROGRAM)
        assert seen == Observation(calls={"f": (Call.of((1,), 2),)}, cost_seconds=1.0)

    def test_raises_errors_without_secrets(self) -> None:
        with pytest.raises(ProblemError, match=r"^it says \*\*\*$") as raised:
            self.evaluator.preflight(PROGRAM)
        assert (raised.value.hint, raised.value.said) == ("not ***", "***")


def test_other_errors_are_left_as_they_are() -> None:
    with pytest.raises(KeyError, match=SECRET), clean_errors(REDACT):
        raise KeyError(SECRET)


def test_what_was_taken_out_is_no_difference() -> None:
    assert _is_cleaned("a *** b *** c", f"a {SECRET} b {SECRET[::-1]} c")
    assert _is_cleaned("***", "anything")
    assert not _is_cleaned("a *** c", f"a {SECRET} d")
    assert not _is_cleaned("a *** b *** c", f"a {SECRET} c")
    assert not _is_cleaned("a b", "a c")


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


def test_a_program_with_a_secret_in_it_is_sent_without_and_replays(
    server: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_DOOR", "another-secret-77")
    monkeypatch.setenv("SOME_TOKEN", SECRET)
    garbled = SECRET.encode().hex()
    server.will(says(completion(f"# {garbled}\nx = 5")))
    problem = replace(number_problem(), programs={"initial": f"# {SECRET}\nx = 1"})
    endpoint = {"name": "any", "base_url": server.url, "key": "MY_DOOR", "total_seconds": 2.0}
    start(
        run_file(tmp_path, models={"main": endpoint}, budget={"calls": 3}),
        problem=problem,
        evaluators=factory(ComparisonKind.EXACT),
    )
    prompts = [m["content"] for r in server.requests for m in r.body["messages"]]
    assert any("# ***\nx = 1" in prompt for prompt in prompts)
    assert not any(SECRET in prompt or garbled in prompt for prompt in prompts)
    assert not any(garbled.encode() in data for data in left_of(tmp_path))
    assert replay(tmp_path / "run").differences == ()


def test_secrets_of_the_environment_are_those_whose_names_tell() -> None:
    environ = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/somewhere/of/mine",
        "LANG": "en_US.UTF-8",
        "SSH_AUTH_SOCK": "/tmp/ssh-XXXX/agent.1",
        "EDITOR": "a-long-editor",
        "API_KEY": "a-long-value",
        "SHORT_KEY": "short",
        "DATABASE_URL": "postgres://me:database-pw@host/name",
        "GIT_AUTHOR_NAME": "Alexandra Smith",
        "DB_PASS": "correct-horse",
        "PASSENGERS": "a-long-queue",
        "AWS_SECRET_ACCESS_KEY": "/4" + "Ab7/" * 9 + "Zz",
        "KEY_PATH": "/some/where/below/here/deep/down/keys",
        "DOOR": "open-sesame-9",
    }
    found = secrets_in([], environ, ["DOOR"])
    drawn = environ["AWS_SECRET_ACCESS_KEY"]
    assert found == ("a-long-value", "database-pw", "correct-horse", drawn, "open-sesame-9")


def test_of_a_long_value_of_the_environment_all_parts_are_secret() -> None:
    lines = [f"MII{n}" + "aB3/" * 15 for n in range(20)]
    key = {"type": "service_account", "private_key": "\n".join(["-----BEGIN", *lines])}
    redact = Redactor(secrets_in([], {"GOOGLE_CREDENTIALS": json.dumps(key)}))
    assert redact(f"it is {lines[-1]}!") == "it is ***!"


@pytest.mark.tier("runs")
def test_keys_are_found_behind_thousands_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "z").mkdir()
    for number in range(4001):
        (tmp_path / f"z/{number}.json").write_text("", encoding="ascii")
    (tmp_path / "a/.env").write_text("DB_PASS=correct-horse\n", encoding="ascii")
    assert secrets_in([str(tmp_path)], {}) == ("correct-horse",)


def test_the_files_of_a_project_tell_theirs(tmp_path: Path) -> None:
    for name, text in {
        ".env": "A=value-of-a1\nexport SECRET='with spaces, 1'\nDEBUG=true\n",
        ".git/config": "url = https://me:git-password@host/x\n",
        ".git/HEAD": "ref: refs/heads/token=nothing-secret-1\n",
        "local.py": "DB_PASSWORD = 'local-passw0rd'\nNAME = 'nothing-secret-2'\n",
        "shown.py": "API_KEY = 'shown-key-12345'\nkey = 'a_plain_name_of_a_key'\n",
        "server.pem": f"-----BEGIN PRIVATE KEY-----\n{'Ab1/' * 16}\n-----END PRIVATE KEY-----",
        ".venv/pyvenv.cfg": "",
        ".venv/x.py": "API_KEY = 'nothing-secret-3'",
        ".gitignore": "local.py\n",
        "secrets/db": "mounted-passw0rd\n",
        "credentials/store.py": "def f(token: nothing_Secret4) -> nothing_Secret5: ...\n",
        "credentials.py": "def f(token: nothing_Secret6): ...\nPASSWORD = 'correct-horse'\n",
        ".editorconfig": f"{30 * '='}\n",
        "urls.py": "# https://me:password@host, https://me:<password>@host\nA = 1\n",
        "settings.yaml": "db:\n  password: yaml-passw0rd-1\n  user: nothing-secret-4\n",
        "tool.ini": "[db]\npass = ini-passw0rd-12\nbypassing = nothing-secret-5\n",
        "main.properties": "db.dbpass=prop-passw0rd-1\nkey=plain.place\n",
        "other.py": "def f(key=a_nothing_of_1234): pass\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.mkfifo(tmp_path / ".pipe")
    found = secrets_in([str(tmp_path)], {})
    assert {"value-of-a1", "with spaces, 1", "git-password", "local-passw0rd"} <= {*found}
    assert {"shown-key-12345", "Ab1/" * 16, "mounted-passw0rd", "correct-horse"} <= {*found}
    assert {"yaml-passw0rd-1", "ini-passw0rd-12", "prop-passw0rd-1"} <= {*found}
    assert not [each for each in found if re.search("nothing|plain|true|^<?password|==", each)]


def test_a_bundle_of_certificates_leaves_room_for_secrets(tmp_path: Path) -> None:
    lines = "\n".join(f"MII{n:04}" + "aB3/" * 15 for n in range(500))
    bundle = f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n"
    (tmp_path / "ca.pem").write_text(2 * bundle, encoding="ascii")
    (tmp_path / "z").mkdir()
    (tmp_path / "z/.env").write_text("DB_PASS=correct-horse\n", encoding="ascii")
    assert secrets_in([str(tmp_path)], {}) == ("correct-horse",)


def test_a_file_that_is_shown_besides_tells_its_secrets(tmp_path: Path) -> None:
    for name, text in (
        ("prod.env", "A=k3yk3yk3y9\n"),
        ("more.json", '{"token": "t0kent0ken99"}'),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert secrets_in([str(tmp_path / name)], {}) == (text.strip('A=\n{}"').split('"')[-1],)


def test_what_is_read_of_a_project_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "large.env").write_text("KEY=abcdefgh1\n" * 100_000, encoding="ascii")
    for number in range(60):
        lines = "".join(f"K{number}_{n}_TOKEN=v{number}-{n}-token\n" for n in range(4000))
        (tmp_path / f"{number}.env").write_text(lines, encoding="ascii")
    assert len(secrets_in([str(tmp_path)], {})) == 400


def test_keys_of_models_are_secret_whatever_their_names(tmp_path: Path) -> None:
    config = run_file(tmp_path, models={"main": {"name": "any", "key": "DOOR"}})
    redact = redactor_of(number_problem(), config, {"DOOR": "open-sesame-9"})
    assert redact("open-sesame-9") == "***"
