"""Pairs of known difference: the same answers, and as much work as they say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from se_agent.noise.families import KernelEdit, ProgramPair, Text, World
from se_agent.noise.kernels import Family
from se_agent.values.solution import Solution

WORLDS = [World(family, number) for family in Family for number in range(3)]


def ids(world: World) -> str:
    return f"{world.family}-{world.number}"


def answers(world: World, solution: Solution, seeds: range = range(3)) -> list[object]:
    """Return what a program answers to some inputs of its world."""
    generator: dict[str, Any] = {}
    exec(world.problem().generator, generator)
    space: dict[str, Any] = {}
    exec(solution.text, space)
    return [space["solve"](*generator["generate"](random.Random(seed))) for seed in seeds]


class Meter(dict[str, Any]):
    """A namespace that counts how often `turn` and `spare` are called."""

    def __init__(self) -> None:
        super().__init__(turns=0, spares=0)

    def of(self, solution: Solution) -> Meter:
        """Run a program of the world with both of them counted."""
        exec(solution.text, self)
        for name, count in (("turn", "turns"), ("spare", "spares")):
            self[name] = self._counting(count)
        self["solve"]([])
        return self

    def _counting(self, name: str) -> Any:
        def counted(values: object) -> None:
            self[name] += 1

        return counted


@pytest.mark.parametrize("world", WORLDS, ids=ids)
def test_all_programs_of_a_world_give_the_same_answers(world: World) -> None:
    right = answers(world, world.problem().initial())
    pairs = [world.alike(3, text) for text in Text]
    pairs += [world.gained(7, 0.05, edit) for edit in KernelEdit]
    for pair in pairs:
        assert answers(world, pair.reference) == right
        assert answers(world, pair.candidate) == right


@pytest.mark.parametrize("world", WORLDS, ids=ids)
def test_inputs_differ(world: World) -> None:
    generator: dict[str, Any] = {}
    exec(world.problem().generator, generator)
    made = [generator["generate"](random.Random(seed)) for seed in range(64)]
    assert len(set(map(repr, made))) == 64


@pytest.mark.parametrize("world", WORLDS, ids=ids)
def test_texts_differ_as_they_say(world: World) -> None:
    same, renamed, reordered = (world.alike(0, text) for text in Text)
    assert same.reference.text == same.candidate.text
    assert renamed.reference.text != renamed.candidate.text
    assert renamed.reference.content == renamed.candidate.content
    assert reordered.reference.content != reordered.candidate.content
    assert sorted(reordered.reference.text) == sorted(reordered.candidate.text)


@pytest.mark.parametrize("world", WORLDS, ids=ids)
@pytest.mark.parametrize("gain", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("edit", list(KernelEdit))
def test_a_candidate_leaves_out_so_much_work(
    world: World, gain: float, edit: KernelEdit
) -> None:
    pair = world.gained(5, gain, edit)
    more, less = work(world, pair)
    assert more / less - 1 == pytest.approx(gain, rel=0.2)
    assert all("def spare" in one.text for one in (pair.reference, pair.candidate))


def work(world: World, pair: ProgramPair) -> tuple[float, float]:
    """Return the work of both, in turns."""
    found = (Meter().of(solution) for solution in (pair.reference, pair.candidate))
    more, less = (one["turns"] + world.kernel.share * one["spares"] for one in found)
    return more, less


def test_what_is_left_out_depends_on_the_edit() -> None:
    world = WORLDS[0]
    kinds = [Meter().of(world.gained(5, 0.1, edit).reference) for edit in KernelEdit]
    turns, spare, both = ((one["turns"] > 120, one["spares"] > 0) for one in kinds)
    assert (turns, spare, both) == ((True, False), (False, True), (True, True))


def test_kernels_take_turns() -> None:
    first, again = World(Family.LOOP, 1), World(Family.LOOP, 4)
    assert first.kernel is again.kernel
    assert first.problem().programs != again.problem().programs
