"""OpenEvolve on one problem: it asks the market, and the judge tells it what it has found.

A program of its own, for the interpreter that has the package; nothing of ours is imported. Its
settings are the package's own but for what the comparison needs: the endpoint, one evaluation
at a time, and no checkpoints.

Usage: python openevolve.py MARKET JUDGE STATEMENT INITIAL CALLS SEED FOLDER
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

EVALUATOR = """
import json
import pathlib
import urllib.request

from openevolve.evaluation_result import EvaluationResult


def evaluate(program_path):
    text = pathlib.Path(program_path).read_bytes()
    with urllib.request.urlopen(urllib.request.Request({judge!r}, text), timeout=600) as answer:
        found = json.load(answer)
    metrics = {{"combined_score": found["gain"], "right": float(found["right"])}}
    return EvaluationResult(metrics=metrics, artifacts={{"feedback": found["feedback"]}})
"""


def settings(market: str, statement: str, seed: int) -> Any:  # the package's own type
    """Return the package's settings for a run."""
    from openevolve.config import Config, LLMModelConfig

    config = Config()
    config.random_seed = seed
    config.checkpoint_interval = 1_000_000
    config.log_level = "ERROR"
    config.llm.api_base, config.llm.api_key = market, "none"
    model = LLMModelConfig(name="market", api_base=market, api_key="none", timeout=60)
    model.retries, model.retry_delay, model.max_tokens = 1, 0, 8192
    model.temperature = config.llm.temperature
    config.llm.models = [model]
    config.llm.evaluator_models = [model]
    config.prompt.system_message = (
        "You are an expert programmer. Make the program below faster: it has to give the same "
        f"answers in less CPU time. combined_score is ln(initial time / time).\n\n{statement}"
    )
    config.evaluator.parallel_evaluations = 1
    config.evaluator.cascade_evaluation = False
    config.evaluator.timeout = 600
    return config


def main() -> None:
    """Run it until it has made its calls."""
    market, judge, statement, initial, calls, seed, folder = sys.argv[1:]
    # The folder of this file holds a module of the package's name.
    sys.path = [path for path in sys.path if Path(path).resolve() != Path(__file__).parent]
    logging.disable(logging.WARNING)
    from openevolve import run_evolution

    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    (place / "evaluator.py").write_text(EVALUATOR.format(judge=judge), encoding="utf-8")
    text = Path(initial).read_text(encoding="utf-8")
    marked = f"# EVOLVE-BLOCK-START\n{text.rstrip()}\n# EVOLVE-BLOCK-END\n"
    (place / "initial.py").write_text(marked, encoding="utf-8")
    words = Path(statement).read_text(encoding="utf-8")
    run_evolution(
        str(place / "initial.py"),
        str(place / "evaluator.py"),
        config=settings(market, words, int(seed)),
        iterations=int(calls),
        output_dir=str(place / "out"),
        cleanup=False,
    )


if __name__ == "__main__":
    main()
