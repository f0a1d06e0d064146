"""All hostile programs by theme, as the table has them. Data only."""

from __future__ import annotations

from tests.hostile import (
    boundary,
    children,
    compiled,
    counting,
    deferring,
    escapes,
    forgeries,
    gates,
    peeking,
    projects,
    resources,
    scores,
    traces,
)
from tests.hostile.attack import Attack

LEVELS = ("jail", "namespace")
"""Levels of isolation at which the tests run them, and that the table has."""

OTHERS = ("bubblewrap", "container")
"""The jail behind another wall: run when asked for by name."""

THEMES: dict[str, tuple[Attack, ...]] = {
    "Time": resources.TIME,
    "Memory": resources.MEMORY,
    "Floods": resources.FLOODS,
    "Threads, children, limits": children.PROCESSES,
    "Files and secrets": escapes.FILES,
    "Secrets of a project": projects.ATTACKS,
    "Network": escapes.NETWORK,
    "Other processes": escapes.PROCESSES,
    "The answers' channel": forgeries.CHANNEL,
    "Patches": forgeries.PATCHES,
    "Answers that are not what they seem": forgeries.LIES,
    "Peeking at answers and inputs": peeking.ANSWERS,
    "What it leaves, and whether it is watched": traces.ATTACKS,
    "Caches": peeking.CACHES,
    "The clock": peeking.CLOCK,
    "Work after the answer": deferring.ATTACKS,
    "Work beside the calls": boundary.ATTACKS,
    "The count of instructions": counting.ATTACKS,
    "Scores": (*scores.ANSWERS, *scores.PATCHES),
    "Programs in C++": compiled.ATTACKS,
    "The user's own tests": gates.ATTACKS,
}

ATTACKS = tuple(attack for theme in THEMES.values() for attack in theme)
