"""`memory match`: which items of earlier runs suit some words, or a program, and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.errors import ConfigError, reason
from se_agent.files import plain

if TYPE_CHECKING:
    from se_agent.memory import Embedder, PoolHit

_NOTHING = "nothing to look for"
_KINDS = ("lesson", "fix", "policy")


def match(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="What is looked for.")
    ] = None,
    program: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Look for what this program is built of."),
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="NAME", help="Only items of this language, and of any.")
    ] = "",
    most: Annotated[
        int, typer.Option("--most", "-k", metavar="N", min=1, help="Hits at most.")
    ] = 10,
    embedder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Compare meanings, too: none, minilm:FOLDER, or endpoint:MODEL.",
        ),
    ] = "none",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find lessons, fixes and policies of earlier runs, with the parts of each score."""
    from se_agent.memory import PoolQuery, item_pool, search_pool, text_words
    from se_agent.program.language import Language

    screen, asked, text = Screen(as_json=as_json), tuple(words or ()), " ".join(words or ())
    if program is not None:
        suffixes = {one.suffix: str(one) for one in Language}
        language = language or suffixes.get(program.suffix, "")
        if language not in suffixes.values():
            told = f"{program}: no language is known for {program.suffix or 'a file like it'!r}"
            raise ConfigError(told, hint="say it: --language python")
        code = _text(program)
        asked, text = (*asked, *text_words(code, language)), text or code
    if not asked:
        raise ConfigError(_NOTHING, hint="give words, or --program FILE")
    query = PoolQuery(words=asked, text=text, language=language, kinds=_KINDS)
    with (
        _made_embedder(embedder) as made,
        open_workspace(results, workspace, write=made is not None) as opened,
    ):
        pool = item_pool(opened.items(), made)
        hits = search_pool(pool, query, k=most, failures=most)
    if as_json:
        screen.answer([_row(hit) for hit in hits])
    elif hits:
        _show(hits, screen)
    else:
        screen.say(f"{opened.folder}: nothing of earlier runs suits that")


def _text(program: Path) -> str:
    """Return the text of a program.

    Raises:
        ConfigError: It cannot be read, or is not UTF-8.
    """
    try:
        return plain.text(program, most=plain.LARGEST_SOURCE)
    except (OSError, UnicodeDecodeError) as err:
        told = f"--program {program}: cannot be read: {reason(err)}"
        raise ConfigError(told, hint="give the path of a program, saved as UTF-8") from err


@contextmanager
def _made_embedder(name: str) -> Iterator[Embedder | None]:
    """Give what compares meanings; None: words alone decide.

    Raises:
        ConfigError: There is none of this name.
        EmbedderError: It cannot be used.
    """
    kind, _, place = name.partition(":")
    if kind == "minilm" and place:
        from se_agent.memory import sentence_encoder

        yield sentence_encoder(Path(place))
    elif kind == "endpoint" and place:
        from se_agent.config.sections import Endpoint
        from se_agent.llm.embeddings import EndpointEmbedder

        asked = EndpointEmbedder(Endpoint(name=place))
        try:
            yield asked
        finally:
            asked.close()
    elif name == "none":
        yield None
    else:
        told = f"no embedder {name!r}"
        raise ConfigError(told, hint="say none, minilm:FOLDER, or endpoint:MODEL")


def _row(hit: PoolHit) -> dict[str, Any]:
    item = hit.item
    return {
        "id": item.id,
        "kind": item.kind,
        "status": item.status,
        "language": item.language,
        "family": item.family,
        "title": item.title,
        "body": item.body,
        "score": hit.score,
        "words": hit.text,
        "meaning": hit.vector,
        "lift": hit.factor,
        "similarity": hit.similarity,
    }


def _show(hits: tuple[PoolHit, ...], screen: Screen) -> None:
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import phrases

    table = Columns(("id", "kind", "status", "score", "words", "meaning", "lift", "title"))
    for hit in hits:
        table.add(
            hit.item.id,
            hit.item.kind,
            hit.item.status,
            f"{hit.score:.2f}",
            f"{hit.text:.2f}",
            "" if hit.similarity is None else f"{hit.vector:.2f}",
            f"{hit.factor:.2f}",
            phrases.one_line(hit.item.title),
        )
    screen.show([table])
