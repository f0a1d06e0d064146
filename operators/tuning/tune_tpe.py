"""Tree-structured Parzen estimation: values like the better trials', unlike the others'.

For objectives that are flat, jagged or of whole numbers. The sampler is Optuna's, and is asked
afresh each time: its state is the list of trials. Not here: smooth objectives (`tune_cma`).

Source: Bergstra et al., Algorithms for Hyper-Parameter Optimization, 2011.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from operators.tuning.constants import Constant
from operators.tuning.tuner import Tuner, ValueTried, nearby

if TYPE_CHECKING:
    from numpy.random import Generator

    from se_agent.abilities.optional import Replaying
    from se_agent.protocols import Operator

_FIRST = 6  # trials before there is anything to learn from


class TuneTpe(Tuner):
    """Draw all marked constants together, from where the better trials are denser."""

    name = "tune_tpe"
    needs = "optuna"

    def drawn(
        self, constants: Sequence[Constant], seen: Sequence[ValueTried], rng: Generator
    ) -> Sequence[float]:
        """Return a point by what was seen; at random while that is too little."""
        if len(seen) < _FIRST:
            return nearby(constants, rng)
        return _asked(len(constants), seen, int(rng.integers(2**31)))


def _asked(count: int, seen: Sequence[ValueTried], seed: int) -> list[float]:
    import optuna

    names = [f"x{place}" for place in range(count)]
    space: dict[str, optuna.distributions.BaseDistribution] = {
        name: optuna.distributions.FloatDistribution(0.0, 1.0) for name in names
    }
    worst = min((one.effect for one in seen if one.effect is not None), default=0.0)
    trials = [
        optuna.trial.create_trial(
            params=dict(zip(names, one.point, strict=True)),
            distributions=space,
            # What is not right is worse than all that is.
            value=worst - 1.0 if one.effect is None else one.effect,
        )
        for one in seen
    ]
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that several constants at once are experimental
            sampler = optuna.samplers.TPESampler(
                seed=seed, n_startup_trials=0, multivariate=True
            )
            study = optuna.create_study(direction="maximize", sampler=sampler)
            study.add_trials(trials)
            asked = study.ask(space)
    finally:
        optuna.logging.set_verbosity(before)
    return [float(asked.params[name]) for name in names]


if TYPE_CHECKING:
    _: Operator = TuneTpe()
    _again: Replaying = TuneTpe()
