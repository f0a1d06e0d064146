"""The same candidate and the same evaluator at the level `namespace`."""

from __future__ import annotations

from functools import partial

from drivers import rate
from jailed import one, prepare

if __name__ == "__main__":
    rate(partial(prepare, "namespace"), one)
