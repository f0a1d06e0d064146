"""The loop of a run as an object: it asks for measurements, and is told them.

The search runs in a thread of its own and waits for whoever measures: a notebook, another
program, a person. One candidate is asked for at a time. All is on record as in any run, but for
the measuring itself: such a run is read and compared like others, and is not resumed by
`se-agent resume`, which could not measure it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any, Literal, Self  # a setting may have any value that TOML has

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.config import run_file
from se_agent.config.toml_text import override_texts
from se_agent.engine.run.start import start
from se_agent.errors import ConfigError, SandboxError
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    FailedCase,
    InputSet,
    Measurement,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution

_CLOSED = "the study was closed"


@dataclass(frozen=True)
class StudyTrial:
    """A program that is to be measured.

    Attributes:
        id: Id of the solution.
        text: The program.
        is_final: Whether this is the confirmation: measure on inputs that no earlier
            measurement had, where there are such.
    """

    id: str
    text: str
    is_final: bool


@dataclass(frozen=True)
class _Told:
    """What was said of a trial: a score, or what went wrong."""

    score: float
    error: str = ""


class Study:
    """A search whose scores come from outside.

    Attributes:
        run: The run, once it has ended; None before.
    """

    def __init__(
        self,
        initial: str,
        *,
        statement: str,
        direction: Literal["minimize", "maximize"] = "minimize",
        unit: str = "",
        name: str = "study",
        **settings: Any,
    ) -> None:
        """Begin a search; the first trial is the initial program.

        Args:
            initial: Text of the initial program.
            statement: What is to be improved, for prompts.
            direction: Whether a smaller or a larger score is better.
            unit: Unit of the score.
            name: Name of the problem.
            settings: Keys of the run file, as `se_agent.run` takes them.

        Raises:
            ConfigError: A setting will not do.
        """
        self.run: RecordedRun | None = None
        self._config = run_file.parse(name, override_texts(settings))
        self._problem = Problem(
            name=name,
            kind=ProblemKind.SCORE,
            programs={"initial": initial},
            statement=statement,
            cases=(Case(name="measured outside", input=Expr(code="()")),),
            scorer="def score(args, output):\n    raise NotImplementedError\n",
            direction=direction,
            unit=unit,
        )
        self._asked: Queue[StudyTrial | None] = Queue()
        self._told: Queue[_Told | None] = Queue()
        self._turn = threading.Lock()
        self._open: StudyTrial | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._search, name="study", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[StudyTrial]:
        """Yield the trials; each is to be told before the next one is taken."""
        while (trial := self.ask()) is not None:
            yield trial

    def ask(self) -> StudyTrial | None:
        """Return the program that is to be measured next; None: the run has ended.

        The same one is returned until it is told.

        Raises:
            SeAgentError: The run broke off.
        """
        if self._open is None and self.run is None and self._failure is None:
            self._open = self._asked.get()
        if self._open is None:
            self._thread.join()
            if self._failure is not None:
                raise self._failure
        return self._open

    def tell(self, score: float | None = None, *, error: str = "") -> None:
        """Say what came of the program that was asked for.

        Args:
            score: Its score; a finite number.
            error: What is wrong with it; it has no score then.

        Raises:
            ConfigError: No program is asked for, or neither or both are given.
        """
        if self._open is None:
            nothing = "no program is waiting to be measured"
            raise ConfigError(nothing, hint="call `ask` first, and `tell` once for each trial")
        if (score is None) == (not error):
            both = "a trial has a score, or an error: give one of them"
            raise ConfigError(both, hint="study.tell(0.93), or study.tell(error='it crashed')")
        self._open = None
        self._told.put(_Told(score=float(score or 0.0), error=error))

    def close(self) -> None:
        """End the search if it goes on; what was measured stays on record."""
        if self._thread.is_alive():
            self._told.put(None)
            self._thread.join()

    def _search(self) -> None:
        """Run the search to its end; in the thread of its own."""
        try:
            found = start(
                self._config,
                problem=self._problem,
                evaluators=lambda *_: _OutsideEvaluator(
                    self._asked, self._told, self._turn, self._problem.direction
                ),
            )
            self.run = RecordedRun(Path(found.run))
        except BaseException as err:  # noqa: BLE001 - it is raised where somebody asks
            self._failure = err
        self._asked.put(None)


class _OutsideEvaluator:
    """An evaluator that asks somebody else; scores on each set of inputs are asked for once."""

    kind = ComparisonKind.EXACT

    def __init__(
        self,
        asked: Queue[StudyTrial | None],
        told: Queue[_Told | None],
        turn: threading.Lock,
        direction: str,
    ) -> None:
        self._asked = asked
        self._told = told
        self._turn = turn
        self._sign = 1 if direction == "maximize" else -1
        self._known: dict[tuple[str, InputSet], _Told] = {}
        self._closed = False

    def preflight(self, solution: Solution) -> Preflight:
        """Ask for the initial program's score."""
        return Preflight(evaluation=self.evaluate(solution))

    def evaluate(self, solution: Solution) -> Evaluation:
        """Ask for a score."""
        found = self._measured(solution, InputSet.SEARCH)
        if found.error:
            failed = FailedCase(name="measured outside", expected="a score", got=found.error)
            return Evaluation(status=Status.WA, failing=(failed,), feedback=found.error)
        return Evaluation(
            status=Status.AC, measurement=Measurement(cpu_seconds=0.0), score=found.score
        )

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Compare two scores; on final inputs both are asked for anew."""
        old, new = (self._measured(each, inputs) for each in (reference, candidate))
        return Block(
            number=number,
            effect=self._sign * (new.score - old.score),
            reference=old.score,
            candidate=new.score,
            pairs=pairs,
            status=Status.WA if new.error else Status.AC,
            reference_status=Status.WA if old.error else Status.AC,
            feedback=new.error or old.error,
            unit="",
        )

    def close(self) -> None:
        """Nothing more is asked for."""
        self._closed = True

    def _measured(self, solution: Solution, inputs: InputSet) -> _Told:
        key = (solution.content, inputs)
        if key not in self._known:
            self._known[key] = self._ask(solution, is_final=inputs is InputSet.FINAL)
        return self._known[key]

    def _ask(self, solution: Solution, *, is_final: bool) -> _Told:
        """Ask for a score; with several workers one waits for the other's answer."""
        with self._turn:
            if self._closed:
                raise SandboxError(_CLOSED)
            self._asked.put(StudyTrial(solution.id, solution.text, is_final))
            told = self._told.get()
            if told is None:
                self._told.put(None)  # whoever waits for its turn is to end, too
                raise SandboxError(_CLOSED)
            return told
