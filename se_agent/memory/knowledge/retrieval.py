"""Static knowledge by name: what a pack holds (LF-10, LF-30 to LF-34).

Not here: how a pack is read (`schema`), and what of a document a prompt shows (`excerpt`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from se_agent.errors import PackError, did_you_mean
from se_agent.memory.knowledge.schema import (
    PACK_FILE,
    ArchetypeDocument,
    Pack,
    PitfallDocument,
    load_pack,
)

_Document = TypeVar("_Document", ArchetypeDocument, PitfallDocument)

DATA = Path(__file__).parent / "data"
"""Folder of the packs that are part of the package."""


class KnowledgeRetriever:
    """What a pack knows; the texts are read once, when it is made.

    The class attributes are those of the pack `fuzz_api`. Of another pack, or one that a folder
    adds to, the attributes of the instance say the same.

    Attributes:
        ARCHETYPES: Names of all archetypes.
        PITFALLS: Names of all pitfalls.
        ARCHETYPE_PITFALLS: Names of the pitfalls of each archetype (LF-29).
        pack: The pack.
    """

    ARCHETYPES: tuple[str, ...] = (
        *("stateless_parser", "object_lifecycle", "state_machine"),
        *("stream_processor", "round_trip", "file_based"),
    )
    PITFALLS: tuple[str, ...] = (
        *("initialization_errors", "data_argument_errors"),
        *("call_sequence_errors", "resource_management"),
    )
    ARCHETYPE_PITFALLS: Mapping[str, tuple[str, ...]] = {
        "stateless_parser": ("data_argument_errors",),
        "object_lifecycle": PITFALLS,
        "state_machine": (
            *("initialization_errors", "call_sequence_errors"),
            "resource_management",
        ),
        "stream_processor": ("call_sequence_errors", "resource_management"),
        "round_trip": ("data_argument_errors", "resource_management"),
        "file_based": ("resource_management",),
    }

    def __init__(self, pack: str = "fuzz_api", folders: Sequence[Path] = ()) -> None:
        """Read a pack.

        Args:
            pack: Its name.
            folders: Folders that hold packs by name, beside the package's own: what they hold
                of this pack is added to it.

        Raises:
            PackError: There is no such pack, or something in it is wrong.
        """
        self.pack = found_pack(pack, folders)
        self.ARCHETYPES = tuple(self.pack.archetypes)
        self.PITFALLS = tuple(self.pack.pitfalls)
        self.ARCHETYPE_PITFALLS = {
            name: each.pitfalls for name, each in self.pack.archetypes.items()
        }

    def get_archetype(self, name: str) -> str:
        """Return the document of an archetype.

        Raises:
            PackError: There is none of this name.
        """
        return self._archetype(name).text

    def get_skeleton(self, name: str) -> str:
        """Return the skeleton of an archetype; empty where a folder added it without one.

        Raises:
            PackError: There is no such archetype.
        """
        return self._archetype(name).skeleton

    def get_pitfall(self, name: str) -> str:
        """Return the document of a pitfall.

        Raises:
            PackError: There is none of this name.
        """
        return self._pitfall(name).text

    def get_bundle(self, name: str) -> dict[str, Any]:  # the form of the seed: LF-33
        """Return `archetype`, `skeleton` and `pitfalls` of an archetype, whole.

        Raises:
            PackError: There is no such archetype.
        """
        return {
            "archetype": self.get_archetype(name),
            "skeleton": self.get_skeleton(name),
            "pitfalls": self.get_relevant_pitfalls(name),
        }

    def get_relevant_pitfalls(self, archetype: str) -> dict[str, str]:
        """Return the documents of the pitfalls of an archetype, by name.

        Raises:
            PackError: There is no such archetype.
        """
        return {name: self.get_pitfall(name) for name in self._archetype(archetype).pitfalls}

    def _archetype(self, name: str) -> ArchetypeDocument:
        return _named(self.pack, "archetype", name, self.pack.archetypes)

    def _pitfall(self, name: str) -> PitfallDocument:
        return _named(self.pack, "pitfall", name, self.pack.pitfalls)


def pack_names(folders: Sequence[Path] = ()) -> tuple[str, ...]:
    """Return the names of all packs in the package and in these folders, in order."""
    found = {
        path.parent.name
        for folder in (DATA, *folders)
        if _is_folder(folder)
        for path in folder.glob(f"*/{PACK_FILE}")
    }
    return tuple(sorted(found))


def _is_folder(path: Path) -> bool:
    """Say whether a folder is there; one that cannot be entered counts as not there."""
    try:
        return path.is_dir()
    except OSError:
        return False


def found_pack(name: str, folders: Sequence[Path] = ()) -> Pack:
    """Return a pack by its name, with what further folders add to it.

    Raises:
        PackError: There is no such pack, or something in it is wrong.
    """
    known = pack_names(folders)
    if name not in known:
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
        raise PackError(f"there is no pack {name!r}", hint=hint)
    places = [folder / name for folder in (DATA, *folders) if _is_folder(folder / name)]
    return load_pack(*places)


def _named(pack: Pack, kind: str, name: str, known: Mapping[str, _Document]) -> _Document:
    if name not in known:
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
        raise PackError(f"pack {pack.name!r} has no {kind} {name!r}", hint=hint)
    return known[name]
