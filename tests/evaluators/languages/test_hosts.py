"""Programs with a run time of their own: verdicts as for others, and nothing to reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evaluators.languages.compiling import CompilingSandbox
from evaluators.languages.hosts import HOSTS, run_time
from evaluators.languages.table import TABLE
from evaluators.languages.tool import installed
from evaluators.sandbox.isolation import ordinary
from evaluators.sandbox.job import Job, JobOutcome, Mode
from evaluators.sandbox.server.fork_server import ForkServer
from evaluators.sandbox.server.probe import tried
from se_agent.errors import IsolationError
from se_agent.problem.model import Limits
from se_agent.program.language import Language
from se_agent.values.evaluation import Status
from se_agent.wire import dumps, loads
from tests.evaluators.languages.hosted import PROGRAMS

_WHY = tried("namespace")
pytestmark = pytest.mark.skipif(bool(_WHY), reason=f"no namespaces here: {_WHY}")
LIMITS = Limits(cpu_seconds=60.0, memory_bytes=256 << 20, output_bytes=1 << 20)
TIGHT = replace(LIMITS, cpu_seconds=1.0)


@dataclass
class Place:
    """A sandbox for one language."""

    language: Language
    sandbox: CompilingSandbox

    def run(self, attempt: str, stdin: str = "", limits: Limits = LIMITS) -> JobOutcome:
        return self.text(getattr(PROGRAMS[self.language], attempt), stdin, limits)

    def text(self, text: str, stdin: str = "", limits: Limits = LIMITS) -> JobOutcome:
        data = (stdin.encode(),)
        return self.sandbox.run(Job(program=text, inputs=data, mode=Mode.STDIO, limits=limits))

    def printed(self, attempt: str, stdin: str = "") -> str:
        outcome = self.run(attempt, stdin)
        assert outcome.status is Status.AC, outcome.feedback
        return outcome.answers[0].value.decode().strip()


@pytest.fixture(scope="module", params=list(PROGRAMS), ids=str)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    language: Language = request.param
    if installed(language) is None:
        pytest.skip(f"no {' or '.join(TABLE[language].tools)} here")
    server = ForkServer("namespace", patience=0.5, run_time=run_time(language))
    sandbox = CompilingSandbox(server, language, "namespace")
    yield Place(language, sandbox)
    sandbox.close()


def test_every_language_that_needs_threads_is_tried() -> None:
    assert set(PROGRAMS) == set(HOSTS) == {one for one in Language if one.needs}


def test_an_answer_is_what_was_printed(place: Place) -> None:
    outcome = place.run("adds", "3 4\n")
    assert (outcome.status, outcome.answers[0].value) == (Status.AC, b"7\n")
    assert 0 < outcome.cpu_seconds < LIMITS.cpu_seconds
    assert 1 << 20 < outcome.peak_bytes < LIMITS.memory_bytes


def test_the_empty_program_does_nothing(place: Place) -> None:
    outcome = place.text(TABLE[place.language].empty)
    assert (outcome.status, outcome.answers[0].value) == (Status.AC, b"")


def test_an_error_is_told_with_its_words(place: Place) -> None:
    outcome = place.run("fails")
    assert outcome.status is Status.RE
    assert "exit code" in outcome.feedback
    assert "oops" in outcome.feedback
    assert "se-agent" not in outcome.feedback  # no folder of ours


def test_what_cannot_be_compiled_is_told_by_its_line(place: Place) -> None:
    outcome = place.run("broken")
    assert outcome.status is Status.CE
    assert f"{TABLE[place.language].source}{place.language.suffix}:" in outcome.feedback
    assert "se-agent" not in outcome.feedback
    assert "    at " not in outcome.feedback  # nothing of the tool's own code


@pytest.mark.parametrize(("attempt", "told"), [("spins", "CPU time"), ("waits", "to wait")])
def test_no_end_is_too_late(place: Place, attempt: str, told: str) -> None:
    outcome = place.run(attempt, limits=TIGHT)
    assert outcome.status is Status.TLE
    assert told in outcome.feedback


@pytest.mark.parametrize("attempt", ["heap", "beside"])
def test_memory_has_an_end(place: Place, attempt: str) -> None:
    outcome = place.run(attempt)
    assert outcome.status is Status.MLE
    assert outcome.feedback.startswith("out of memory")


def test_recursion_may_be_deep(place: Place) -> None:
    assert place.printed("recurses") == "20000"


def test_files_of_the_host_are_not_there(place: Place, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    paths = ["/etc/passwd", "/etc/hostname", str(secret), __file__, "/proc/1/environ"]
    assert place.printed("reads", "\n".join(paths)) == ""
    assert place.printed("reads", "/proc/self/stat") == "/proc/self/stat"  # it can read


@pytest.mark.parametrize("attempt", ["connects", "spawns"])
def test_there_is_no_network_and_no_child(place: Place, attempt: str) -> None:
    assert place.printed(attempt) == "refused"


def test_threads_work(place: Place) -> None:
    assert place.printed("works") == "42"


def test_a_thread_that_is_left_behind_ends_with_its_program(place: Place) -> None:
    assert place.printed("leaves") == "left"
    assert place.printed("adds", "3 4\n") == "7"


def test_files_are_its_own_and_gone_with_it(place: Place) -> None:
    assert place.printed("files") == "own text"
    assert place.printed("reads", "/tmp/own\nown") == ""


def test_the_environment_is_an_ordinary_one(place: Place) -> None:
    own = HOSTS[place.language].environment
    assert {*place.printed("tells").split()} == {*ordinary.environment("/tmp"), *own}


def test_what_is_called_is_python(place: Place) -> None:
    job = Job(program="def f(x): return x + 1", entry_point="f", inputs=(dumps((1,)),))
    assert loads(place.sandbox.run(job).answers[0].value) == 2


@pytest.mark.parametrize("level", ["jail", "bubblewrap", "container", "none"])
@pytest.mark.parametrize("language", list(HOSTS), ids=str)
def test_no_other_level_has_room(language: Language, level: str) -> None:
    server = ForkServer()
    with pytest.raises(IsolationError, match=f"programs in {language} need threads") as caught:
        CompilingSandbox(server, language, level)
    assert "sandbox.isolation=namespace" in caught.value.hint
    server.close()
