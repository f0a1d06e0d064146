"""The environment of every process that we start: only variables whose names are listed here.

Our own environment may hold keys and passwords, also in variables that nobody knows as secret;
no list of those is ever complete. So nothing is inherited, neither a proxy's address nor a
registry's password. Not here: our own environment (`own`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable

_ALWAYS = ("LD_LIBRARY_PATH",)  # an interpreter may need it to start

USUAL = (
    *("HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES"),
    *("LC_MONETARY", "LC_NUMERIC", "LC_TIME", "PATH", "TMPDIR", "TZ"),
)
"""What any program may ask for."""

PYTHON = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")
"""Where a Python finds its modules."""

COMPILERS = (
    *("ASDF_DATA_DIR", "ASDF_DIR", "CARGO_HOME", "GOPATH", "GOROOT", "GOTOOLCHAIN"),
    *("JAVA_HOME", "NVM_DIR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SDKMAN_DIR"),
)
"""Where compilers, and the programs that choose among them, find what they need."""

CONTAINERS = (
    *(
        "CONTAINER_HOST",
        "CONTAINERS_CONF",
        "CONTAINERS_STORAGE_CONF",
        "DBUS_SESSION_BUS_ADDRESS",
    ),
    *("DOCKER_CERT_PATH", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_HOST"),
    *("DOCKER_TLS_VERIFY", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"),
)
"""Where docker and podman find their daemon and their settings."""


def environment(names: Iterable[str] = (), /, **more: str) -> dict[str, str]:
    """Return the environment for a process that we start.

    Args:
        names: Variables that it gets as they are in our own environment, where they are set;
            a sum of the lists above. Without any it gets what an interpreter needs to start.
        more: Variables that it gets besides, with their values.
    """
    own = {name: os.environ[name] for name in (*_ALWAYS, *names) if name in os.environ}
    return own | more
