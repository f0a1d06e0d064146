"""`memory knowledge`: packs of static knowledge, what is in them, and their documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.errors import PackError
from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    from se_agent.memory import KnowledgeRetriever

_NOT_ALL = 1


def knowledge(
    pack: Annotated[
        str, typer.Argument(metavar="[PACK]", help="Show the parts of this pack.")
    ] = "",
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", help="Show this archetype, with its skeleton, or pitfall."
        ),
    ] = "",
    results: Annotated[Path, typer.Option(metavar="DIR", help="Folder of runs.")] = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """Show what is known before any run: packs, their parts, a document."""
    from se_agent.engine.step.survey import knowledge_folders
    from se_agent.memory import KnowledgeRetriever

    screen, folders = Screen(as_json=as_json), knowledge_folders(results)
    if not pack:
        _list(folders, screen)
    elif not name:
        _list_parts(KnowledgeRetriever(pack, folders), screen)
    else:
        _show_document(KnowledgeRetriever(pack, folders), name, screen)


def _list(folders: Sequence[Path], screen: Screen) -> None:
    """List all packs; one that cannot be read is named, and does not hide the others."""
    from se_agent.memory import KnowledgeRetriever, pack_names

    packs, bad = list[KnowledgeRetriever](), dict[str, PackError]()
    for name in pack_names(folders):
        try:
            packs.append(KnowledgeRetriever(name, folders))
        except PackError as err:
            bad[name] = err
    _show_list(packs, bad, screen)
    if bad:
        raise typer.Exit(_NOT_ALL)


def _show_list(
    packs: list[KnowledgeRetriever], bad: dict[str, PackError], screen: Screen
) -> None:
    from se_agent.report.terminal.columns import Columns

    if screen.as_json:
        rows: list[dict[str, object]] = [_summary(each) for each in packs]
        rows += ({"pack": n, "error": str(e), "hint": e.hint} for n, e in bad.items())
        screen.answer(rows)
        return
    table = Columns(("pack", "version", "for", "archetypes", "pitfalls"))
    for each in packs:
        pack = each.pack
        counts = (str(len(each.ARCHETYPES)), str(len(each.PITFALLS)))
        table.add(pack.name, pack.version, pack.language, *counts)
    screen.show([table])
    for name, err in bad.items():
        screen.say(f"{name} cannot be read: {err}\n  to do: {err.hint}")


def _list_parts(known: KnowledgeRetriever, screen: Screen) -> None:
    from se_agent.report.terminal.columns import Columns

    if screen.as_json:
        screen.answer(_summary(known))
        return
    screen.say(f"{known.pack.title}, version {known.pack.version}")
    table = Columns(("archetype", "pitfalls"))
    for name in known.ARCHETYPES:
        table.add(name, ", ".join(known.ARCHETYPE_PITFALLS[name]))
    screen.show([table])


def _show_document(known: KnowledgeRetriever, name: str, screen: Screen) -> None:
    """Show a document whole: of an archetype with its skeleton and its pitfalls."""
    is_pitfall = name in known.PITFALLS
    told: dict[str, Any] = (
        {"pitfall": known.get_pitfall(name)} if is_pitfall else known.get_bundle(name)
    )
    screen.answer({"pack": known.pack.name, "name": name, **told})
    pitfalls: Mapping[str, str] = told.pop("pitfalls", {})
    for text in () if screen.as_json else filter(None, (*told.values(), *pitfalls.values())):
        screen.quote(f"{visible(text.rstrip())}\n")


def _summary(known: KnowledgeRetriever) -> dict[str, object]:
    pack = known.pack
    return {
        "pack": pack.name,
        "version": pack.version,
        "digest": pack.digest,
        "language": pack.language,
        "archetypes": {name: list(known.ARCHETYPE_PITFALLS[name]) for name in known.ARCHETYPES},
        "pitfalls": list(known.PITFALLS),
    }
