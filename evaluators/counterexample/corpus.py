"""Inputs to try programs on, with the right answers: made once, tried on every champion.

Round by round: what the generator makes, then seen inputs with changes and new ones, tame and
wild in turn. Same seed, same inputs, for as many rounds as there was time for. A run draws
twice: for its search, and for its confirmation by a seed that is made then.

Which of them count: docs/design.md, "Right means more than the given tests".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any  # values of any type that may cross the wire

from evaluators.answers.bench import Bench
from evaluators.counterexample.allowance import ENDLESS, Allowance
from evaluators.counterexample.asking import UNASKED, Input, InputRunner, ProgramReply
from evaluators.counterexample.forms import Form, Formed
from evaluators.counterexample.function.repeated import begins
from evaluators.counterexample.verdicts import Verdicts
from se_agent.problem.model import Expr
from se_agent.values.evaluation import InputSet
from se_agent.values.randomness import Purpose, rng_at

ROUNDS = 32
"""Rounds at most; then more of the same would not find more."""

_SPARE = 3  # times as many are drawn where not all count
_SEEN = 64  # inputs of the two smallest rungs
_EDGES = 1  # the round that begins at the edges of what was seen
_STRANGE = 8  # inputs of a round that are unlike those seen: they are good for a note only
_REPEATED = 32  # inputs of some rounds that are asked about three times, besides
_OFTEN = 3  # rounds of which one is such: each kind of round has its turn
_HEAVY = 8 << 10  # bytes of a seen input that is not changed: there are smaller ones
_OURS = 0.25  # share of the time left that the initial program may take for a round


@dataclass(frozen=True)
class Round:
    """Inputs that the initial program has answered.

    Attributes:
        inputs: What is asked.
        right: Its replies.
        fair: Whether a program has to answer alike.
        refused: Inputs at the edge of those seen, of arguments that were seen one by one, on
            which the initial program raises what no input seen makes it raise.
        refusals: Its replies to these.
    """

    inputs: tuple[Input, ...]
    right: tuple[ProgramReply, ...]
    fair: tuple[bool, ...]
    refused: tuple[Input, ...] = ()
    refusals: tuple[ProgramReply, ...] = ()


class Corpus:
    """Rounds of inputs, kept once made.

    Args:
        bench: Where programs run.
        formed: Makes the form of inputs.
        seed: Seed of the run.

    Attributes:
        asking: Asks programs, and knows how long they take to be loaded.
        verdicts: Compares; once there is a round, it knows which exceptions inputs seen are
            answered with.
    """

    def __init__(self, bench: Bench, formed: Formed, *, seed: int) -> None:
        self.asking = InputRunner.on(bench)
        self.verdicts = Verdicts(bench, self.asking)
        self._bench = bench
        self._formed = formed
        self._seed = seed
        self._rounds: list[Round] = []
        self._known: set[object] = set()

    def draw(self, seed: int) -> None:
        """Make up other inputs from now on; those that were seen stay."""
        self._seed = seed
        del self._rounds[1:]
        self._known = set(self._shown) if self._rounds else set()

    @cached_property
    def seen(self) -> tuple[bytes, ...]:
        """Inputs of the visible cases and of the search, never those of the confirmation."""
        exprs = [case.input for case in self._bench.problem.cases]
        made = self._bench.pool.real([*exprs, *_searched(self._bench)])
        return tuple(data for data in dict.fromkeys(made) if len(data) <= _HEAVY)

    @cached_property
    def form(self) -> Form:
        """What makes inputs up."""
        return self._formed(self._bench, self.seen)

    def rounds(self, more: Callable[[], bool], time: Allowance = ENDLESS) -> Iterator[Round]:
        """Yield the rounds that were made, then new ones.

        Args:
            more: Whether there is time for another round.
            time: Time left. The initial program may take a part of it for each: what it has no
                time for is in no round.
        """
        number = 0
        while number < self._most and more():
            if number == len(self._rounds):
                # Else the first round would have to pay for loading.
                self.asking.loading.seconds(self._bench.oracle.program, min(self.seen, key=len))
                ours = time.part(_OURS)
                made = self._round(number, ours)
                if not made.inputs and not ours():
                    return  # it is made again when there is more time
                self._rounds.append(made)
            yield self._rounds[number]
            number += 1

    def fair(self, inputs: Sequence[Input]) -> list[bool]:
        """Say of each input whether a program has to answer it as the initial one does."""
        if self.stated:
            said = self.asking.valid(inputs)
            typed = map(self.form.bounds.typed, inputs)
            return [all(both) for both in zip(said, typed, strict=True)]
        return [*map(self.form.bounds.like_seen, inputs)]

    @property
    def stated(self) -> bool:
        """Whether the problem says which inputs are valid."""
        return bool(self._bench.problem.valid)

    @property
    def _most(self) -> int:
        """Rounds that can be made: where nothing can be made up, there is what was seen."""
        return 0 if not self.seen else ROUNDS if self.form.bounds.makes else 1

    @cached_property
    def _shown(self) -> dict[object, Input]:
        """Inputs that were seen, by name: the first round."""
        inputs = _inputs(self.form, map(self.form.value, map(Input, self.seen)))
        return {self.form.name(one): one for one in inputs}

    def _round(self, number: int, more: Callable[[], bool]) -> Round:
        inputs, fair = [*self._shown.values()], [True] * len(self._shown)
        if number:
            inputs, fair = self._chosen(number)
        right = self.verdicts.within(more).right(inputs)
        asked = zip(inputs, right, strict=True)
        self._known.update(self.form.name(one) for one, reply in asked if reply is not UNASKED)
        if number == 0:
            self.verdicts = self.verdicts.expecting(right)
        kept = [i for i, reply in enumerate(right) if self.verdicts.counts(reply)]
        answered = [(inputs[i], right[i]) for i in kept if fair[i]]
        verdicts = self.verdicts.within(more)
        odd = [i for i, reply in enumerate(right) if verdicts.refuses(reply)]
        refused = [i for i in odd if self.form.bounds.piecewise(inputs[i])]
        repeated = [] if number % _OFTEN else _repeated(self.form, verdicts, answered)
        return Round(
            inputs=(*(inputs[i] for i in kept), *(one for one, _ in repeated)),
            right=(*(right[i] for i in kept), *(reply for _, reply in repeated)),
            fair=(*(fair[i] for i in kept), *(True for _ in repeated)),
            refused=tuple(inputs[i] for i in refused),
            refusals=tuple(right[i] for i in refused),
        )

    def _chosen(self, number: int) -> tuple[list[Input], list[bool]]:
        """Return new inputs of a round, and whether a program has to answer each alike."""
        edges = _inputs(self.form, self.form.edges()) if number == _EDGES else []
        drawn = {self.form.name(one): one for one in [*edges, *self._drawn(number)]}
        names = [name for name in drawn if name not in self._known]
        fair = self.fair([drawn[name] for name in names])
        told = 0 if self.stated else _STRANGE + len(edges)
        chosen = [i for i, counts in enumerate(fair) if counts][
            : len(self.seen) + self.form.each
        ]
        chosen += [i for i, counts in enumerate(fair) if not counts][:told]
        return [drawn[names[i]] for i in chosen], [fair[i] for i in chosen]

    def _drawn(self, number: int) -> list[Input]:
        seed = int(rng_at(self._seed, number, Purpose.COUNTEREXAMPLE).integers(1 << 32))
        rng = Random(seed)  # noqa: S311 - no secret
        form, valid = self.form, self.stated
        count = form.each * (1 if valid else _SPARE)
        found = _inputs(form, [_one(form, rng, number, valid=valid) for _ in range(count)])
        # A custom checker compares what is on the wire, where no two parts are one object.
        return [one for one in found if not (one.links and self._bench.problem.checker)]


def _repeated(
    form: Form, verdicts: Verdicts, answered: Sequence[tuple[Input, ProgramReply]]
) -> list[tuple[Input, ProgramReply]]:
    """Return some inputs for a caller who keeps answers, and what is then answered."""
    made = ((form.repeated(one, reply.answer), reply) for one, reply in answered)
    chosen = [*islice(((one, reply) for one, reply in made if one is not None), _REPEATED)]
    right = verdicts.right([one for one, _ in chosen])
    return [
        (one, reply)
        for (one, once), reply in zip(chosen, right, strict=True)
        if verdicts.counts(reply)
        and begins(verdicts.bench, one.data, reply.answer, once.answer)
    ]


def _searched(bench: Bench) -> list[Expr]:
    """Return inputs as the search draws them, smaller ones of a ladder more often."""
    if not bench.problem.ladder.fresh:
        return bench.exprs(InputSet.SEARCH, _SEEN)
    counts = enumerate((_SEEN * 3 // 4, _SEEN // 4))
    return [
        expr
        for level, count in counts
        for expr in bench.exprs(InputSet.SEARCH, count, level=level)
    ]


def _one(form: Form, rng: Random, number: int, *, valid: bool) -> Any:
    """Draw an input of a round; where only tame ones count, few rounds are wild."""
    turn = number % 4
    often = number % 8 in (0, 3, 6, 7) and valid
    wild = often or number in (3, 6)
    if turn % 2:
        return form.changed(rng, wild=wild)
    return form.fresh(rng, wild=wild, tiny=turn == 2)


def _inputs(form: Form, values: Iterable[Any]) -> list[Input]:
    made = map(form.input, values)
    return [one for one in made if one is not None]
