"""What `import se_agent` offers beside its values: start a run, open runs, compare them.

The names are those that users write: `se_agent.open` and so on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any  # a setting may have any value that TOML has

from se_agent.analysis.comparison import ArmComparison
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.recorded_runs import RecordedRuns
from se_agent.analysis.records import folders_of
from se_agent.config import run_file
from se_agent.config.sources import keyword_settings
from se_agent.engine.run.start import start
from se_agent.environment.own import secrets_apart
from se_agent.problem.loading import load_problem


def run(target: str | Path, **settings: Any) -> RecordedRun:
    """Evolve a problem, and return the run once it has ended.

    Args:
        target: Name of a shipped problem, the folder of a problem, or a run file.
        settings: Keys of the run file; those of a table as a mapping, such as
            `budget={"evaluations": 30}`, or dotted in a mapping that is unpacked.

    Raises:
        SeAgentError: The problem, a setting or this machine will not do. No search began.
    """
    config = run_file.parse(str(target), keyword_settings(settings))
    with secrets_apart():
        found = start(config, problem=load_problem(config.problem))
    return RecordedRun(Path(found.run))


def open(*places: str | Path) -> RecordedRun | RecordedRuns:
    """Return a run, or the runs of a folder or of several.

    Args:
        places: The folder of a run, a folder of runs, or a folder of arms, each with its runs.
            `NAME=FOLDER` names the arm of a folder.

    Raises:
        ConfigError: There is no place, or no run in one.
    """
    folders = folders_of(places)
    if len(places) == len(folders) == 1 and folders[0][0] in _itself(places[0]):
        return RecordedRun(folders[0][0])
    return RecordedRuns(places)


def compare(*places: str | Path, base: str = "") -> ArmComparison:
    """Return the comparison of the arms among the runs of some places.

    Args:
        places: See `open`.
        base: Name of the arm that others are compared with; empty: the first of a grid, else
            the one with the fewest settings of its own.

    Raises:
        ConfigError: They cannot be compared.
    """
    return RecordedRuns(places).compare(base)


def _itself(place: str | Path) -> tuple[Path, Path]:
    """Return what the folder of a run may be where the place is one."""
    return Path(place), Path(place).parent
