"""What is secret on this machine and in a project: values to be taken out of texts.

They come from the environment and from files; how much is read is bounded. Not here: which
files no program is shown (`files.kept_back`), and how values are found in a text (`redactor`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from se_agent.environment.own import is_secret
from se_agent.files import plain
from se_agent.files.kept_back import KeptBack, is_key

SHORTEST = 8
"""Characters of a value from which on it is one: shorter ones are words of any text."""

_LONGEST = 512  # characters of a value that count
_MOST = 400  # values
_FILE, _ALL, _FILES = 1 << 18, 8 << 20, 4000  # bytes of a file, of all, and files
_WORDS = ("key", "token", "secret", "pass", "pwd", "auth", "cred", "cookie", "signat")
_WHOLE = "|".join(_WORDS).replace("pass", "pass(?:w|phrase|(?![a-z]))")  # no bypass(es)
_TOLD = rf"[\w.-]{{0,64}}(?:{_WHOLE})[\w.-]{{0,64}}"
_TYPED = r"(?:\s*:\s*[A-Za-z_]\w*)?"
_QUOTED = re.compile(
    rf"""["']?\b{_TOLD}["']?{_TYPED}\s*(?:=>|[:=])\s*["']([^"'\n]{{8,512}})["']""",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"""["']?\b{_TOLD}["']?\s*(?:=>|[:=])\s*([^\s"',;#]{{8,512}})""", re.IGNORECASE
)
_IN_URL = re.compile(r"://([^/\s:@'\"]*):([^/\s@'\"]{4,256})@")
_NETRC = re.compile(r"\b(?:password|account)\s+(\S{4,256})")
_PARTS = re.compile(r"[\s\"',;=:]+")
_STRING = re.compile(r"""["']([^"'\n]{8,512})["']""")
_BODY = re.compile(r"(?=.*\w)[A-Za-z0-9+/=_-]{24,}")  # of a key, and no ruler
_DRAWN = r"(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)[A-Za-z0-9+/]{32,}=*$"  # may begin with a slash
_FOR_ALL = re.compile(
    r"-----BEGIN ([A-Z0-9 ]*(?:CERTIFICATE|PUBLIC KEY))-----[^-]*-----END \1-----"
)
_EXAMPLES = frozenset({"changeme", "passphrase", "password", "username"})
_PLACE = re.compile(rf"(?!{_DRAWN})(?:~?/|\.{{1,2}}/|[A-Za-z]+://[^@]*$|\$)")
_TEXTS = frozenset(
    (".py", ".json", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".properties", ".sh")
)
_BARE_TEXTS = _TEXTS - {".py", ".json", ".toml"}  # where a value may stand without quotes
_ASIDE = frozenset({"node_modules", "venv", "site-packages", "__pycache__"})
_KEY_FOLDERS = frozenset(
    {".aws", ".azure", ".docker", ".gnupg", ".kube", ".secrets", ".ssh", "secrets"}
)
_WIDEST = 2000  # characters of a line
_OF_GIT = ("config", "credentials")


def secrets_in(
    roots: Iterable[str], environ: Mapping[str, str], named: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return what is secret, the surest first, and at most some hundreds.

    Args:
        roots: Folders of projects, and files beside them that programs are shown.
        environ: The environment; of variables whose names tell of a secret.
        named: Variables that hold one, whatever their names tell.
    """
    found = dict.fromkeys(_of_environment(environ, set(named)))
    for root in dict.fromkeys(roots):
        for value in _of_project(root):
            found[value] = None
            if len(found) >= _MOST:
                return tuple(found)
    return tuple(found)


def _of_environment(environ: Mapping[str, str], named: set[str]) -> Iterator[str]:
    for name, value in environ.items():
        if name in named or (is_secret(name, "") and not _PLACE.match(value)):
            yield from _long(value.strip())
            yield from _of_key_file(value) if len(value) > _LONGEST else ()
        yield from _of_urls(value)


def _long(*values: str) -> Iterator[str]:
    for value in values:
        if len(value) >= SHORTEST and value.strip("<>{}*").lower() not in _EXAMPLES:
            yield value[:_LONGEST]


def _of_urls(text: str) -> Iterator[str]:
    if "://" not in text:
        return
    for user, password in _IN_URL.findall(text):
        yield from _long(password, *([user] if is_token(user) else []))


def is_token(value: str, least: int = 12) -> bool:
    """Say whether a value looks as if somebody had drawn it: letters and digits, no place."""
    return (
        len(value) >= least
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not _PLACE.match(value)
        and not re.search(r"[\s()\[\]{}<>]", value)
    )


def _of_project(root: str) -> Iterator[str]:
    """Give what is secret in a project: of key files first, then of what is ignored."""
    keys, ignored, bare, shown = (list[str]() for _ in range(4))
    if not Path(root).is_dir():
        (keys if is_key(Path(root).name) else shown).append(root)
    for level in islice(KeptBack(root).walk(), _FILES):
        for entry in level.shown:
            suffix, room = Path(entry.name).suffix, len(bare) + len(shown) < _FILES
            if room and suffix in _TEXTS:
                (bare if suffix in _BARE_TEXTS else shown).append(entry.path)
        for entry in level.kept:
            is_folder = entry.is_dir(follow_symlinks=False)
            sure = entry.name in _KEY_FOLDERS if is_folder else is_key(entry.name)
            into = keys if sure else ignored
            into += _files(entry) if len(into) < _FILES else []
    left = _ALL
    for paths, read in (
        (keys, _of_key_file),
        (ignored, _of_ignored),
        (bare, _of_bare),
        (shown, _of_shown),
    ):
        for path in paths[:_FILES]:
            text = _text(path, left)
            left -= len(text)
            is_code = read is _of_key_file and path.endswith(".py")
            yield from dict.fromkeys((_of_key_code if is_code else read)(text))


def _files(entry: os.DirEntry[str]) -> list[str]:
    """Return the files of what is kept back; of git only those that may hold a key."""
    if not entry.is_dir(follow_symlinks=False):
        return [entry.path]
    if entry.name == ".git":
        return [f"{entry.path}/{name}" for name in _OF_GIT]
    aside = entry.name in _ASIDE or entry.name.endswith("_cache")
    if aside or Path(entry.path, "pyvenv.cfg").exists():
        return []
    found: list[str] = []
    for folder, names, files in os.walk(entry.path):
        names[:] = [name for name in sorted(names) if name not in _ASIDE]
        found += [os.path.join(folder, name) for name in sorted(files)]  # noqa: PTH118
        if len(found) > _FILES:
            break
    return found


def _text(path: str, left: int) -> str:
    """Return the text of a small file; nothing of one that is none."""
    try:
        data = plain.content(Path(path), most=min(_FILE, left))
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def _of_key_file(text: str) -> Iterator[str]:
    text = _FOR_ALL.sub("", text.replace("\\n", "\n"))
    told = _telling(text)
    yield from _of_urls(text)
    yield from _long(*_QUOTED.findall(told), *_BARE.findall(told), *_NETRC.findall(text))
    yield from _of_lines(text, _PARTS.split)


def _of_key_code(text: str) -> Iterator[str]:
    """Give what is secret in Python that holds secrets: what is not in quotes are names."""
    yield from _of_urls(text)
    yield from _long(*_QUOTED.findall(_telling(text)))
    yield from _of_lines(text, _STRING.findall)


def _of_lines(text: str, parts_of: Callable[[str], list[str]]) -> Iterator[str]:
    for line in text.splitlines():
        yield from (part[:_LONGEST] for part in parts_of(line) if is_token(part, SHORTEST))
        if _BODY.fullmatch(line.strip()):
            yield from _long(line.strip())


def _of_ignored(text: str) -> Iterator[str]:
    told = _telling(text)
    yield from _of_urls(text)
    values = (*_QUOTED.findall(told), *_BARE.findall(told))
    yield from (value for value in values if is_token(value, SHORTEST))


def _of_bare(text: str) -> Iterator[str]:
    """Give what is secret in settings that programs are shown, and needs no quotes there."""
    yield from _of_shown(text)
    yield from (value for value in _BARE.findall(_telling(text)) if is_token(value))


def _of_shown(text: str) -> Iterator[str]:
    """Give what is secret in a file that programs are shown: their own names are none."""
    yield from _of_urls(text)
    yield from (value for value in _QUOTED.findall(_telling(text)) if is_token(value))


def _telling(text: str) -> str:
    """Return the lines with a word that tells of a secret."""
    low, lines = text.lower(), set[tuple[int, int]]()
    if len(low) != len(text):  # a few letters are longer in small
        return text
    for word in _WORDS:
        place = low.find(word)
        while place >= 0:
            start, end = low.rfind("\n", 0, place) + 1, low.find("\n", place)
            end = len(low) if end < 0 else end
            if end - start <= _WIDEST:
                lines.add((start, end))
            place = low.find(word, end)
    return "\n".join(text[start:end] for start, end in sorted(lines))
