"""Every process that we start has an environment that was made for it: a gate over the code."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache

import pytest

from tests.house import PACKAGES, modules, tree

MADE = "se_agent.environment.child_process.environment"
STARTING = {
    *(f"subprocess.{name}" for name in ("Popen", "call", "check_call", "check_output", "run")),
    *(f"os.posix_spawn{end}" for end in ("", "p")),
}
"""Take `env`, by name or (posix_spawn) as their third argument."""

REPLACING = {f"os.{name}" for name in ("execle", "execlpe", "execve", "execvpe")}
"""Become another program, with the environment that comes last."""

INHERITING = {
    *(f"os.exec{end}" for end in ("l", "lp", "v", "vp")),
    *(f"os.spawn{end}" for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    *("os.popen", "os.system", "os.startfile", "pty.spawn"),
    *("subprocess.getoutput", "subprocess.getstatusoutput"),
    *("asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell"),
    *("multiprocessing.Pool", "multiprocessing.Process", "multiprocessing.get_context"),
    *("multiprocessing.Manager", "concurrent.futures.ProcessPoolExecutor"),
    "concurrent.futures.process.ProcessPoolExecutor",
}
"""Pass on our own environment, or could: we use none of them."""


@dataclass
class Sites(ast.NodeVisitor):
    """Finds where a module starts processes; names mean what its imports say."""

    known: dict[str, str] = field(default_factory=dict)
    found: list[tuple[int, str, bool]] = field(default_factory=list)

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            top = one.name.partition(".")[0]
            self.known[one.asname or top] = one.name if one.asname else top

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for one in node.names:
            self.known[one.asname or one.name] = f"{node.module}.{one.name}"

    def visit_Call(self, node: ast.Call) -> None:
        name = self.meaning(node.func)
        if name in STARTING:
            third = node.args[2:3] if name.startswith("os.") else []
            given = [word.value for word in node.keywords if word.arg == "env"] or third
            self.found.append((node.lineno, name, any(map(self.made, given))))
        elif name in REPLACING:
            last = self.meaning(node.args[-1]) if node.args else ""
            self.found.append((node.lineno, name, last not in ("", "os.environ")))
        elif name in INHERITING:
            self.found.append((node.lineno, name, False))
        self.generic_visit(node)

    def made(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self.meaning(node.func) == MADE

    def meaning(self, node: ast.expr) -> str:
        """Return the dotted name that an expression means; of another one its text."""
        head, dot, rest = ast.unparse(node).partition(".")
        return self.known.get(head, head) + dot + rest


def sites(text: str) -> list[tuple[int, str, bool]]:
    """Return line, name, and whether an environment is made there, of each."""
    seen = Sites()
    seen.visit(tree(text))
    return seen.found


@cache
def ours() -> tuple[tuple[str, str, bool], ...]:
    return tuple(
        (f"{where}:{line}", name, made)
        for where, text in modules(*PACKAGES)
        for line, name, made in sites(text)
    )


@pytest.mark.tier("runs")
def test_every_process_that_we_start_has_an_environment_that_was_made_for_it() -> None:
    assert [f"{where} {name}" for where, name, made in ours() if not made] == []


def test_the_gate_sees_where_processes_are_started() -> None:
    """Not that many are left when one of them takes another form."""
    assert {where.partition(":")[0] for where, _, _ in ours()} >= {
        "evaluators/counting/valgrind.py",
        "evaluators/languages/tool.py",
        "evaluators/sandbox/server/callback.py",
        "evaluators/sandbox/server/container.py",
        "evaluators/sandbox/tools/confined_process.py",
        "evaluators/sandbox/server/probe.py",
        "evaluators/sandbox/server/start.py",
        "evaluators/suite/keeper.py",
        "evaluators/suite/suite.py",
        "operators/known_functions/apart.py",
        "se_agent/user_function/repository/committed.py",
    }


_OURS = "from se_agent.environment.child_process import environment"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (f"import subprocess\n{_OURS}\nsubprocess.run(x, env=environment())", True),
        (f"{_OURS} as e\nfrom subprocess import run as r\nr(x, env=e())", True),
        ("import subprocess\nsubprocess.run(x)", False),
        ("import subprocess as s\ns.Popen(x, env={})", False),
        (
            "from elsewhere import environment\nimport os\nos.posix_spawn(x, y, environment())",
            False,
        ),
        (f"import os\n{_OURS}\nos.posix_spawn(x, y, environment())", True),
        ("import os\nos.execv(x, y)", False),
        ("import os\nos.execve(x, y, os.environ)", False),
        ("import os\nos.execve(x, y, {})", True),
        ("import os\nos.system(x)", False),
        ("from multiprocessing import Process\nProcess(target=x)", False),
        ("import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor()", False),
    ],
)
def test_a_site_is_known_by_what_its_module_imports(text: str, made: bool) -> None:
    assert [found for _, _, found in sites(text)] == [made]
