"""What an evaluator says, without secrets: whatever programs printed, raised or answered.

This is the one place where secrets are taken out of it: journal, prompts, logs and outputs all
come after. Not here: which values are secret, and how they are found (`redaction`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, cast  # results of any seam

from se_agent.abilities import evaluator as abilities
from se_agent.errors import SeAgentError
from se_agent.protocols import Evaluator
from se_agent.redaction.patterns import free_of_named
from se_agent.redaction.redactor import Redactor
from se_agent.values.evaluation import (
    Block,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    Preflight,
)
from se_agent.values.observation import Observation

_TALKING = (Block, Evaluation, FailedCase, Hunt, Preflight)
_SEAMS = [one for one in vars(abilities).values() if isinstance(one, type(Evaluator))]
_METHODS = [name for seam in (Evaluator, *_SEAMS) for name in vars(seam) if name[0] != "_"]


@contextmanager
def clean_errors(redact: Callable[[str], str]) -> Iterator[None]:
    """Within it, errors of ours are raised without secrets."""
    try:
        yield
    except SeAgentError as err:
        err.args = (redact(str(err)), *err.args[1:])
        err.hint, err.said = redact(err.hint), redact(err.said)
        raise


class RedactingEvaluator:
    """An evaluator whose results and errors hold no secrets; it can what the other one can.

    Args:
        evaluator: Says what came of programs.
        redact: Takes the secrets out.
    """

    def __init__(self, evaluator: Evaluator, redact: Redactor) -> None:
        self._redact = partial(_free, redact)
        for name in _METHODS:  # seams are told apart by the methods that are there
            if (method := getattr(evaluator, name, None)) is not None:
                setattr(self, name, partial(self._cleaned, method))
        self.kind = evaluator.kind  # no method

    def _cleaned(self, method: Callable[..., object], *given: object, **more: object) -> object:
        with clean_errors(self._redact):
            return self._clean(method(*given, **more))

    def _clean(self, value: object) -> Any:
        if isinstance(value, str) and not isinstance(value, Enum):
            return self._redact(value)
        if isinstance(value, tuple):
            return tuple(map(self._clean, value))
        if isinstance(value, Counterexample):  # an input is no text: another one would be tried
            return replace(value, failed=self._clean(value.failed))
        if isinstance(value, Observation):
            return self._seen(value)
        if is_dataclass(value) and isinstance(value, _TALKING):
            told = {each.name: getattr(value, each.name) for each in fields(value)}
            return replace(value, **{name: self._clean(each) for name, each in told.items()})
        return value

    def _seen(self, seen: Observation) -> Observation:
        """Leave out the calls with a secret in their values."""
        calls = {
            name: tuple(c for c in made if self._is_clean(c.given, c.gave, c.left))
            for name, made in seen.calls.items()
        }
        return replace(seen, calls={name: made for name, made in calls.items() if made})

    def _is_clean(self, *texts: str) -> bool:
        return all(self._redact(text) == text for text in texts)


def _free(redact: Redactor, text: str) -> str:
    return free_of_named(redact(text))


def redacting(evaluator: Evaluator, redact: Redactor) -> Evaluator:
    """Return an evaluator that says what this one says, without secrets."""
    return cast("Evaluator", RedactingEvaluator(evaluator, redact))
