"""Attacks on what a project keeps to itself, by a module that imports its neighbours."""

from __future__ import annotations

import json
import py_compile
import tempfile
from pathlib import Path

from evaluators.sandbox.job import JobOutcome
from evaluators.sandbox.server.fork_server import ForkServer
from tests.contracts.sandbox import call
from tests.hostile.attack import HARMLESS, Attack, Place

SECRET = "planted"
"""Stands in every file that is kept back, and nowhere else."""

_FILES = (
    ".env",
    ".git/config",
    ".git/logs/HEAD",
    ".netrc",
    ".aws/credentials",
    "server.pem",
    "id_rsa",
    "secrets.yaml",
    "prod.env",
    "local.py",
    "package/.env",
    "package/local.py",
    "ignored/any.txt",
    "env.bak",
    "server.key~",
    "db_password.txt",
    "github_rsa.old",
)


def _reading(*paths: str, name: str, tries: str) -> Attack:
    return Attack(
        name=name,
        tries=tries,
        place=Place.PROJECT,
        program=f"""
        import os
        def f():
            found = []
            for path in {list(paths)}:
                try: found.append(open(os.path.join(PROJECT, path), "rb").read())
                except OSError: pass
            return 2 if any(b"plant" in each for each in found) else 1
        """,
        ends=HARMLESS,
    )


ATTACKS = (
    _reading(".env", "prod.env", name="project-env", tries="reads `.env` beside its module"),
    _reading(
        ".git/config", ".git/logs/HEAD",
        name="project-git",
        tries="reads the project's git configuration and history",
    ),
    _reading(
        ".netrc", ".aws/credentials", "server.pem", "id_rsa", "secrets.yaml",
        name="project-keys", tries="reads keys and passwords by their usual names",
    ),
    _reading(
        "env.bak", "server.key~", "db_password.txt", "github_rsa.old",
        name="project-copies", tries="reads keys and passwords in copies that an editor left",
    ),
    _reading(
        "local.py", "ignored/any.txt", "package/local.py",
        name="project-ignored", tries="reads files that git ignores",
    ),
    _reading(
        "link", "package/up/.env", "package/../.env", "package/up/package/.env",
        name="project-links", tries="reads `.env` through links, and by other paths",
    ),
    _reading(
        "__pycache__/local.cpython-311.pyc", "__pycache__/local.pyc",
        name="project-cache", tries="reads the compiled form of a module that git ignores",
    ),
    Attack(
        name="project-imports",
        tries="imports a module that git ignores",
        place=Place.PROJECT,
        program="""
        import shown
        def f():
            try: import local
            except (ImportError, OSError): return shown.NUMBER
        """,
        ends=HARMLESS,
    ),
    Attack(
        name="project-everything",
        tries="reads every file of the project that it can find",
        place=Place.PROJECT,
        program="""
        import os
        def f():
            for at, _, names in os.walk(PROJECT):
                for name in names:
                    try: found = open(os.path.join(at, name), "rb").read()
                    except OSError: continue
                    if b"plant" in found: return 2
            return 1
        """,
        ends=HARMLESS,
    ),
    Attack(
        name="gate-secrets",
        tries="reads `.env` in the copy that the tests run in, and in the project",
        place=Place.GATE,
        program="""
        import os
        def double(n):
            for path in (".env", os.path.join(PROJECT, ".env")):
                try: open(path).read()
                except OSError: continue
                return 0
            return 2 * n
        """,
        ends=HARMLESS,
    ),
)  # fmt: skip


def run(attack: Attack, text: str, level: str) -> JobOutcome:
    """Run a program beside a project full of secrets."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        for path in _FILES:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(f"WORD = '{SECRET}'\n", encoding="ascii")
        (root / "shown.py").write_text("NUMBER = 1\n", encoding="ascii")
        (root / ".gitignore").write_text("local.py\nignored/\n", encoding="ascii")
        (root / "link").symlink_to(".env")
        (root / "package/up").symlink_to("..")
        py_compile.compile(str(root / "local.py"), doraise=True)
        server = ForkServer(level, site=(str(root),))
        try:
            placed = text.replace("PROJECT", json.dumps(str(root)))
            return server.run(call(placed, limits=attack.limits(level)))
        finally:
            server.close()
