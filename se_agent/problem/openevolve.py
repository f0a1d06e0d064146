"""Folders in the format of OpenEvolve as problems.

They hold `initial_program.py`, `evaluator.py` and mostly `config.yaml`. They run as they are:
their evaluator is the command of a `command` problem, so it runs in the jail, and nothing that
it says is trusted. Not here: how a command is run (the evaluators).
"""

from __future__ import annotations

import ast
import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple  # values of YAML

from se_agent.errors import ProblemError
from se_agent.files import plain
from se_agent.problem.model import Limits, Problem, ProblemKind
from se_agent.program import source_check

INITIAL, EVALUATOR, CONFIG = "initial_program.py", "evaluator.py", "config.yaml"

_ASIDE = (".", "__pycache__", "openevolve_output")
_SCORER = "se_agent_score.py"
_TIMEOUT = 300.0  # seconds of an evaluation, where the file does not say
_THRESHOLDS = (0.5, 0.75, 0.9)  # of the cascade, the same
_MOST_FILES = 200
_LARGEST = 4 << 20  # bytes of a file that is put beside the program
_MEMORY = 4 << 30
_SCORE = '''
import importlib.util
import json
import math
import os
import random
import sys
import types

SCORE = "combined_score"


def main():
    said = os.dup(1)
    os.dup2(2, 1)  # what the evaluator prints is no score
    program, given = os.path.abspath(sys.argv[1]), json.loads(sys.argv[2])
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, folder)
    if importlib.util.find_spec("openevolve") is None:
        stand_in()
    path = os.path.join(folder, "evaluator.py")
    seed(path, program)
    spec = importlib.util.spec_from_file_location("evaluation_module", path)
    module = sys.modules["evaluation_module"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    staged = given["cascade"] and hasattr(module, "evaluate_stage1")
    metrics = cascade(module, program, given["thresholds"]) if staged else numbers(
        module.evaluate(program)
    )
    score = score_of(metrics, given["features"])
    sys.stderr.write(json.dumps(metrics) + "\\n")
    sys.stderr.flush()
    os.write(said, (json.dumps({"score": score}) + "\\n").encode())


def seed(*paths):
    """Make draws of the shared generators the same in each run: a score has to last."""
    random.seed(0)
    if any("numpy" in open(path, encoding="utf-8").read() for path in paths):
        try:
            import numpy
        except ImportError:
            return  # whoever needs it says so
        numpy.random.seed(0)


def stand_in():
    """Give evaluators the class that they import for their results."""

    class EvaluationResult:
        def __init__(self, metrics, artifacts=None):
            self.metrics, self.artifacts = metrics, artifacts or {}

    for name in ("openevolve", "openevolve.evaluation_result"):
        made = sys.modules[name] = types.ModuleType(name)
        made.EvaluationResult = EvaluationResult
    sys.modules["openevolve"].evaluation_result = made


def numbers(result):
    found = result if isinstance(result, dict) else getattr(result, "metrics", None)
    if not isinstance(found, dict):
        raise TypeError(f"evaluate() returned a {type(result).__name__}, and no metrics")
    if isinstance(found.get("error"), str) and found["error"]:
        raise RuntimeError(found["error"])  # such numbers say nothing
    kept = {name: float(v) for name, v in found.items() if hasattr(v, "__float__")}
    kept = {name: v for name, v in kept.items() if name == SCORE or not math.isnan(v)}
    if not kept:
        raise ValueError("evaluate() returned no metric that is a number")
    return kept


def cascade(module, program, thresholds):
    metrics = {}
    for number in (1, 2, 3):
        stage = getattr(module, f"evaluate_stage{number}", None)
        if stage is None:
            break
        found = numbers(stage(program))
        metrics.update((name, v) for name, v in found.items() if name != "error")
        limit = thresholds[number - 1] if number <= len(thresholds) else math.inf
        if not score_of(metrics, ["error"]) >= limit:
            break
    return metrics


def score_of(metrics, without):
    if SCORE in metrics:
        return metrics[SCORE]
    kept = [v for name, v in metrics.items() if name not in without] or [*metrics.values()]
    return sum(kept) / len(kept) if kept else 0.0


main()
'''


@dataclass(frozen=True, kw_only=True)
class OpenEvolveFolder:
    """A folder as a problem and settings.

    Attributes:
        problem: What is solved.
        settings: What its configuration says, as settings of a run file.
        left: Keys of the configuration that have no meaning here.
        unseen: Files of the folder that programs do not see, each with the reason.
    """

    problem: Problem
    settings: tuple[str, ...]
    left: tuple[str, ...]
    unseen: tuple[str, ...] = ()


class _Besides(NamedTuple):
    """Files of the folder that an evaluator may read, by path, and those that it cannot.

    Attributes:
        texts: As they are.
        blobs: What is no text, in base64.
        unseen: The others, each with the reason.
    """

    texts: dict[str, str]
    blobs: dict[str, str]
    unseen: list[str]


def load_openevolve(folder: Path, *, has_key: bool = False) -> OpenEvolveFolder:
    """Read a folder in the format of OpenEvolve; nothing of it runs.

    Args:
        folder: The folder.
        has_key: Whether there is a key for models; without one, those it names are left out.

    Raises:
        ProblemError: A file is missing, is no Python, or no YAML.
    """
    program, evaluator = _text(folder, INITIAL), _text(folder, EVALUATOR)
    written = source_check.parsed_tree(program, folder / INITIAL)
    tree = source_check.parsed_tree(evaluator, folder / EVALUATOR)
    source_check.require("evaluate", [tree], folder / EVALUATOR, "the function")
    config = _config(folder)
    settings, taken = _settings(config, has_key=has_key)
    besides = _besides(folder)
    problem = Problem(
        name=folder.resolve().name,
        kind=ProblemKind.COMMAND,
        programs={"initial": program},
        path="program.py",
        direction="maximize",
        unit="score",
        statement=_statement(config),
        limits=Limits(cpu_seconds=_timeout(config), memory_bytes=_MEMORY),
        command=("python3", _SCORER, "{program}", json.dumps(_scoring(config))),
        imports=_packages([written, tree], besides),
        files={**besides.texts, _SCORER: _SCORE},
        blobs=besides.blobs,
    )
    left = tuple(key for key in _keys(config) if key not in taken)
    return OpenEvolveFolder(
        problem=problem, settings=settings, left=left, unseen=tuple(besides.unseen)
    )


def _text(folder: Path, name: str) -> str:
    try:
        return plain.text(folder / name, inside=folder, most=plain.LARGEST_SOURCE)
    except OSError as err:
        raise ProblemError(
            f"{folder / name}: {err.strerror}",
            hint=f"a folder of OpenEvolve has {INITIAL}, {EVALUATOR} and mostly {CONFIG}",
        ) from err
    except UnicodeDecodeError as err:
        raise ProblemError(f"{folder / name}: {err}", hint="save the file as UTF-8") from err


def _config(folder: Path) -> Mapping[str, Any]:
    import yaml

    if not (folder / CONFIG).exists():
        return {}
    try:
        found = yaml.safe_load(_text(folder, CONFIG))
    except (yaml.YAMLError, RecursionError, ValueError) as err:
        told = str(err).partition("\n")[0]
        raise ProblemError(
            f"{folder / CONFIG}: not valid YAML: {told}", hint="correct it, or leave it out"
        ) from err
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ProblemError(
            f"{folder / CONFIG}: it holds no keys", hint="such as `max_iterations: 50`"
        )
    return found


def _section(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = config.get(name)
    return found if isinstance(found, dict) else {}


def _settings(
    config: Mapping[str, Any], *, has_key: bool
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the settings, and the keys that they and the problem are made of."""
    settings: list[str] = []
    taken = {
        "evaluator.timeout",
        "evaluator.cascade_evaluation",
        "evaluator.cascade_thresholds",
        "database.feature_dimensions",
        "prompt.system_message",
    }
    for key, setting in (("max_iterations", "budget.evaluations"), ("random_seed", "seed")):
        value = config.get(key)
        if type(value) is int and value >= (key == "max_iterations"):
            settings.append(f"{setting}={value}")
            taken.add(key)
    llm = _section(config, "llm")
    named = [one for one in llm.get("models") or () if isinstance(one, dict)]
    name = llm.get("primary_model") or next((one.get("name") for one in named), None)
    if has_key and isinstance(name, str):
        settings.append(f"models.main.name={json.dumps(name)}")
        taken |= {"llm.primary_model"} if llm.get("primary_model") else set()
        taken |= {"llm.models"} if len(named) == 1 else set()
        if isinstance(base := llm.get("api_base"), str):
            settings.append(f"models.main.base_url={json.dumps(base)}")
            taken.add("llm.api_base")
    return tuple(settings), frozenset(taken)


def _keys(config: Mapping[str, Any]) -> Iterator[str]:
    for key, value in config.items():
        if isinstance(value, dict):
            yield from (f"{key}.{inner}" for inner in value)
        else:
            yield str(key)


def _timeout(config: Mapping[str, Any]) -> float:
    found = _section(config, "evaluator").get("timeout")
    if isinstance(found, bool) or not isinstance(found, int | float) or not found > 0:
        return _TIMEOUT
    return min(float(found), 1e6)


def _statement(config: Mapping[str, Any]) -> str:
    found = _section(config, "prompt").get("system_message")
    return found if isinstance(found, str) else ""


def _scoring(config: Mapping[str, Any]) -> dict[str, object]:
    evaluator = _section(config, "evaluator")
    limits = evaluator.get("cascade_thresholds")
    fits = isinstance(limits, list) and all(isinstance(one, int | float) for one in limits)
    features = _section(config, "database").get("feature_dimensions")
    return {
        "cascade": evaluator.get("cascade_evaluation") is not False,
        "thresholds": limits if fits else list(_THRESHOLDS),
        "features": [str(one) for one in features] if isinstance(features, list) else [],
    }


def _packages(trees: Iterable[ast.Module], besides: _Besides) -> tuple[str, ...]:
    """Return the packages that are there: those that program and evaluator import."""
    beside = {Path(path).parts[0].removesuffix(".py") for path in besides.texts}
    named = {name for tree in trees for name, _ in source_check.foreign_imports(tree)}
    return tuple(sorted(named - beside - {"", "openevolve"}))


def _besides(folder: Path) -> _Besides:
    found = _Besides({}, {}, [])
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        aside = any(part.startswith(_ASIDE) for part in name.parts)
        if aside or name == Path(INITIAL) or not path.is_file():
            continue
        if len(found.texts) + len(found.blobs) == _MOST_FILES:
            found.unseen.append(f"{name} (more than {_MOST_FILES} files)")
            continue
        try:
            content = plain.content(path, inside=folder, most=_LARGEST)
            found.texts[name.as_posix()] = content.decode()
        except UnicodeDecodeError:
            found.blobs[name.as_posix()] = b64encode(content).decode()
        except OSError as err:
            found.unseen.append(f"{name} ({err.strerror})")
    return found
