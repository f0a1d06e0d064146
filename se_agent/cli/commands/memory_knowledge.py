"""`memory knowledge`: packs of static knowledge, what is in them, and their documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    from se_agent.cli.screen import Screen
    from se_agent.memory import KnowledgeRetriever


def show_knowledge(words: list[str], results: Path, screen: Screen) -> None:
    """Show all packs, the parts of one, or a document.

    Args:
        words: Nothing, a pack, or a pack and the name of an archetype or a pitfall.
        results: Folder of runs; beside it may lie packs of the user's own.
        screen: Shows it.

    Raises:
        PackError: There is no such pack or document, or a pack cannot be used.
        ConfigError: There are more words than that.
    """
    from se_agent.engine.step.survey import knowledge_folders
    from se_agent.errors import ConfigError
    from se_agent.memory import KnowledgeRetriever, pack_names

    if len(words) > 2:
        raise ConfigError(
            f"memory knowledge: {words[2]!r} is one word too many",
            hint="`se-agent memory knowledge PACK NAME` shows a document",
        )
    folders = knowledge_folders(results)
    if not words:
        _list([KnowledgeRetriever(name, folders) for name in pack_names(folders)], screen)
        return
    known = KnowledgeRetriever(words[0], folders)
    if len(words) == 1:
        _list_parts(known, screen)
    else:
        _show_document(known, words[1], screen)


def _list(packs: list[KnowledgeRetriever], screen: Screen) -> None:
    from se_agent.report.terminal.columns import Columns

    if screen.as_json:
        screen.answer([_summary(each) for each in packs])
        return
    table = Columns(("pack", "version", "for", "archetypes", "pitfalls"))
    for each in packs:
        pack = each.pack
        counts = (str(len(each.ARCHETYPES)), str(len(each.PITFALLS)))
        table.add(pack.name, pack.version, pack.language, *counts)
    screen.show([table])


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
    """Show a document whole: of an archetype with its skeleton."""
    if name in known.PITFALLS:
        texts = {"pitfall": known.get_pitfall(name)}
    else:
        texts = {"archetype": known.get_archetype(name)}
        if skeleton := known.get_skeleton(name):
            texts["skeleton"] = skeleton
    if screen.as_json:
        screen.answer({"pack": known.pack.name, "name": name, **texts})
        return
    for text in texts.values():
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
