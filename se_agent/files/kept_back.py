"""Files of a project that no program is shown: what git ignores, dot files, keys by name.

The rules look at names alone: no program is run, no configuration is followed, and a file that
git tracks in spite of its rules is kept back all the same. It stands on Python's library alone,
for a fork server loads it. Not here: how a sandbox keeps to it, and what is secret in the files
(`redaction.secret_values`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import product
from pathlib import Path
from typing import NamedTuple

from se_agent.files import plain

PACKAGES = ("site-packages", "dist-packages")
"""Names of folders with installed packages: nothing in them is kept back."""

_ASIDE = frozenset({"node_modules", "venv"})  # no part of a program, and large
_KEYS = (
    "*.asc", "*.gpg", "*.jks", "*.kdb", "*.kdbx", "*.key", "*.keystore", "*.ovpn", "*.p12",
    "*.p8", "*.pem", "*.pfx", "*.pgp", "*.pkcs12", "*.ppk", "*.tfstate", "*.tfstate.*",
    "*.tfvars", "id_dsa*", "id_ecdsa*", "id_ed25519*", "id_rsa*", "ssh_host_*_key",
    "*.env", "*.env.*", "env.local", "*.netrc", "_netrc", "*.htpasswd", "htpasswd",
    "kubeconfig*", "wallet.dat", "*.token", "*.secret", "*.secrets", "secret", "secrets",
    "secret.*", "secrets.*", "secrets-*", "secrets_*", "credential*", "*credentials.*",
    "passwords*", "password.*", "passwd", "token", "token.*", "tokens.*", "*_token",
    "*_token.*", "*-token.*", "access_key*", "api_key*", "apikey*", "private_key*",
    "service-account*.json", "service_account*.json", "client_secret*.json",
)  # fmt: skip
_KEY_FILES = (  # a folder of such a name may be a package
    "*.keytab", "*.tfvars.json", "*[_-]dsa", "*[_-]ecdsa", "*[_-]ed25519", "*[_-]rsa", "env.*",
    "netrc", "*.secret.*", "*.secrets.*", "secret[_-]*", "*[_-]secret", "*credentials",
    "password", "*[_-]password", "*[_-]password.*", "passphrase", "passphrase.*", "tokens",
    "*-token", "access-key*", "accesskeys.*", "rootkey.csv", "api-key*", "deploy[_-]key*",
    "private-key*", "privatekey*", "ssh[_-]key*",
)  # fmt: skip
_COPY = re.compile(r"(?:~|\.(?:bak|backup|copy|old|orig|rej|save|sw[a-p]|tmp)|[ _-]copy|#)\Z")
_CODE = (".py", ".pyi", ".pyx", ".pxd", *EXTENSION_SUFFIXES)
_KEYS_AS_CODE = frozenset({"credentials.py", "local_settings.py", "secret.py", "secrets.py"})
_DEEPEST = 100  # folders within each other; what lies deeper is kept back
_LARGEST = 1 << 16  # bytes of a file of patterns that are read
_MOST = 1000  # patterns of one folder
_ESCAPED = re.compile(r"\\(.)")


class ReadablePaths(NamedTuple):
    """What programs may read of a project, and nothing else.

    Attributes:
        paths: Files, and folders of which nothing is kept back.
        listed: Folders whose names may be seen, not all of their files read.
    """

    paths: tuple[str, ...]
    listed: tuple[str, ...] = ()


class ListedFolder(NamedTuple):
    """A folder of a project, with what of it is shown and what is kept back."""

    folder: str
    shown: list[os.DirEntry[str]]
    kept: list[os.DirEntry[str]]


_pattern = lru_cache(maxsize=1 << 14)(re.compile)  # `re` itself keeps 512


class _Rule(NamedTuple):
    parts: tuple[str, ...]
    ignores: bool
    folders: bool

    def fits(self, path: list[str], *, folder: bool) -> bool:
        if self.folders and not folder:
            return False
        places = {0}
        for last, part in enumerate(self.parts, 1 - len(self.parts)):
            if part == "**":  # at the end: all that lies within, and not the folder itself
                places = set(range(min(places) + (last == 0), len(path) + 1))
            else:
                fits = _pattern(part).match
                places = {n + 1 for n in places if n < len(path) and fits(path[n])}
            if not places:
                return False
        return len(path) in places


_ANY = ("**", translate("*"))


class _Rules:
    """The patterns of one file, for what lies below its folder."""

    def __init__(self, base: str, lines: Iterable[str]) -> None:
        self.base = base
        self._rules = [rule for line in lines for rule in _rule(line)][:_MOST]
        self._of_any = [rule for rule in self._rules if rule.parts[-1] in _ANY]
        told = "|".join(
            dict.fromkeys(r.parts[-1] for r in self._rules if r.parts[-1] not in _ANY)
        )
        # Of most names no other rule says anything: one look at the last part tells.
        self._named = re.compile(told or r"(?!)", re.DOTALL)

    def says(self, path: str, *, folder: bool) -> bool | None:
        """Say whether a path is ignored; None: no rule is about it."""
        below = path[len(self.base) + 1 :].split("/")
        rules = self._rules if self._named.match(below[-1]) else self._of_any
        fitting = (r.ignores for r in reversed(rules) if r.fits(below, folder=folder))
        return next(fitting, None)


def _rule(line: str) -> Iterator[_Rule]:
    text = line.rstrip()
    text += " " if text.endswith("\\") and text != line else ""
    if not text or text.startswith("#"):
        return
    ignores = not text.startswith("!")
    text = text.removeprefix("!")
    folders, path = text.endswith("/"), text.strip("/")
    parts = [part for part in path.split("/") if part]
    if "/" not in text.rstrip("/"):
        parts.insert(0, "**")
    if parts:
        made = ("**" if p == "**" else _translated(p) for p in parts)
        yield _Rule(tuple(made), ignores, folders)


def _translated(part: str) -> str:
    plain = _ESCAPED.sub(lambda m: f"[{m[1]}]" if m[1] in "*?[" else m[1], part)
    return translate(plain.replace("[^", "[!"))


_NAMES, _FILE_NAMES = (
    re.compile("|".join(map(translate, names)), re.DOTALL)
    for names in (_KEYS, (*_KEYS, *_KEY_FILES))
)


def is_key(name: str, *, folder: bool = False) -> bool:
    """Say whether a file or folder of this name is kept back wherever it lies.

    A copy of a file is named by what it is a copy of: `server.key~` is as secret as the key.
    """
    low = name.lower()
    if name.startswith("."):
        return True
    if folder:
        return not low.endswith(_CODE) and _NAMES.match(low) is not None
    return any(map(_is_key_file, dict.fromkeys((low, _original(low)))))


def _is_key_file(low: str) -> bool:
    if low in _KEYS_AS_CODE:
        return True
    return not low.endswith(_CODE) and _FILE_NAMES.match(low) is not None


def _original(name: str) -> str:
    """Return the name of what a file is a copy of, by how editors and people call copies."""
    name = name.lstrip("#").removeprefix("copy of ")
    while (found := _COPY.search(name)) and found.start():
        name = name[: found.start()]
    return name


class KeptBack:
    """What of a project is kept back.

    Args:
        root: The project's folder, absolute. Its own name and place do not matter.
        opened: Absolute paths of files and folders that are shown all the same, a folder with
            all beneath it.
        outer: What `outer` is of another one of the same project, where the files that it was
            read from are out of sight.

    Attributes:
        outer: Patterns that hold in the project from without, line by line, with the folder
            that they are about: the user's own, those of its repository and of folders above.
    """

    def __init__(
        self,
        root: str,
        opened: Iterable[str] = (),
        outer: Iterable[tuple[str, list[str]]] | None = None,
    ) -> None:
        self.root = os.path.realpath(root)
        self._opened = frozenset(os.path.realpath(path) for path in opened)
        self._above = frozenset(str(p) for path in self._opened for p in Path(path).parents)
        self.outer = [*(_outer(self.root) if outer is None else outer)]
        self._outer = tuple(_Rules(base, lines) for base, lines in self.outer if lines)

    def holds(self, path: str) -> bool:
        """Say whether a path of the project is kept back; one elsewhere is not."""
        real = os.path.realpath(path)
        if not real.startswith(f"{self.root}/"):
            return False
        here, rules, closed = self.root, self._outer, False
        for name in real[len(self.root) + 1 :].split("/"):
            rules, here = self._within(here, rules), f"{here}/{name}"
            if here in self._opened:
                return False
            closed = closed or self._kept(here, rules, folder=os.path.isdir(here))  # noqa: PTH112
            if closed and here not in self._above:
                return True
        return False

    def walk(
        self, unread: Callable[[OSError], None] = lambda _: None
    ) -> Iterator[ListedFolder]:
        """Yield the folders of which something is shown, each before those in it.

        Args:
            unread: Is told of each folder that cannot be read, and may raise.
        """
        # With each folder, whether the rules count in it, or all is shown, or nothing.
        waiting: list[tuple[str, tuple[_Rules, ...], bool | None]] = [
            (self.root, self._outer, None)
        ]
        deepest = self.root.count("/") + _DEEPEST
        while waiting:
            folder, rules, fate = waiting.pop()
            rules = self._within(folder, rules)
            try:
                with os.scandir(folder) as found:
                    entries = sorted(found, key=lambda one: one.name)
            except OSError as err:
                unread(err)
                continue
            level = ListedFolder(folder, [], [])
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                kept = fate is False or (
                    fate is None and self._kept(entry.path, rules, folder=is_folder)
                )
                opened = entry.path in self._opened
                needed = opened or entry.path in self._above
                if (kept and not needed) or (is_folder and folder.count("/") >= deepest):
                    level.kept.append(entry)
                    continue
                level.shown.append(entry)
                if is_folder:
                    waiting.append((entry.path, rules, opened or (False if kept else fate)))
            yield level

    def reach(self) -> ReadablePaths:
        """Return what programs may read of the project."""
        levels, whole = [*self.walk()], dict[str, bool]()
        for level in reversed(levels):  # what lies in a folder comes behind it
            folders = (whole.get(entry.path, True) for entry in level.shown)
            whole[level.folder] = not level.kept and all(folders)
        if whole.get(self.root, True):
            return ReadablePaths((self.root,))
        parts = [level for level in levels if not whole[level.folder]]
        paths = (e.path for level in parts for e in level.shown if self._granted(e, whole))
        return ReadablePaths(tuple(paths), tuple(level.folder for level in parts))

    def _granted(self, entry: os.DirEntry[str], whole: Mapping[str, bool]) -> bool:
        if entry.is_symlink():
            return self._leads_to_a_file(entry.path)
        return whole.get(entry.path, True)

    def _leads_to_a_file(self, link: str) -> bool:
        real = os.path.realpath(link)
        inside = real.startswith(f"{self.root}/")
        return inside and os.path.isfile(real) and not self.holds(real)  # noqa: PTH113

    def _within(self, folder: str, rules: tuple[_Rules, ...]) -> tuple[_Rules, ...]:
        own = _lines(f"{folder}/.gitignore")
        return (*rules, _Rules(folder, own)) if own else rules

    def _kept(self, path: str, rules: tuple[_Rules, ...], *, folder: bool) -> bool:
        name = os.path.basename(path)  # noqa: PTH119
        if is_key(name, folder=folder) or (folder and name in _ASIDE):
            return True
        if folder and name == "__pycache__":
            return False  # see below: of a module that is shown it may be read
        if name.endswith(".pyc"):
            above, inner = os.path.split(os.path.dirname(path))  # noqa: PTH120
            source = f"{above}/{name.partition('.')[0]}.py"
            stale = inner != "__pycache__" or not os.path.isfile(source)  # noqa: PTH113
            return stale or self._kept(source, rules, folder=False)
        if name.endswith(tuple(EXTENSION_SUFFIXES)):
            return False  # code, and never in git
        said = (r.says(path, folder=folder) for r in reversed(rules))
        return next((ignored for ignored in said if ignored is not None), False)


def _outer(root: str) -> Iterator[tuple[str, list[str]]]:
    own = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
    yield root, _lines(f"{own}/git/ignore")
    folders = [root]
    while not os.path.exists(f"{folders[-1]}/.git"):  # noqa: PTH110
        if folders[-1] in ("/", ""):
            return
        folders.append(os.path.dirname(folders[-1]))  # noqa: PTH120
    top = folders[-1]
    yield top, _lines(f"{top}/.git/info/exclude")
    yield from ((folder, _lines(f"{folder}/.gitignore")) for folder in folders[:0:-1])


def _lines(path: str) -> list[str]:
    try:
        found = plain.content(Path(path))
    except OSError:
        return []
    return found[:_LARGEST].decode("utf-8-sig", "replace").split("\n")


def beyond(paths: Iterable[str], roots: Iterable[str]) -> tuple[str, ...]:
    """Return those of the paths that lie in none of these folders; all are absolute."""
    folders = [*roots]
    return tuple(p for p in paths if not any(f"{p}/".startswith(f"{f}/") for f in folders))


_QUOTED = re.compile(r"['\"]([^'\"\n]{1,4096})['\"]")
_UNFOUND = re.compile(
    r"No module named '([\w.]+)'|cannot import name '(\w+)' from '([\w.]+)'"
    r"|cannot import name '(\w+)' from partially initialized module '([\w.]+)'"
)


def hint(projects: Iterable[KeptBack], told: str, beneath: Sequence[str] = ()) -> str:
    """Return what to do where a program failed for want of what is kept back, or nothing.

    Args:
        projects: Where its files lie.
        told: What it said as it failed; it names a path, or a module.
        beneath: Folders within a project that modules are imported from besides the project
            itself, such as `src`.
    """
    # An error says whole paths; other quoted words may be of the lines of a traceback.
    paths = dict.fromkeys(sorted(_QUOTED.findall(told), key=lambda p: not p.startswith("/")))
    for found in _UNFOUND.finditer(told):
        parent, name = found[3] or found[5] or "", found[1] or found[2] or found[4]
        module = f"{parent}.{name}".strip(".").replace(".", "/")
        paths |= dict.fromkeys((f"{module}.py", f"{module}/__init__.py", module))
    for kept in projects:
        for folder, path in product(("", *beneath), paths):
            whole = os.path.normpath(os.path.join(kept.root, folder, path))  # noqa: PTH118
            if "\0" not in whole and os.path.exists(whole) and kept.holds(whole):  # noqa: PTH110
                return f"{whole} is kept back from programs; show it with --open {whole}"
    return ""
