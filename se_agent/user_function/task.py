"""The problem that is made of a user's function.

Not here: which inputs it has (`plan`), and who solves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from se_agent.problem.model import Gate, Limits, Problem, ProblemKind, Terms
from se_agent.problem.used_package import statement_of
from se_agent.program.editable import in_words, joined_names
from se_agent.user_function.context import prelude, program
from se_agent.user_function.formatter import formatter_of
from se_agent.user_function.function import UserFunction
from se_agent.user_function.jail_calls import ENTRY
from se_agent.user_function.own_code import own_code
from se_agent.user_function.plan import ProofPlan
from se_agent.user_function.site import Access
from se_agent.user_function.survey import Survey
from se_agent.user_function.workloads.targets import Target, editable_of
from se_agent.user_function.workloads.workload import files_of, workload_of
from se_agent.values.usage import WorkloadUsage
from se_agent.wording import counted

_LIMITS = Limits(cpu_seconds=30.0)
_LARGER = "add --inputs MODULE:GENERATOR or --example with larger inputs"
_CURE = "correct the function, or give it smaller inputs"
_TERMS = Terms(
    oracle="the old function",
    others="the new one",
    final="measured",
    searched=False,
    cure=_CURE,
    larger="make the measured inputs larger",
)


def to_prove(
    old: UserFunction, new: UserFunction, survey: Survey, plan: ProofPlan, access: Access
) -> Problem:
    """Return the problem whose programs are two whole modules, `old` and `new`."""
    return Problem(
        name=old.name,
        kind=ProblemKind.FUNCTION,
        programs={"old": program(old, ENTRY), "new": program(new, ENTRY)},
        entry_point=ENTRY,
        cases=plan.cases,
        generator=survey.source.text,
        ladder=plan.ladder,
        imports=access.imports,
        site=access.site,
        opened=access.opened,
        limits=_LIMITS,
        loading_counts=False,
        terms=replace(_TERMS, chosen=plan.is_chosen),
    )


def to_optimize(
    target: UserFunction,
    survey: Survey,
    plan: ProofPlan,
    access: Access,
    gate: Gate | None = None,
) -> Problem:
    """Return the problem of a module: one function, and its helpers, may change."""
    own = own_code(target.module, target.function)
    along = _along(own[1:])
    return Problem(
        name=target.name,
        kind=ProblemKind.FUNCTION,
        statement=f"Make `{target.function}` of `{target.module.path.name}` faster. {along}It "
        "has to answer as it does now: values, changed arguments and exceptions.",
        programs={"original": target.module.text},
        path=target.module.path.name,
        entry_point=target.function,
        cases=plan.cases,
        generator=survey.source.text,
        ladder=plan.ladder,
        prelude=prelude(target.module),
        imports=access.imports,
        site=access.site,
        opened=access.opened,
        limits=_LIMITS,
        editable=joined_names(own),
        loading_counts=False,
        gate=gate,
        terms=Terms(cure=_CURE, larger=_larger(survey), chosen=plan.is_chosen),
        formatter=formatter_of(target.module.path),
    )


def _along(helpers: Sequence[str]) -> str:
    """Return a sentence about what else may change, and a space after it; or nothing."""
    told = in_words(joined_names(helpers))
    return f"What it uses of its file may change with it: {told}. " if told else ""


def to_workload(
    targets: Sequence[Target],
    survey: Survey,
    plan: ProofPlan,
    access: Access,
    gate: Gate | None = None,
    usage: WorkloadUsage | None = None,
) -> Problem:
    """Return the problem whose program is modules of a package, which the workload calls."""
    function, files = survey.caller.target, files_of(targets)
    first, *_ = targets
    spoken = ", ".join(target.spoken for target in targets)
    asked = statement_of(spoken, function.function, function.module.path.name)
    along = _along([name for target in targets for name in target.helpers])
    return Problem(
        name=f"{first.module.name}.{first.names[0]}" if first.names else first.module.name,
        kind=ProblemKind.WORKLOAD,
        statement=f"{asked} {along}".rstrip(),
        programs={"original": files.pop(first.path)},
        path=first.path,
        files=files,
        workload=workload_of(function, targets),
        usage=usage,
        entry_point=ENTRY,
        cases=plan.cases,
        generator=survey.source.text,
        ladder=plan.ladder,
        imports=access.imports,
        site=access.site,
        opened=access.opened,
        limits=_LIMITS,
        editable=editable_of(targets),
        loading_counts=False,
        gate=gate,
        terms=Terms(
            cure="correct the workload, or give it smaller inputs",
            larger=(
                f"put larger sizes into SIZES of {function.module.path.name}"
                if survey.source.sizes
                else _LARGER
            ),
            chosen=plan.is_chosen,
        ),
        formatter=formatter_of(first.module.path),
    )


def _larger(survey: Survey) -> str:
    """Return what to do where inputs are too small, and what came of making others up."""
    source = survey.source
    if not source.only_recorded or survey.caller.may_wait:  # then no others were tried
        return _LARGER
    more = ", and no input like theirs could be made up"
    if source.made_up:
        more = f"; made up like theirs: {counted(source.made_up, 'input')}, none larger"
    return f"{_LARGER} (the tests make {counted(source.recorded, 'distinct call')}{more})"
