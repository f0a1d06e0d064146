"""`memory list`, `show`, `stats`, `add`, `retire`, `promote`, `export`.

Not here: `search` (`memory_search`), what lies beside them (`memory_care`), and what is
remembered (`se_agent.memory`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.errors import ConfigError, did_you_mean
from se_agent.wire.spelling import visible
from se_agent.wording import command

if TYPE_CHECKING:
    from se_agent.memory import ItemRow, MemoryRow

_LONG = 100
_LONGEST = 1000  # characters of a policy or a preference: a prompt has to show it
_VALID = ("candidate", "active")
IdArgument = Annotated[
    list[str], typer.Argument(metavar="ID", help="As `memory list` names it, spaces included.")
]
KindOption = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="lesson, policy, preference, fix, solution, archetype, execution, test_run or "
        "run; by default all.",
    ),
]
WhyOption = Annotated[str, typer.Option("--why", help="Reason, kept with the change.")]


def list_memories(
    kind: KindOption = "",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what runs left for runs to come."""
    from se_agent.memory import MemoryManager

    check_kind(kind)
    screen = Screen(as_json=as_json)
    with open_workspace(results, workspace, write=False) as opened:
        rows = MemoryManager(opened).list_all_memories(kind)
    _tell(rows, screen)


def show(
    id_: IdArgument,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one memory whole; an item with its versions and the steps it comes from."""
    from se_agent.memory import MemoryManager

    screen = Screen(as_json=as_json)
    with open_workspace(results, workspace, write=False) as opened:
        row = MemoryManager(opened).get_memory(whole_id(id_))
    if row is None:
        raise unknown_id(whole_id(id_))
    if as_json:
        screen.answer(asdict(row))
        return
    for name, value in {**vars(row), **row.details}.items():
        if name != "details" and value not in ("", None, (), [], {}):
            screen.quote(f"{name}: {visible(_as_text(value))}\n")


def stats(
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count what is remembered: by kind, agent, task, family and status."""
    from se_agent.memory import MemoryManager

    screen = Screen(as_json=as_json)
    with open_workspace(results, workspace, write=False) as opened:
        found = MemoryManager(opened).get_memory_statistics()
    screen.answer(found)
    if not as_json:
        for name, value in found.items():
            screen.say(f"{name.replace('_', ' ')}: {_as_text(value)}")


def add(
    policy: Annotated[str, typer.Option("--policy", help="What programs shall keep to.")] = "",
    preference: Annotated[
        str, typer.Option("--preference", help="What a role of models shall keep to.")
    ] = "",
    agent: Annotated[
        str, typer.Option("--agent", metavar="ROLE", help="The role that a preference is for.")
    ] = "",
    family: Annotated[
        str,
        typer.Option("--family", metavar="NAME", help="Its family of problems."),
    ] = "",
    words: Annotated[
        str, typer.Option("--words", help="Shown where a program has any, such as `sorting`.")
    ] = "",
    language: Annotated[str, typer.Option("--language", help="By default all.")] = "",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a wish of yours: a policy for similar programs, or a preference of a role.

    A policy is shown where its words match a program, a preference to one role of models in one
    family of problems. Runs with `memory.retrieval.shown = true` show both in prompts.
    """
    from se_agent.memory import ItemKind, ItemRow, ItemStatus, write_preferences

    screen = Screen(as_json=as_json)
    _check_target(policy, preference, agent, family)
    _check_wish("preference" if preference else "policy", preference or policy, language)
    item = ItemRow(
        kind=ItemKind.PREFERENCE if preference else ItemKind.POLICY,
        title=preference or policy,
        content=preference or policy,
        operator=agent,
        family=family,
        words=tuple(words.replace(",", " ").split()),
        language=language,
        status=ItemStatus.ACTIVE,
    )
    with open_workspace(results, workspace, write=True) as opened:
        items = opened.items()
        id_ = items.add(item, at=_now())
        kept = items.get(id_)
        others = items.rows(kinds=[item.kind], statuses=_VALID)
        against = [row for row in others if row.id != id_ and _denies(row, kept)]
        if preference and kept is not None:
            write_preferences(opened, kept)
    screen.answer({"id": id_, "contradicts": [row.id for row in against]})
    if not as_json:
        screen.say(f"{id_}: added")
    for row in against:
        screen.warn([f"it says otherwise than {row.id}, which stays: {row.title}"])
        screen.offer("to take that one out", command("memory", "retire", row.id))


def retire(
    id_: IdArgument,
    why: WhyOption = "retired by hand",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a memory out of use; `memory promote` brings it back.

    It is a lesson, a policy, a preference or a solution, and is kept.
    """
    _set_status(whole_id(id_), "retired", why, results, workspace, Screen(as_json=as_json))


def promote(
    id_: IdArgument,
    why: WhyOption = "promoted by hand",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Confirm a lesson, policy, preference or solution, whatever spoke against it."""
    _set_status(whole_id(id_), "active", why, results, workspace, Screen(as_json=as_json))


def export(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Replaced if it is there.")],
    form: Annotated[
        Literal["json", "csv", "skill"],
        typer.Option("--format", help="json, csv, or skill: a page for coding agents."),
    ] = "json",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all that is remembered to a file, or a page of what is proven."""
    from se_agent.memory import MemoryManager

    screen = Screen(as_json=as_json)
    with open_workspace(results, workspace, write=False) as opened:
        number = MemoryManager(opened).export_memories(to, form)
    screen.answer({"file": str(to), "memories": number})
    if not as_json:
        memories = "1 memory" if number == 1 else f"{number} memories"
        screen.say(f"{to}: {memories}")


def _check_target(policy: str, preference: str, agent: str, family: str) -> None:
    """Refuse what is neither a policy nor a preference, and one that nobody could be shown."""
    from se_agent.chat.messages import is_name

    example = '--preference "Change one loop only" --agent refine --family lists'
    if bool(policy) == bool(preference):
        told = "--policy, --preference: name one of them"
        raise ConfigError(told, hint=f'for example: --policy "Use no threads", or {example}')
    if preference and not (is_name(agent) and family.strip()):
        told = "a preference needs --agent, a role of models, and --family, as its problem says"
        raise ConfigError(told, hint=f"for example: {example}")
    if policy and (agent or family):
        told = "--agent, --family: a policy is for all roles and all families"
        raise ConfigError(told, hint="leave them out, or name a --preference")


def _check_wish(noun: str, text: str, language: str) -> None:
    """Refuse a wish that says nothing or too much, or is for a language nobody knows."""
    from se_agent.program.language import Language

    example = f'for example: --{noun} "Use no threads"'
    if not text.strip():
        raise ConfigError(f"a {noun} says nothing", hint=example)
    if len(text) > _LONGEST:
        told = f"a {noun} has {len(text)} characters, more than {_LONGEST}"
        raise ConfigError(told, hint=f"say it in a sentence, {example}")
    known = [str(one) for one in Language]
    if language and language not in known:
        hint = did_you_mean(language, known) or f"choose one of {', '.join(known)}"
        raise ConfigError(f"--language: there is no language {language!r}", hint=hint)


def _denies(row: ItemRow, new: ItemRow | None) -> bool:
    """Say whether two wishes for one language, role and family deny each other."""
    from se_agent.memory import contradicts

    if new is None or (row.language and new.language and row.language != new.language):
        return False
    if (row.operator, row.family) != (new.operator, new.family):
        return False
    return contradicts(row.content, new.content)


def _set_status(
    id_: str, status: str, why: str, results: Path, workspace: Path | None, screen: Screen
) -> None:
    from se_agent.memory import ItemKind, ItemStatus, set_standing, write_preferences

    with open_workspace(results, workspace, write=True) as opened:
        set_standing(opened.items(), id_, ItemStatus(status), why=why, at=_now())
        row = opened.items().get(id_)
        if row is not None and row.kind == ItemKind.PREFERENCE:
            write_preferences(opened, row)
    screen.answer({"id": id_, "status": status})
    if not screen.as_json:
        screen.say(f"{id_}: {status}")


def _tell(rows: Iterable[MemoryRow], screen: Screen) -> None:
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import phrases

    found = list(rows)
    if screen.as_json:
        screen.answer([asdict(row) for row in found])
        return
    if not found:
        screen.say("nothing is remembered")
        return
    table = Columns(("id", "kind", "status", "what"))
    for row in found:
        came = {True: "succeeded", False: "failed", None: ""}[row.success]
        what = phrases.one_line(row.title[:_LONG])
        table.add(phrases.one_line(row.id), row.kind, row.status or came, what)
    screen.show([table])


def _as_text(value: Any) -> str:  # of a row
    if isinstance(value, dict):
        return ", ".join(f"{name} {_as_text(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list | tuple):
        return "; ".join(map(_as_text, value)) or "none"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def check_kind(kind: str) -> None:
    """Refuse what is no kind of memory.

    Raises:
        ConfigError: It is none.
    """
    from se_agent.memory import MEMORY_KINDS

    if kind and kind not in MEMORY_KINDS:
        hint = f"one of {', '.join(MEMORY_KINDS)}"
        raise ConfigError(f"no kind of memory is called {kind!r}", hint=hint)


def whole_id(words: Iterable[str]) -> str:
    """Return an id out of the words of a command line: that of a run has spaces."""
    return " ".join(words)


def unknown_id(id_: str) -> ConfigError:
    """Return the error of an id that nothing has."""
    told = f"nothing that is remembered has the id {visible(id_)[:80]!r}"
    return ConfigError(told, hint="`se-agent memory list` lists what is")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
