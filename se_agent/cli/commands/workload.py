"""`optimize --workload`: from what was said on the command line to a problem that can be run.

Not here: the run itself (`commands.optimize`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from se_agent.cli.spinner import phase

if TYPE_CHECKING:
    from se_agent.cli.commands.prove import Given
    from se_agent.cli.screen import Screen
    from se_agent.problem.model import Gate, Problem
    from se_agent.user_function.workloads.targets import Target

_LOOKING = "calling the workload once on a few inputs: what it reaches, and how long it takes"
_SEEN = 4  # inputs on which it is seen what the workload reaches


@dataclass(frozen=True)
class GivenWorkload:
    """What the command line says of a workload.

    Attributes:
        given: The workload's function, its inputs, where it runs, and the user's tests.
        targets: What is to be faster, a target a file.
        may_wait: Whether something else than CPU time is measured.
        asks_model: Whether a model is asked, which is told how the workload uses its targets.
    """

    given: Given
    targets: Sequence[Target]
    may_wait: bool
    asks_model: bool = False


def prepared(
    asked: GivenWorkload, isolation: str, screen: Screen
) -> tuple[Problem, Sequence[str]]:
    """Return the problem of a workload, and doubts about its inputs.

    Raises:
        ProblemError: It cannot be measured, or reaches nothing that is to be faster; the tests
            fail as the code is.
    """
    from se_agent.cli.jail import ForkedJail
    from se_agent.user_function.jail_calls import Caller
    from se_agent.user_function.plan import plan
    from se_agent.user_function.survey import Survey
    from se_agent.user_function.task import to_workload
    from se_agent.user_function.workloads import workload as workloads
    from se_agent.user_function.workloads.reach import (
        calls_reached,
        require_reached,
        standard_modules,
    )
    from se_agent.user_function.workloads.usage import usage_of

    given, targets = asked.given, asked.targets
    function, setting = given.target, given.setting
    inputs = workloads.inputs_of(function, given.called_on.inputs, given.called_on.examples)
    reach = workloads.reach_of(
        function, targets, inputs.modules, setting.python, setting.opened
    )
    gate = _tested(asked, isolation, screen) if given.tests else None
    with closing(ForkedJail(reach, isolation)) as jail, phase(screen, _LOOKING):
        text = workloads.workload_program(function, targets)
        survey = Survey(Caller(jail, function, asked.may_wait, reach, text), inputs)
        survey.caller.require_loaded()
        found = plan(survey, split=True)
        seen = survey.made([case.input for case in found.cases[-_SEEN:]])
        require_reached(calls_reached(jail, function, targets, seen), function, targets)
        usage = usage_of(survey, targets, seen) if asked.asks_model else None
        known = standard_modules(jail, function, targets)
        reach = replace(reach, imports=tuple(dict.fromkeys((*known, *reach.imports))))
    if found.choice:
        screen.say(found.choice)
    return to_workload(targets, survey, found, reach, gate, usage), found.notes


def _tested(asked: GivenWorkload, isolation: str, screen: Screen) -> Gate:
    """Return the gate of the user's tests, which pass as the code is now."""
    from evaluators.suite.suite import Suite
    from se_agent.user_function.gate import gate_of
    from se_agent.user_function.site import access

    given, modules = asked.given, [target.module for target in asked.targets]
    found = gate_of(modules, given.tests, given.setting.python)
    with phase(screen, "running the tests once, as the code is"):
        opened = access([], opened=given.setting.opened).opened
        Suite(found, isolation, opened).require({found.module: modules[0].text})
    screen.say("the tests pass")
    return found
