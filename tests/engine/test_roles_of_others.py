"""An operator of another package has a role of its own: chosen by it, and weighed by it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from se_agent.chat.events import Replied
from se_agent.config.run_file import Run, parse
from se_agent.engine.models.endpoints import roles_of
from se_agent.engine.run.dry_run import first_requests
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.errors import ConfigError
from se_agent.events import Event, Selected
from tests.engine.talking import Mutation, asked, of, ran, run_file
from tests.fakes import number_problem


class Simplify(Mutation):
    """Asks for another program in a role that nobody here has heard of."""

    name = f"{__name__}:Simplify"
    role = "simplify"


class Pair(Simplify):
    """Needs two programs, and its role is not known to."""

    name = f"{__name__}:Pair"
    arity = 2


class Shout(Simplify):
    """Has a role that cannot be one."""

    name = f"{__name__}:Shout"
    role = "Simplify it!"


def models(**weights: dict[str, float]) -> dict[str, object]:
    provider = {"name": "counting", "provider": "tests.engine.talking:Counting"}
    return {name: {**provider, "weights": each} for name, each in weights.items()}


def chosen(tmp_path: Path, **changes: object) -> list[Event]:
    asked.clear()
    given: dict[str, object] = {
        "operators": [Mutation.name, Simplify.name],
        "policy": "portfolio",
        "models": models(main={"simplify": 0.0}, other={"mutate": 0.0, "simplify": 2.0}),
        "roles": {"simplify": {"share": 0.4}},
        "budget": {"evaluations": 40},
    }
    return ran(run_file(tmp_path, **given | changes))


def share(events: Sequence[Event]) -> float:
    slots = of(events, Selected)
    return sum(event.operator == Simplify.name for event in slots) / len(slots)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("policy", ["portfolio", "cse"])
def test_it_is_drawn_by_its_share_and_its_model_by_its_weight(
    tmp_path: Path, policy: str
) -> None:
    events = chosen(tmp_path, policy=policy)
    replies = of(events, Replied)
    assert {(reply.role, reply.model) for reply in replies} == {
        ("mutate", "main"),
        ("simplify", "other"),
    }
    more = chosen(tmp_path / "more", policy=policy, roles={"simplify": {"share": 1.0}})
    assert 0.2 < share(events) < share(more)
    assert share(more) > 0.9


@pytest.mark.tier("runs")
@pytest.mark.parametrize("policy", ["random", "map_elites", "portfolio"])
def test_without_a_share_it_takes_turns_with_its_like(tmp_path: Path, policy: str) -> None:
    assert 0 < share(chosen(tmp_path, policy=policy, roles={})) < 1


def resolved(**changes: object) -> ResolvedRun:
    given = {"problem": "x", "models": models(main={}), "operators": [Simplify.name]}
    return ResolvedRun.of(Run.model_validate(given | changes), number_problem())


def test_a_dry_run_shows_its_prompt() -> None:
    (request,) = first_requests(resolved())
    assert (request.role, request.models) == ("simplify", {"main": 1.0})


@pytest.mark.parametrize(
    ("changes", "message", "hint"),
    [
        pytest.param(
            {"models": models(main={"simplfy": 1.0})},
            r"^models\.main\.weights\.simplfy: no operator of this run has that role$",
            "did you mean 'simplify'?",
            id="mistyped-weight",
        ),
        pytest.param(
            {"roles": {"crossover": {"share": 0.1}}},
            r"^roles\.crossover: no operator of this run has that role$",
            "did you mean 'cross_over'?",
            id="mistyped-row",
        ),
        pytest.param(
            {"operators": [Pair.name]},
            "takes 2 programs, and its role 'simplify' 1$",
            "set roles.simplify.parents = 2",
            id="parents",
        ),
        pytest.param(
            {"operators": [Shout.name]},
            "its role 'Simplify it!' is no name$",
            "a role is a name of small letters, digits and `_`",
            id="no-name",
        ),
    ],
)
def test_what_is_no_role_is_told(changes: dict[str, object], message: str, hint: str) -> None:
    run = resolved(**changes)
    with pytest.raises(ConfigError, match=message) as caught:
        roles_of(run.config, run.operators)
    assert caught.value.hint == hint


def test_a_row_of_a_known_role_keeps_what_it_does_not_set() -> None:
    row = parse("x", ["roles.cross_over.share=0.3"]).roles["cross_over"]
    assert (row.parents, row.share) == (2, 0.3)


def test_a_weight_of_both_is_noted() -> None:
    notes: list[str] = []
    settings = ["models.main.name=m", "models.main.weights.mutate=0.5"]
    parse("x", settings, notes.append)
    assert notes == ["note: models.main.weights.mutate is that of rewrite and of refine"]
