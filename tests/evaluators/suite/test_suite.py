"""The user's tests as a gate: real pytest, on real copies."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluators.suite.suite import Suite
from se_agent.engine.journal.journal import Journal
from se_agent.environment.process_files import command_words, process_ids
from se_agent.errors import ProblemError, SandboxError
from se_agent.events import Evaluated
from se_agent.problem.model import Gate
from se_agent.values.evaluation import Evaluation, Measurement, Status
from tests import ordinary_user
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, timed_problem
from tests.texts import TEXTS

MODULE = "def double(n):\n    return 2 * n\n"
TESTS = """\
from tools import double

def test_zero():
    assert double(0) == 0

def test_three():
    assert double(3) == 6
"""
RIGHT = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1), cost_seconds=0.1)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "tools.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "test_tools.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    gate = Gate(
        root=str(tmp_path),
        module="tools.py",
        tests="test_tools.py",
        path=(".",),
        python=sys.executable,
        seconds=10.0,
    )
    return Suite(gate)


READING = """\
from pathlib import Path
from tools import double

HERE = Path(__file__).parent

def test_it_reads_itself_and_its_data():
    assert "reads_itself" in Path(__file__).read_text()
    assert [int(word) for word in (HERE / "data" / "numbers").read_text().split()] == [1, 2]
    assert (HERE / "link").read_text() == (HERE / "data" / "numbers").read_text()
    assert double(1) == 2
"""
ASKED = """\
import os, sys
from evaluators.suite.suite import Suite
from se_agent.problem.model import Gate

os.umask(int(sys.argv[2], 8))
gate = Gate(root=sys.argv[1], module="tools.py", tests="test_tools.py", path=(".",),
            python=sys.executable)
done = Suite(gate).run(open(sys.argv[1] + "/tools.py").read())
print(done.status, done.output[-300:])
"""


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A project that everybody may read, and nobody may write: no file, no folder."""
    with tempfile.TemporaryDirectory(prefix="read-only-") as made:
        root = Path(made)
        (root / "data").mkdir()
        (root / "tools.py").write_text(MODULE, encoding="utf-8")
        (root / "test_tools.py").write_text(READING, encoding="utf-8")
        (root / "data" / "numbers").write_text("1 2", encoding="utf-8")
        (root / "link").symlink_to(root / "data" / "numbers")
        for path in (*root.rglob("*.py"), root / "data" / "numbers"):
            path.chmod(0o444)
        for path in (root / "data", root):
            path.chmod(0o555)
        yield root
        for path in (root / "data", root):
            path.chmod(0o755)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("umask", ["022", "027", "077"])
def test_a_copy_has_rights_of_its_own(read_only: Path, umask: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(read_only), umask],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("AC "), done


@pytest.mark.tier("hunts")
@ordinary_user.needs_root
@pytest.mark.parametrize("umask", ["027", "077"])
def test_an_ordinary_user_may_test_what_is_read_only(read_only: Path, umask: str) -> None:
    done = ordinary_user.python("-c", ASKED, str(read_only), umask)
    assert done.stdout.startswith("AC "), done


@ordinary_user.needs_root
def test_a_file_that_may_not_be_read_is_named(read_only: Path) -> None:
    (read_only / "data" / "numbers").chmod(0o400)
    done = ordinary_user.python("-c", ASKED, str(read_only), "022")
    assert f"{read_only}/data/numbers: cannot be copied for the tests" in done.stderr


@pytest.mark.tier("hunts")
def test_a_file_that_tests_are_refused_is_named(suite: Suite, tmp_path: Path) -> None:
    tests = "def test_it(): open('/etc/shadow')\n"
    (tmp_path / "test_tools.py").write_text(tests, encoding="utf-8")
    with pytest.raises(
        ProblemError, match=r"the tests may not use /etc/shadow: test_tools\.py"
    ):
        suite.require(MODULE)


def judged(suite: Suite, text: str) -> Evaluation:
    return suite.judged(text, RIGHT)


@pytest.mark.tier("hunts")
def test_a_python_without_pytest_is_told_apart(suite: Suite, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    venv.create(bare, symlinks=True)
    lacking = replace(suite, gate=replace(suite.gate, python=str(bare / "bin" / "python")))
    with pytest.raises(ProblemError, match="pytest is not installed") as caught:
        lacking.require(MODULE)
    command = f"`{bare / 'bin' / 'python'} -m pip install pytest`"
    assert caught.value.hint.startswith(command)


def with_tests(suite: Suite, text: str) -> Suite:
    (Path(suite.gate.root) / "test_tools.py").write_text(text, encoding="utf-8")
    return suite


@pytest.mark.tier("hunts")
def test_a_program_that_passes_stays_right_and_pays_for_it(suite: Suite) -> None:
    evaluation = judged(suite, "def double(n):\n    return n + n\n")
    assert evaluation.status is Status.AC
    assert evaluation.cost_seconds > RIGHT.cost_seconds
    assert (Path(suite.gate.root) / "tools.py").read_text(encoding="utf-8") == MODULE


@pytest.mark.tier("hunts")
def test_a_check_of_the_problem_pays_for_the_tests(suite: Suite) -> None:
    sandbox, problem = ScriptedSandbox(), timed_problem(gate=suite.gate)
    text = f"{problem.initial().text}\n\n{MODULE}"
    checked = evaluator(problem, sandbox, isolation="none").preflight(
        replace(problem.initial(), files={"solution.py": text})
    )
    assert checked.cost_seconds > sandbox.spent > 0


@pytest.mark.tier("hunts")
def test_a_program_that_fails_is_wrong_and_the_test_is_named(suite: Suite) -> None:
    evaluation = judged(suite, "def double(n):\n    return n * n\n")
    assert evaluation.status is Status.WA
    (failed,) = evaluation.failing
    assert failed.name == "test_tools.py::test_three"
    assert "9 == 6" in failed.got


@pytest.mark.tier("hunts")
def test_two_runs_of_the_same_say_the_same(suite: Suite) -> None:
    tests = """
from tools import double

def test_three(tmp_path):
    one = object()
    assert double(3) == 6, (one, tmp_path)
"""
    found = [
        judged(with_tests(suite, tests), "def double(n):\n    return n * n\n") for _ in range(2)
    ]
    assert found[0].full_output == found[1].full_output
    assert found[0].failing == found[1].failing
    assert "1 failed\n" in found[0].full_output
    assert "<object object at 0x..." in found[0].full_output


@pytest.mark.tier("hunts")
def test_tests_may_say_anything(suite: Suite, tmp_path: Path) -> None:
    said = "\ud800" + "".join(text for text in TEXTS.values() if len(text) < 1000)
    tests = f"""
import os
from tools import double

def test_all():
    os.write(1, {said.encode("utf-8", "surrogatepass")!r} + b"\\xff")
    assert double(3) == 6, {said!a}
"""
    evaluation = judged(with_tests(suite, tests), "def double(n):\n    return n * n\n")
    assert evaluation.status is Status.WA
    assert r"\ud800" in evaluation.failing[0].got + evaluation.feedback
    bare = replace(evaluation, full_output="")  # never part of an event
    made = Evaluated(solution="a", content="b", evaluation=bare)
    with Journal(tmp_path / "run.db") as journal:
        journal.append(made)
        assert list(journal.events()) == [made]


@pytest.mark.tier("hunts")
def test_a_program_that_cannot_be_imported_is_an_error_of_its_own(suite: Suite) -> None:
    assert judged(suite, "import nothing_of_the_kind\n").status is Status.RE


@pytest.mark.tier("hunts")
def test_a_program_that_never_ends_is_stopped(suite: Suite) -> None:
    short = Suite(replace(suite.gate, seconds=1.0))
    evaluation = judged(short, "def double(n):\n    while n: pass\n    return 0\n")
    assert evaluation.status is Status.TLE


@pytest.mark.tier("hunts")
def test_tests_that_fail_as_the_code_is_are_the_users_business(suite: Suite) -> None:
    with pytest.raises(ProblemError, match="test_three: assert 9 == 6"):
        suite.require("def double(n):\n    return n * n\n")


@pytest.mark.tier("hunts")
def test_why_tests_cannot_be_loaded_is_told(suite: Suite) -> None:
    told = "import tools\nimport not_there\n"
    with pytest.raises(ProblemError, match=r"test_tools.py: .*No module named 'not_there'"):
        with_tests(suite, told).require(MODULE)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("CASES = [1]\n", "no tests were found there$", id="none"),
        pytest.param("def test_tools(:\n", "the tests do not pass as the code is", id="broken"),
    ],
)
def test_a_file_without_tests_is_no_gate(suite: Suite, text: str, said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        with_tests(suite, text).require(MODULE)


@pytest.mark.tier("hunts")
def test_the_copy_has_nothing_of_git(suite: Suite) -> None:
    tests = "import os\ndef test_git(): assert '.git' not in os.listdir('.')\n"
    assert with_tests(suite, tests).require(MODULE).status is Status.AC


def test_a_large_folder_is_not_copied_again_and_again(suite: Suite) -> None:
    with (Path(suite.gate.root) / "film").open("wb") as film:
        film.truncate(65 << 20)
    with pytest.raises(ProblemError, match="more than 64 MB would be copied"):
        suite.require(MODULE)


@pytest.mark.tier("hunts")
def test_calls_can_be_written_down(suite: Suite) -> None:
    text = (
        MODULE + "import os\nfrom se_agent import wire\n"
        "open(os.environ['SE_AGENT_CALLS'], 'a').write(wire.dumps((1,)).hex())\n"
    )
    done = suite.require(text, recording=True)
    assert bytes.fromhex(done.calls)


@pytest.mark.tier("hunts")
def test_a_program_that_ends_the_tests_early_has_not_passed(suite: Suite) -> None:
    evaluation = judged(suite, "import os\nos._exit(0)\n")
    assert evaluation.status is Status.RE
    assert "before the tests were through" in evaluation.feedback


@pytest.mark.tier("hunts")
def test_nothing_that_the_tests_start_outlives_them(suite: Suite, tmp_path: Path) -> None:
    """Also where it left the session; its command line still names the folder of the run."""
    daemon = (
        "import os, time\n"
        "def double(n):\n"
        "    if n and os.fork() == 0:\n"
        "        os.setsid()\n"
        "        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(60)',"
        f" {str(tmp_path)!r}])\n"
        "    return 2 * n\n"
    )
    assert judged(suite, f"import sys\n{daemon}").status is Status.AC
    assert [pid for pid in process_ids() if str(tmp_path) in command_words(pid)] == []


def waiting(suite: Suite, folder: Path, until: str) -> Suite:
    """Return a suite with one test, which writes that it began and waits for a file.

    At this level it reaches both: the tests below are about processes, not about the jail.
    """
    begun, ended = (str(folder / name) for name in ("begun", until))
    tests = (
        "import pathlib, time\n\ndef test_it():\n"
        f"    pathlib.Path({begun!r}).touch()\n"
        f"    while not pathlib.Path({ended!r}).exists(): time.sleep(0.01)\n"
    )
    return replace(with_tests(suite, tests), isolation="none")


def await_begin(folder: Path, running: Future[Any]) -> None:
    while not (folder / "begun").exists():
        assert not running.done(), running.result()
        time.sleep(0.01)


def test_who_closes_an_evaluator_ends_its_tests(suite: Suite, tmp_path: Path) -> None:
    gate = waiting(suite, tmp_path, until="never").gate
    problem = timed_problem(gate=gate)
    made = evaluator(problem, ScriptedSandbox(), isolation="none")
    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(lambda: made.evaluate(problem.initial()))
        await_begin(tmp_path, running)
        made.close()
        with pytest.raises(SandboxError, match="closed"):
            running.result()
    with pytest.raises(SandboxError, match="closed"):
        made.evaluate(problem.initial())


@pytest.mark.tier("hunts")
def test_what_other_children_use_is_not_on_its_bill(suite: Suite, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(waiting(suite, tmp_path, until="done").run, MODULE)
        await_begin(tmp_path, running)
        burn = "import time\nwhile time.process_time() < 3: pass"
        subprocess.run([sys.executable, "-c", burn], check=True)
        (tmp_path / "done").touch()
        found = running.result()
    assert found.status is Status.AC
    assert 0 < found.cpu_seconds < 3
