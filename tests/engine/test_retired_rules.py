"""Runs that had a rule which is gone: they are resumed and replayed without it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent import registry
from se_agent.config import run_file
from se_agent.config.renamed_keys import RETIRED
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import ConfigError, SandboxError, UnknownPluginError
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import Crash, events_of, factory, ran
from tests.fakes import Step1, Step3, number_problem, number_run


def name_more_operators(folder: Path, *names: str) -> None:
    """Change the record of a run: it had these operators, too."""
    with closing(sqlite3.connect(folder / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        (text,) = db.execute("SELECT body FROM events WHERE kind = 'started'").fetchone()
        body = json.loads(text)
        body["config"]["operators"] += names
        db.execute("UPDATE events SET body = ? WHERE kind = 'started'", (json.dumps(body),))


def broken_off(results: Path) -> Path:
    """Begin a run that breaks at its fortieth event, and return its folder."""
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(results, name="old"),
            problem=number_problem(),
            listeners=[Crash(40)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    return results / "old"


def test_such_a_run_goes_on_to_the_end_that_it_had_without_the_rule(tmp_path: Path) -> None:
    whole = ran(tmp_path, name="whole")
    folder = broken_off(tmp_path)
    name_more_operators(folder, *RETIRED)
    resumed = resume(folder, evaluators=factory(ComparisonKind.EXACT))
    assert canonical(events_of(resumed))[1:] == canonical(events_of(whole))[1:]
    assert replay(folder).differences == ()


def test_an_operator_that_is_not_installed_here_still_stops_it(tmp_path: Path) -> None:
    folder = broken_off(tmp_path)
    name_more_operators(folder, "of_a_package")
    with pytest.raises(UnknownPluginError, match="unknown operator 'of_a_package'"):
        resume(folder, evaluators=factory(ComparisonKind.EXACT))


def test_a_record_keeps_its_other_operators_in_their_order() -> None:
    names = [Step3.name, "sort_key", Step1.name]
    record = {"problem": "x", "operators": names, "without": ["factor_bound", "counter"]}
    run = run_file.run_of_record(record)
    assert run.operators == (Step3.name, Step1.name)
    assert run.without == ("counter",)


def test_a_run_of_nothing_else_does_not_become_one_of_all_operators() -> None:
    record = {"problem": "x", "operators": ["sort_key"]}
    assert run_file.run_of_record(record).operators == ("sort_key",)


@pytest.mark.parametrize("wrong", [5, {"sort_key": 1}, [["sort_key"]]])
def test_a_record_that_says_something_else_is_an_error_in_words(wrong: object) -> None:
    with pytest.raises(ConfigError, match="the record of the run: operators"):
        run_file.run_of_record({"problem": "x", "operators": wrong})


def test_no_operator_has_such_a_name() -> None:
    assert not {*RETIRED} & {*registry.names("operator")}
