"""A pack of static knowledge, and how one is read from its folder.

A pack is `pack.toml`, `archetypes/*.md`, `skeletons/*` and `pitfalls/*.md`. A document that is
dropped into a folder is part of the pack (LF-107); `pack.toml` may say more of it, and need
not. Not here: which archetype fits a program (`choice`), and what prompts show (`excerpt`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from se_agent.errors import PackError, place_of, reason
from se_agent.files.bounded import TomlError, toml
from se_agent.files.plain import text as text_of_file
from se_agent.values.knowledge import Leads

SECTIONS = (
    *("Pattern Signature", "Characteristics", "Preconditions", "Postconditions"),
    *("Driver Pattern", "Parameter Strategy", "Common Pitfalls", "Real Examples"),
)
"""Sections of an archetype's document (LF-17 to LF-24)."""

PITFALL_SECTIONS = ("Error Pattern", "Real Case", "Detection", "Fix")
"""Sections of a pitfall's document (LF-28)."""

PACK_FILE = "pack.toml"
_LARGEST = 5 << 20  # bytes of a file of a pack
_MOST_FILES = 200  # of one kind
_Weight = Annotated[float, Field(allow_inf_nan=False)]
_Table = TypeVar("_Table", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class ArchetypeDocument:
    """How programs of one kind are built.

    Attributes:
        name: Name of its file.
        text: The whole document.
        sections: Texts of its sections by heading.
        skeleton: Text of its skeleton; empty: it has none.
        skeleton_file: Name of the skeleton's file.
        pitfalls: Names of the pitfalls that are met there (LF-29).
        phases: What happens in which order.
        features: Weights of what speaks for it in a program, below 0 for what speaks against.
        rules: How likely an operator pays off there, by name.
    """

    name: str
    text: str = field(repr=False)
    sections: Mapping[str, str] = field(repr=False)
    skeleton: str = field(default="", repr=False)
    skeleton_file: str = ""
    pitfalls: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)
    rules: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PitfallDocument:
    """A mistake that many programs share; `leads` says which failures point to it."""

    name: str
    text: str = field(repr=False)
    sections: Mapping[str, str] = field(repr=False)
    leads: Leads = field(default_factory=Leads)


@dataclass(frozen=True, kw_only=True)
class Pack:
    """A pack.

    Attributes:
        name: Its name.
        version: As its author counts.
        language: Language of its skeletons.
        archetypes: By name, in the order of `pack.toml`, then those that were dropped in.
        pitfalls: By name, in the same order.
        fixes: A change by the template of the error that it mends.
        digest: SHA-256 over all its files, the first 12 hex digits.
    """

    name: str
    version: str
    language: str
    archetypes: Mapping[str, ArchetypeDocument]
    pitfalls: Mapping[str, PitfallDocument]
    fixes: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""

    @property
    def title(self) -> str:
        """Name and digest, as a run has them on record."""
        return f"{self.name} {self.digest}"

    def documents_of(self, archetype: str) -> dict[str, str]:
        """Return the documents of an archetype by name: its own, skeleton and pitfalls.

        Where the pack has no archetype of this name these are all pitfalls.
        """
        known = self.archetypes.get(archetype)
        if known is None:
            return {f"pitfalls/{name}": each.text for name, each in self.pitfalls.items()}
        found = {f"archetypes/{archetype}": known.text}
        if known.skeleton:
            found[f"skeletons/{archetype}"] = known.skeleton
        return found | {f"pitfalls/{n}": self.pitfalls[n].text for n in known.pitfalls}


class _Toml(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _ArchetypeTable(_Toml):
    pitfalls: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    features: dict[str, _Weight] = Field(default_factory=dict)
    rules: dict[str, Annotated[float, Field(ge=0, le=1)]] = Field(default_factory=dict)


class _PackTable(_Toml):
    name: str = ""
    version: str = ""
    language: str = ""
    archetypes: dict[str, _ArchetypeTable] = Field(default_factory=dict)
    pitfalls: dict[str, Leads] = Field(default_factory=dict)
    fixes: dict[str, str] = Field(default_factory=dict)


def load_pack(folder: Path, *more: Path) -> Pack:
    """Return the pack in a folder, with what other folders add to it.

    Args:
        folder: Holds `pack.toml` with name, version and language.
        more: Folders of the same layout. Each needs nothing but the documents that it adds;
            one that is not there adds none. A document of the same name takes the place of the
            one before it.

    Raises:
        PackError: A file cannot be read or is no ordinary text, `pack.toml` says what a pack
            cannot, or a document lacks a section. It names the file and what to add.
    """
    pack, table = _folder(folder)
    for place in (table.name, table.version, table.language):
        if not place:
            raise PackError(
                f"{folder / PACK_FILE}: name, version or language is missing",
                hint='add `name = "..."`, `version = "1"` and `language = "python"` at its top',
            )
    sources = dict.fromkeys(pack.archetypes, folder)
    for other in more:
        if other.is_dir():
            added, _ = _folder(other)
            sources |= dict.fromkeys(added.archetypes, other)
            pack = _joined(pack, added)
    _check_pitfalls(sources, pack)
    return pack


def _folder(folder: Path) -> tuple[Pack, _PackTable]:
    """Return what one folder holds of a pack, and its table."""
    if folder.is_symlink() or not folder.is_dir():
        raise PackError(
            f"{folder}: no folder of a pack is here",
            hint=f"make it, with `{PACK_FILE}` and `archetypes/NAME.md` in it",
        )
    files: dict[str, str] = {}
    table = _table(folder, files)
    skeletons = _skeletons(folder, files)
    archetypes = {
        name: _archetype(name, text, sections, table, skeletons)
        for name, text, sections in _documents(folder, "archetypes", SECTIONS, files)
    }
    pitfalls = {
        name: PitfallDocument(
            name=name, text=text, sections=found, leads=table.pitfalls.get(name, Leads())
        )
        for name, text, found in _documents(folder, "pitfalls", PITFALL_SECTIONS, files)
    }
    _check_named(folder, table, archetypes, pitfalls)
    pack = Pack(
        name=table.name,
        version=table.version,
        language=table.language,
        archetypes=_ordered(archetypes, table.archetypes),
        pitfalls=_ordered(pitfalls, table.pitfalls),
        fixes=table.fixes,
        digest=_digest(repr(sorted(files.items()))),
    )
    return pack, table


def _archetype(
    name: str,
    text: str,
    sections: Mapping[str, str],
    table: _PackTable,
    skeletons: Mapping[str, tuple[str, str]],
) -> ArchetypeDocument:
    told = table.archetypes.get(name, _ArchetypeTable())
    file, skeleton = skeletons.get(name, ("", ""))
    return ArchetypeDocument(
        name=name,
        text=text,
        sections=sections,
        skeleton=skeleton,
        skeleton_file=file,
        pitfalls=told.pitfalls,
        phases=told.phases,
        features=told.features,
        rules=told.rules,
    )


def _table(folder: Path, files: dict[str, str]) -> _PackTable:
    path = folder / PACK_FILE
    if not path.exists():
        return _PackTable()
    files[PACK_FILE] = _read(path, folder)
    try:
        return _PackTable.model_validate(toml(files[PACK_FILE]))
    except TomlError as err:
        where = f"line {err.line}: " if err.line else ""
        raise PackError(
            f"{path}: {where}{err}", hint="write it as TOML; docs/memory.md shows one"
        ) from err
    except ValidationError as err:
        first = err.errors()[0]
        raise PackError(
            f"{path}: {place_of(first['loc'])}: {first['msg']}",
            hint="docs/memory.md lists what a pack.toml may say",
        ) from err


def _skeletons(folder: Path, files: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return file and text of each skeleton by archetype: `NAME_skeleton.c` is of NAME."""
    found: dict[str, tuple[str, str]] = {}
    for path in _paths(folder / "skeletons"):
        text = files[f"skeletons/{path.name}"] = _read(path, folder)
        found[path.stem.removesuffix("_skeleton")] = (path.name, text)
    return found


def _documents(
    folder: Path, kind: str, headings: tuple[str, ...], files: dict[str, str]
) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield name, text and sections of each Markdown document of a kind."""
    for path in _paths(folder / kind):
        if path.suffix != ".md":
            continue
        text = files[f"{kind}/{path.name}"] = _read(path, folder)
        sections = sections_of(text)
        for heading in headings:
            if not sections.get(heading):
                raise PackError(
                    f"{path}: section {heading!r} is missing or empty",
                    hint=f"add a heading `## {heading}` with a text below it",
                )
        yield path.stem, text, sections


@lru_cache(maxsize=256)  # a grid begins many runs with the same pack
def sections_of(text: str) -> Mapping[str, str]:
    """Return the text below each heading of the second level, by heading.

    What looks like a heading inside of a code block is none.
    """
    from markdown_it import MarkdownIt  # takes longer to load than this module

    lines = text.split("\n")
    tokens = MarkdownIt().parse(text)
    heads = [
        (one.map, tokens[at + 1].content.strip())
        for at, one in enumerate(tokens)
        if one.type == "heading_open" and one.tag == "h2" and one.map and one.level == 0
    ]
    ends = [*(place[0] for place, _ in heads[1:]), len(lines)]
    return {
        title: "\n".join(lines[place[1] : end]).strip()
        for (place, title), end in zip(heads, ends, strict=False)  # no heading: no text
    }


def _paths(folder: Path) -> list[Path]:
    """Return the files of a folder in order; hidden ones are nobody's documents."""
    if not folder.exists():
        return []
    if folder.is_symlink() or not folder.is_dir():
        raise PackError(
            f"{folder}: a link or a file stands where a folder of the pack should be",
            hint="put a folder there, with the files themselves in it",
        )
    found = sorted(path for path in folder.iterdir() if path.name[0] not in "._")
    if len(found) > _MOST_FILES:
        raise PackError(
            f"{folder}: {len(found)} files; {_MOST_FILES} are the most",
            hint="split the pack in two",
        )
    return found


def _read(path: Path, folder: Path) -> str:
    """Return the text of a file of a pack.

    Raises:
        PackError: It is a link, no ordinary file, larger than 5 MB, or no text.
    """
    if path.is_symlink():
        raise PackError(f"{path}: a link", hint="put the file itself in its place")
    try:
        text = text_of_file(path, inside=folder, most=_LARGEST)
    except UnicodeDecodeError as err:
        raise PackError(f"{path}: not a UTF-8 text", hint=_NO_TEXT) from err
    except OSError as err:
        raise PackError(f"{path}: {reason(err)}", hint=_UNREADABLE) from err
    if "\0" in text:
        raise PackError(f"{path}: a binary file", hint=_NO_TEXT)
    return text


_NO_TEXT = "a pack holds texts only: take the file out of it"
_UNREADABLE = "a file of a pack is an ordinary text of 5 MB at most"


def _check_named(
    folder: Path,
    table: _PackTable,
    archetypes: Mapping[str, ArchetypeDocument],
    pitfalls: Mapping[str, PitfallDocument],
) -> None:
    for kind, named, found in (
        ("archetypes", table.archetypes, archetypes),
        ("pitfalls", table.pitfalls, pitfalls),
    ):
        for name in named:
            if name not in found:
                raise PackError(
                    f"{folder / PACK_FILE}: {kind}.{name} has no document",
                    hint=f"add {kind}/{name}.md, or take the table out",
                )


def _check_pitfalls(sources: Mapping[str, Path], pack: Pack) -> None:
    for archetype in pack.archetypes.values():
        for name in archetype.pitfalls:
            if name not in pack.pitfalls:
                raise PackError(
                    f"{sources[archetype.name] / PACK_FILE}: archetypes.{archetype.name}."
                    f"pitfalls: there is no pitfall {name!r}",
                    hint=f"known: {', '.join(pack.pitfalls) or 'none'}; or add "
                    f"pitfalls/{name}.md",
                )


_Value = TypeVar("_Value")


def _ordered(found: Mapping[str, _Value], first: Mapping[str, object]) -> dict[str, _Value]:
    names = (*(name for name in first if name in found), *found)
    return {name: found[name] for name in names}


def _joined(pack: Pack, other: Pack) -> Pack:
    return replace(
        pack,
        archetypes={**pack.archetypes, **other.archetypes},
        pitfalls={**pack.pitfalls, **other.pitfalls},
        fixes={**pack.fixes, **other.fixes},
        digest=_digest(pack.digest + other.digest),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
