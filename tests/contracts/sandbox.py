"""What every sandbox promises, at any level.

Inherit, and give two fixtures: `sandbox`, which tests may share, and `disposable`, which a
test closes.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evaluators.sandbox.job import Job, JobOutcome, Mode, Sandbox
from se_agent.errors import SandboxError
from se_agent.problem.model import Limits
from se_agent.values.evaluation import Status
from se_agent.wire import dumps, loads

LIMITS = Limits(cpu_seconds=10.0, memory_bytes=128 << 20, output_bytes=1 << 20)
"""Limits of a job that no time limit is to end, however slow the machine is."""

TIGHT = replace(LIMITS, cpu_seconds=0.3)
"""Limits of a job that its time limit is to end."""

LONG = Limits(cpu_seconds=60.0)


def limits_for(status: object) -> Limits:
    """Return the limits of a job that is expected to end like this."""
    return TIGHT if status == Status.TLE else LIMITS


def call(program: str, *inputs: tuple[object, ...], **more: object) -> Job:
    """Return a job that calls `f` once per tuple of arguments."""
    settings = {"entry_point": "f", "limits": LIMITS, **more}
    return Job(program=program, inputs=tuple(map(dumps, inputs or ((),))), **settings)  # type: ignore[arg-type]


def script(program: str, stdin: bytes = b"", limits: Limits = LIMITS) -> Job:
    """Return a job that runs a script."""
    return Job(program=program, inputs=(stdin,), mode=Mode.STDIO, limits=limits)


def values(outcome: JobOutcome) -> list[object]:
    """Return the decoded values of all answers."""
    return [loads(answer.value) for answer in outcome.answers]


class SandboxContract:
    """Inherited by the tests of every level of isolation."""

    def test_answers_every_input_in_order(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("def f(x, y): return x - y", (5, 3), (3, 5)))
        assert (outcome.status, values(outcome)) == (Status.AC, [2, -2])

    @pytest.mark.parametrize("at_once", [1, 3, 70, 0])
    def test_the_groups_in_which_inputs_pass_change_nothing(
        self, sandbox: Sandbox, at_once: int
    ) -> None:
        program = "def f(n, xs):\n    if n % 3: xs.append(n)\n    return 60 // (n % 7)"
        inputs = [(n, [n]) for n in range(130)]
        outcome = sandbox.run(call(program, *inputs, at_once=at_once, keep_errors=True))
        assert outcome.status is Status.AC
        for (n, xs), answer in zip(inputs, outcome.answers, strict=True):
            assert bool(answer.error) == (n % 7 == 0)
            assert answer.error or loads(answer.value) == 60 // (n % 7)
            left = loads(answer.arguments) if n % 3 else (n, xs)
            assert left == (n, [n, n] if n % 3 else [n])

    @pytest.mark.parametrize("at_once", [1, 3, 0])
    def test_calls_that_are_timed_apart_answer_as_others(
        self, sandbox: Sandbox, at_once: int
    ) -> None:
        program = "def f(n, xs):\n    if n % 3: xs.append(n)\n    return 60 // (n % 7)"
        inputs = [(n, [n]) for n in range(30)]
        apart, usual = (
            sandbox.run(call(program, *inputs, at_once=at_once, warm=warm, keep_errors=True))
            for warm in (4, 0)
        )
        assert (apart.status, apart.answers) == (usual.status, usual.answers)
        assert usual.calls_seconds is None
        assert apart.calls_seconds is not None
        assert 0 < apart.first_seconds + apart.calls_seconds < apart.cpu_seconds

    def test_what_is_done_once_is_in_no_call_that_is_timed(self, sandbox: Sandbox) -> None:
        program = (
            "made = sum(range(10**6))\n"
            "def f(n):\n    global made\n    made = made or sum(range(10**6))\n"
            "    return sum(range(10**6)) if n == 0 else n\n"
        )
        outcome = sandbox.run(call(program, *((n,) for n in range(9)), warm=1, limits=LONG))
        assert outcome.calls_seconds is not None
        assert outcome.calls_seconds < outcome.first_seconds / 2

    @pytest.mark.parametrize(
        ("fails", "status"),
        [
            ("raise ValueError(n)", Status.RE),
            ("__import__('os')._exit(0)", Status.RE),
            ("return object()", Status.RE),
            ("return 'x' * (2 << 20)", Status.RE),
            ("sum(iter(int, 1))", Status.TLE),
            ("return bytearray(200 << 20)", Status.MLE),
        ],
    )
    def test_the_input_at_which_it_fails_is_known_among_many(
        self, sandbox: Sandbox, fails: str, status: Status
    ) -> None:
        program = f"def f(n):\n    if n == 101: {fails}\n    return n"
        inputs = [(n,) for n in range(200)]
        outcome = sandbox.run(call(program, *inputs, limits=limits_for(status)))
        assert (outcome.status, values(outcome)) == (status, [*range(101)])

    def test_returns_exact_types(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("def f(x): return x", ({1: (True, 2.5)},)))
        assert repr(values(outcome)) == "[{1: (True, 2.5)}]"

    def test_tells_arguments_that_were_changed(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("def f(xs): xs.sort()", ([3, 1],), ([1, 3],)))
        changed, same = outcome.answers
        assert loads(changed.arguments) == ([1, 3],)
        assert same.arguments == b""

    def test_measures_cpu_and_memory_of_the_job_alone(self, sandbox: Sandbox) -> None:
        small = sandbox.run(call("def f(): return 1"))
        program = "def f():\n    data = bytearray(50 << 20)\n    return sum(data[:3000000])"
        large = sandbox.run(call(program))
        again = sandbox.run(call("def f(): return 1"))
        assert 0 < small.cpu_seconds < large.cpu_seconds
        assert large.peak_bytes - small.peak_bytes > 45 << 20
        assert again.peak_bytes - small.peak_bytes < 10 << 20

    def test_reads_a_clock_that_does_not_step(self, sandbox: Sandbox) -> None:
        program = (
            "from time import process_time_ns as now\n"
            "def f():\n    return [(now(), sum(range(100)))[0] for _ in range(50)]"
        )
        (times,) = values(sandbox.run(call(program)))
        assert isinstance(times, list)
        assert len(set(times)) == 50

    def test_does_not_count_the_end_of_the_process(self, sandbox: Sandbox) -> None:
        program = (
            "from time import process_time\ndata = bytearray(90 << 20)\n"
            "def f(): return process_time()"
        )
        afterwards = []
        for _ in range(5):  # a busy machine only ever adds
            outcome = sandbox.run(call(program))
            (at_the_call,) = values(outcome)
            assert isinstance(at_the_call, float)
            afterwards.append(outcome.cpu_seconds - at_the_call)
        assert 0 < min(afterwards) < 0.005

    def test_loads_apart_when_asked(self, sandbox: Sandbox) -> None:
        work = "sum(range(10**6))"
        early = call(f"{work}\ndef f(x): return x", (1,), (2,), load_apart=True)
        late = call(f"def f(x): return {work} and x", (1,), (2,), load_apart=True)
        loaded, called = sandbox.run(early), sandbox.run(late)
        assert values(loaded) == values(called) == [1, 2]
        assert loaded.loading_seconds > 0.5 * loaded.cpu_seconds
        assert called.loading_seconds < 0.5 * called.cpu_seconds

    @pytest.mark.parametrize(
        ("program", "status"),
        [
            pytest.param("def f(:", Status.CE, id="syntax"),
            pytest.param("1 / 0", Status.RE, id="raises"),
            pytest.param("import os\nos._exit(0)", Status.RE, id="exits"),
            pytest.param("while True: pass", Status.TLE, id="endless"),
        ],
    )
    def test_what_cannot_be_loaded_apart_fails(
        self, sandbox: Sandbox, program: str, status: Status
    ) -> None:
        outcome = sandbox.run(call(program, load_apart=True, limits=limits_for(status)))
        assert (outcome.status, outcome.answers) == (status, ())

    def test_adds_up_what_was_spent(self, sandbox: Sandbox) -> None:
        before = sandbox.spent
        first, second = (sandbox.run(call("def f(): return 1")) for _ in range(2))
        gained = sandbox.spent - before
        assert gained >= first.cpu_seconds + second.cpu_seconds

    def test_a_new_layout_has_its_price(self, sandbox: Sandbox) -> None:
        sandbox.run(call("def f(): return 1"))
        before = sandbox.spent
        sandbox.restart()
        outcome = sandbox.run(call("def f(): return 1"))
        assert sandbox.spent - before > outcome.cpu_seconds + 0.005

    def test_keeps_errors_when_asked(self, sandbox: Sandbox) -> None:
        program = "def f(x):\n    return 6 // x"
        kept = sandbox.run(call(program, (2,), (0,), (3,), keep_errors=True))
        assert [answer.error for answer in kept.answers] == [
            "",
            "ZeroDivisionError: integer division or modulo by zero",
            "",
        ]
        assert kept.status is Status.AC
        ended = sandbox.run(call(program, (2,), (0,), (3,)))
        assert (ended.status, len(ended.answers)) == (Status.RE, 1)

    def test_shows_the_candidates_frames_only(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("def g(x):\n    return x[3]\n\ndef f():\n    return g([])"))
        assert outcome.feedback.splitlines() == [
            "IndexError: list index out of range",
            "  main.py:5 in f: return g([])",
            "  main.py:2 in g: return x[3]",
        ]

    def test_executes_the_prelude_first(self, sandbox: Sandbox) -> None:
        outcome = sandbox.run(call("def f(): return LIMIT + 1", prelude="LIMIT = 4"))
        assert values(outcome) == [5]

    def test_supports_what_modules_do(self, sandbox: Sandbox) -> None:
        program = (
            "from __future__ import annotations\n"
            "from dataclasses import dataclass\n"
            "@dataclass\nclass P:\n    x: int\n    y: ClassVar[int] = 2\n"
            "def f(): return P(3).x if __name__ != '__main__' else 0"
        )
        assert values(sandbox.run(call(program))) == [3]

    def test_nothing_survives_a_job(self, sandbox: Sandbox) -> None:
        program = (
            "import json\ndef f():\n"
            "    json.seen = getattr(json, 'seen', 0) + 1\n    return json.seen"
        )
        assert [values(sandbox.run(call(program, (), ()))) for _ in range(2)] == [[1, 2]] * 2

    def test_answers_the_same_after_a_restart(self, sandbox: Sandbox) -> None:
        job = call("def f(): return 7")
        first = sandbox.run(job)
        sandbox.restart()
        assert values(first) == values(sandbox.run(job)) == [7]

    def test_a_closed_one_stays_closed(self, disposable: Sandbox) -> None:
        job = call("def f(): return 7")
        assert values(disposable.run(job)) == [7]
        disposable.close()
        disposable.close()
        for again in (lambda: disposable.run(job), disposable.restart):
            with pytest.raises(SandboxError, match="the sandbox is closed") as caught:
                again()
            assert caught.value.hint

    @pytest.mark.parametrize(
        "job",
        [
            pytest.param(call("def f():\n while 1: pass", limits=LONG), id="busy"),
            pytest.param(call("import time\ndef f(): time.sleep(60)", limits=LONG), id="idle"),
            pytest.param(script("while 1: pass", limits=LONG), id="script"),
        ],
    )
    def test_closing_ends_a_job_of_another_thread(self, disposable: Sandbox, job: Job) -> None:
        disposable.run(call("def f(): return 7"))
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(disposable.run, job)
            time.sleep(0.2)
            assert not running.done()
            disposable.close()
            with pytest.raises(SandboxError, match="the sandbox is closed"):
                running.result(timeout=10)

    @pytest.mark.parametrize(
        ("program", "status", "feedback"),
        [
            pytest.param("def f(:", Status.CE, "invalid syntax (main.py:1)", id="syntax"),
            pytest.param("def f(): return '\0'", Status.CE, "null bytes", id="null-byte"),
            pytest.param("def g(): pass", Status.RE, "defines no 'f'", id="no-entry-point"),
            pytest.param("import nothing_of_the_kind", Status.RE, "No module", id="no-module"),
            pytest.param("def f(): return object()", Status.RE, "type object", id="object"),
            pytest.param("def f(): return [1, {2: f}]", Status.RE, "$[1][2]", id="place"),
            pytest.param("def f(): return 'x' * 2000000", Status.RE, "larger than", id="large"),
            pytest.param("raise SystemExit(0)", Status.RE, "SystemExit", id="exit-at-import"),
            pytest.param("def f():\n while 1: pass", Status.TLE, "CPU time", id="endless"),
            pytest.param("def f(): return bytearray(1 << 30)", Status.MLE, "memory", id="huge"),
        ],
    )
    def test_failures_are_values(
        self, sandbox: Sandbox, program: str, status: Status, feedback: str
    ) -> None:
        outcome = sandbox.run(call(program, limits=limits_for(status)))
        assert (outcome.status, outcome.answers) == (status, ())
        assert feedback in outcome.feedback

    def test_takes_large_inputs_and_answers(self, sandbox: Sandbox) -> None:
        data = list(range(40_000))
        outcome = sandbox.run(call("def f(xs): return xs[::-1]", (data,), (data,)))
        assert values(outcome) == [data[::-1]] * 2

    def test_a_large_input_hides_no_failure_before_it(self, sandbox: Sandbox) -> None:
        data = list(range(200_000))
        outcomes = [sandbox.run(call(text, (data,))) for text in ("def f(:", "1 / 0")]
        assert [outcome.status for outcome in outcomes] == [Status.CE, Status.RE]
        big = script("print(" + " " * 500_000)
        assert sandbox.run(big).status is Status.CE

    @pytest.mark.parametrize(
        ("program", "status", "output"),
        [
            pytest.param("print(input()[::-1])", Status.AC, b"cba\n", id="input"),
            pytest.param(
                "import sys\nsys.stdout.write(sys.stdin.read())",
                Status.AC,
                b"abc\nd",
                id="read",
            ),
            pytest.param("print(open(0).read(), end='')", Status.AC, b"abc\nd", id="open-0"),
            pytest.param("if __name__ == '__main__': print(1)", Status.AC, b"1\n", id="main"),
            pytest.param(
                "print(1)\nexit_ = __import__('sys').exit(0)", Status.AC, b"1\n", id="exit-0"
            ),
            pytest.param(
                "import os\nprint(1, flush=True)\nos._exit(0)", Status.AC, b"1\n", id="_exit"
            ),
            pytest.param(
                "import atexit\natexit.register(print, 2)\nprint(1)",
                Status.AC,
                b"1\n2\n",
                id="atexit",
            ),
            pytest.param("print(1)\nexit()\nprint(2)", Status.AC, b"1\n", id="exit"),
            pytest.param("print(1)\nquit(0)\nprint(2)", Status.AC, b"1\n", id="quit"),
            pytest.param("print(1)\nexit(3)", Status.RE, b"1\n", id="exit-builtin-3"),
            pytest.param(
                "import sys\nprint(1)\nsys.stdout.close()", Status.AC, b"1\n", id="closed"
            ),
            pytest.param(
                "import sys\nprint(1)\nsys.stdout = sys.stderr = None",
                Status.AC,
                b"1\n",
                id="none",
            ),
            pytest.param(
                "import io, sys\nprint(1)\nsys.stdout = io.StringIO()\nprint(2)",
                Status.AC,
                b"1\n",
                id="replaced",
            ),
            pytest.param(
                "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.detach())\nprint(1)",
                Status.AC,
                b"1\n",
                id="detached",
            ),
            pytest.param("out = open(1, 'w')\nout.write('1')", Status.AC, b"1", id="open-1"),
            pytest.param(
                "import os\nout = os.fdopen(1, 'w', 1 << 16)\nout.write('1')",
                Status.AC,
                b"1",
                id="fdopen-1",
            ),
            pytest.param(
                "def main():\n    out = open(1, 'w')\n    out.write('1')\n    1 / 0\nmain()",
                Status.RE,
                b"1",
                id="open-1-raises",
            ),
            pytest.param(
                "import atexit, sys\natexit.register(lambda: print(x))\nx = 1\nsys.exit()",
                Status.AC,
                b"1\n",
                id="atexit-sees-names",
            ),
            pytest.param(
                "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))",
                Status.AC,
                b"(0, 0)\n",
                id="getrlimit",
            ),
            pytest.param("print(1)\nraise SystemExit(3)", Status.RE, b"1\n", id="exit-3"),
            pytest.param("print(1)\n1 / 0", Status.RE, b"1\n", id="raises"),
        ],
    )
    def test_runs_scripts(
        self, sandbox: Sandbox, program: str, status: Status, output: bytes
    ) -> None:
        outcome = sandbox.run(script(program, b"abc\nd"))
        assert (outcome.status, outcome.answers[0].value) == (status, output)

    def test_shows_standard_error_of_a_script_that_says_nothing_else(
        self, sandbox: Sandbox
    ) -> None:
        program = "import os\nos.write(2, b'went wrong')\nos._exit(4)"
        outcome = sandbox.run(script(program))
        assert outcome.status is Status.RE
        assert "exit code 4" in outcome.feedback
        assert "went wrong" in outcome.feedback

    def test_scripts_have_their_limits(self, sandbox: Sandbox) -> None:
        spin = sandbox.run(script("while 1: pass", limits=TIGHT))
        flood = sandbox.run(script("while 1: print('x' * 9999)"))
        broken = sandbox.run(script("print("))
        assert (spin.status, broken.status) == (Status.TLE, Status.CE)
        assert flood.status is Status.RE
        assert "answer larger than" in flood.feedback
