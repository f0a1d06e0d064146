"""Where hostile programs run: one fork server, all evaluators on it, and who looks after them.

Between every two programs an honest neighbour runs, and one in C++ around those that are
compiled; this process, its descriptors and its children are counted. Not here: the programs,
and how they have to end.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from evaluators.counting import valgrind
from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.score import ScoreEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from evaluators.languages.compiling import CompilingSandbox
from evaluators.languages.tool import installed
from evaluators.sandbox.job import JobOutcome
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.config.sections import Measure
from se_agent.environment.process_files import (
    SELF,
    command_words,
    descendants,
    open_files,
    process_ids,
    resident_bytes,
)
from se_agent.problem.model import Problem, ProblemKind
from se_agent.program.language import Language
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.objective import Objective
from se_agent.values.solution import Solution
from tests.contracts.sandbox import LONG, call, script, values
from tests.hostile import gates, problems, projects
from tests.hostile.attack import HARMLESS, NO_GAIN, SLOWER, Attack, Place

ESCAPED = Path("/tmp/se-agent-escaped")
OURS = Path(__file__).parents[2] / "pyproject.toml"

_HONEST = call("def f(xs):\n    return sorted(xs), sum(xs)", ([3, 1, 2],), limits=LONG)
_HONEST_COMPILED = script(problems.COMPILED.initial().files["main.cpp"], b"2 1 2", limits=LONG)
_COUNTED = Objective.weighted({"instructions": 1})
_BRIEF = Measure(fast_seconds=0.005, slow_seconds=0.05)
_PATIENCE = 1.0  # seconds on the wall that a program may waste: others use the machine, too
_CPU_SPARE = 0.05  # seconds that a neighbour may take more, of about 1 ms
_OWN_SPARE = 1.5  # CPU seconds that reading its answers may take us, for each block
_MEMORY_SPARE = 48 << 20
_NOISE = 0.35  # an effect below it is no gain: three pairs on a busy machine
_CLEARLY = 0.7  # an effect below minus it is a loss: twice the time
_BLOCKS = 3  # a gain that was stolen is there in each; what others do to us, in one
_KINDS = {
    ProblemKind.FUNCTION: FunctionEvaluator,
    ProblemKind.STDIO: StdioEvaluator,
    ProblemKind.SCORE: ScoreEvaluator,
}
_PROBLEMS = {
    Place.FUNCTION: problems.FUNCTION,
    Place.MEASURED: problems.FUNCTION,
    Place.FINAL: problems.FUNCTION,
    Place.COUNTED: problems.FUNCTION,
    Place.LOADED: problems.LOADED,
    Place.STDIO: problems.SCRIPT,
    Place.SCORE: problems.SCORE,
    Place.COMPILED: problems.COMPILED,
    Place.COMPILED_MEASURED: problems.COMPILED,
}
_IN_BLOCKS = (Place.MEASURED, Place.FINAL, Place.LOADED, Place.COUNTED, Place.COMPILED_MEASURED)
_TESTS_ONLY = (Place.FUNCTION, Place.STDIO, Place.COMPILED)
_OF_ITS_OWN = {
    "hash-collisions": problems.LARGE_SET,
    "lets-the-reader-work": problems.SET,
    "not-a-number": problems.MEAN,
    "inside-a-tolerance": problems.MEAN,
    "inside-a-stated-tolerance": problems.NEARLY_MEAN,
    "outside-a-stated-tolerance": problems.NEARLY_MEAN,
    "raises-look-alike": problems.RAISING,
    "patched-checker": problems.CHECKED,
    "dead-text-of-a-megabyte": problems.LARGE_BLOCKS,
    "works-in-a-generator": problems.SHORT,
    "works-at-exit": problems.SHORT,
    "works-at-an-exit-that-always-takes-as-long": problems.SHORT,
}


class Seen(NamedTuple):
    """What became of a program: in the words of the table, and what was said of it."""

    ending: str
    feedback: str


class _State(NamedTuple):
    """What no program may change, here and outside."""

    descriptors: int
    processes: frozenset[str]
    daemons: int
    escaped: bool


class HarmError(AssertionError):
    """A neighbour or we came to harm; the message says how."""


class Yard:
    """Runs attacks at one level of isolation.

    Args:
        level: Level of the fork server.
    """

    def __init__(self, level: str) -> None:
        self.level = level
        self.server = ForkServer(isolation=level, patience=_PATIENCE)
        self._evaluators: dict[str, Evaluator] = {}
        self._home = tempfile.TemporaryDirectory()
        self._key = Path(self._home.name, ".ssh", "id_ed25519")
        self._key.parent.mkdir()
        self._key.write_text("a key", encoding="ascii")
        self._usual = self._neighbour()
        self._well: frozenset[Language] = frozenset()  # where neighbours ran since an attack

    def close(self) -> None:
        """End the fork server, and remove the home that it should not see."""
        if "_compiling" in vars(self):
            self._compiling.close()
        self.server.close()
        self._home.cleanup()

    def seen(self, attack: Attack) -> Seen:
        """Run an attack between two neighbours and return what became of it.

        Raises:
            HarmError: Something outside of the attack's own process changed.
        """
        with self._watched(attack):
            return self._run(attack, self._placed(attack))

    @contextmanager
    def _watched(self, attack: Attack) -> Iterator[None]:
        around = frozenset({Language.PYTHON, *([Language.CPP] * attack.compiled)})
        if not around <= self._well:
            self._neighbours(attack)
        self._well = frozenset()
        before, memory, begun = _state(), resident_bytes(SELF), time.process_time()
        yield
        own = time.process_time() - begun
        if own > _OWN_SPARE * (_BLOCKS if attack.place in _IN_BLOCKS else 1):
            raise HarmError(f"{attack.name}: we take {own:.1f} s of CPU time for it")
        cost = self._neighbours(attack)
        if cost > self._usual + _CPU_SPARE:
            raise HarmError(f"{attack.name}: a neighbour takes {cost:.3f} s of CPU time")
        after = _state()
        if after != before:
            raise HarmError(f"{attack.name}: {before} became {after}")
        if (grown := self._grown(memory)) > _MEMORY_SPARE:
            raise HarmError(f"{attack.name}: this process grew by {grown >> 20} MB")
        self._well = around

    def _grown(self, memory: int) -> int:
        """Return by how many bytes this process grew; garbage counts for nothing."""
        if resident_bytes(SELF) - memory > _MEMORY_SPARE:
            gc.collect()
        return resident_bytes(SELF) - memory

    def _neighbours(self, attack: Attack) -> float:
        """Run those of the attack's kind; return the CPU seconds of the one in Python."""
        if attack.compiled:
            outcome = self._compiling.run(_HONEST_COMPILED)
            if [answer.value for answer in outcome.answers] != [b"2\n"]:
                raise HarmError(f"a neighbour in C++ ended with {outcome}")
        return self._neighbour()

    def _neighbour(self) -> float:
        """Run an honest program and return its CPU seconds; it answers as ever.

        The best of three: a busy machine only ever adds.
        """
        outcomes = [self.server.run(_HONEST) for _ in range(3)]
        for outcome in outcomes:
            if (outcome.status, values(outcome)) != (Status.AC, [([1, 2, 3], 6)]):
                raise HarmError(f"a neighbour ended with {outcome}")
        return min(outcome.cpu_seconds for outcome in outcomes)

    def _placed(self, attack: Attack) -> str:
        paths = {"OURS": OURS, "OWNED": self._key, "ESCAPED": ESCAPED}
        text = attack.text.replace("PPID", str(os.getpid()))
        for word, path in paths.items():  # a literal of Python, and of C++ as well
            text = text.replace(word, json.dumps(str(path)))
        return text

    def _run(self, attack: Attack, text: str) -> Seen:
        limits = attack.limits(self.level)
        if attack.place is Place.CALL:
            return _judged(attack, self.server.run(call(text, limits=limits)))
        if attack.place is Place.SCRIPT:
            return _judged(attack, self.server.run(script(text, limits=limits)))
        if attack.place is Place.PROJECT:
            return _judged(attack, projects.run(attack, text, self.level))
        if attack.place is Place.GATE:
            return Seen(*gates.judged(text, self.level, patient=attack.ends != "TLE"))
        return self._evaluated(attack, text)

    def _evaluated(self, attack: Attack, text: str) -> Seen:
        problem = _OF_ITS_OWN.get(attack.name, _PROBLEMS.get(attack.place, problems.FUNCTION))
        solution = Solution(id="Gen1_Sol_1", files={problem.path: text})
        seconds = attack.limits(self.level).cpu_seconds
        key = f"{attack.place}/{problem.name}/{id(problem)}/{seconds}"
        limited = replace(problem.limits, cpu_seconds=seconds)
        evaluator = self._evaluator(key, replace(problem, limits=limited))
        initial = problem.initial()
        evaluation = evaluator.evaluate(solution)
        if evaluation.status is not Status.AC:
            return Seen(evaluation.status, evaluation.feedback)
        if attack.place in _TESTS_ONLY:
            return Seen(HARMLESS, "")
        which = InputSet.FINAL if attack.place is Place.FINAL else InputSet.SEARCH
        for number in range(_BLOCKS):
            block = evaluator.block(initial, solution, number=number, pairs=3, inputs=which)
            if block.status is not Status.AC:
                return Seen(f"{block.status} when measured", block.feedback)
            if block.effect <= _NOISE:
                slower = block.effect < -_CLEARLY and attack.ending(self.level) == SLOWER
                return Seen(SLOWER if slower else NO_GAIN, "")
        return Seen(f"a gain: effect {block.effect:.2f}", block.feedback)

    def _evaluator(self, key: str, problem: Problem) -> Evaluator:
        if key not in self._evaluators:
            sandbox = self.server if problem.language is Language.PYTHON else self._compiling
            made = _KINDS[problem.kind](problem, measure=_BRIEF, sandbox=sandbox)
            if key.startswith(Place.COUNTED):
                made = FunctionEvaluator(
                    problem, measure=_BRIEF, sandbox=sandbox, objective=_COUNTED
                )
            self._evaluators[key] = made
        return self._evaluators[key]

    @cached_property
    def _compiling(self) -> CompilingSandbox:
        return CompilingSandbox(self.server, Language.CPP, self.level)


def possible(attack: Attack) -> bool:
    """Say whether it can run here: C++ needs a compiler, tests a pytest of this Python."""
    if attack.compiled:
        return installed(Language.CPP) is not None
    if attack.place is Place.COUNTED:
        return bool(valgrind.installed()) and platform.machine() == "x86_64"
    spec = importlib.util.find_spec("pytest")
    here = spec is not None and str(spec.origin).startswith(sys.prefix)
    return attack.place is not Place.GATE or here


def _judged(attack: Attack, outcome: JobOutcome) -> Seen:
    if outcome.status is not Status.AC:
        return Seen(outcome.status, outcome.feedback)
    found = outcome.answers[0].value if attack.place is Place.SCRIPT else values(outcome)[0]
    return Seen(HARMLESS if found == attack.answer else f"answers {found!r:.80}", "")


def _state() -> _State:
    return _State(
        descriptors=sum(1 for _ in descriptors()),
        processes=_descendants(os.getpid()),
        daemons=_running(gates.MARK),
        escaped=ESCAPED.exists(),
    )


def descriptors() -> Iterator[str]:
    """Return what is open here; the cache of compiled programs has bounds of its own."""
    return (opened for opened in open_files() if not opened.startswith("/memfd:program"))


def _descendants(pid: int) -> frozenset[str]:
    """Return the commands of all processes beneath one; a fork server may have a new pid."""
    found = (str(command_words(child)[-2:-1]) for child in descendants(pid))
    return frozenset(f"{number} {name}" for number, name in enumerate(sorted(found)))


def _running(word: str) -> int:
    """Return how many processes have the word in their command, whoever adopted them."""
    return sum(word in " ".join(command_words(pid)) for pid in process_ids())
