"""What the inputs seen have in common, place by place, and whether another one has it too.

A shape is a tree beside the value: elements of a list share one place, fields of a record have
one each. Not here: what ties two arguments together (`relations`), the rules of sequences
(`rules`) and of texts (`texts`).
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.function.rules import Orders, in_order, keeps, orders, shared
from evaluators.counterexample.function.texts import Texts, closed
from se_agent import wire

ENOUGH = 8
"""Values from which on a size that never changes is taken for a rule."""

_POOL = 24  # values of a place that are kept to draw from
_MOST_KEYS = 16  # of records of which some lack a key
_WIDEST = 8  # elements of a list that may be a record: fields of a meaning of their own
SEQUENCES = (list, tuple, deque)
MAPPINGS = (dict, OrderedDict, Counter, defaultdict)
SETS = (set, frozenset)
STRANGE = ("inf", "-inf", "nan", "-0.0")
"""Floats that count only if they were seen themselves."""

_NUMBERS = (int, float, bool)
_RECORDS = (tuple, list)
_NO_TEXTS = Texts()

Step = int | str
"""`*` for any element, a number for a field of a tuple, `key` and `value` of a mapping.

What a dictionary has under one of its `names` stands at `.name` besides.
"""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all values at one place have shared.

    Attributes:
        count: How many were seen.
        kinds: Their types.
        low: Smallest number; 0 without numbers.
        high: Largest number.
        places: Decimal places that floats had at most.
        strange: Those of `STRANGE` that were seen.
        few: All that numbers may be, where few were seen again and again.
        texts: What strings had in common.
        alphabet: Their characters, the first few dozen.
        sizes: Smallest and largest length.
        rules: What held for every sequence of two elements or more; see `rules`.
        orders: Fields of a record of which the first was never larger than the second, and
            whether it was always smaller.
        fields: Length of the records, where they had fields; else 0.
        names: Keys that every dictionary had, where they are those of a record.
        optional: Keys that some of these records had besides; there are no others.
        pool: Some of the leaves.
        factory: Shape of the values that a `defaultdict` makes up.
        parts: Shapes of what is inside.
    """

    count: int = 0
    kinds: frozenset[type] = frozenset()
    low: float = 0
    high: float = 0
    places: int = 0
    strange: frozenset[str] = frozenset()
    few: frozenset[float] = frozenset()
    texts: Texts = _NO_TEXTS
    alphabet: tuple[str, ...] = ()
    sizes: tuple[int, int] = (0, 0)
    rules: frozenset[str] = frozenset()
    orders: Orders = ()
    fields: int = 0
    names: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    pool: tuple[Any, ...] = ()
    factory: Any = None
    parts: Mapping[Step, Shape] = field(default_factory=dict)

    @property
    def fixed(self) -> bool:
        """Whether the length never changed, and was seen often enough."""
        return self.count >= ENOUGH and self.sizes[0] == self.sizes[1] > 0

    @property
    def least(self) -> int:
        """Smallest length that counts: nothing and a single element only if they were seen."""
        return min(self.sizes[0], 2)

    def admits(self, value: Any) -> bool:
        """Say whether a value keeps what all have shared."""
        kind = type(value)
        if kind not in self.kinds:
            return False
        if kind in _NUMBERS:
            return self._admits_number(value)
        size = size_of(value)
        if size is None:
            return True
        if not self._admits_size(size):
            return False
        if kind is str:
            return self.texts.admits(value)
        if not self._admits_rules(value):
            return False
        return all(
            part is not None and part.admits(child)
            for step, child in _named(self, value) or inside(self, value)
            for part in [self.part(step)]
        )

    def typed(self, value: Any) -> bool:
        """Say whether a value has the types that were seen, and nothing more."""
        kind = type(value)
        if kind not in self.kinds or (kind is tuple and self.fields not in (0, len(value))):
            return False
        return all(
            any(part.typed(child) for part in self._parts(step, kind))
            for step, child in inside(self, value)
        )

    def _parts(self, step: Step, kind: type) -> Iterable[Shape]:
        """Return what may stand at a step: in a list, which may be no record, any field."""
        if kind is list and self.fields:
            return self.parts.values()
        return [self.part(step) or _NOTHING]

    def part(self, step: Step) -> Shape | None:
        """Return the shape of what is inside at a step; None where nothing was seen."""
        return self.parts.get(step)

    def within(self, value: Any) -> bool:
        """Say whether no number is larger, and nothing longer, than what was seen."""
        kind = type(value)
        if kind is int or kind is float:
            return bool(abs(value) <= max(abs(self.low), abs(self.high), 1))
        size = size_of(value)
        if size is None:
            return True
        if size > max(self.sizes[1], 1):
            return False
        children = [] if kind in (str, bytes) else inside(self, value)
        return all(
            any(part.within(child) for part in self._parts(step, kind))
            for step, child in children
        )

    def _admits_number(self, value: float) -> bool:
        if type(value) is float:
            if repr(value) in STRANGE:
                return repr(value) in self.strange
            if places(value) > self.places:
                return False
        return self.low <= value <= self.high and (not self.few or value in self.few)

    def _admits_size(self, size: int) -> bool:
        if self.fixed:
            return size == self.sizes[0]
        return self.least <= size <= self.sizes[1]

    def _admits_rules(self, value: Any) -> bool:
        if self.fields and type(value) in _RECORDS:
            return (
                len(value) == self.fields
                and in_order(value, self.orders)
                and (type(value) is tuple or keeps(value, self.rules))
            )
        if self.names and type(value) is dict:
            return {*self.names} <= value.keys() <= {*self.names, *self.optional}
        return type(value) not in SEQUENCES or keeps(value, self.rules)


_NOTHING = Shape()


def sign_fits(low: float, high: float, value: float) -> bool:
    """Say whether a number has a sign that was seen between these two."""
    return not ((low >= 0 > value) or (low > 0 >= value) or (high <= 0 < value))


def places(value: float) -> int:
    """Return how many decimal places a finite float has."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(-int(exponent), 0)


def size_of(value: Any) -> int | None:
    """Return the length of a value; None for one that has none, as an array of no axis."""
    if getattr(value, "shape", None) == () or not hasattr(value, "__len__"):
        return None
    return len(value)


def _finite(value: float) -> bool:
    return type(value) is int or math.isfinite(value)  # an int may be too large for a float


def inside(shape: Shape, value: Any) -> list[tuple[Step, Any]]:
    """Return what a value holds, each with the step that leads to it."""
    kind = type(value)
    if kind in MAPPINGS:
        return [*(("key", k) for k in value), *(("value", v) for v in value.values())]
    if kind in _RECORDS and shape.fields:
        return list(enumerate(value))
    return [("*", item) for item in ordered(value)] if kind in (*SEQUENCES, *SETS) else []


def _named(shape: Shape, value: Any) -> list[tuple[Step, Any]]:
    """Return what a record holds under its names; nothing of other dictionaries."""
    known = (*shape.names, *shape.optional) if type(value) is dict else ()
    return [(f".{name}", value[name]) for name in known if name in value]


def ordered(value: Any) -> list[Any]:
    """Return the elements of a container, those of a set in the same order in every process."""
    return sorted(value, key=name_of) if type(value) in SETS else list(value)


def name_of(value: Any) -> str:
    """Return a text that only equal values share, the same in every process."""
    kind = type(value)
    if kind in SETS:
        parts = sorted(map(name_of, value))
    elif kind in MAPPINGS:
        parts = [name_of(one) for pair in value.items() for one in pair]
    elif kind in SEQUENCES:
        parts = [*map(name_of, value)]
    else:
        return wire.dumps(value).decode("utf-8", "surrogatepass")
    return f"{kind.__name__}({joined(parts)})"


def joined(names: Iterable[str]) -> str:
    """Return one name of several; lengths tell where each ends, quotes would double."""
    return ",".join(f"{len(name)}:{name}" for name in names)


def shape_of(values: Sequence[Any]) -> Shape:
    """Return what these values have in common."""
    numbers = [v for v in values if type(v) in _NUMBERS and _finite(v)]
    floats = [v for v in numbers if type(v) is float]
    lengths = [size for v in values if (size := size_of(v)) is not None] or [0]
    rows = [v for v in values if type(v) in SEQUENCES]
    fields = _fields(values)
    texts = [v for v in values if type(v) is str]
    names, optional = _names(values)
    found = Shape(
        count=len(values),
        kinds=frozenset(map(type, values)),
        low=min(numbers, default=0),
        high=max(numbers, default=0),
        places=max(map(places, floats), default=0),
        strange=frozenset(repr(v) for v in values if type(v) is float) & frozenset(STRANGE),
        few=closed(numbers),
        texts=Texts.of(texts),
        alphabet=tuple(dict.fromkeys(c for text in texts[:200] for c in text))[:48],
        sizes=(min(lengths), max(lengths)),
        rules=shared([v for v in rows if not fields or type(v) is list]),
        orders=orders([v for v in rows if type(v) in _RECORDS], fields),
        fields=fields,
        names=names,
        optional=optional,
        pool=_pool(values),
        factory=next((v.default_factory for v in values if type(v) is defaultdict), None),
    )
    grouped: dict[Step, list[Any]] = {}
    for value in values:
        for step, child in (*inside(found, value), *_named(found, value)):
            grouped.setdefault(step, []).append(child)
    parts = {step: shape_of(children) for step, children in grouped.items()}
    return Shape(**(vars(found) | {"parts": parts}))


def shortened(shape: Shape) -> Shape:
    """Return the shape of values that may be as short as a single element as well."""
    low, high = shape.sizes
    parts = {step: shortened(part) for step, part in shape.parts.items()}
    record = bool(shape.fields or shape.names)
    sizes = shape.sizes if record else (min(low, 1), high)
    return replace(shape, parts=parts, sizes=sizes)


def _fields(values: Sequence[Any]) -> int:
    """Return the length of tuples that all have one, and of lists that look the same; or 0."""
    rows = [v for v in values if type(v) in _RECORDS]
    lengths = {len(row) for row in rows}
    if len(lengths) != 1 or not all(lengths):
        return 0
    (width,) = lengths
    if all(type(row) is tuple for row in rows):
        return width
    kinds = {frozenset(type(row[i]) for row in rows) for i in range(min(width, _WIDEST))}
    alike = len(kinds) > 1 or len(rows) >= ENOUGH
    return width if alike and width <= _WIDEST else 0


def _names(values: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of records, all of them texts: those that all have, and that some have.

    Dictionaries with the same keys are records. So are those of which some lack a few, where
    enough were seen, and values of several types show that each key has a meaning of its own.
    """
    rows = [value for value in values if type(value) is dict]
    keys = [*dict.fromkeys(key for row in rows for key in row)]
    if not all(type(key) is str for key in keys):
        return (), ()
    names = tuple(key for key in keys if all(key in row for row in rows))
    optional = tuple(key for key in keys if key not in names)
    kinds = {frozenset(type(row[key]) for row in rows if key in row) for key in keys}
    if optional and (len(rows) < ENOUGH or len(keys) > _MOST_KEYS or len(kinds) == 1):
        return (), ()
    return (names, optional) if names else ((), ())


def _pool(values: Iterable[Any]) -> tuple[Any, ...]:
    holders = (*SEQUENCES, *MAPPINGS, *SETS)
    leaves = {name_of(v): v for v in values if type(v) not in holders}
    kept = list(leaves.values())
    some = kept[:: max(1, len(kept) // _POOL)][:_POOL]
    rare = {type(v): v for v in reversed(kept)}
    for v in some:
        rare.pop(type(v), None)
    return (*some, *rare.values())
