"""The user's own code that calls what is to be faster, and the program that runs it.

Not here: how inputs are made of what was said (`inputs`), nor what may change (`targets`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from se_agent.errors import ProblemError
from se_agent.problem.model import PackageModule, Workload
from se_agent.problem.packed import packed_text
from se_agent.program.parsing import literal_of
from se_agent.program.source_check import defined_names
from se_agent.user_function.function import UserFunction, find
from se_agent.user_function.inputs import Source, source
from se_agent.user_function.jail_calls import ENTRY
from se_agent.user_function.module import Module
from se_agent.user_function.site import Access, access
from se_agent.user_function.workloads.targets import Target

GENERATOR = "generate"
"""Name of the function of a workload's file that makes its inputs."""

LADDER = "SIZES"
"""Name of the list of sizes there that it is asked for, ascending."""


def find_workload(spec: str) -> UserFunction:
    """Return the function that `--workload FILE.py:FUNCTION` means.

    Raises:
        ProblemError: There is none, or it cannot be called by itself.
    """
    try:
        return find(spec)
    except ProblemError as err:
        raise ProblemError(f"--workload {err}", hint=err.hint) from err


def generator_of(workload: UserFunction, given: str, examples: Sequence[str]) -> str:
    """Return the generator of inputs: the one given, else that of the workload's file.

    Args:
        workload: The workload.
        given: What was given as `--inputs`.
        examples: What was given as `--example`.
    """
    own = GENERATOR in defined_names(workload.module.tree)
    if given or examples or not own:
        return given
    return f"{workload.module.path}:{GENERATOR}"


def inputs_of(workload: UserFunction, given: str, examples: Sequence[str]) -> Source:
    """Return where the inputs come from: what is given, or else the workload's own file.

    Args:
        workload: The workload.
        given: What was given as `--inputs`.
        examples: What was given as `--example`.

    Raises:
        ProblemError: There are none, a file is missing, or an example is no such call.
    """
    generator = generator_of(workload, given, examples)
    calls = examples_of(workload, generator, examples)
    if not generator and not calls:
        raise ProblemError(
            f"{workload.function}: there are no inputs to call it with",
            hint=f"write {GENERATOR}(rng, size) into {workload.module.path.name}: it returns a "
            f'tuple of arguments; or add --example "{workload.function}(...)"',
        )
    sizes = sizes_of(workload) if generator and not given else ()
    return replace(source(workload, generator, calls), sizes=sizes)


def sizes_of(workload: UserFunction) -> tuple[int, ...]:
    """Return the sizes that a workload's file lists for its generator; none: it lists none.

    Raises:
        ProblemError: They are no whole numbers that ascend.
    """
    named = [
        node
        for node in workload.module.tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(to, ast.Name) and to.id == LADDER for to in node.targets)
    ]
    if not named:
        return ()
    where = f"{workload.module.path}:{named[-1].lineno}: {LADDER}"
    try:
        given = literal_of(ast.unparse(named[-1].value))
    except (ValueError, SyntaxError):
        given = None
    sizes = tuple(given) if isinstance(given, list | tuple | set) else ()
    if not sizes or any(type(n) is not int for n in sizes) or [*sizes] != sorted({*sizes}):
        raise ProblemError(
            f"{where} is no list of whole numbers that ascend",
            hint=f"such as {LADDER} = [100, 1000, 10_000], written out",
        )
    return sizes


def examples_of(
    workload: UserFunction, generator: str, examples: Sequence[str]
) -> tuple[str, ...]:
    """Return the single calls: those given; of a workload without parameters there is one."""
    given = workload.arguments
    takes = [*given.posonlyargs, *given.args]
    if generator or examples or len(takes) > len(given.defaults):
        return tuple(examples)
    return (f"{workload.function}()",)


def workload_of(function: UserFunction, targets: Sequence[Target]) -> Workload:
    """Return the workload that calls the modules of these targets."""
    module = function.module
    return Workload(
        name=module.name,
        package=module.package,
        file=str(module.path),
        text=module.text,
        function=function.function,
        modules={
            target.path: PackageModule(name=target.module.name, file=str(target.module.path))
            for target in targets
        },
    )


def files_of(targets: Sequence[Target]) -> dict[str, str]:
    """Return the texts of the modules by path, as they are now."""
    return {target.path: target.module.text for target in targets}


def workload_program(function: UserFunction, targets: Sequence[Target]) -> str:
    """Return the program that runs a workload on the modules as they are now."""
    return packed_text(workload_of(function, targets), files_of(targets), ENTRY)


def reach_of(
    function: UserFunction,
    targets: Sequence[Target],
    others: Sequence[Module],
    venv: str,
    opened: Sequence[str],
) -> Access:
    """Return what the jail has to be given: the workload, and the package of each target.

    That package is imported by each program, and not before: its modules are replaced.

    Args:
        function: The workload.
        targets: What is to be faster.
        others: Files that make inputs.
        venv: Virtual environment with packages; empty: none.
        opened: Paths that the user wants to be shown besides.

    Raises:
        ProblemError: A folder would have to be opened that never is, or there is none.
    """
    for target in targets:
        if target.module.path == function.module.path:
            raise ProblemError(
                f"{target.spoken}: the workload's own file cannot be what is to be faster",
                hint="put the workload into a file of its own, which imports the other",
            )
    modules = [target.module for target in targets]
    own = {module.name.partition(".")[0] for module in modules}
    found = access([function.module, *others, *modules], venv, opened)
    return replace(found, imports=tuple(name for name in found.imports if name not in own))
