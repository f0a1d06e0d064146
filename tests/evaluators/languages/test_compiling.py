"""Compiled programs in the jail: the same verdicts as for Python, and nothing to reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from evaluators.languages.compiler import Compiler, Made
from evaluators.languages.compiling import CompilingSandbox
from evaluators.languages.placing import PLACES
from evaluators.languages.table import Product
from evaluators.languages.tool import installed
from evaluators.sandbox.isolation import ordinary
from evaluators.sandbox.job import Job, JobOutcome, Mode
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.errors import SandboxError
from se_agent.problem.model import Limits
from se_agent.program.language import Language
from se_agent.values.evaluation import Status
from se_agent.wire import dumps, loads

pytestmark = pytest.mark.skipif(installed(Language.C) is None, reason="no compiler for C")
LIMITS = Limits(cpu_seconds=10.0, memory_bytes=64 << 20, output_bytes=1 << 20)
TIGHT = replace(LIMITS, cpu_seconds=0.5)
HEAD = """#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[CompilingSandbox]:
    made = CompilingSandbox(ForkServer(patience=0.5), Language.C, "jail")
    yield made
    made.close()


def run(
    sandbox: CompilingSandbox, body: str, stdin: bytes = b"", limits: Limits = LIMITS
) -> JobOutcome:
    text = f"{HEAD}int main(void) {{ {body} }}\n"
    return sandbox.run(Job(program=text, inputs=(stdin,), mode=Mode.STDIO, limits=limits))


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ('int n; scanf("%d", &n); printf("%d", n + 1); return 0;', Status.AC, ""),
        ("return 3;", Status.RE, "exit code 3"),
        ("*(volatile int *)0 = 1;", Status.RE, "signal 11 (Segmentation fault)"),
        ("abort();", Status.RE, "signal 6 (Aborted)"),
        ("raise(SIGFPE);", Status.RE, "signal 8"),
        ("for (;;);", Status.TLE, "CPU time"),
        ("sleep(60);", Status.TLE, "it seems to wait"),
        ('for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxx");', Status.RE, "answer larger than"),
        ("volatile char b[9999999]; b[5] = 1; return b[5] - 1;", Status.AC, ""),
        ("return x;", Status.CE, "main.c:13:"),
        (
            'fputs("memory allocation of 9 bytes failed", stderr); abort();',
            Status.MLE,
            "memory",
        ),
    ],
)
def test_ends(sandbox: CompilingSandbox, body: str, status: Status, told: str) -> None:
    limits = TIGHT if status is Status.TLE else LIMITS
    outcome = run(sandbox, body, b"41", limits)
    assert outcome.status is status
    assert told in outcome.feedback


def test_an_answer_is_what_was_printed(sandbox: CompilingSandbox) -> None:
    outcome = run(sandbox, 'int n; scanf("%d", &n); printf("%d", n + 1);', b"41")
    assert outcome.answers[0].value == b"42"
    assert 0 < outcome.cpu_seconds < LIMITS.cpu_seconds


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param("fork()", id="fork"),
        pytest.param("vfork()", id="vfork"),
        pytest.param("syscall(SYS_clone3, 0, 0)", id="clone3"),
        pytest.param("socket(AF_INET, SOCK_STREAM, 0)", id="tcp"),
        pytest.param("socket(AF_UNIX, SOCK_STREAM, 0)", id="unix"),
        pytest.param('open("/etc/passwd", O_RDONLY)', id="read"),
        pytest.param('open("/proc/self/environ", O_RDONLY)', id="environ"),
        pytest.param('open("/tmp/se-agent-x", O_WRONLY | O_CREAT, 0600)', id="write"),
        pytest.param("kill(getppid(), 0)", id="kill-parent"),
        pytest.param("kill(1, 0)", id="kill-init"),
        pytest.param("syscall(SYS_tgkill, getppid(), getppid(), 0)", id="tgkill-parent"),
        pytest.param("ptrace(PTRACE_ATTACH, getppid(), 0, 0)", id="ptrace"),
        pytest.param('execl("/bin/true", "true", (char *)0)', id="exec"),
        pytest.param('syscall(SYS_execveat, 3, "", 0, 0, 0x1000)', id="exec-itself-again"),
        pytest.param('memfd_create("x", 0)', id="memfd"),
        pytest.param("fcntl(3, F_GETFD)", id="a-fourth-descriptor"),
        pytest.param("setsid()", id="setsid"),
    ],
)
def test_what_is_refused(sandbox: CompilingSandbox, attempt: str) -> None:
    outcome = run(sandbox, f'printf("%d", (int)({attempt}) == -1);')
    assert (outcome.status, outcome.answers[0].value) == (Status.AC, b"1")


def test_the_environment_is_an_ordinary_one(sandbox: CompilingSandbox) -> None:
    outcome = run(sandbox, "for (char **at = environ; *at; at++) puts(*at); return 0;")
    told = dict(line.split("=", 1) for line in outcome.answers[0].value.decode().splitlines())
    assert told == ordinary.environment("/")


def test_memory_is_limited_and_measured(sandbox: CompilingSandbox) -> None:
    body = 'volatile char *p = malloc({0} << 20); printf("%d", p != 0); if (!p) return 0;'
    body += "for (int i = 0; i < {0} << 20; i += 512) p[i] = 1;"
    small, large = (run(sandbox, body.format(n)) for n in (40, 80))
    assert [o.answers[0].value for o in (small, large)] == [b"1", b"0"]
    assert 40 << 20 < small.peak_bytes < 60 << 20


class Noting:
    """A sandbox that runs nothing, and notes what it is asked to execute."""

    def __init__(self) -> None:
        self.executed: list[int | None] = []
        self.spent = 0.0

    def run(self, job: Job) -> JobOutcome:
        self.executed.append(job.executable)
        return JobOutcome(status=Status.AC)

    def restart(self) -> None:
        self.executed.append(None)

    def close(self) -> None:
        self.executed.clear()


class Counting(Compiler):
    """Notes what each of its commands is to make."""

    def __post_init__(self) -> None:
        """Begin without any."""
        super().__post_init__()
        self.products: list[Product] = []

    def _ended(
        self, command: Sequence[str], files: Mapping[str, bytes], product: Product
    ) -> Made:
        self.products.append(product)
        return super()._ended(command, files, product)


@pytest.fixture
def counted() -> Iterator[tuple[CompilingSandbox, Noting, list[Product]]]:
    """A sandbox that has compiled its empty program, what it executes, and what it makes."""
    noting = Noting()
    sandbox = CompilingSandbox(noting, Language.C, "jail")
    sandbox._compiler = counting = Counting(Language.C, "jail")  # noqa: SLF001
    run(sandbox, "return 0;")
    noting.executed.clear()
    counting.products.clear()
    yield sandbox, noting, counting.products
    sandbox.close()


def test_each_text_is_compiled_once(
    counted: tuple[CompilingSandbox, Noting, list[Product]],
) -> None:
    sandbox, noting, products = counted
    run(sandbox, "return 1;")
    run(sandbox, "return 1;")
    run(sandbox, "return 2;")
    first, again, other = noting.executed
    assert first == again != other
    assert products == 2 * [Product.OBJECT, Product.PROGRAM]


def test_it_is_moved_to_another_place_and_in_the_end_to_the_first(
    counted: tuple[CompilingSandbox, Noting, list[Product]],
) -> None:
    sandbox, noting, products = counted
    for _ in range(PLACES + 1):
        run(sandbox, "return 1;")
        sandbox.restart()
        run(sandbox, "return 1;")
        sandbox.move()
    executed = [descriptor for descriptor in noting.executed if descriptor is not None]
    assert len(set(executed)) == PLACES
    assert executed[::2] == executed[1::2], "a restart moves nothing"
    assert executed[-1] == executed[0]
    assert products.count(Product.OBJECT) == 1
    assert products.count(Product.PROGRAM) == 2 * PLACES - 1, "the other was linked once before"


def test_what_ran_last_is_linked_when_it_is_moved_and_not_when_it_runs(
    counted: tuple[CompilingSandbox, Noting, list[Product]],
) -> None:
    sandbox, _, products = counted
    texts = [f"return {number};" for number in range(5)]
    for text in texts:
        run(sandbox, text)
    products.clear()
    sandbox.move()
    assert products == [Product.PROGRAM] * 3
    for text in texts[2:]:
        run(sandbox, text)
    assert len(products) == 3
    run(sandbox, texts[1])
    assert len(products) == 4


@pytest.mark.parametrize(
    "flags", ["", "// flags: -O3", "// flags: -Os", "// flags: -O3 -fwhole-program"]
)
def test_at_each_place_all_code_begins_at_another_byte_of_a_line(
    sandbox: CompilingSandbox, flags: str
) -> None:
    text = (
        f"{flags}\n#include <stdio.h>\n"
        'asm(".p2align 6");\n'
        '__attribute__((noinline, noclone)) int usual(int n) { return printf("%d ", n); }\n'
        "__attribute__((noinline, noclone, hot)) int hot(int n) { return usual(n); }\n"
        "__attribute__((noinline, noclone, cold)) int cold(int n) { return hot(n); }\n"
        "int main(void) {\n"
        "    void *all[] = {usual, hot, cold, main};\n"
        "    for (int n = 0; n < 4; n++) cold((int)((unsigned long)all[n] % 64));\n"
        "}\n"
    )
    seen = []
    for _ in range(PLACES):
        outcome = sandbox.run(Job(program=text, inputs=(b"",), mode=Mode.STDIO, limits=LIMITS))
        seen.append(outcome.answers[0].value.split())
        sandbox.move()
    assert [len(set(begin)) for begin in zip(*seen, strict=True)] == [PLACES] * 4


class Hasty(Compiler):
    """Is out of time twice, as on a busy machine."""

    attempts = 0

    def make(self, program: str, place: int = 0) -> Made:
        """Compile but for the second and the third attempt."""
        self.attempts += 1
        if self.attempts in (2, 3):
            return Made(feedback="the compiler was stopped", late=True)
        return super().make(program, place)


def test_what_time_decided_is_not_remembered_and_errors_are() -> None:
    sandbox = CompilingSandbox(Noting(), Language.C, "jail")
    sandbox._compiler = hasty = Hasty(Language.C, "jail")  # noqa: SLF001
    ended = [run(sandbox, "return 1;").status for _ in range(4)]
    assert ended == [Status.CE, Status.CE, Status.AC, Status.AC]
    assert hasty.attempts == 4  # the first is the empty program
    assert [run(sandbox, "return x;").status for _ in range(2)] == [Status.CE] * 2
    assert hasty.attempts == 5
    sandbox.close()


class Failing(Compiler):
    """Links at the first place only, as where the disk is full."""

    def make(self, program: str, place: int = 0) -> Made:
        """Make it, or fail."""
        if place:
            return Made(feedback="ld: final link failed: No space left on device")
        return super().make(program, place)


def test_a_text_that_was_compiled_is_not_blamed_where_linking_fails() -> None:
    sandbox = CompilingSandbox(Noting(), Language.C, "jail")
    sandbox._compiler = Failing(Language.C, "jail")  # noqa: SLF001
    assert run(sandbox, "return 1;").status is Status.AC
    again = "compiled before cannot be linked again: ld: final link failed: No space left"
    with pytest.raises(SandboxError, match=again):
        sandbox.move()
    with pytest.raises(SandboxError, match=again):
        run(sandbox, "return 1;")
    assert run(sandbox, "return 2;").status is Status.CE
    sandbox.close()


def test_what_is_called_is_python(sandbox: CompilingSandbox) -> None:
    job = Job(program="def f(x): return x + 1", entry_point="f", inputs=(dumps((1,)),))
    outcome = sandbox.run(job)
    assert loads(outcome.answers[0].value) == 2


def test_a_closed_one_stays_closed() -> None:
    sandbox = CompilingSandbox(ForkServer(), Language.C, "jail")
    assert run(sandbox, "return 0;").status is Status.AC
    sandbox.close()
    sandbox.close()
    with pytest.raises(SandboxError, match="closed"):
        run(sandbox, "return 0;")
    with pytest.raises(SandboxError, match="closed"):
        sandbox.restart()
