"""Exposures: the items that a slot might have been shown, those it was, and its end (AM-65).

Read off a journal at its harvest, kept in `memory.db`, and read back for the credit of items.
Not here: what they say of an item (`item_credit`), and who is shown what (`retrieval.tier`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from se_agent.memory.experience.item_credit import Exposure, Lift, item_lifts
from se_agent.memory.experience.slot_records import SlotRecord
from se_agent.store.database import Database
from se_agent.values.evaluation import Status

_PUT = "INSERT OR REPLACE INTO exposures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ALL = """SELECT e.run, e.slot, e.item, e.shown, e.declared, e.operator, e.generation,
    e.parent_effect, e.valid, e.gain, e.outcome, coalesce(r.family, '')
    FROM exposures e LEFT JOIN runs r ON r.run = e.run ORDER BY e.run, e.slot, e.item"""
_WHERE = "its exposures"


@dataclass(frozen=True, kw_only=True)
class ExposureRow:
    """An exposure, with what is told of it beside the estimate.

    Attributes:
        exposure: The exposure.
        declared: Whether the reply says that it drew on the item.
        valid: Whether the step had a candidate that was right.
        proven: Whether its gain was proven.
    """

    exposure: Exposure
    declared: bool = False
    valid: bool = False
    proven: bool = False


def exposures_of(
    record: SlotRecord, run: str, family: str, effects: Mapping[str, float]
) -> Iterator[ExposureRow]:
    """Yield the exposures of a closed slot. Pure.

    Args:
        record: The slot.
        run: Name of the run.
        family: Family of its problem.
        effects: Composed effects of the programs so far, by id.
    """
    selected, learned = record.selected, record.learned
    shown = selected.shown_memory if selected else None
    if selected is None or learned is None or shown is None:
        return
    verdict, proposal = learned.verdict, record.proposal
    used = set(proposal.lessons_used) if proposal else set()
    is_right = verdict is not None and verdict.status is Status.AC
    proven = is_right and verdict is not None and verdict.significant
    gain = max(0.0, verdict.effect) if proven and verdict is not None else 0.0
    parent = selected.parents[0] if selected.parents else ""
    model = record.replies[-1].model if record.replies else ""
    is_bare = selected.informed is False
    told = dict.fromkeys(shown.items, not is_bare)
    for item, was in (told | dict.fromkeys(shown.items_withheld, False)).items():
        yield ExposureRow(
            exposure=Exposure(
                run=run,
                slot=record.number,
                item=item,
                shown=was,
                gain=gain,
                family=family,
                operator=selected.operator,
                model=model,
                generation=_generation(selected.child),
                parent_effect=effects.get(parent, 0.0),
            ),
            declared=was and item in used,
            valid=is_right,
            proven=proven,
        )


class ExposureLog:
    """The exposures of all runs."""

    def __init__(self, db: Database) -> None:
        """Use an open `memory.db`."""
        self._db = db

    def put(self, rows: Iterable[ExposureRow]) -> None:
        """Write exposures; one that is there already is written anew.

        Raises:
            MemoryFileError: They cannot be written.
        """
        self._db.execute_each(_PUT, map(_values, rows))

    def rows(self) -> Iterator[ExposureRow]:
        """Return all exposures, by run, slot and item. Models are not kept: they are "".

        Raises:
            MemoryFileError: They cannot be read.
        """
        return self._db.records(_ALL, make=_row, where=_WHERE)

    def lifts(self) -> Mapping[str, Lift]:
        """Return what all exposures together say of each item.

        Raises:
            MemoryFileError: They cannot be read.
        """
        return item_lifts([row.exposure for row in self.rows()])


def _generation(child: str) -> int:
    """Return the generation that an id such as `Gen3_Sol_4` names; 1 where it names none."""
    number = child.removeprefix("Gen").partition("_")[0]
    return int(number) if number.isdigit() else 1


def _values(row: ExposureRow) -> tuple[object, ...]:
    one = row.exposure
    return (
        *(one.run, one.slot, one.item, one.shown, row.declared, one.operator),
        *(one.generation, one.parent_effect, row.valid, one.gain, row.proven),
    )


def _row(values: tuple[object, ...]) -> ExposureRow:
    run, slot, item, shown, declared, operator, generation, parent, valid, gain, proven = (
        values[:11]
    )
    return ExposureRow(
        exposure=Exposure(
            run=str(run),
            slot=int(slot),  # type: ignore[call-overload]
            item=str(item),
            shown=bool(shown),
            gain=float(gain),  # type: ignore[arg-type]
            family=str(values[11]),
            operator=str(operator),
            generation=int(generation),  # type: ignore[call-overload]
            parent_effect=float(parent),  # type: ignore[arg-type]
        ),
        declared=bool(declared),
        valid=bool(valid),
        proven=bool(proven),
    )
