"""Session memory in a prompt: who writes and who reads what, and the words around it.

The matrix (LF-44 to LF-66) is configuration; here is its default. Order of a prompt: header,
session memory, task, footer (LF-95). Not here: how entries are rendered (`render`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache, partial
from pathlib import Path

from se_agent.chat.prompt_templates import environment_of
from se_agent.config.session_section import READERS, WRITERS
from se_agent.memory.context.tokens import ESTIMATE, TokenCounter
from se_agent.memory.session.entries import ARCHETYPES
from se_agent.memory.session.render import ALL, FIELDS, SEEDS, Headings
from se_agent.memory.session.render import format_session_memory_for_prompt as formatted
from se_agent.memory.session.tags import extract_session_memory_updates_from_response
from se_agent.values.session import SessionMemory, SessionUpdates

FOLDER = Path(__file__).with_name("prompts")


def build_prompt_with_session_memory(
    state: SessionMemory | None,
    agent_specific_prompt: str,
    agent_name: str = "unknown",
    *,
    readers: Mapping[str, Collection[str]] = READERS,
) -> str:
    """Return a whole prompt (LF-62): header, memory of this role, its task, footer.

    Args:
        state: The memory; None: the empty one.
        agent_specific_prompt: The task.
        agent_name: Role; one that the matrix does not name sees all.
        readers: Categories that a role reads.
    """
    shown = read_by(agent_name, readers)
    context = formatted(state, categories=shown)
    top, end = header(empty=not context), footer(written_by(agent_name))
    return f"{top}\n{context}\n\n{agent_specific_prompt}\n{end}"


def section(
    state: SessionMemory,
    categories: Collection[str],
    room: int,
    counter: TokenCounter = ESTIMATE,
    headings: Headings = SEEDS,
) -> str:
    """Return what a system prompt shows: header and memory within `room` tokens, or nothing.

    Slots of a generation and role are shown the same, and each is asked for it twice: of equal
    arguments the text is kept.
    """
    return _section(state, tuple(categories), room, counter, headings)


@lru_cache(64)
def _section(
    state: SessionMemory,
    categories: tuple[str, ...],
    room: int,
    counter: TokenCounter,
    headings: Headings,
) -> str:
    words = header(empty=False)
    taken = sum(counter.count(f"{line}\n") for line in words.split("\n"))
    text = formatted(
        state,
        categories=categories,
        room=max(0, room - taken),
        counter=counter,
        headings=headings,
    )
    title, _, entries = text.partition("\n")
    return f"{title}\n{words}\n{entries}\n" if text else ""


def read_by(role: str, readers: Mapping[str, Collection[str]] = READERS) -> Collection[str]:
    """Return the categories that a role reads; all for one that the matrix does not name."""
    return readers.get(role, ALL)


def written_by(role: str, writers: Mapping[str, Collection[str]] = WRITERS) -> Collection[str]:
    """Return the categories that a role writes; decisions are written by all (LF-50)."""
    return writers.get(role, ("decisions",))


def updates_within(updates: SessionUpdates, categories: Collection[str]) -> SessionUpdates:
    """Return the updates of these categories alone."""
    left = {
        field: type(updates).model_fields[field].default
        for name, field in FIELDS.items()
        if name not in categories
    }
    return updates.model_copy(update=left)


def session_updates_of(
    reply: str,
    role: str,
    iteration: int,
    categories: Collection[str],
    *,
    known: Collection[str] = ARCHETYPES,
) -> SessionUpdates:
    """Return what the tags of a reply say, of these categories alone.

    Args:
        reply: The reply.
        role: Role that gave it.
        iteration: Generation.
        categories: Those that the role may change.
        known: Archetypes that the packs in use have documents of.
    """
    said = extract_session_memory_updates_from_response(reply, role, iteration, known=known)
    return updates_within(said, categories)


def header(*, empty: bool) -> str:
    """Return what is said before the memory (HS-02); `empty`: there is none yet (HS-63)."""
    return _template("header", empty=empty)


def footer(categories: Collection[str]) -> str:
    """Return how a role that writes these categories updates the memory (LF-95, HS-32)."""
    return _template("footer", categories=categories)


def _template(name: str, **values: object) -> str:
    template = _environment().get_template(f"session_memory_{name}.jinja")
    return template.render(values).removesuffix("\n")


_environment = lru_cache(1)(partial(environment_of, FOLDER))
