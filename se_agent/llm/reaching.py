"""Whether somebody listens at an address: a connection is made, and nothing is said.

Not here: requests (`client`).
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

_PATIENCE = 3.0  # seconds; who is slower than that may still be there
_PORTS = {"http": 80, "https": 443}


def silence(url: str, environ: Mapping[str, str]) -> str:
    """Return why nobody can be reached at a URL; empty: somebody can, or may be slow.

    Args:
        url: Address of a web server.
        environ: May name a proxy: then that has to be there, and knows the host.
    """
    parts = urlsplit(_proxy(url, environ) or url)
    host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 80)
    try:
        socket.create_connection((host, port), timeout=_PATIENCE).close()
    except TimeoutError:
        return ""
    except OSError as err:
        return err.strerror or str(err)
    return ""


def _proxy(url: str, environ: Mapping[str, str]) -> str:
    """Return the URL of the proxy that stands before another one; empty: there is none."""
    from urllib.request import proxy_bypass

    known = {name.lower(): value for name, value in environ.items()}
    parts = urlsplit(url)
    found = known.get(f"{parts.scheme}_proxy") or known.get("all_proxy", "")
    if not found or proxy_bypass(parts.hostname or ""):
        return ""
    return found if "://" in found else f"http://{found}"
