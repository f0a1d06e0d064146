"""Runs all hostile programs, as who we are and as an ordinary user, and writes the table.

`python -m tests.hostile [--level LEVEL] [--as-user UID] [--write] [--json]`
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import site
import subprocess
import sys
import time
from pathlib import Path

from evaluators.sandbox.server.probe import tried
from tests.hostile import table
from tests.hostile.attack import Attack
from tests.hostile.programs import ATTACKS, LEVELS, OTHERS
from tests.hostile.yard import HarmError, Yard, possible

ROOT = Path(__file__).parents[2]
NOBODY = 65534
Endings = dict[str, dict[str, str]]
"""How programs ended, by level and name."""


def main() -> int:
    """Run what was asked for; 1 when anything ended in another way than stated."""
    asked = _asked()
    levels = tuple(asked.level or LEVELS)
    found = _as_user(asked.as_user, levels) if asked.as_user else _seen(levels)
    if asked.json:
        print(json.dumps(found))  # noqa: T201
        return 0
    users = [found]
    if asked.write and os.getuid() == 0 and not asked.as_user:
        users.append(_as_user(NOBODY, levels))
    wrong = [line for seen in users for line in _wrong(seen)]
    print("\n".join([*wrong, f"{sum(map(_count, users))} runs, {len(wrong)} not as stated"]))  # noqa: T201
    if asked.write and not wrong:
        _write(users)
    return bool(wrong)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument(
        "--level",
        action="append",
        choices=(*LEVELS, *OTHERS),
        help=f"default: {' and '.join(LEVELS)}",
    )
    parser.add_argument("--as-user", type=int, default=0, help="drop to this user first")
    parser.add_argument("--write", action="store_true", help="write docs/attacks.md")
    parser.add_argument("--json", action="store_true", help="print what was seen as JSON")
    asked = parser.parse_args()
    for level in asked.level or ():
        if why := tried(level):
            parser.error(f"there is no {level} here: {why}")
    if asked.level and asked.write:
        parser.error("the table has all levels: leave out --level, or --write")
    return asked


def _seen(levels: tuple[str, ...]) -> Endings:
    """Run every program at every level that this machine has."""
    return {level: _seen_at(level) for level in levels if not tried(level)}


def _seen_at(level: str) -> dict[str, str]:
    yard, before = Yard(level), time.process_time()
    endings = {attack.name: _ending(yard, attack) for attack in ATTACKS if possible(attack)}
    own, jobs = time.process_time() - before, yard.server.spent
    yard.close()
    print(f"{level}: {jobs:.0f} s of CPU time, and {own:.0f} s of our own", file=sys.stderr)  # noqa: T201
    return endings


def _ending(yard: Yard, attack: Attack) -> str:
    try:
        return yard.seen(attack).ending
    except HarmError as err:
        return f"HARM: {err}"


def _as_user(uid: int, levels: tuple[str, ...]) -> Endings:
    """Run all in a process of another user, with a Python that it may execute."""
    paths = [str(ROOT), *site.getsitepackages()]
    done = subprocess.run(
        [_python(uid), "-m", "tests.hostile", "--json", *(f"--level={one}" for one in levels)],
        cwd=ROOT,
        env={"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        check=True,
        user=uid,
        group=uid,
        extra_groups=[],
    )
    found: Endings = json.loads(done.stdout)
    return found


def _python(uid: int) -> str:
    """Return our Python, or one of the same version that this user may execute."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for path in (sys.executable, shutil.which(version, path=os.defpath)):
        try:
            subprocess.run([path or "", "-c", ""], check=True, user=uid, extra_groups=[])
        except (OSError, subprocess.CalledProcessError):
            continue
        return path or ""
    raise SystemExit(f"user {uid} may execute no {version}")


def _wrong(seen: Endings) -> list[str]:
    return [
        f"{level}: {attack.name}: {endings[attack.name]}, not {attack.ending(level)}"
        for level, endings in seen.items()
        for attack in ATTACKS
        if endings.get(attack.name, attack.ending(level)) != attack.ending(level)
    ]


def _count(seen: Endings) -> int:
    return sum(map(len, seen.values()))


def _write(users: list[Endings]) -> None:
    def cell(attack: Attack, level: str) -> str:
        return users[0].get(level, {}).get(attack.name, "not run")

    who = "as root and as an ordinary user" if len(users) > 1 else "as one user"
    release = ".".join(platform.release().split(".")[:2])
    machine = f"Linux {release}, Python {platform.python_version()}, {who}"
    text = table.DOCUMENT.read_text(encoding="utf-8")
    new = table.written(text, table.rendered(cell, machine))
    table.DOCUMENT.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
