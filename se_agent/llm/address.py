"""Where an endpoint is, and the key to it: from the run file and the environment.

Not here: what is sent there (`openai`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit, urlunsplit

from se_agent.config.sections import Endpoint
from se_agent.errors import ModelError

OFFICIAL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What a server on this machine is told; most of them ask for nothing."""

_SECRET = re.compile(r"key|token|secret|sig|code|auth|pass|cookie|session", re.IGNORECASE)


def url_of(endpoint: Endpoint, environ: Mapping[str, str]) -> str:
    """Return the base URL of an endpoint: its own, that of OPENAI_BASE_URL, or the official.

    Raises:
        ModelError: It is no URL of a web server; fatal.
    """
    url = endpoint.base_url or environ.get("OPENAI_BASE_URL") or OFFICIAL
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        usable = usable and parts.port != 0  # asking for the port checks it
    except ValueError:
        usable = False
    if not usable:
        raise ModelError(
            f"{endpoint.name}: its base_url is no URL of a web server: {public_address(url)}",
            hint="it begins with http:// or https://, such as http://localhost:8000/v1",
            fatal=True,
        )
    return url


def key_of(endpoint: Endpoint, environ: Mapping[str, str]) -> str:
    """Return the key to an endpoint; a server on this machine needs none.

    Raises:
        ModelError: There is none, or it cannot be sent; fatal.
    """
    key = environ.get(endpoint.key, "").strip()
    if not key and is_local(url_of(endpoint, environ)):
        return NO_KEY
    if not key:
        raise ModelError(
            f"{endpoint.name}: no key in {endpoint.key}",
            hint=f"export {endpoint.key}=..., or name another variable in `key` of the model",
            fatal=True,
        )
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelError(
            f"{endpoint.name}: what is in {endpoint.key} cannot be a key",
            hint="a key has letters, digits and signs, and no spaces or line breaks",
            fatal=True,
        )
    return key


def is_local(url: str) -> bool:
    """Return whether the host is this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def public_address(url: str) -> str:
    """Return the URL without what may be secret in it: user, password, query."""
    scheme, rest, path, _, _ = urlsplit(url.replace("[", "").replace("]", ""))
    return urlunsplit((scheme, rest.rpartition("@")[2], path, "", ""))


def base_of(url: str) -> str:
    """Return the base URL of an address that is asked, without what may be secret in it.

    Raises:
        ValueError: It is no URL.
    """
    parts = urlsplit(url)
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], path, "", ""))


def without_query(url: str) -> tuple[str, dict[str, str]]:
    """Return the URL that paths are put behind, and the query that goes with each."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query="", fragment="")), dict(parse_qsl(parts.query))


_TOKEN = 16
"""Characters from which on what stands for a user is a token. A name such as `user` is none: it
would be taken out of the programs of replies, too."""

_HEADERS = "OPENAI_CUSTOM_HEADERS"
_SENT = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "OPENAI_WEBHOOK_SECRET")
"""Variables that the package reads besides key and address."""

_PART = 8
"""Characters from which on a part of a secret header is one: a scheme or a name is shorter."""

_PUBLIC = {"accept", "content-type", "http-referer", "referer", "user-agent", "x-title"}


def secrets_around(environ: Mapping[str, str]) -> list[str]:
    """Return what the package takes from the environment besides, and may send as headers."""
    found = [environ[name].strip() for name in _SENT if name in environ]
    for line in environ.get(_HEADERS, "").splitlines():
        name, _, value = line.partition(":")
        told = _SECRET.search(name) is not None
        parts = (value.strip(), *re.split(r"[\s;:,=\"']+", value))
        if name.strip().lower() not in _PUBLIC:
            found += dict.fromkeys(part for part in parts if _may_be_secret(part, told))
    return [*filter(None, found)]


def _may_be_secret(part: str, told: bool) -> bool:
    """Say whether a part of a header is taken out; `told`: its name says that it is secret.

    Others have to look like a token: what is a word is more likely a name in a program.
    """
    return len(part) >= _PART if told else len(part) >= _TOKEN and any(map(str.isdigit, part))


def secrets_in(url: str) -> list[str]:
    """Return what of the URL is secret, as it stands there and as it is sent."""
    parts = urlsplit(url)
    pairs = (pair.partition("=") for pair in parts.query.split("&"))
    values = [value for name, _, value in pairs if _SECRET.search(unquote_plus(name)) and value]
    found = [form for value in values for form in (value, unquote_plus(value))]
    user, password = parts.username or "", parts.password or ""
    token = user if len(user) >= _TOKEN else ""
    for secret in filter(None, (password, token)):
        found += [secret, unquote(secret)]
    if password or token:
        found.append(b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode())
    return found
