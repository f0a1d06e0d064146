"""The house rules that a machine can hold. Each gate lists its offenders.

Not here: style and types (ruff, mypy) and who may import whom (`.importlinter`).
"""

from __future__ import annotations

import ast
import importlib
import re
import statistics
from collections import Counter
from pathlib import Path

import pytest

import se_agent
from se_agent import errors, registry
from tests.house import CODE, PACKAGES, ROOT, modules, nodes, python, text_of, tracked, tree
from tests.unordered import Known, places

Function = ast.FunctionDef | ast.AsyncFunctionDef

HEAVY = {
    *("numpy", "pydantic", "libcst", "openai", "scipy", "mcp", "tree_sitter", "typer", "rich"),
    *("tiktoken", "optuna", "cma", "pandas", "plotly", "pyarrow"),
}
MOST_MODULES = 10
"""Modules of ours that the face of a package may load: `se_agent.wire` has that many parts."""
COLLECTIONS = {
    "operators/rewrite",
    "operators/known_functions/library",
    "se_agent/cli/commands",
}
"""Folders of many plug-ins of one kind, or of commands."""


def length(node: Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


class TestSize:
    def test_no_file_is_longer_than_400_lines(self) -> None:
        assert [w for w, text in modules(*CODE) if len(text.splitlines()) > 400] == []

    def test_no_function_is_longer_than_60_lines(self) -> None:
        long = [
            f"{where}:{node.lineno} {node.name}"
            for where, node in nodes(*CODE)
            if isinstance(node, Function) and length(node) > 60
        ]
        assert long == []

    def test_half_of_the_functions_are_12_lines_or_shorter(self) -> None:
        lengths = [length(n) for _, n in nodes(*PACKAGES) if isinstance(n, Function)]
        assert statistics.median(lengths) <= 12

    def test_no_function_has_more_than_9_parameters(self) -> None:
        long = [
            f"{where}:{node.lineno} {node.name}"
            for where, node in nodes(*PACKAGES, "experiments")
            if isinstance(node, ast.FunctionDef) and len(_parameters(node)) > 9
        ]
        assert long == []

    def test_no_class_has_more_than_12_methods(self) -> None:
        broad = {
            node.name
            for _, node in nodes(*PACKAGES)
            if isinstance(node, ast.ClassDef)
            and sum(isinstance(part, Function) for part in node.body) > 12
        }
        assert broad == set()

    def test_no_folder_has_more_than_20_modules_and_the_hall_has_8(self) -> None:
        paths = [Path(where) for where, _ in modules(*PACKAGES)]
        loose = Counter(str(p.parent) for p in paths if p.name != "__init__.py")
        crowded = {room for room, number in loose.items() if number > 20}
        assert crowded - COLLECTIONS == set()
        assert loose["se_agent"] + 1 <= 8, "with the public face"


class TestNames:
    def test_no_module_is_a_drawer_for_odds_and_ends(self) -> None:
        drawers = re.compile(r"utils?|helpers?|managers?|common|misc")
        found = [
            where
            for where, _ in modules(*CODE)
            if any(drawers.fullmatch(part) for part in re.split(r"[/_.]", where))
        ]
        assert found == []

    def test_every_module_says_what_it_is(self) -> None:
        silent = [w for w, text in modules(*PACKAGES, "experiments") if not documented(text)]
        assert silent == []

    def test_nothing_belongs_to_one_machine(self) -> None:
        # Brackets keep the patterns from finding themselves.
        machine = re.compile(r"/wor[k]/|/hom[e]/[a-z]\w*/|/User[s]/|/roo[t]/[a-z]")
        index = re.compile(r"pyp[i]\.org|pythonhoste[d]|extra-inde[x]|find-link[s]|/pyp[i]/")
        found = [
            f"{path.relative_to(ROOT)}: {match[0]}"
            for path in tracked()
            for match in [*machine.finditer(text_of(path)), *index.finditer(text_of(path))]
        ]
        assert found == []

    def test_problems_hold_no_engine_code(self) -> None:
        ours = re.compile(rf"^\s*(from|import) ({'|'.join(PACKAGES)})\b", re.MULTILINE)
        assert [where for where, text in modules("problems") if ours.search(text)] == []


class TestFiles:
    OURS = frozenset(
        {
            "se_agent/files/plain.py",
            "se_agent/report/html/page.py",  # of the package
            "se_agent/environment/own.py",  # of the kernel
            "se_agent/environment/machine.py",  # of the kernel
            "se_agent/environment/process_files.py",  # of the kernel
            "se_agent/cli/app.py",  # /dev/null
            "se_agent/cli/commands/skill.py",  # of the package
            # Run folders and what lies beside them; `run_files` is their door.
            "se_agent/files/run_files.py",
            "se_agent/cli/write_back.py",
            "se_agent/cli/conclusion.py",
            "se_agent/cli/json_row.py",
            "se_agent/engine/journal/folder.py",
            "se_agent/engine/journal/journal.py",
            "se_agent/engine/journal/cell_record.py",
            "se_agent/engine/run/snapshot.py",
            "se_agent/engine/run/user_hints.py",
            "se_agent/memory/artifacts/spare_room.py",  # of the workspace
        }
    )

    def test_files_of_users_and_strangers_have_one_door(self) -> None:
        """Others would wait for a pipe, and follow a link to wherever it leads."""
        around = [
            f"{where}:{node.lineno}"
            for where, node in nodes("se_agent")
            if isinstance(node, ast.Call) and where not in self.OURS and opens(node)
        ]
        assert around == []


class TestProcesses:
    APART = frozenset(
        {
            # What a candidate is forked from, and the candidate's own processes, load nothing
            # of ours but errors and wire.
            "evaluators/sandbox/server/delay.py",
            "evaluators/sandbox/isolation/init_process.py",
            "evaluators/sandbox/isolation/jail.py",
            "evaluators/sandbox/isolation/kernel.py",
            "evaluators/sandbox/isolation/namespace.py",
            # The path of an open file, for calls that take a path only.
            "evaluators/languages/binaries.py",
            "se_agent/files/plain.py",
            "se_agent/environment/machine.py",  # of the machine, not of processes
            "experiments/faults/server.py",  # of a namespace that it makes itself
        }
    )

    def test_one_module_reads_what_the_kernel_says_of_them(self) -> None:
        places = ("se_agent", "operators", "evaluators", "experiments")
        found = {
            where
            for where, node in nodes(*places)
            if isinstance(node, ast.Call)
            and any(map(_is_in_proc, (node.func, *node.args)))
            and not where.endswith("environment/process_files.py")
        }
        assert found == self.APART


class TestTests:
    def test_every_raises_says_which_message(self) -> None:
        vague = [
            f"{where}:{node.lineno}"
            for where, node in nodes("tests")
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ast.unparse(node.func) in {"pytest.raises", "pytest.warns"}
            and "match" not in {keyword.arg for keyword in node.keywords}
        ]
        assert vague == []

    def test_fakes_behave_instead_of_being_patched_in(self) -> None:
        patched = re.compile(r"unittest[.]mock|monkeypatch[.]setattr|mocker[.]")
        assert [where for where, text in modules("tests") if patched.search(text)] == []

    def test_every_row_of_the_memory_has_a_test_that_bears_its_name(self) -> None:
        row = r"lm[-_](\d\d)"
        named = re.compile(rf"{row}(?:(?: to |_to_){row})?", re.IGNORECASE)
        shown: set[int] = set()
        for where, text in modules("tests"):
            for found in named.finditer(text) if where != "tests/test_house.py" else ():
                shown.update(range(int(found[1]), int(found[2] or found[1]) + 1))
        assert set(range(1, 68)) - shown == set()


class TestOrder:
    def test_no_order_of_a_set_reaches_a_result(self) -> None:
        """Two processes would differ. Use `sorted`, or `dict.fromkeys` in place of the set.

        Texts that are inserted into programs are left out: sets are what makes them quick, and
        their results are compared with those of the user's function.
        """
        trees = {where: tree(text) for where, text in modules(*PACKAGES)}
        known = Known.of(trees.values())
        found = [
            f"{where}:{line}: {code}"
            for where, parsed in trees.items()
            if not where.startswith("operators/known_functions/library/")
            for line, code in places(parsed, known)
        ]
        assert found == []


class TestImports:
    @pytest.mark.parametrize(
        "module",
        [
            "se_agent",
            "se_agent.registry",
            "se_agent.memory",
            "se_agent.memory.extraction",
            "operators",
        ],
    )
    def test_load_nothing_heavy(self, module: str) -> None:
        loaded = python(f"import sys, {module}; print(*sys.modules)").stdout.split()
        assert module in loaded
        assert HEAVY & set(loaded) == set()

    def test_no_face_of_a_package_loads_anything_heavy(self) -> None:
        """A user of one module pays for that module only. A face is lazy (PEP 562)."""
        assert faces_that_load(packages(), HEAVY) == []

    def test_a_face_that_loads_something_heavy_is_found(self) -> None:
        assert faces_that_load(["se_agent", "json"], {"json.decoder"}) == ["json: json.decoder"]

    def test_of_what_candidates_are_forked_from_loads_a_part_of_ours(self) -> None:
        """It is started anew for each block."""
        loaded = python(
            "import sys, evaluators.sandbox.child.entry; print(*sys.modules)"
        ).stdout
        ours = {name for name in loaded.split() if name.partition(".")[0] == "se_agent"}
        parts = {name.split(".")[1] for name in ours if "." in name}
        assert parts == {"errors", "wire"}

    def test_of_se_agent_gives_its_names_when_they_are_asked_for(self) -> None:
        script = (
            "import se_agent, sys; assert 'se_agent.values.step' not in sys.modules\n"
            "from se_agent import *\n"
            "assert set(se_agent.__all__) <= set(dir(se_agent))\n"
            "print(all(globals()[n].__name__ == n for n in se_agent.__all__))"
        )
        assert python(script).stdout == "True\n"
        with pytest.raises(AttributeError, match="'se_agent' has no attribute 'Nothing'"):
            _ = se_agent.Nothing  # type: ignore[attr-defined]

    @pytest.mark.parametrize("face", ["se_agent.memory", "se_agent.memory.extraction"])
    def test_of_memory_gives_its_names_when_they_are_asked_for(self, face: str) -> None:
        room = importlib.import_module(face)
        assert set(room.__all__) <= set(dir(room))
        assert all(getattr(room, name) is not None for name in room.__all__)
        with pytest.raises(AttributeError, match=f"'{face}' has no attribute 'Nothing'"):
            _ = room.Nothing

    def test_of_memory_loads_numpy_only_to_solve(self) -> None:
        script = "import sys, se_agent.memory.local.edit_credit; print(*sys.modules)"
        assert "numpy" not in python(script).stdout.split()

    def test_of_se_agent_costs_little(self) -> None:
        """Beside a loop in the same process: a slow machine is no fault of ours."""
        script = (
            "import time; start = time.process_time(); import se_agent\n"
            "done = time.process_time(); total = 0\n"
            "for number in range(1_500_000): total += number\n"
            "print((done - start) / (time.process_time() - done))"
        )
        assert min(float(python(script).stdout) for _ in range(5)) < 0.6


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    real = {
        (base.__name__, kind.__name__)
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.SeAgentError)
        for base in kind.__bases__
        if issubclass(base, errors.SeAgentError)
    }
    assert drawn_tree(errors.__doc__ or "") == real


def test_every_error_of_ours_is_in_the_tree() -> None:
    bases = {kind for kind in vars(errors) if kind.endswith("Error")}
    strays = [
        f"{where}: {node.name}"
        for where, node in nodes(*PACKAGES)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        if where != "se_agent/errors.py"
        and {ast.unparse(base).rpartition(".")[2] for base in node.bases} & bases
    ]
    assert strays == []


KINDS: tuple[registry.Kind, ...] = ("operator", "evaluator", "policy", "model")


@pytest.mark.parametrize("kind", KINDS)
def test_every_plugin_of_ours_loads(kind: registry.Kind) -> None:
    assert registry.names(kind)
    for name in registry.names(kind):
        assert callable(registry.load(kind, name)), name


def packages() -> list[str]:
    """Each package of ours by its dotted name, parents first."""
    inits = (where for where, _ in modules(*PACKAGES) if where.endswith("/__init__.py"))
    return sorted(where.removesuffix("/__init__.py").replace("/", ".") for where in inits)


def faces_that_load(names: list[str], heavy: set[str]) -> list[str]:
    """Return each package whose import loads heavy modules or many of ours, with these.

    Packages are imported one after the other, parents first, in one fresh process: each is
    blamed for what it is the first to load.
    """
    script = (
        "import sys, importlib\n"
        f"for name in {names!r}:\n"
        "    before = set(sys.modules)\n"
        "    importlib.import_module(name)\n"
        "    print(name, *sorted(set(sys.modules) - before))"
    )
    found = []
    for line in python(script).stdout.splitlines():
        name, *loaded = line.split()
        ours = [each for each in loaded if each.partition(".")[0] in PACKAGES]
        if slow := sorted(heavy.intersection(loaded)):
            found.append(f"{name}: {', '.join(slow)}")
        elif len(ours) > MOST_MODULES:
            found.append(f"{name}: {len(ours)} modules of ours")
    return found


def opens(call: ast.Call) -> bool:
    """Say whether a call opens a file; what else is called `open` here takes no mode."""
    function = ast.unparse(call.func)
    if function == "Workspace.open":  # a folder
        return False
    if function.rpartition(".")[2] in {"read_text", "read_bytes", "write_text", "write_bytes"}:
        return True
    texts = [each for each in call.args if isinstance(each, ast.Constant)]
    return function in {"open", "os.open", "io.open"} or (
        function.endswith(".open") and bool(texts or call.keywords)
    )


def documented(text: str) -> bool:
    return ast.get_docstring(tree(text)) is not None


def drawn_tree(text: str) -> set[tuple[str, str]]:
    """Pairs of parent and child, read off the indentation of a bulleted list."""
    above: list[tuple[int, str]] = []
    pairs = set()
    for found in re.finditer(r"^( *)[*-] (\w+)", text, re.MULTILINE):
        depth, name = len(found[1]), found[2]
        above = [entry for entry in above if entry[0] < depth]
        if above:
            pairs.add((above[-1][1], name))
        above.append((depth, name))
    return pairs


def _is_in_proc(node: ast.AST) -> bool:
    """Say whether an argument is a path below `/proc`, or a path object of one is used."""
    texts = node.values if isinstance(node, ast.JoinedStr) else [node]
    first = texts[0] if texts else None
    return isinstance(first, ast.Constant) and str(first.value).startswith("/proc/")


def _parameters(node: ast.FunctionDef) -> list[str]:
    """Return the names of the parameters of a function, without that of its own object."""
    given = node.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in names if name not in {"self", "cls"}]
