"""`doctor --model`: does each model of a run file answer, and keep to a schema?

Not here: what a run would ask of it (`dry_run`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from se_agent.chat.messages import Message
from se_agent.cli.doctor_row import DoctorRow
from se_agent.cli.screen import say_note
from se_agent.errors import ConfigError, ModelError, ReplyError

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.config.sections import Endpoint
    from se_agent.protocols import Model

_NONE = "no model is named"
_PATIENCE = 60.0  # seconds for a call: nobody looks on for ten minutes
_TOKENS = 1024  # of a reply: one word, and the thoughts of those that think first
_ONE_WORD = (Message("user", "Answer with the one word: ready"),)
_ASKED = (Message("user", "Name a programming language and the year in which it appeared."),)


def chosen(target: str, overrides: Sequence[str]) -> Run:
    """Return the run file, or what the options say alone.

    Raises:
        ConfigError: It names no model.
    """
    from se_agent.config import run_file

    run = run_file.parse(target or "models", overrides, say_note)
    if not run.models:
        raise ConfigError(_NONE, hint="name one: --set models.main.name=MODEL, or a run file")
    return run


def trials(run: Run) -> Iterator[DoctorRow]:
    """Yield what each model of the run file was found to do; a paid call or two for each."""
    for name, endpoint in run.models.items():
        yield from _of_one(f"models.{name}", endpoint)


def _of_one(name: str, endpoint: Endpoint) -> Iterator[DoctorRow]:
    from se_agent import registry

    total = min(endpoint.total_seconds, _PATIENCE)
    hasty = endpoint.model_copy(update={"total_seconds": total})
    try:
        model: Model = registry.make("model", endpoint.provider, hasty)
    except ModelError as err:
        yield DoctorRow(name, ok=False, detail=str(err), cost=err.hint)
        return
    try:
        answer = _answers(name, model, hasty)
        yield answer
        if answer.ok and endpoint.json_schema:
            yield _keeps_to_a_schema(f"{name} schema", model, hasty)
    finally:
        model.close()


def _answers(name: str, model: Model, endpoint: Endpoint) -> DoctorRow:
    from se_agent.report.words.phrases import one_line

    try:
        reply = model.complete(_ONE_WORD, max_tokens=min(endpoint.max_tokens, _TOKENS))
    except ModelError as err:
        return DoctorRow(name, ok=False, detail=str(err), cost=err.hint)
    tokens = f"{reply.usage.total} tokens" if reply.usage.total else "its tokens are not told"
    if not reply.text.strip():
        cost = "raise max_tokens of the model, if it thinks for long"
        return DoctorRow(name, ok=False, detail=f"it says nothing; {tokens}", cost=cost)
    said = one_line(reply.text, 40)
    return DoctorRow(name, ok=True, detail=f"says {said!r} in {reply.seconds:.1f} s; {tokens}")


def _keeps_to_a_schema(name: str, model: Model, endpoint: Endpoint) -> DoctorRow:
    from pydantic import BaseModel, ConfigDict

    from se_agent.chat.structured import schema_of, validated

    class LanguageReply(BaseModel):
        model_config = ConfigDict(extra="forbid")

        language: str
        year: int

    cost = "set json_schema = false: JSON is then asked for in words"
    limit, schema = min(endpoint.max_tokens, _TOKENS), schema_of(LanguageReply)
    try:
        validated(LanguageReply, model.complete(_ASKED, max_tokens=limit, schema=schema).text)
    except (ModelError, ReplyError):
        told = "replies do not follow a JSON schema"
        return DoctorRow(name, ok=False, detail=told, cost=cost, needed=False)
    return DoctorRow(name, ok=True, detail="replies follow a JSON schema", needed=False)
