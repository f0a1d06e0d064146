"""What a problem is: values only.

Not here: how they are read from folders and files (`se_agent.problem.loading`).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from se_agent.program.language import Language
from se_agent.program.style.layout import UNTOLD, FormatterSettings
from se_agent.values.answer import Answer
from se_agent.values.evaluation import InputSet
from se_agent.values.objective import CPU_TIME, Objective
from se_agent.values.solution import Solution
from se_agent.values.usage import WorkloadUsage
from se_agent.wire import Tolerance

RUN_INPUTS = 1024
"""Distinct inputs that one run of a function answers at most, however short its calls are."""

EXCHANGES = 64
"""Exchanges of a run with its process at most: one takes as long as ten calls of 4 us."""

INTERVALS = 8
"""Stretches of calls, between two readings of the clock, that a measured run has at most, and
calls of each at least, where there are so many: after a wait the caches of a core are cold."""


class ProblemKind(enum.StrEnum):
    """How a program is run and judged."""

    FUNCTION = "function"  # entry point called with arguments; checked and timed
    STDIO = "stdio"  # reads standard input, writes standard output; checked and timed
    SCORE = "score"  # entry point returns an answer; a trusted scorer rates it
    COMMAND = "command"  # a command runs it and prints a score; nothing is trusted
    WORKLOAD = "workload"  # modules of a package, called by a workload; checked and timed


_SIZED = re.compile(r"(?:generate|_tuple\(_made)\(rng, ([0-9]{1,12})\)\)?")


@dataclass(frozen=True, kw_only=True)
class Expr:
    """An input, as the expression that makes it.

    Attributes:
        code: Evaluated in the namespace of the problem's generator source; gives the tuple
            of arguments (or the text of standard input).
        seed: The global `random` is seeded with it first, and `rng` is `random.Random(seed)`.
        level: Rung of the ladder of sizes.
    """

    code: str
    seed: int = 0
    level: int = 0

    @property
    def size(self) -> int | None:
        """What a generator is asked for, as 500 in `generate(rng, 500)`; None: nothing."""
        found = _SIZED.fullmatch(self.code)
        return int(found[1]) if found else None


@dataclass(frozen=True, kw_only=True)
class Case:
    """One visible test.

    Attributes:
        name: Shown when it fails.
        input: Gives the tuple of arguments, or the text of standard input.
        expected: A Python literal, or the expected text of a `stdio` problem; None: whatever
            the initial program answers.
    """

    name: str
    input: Expr
    expected: str | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """Where measurement inputs come from.

    Attributes:
        rungs: Per level, the expressions of that size. With `fresh`, each may be evaluated
            under any seed; without, `search` and `final` list all inputs that there are.
        search_level: Rung on which a search measurement starts; it climbs as programs get
            faster.
        final_level: Rung of the final inputs.
        fresh: Whether unseen seeds give unseen inputs.
        search: Without `fresh`: the inputs of the search.
        final: Without `fresh`: the inputs of the final confirmation.
    """

    rungs: tuple[tuple[str, ...], ...] = ()
    search_level: int = 0
    final_level: int = 0
    fresh: bool = True
    search: tuple[Expr, ...] = ()
    final: tuple[Expr, ...] = ()

    def expr(
        self, which: InputSet, index: int, level: int | None = None, salt: int = 0
    ) -> Expr | None:
        """Return input number `index` of a set, or None when the set has no such input.

        Within a rung the seeds of the two sets never meet: those of one are even, those of
        the other odd. Which are which alternates from rung to rung.

        Args:
            which: The set.
            index: Index of the input in the set.
            level: The rung; None: the one on which the set starts.
            salt: The seed of the run: with `fresh`, another one gives other inputs.
        """
        if not self.fresh:
            pool = self.search if which is InputSet.SEARCH else self.final
            return pool[index] if index < len(pool) else None
        default = self.search_level if which is InputSet.SEARCH else self.final_level
        rung = default if level is None else level
        if rung >= len(self.rungs):
            return None
        codes = self.rungs[rung]
        seed = 1_000_003 * (rung + 1) + 2 * index + (which is InputSet.FINAL)
        seed += salt << 40  # far beyond any index, and even
        return Expr(code=codes[index % len(codes)], seed=seed, level=rung)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one run of a candidate may use: CPU seconds, bytes of memory, bytes of output."""

    cpu_seconds: float = 10.0
    memory_bytes: int = 1 << 30
    output_bytes: int = 64 << 20


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Tests of the user's own, which a program has to pass besides: run by pytest.

    Attributes:
        root: Folder that is copied for every run, absolute.
        module: File in it that the program stands in for, relative.
        tests: File or folder of tests, relative.
        path: Folders of `root` that modules are imported from, relative.
        python: Interpreter of the environment with pytest and what the tests need.
        seconds: CPU seconds that a run of all tests may take.
    """

    root: str
    module: str
    tests: str
    path: tuple[str, ...]
    python: str
    seconds: float = 120.0


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What doubts and errors call the parts of a problem.

    Attributes:
        oracle: The program whose answers are right.
        others: Those that have to answer as it does.
        final: Inputs that a claim rests on.
        searched: Whether others are searched for, on inputs of their own.
        cure: What to do where the oracle fails a visible test.
        larger: What to do where inputs are too small to measure.
        chosen: Whether we chose inputs of this size, which nobody need be told to make smaller.
    """

    oracle: str = "the initial program"
    others: str = "others"
    final: str = "final"
    searched: bool = True
    cure: str = "correct the program or the case, or raise the limits"
    larger: str = "make the final inputs larger"
    chosen: bool = False


@dataclass(frozen=True, kw_only=True)
class PackageModule:
    """How a file of a program is imported.

    Attributes:
        name: Dotted name of its module.
        file: Absolute path that it has for the program; nothing is read from there.
    """

    name: str
    file: str


@dataclass(frozen=True, kw_only=True)
class Workload:
    """Code of the user's that calls a program: it is timed, and its results are compared.

    Attributes:
        name: Dotted name of its module.
        package: Dotted name of the package that this is in; empty for a lone file.
        file: Absolute path of its file.
        text: Its text.
        function: Name of the function that is called.
        modules: The files of the program, by their paths in a `Solution`.
    """

    name: str
    package: str
    file: str
    text: str
    function: str
    modules: Mapping[str, PackageModule]


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A problem, validated and complete.

    Attributes:
        name: Shown everywhere; the folder's name for a shipped one.
        kind: How programs are run and judged.
        title: What it is about, in a line; empty: the statement says it.
        family: Group for statistics, such as `lists`.
        statement: What the program shall do, for people and prompts.
        programs: Initial programs by name; the first is the default.
        path: Relative path of the program's single file in a `Solution`.
        language: Language of all programs. Generator, checker and scorer are Python always.
        entry_point: Function that is called; empty for programs that read standard input.
        cases: Visible tests, the most likely to fail first.
        stated: What a row of a problem set states as answers to them, to be noted where the
            initial program answers something else; nobody is held to it.
        generator: Source in whose namespace input expressions are evaluated.
        valid: Source with `valid(arguments) -> bool`, or `valid(text)`: which inputs a program
            has to answer; empty: those that are like the ones seen.
        ladder: Inputs for measurement.
        checker: Source with `check(args, expected, output) -> bool`; empty: equality.
        tolerance: Tolerance of that equality, absolute or relative, for floats only.
        rel_tol: The same, relative only.
        abs_tol: The same, absolute only.
        scorer: Source with `score(args, output) -> float`, raising ValueError for an
            answer that breaks a constraint; `score` problems only.
        shown: How many of an input's arguments the program is given; the scorer is given all
            of them. None: all. `score` problems only.
        answer: What answers are made of, where a `score` problem says it.
        direction: Whether a smaller or a larger score is better.
        unit: Unit of the score.
        imports: Packages that programs may import besides the standard library, or modules
            of them (`scipy.optimize`); preloaded before the fork, readable in the jail.
        site: Folders of packages (a user's environment) and of modules beside the program that
            the jail may read, but for what of the latter is `kept_back`.
        opened: Paths that may be read besides, in these folders or elsewhere, absolute.
        needs: What programs need besides computing: `threads`, `children`, `files`.
        prelude: Source executed before the program, in its namespace.
        limits: Limits of one run.
        editable: Names of the functions and classes that operators may change, as
            `program.editable` writes them; empty: all of the program.
        loading_counts: Whether the time to compile and load a program is part of its time.
            It is not for one function of a module that is loaded once and called often;
            what a candidate takes beyond its reference counts all the same.
        gate: Tests that a program has to pass after the cases.
        objective: What is made smaller, unless the run says something else.
        reference: Name of the program that the share of the reached speed is told against;
            empty: the initial one.
        command: Words of the command that runs a program and prints its score; `{program}` is
            the program's path. `command` problems only.
        blobs: Files beside the program that are no texts, in base64 by path; `command`
            problems only.
        files: Texts of further files by path: those that lie beside the program when a command
            runs, or further modules of the program of a `workload` problem, which may change.
        workload: What calls the program; `workload` problems only.
        usage: How that uses the program, for prompts; None: nobody looked.
        terms: What doubts and errors call its parts.
        formatter: What the project of a program tells its formatter; new lines are laid out so.
    """

    name: str
    kind: ProblemKind
    programs: Mapping[str, str]
    title: str = ""
    family: str = ""
    statement: str = ""
    path: str = "main.py"
    language: Language = Language.PYTHON
    entry_point: str = ""
    cases: tuple[Case, ...] = ()
    stated: tuple[str, ...] = ()
    generator: str = ""
    valid: str = ""
    ladder: Ladder = Ladder()
    checker: str = ""
    tolerance: float = 0.0
    rel_tol: float = 0.0
    abs_tol: float = 0.0
    scorer: str = ""
    shown: int | None = None
    answer: Answer | None = None
    direction: Literal["minimize", "maximize"] = "minimize"
    unit: str = "s"
    imports: tuple[str, ...] = ()
    site: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    prelude: str = ""
    limits: Limits = Limits()
    editable: str = ""
    loading_counts: bool = True
    gate: Gate | None = None
    objective: Objective = CPU_TIME
    reference: str = ""
    command: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    blobs: Mapping[str, str] = field(default_factory=dict)
    workload: Workload | None = None
    usage: WorkloadUsage | None = None
    terms: Terms = Terms()
    formatter: FormatterSettings = UNTOLD

    def initial(self, program: str = "") -> Solution:
        """Return the initial solution made from the named program, or from the first.

        Raises:
            KeyError: There is no program of this name.
        """
        name = program or next(iter(self.programs))
        more = self.files if self.workload else {}
        return Solution(id="Gen0_Sol_0", files={self.path: self.programs[name], **more})

    @property
    def oracle(self) -> str:
        """What errors call the program whose answers are right: whose it is, too."""
        of = "of " if self.terms.searched else ""
        return f"{self.terms.oracle} {of}{self.name!r}"

    @property
    def sent_path(self) -> str:
        """What tracebacks call the text that is run; for a workload it is none of the files."""
        return "workload.py" if self.workload else self.path

    @property
    def within(self) -> Tolerance:
        """What floats of an answer may differ by."""
        either = Tolerance(rel=self.tolerance, abs=self.tolerance)
        return either | Tolerance(rel=self.rel_tol, abs=self.abs_tol)

    @property
    def timed(self) -> bool:
        """Whether programs are compared by CPU time, not by score."""
        return self.kind in (ProblemKind.FUNCTION, ProblemKind.STDIO, ProblemKind.WORKLOAD)

    @property
    def trusted(self) -> bool:
        """Whether a program cannot say by itself how good it is."""
        return self.kind is not ProblemKind.COMMAND
