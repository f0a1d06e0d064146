"""The archetype of a pack that a program follows, found by reading it. Pure; no model.

An archetype's features in `pack.toml` are weights of signals: words of `traits` and of
`se_agent.program.shape`, and what is counted here. Not here: what a pack says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from se_agent.memory.knowledge.schema import Pack
from se_agent.program.features import Features
from se_agent.values.session import ArchetypeRecord

_LEAST = 1.5  # weights together below which nothing fits well
_CLEAR = 2.0  # lead over the second from which on the choice is trusted more
SOURCE = "survey"
"""Source of what is read from a program at the start of a run."""


def archetype_of(found: Features, traits: Sequence[str], pack: Pack) -> ArchetypeRecord | None:
    """Return the archetype whose features fit a program best; None: nothing fits well.

    Args:
        found: Counts of what is in the program.
        traits: Words that hold for it, of `se_agent.program.shape` and of its problem.
        pack: The archetypes to choose from; of equal ones the first is taken.
    """
    signals = frozenset(_signals(found, traits))
    weighed = sorted(
        (
            (sum(w for word, w in each.features.items() if word in signals), -place, each)
            for place, each in enumerate(pack.archetypes.values())
        ),
        key=lambda one: one[:2],
        reverse=True,
    )
    if not weighed or weighed[0][0] < _LEAST:
        return None
    (best, _, chosen), rest = weighed[0], weighed[1:]
    clear = not rest or best - rest[0][0] >= _CLEAR
    return ArchetypeRecord(
        type=chosen.name,
        lifecycle_phases=chosen.phases,
        confidence="medium" if clear else "low",
        source=SOURCE,
    )


def _signals(found: Features, traits: Sequence[str]) -> Iterator[str]:
    """Yield the words that hold for a program, as `pack.toml` spells them."""
    yield from traits
    each = {
        "nested loop": found.loop_depth >= 2,
        "loop of three": found.loop_depth >= 3,
        "recursion": found.recursive > 0,
        "no loop": not found.loops and not found.comprehensions,
        "membership": found.memberships > 0,
        "slices": found.slices > 0,
        "many subscripts": found.subscripts >= 6,
        "no subscripts": found.subscripts == 0,
        "no functions": found.functions == 0,
    }
    yield from (word for word, holds in each.items() if holds)
    yield from (f"calls {name.removeprefix('.')}" for name, _ in found.calls)
    yield from (f"imports {name}" for name in found.imports)
