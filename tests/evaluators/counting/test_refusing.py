"""What is refused where instructions are counted: machine code of the program's own."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import shutil
from pathlib import Path

import pytest

from evaluators.counting.refusing import refuse_machine_code
from evaluators.counting.valgrind import CountingSandbox
from evaluators.sandbox.job import JobOutcome
from se_agent.values.evaluation import Status
from tests.evaluators.counting.test_valgrind import job, needs_valgrind
from tests.hostile.counting import REQUEST

REFUSED = "machine code of its own is not counted"
LIBRARY = "/usr/lib/python3/lib-dynload"


class Evasive(str):
    """A text whose methods lie."""

    __slots__ = ()

    def partition(self, sep: str) -> tuple[str, str, str]:
        """Return another name."""
        return ("json", "", "")

    def __contains__(self, other: object) -> bool:
        return True

    def __str__(self) -> str:
        return f"{LIBRARY}/json.so"


@pytest.mark.parametrize(
    ("event", "given"),
    [
        ("import", ("ctypes", None)),
        ("import", ("ctypes.util", None)),
        ("import", ("_ctypes", f"{LIBRARY}/_ctypes.so")),
        ("import", (Evasive("_ctypes"), f"{LIBRARY}/_ctypes.so")),
        ("import", ("json", Evasive("/tmp/json.so"))),
        ("import", ("own", "/tmp/own.so")),
        ("import", ("own", "/proc/self/fd/7")),
        ("import", ("_testcapi", f"{LIBRARY}/_testcapi.so")),
        ("ctypes.dlopen", ("libc.so.6",)),
        ("mmap.__new__", (-1, 4096, 0, 0)),
        ("code.__new__", ()),
        ("object.__setattr__", (refuse_machine_code, "__code__", None)),
        ("open", ("/proc/self/mem", "r+b", 0o2)),
        ("open", ("/tmp/own.so", "wb", 0o1101)),
        ("open", (b"/tmp/own.so", None, 0o100)),
        ("os.fork", ()),
        ("subprocess.Popen", ("gdb", [], None, None)),
    ],
)
def test_what_leads_to_machine_code_is_refused(event: str, given: tuple[object, ...]) -> None:
    with pytest.raises(PermissionError, match=REFUSED):
        refuse_machine_code(event, given)


@pytest.mark.parametrize(
    ("event", "given"),
    [
        ("import", ("heapq", None)),
        ("import", ("_bisect", f"{LIBRARY}/_bisect.so")),
        ("open", ("/usr/lib/python3/heapq.py", "rb", 0)),
        ("open", (1, "wb", 0o1101)),
        ("builtins.id", (0,)),
        ("object.__setattr__", (refuse_machine_code, "__defaults__", None)),
        ("compile", (b"", "x")),
        ("exec", ()),
    ],
)
def test_what_honest_programs_do_is_not(event: str, given: tuple[object, ...]) -> None:
    refuse_machine_code(event, given)


def ran(program: str, *, jailed: bool = True) -> JobOutcome:
    return CountingSandbox(jailed=jailed).run(job(program))


@needs_valgrind
@pytest.mark.parametrize("jailed", [True, False])
def test_requests_to_valgrind_are_refused(*, jailed: bool) -> None:
    outcome = ran(REQUEST + "def f():\n    stop()\n    return sum(range(9))", jailed=jailed)
    assert outcome.status is (Status.REJECTED if jailed else Status.RE)
    assert REFUSED in outcome.feedback
    assert outcome.usage.instructions is None


@needs_valgrind
def test_an_extension_module_from_elsewhere_is_refused(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("_ctypes")
    if spec is None or not (spec.origin or "").endswith(".so"):
        pytest.skip("this Python has no extension module to copy")
    copy = tmp_path / "lib.so"
    shutil.copy(str(spec.origin), copy)
    program = f"""
from importlib.machinery import ExtensionFileLoader, ModuleSpec
def f():
    loader = ExtensionFileLoader("_ctypes", {str(copy)!r})
    loader.create_module(ModuleSpec("_ctypes", loader, origin={str(copy)!r}))
"""
    outcome = ran(program, jailed=False)
    assert outcome.status is Status.RE
    assert REFUSED in outcome.feedback


@needs_valgrind
def test_the_refusal_cannot_be_taken_away() -> None:
    program = """
import gc, types
def find():
    return next(x for x in gc.get_objects()
                if type(x) is types.FunctionType and x.__name__ == "refuse_machine_code")
def quiet(event, given): return None
def f():
    try: find().__code__ = quiet.__code__
    except PermissionError: pass
    spaces = [x for x in gc.get_objects() if type(x) is dict and "refuse_machine_code" in x]
    for each in spaces: each["PermissionError"] = each["refuse_machine_code"] = quiet
    try:
        import ctypes
    except BaseException: return 1
    return 2
"""
    outcome = ran(program)
    assert [answer.value for answer in outcome.answers] in ([b"1"], [])
