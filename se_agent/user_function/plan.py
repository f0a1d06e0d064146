"""Choose the inputs that show whether two functions do the same, and those to measure.

Not here: what the inputs are like (`survey`), and how a measurement is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from se_agent.errors import ProblemError
from se_agent.problem.model import Case, Expr, Ladder
from se_agent.user_function.inputs import SHARES, Source
from se_agent.user_function.survey import (
    GOOD,
    LONG,
    SEARCHED,
    SIZES,
    Rung,
    Survey,
    sized,
)
from se_agent.user_function.unvaried import unvaried
from se_agent.values.objective import seconds
from se_agent.wording import counted

THIN = 50
"""Distinct inputs below which the evidence is thin."""

_FEW = 32  # inputs that are looked at one by one
_SHORT = 1e-3  # CPU seconds from which on a call is worth timing beside others
_TIMES = 50.0  # times that one may take longer than another that is timed as well
_EDGES = (0, 1, 2, 3, 5, 8)
_SEEDS = 12  # inputs of one size
_MANY = 150  # inputs of a generator without sizes
_SECONDS = 3.0  # CPU seconds of the function for all visible inputs
_BYTES = 48_000_000  # of all visible inputs and answers: one run has to answer them
_FINEST = 1e-5  # CPU seconds below which a figure says nothing
_SMALL = 1e-3  # CPU seconds of a call, below which inputs are called small


@dataclass(frozen=True)
class ProofPlan:
    """The inputs of a problem.

    Attributes:
        cases: Inputs on which answers are compared.
        ladder: Inputs that are measured; their answers are compared too.
        distinct: Different inputs among the cases.
        seconds: CPU seconds of a call on an input that is measured, about.
        bytes: Size of such an input and its answer in wire form.
        choice: The measured size out of several, and why no larger one, in a sentence; empty
            where there was nothing to choose.
        notes: Doubts worth telling, one sentence each.
    """

    cases: tuple[Case, ...]
    ladder: Ladder
    distinct: int
    seconds: float
    bytes: int
    choice: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_chosen(self) -> bool:
        """Whether we took the measured size from several, and calls on it are short enough."""
        return bool(self.choice) and self.seconds <= GOOD


def plan(survey: Survey, *, split: bool) -> ProofPlan:
    """Return the plan for what the user said of inputs.

    Args:
        survey: Looks at them.
        split: Whether a search shall not see the final inputs.

    Raises:
        ProblemError: The inputs cannot be made, or the function answers none of them.
    """
    examples = tuple(given(survey.source))
    if not survey.source.generator:
        more = tuple(_made_up(survey.source))
        found = _listed(survey, (), examples, split, more)
        doubts = (*_unreal(survey.source), *_small(survey.source, found))
        return replace(found, notes=(*found.notes, *doubts))
    kind, count = survey.kind()
    if kind == "sized":
        return _sized(survey, examples)
    if kind == "seeded":
        return _seeded(survey, examples)
    listed = (Expr(code=f"_listed({index})") for index in range(count))
    cases = tuple(Case(name=f"input {n}", input=expr) for n, expr in enumerate(listed))
    return _listed(survey, examples, cases, split)


def given(source: Source) -> Iterator[Case]:
    """Give the inputs that came one by one: examples, and calls that were recorded."""
    for code, words in source.examples:
        yield Case(name=words, input=Expr(code=code))
    for index in range(source.recorded):
        yield Case(name=f"recorded call {index}", input=Expr(code=f"_recorded({index})"))


def _made_up(source: Source) -> Iterator[Case]:
    """Give the inputs that were made up: measured, and answers on them are compared, too."""
    for index in range(source.recorded, source.recorded + source.made_up):
        yield Case(name=f"made-up call {index}", input=Expr(code=f"_recorded({index})"))


def _unreal(source: Source) -> Iterator[str]:
    if source.made_up:
        calls = counted(source.recorded, "recorded call")
        verb = "is" if source.made_up == 1 else "are"
        yield (
            f"{source.made_up} of the measured inputs {verb} made up, for the tests make only "
            f"{calls}, and short ones: a gain is one on such inputs, parts of which come again "
            "and again."
        )


def _small(source: Source, found: ProofPlan) -> Iterator[str]:
    """Say that tests give small inputs, on which a better algorithm may show nothing."""
    if source.recorded and found.seconds < _SMALL:
        about = "about " if found.seconds >= _FINEST else ""
        call = f"{about}{_time(found.seconds)}" if found.seconds else "too little to be told"
        yield (
            f"The tests' inputs are small, a call takes {call}: what larger ones would "
            "gain is not seen; --inputs gives them."
        )


def _listed(
    survey: Survey,
    others: tuple[Case, ...],
    listed: tuple[Case, ...],
    split: bool,
    more: tuple[Case, ...] = (),
) -> ProofPlan:
    """Return the plan of inputs that are listed.

    Args:
        survey: Looks at them.
        others: Inputs that are compared, and not measured.
        listed: Inputs that are compared and measured.
        split: Whether a search shall not see the final inputs.
        more: Inputs that are measured, and no cases.
    """
    if not listed:
        raise ProblemError(
            f"--inputs {survey.source.generator}: it gives no input",
            hint="let it give tuples of arguments, or write generate(rng, size)",
        )
    cases, measured = (*others, *listed), (*listed, *more)
    made = survey.made([case.input for case in (*cases, *more)])
    inputs = made[len(others) :]
    look = survey.answered(inputs, [case.name for case in measured])
    seen = {data: case.input for data, case in zip(inputs, measured, strict=True)}
    timed = _timed(survey, tuple(seen), look.seconds / look.answered)
    different = tuple(seen[data] for data in timed)
    apart = split and len(different) >= 4
    shares = SHARES if more else 2
    search = different[::shares] if apart else different
    final = tuple(e for i, e in enumerate(different) if i % shares) if apart else different
    distinct = len(set(made[: len(cases)]))
    # Answers on what is measured are compared, too.
    notes = [*_thin(len(set(made))), *unvaried(survey.caller.target, made)]
    if split and not apart:
        notes.append("The same inputs serve the search and the confirmation.")
    if short := len(seen) - len(timed):
        verb = "is" if short == 1 else "are"
        told = f"{short} of {len(seen)} inputs {verb} too short to be timed beside the others"
        notes.append(f"{told}: compared, not measured.")
    ladder = Ladder(fresh=False, search=search, final=final)
    return ProofPlan(
        cases,
        ladder,
        distinct,
        look.seconds / look.answered,
        look.bytes + look.answer,
        notes=tuple(notes),
    )


def _timed(survey: Survey, inputs: Sequence[bytes], seconds: float) -> Sequence[bytes]:
    """Return the inputs that are worth timing: of few, a tiny one would count as much as any.

    Args:
        survey: Looks at them.
        inputs: Distinct ones.
        seconds: CPU seconds of a call on one, on average.
    """
    if not 1 < len(inputs) <= _FEW or seconds < _SHORT:
        return inputs
    each = survey.seconds(inputs)
    long = max(_SHORT, max(each) / _TIMES)
    worth = [data for data, one in zip(inputs, each, strict=True) if one >= long]
    return worth or inputs


def _seeded(survey: Survey, examples: tuple[Case, ...]) -> ProofPlan:
    code = "_tuple(_made(rng))"
    look = survey.sample([Expr(code=code, seed=seed) for seed in range(_MANY)])
    quick = max(8, int(_SECONDS / max(look.seconds, 1e-4)))
    weight = look.bytes + look.answer
    light = max(1, _BYTES // max(weight, 1))
    seeds = range(min(_MANY, quick, light))
    cases = tuple(Case(name=f"seed {seed}", input=Expr(code=code, seed=seed)) for seed in seeds)
    ladder = Ladder(rungs=((code,),))
    return _generated(survey, (*examples, *cases), ladder, look.seconds, weight)


def _sized(survey: Survey, examples: tuple[Case, ...]) -> ProofPlan:
    seen = survey.rungs()
    rungs = [rung for rung in seen if not rung.failure]
    fit = [rung for rung in rungs if rung.seconds <= GOOD] or rungs[:1]
    final = rungs.index(fit[-1])
    # The search climbs as programs get faster: a block of it costs what its calls take.
    long = (level for level, rung in enumerate(rungs) if rung.seconds >= SEARCHED)
    cases = tuple(_sized_cases(survey, rungs, fit))
    ladder = Ladder(
        rungs=tuple((sized(rung.size).code,) for rung in rungs),
        final_level=final,
        search_level=min(next(long, final), final),
    )
    measured = rungs[final]
    found = _generated(survey, (*examples, *cases), ladder, measured.seconds, measured.bytes)
    last = (survey.source.sizes or SIZES)[-1]
    return replace(found, choice=_choice(measured, seen[final + 1 :], last))


def _choice(measured: Rung, larger: Sequence[Rung], last: int) -> str:
    taken = f"{_time(measured.seconds)} of CPU time a call"
    told = f"measured on inputs of size {measured.size}, {taken}"
    return "; ".join([told, *_limit(measured, larger, last)])


def _limit(measured: Rung, larger: Sequence[Rung], last: int) -> Iterator[str]:
    """Say why no larger size is measured; a call that takes long enough needs no reason."""
    if larger:
        found = larger[0]
        too_long = f"takes {_time(found.seconds)}"
        why = f"is too large: {found.failure}" if found.failure else too_long
        yield f"size {found.size} {why}"
    elif measured.bulky and measured.seconds < LONG:
        yield (
            f"larger ones are not tried: input and answer have {measured.bytes / 1e6:.2g} MB "
            "already; generate(rng), without a size, may make them larger"
        )
    elif measured.seconds < LONG:
        tried = "tried" if measured.size == last else "made and answered"
        yield f"no larger one is {tried}"


def _time(taken: float) -> str:
    return seconds(taken, least=_FINEST)


def _sized_cases(survey: Survey, rungs: Sequence[Rung], fit: Sequence[Rung]) -> Iterator[Case]:
    """Give several seeds of each size: the smallest ones, and all that are quick enough.

    A size that was not looked at may take what the next larger one does; beyond them all
    nothing is known. What a size leaves of its part, the larger ones have.
    """
    known = {rung.size: max(rung.seconds / _SECONDS, rung.bytes / _BYTES) for rung in rungs}
    chosen = [rung.size for rung in fit]
    sizes = [s for s in _EDGES if s not in chosen and s <= rungs[-1].size]
    left = 1.0
    each = (*sizes, *chosen)
    for place, size in enumerate(each):
        share = max(known[min(s for s in known if s >= size)], 1e-5)
        count = int(min(_SEEDS, left / (len(each) - place) / share))
        exprs = [sized(size, seed=seed) for seed in range(count)]
        if not exprs or not survey.can_make(exprs, size=size):
            continue
        left -= count * share
        for expr in exprs:
            yield Case(name=f"size {size}, seed {expr.seed}", input=expr)


def _generated(
    survey: Survey, cases: tuple[Case, ...], ladder: Ladder, seconds: float, weight: int
) -> ProofPlan:
    made = survey.made([case.input for case in cases])
    distinct = len(set(made))
    notes = (*_thin(distinct), *unvaried(survey.caller.target, made))
    return ProofPlan(cases, ladder, distinct, seconds, weight, notes=notes)


def _thin(distinct: int) -> Iterator[str]:
    if distinct < THIN:
        told = counted(distinct, "distinct input")
        yield f"The evidence is thin: {told}, fewer than {THIN}."
