"""Make the missing rows of the made-up worlds, and print what they say.

Names behind it choose worlds: `constraints`, `errors`, `lessons`.
"""

from __future__ import annotations

import argparse

from experiments.worlds.arms import rows, table
from experiments.worlds.constraints import CONSTRAINTS
from experiments.worlds.errors import ERRORS_WORLD
from experiments.worlds.lessons import LESSONS

WORLDS = {world.name: world for world in (CONSTRAINTS, ERRORS_WORLD, LESSONS)}


def main() -> None:
    """Print the table of each world that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", nargs="*", choices=[*WORLDS, "all"], default="all")
    asked = parser.parse_args().worlds
    for name in WORLDS if "all" in asked else asked:
        print(f"\n{name}\n\n{table(WORLDS[name], rows(WORLDS[name]))}", flush=True)


if __name__ == "__main__":
    main()
