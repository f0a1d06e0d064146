from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluators.kinds.command import CommandEvaluator, score_of
from evaluators.sandbox.isolation.ordinary import environment
from evaluators.sandbox.server.probe import leaves_no_trace
from se_agent.config.sections import Measure
from se_agent.environment.process_files import stat_fields
from se_agent.errors import IsolationError, ProblemError, SandboxError
from se_agent.problem.model import Limits, Problem, ProblemKind
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import MOST_OUTPUT, Evaluation, Status
from se_agent.values.solution import Solution
from tests.contracts.evaluator import EvaluatorContract
from tests.evaluators.worlds import solution


def command_problem(**changes: Any) -> Problem:
    """Return a problem whose programs print their own score."""
    problem = Problem(
        name="printed",
        kind=ProblemKind.COMMAND,
        programs={"initial": "print(3)\n"},
        command=("python3", "{program}"),
        unit="",
        direction="minimize",
        limits=Limits(cpu_seconds=1.0, output_bytes=1 << 20),
    )
    return replace(problem, **changes)


def evaluated(text: str, *, isolation: str = "jail", **changes: Any) -> Evaluation:
    evaluator = CommandEvaluator(
        command_problem(**changes), measure=Measure(), isolation=isolation
    )
    return evaluator.evaluate(solution(text))


class TestCommandEvaluator(EvaluatorContract):
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        evaluator = CommandEvaluator(command_problem(), measure=Measure())
        yield evaluator
        evaluator.close()

    @pytest.fixture
    def initial(self) -> Solution:
        return command_problem().initial()

    @pytest.fixture
    def better(self) -> Solution:
        return solution("print('the judge says')\nprint('{\"score\": 2.5}')\n\n")

    @pytest.fixture
    def failing(self) -> dict[Status, Solution]:
        return {
            Status.WA: solution("print('fine')"),
            Status.RE: solution("print(1)\nraise SystemExit(3)"),
            Status.TLE: solution("while True: pass"),
        }


class TestScore:
    @pytest.mark.parametrize(
        ("output", "score"),
        [
            ("3", 3.0),
            ("-1.5e3\n\n  \n", -1500.0),
            ("1\n2\n", 2.0),
            ('loss\n{"loss": 1, "score": 0.25}\n', 0.25),
        ],
    )
    def test_it_stands_on_the_last_line(self, output: str, score: float) -> None:
        assert score_of(output) == score

    @pytest.mark.parametrize("text", ["nan", "-inf", "1e999", '{"score": NaN}', "9" * 400])
    def test_it_is_finite(self, text: str) -> None:
        with pytest.raises(ValueError, match="not finite"):
            score_of(text)

    @pytest.mark.parametrize(
        "text", ["", "three", "{}", '{"score": true}', '{"score": "3"}', "{" * 9999, "[1]"]
    )
    def test_what_is_no_score_is_said(self, text: str) -> None:
        with pytest.raises(ValueError, match="the last line is no score: "):
            score_of(text)

    def test_half_a_number_is_none(self) -> None:
        found = evaluated("print('1' * 70_000)")
        assert (found.status, found.score) == (Status.WA, None)


def test_a_program_that_prints_a_gigabyte_is_ended_and_its_output_cut() -> None:
    found = evaluated("for _ in range(1 << 14): print('x' * (1 << 16))")
    assert found.status is Status.RE
    assert "x" * 1000 in found.full_output
    assert len(found.full_output) <= MOST_OUTPUT + 1000


class TestRuns:
    def test_files_lie_beside_the_program_and_all_words_reach_the_command(self) -> None:
        judge = "import sys; print(len(open(sys.argv[1]).read()) + int(sys.argv[2]))"
        found = evaluated(
            "12345",
            command=("python3", "tools/judge.py", "{program}", "100"),
            files={"tools/judge.py": judge},
        )
        assert found.score == 105

    def test_any_program_may_be_the_command(self) -> None:
        assert evaluated("7\n", command=("cat", "{program}")).score == 7

    def test_every_run_begins_in_a_fresh_folder(self) -> None:
        text = (
            "import os, pathlib\nkept = pathlib.Path(os.environ['TMPDIR'], 'kept')\n"
            "print(int(kept.exists()))\nkept.touch()\n"
        )
        evaluator = CommandEvaluator(command_problem(), measure=Measure())
        block = evaluator.block(solution("print(3)"), solution(text), number=0, pairs=1)
        assert (block.status, block.candidate) == (Status.AC, 0.0)

    def test_the_environment_holds_no_keys(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SECRET_API_KEY", "1")
        assert (
            evaluated("import os; print('SECRET_API_KEY' in os.environ and 1 or 0)").score == 0
        )

    def test_the_environment_is_an_ordinary_one(self) -> None:
        names = sorted({*environment("/"), "TMPDIR"} - {"HOME"})
        text = f"import os; print(int(all(name in os.environ for name in {names})))"
        assert evaluated(text).score == 1
        assert evaluated("import os; print(int(os.getcwd() == os.environ['PWD']))").score == 1

    def test_what_it_complains_is_told(self) -> None:
        found = evaluated("import sys\nsys.exit('no licence')")
        assert (found.status, found.feedback) == (Status.RE, "no licence")

    def test_an_error_is_told_though_little_is_shown_of_where_it_was(self) -> None:
        calls = "".join(f"def f{n}(x):\n    return (f{n + 1}(x)) + x\n" for n in range(30))
        deep = command_problem(programs={"initial": f"{calls}f30 = int\nf0('no number')\n"})
        evaluator = CommandEvaluator(deep, measure=Measure())
        told = r"has no score \(RE\): ValueError: invalid literal for int\(\) with base 10"
        with pytest.raises(ProblemError, match=told) as caught:
            evaluator.preflight(deep.initial())
        assert "^" not in str(caught.value)

    def test_a_score_that_changes_is_no_score(self) -> None:
        moody = command_problem(programs={"initial": "print(hash('x'))"})
        evaluator = CommandEvaluator(moody, measure=Measure())
        with pytest.raises(ProblemError, match="non-deterministic: its score is") as caught:
            evaluator.preflight(moody.initial())
        assert "keep times out of the score" in caught.value.hint


class TestShutIn:
    @pytest.mark.parametrize(
        "deed",
        [
            pytest.param("open({path!r}, 'w')", id="write"),
            pytest.param("open({path!r}).read()", id="read"),
            pytest.param("import socket; socket.socket()", id="network"),
            pytest.param("open('main.py', 'w')", id="itself"),
            pytest.param("import os; os.setsid()", id="session"),
            pytest.param(
                "import os, resource as r; r.prlimit(os.getppid(), r.RLIMIT_CORE, (0, 0))",
                id="limits of others",
            ),
            pytest.param(
                "import os; os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0))",
                id="processors of others",
            ),
            pytest.param("import os; os.setpriority(0, os.getppid(), 0)", id="others' turn"),
            pytest.param("import time; time.clock_settime(0, time.time())", id="clock"),
            pytest.param(
                "import fcntl, os, tempfile\n"
                "fcntl.ioctl(tempfile.TemporaryFile(), 0x40086602, bytes([16] + [0] * 7))",
                id="mark that keeps a file",
            ),
        ],
    )
    def test_files_and_network_are_refused(self, deed: str, tmp_path: Path) -> None:
        path = tmp_path / "secret"
        path.write_text("1", encoding="utf-8")
        found = evaluated(deed.format(path=str(path)) + "\nprint(1)")
        assert (found.status, path.read_text(encoding="utf-8")) == (Status.RE, "1")
        assert "PermissionError" in found.feedback

    def test_its_own_limits_are_its_own_business(self) -> None:
        text = (
            "import os, resource\nos.sched_setaffinity(0, os.sched_getaffinity(0))\n"
            "resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))\nprint(os.nice(1))\n"
        )
        assert evaluated(text).status is Status.AC

    @pytest.mark.parametrize(
        "call", ["shmget(7, 4096, 0o1600)", "msgget(7, 0o1600)", "semget(7, 1, 0o1600)"]
    )
    def test_what_would_stay_in_the_kernel_is_refused(self, call: str) -> None:
        assert evaluated(f"import ctypes\nprint(ctypes.CDLL(None).{call})").score == -1

    @pytest.mark.skipif(not leaves_no_trace(), reason="mounts cannot be made here")
    def test_its_processes_may_share_locks_and_queues(self) -> None:
        text = (
            "import multiprocessing\n"
            "queue = multiprocessing.Queue()\n"
            "child = multiprocessing.Process(target=queue.put, args=(7,))\n"
            "child.start()\nprint(queue.get(timeout=30))\n"
        )
        assert evaluated(text).score == 7

    @pytest.mark.skipif(not leaves_no_trace(), reason="mounts cannot be made here")
    def test_shared_memory_is_its_own(self, tmp_path: Path) -> None:
        name = f"se-agent-{os.getpid()}-{tmp_path.name}"
        deeds = f"open('/dev/shm/{name}', 'x')\nprint(len(os.listdir('/dev/shm')))"
        for _ in range(2):
            assert evaluated(f"import os\n{deeds}").score == 1
        assert not Path("/dev/shm", name).exists()

    def test_nothing_is_left_behind(self) -> None:
        text = (
            "import subprocess\n"
            "left = subprocess.Popen(['sleep', '600'], stdout=subprocess.DEVNULL)\n"
            "print(left.pid)\n"
        )
        pid = evaluated(text).score
        assert pid is not None
        for _ in range(100):  # it is killed; the kernel takes its time to tell
            if state_of(int(pid)) in ("gone", "Z"):
                return
            time.sleep(0.05)
        pytest.fail(f"process {pid:.0f} still runs")

    def test_a_folder_a_thousand_deep_does_no_harm(self) -> None:
        text = (
            "import os\nos.chdir(os.environ['TMPDIR'])\n"
            "for _ in range(1500):\n os.mkdir('d')\n os.chdir('d')\nprint(1)"
        )
        assert evaluated(text).score == 1

    def test_output_is_limited(self) -> None:
        found = evaluated("print('x' * 5_000_000)\nprint(1)")
        assert found.status is Status.RE

    @pytest.mark.tier("hunts")
    def test_none_only_limits(self, tmp_path: Path) -> None:
        path = tmp_path / "note"
        found = evaluated(f"open({str(path)!r}, 'w')\nprint(1)", isolation="none")
        assert (found.status, path.exists()) == (Status.AC, True)
        assert evaluated("while True: pass", isolation="none").status is Status.TLE

    def test_closing_ends_what_is_under_way(self) -> None:
        evaluator = CommandEvaluator(command_problem(), measure=Measure())
        threading.Timer(0.3, evaluator.close).start()
        with pytest.raises(SandboxError, match="closed"):
            evaluator.evaluate(solution("import time; time.sleep(600)"))


class TestRefused:
    def test_a_command_that_cannot_start(self) -> None:
        problem = command_problem(command=("no-such-tool", "{program}"))
        with pytest.raises(ProblemError, match="cannot start: there is no program 'no-such-"):
            CommandEvaluator(problem, measure=Measure())

    def test_a_level_that_has_no_room_for_commands(self) -> None:
        with pytest.raises(IsolationError, match="cannot run at isolation `namespace`"):
            CommandEvaluator(command_problem(), measure=Measure(), isolation="namespace")


def state_of(pid: int) -> str:
    """Return the state of a process: Z for one that ended, and `gone`."""
    try:
        return stat_fields(pid)[0]
    except (FileNotFoundError, ProcessLookupError):
        return "gone"
