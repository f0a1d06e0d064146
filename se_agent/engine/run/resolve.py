"""From the names in a run file to the parts of a run: all are found by name, none imported.

A start, a resume, a check and a dry run each make one `ResolvedRun`, and hand it down.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from se_agent import registry
from se_agent.chat.events import EventBase
from se_agent.chat.messages import Role
from se_agent.config.roles import RoleMatrix
from se_agent.config.run_file import Run
from se_agent.config.sections import SandboxSection
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.judging.terms import objective_of, tolerated
from se_agent.engine.models.briefing import brief_of
from se_agent.engine.models.calls import Calling
from se_agent.engine.models.endpoints import is_written, roles_of
from se_agent.engine.models.model_operator import ModelOperator
from se_agent.engine.run.chosen_policy import Operators, policy_of
from se_agent.engine.search.search_space import mends
from se_agent.engine.state.state import State, pictures_of
from se_agent.environment import own
from se_agent.errors import ConfigError, ProblemError, UnknownPluginError, did_you_mean
from se_agent.files.kept_back import PACKAGES, beyond
from se_agent.memory import ESTIMATOR, MemoryStack, TokenCounter, counter
from se_agent.problem.model import Problem
from se_agent.program.language import Language
from se_agent.protocols import Evaluator, Fold, ModelWritten, Operator
from se_agent.redaction.redactor import Redactor
from se_agent.redaction.secret_values import secrets_in
from se_agent.values.brief import Brief
from se_agent.values.objective import CPU_TIME, Objective
from se_agent.values.solution import Solution
from se_agent.values.step import Slot

EvaluatorFactory = Callable[[Problem, Run], Evaluator]


@dataclass(frozen=True)
class ResolvedRun:
    """What the names in a run file stand for, looked up once.

    Attributes:
        given: The run file as it was read.
        config: The run file with the names of all operators and a level that has room.
        problem: Its problem.
        operators: By registered name.
        tokenizer: Name of the token counter that the run began with; empty: the best here.
    """

    given: Run
    config: Run
    problem: Problem
    operators: Operators
    tokenizer: str = ""

    @classmethod
    def of(
        cls,
        given: Run,
        problem: Problem,
        *,
        operators: Operators | None = None,
        tokenizer: str = "",
    ) -> Self:
        """Look up what a run file names.

        Args:
            given: The run file.
            problem: Its problem.
            operators: All that it may use, if they were made already; see `made_operators`.
            tokenizer: Name of the token counter that the run began with; empty: choose.

        Raises:
            ConfigError: An operator has not what an operator has, or none is left.
            UnknownPluginError: An operator is not registered.
        """
        made = made_operators(given) if operators is None else operators
        used = fitting_operators(made, given, problem.language)
        config = with_fitting_isolation(given, problem)
        config = config.model_copy(update={"operators": tuple(used)})
        return cls(given, config, problem, used, tokenizer)

    def with_settings(self, config: Run) -> Self:
        """Return the same parts under a run file with other settings."""
        return replace(self, config=config)

    @cached_property
    def initial(self) -> Solution:
        """The program that the run starts from; see `initial_of`."""
        return initial_of(self.problem, self.config)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The roles in which models are asked, each with what needs it; see `roles_of`."""
        return roles_of(self.config, self.operators)

    @property
    def matrix(self) -> RoleMatrix:
        """What the roles need, and how often they are drawn."""
        return RoleMatrix.of(self.config)

    @cached_property
    def counter(self) -> TokenCounter:
        """What counts the tokens of memory and prompts; see `counter_of`."""
        return counter_of(self.config, name=self.tokenizer)

    @cached_property
    def memory(self) -> MemoryStack | None:
        """The memory before the first event; None: it is off."""
        section = self.config.memory
        if not section.enabled:
            return None
        return MemoryStack.of(section, counter=self.counter, analysed=is_analysed(self))

    @cached_property
    def first_brief(self) -> Brief:
        """What an operator is told of the initial program before the run has begun."""
        slot = Slot(
            number=0,
            generation=1,
            child="Gen1_Sol_1",
            parents=(self.initial,),
            operator="",
        )
        brief = brief_of(self.problem, self.config, slot)
        return replace(brief, folds=pictures_of(folds_of(self.config), slot.number))

    @property
    def objective(self) -> Objective:
        """What is made smaller."""
        return objective_of(self.problem, self.config)

    @property
    def rules(self) -> list[Operator]:
        """The operators that need no model."""
        return [each for each in self.operators.values() if not is_written(each)]

    @property
    def written(self) -> dict[str, ModelWritten]:
        """The operators that a model writes, by registered name."""
        return {name: each for name, each in self.operators.items() if is_written(each)}

    def new_state(self) -> State:
        """Return the state before the first event."""
        return State(
            policy=policy_of(self.config, self.operators),
            memory=self.memory,
            outside=folds_of(self.config),
            roles=self.matrix,
        )


def with_fitting_isolation(config: Run, problem: Problem) -> Run:
    """Return the run file with a level that has room for what programs need.

    A level that it names itself stays: whether that has room is the evaluator's to say.
    """
    if not problem.needs or "isolation" in config.sandbox.model_fields_set:
        return config
    return config.model_copy(update={"sandbox": SandboxSection(isolation="namespace")})


def registered_evaluator(problem: Problem, config: Run) -> Evaluator:
    """Return a new evaluator of the kind that the problem asks for."""
    objective = objective_of(problem, config)
    more = {} if objective == CPU_TIME else {"objective": objective}
    made: Evaluator = registry.make(
        "evaluator",
        problem.kind,
        tolerated(problem, config),
        measure=config.measure,
        isolation=with_fitting_isolation(config, problem).sandbox.isolation,
        seed=config.seed,
        **more,
    )
    return made


def redactor_of(
    problem: Problem, config: Run, environ: Mapping[str, str] | None = None
) -> Redactor:
    """Return what takes out secrets that this machine and the project of a problem hold.

    Args:
        problem: Its folders that programs may read, or that its tests are copied from, and
            what they may read besides.
        config: Its `models`, whose keys are secret.
        environ: By default the environment of the process.
    """
    roots = [folder for folder in problem.site if Path(folder).name not in PACKAGES]
    roots += [problem.gate.root] if problem.gate else []
    roots += beyond(problem.opened, [*roots, *problem.site])
    # Of a row of a problem set this is no path, and may be longer than any.
    roots += [config.problem] if os.path.isdir(config.problem) else []  # noqa: PTH112
    keys = (endpoint.key for endpoint in config.models.values())
    return Redactor(secrets_in(roots, own.given() if environ is None else environ, keys))


def made_operators(config: Run) -> Operators:
    """Return the operators that a run file names, or all that are registered, by name.

    Args:
        config: Its `operators`; those in its `without` are left out.

    Raises:
        ConfigError: One of them has not what an operator has, or none is left.
        UnknownPluginError: One of them, or of `without`, is not registered.
    """
    known = registry.names("operator")
    for name in config.without:
        if name not in known and ":" not in name:
            raise UnknownPluginError("operator", name, known)  # noqa: EM101 - a kind
    names = [name for name in config.operators or known if name not in config.without]
    if not names:
        left = f"without: no operator is left of {', '.join(config.operators or known)}"
        raise ConfigError(left, hint="take one of them out of `without`")
    return {name: registry.make("operator", name) for name in names}


def fitting_operators(made: Operators, config: Run, language: Language) -> Operators:
    """Return the operators that a run uses.

    Args:
        made: All that it may use.
        config: Where it names `operators`, all of these are used. Else the ones that a model
            writes are left out where it names no model, and the ones that mend what it wrote.
        language: Language of the programs; where none are named, operators with another
            `language` are left out, and those that are not there `by_default`.
    """
    if config.operators:
        return made
    return {
        name: operator
        for name, operator in made.items()
        if getattr(operator, "language", language) == language
        and getattr(operator, "by_default", True)
        and (config.models or not (is_written(operator) or mends(operator)))
    }


def operators_of(config: Run, *, language: Language = Language.PYTHON) -> Operators:
    """Return the operators that a run uses; see `made_operators` and `fitting_operators`."""
    return fitting_operators(made_operators(config), config, language)


def as_operators(
    operators: Operators, calls: Calling, record: Recorder, config: Run
) -> dict[str, Operator]:
    """Return the operators as the loop uses them: none of them can be told to be a model's."""
    shows, rounds = config.memory.context, config.memory.artifacts.read_rounds
    return {
        name: ModelOperator(operator, calls, record, rounds, shows)
        if is_written(operator)
        else operator
        for name, operator in operators.items()
    }


def counter_of(config: Run, *, name: str = "") -> TokenCounter:
    """Return what counts the tokens of a run's memory.

    Where no model reads it an estimate is enough: the exact counter's tables take 66 MB.

    Args:
        config: Its `models`, and its `memory.vocabulary`.
        name: Name of the counter that the run began with; empty: choose.
    """
    if not (name or config.models or config.memory.vocabulary):
        name = ESTIMATOR
    return counter(config.memory.vocabulary, name=name)


def look_up(config: Run) -> None:
    """Make sure that the folds and the tiers of memory are there, which are made later.

    Raises:
        ConfigError: A fold has not what a fold has, or a package cannot be imported.
        UnknownPluginError: One of them is not registered.
    """
    folds_of(config)
    for name in config.memory.tiers if config.memory.enabled else ():
        registry.load("tier", name)


def folds_of(config: Run) -> dict[str, Fold]:
    """Return the folds that a run file names, in its order, each before its first event.

    Raises:
        ConfigError: It has not what a fold has, or reads what is no event.
        UnknownPluginError: It is not registered.
    """
    made: dict[str, Fold] = {name: registry.make("fold", name) for name in config.folds}
    for name, fold in made.items():
        if not (isinstance(fold.reads, tuple) and all(map(_is_event, fold.reads))):
            raise ConfigError(
                f"fold {name!r} reads what is no event",
                hint="`reads` is a tuple of classes in se_agent.events",
            )
    return made


def _is_event(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, EventBase)


def initial_of(problem: Problem, config: Run) -> Solution:
    """Return the program that a run starts from.

    Raises:
        ProblemError: The problem has no program of that name.
    """
    try:
        return problem.initial(config.program)
    except KeyError as err:
        names = list(problem.programs)
        raise ProblemError(
            f"{problem.name}: no initial program {config.program!r}",
            hint=did_you_mean(config.program, names) or f"known: {', '.join(names)}",
        ) from err


def is_analysed(resolved: ResolvedRun) -> bool:
    """Say whether a role of the run reads all archetypes, and may name another one."""
    return any(each.role == Role.ANALYSE for each in resolved.written.values())
