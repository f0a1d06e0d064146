"""The model-written operators keep to their contract."""

from __future__ import annotations

from operators.written.mutation import Mutation
from operators.written.rewriting import Rewriting
from tests.contracts.written import DIFF, WHOLE, ProgramContract


class TestMutation(ProgramContract):
    operator = Mutation()
    answer = DIFF


class TestRewriting(ProgramContract):
    operator = Rewriting()
    answer = WHOLE
