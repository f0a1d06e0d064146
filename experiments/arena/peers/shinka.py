"""ShinkaEvolve on one problem: it asks the market, and the judge tells it what it has found.

A program of its own, for the interpreter that has the package; nothing of ours is imported. Its
settings are the package's own but for what the comparison needs: the endpoint, one proposal and
one evaluation at a time, failures told in words, and no embeddings or summaries, for which
the market has no model.

Usage: python shinka.py MARKET JUDGE STATEMENT INITIAL CALLS SEED FOLDER
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

EVALUATOR = """
import argparse
import json
import pathlib
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("--program_path")
parser.add_argument("--results_dir")
given = parser.parse_args()
text = pathlib.Path(given.program_path).read_bytes()
with urllib.request.urlopen(urllib.request.Request({judge!r}, text), timeout=600) as answer:
    found = json.load(answer)
place = pathlib.Path(given.results_dir)
place.mkdir(parents=True, exist_ok=True)
told = {{"correct": found["right"], "error": None if found["right"] else found["feedback"]}}
scores = {{
    "combined_score": found["gain"],
    "public": {{}},
    "private": {{}},
    "text_feedback": found["feedback"],
}}
(place / "correct.json").write_text(json.dumps(told))
(place / "metrics.json").write_text(json.dumps(scores))
"""


def main() -> None:
    """Run it until it has made its calls."""
    market, judge, statement, initial, calls, seed, folder = sys.argv[1:]
    # The folder of this file holds a module of the package's name.
    sys.path = [path for path in sys.path if Path(path).resolve() != Path(__file__).parent]
    os.environ.setdefault("LOCAL_OPENAI_API_KEY", "none")
    import numpy
    from shinka.core import EvolutionConfig, ShinkaEvolveRunner
    from shinka.database import DatabaseConfig
    from shinka.launch import LocalJobConfig

    random.seed(int(seed))
    numpy.random.seed(int(seed))  # noqa: NPY002 -- the package draws from it
    place = Path(folder).resolve()
    place.mkdir(parents=True, exist_ok=True)
    (place / "evaluate.py").write_text(EVALUATOR.format(judge=judge), encoding="utf-8")
    text = Path(initial).read_text(encoding="utf-8")
    marked = f"# EVOLVE-BLOCK-START\n{text.rstrip()}\n# EVOLVE-BLOCK-END\n"
    (place / "initial.py").write_text(marked, encoding="utf-8")
    words = Path(statement).read_text(encoding="utf-8")
    evolution = EvolutionConfig(
        task_sys_msg=(
            "You are an expert programmer. Make the program below faster: it has to give the "
            "same answers in less CPU time. combined_score is ln(initial time / time).\n\n"
            f"{words}"
        ),
        num_generations=int(calls) + 1,
        llm_models=[f"local/market@{market}"],
        llm_dynamic_selection=None,
        meta_rec_interval=None,
        embedding_model=None,
        use_text_feedback=True,
        init_program_path=str(place / "initial.py"),
        results_dir=str(place / "out"),
    )
    ShinkaEvolveRunner(
        evo_config=evolution,
        job_config=LocalJobConfig(
            eval_program_path=str(place / "evaluate.py"), python_executable=sys.executable
        ),
        db_config=DatabaseConfig(),
        verbose=False,
        max_evaluation_jobs=1,
        max_proposal_jobs=1,
    ).run()


if __name__ == "__main__":
    main()
