"""The terms of a run's comparisons: what is made better, and the rule that says it is proven.

Pure. They come from the run file and the problem. Not here: the rules themselves
(`se_agent.stats.sequential`), nor the quantities (`se_agent.values.objective`).
"""

from __future__ import annotations

import math
from dataclasses import replace

from se_agent.config.run_file import Run
from se_agent.errors import ConfigError
from se_agent.problem.model import Problem
from se_agent.stats.no_loss import NoLoss
from se_agent.stats.sequential import FixedRule, Once, Sequential, SequentialRule, sequential
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.objective import Goal, Objective
from se_agent.wire import Tolerance


def objective_of(problem: Problem, config: Run) -> Objective:
    """Return what a run makes smaller: what it says itself, or else what its problem says.

    Raises:
        ConfigError: The problem has a score, and nothing else to compare.
    """
    weights = config.weights or ({config.objective: 1.0} if config.objective else {})
    if not weights:
        return problem.objective
    if not problem.timed:
        key = "weights" if config.weights else "objective"
        raise ConfigError(
            f"{key}: programs of {problem.name!r} are compared by their score",
            hint=f"leave {key} out: there is nothing to choose",
        )
    return Objective.weighted(weights)


def tolerated(problem: Problem, config: Run) -> Problem:
    """Return the problem with what a run tolerates besides what the problem says.

    Raises:
        ConfigError: Its answers are not compared with others.
    """
    judge = config.judge
    if not (judge.rel_tol or judge.abs_tol):
        return problem
    if not problem.timed or problem.checker:
        key = "judge.rel_tol" if judge.rel_tol else "judge.abs_tol"
        how = "its own checker" if problem.checker else "a score"
        raise ConfigError(
            f"{key}: answers to {problem.name!r} are judged by {how}",
            hint=f"leave {key} out: no answer is compared with another one",
        )
    return replace(
        problem,
        rel_tol=max(problem.rel_tol, judge.rel_tol),
        abs_tol=max(problem.abs_tol, judge.abs_tol),
    )


def tolerance_told(config: Run) -> tuple[str, ...]:
    """Return a sentence on what a run tolerates; none where results are the same exactly."""
    within = Tolerance(config.judge.rel_tol, config.judge.abs_tol)
    if not within:
        return ()
    return (f"Floats of two answers are the same within {within}, as this run asks for.",)


def goal_of(problem: Problem, config: Run) -> Goal:
    """Return what a run makes better, in words for a prompt."""
    if problem.timed:
        objective = objective_of(problem, config)
        return Goal(title=objective.title, unit=objective.unit)
    return Goal(
        title="score",
        unit=problem.unit,
        larger=problem.direction == "maximize",
        ratio=False,
        trusted=problem.trusted,
    )


def rule_of(config: Run, kind: ComparisonKind, spread: float | None) -> Once | Sequential:
    """Return what decides how many blocks a comparison takes.

    Args:
        config: Its section `judge`.
        kind: Kind of the problem's comparisons.
        spread: From the self-test of a timed problem.
    """
    if kind is ComparisonKind.EXACT:
        return Once()
    if kind is ComparisonKind.COUNTED:
        return Once(margin=math.log1p(config.judge.margin))
    assert spread is not None, "a timed run begins with its self-test"
    return sequential(config.judge, spread)


def final_rule_of(
    config: Run,
    kind: ComparisonKind,
    spread: float,
    *,
    blocks: int | None = None,
    halved: bool = False,
) -> SequentialRule:
    """Return the rule of comparisons on final inputs: of timed ones, so many equal blocks.

    Args:
        config: Its sections `measure` and `judge`.
        kind: Kind of the problem's comparisons.
        spread: From the self-test of a timed problem.
        blocks: Blocks of a timed comparison; None: as many as a confirmation has.
        halved: Whether later blocks of a clear gain have half of the pairs.
    """
    if kind is not ComparisonKind.TIMED:
        return rule_of(config, kind, spread)
    measure = config.measure
    return FixedRule(
        blocks=measure.confirm_blocks if blocks is None else blocks,
        per_block=measure.confirm_inputs,
        spread=spread,
        halved=halved,
    )


PLAIN_MARGIN = 0.03
"""Gain, as a fraction, that a change must bring by itself where it reads worse than before."""


def no_loss_of(
    config: Run, kind: ComparisonKind, spread: float, *, margin: float | None = None
) -> SequentialRule:
    """Return the rule whose "yes" says that no loss is seen: a few short blocks of a timed one.

    Args:
        config: Its section `judge`.
        kind: Kind of the problem's comparisons.
        spread: From the self-test of a timed problem.
        margin: Loss that is none yet, a fraction; None: the run's margin.
    """
    margin = config.judge.margin if margin is None else margin
    if kind is ComparisonKind.TIMED:
        return NoLoss(margin=margin, spread=spread)
    return Once(margin=-math.log1p(margin) if kind is ComparisonKind.COUNTED else 0.0)


def proven_no_loss_of(config: Run, kind: ComparisonKind, spread: float) -> SequentialRule:
    """Return the rule of older runs, whose "yes" proves that a program is not worse.

    Args:
        config: Its section `judge`.
        kind: Kind of the problem's comparisons.
        spread: From the self-test of a timed problem.
    """
    rule = rule_of(config, kind, spread)
    return replace(rule, margin=-rule.margin)
