"""Can this problem be measured at all? Asked once, before anything is spent on it.

Not here: whether the text of the problem is well-formed (`se_agent.problem.loading`). Here its
programs and its generator run, under two fork servers, that is, under two hash seeds.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.answers.bench import Batch, Bench
from evaluators.answers.cases import Cases
from evaluators.answers.input_size import GOOD, unfit
from evaluators.answers.oracle import ends_badly, fails_test
from evaluators.answers.stated import unlike
from evaluators.measure.clock import FINEST
from evaluators.measure.finals import SPARE, of_the_search
from evaluators.measure.reading import ClockReading
from evaluators.measure.size import POOL
from evaluators.running.shown import one_line
from evaluators.running.uncompiled import uncompiled
from evaluators.sandbox.job import JobAnswer
from se_agent.config.sections import Measure
from se_agent.errors import NotMeasurableError, ProblemError, TooSmallError
from se_agent.problem.model import Expr, Problem
from se_agent.stats import waiting
from se_agent.stats.waiting import Seconds
from se_agent.values.evaluation import Evaluation, InputSet, Preflight, Status
from se_agent.values.objective import Objective, Quantity
from se_agent.values.objective import seconds as in_words
from se_agent.values.solution import Solution
from se_agent.wire import EXACT
from se_agent.wording import counted

_ORDER = "only the order differs: sort what comes from a set before it is returned"
_ADDRESS = (
    "answers hold the address of an object: return plain data, or give its class a __repr__"
)
_DRAWN = (
    "give its random numbers a fixed seed (random.Random(0)), and let it take nothing from the "
    "time, the order of sets or earlier calls"
)
_CURE = (
    "draw from its `rng` or random.Random(0), for numpy from default_rng(rng.getrandbits(32)), "
    "and take nothing from the time, the order of sets or earlier calls"
)
TOO_SMALL = 0.1
"""Share of `measure.fast_seconds` below which a whole run says nothing of a program."""

_SEARCH_SAMPLE = 2
_FINAL_SAMPLE = 8
_FINAL_SECONDS = 3.0  # CPU seconds of the initial program for that sample
_SHORT = 0.1  # CPU seconds from which on a single run is believed
_UNCLEAR = 4.0  # times what is enough, or a part of it: there three runs say little
_LATE = 0.1  # seconds that a process may be late each time, on a machine that is that busy
_PATIENCE = 9  # runs of a program of which three runs said too little


def preflight(
    bench: Bench,
    cases: Cases,
    measure: Measure,
    solution: Solution,
    *,
    fresh: Bench,
    objective: Objective,
) -> Preflight:
    """Run the initial program on its cases and on one input of each set, twice.

    More final inputs are answered once, as far as time allows: what the confirmation would
    stumble over is told before the search is paid for.

    Args:
        bench: Keeps what was made and answered, for the search.
        cases: The visible tests, on the same bench.
        measure: How long runs shall take.
        solution: The initial program.
        fresh: A bench on the same sandbox that remembers nothing: the second opinion.
        objective: In which programs will be compared.

    Raises:
        ProblemError: The problem cannot be measured; message and hint say why.
    """
    before = bench.sandbox.spent
    evaluation = tested(bench, cases, solution)
    exprs = [*_sample(bench), *(case.input for case in bench.problem.cases)]
    first = bench.batch(exprs)
    bench.sandbox.restart()
    _agree(bench, exprs, first, fresh.oracle.answers(exprs, first.inputs))
    notes = [
        *unlike(bench),
        *_raised(exprs, first, bench.problem),
        *_silent(first, bench),
        *_unstable(bench, exprs, first, fresh),
    ]
    seconds, inputs, doubts = _timed(bench, measure, solution, objective)
    notes += doubts
    count = max(1, min(_FINAL_SAMPLE, int(_FINAL_SECONDS / seconds)))
    bench.batch(bench.exprs(InputSet.FINAL, count))
    notes += _few(bench, count, measure.confirm_inputs)
    return Preflight(
        evaluation=evaluation,
        seconds=seconds,
        inputs=inputs,
        search_seconds=bench.oracle.seconds(exprs[0]),
        cost_seconds=bench.sandbox.spent - before,
        notes=tuple(notes),
    )


def tested(bench: Bench, cases: Cases, solution: Solution) -> Evaluation:
    """Return the evaluation of the initial program, which is AC.

    Raises:
        ProblemError: It fails one of its own tests.
    """
    evaluation = cases.evaluate(solution)
    if evaluation.status is Status.AC:
        return evaluation
    problem = bench.problem
    if evaluation.status is Status.CE:
        program = bench.runner.program_of(solution)
        raise uncompiled(problem, program, evaluation.feedback)
    if not evaluation.failing:
        raise ends_badly(problem, evaluation.status, evaluation.feedback)
    (case,) = evaluation.failing
    if evaluation.status is Status.WA and _answers_itself(bench, case.name, solution):
        raise ProblemError(
            f"{problem.oracle} is non-deterministic: on {case.name!r} it "
            f"answers {one_line(case.expected)}, then {one_line(case.got)}",
            hint=_steadied(problem, case.expected, case.got),
        )
    raise fails_test(
        problem, case.name, evaluation.status, expected=case.expected, got=case.got
    )


def _answers_itself(bench: Bench, name: str, solution: Solution) -> bool:
    """Say whether a case holds the program to an answer that it gave itself."""
    case = next(case for case in bench.problem.cases if case.name == name)
    return case.expected is None and solution.content == bench.problem.initial().content


def _sample(bench: Bench) -> list[Expr]:
    """Return a few inputs of the search and one final input."""
    search = bench.exprs(InputSet.SEARCH, _SEARCH_SAMPLE)
    final = bench.exprs(InputSet.FINAL, 1)
    if not search or not final:
        raise NotMeasurableError(
            f"{bench.problem.name!r} is not measurable: it has no input for the search or "
            "none for the final confirmation",
            hint="give it a generator, or at least two inputs",
        )
    return [*search, *final]


def _agree(
    bench: Bench, exprs: Sequence[Expr], first: Batch, again: Sequence[JobAnswer]
) -> None:
    """Raise if answers to the same inputs differ under another hash seed."""
    found = bench.checker.first_wrong(first.inputs, first.expected, again)
    if found:
        code = exprs[found.index].code[:120]
        raise ProblemError(
            f"{bench.problem.terms.oracle} is non-deterministic: for {code!r} "
            f"it answers {one_line(found.expected)}, then {one_line(found.got)}",
            hint=_steadied(bench.problem, found.expected, found.got),
        )


def _steadied(problem: Problem, first: str, then: str) -> str:
    """Return what to do about answers that differ from one time to the next."""
    if "0x" in first and "0x" in then:
        cure = _ADDRESS
    else:
        cure = _ORDER if sorted(first) == sorted(then) else _DRAWN
    own = problem.editable or problem.workload or not problem.terms.searched
    return cure if own else f"{cure}; or write a checker that takes either"


_Pair = tuple[Seconds, Seconds]  # of an empty program, and of the program


@dataclass(frozen=True)
class _Net:
    """Net seconds of a run on so many inputs, by either clock.

    Where it is `told_apart`, time in which others had its core is none of those on the wall.
    """

    cpu: float
    wall: float
    inputs: int
    told_apart: bool = False


def _timed(
    bench: Bench, measure: Measure, solution: Solution, objective: Objective
) -> tuple[float, int, list[str]]:
    """Return net CPU seconds of a final input, the inputs that a run needs, and doubts."""
    exprs = bench.exprs(InputSet.FINAL, bench.runner.most)
    enough = measure.fast_seconds * TOO_SMALL
    by_wall = Quantity.WALL in objective.quantities
    found = _net(bench, solution, exprs[:1], enough)
    only_cpu = objective.only is Quantity.CPU
    doubts = _waiting(bench.problem, found, enough) if only_cpu else []
    most = bench.most(exprs)
    for count in sorted({min(POOL, most), most}):
        if max(found.cpu, by_wall * found.wall) >= enough or count == 1:
            break
        found = _net(bench, solution, bench.pool.distinct(exprs, count), enough)
        # One call may wait no longer than a process may be late; many do.
        doubts = doubts or (_waiting(bench.problem, found, enough) if only_cpu else [])
    total = max(found.cpu, by_wall * found.wall)
    if total < enough:
        raise _too_small(bench.problem, found, total, enough)
    needed = max(1, round(measure.fast_seconds * found.inputs / total))
    seconds, inputs = max(found.cpu, FINEST) / found.inputs, min(needed, most)
    if only_cpu:
        doubts += unfit(bench.problem.terms, seconds, inputs, measure.fast_seconds)
    return seconds, inputs, doubts


def _too_small(problem: Problem, found: _Net, total: float, enough: float) -> TooSmallError:
    """Return the error of inputs on which a run says nothing; perhaps it waits on them."""
    terms, waits = problem.terms, found.wall >= enough
    taken = in_words(total, least=FINEST)
    wall = f", {in_words(found.wall)} on the wall" if waits else ""
    return TooSmallError(
        f"the inputs of {problem.name!r} are too small to measure: {terms.oracle} "
        f"takes {taken} for {found.inputs} of them{wall}",
        hint=f"{terms.larger}: {in_words(enough)} is the least "
        f"for all inputs of a run, {GOOD}" + (f"; {waiting.HINT}" if waits else ""),
    )


def _waiting(problem: Problem, found: _Net, enough: float) -> list[str]:
    """Doubt a program that waits; one that does little else cannot be measured by CPU time."""
    if not waiting.waits(found.cpu, found.wall):
        return []
    told = waiting.waiting_finding(found.cpu, found.wall)
    if found.cpu < enough or waiting.waits_mostly(found.cpu, found.wall):
        raise NotMeasurableError(
            f"{problem.oracle} cannot be measured by CPU time: {told}",
            hint=waiting.HINT,
        )
    oracle = _capital(problem.terms.oracle)
    busy = "" if found.told_apart else ", or the machine is busy"
    return [f"{oracle} may not only compute: {told}{busy}."]


def _net(bench: Bench, solution: Solution, exprs: Sequence[Expr], enough: float) -> _Net:
    """Time a run on some inputs, until it is clear whether its net time is enough."""
    batch = bench.batch(exprs)
    runner, sandbox, limits = bench.runner, bench.sandbox, bench.problem.limits
    program = runner.program_of(solution)
    seconds = len(batch.inputs) * limits.cpu_seconds

    apart = []

    def once() -> _Pair:
        # Side by side: what others do to the machine changes from one moment to the next.
        empty = runner.run(sandbox, runner.empty(program), batch.inputs, limits)
        taken = bench.trial(program, batch, cpu_seconds=seconds)
        both = ClockReading.of(empty), ClockReading.of(taken)
        apart.append(all(run.delayed is not None for run in both))
        return both[0].calls, both[1].calls

    pairs = [once()]
    first = _least(pairs)
    if first.cpu < _SHORT or waiting.waits(*first):
        pairs += [once(), once()]  # one run that was disturbed would make it look long
    while len(pairs) < _PATIENCE and _doubtful(pairs, enough):
        pairs.append(once())
    return _Net(*_least(pairs), len(batch.inputs), all(apart))


def _least(pairs: Sequence[_Pair]) -> Seconds:
    """Return the net seconds of the quickest: what disturbs a run only ever makes it longer.

    On the wall against what an empty one usually took: others put any process off, some more.
    Not `Clock.net`: raised to the resolution, what cannot be measured would look long.
    """
    cpu = min(taken.cpu for _, taken in pairs) - min(empty.cpu for empty, _ in pairs)
    usual = statistics.median(empty.wall for empty, _ in pairs)
    wall = min(taken.wall for _, taken in pairs) - usual
    return Seconds(max(0.0, cpu), max(0.0, wall))


def _doubtful(pairs: Sequence[_Pair], enough: float) -> bool:
    """Say whether more runs may say something else.

    A process may have been late only, as the others of a busy machine go first; or each run
    was disturbed, which makes it half as long again, and puts it beyond what is enough.
    """
    net, startup = _least(pairs), min(empty.cpu for empty, _ in pairs)
    late = (waiting.waits(*net) or net.cpu < enough <= net.wall) and net.wall < _LATE
    return late or enough / _UNCLEAR < net.cpu < max(enough * _UNCLEAR, startup)


def _raised(exprs: Sequence[Expr], batch: Batch, problem: Problem) -> list[str]:
    """Note what is raised; a program that raises on every input is called in a wrong way.

    Tests by hand say nothing of the generator: where it makes tests, too, what it makes is
    looked at by itself.
    """
    rungs = {code for rung in problem.ladder.rungs for code in rung}
    asked = [*zip(exprs, batch.expected, strict=True)]
    generated = [answer for expr, answer in asked if expr.code in rungs]
    tests = any(case.input.code in rungs for case in problem.cases)
    looks = (batch.expected, "input"), (generated if tests else (), "generated input")
    for answers, inputs in looks:
        if answers and all(answer.error for answer in answers):
            raise ProblemError(
                f"{problem.oracle} raises {answers[0].error} on every {inputs}",
                hint="let the generator return its arguments as a tuple, in their order",
            )
    # Only types are compared, so one of each is told: words often hold what is in the input.
    kinds = {a.error.partition(":")[0]: a.error for a in reversed(batch.expected) if a.error}
    oracle, others = _capital(problem.terms.oracle), problem.terms.others
    return [f"{oracle} raises {kinds[k]}: so must {others}." for k in sorted(kinds)]


def _silent(batch: Batch, bench: Bench) -> list[str]:
    """Note a script that prints nothing: whoever does nothing at all passes its tests."""
    printed = any(answer.value.strip() for answer in batch.expected)
    if printed or bench.runner.form != "str":
        return []
    oracle = _capital(bench.problem.terms.oracle)
    inputs = counted(len(batch.inputs), "input")
    return [f"{oracle} prints nothing on {inputs}: so may a faster one."]


def _few(bench: Bench, answered: int, wanted: int) -> list[str]:
    """Doubt final inputs that are few, or that the search has, too.

    A generator is asked again only where it gave an input twice; of listed inputs, those that
    were not answered count as different.
    """
    terms = bench.problem.terms
    drawn = of_the_search(bench, bench.runner.most) if terms.searched else ()
    searched = set(bench.pool.remembered(drawn))
    exprs = bench.exprs(InputSet.FINAL, SPARE * wanted)
    made = len(exprs) if bench.problem.ladder.fresh else answered
    found = bench.pool.distinct(exprs[:made], wanted)
    most = len(found) + len(exprs[made:])
    notes = []
    if most < wanted:
        notes.append(
            f"Only {counted(most, f'distinct {terms.final} input')}, {wanted} are wanted: "
            "a gain that is proven there may be smaller on others."
        )
    if shared := sum(data in searched for data in bench.pool.real(found)):
        notes.append(
            f"The search has final inputs, too, {shared} of the {len(found)} looked at: "
            "a gain that is proven there may be smaller on others."
        )
    return notes


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _unstable(bench: Bench, exprs: Sequence[Expr], first: Batch, fresh: Bench) -> list[str]:
    """Doubt a generator whose inputs differ under another hash seed: no other harm is done."""
    again = zip(exprs, first.inputs, fresh.pool.real(exprs), strict=True)
    for expr, one, other in again:
        if not bench.runner.same(one, other, EXACT):
            code = expr.code[:120]
            return [
                f"The generator gives another input for {code!r} in another process: {_CURE}."
            ]
    return []
