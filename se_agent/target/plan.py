"""Which inputs show that two functions do the same, and which ones are measured.

Not here: what the inputs are like (`target.survey`), and how a measurement is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from se_agent.errors import ProblemError
from se_agent.problem import Case, Expr, Ladder
from se_agent.target.inputs import Source
from se_agent.target.survey import Rung, Survey, sized

THIN = 50
"""Distinct inputs below which the evidence is thin."""

_EDGES = (0, 1, 2, 3, 5, 8)
_SEEDS = 12  # inputs of one size
_MANY = 150  # inputs of a generator without sizes
_SECONDS = 3.0  # CPU seconds of the function for all visible inputs
_BYTES = 16 << 20  # of all visible inputs, in wire form
_GOOD = 0.2  # CPU seconds that a final input should not take longer than


@dataclass(frozen=True)
class Plan:
    """The inputs of a problem.

    Attributes:
        cases: Inputs on which answers are compared.
        ladder: Inputs that are measured; their answers are compared too.
        distinct: Different inputs among the cases, or listed in all.
        notes: Doubts worth telling, one sentence each.
    """

    cases: tuple[Case, ...]
    ladder: Ladder
    distinct: int
    notes: tuple[str, ...] = ()


def plan(survey: Survey, *, split: bool) -> Plan:
    """Return the plan for what the user said of inputs.

    Args:
        survey: Looks at them.
        split: Whether a search shall not see the final inputs.

    Raises:
        ProblemError: The inputs cannot be made, or the function answers none of them.
    """
    examples = tuple(_given(survey.source))
    if not survey.source.generator:
        return _listed(survey, [case.input for case in examples], examples, split)
    kind, count = survey.kind()
    if kind == "sized":
        return _sized(survey, examples)
    if kind == "seeded":
        return _seeded(survey, examples)
    exprs = [Expr(code=f"_listed({index})") for index in range(count)]
    cases = tuple(Case(name=f"input {n}", input=expr) for n, expr in enumerate(exprs))
    return _listed(survey, exprs, (*examples, *cases), split)


def _given(source: Source) -> Iterator[Case]:
    """Give the inputs that came one by one: examples, and calls that were recorded."""
    for code, words in source.examples:
        yield Case(name=words, input=Expr(code=code))
    for index in range(source.recorded):
        yield Case(name=f"recorded call {index}", input=Expr(code=f"_recorded({index})"))


def _listed(
    survey: Survey, exprs: Sequence[Expr], cases: tuple[Case, ...], split: bool
) -> Plan:
    inputs = survey.made(exprs)
    if not inputs:
        raise ProblemError(
            f"--inputs {survey.source.generator}: it gives no input",
            hint="let it give tuples of arguments, or write generate(rng, size)",
        )
    survey.require_answers(inputs)
    seen = dict(zip(inputs, exprs, strict=True))
    different = tuple(seen.values())
    apart = split and len(different) >= 4
    search = different[::2] if apart else different
    final = different[1::2] if apart else different
    notes = list(_thin(len(different)))
    if split and not apart:
        notes.append("The same inputs serve the search and the confirmation.")
    ladder = Ladder(fresh=False, search=search, final=final)
    return Plan(cases, ladder, len(different), tuple(notes))


def _seeded(survey: Survey, examples: tuple[Case, ...]) -> Plan:
    code = "_tuple(_made(rng))"
    look = survey.sample([Expr(code=code, seed=seed) for seed in range(_MANY)])
    affordable = min(_SECONDS / max(look.seconds, 1e-4), _BYTES / max(look.bytes, 1))
    seeds = range(int(min(_MANY, max(8, affordable))))
    cases = tuple(Case(name=f"seed {seed}", input=Expr(code=code, seed=seed)) for seed in seeds)
    ladder = Ladder(rungs=((code,),))
    return _generated(survey, (*examples, *cases), ladder)


def _sized(survey: Survey, examples: tuple[Case, ...]) -> Plan:
    rungs = survey.rungs()
    fit = [rung for rung in rungs if rung.seconds <= _GOOD] or rungs[:1]
    final = rungs.index(fit[-1])
    cases = tuple(_sized_cases(survey, rungs, fit))
    ladder = Ladder(
        rungs=tuple((sized(rung.size).code,) for rung in rungs),
        final_level=final,
        search_level=final,
    )
    return _generated(survey, (*examples, *cases), ladder)


def _sized_cases(survey: Survey, rungs: Sequence[Rung], fit: Sequence[Rung]) -> Iterator[Case]:
    """Give several seeds of each size: the smallest ones, and all that are quick enough."""
    known = {rung.size: max(rung.seconds / _SECONDS, rung.bytes / _BYTES) for rung in fit}
    sizes = [s for s in _EDGES if s not in known and (s < rungs[0].size or s < 10)]
    left = 1.0
    for size in (*sizes, *known):
        share = max(known.get(size, 0.0), 1e-5)
        count = int(min(_SEEDS, left / share))
        exprs = [sized(size, seed=seed) for seed in range(count)]
        if not exprs or not survey.can_make(exprs):
            continue
        left -= count * share
        for expr in exprs:
            yield Case(name=f"size {size}, seed {expr.seed}", input=expr)


def _generated(survey: Survey, cases: tuple[Case, ...], ladder: Ladder) -> Plan:
    distinct = len(set(survey.made([case.input for case in cases])))
    return Plan(cases, ladder, distinct, tuple(_thin(distinct)))


def _thin(distinct: int) -> Iterator[str]:
    if distinct < THIN:
        plural = "input" if distinct == 1 else "inputs"
        yield f"The evidence is thin: {distinct} distinct {plural}, fewer than {THIN}."
