"""Whether a workload reaches what is to be faster: it is called, and calls are counted.

Counting goes by file and name, in the jail. Not here: what costs how much, which is seen by an
evaluator that watches (`evaluators.observing`).
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.program.editable import holder, joined_names
from se_agent.user_function.function import UserFunction
from se_agent.user_function.jail_calls import ENTRY, PATIENCE, CallJail
from se_agent.user_function.workloads.targets import Target
from se_agent.user_function.workloads.workload import workload_program

_REACHED = f"""

def _reached(*arguments):
    import sys
    import threading

    found = {{}}

    def count(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename in _sources:
            key = code.co_filename, code.co_qualname.replace("<locals>.", "")
            found[key] = found.get(key, 0) + 1

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        {ENTRY}(*arguments)
    except Exception:
        pass
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return [(file, name, calls) for (file, name), calls in found.items()]
"""
_STANDARD = """

def _standard():
    import sys

    return [name for name in sys.modules if name.partition(".")[0] in sys.stdlib_module_names]
"""
_PATIENCE = 4 * PATIENCE  # counting makes calls slower
_NAMED = 5
_LEFT_OUT = ("antigravity", "idlelib", "site", "this", "tkinter", "turtle")


def calls_reached(
    jail: CallJail,
    function: UserFunction,
    targets: Sequence[Target],
    inputs: Sequence[bytes],
) -> Mapping[tuple[str, str], int]:
    """Return how often functions of the targets' files are called, by path and name.

    Args:
        jail: Where the workload runs.
        function: The workload.
        targets: What is to be faster.
        inputs: In wire form; those that are not answered in time say nothing.
    """
    text = workload_program(function, targets) + _REACHED
    done = jail.call(text, "_reached", inputs, cpu_seconds=_PATIENCE)
    found: dict[tuple[str, str], int] = {}
    for answer in done.answers:
        for file, name, calls in wire.loads(answer.data) if answer.data else ():
            found[file, name] = found.get((file, name), 0) + calls
    return found


def standard_modules(
    jail: CallJail, function: UserFunction, targets: Sequence[Target]
) -> tuple[str, ...]:
    """Return the modules of the standard library that loading a workload loads.

    None of them can have taken anything of the package: they may be loaded before it, once for
    all programs. Names of those that are no such modules are left out, whatever is told.
    """
    text = workload_program(function, targets) + _STANDARD
    done = jail.call(text, "_standard", [wire.dumps(())], cpu_seconds=_PATIENCE)
    told = wire.loads(done.answers[0].data) if done.answers and done.answers[0].data else []
    return tuple(sorted(name for name in told if _is_standard(name)))


def _is_standard(name: object) -> bool:
    if type(name) is not str or not all(part.isidentifier() for part in name.split(".")):
        return False
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names or top.startswith("_") or top in _LEFT_OUT:
        return False
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):  # another name of a module, such as `os.path`
        return False


def require_reached(
    found: Mapping[tuple[str, str], int], function: UserFunction, targets: Sequence[Target]
) -> None:
    """See that a workload calls every target.

    Raises:
        ProblemError: It never calls one of them; the hint names what it calls instead.
    """
    for target in targets:
        called = {
            name: calls
            for (file, name), calls in found.items()
            if file == target.path and not name.startswith("<")
        }
        names = target.names or ("",)
        missed = [name for name in names if not any(_within(one, name) for one in called)]
        if not missed:
            continue
        spoken = (name for name in called if "<" not in name)  # not those without a name
        most = sorted(spoken, key=lambda name: (-called[name], name))[:_NAMED]
        what = f"{target.module.path.name}:{missed[0]}" if missed[0] else target.path
        raise ProblemError(
            f"{what}: the workload {function.function}() never calls it",
            hint=f"of that file it calls {', '.join(most)}"
            if most
            else "it calls nothing of that file: let it use the package as your program does",
        )


def _within(name: str, target: str) -> bool:
    return not target or bool(holder(name, joined_names([target])))
