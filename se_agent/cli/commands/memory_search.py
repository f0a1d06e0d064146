"""`memory search`: what runs left that has some words, or suits a program, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from se_agent.cli.commands.memory_items import KindOption, check_kind
from se_agent.cli.commands.run import JsonOption
from se_agent.cli.function_options import with_groups
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.errors import ConfigError, reason
from se_agent.files import plain
from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    from se_agent.memory import Embedder, MemoryHit

_NOTHING = "nothing to look for"
_LONG = 100
_TIME = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d\S{0,20})?)?)?")  # or its beginning


ProgramOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Find lessons, policies and fixes in use that suit this program."
    ),
]
AgentOption = Annotated[str, typer.Option("--agent", help="A role, or an operator.")]
SuccessOption = Annotated[
    bool | None, typer.Option("--success/--failure", help="Only successes, or only failures.")
]
SinceOption = Annotated[
    str, typer.Option("--since", help="The earliest time, such as 2026-11.")
]
UntilOption = Annotated[
    str, typer.Option("--until", help="The latest time; 2026-11 is all of November.")
]
LanguageOption = Annotated[
    str, typer.Option(metavar="NAME", help="Only what is of this language, or of any.")
]
EmbedderOption = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Compare meanings, too: none, minilm:FOLDER, or endpoint:MODEL."
    ),
]


@dataclass(frozen=True, kw_only=True)
class FilterOptions:
    """Filters of a search: a memory has to pass all of them."""

    agent: AgentOption = ""
    success: SuccessOption = None
    since: SinceOption = ""
    until: UntilOption = ""
    language: LanguageOption = ""


_ALL = FilterOptions()


@with_groups
def search(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="Any of these.")
    ] = None,
    program: ProgramOption = None,
    kind: KindOption = "",
    only: FilterOptions = _ALL,
    most: Annotated[
        int, typer.Option("--most", "-k", metavar="N", min=1, help="Hits at most.")
    ] = 20,
    embedder: EmbedderOption = "none",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find what runs left by words or for a program, best first, with the parts of scores."""
    from se_agent.memory import MemoryManager, MemoryQuery, Suiting, text_words

    check_kind(kind)
    _check_times(only.since, only.until)
    screen, query, code = Screen(as_json=as_json), " ".join(words or ()), ""
    built, language = tuple[str, ...](), only.language
    if program is not None:
        language = _language(program, language)
        code = _text(program)
        built = text_words(code, language)
    if not query and not built:
        raise ConfigError(_NOTHING, hint="give words, or --program FILE")
    with (
        _made_embedder(embedder) as made,
        open_workspace(results, workspace, write=made is not None) as opened,
    ):
        hits = MemoryManager(opened).search_memories(
            MemoryQuery(
                text=query,
                kinds=[kind] if kind else (),
                agent=only.agent,
                success=only.success,
                since=only.since,
                until=only.until,
                language=language,
                suiting=Suiting(words=built, text=query or code, embedder=made),
                top_k=most,
            )
        )
    if as_json:
        screen.answer([{**asdict(hit.row), **_figures(hit)} for hit in hits])
    elif hits:
        _show(hits, screen)
    else:
        screen.say(f"{opened.folder}: nothing that is remembered suits that")


def _check_times(since: str, until: str) -> None:
    for option, time in (("--since", since), ("--until", until)):
        if time and not _TIME.fullmatch(time):
            told = f"{option} {visible(time)[:80]!r}: no time"
            raise ConfigError(told, hint="such as 2026, 2026-11 or 2026-11-28")


def _language(program: Path, named: str) -> str:
    """Return the language of a program.

    Raises:
        ConfigError: None is known for its name, or for the one that is given.
    """
    from se_agent.program.language import Language

    suffixes = {one.suffix: str(one) for one in Language}
    language = named or suffixes.get(program.suffix, "")
    if language not in suffixes.values():
        told = f"{program}: no language is known for {program.suffix or 'a file like it'!r}"
        raise ConfigError(told, hint="say it: --language python")
    return language


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


def _figures(hit: MemoryHit) -> dict[str, Any]:
    return {name: value for name, value in vars(hit).items() if name != "row"}


def _show(hits: list[MemoryHit], screen: Screen) -> None:
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import phrases

    table = Columns(("id", "kind", "status", "score", "words", "meaning", "lift", "title"))
    for hit in hits:
        came = {True: "succeeded", False: "failed", None: ""}[hit.row.success]
        table.add(
            phrases.one_line(hit.row.id),
            hit.row.kind,
            hit.row.status or came,
            f"{hit.score:.2f}",
            f"{hit.words:.2f}",
            "" if hit.similarity is None else f"{hit.meaning:.2f}",
            f"{hit.lift:.2f}",
            phrases.one_line(hit.row.title[:_LONG]),
        )
    screen.show([table])
