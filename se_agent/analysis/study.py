"""The loop of a run as an object: it asks somebody outside to measure, to propose, or both.

The search runs in a thread of its own and waits for whoever answers: a notebook, an agent,
another program, a person. One question is asked at a time. All is on record as in any run, but
for the answering itself: such a run is read and compared like others, and is not resumed by
`se-agent resume`, which could not answer.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self, get_args  # a setting may have any value that TOML has
from weakref import finalize

from se_agent.analysis.outside import (
    OutsideEvaluator,
    Questions,
    StudyRequest,
    StudyTrial,
    ToldScore,
    endpoint_of,
)
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.config import run_file
from se_agent.config.sources import keyword_settings
from se_agent.engine.journal.result import Result
from se_agent.engine.run.start import start
from se_agent.environment.own import secrets_apart
from se_agent.errors import ConfigError
from se_agent.problem.model import Case, Expr, Problem, ProblemKind

_MEASURED = "study.tell(0.93), or study.tell(error='it crashed')"
_ANSWERED = "study.tell(reply='...'), in the form that its messages ask for"
_ONE_OF_TWO = "a study has an initial program, or a problem"
_TWO_WAYS = 'Study("x = 1", statement="..."), or Study(problem="order_report")'

Direction = Literal["minimize", "maximize"]


class Study:
    """A search whose scores, or whose proposals, come from outside.

    It is closed, too, when nobody holds it any more, or Python ends.
    """

    def __init__(
        self,
        initial: str = "",
        *,
        problem: str = "",
        statement: str = "",
        direction: Direction = "minimize",
        unit: str = "",
        name: str = "study",
        proposes: bool = False,
        **settings: Any,
    ) -> None:
        """Begin a search.

        Args:
            initial: Text of the initial program; its trials are measured outside.
            problem: Instead of that a shipped problem or a problem folder, which is measured
                here as in any run; prompts are answered outside.
            statement: What is to be improved, for prompts; with `initial`.
            direction: Whether a smaller or a larger score is better; with `initial`.
            unit: Unit of the score; with `initial`.
            name: Name of the problem; with `initial`.
            proposes: Whether prompts are answered outside, beside the measuring.
            settings: Keys of the run file, as `se_agent.run` takes them.

        Raises:
            ConfigError: A setting will not do, or there is not one of `initial` and `problem`.
        """
        if bool(initial) == bool(problem):
            raise ConfigError(_ONE_OF_TWO, hint=_TWO_WAYS)
        if direction not in get_args(Direction):
            raise ConfigError(f"no direction {direction!r}", hint="minimize, or maximize")
        if not isinstance(initial, str):
            told = f"the initial program is a text, not {type(initial).__name__}"
            raise ConfigError(told, hint=_TWO_WAYS)
        self._questions = Questions()
        if proposes or problem:
            settings["models"] = {"outside": endpoint_of(self._questions)}
        given = keyword_settings(settings)
        config = run_file.of_problem(name, given) if initial else run_file.parse(problem, given)
        begin = partial(start, config)
        if initial:
            begin = partial(
                begin,
                problem=Problem(
                    name=name,
                    kind=ProblemKind.SCORE,
                    programs={"initial": initial},
                    statement=statement,
                    cases=(Case(name="measured outside", input=Expr(code="()")),),
                    scorer="def score(args, output):\n    raise NotImplementedError\n",
                    direction=direction,
                    unit=unit,
                ),
                evaluators=partial(_outside, self._questions, direction),
            )
        self._open: StudyTrial | StudyRequest | None = None
        self._search = _Search(begin, self._questions)
        finalize(self, self._questions.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def run(self) -> RecordedRun | None:
        """The run, once it has ended or was closed; None before, or where none was begun."""
        return self._search.run

    def __iter__(self) -> Iterator[StudyTrial | StudyRequest]:
        """Yield the questions; each is to be told before the next one is taken.

        Raises:
            ConfigError: One was not told.
            SeAgentError: The run broke off.
        """
        while (asked := self.ask()) is not None:
            yield asked
            if self._open is asked:
                untold = f"nothing was told of {_named(asked)} before the next one"
                raise ConfigError(untold, hint=f"{_MEASURED}; or {_ANSWERED}")

    def ask(self) -> StudyTrial | StudyRequest | None:
        """Return what is to be measured or answered next; None: the run has ended.

        The same is returned until it is told.

        Raises:
            SeAgentError: The run broke off.
        """
        if (asked := self._open) is None:
            asked = self._open = self._questions.next()
        if asked is None:
            self._search.join()
        return asked

    def tell(
        self, score: float | None = None, *, error: str = "", reply: str | None = None
    ) -> None:
        """Say what came of what was asked for.

        Args:
            score: Score of a trial; a finite number.
            error: What is wrong with the program of a trial; it has no score then.
            reply: The answer to a request.

        Raises:
            ConfigError: Nothing is asked for, or not this.
        """
        if self._open is None:
            nothing = "no program is waiting to be measured, and no prompt to be answered"
            raise ConfigError(nothing, hint="call `ask` first, and `tell` once for each")
        told = _told(self._open, score, error, reply)
        self._open = None
        self._questions.answer(told)

    def close(self) -> None:
        """End the search if it goes on; what was measured stays on record."""
        if self._search.goes_on:
            self._questions.close()
            self._search.wait()
            self._open = None


class _Search:
    """A search in a thread of its own, which does not hold the study: it may be dropped."""

    def __init__(self, begin: Callable[..., Result], questions: Questions) -> None:
        self.run: RecordedRun | None = None
        self._folder: Path | None = None
        self._failure: BaseException | None = None
        self._begin, self._questions = begin, questions
        self._thread = threading.Thread(target=self._go, name="study", daemon=True)
        self._thread.start()

    @property
    def goes_on(self) -> bool:
        """Whether it has not ended yet."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Wait for its end."""
        self._thread.join()

    def join(self) -> None:
        """Wait for its end, and raise what broke it off."""
        self.wait()
        if self._failure is not None:
            raise self._failure

    def _go(self) -> None:
        try:
            with secrets_apart():
                self._begin(announce=self._announce)
        except BaseException as err:  # noqa: BLE001 - it is raised where somebody asks
            self._failure = err
        if self._folder is not None:
            self.run = RecordedRun(self._folder)
        self._questions.end()

    def _announce(self, folder: Path) -> None:
        self._folder = folder


def _outside(questions: Questions, direction: str, *_: object) -> OutsideEvaluator:
    return OutsideEvaluator(questions, direction)


def _told(
    asked: StudyTrial | StudyRequest, score: float | None, error: str, reply: str | None
) -> ToldScore | str:
    """Return an answer that suits the question.

    Raises:
        ConfigError: It does not.
    """
    measured = score is not None or bool(error)
    if isinstance(asked, StudyRequest):
        if reply is None or measured:
            alone = f"{_named(asked)} is answered by a reply, and by nothing else"
            raise ConfigError(alone, hint=_ANSWERED)
        return reply
    if reply is not None or (score is None) == (not error):
        both = f"{_named(asked)} has a score, or an error: give one of them"
        raise ConfigError(both, hint=_MEASURED)
    return ToldScore(score=0.0 if score is None else _finite(score), error=error)


def _named(asked: StudyTrial | StudyRequest) -> str:
    """Return what was asked, so that whoever holds several studies knows which it is."""
    if isinstance(asked, StudyTrial):
        return f"the {'final ' if asked.is_final else ''}trial of {asked.id}"
    return f"the request {asked.text.strip()[:40]!r}"


def _finite(score: float) -> float:
    try:
        found = float(score)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise ConfigError(f"score {score!r}: not a finite number", hint=_MEASURED)
    return found
