"""How values of somebody's classes are made up, read without any code of these classes.

A class may say of itself what it likes: its metaclass answers `__mro__`, `__hash__` and `==`,
its `__getattr__` answers for what a value has not. Whoever asks runs that code, and it may do
work there that nobody is charged for. So classes are read by what `type` itself has of them,
values by their slots and their `__dict__`, and classes are told apart by identity alone. Not
here: how a value of a class is made (`revival`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum, Flag
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple  # fields hold values of any type that may cross

from se_agent.wire.records import Named, RecordMember, WireRecord, shows

# Taken once, before there is a candidate: what it puts in their place changes nothing here.
_MRO, _HELD, _NAME, _FLAGS, _SIZE, _ITEM = (
    type.__dict__[name].__get__
    for name in (
        "__mro__",
        "__dict__",
        "__qualname__",
        "__flags__",
        "__basicsize__",
        "__itemsize__",
    )
)
_KIND_OF_FIELD = dataclasses.Field.__dict__["_field_type"].__get__
_REGULAR = dataclasses._FIELD  # type: ignore[attr-defined]  # noqa: SLF001
_ELEMENTS = tuple.__iter__
_POINTER = object.__basicsize__ // 2
_TYPING = frozenset({"__orig_class__"})  # which `Box[int](3)` is given
_NO_DICT: dict[str, Any] = {}
_ABSENT = object()
_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE


class Layout(NamedTuple):
    """A class whose values cross by name.

    Attributes:
        kind: `Named` for named tuples, `WireRecord` for data classes, `RecordMember` for enums.
        module: Where the class was defined.
        name: Its qualified name.
        fields: Names of its fields, in their order.
        slots: What reads each field, where it is a slot; None: it lies in the `__dict__`.
        loose: How many of the fields lie in the `__dict__`.
        place: What reads the `__dict__` of a value; None: values have none.
        flags: Whether values of it may be combined.
    """

    kind: type[WireRecord | RecordMember]
    module: str
    name: str
    fields: tuple[str, ...] = ()
    slots: tuple[Callable[[Any], Any] | None, ...] = ()
    loose: int = 0
    place: Callable[[Any], Any] | None = None
    flags: bool = False


# By identity, which needs no hash of the class; the class is kept, so that it stays one.
_KNOWN: dict[int, tuple[type, Layout | None]] = {}


def layout(kind: type) -> Layout | None:
    """Return how values of a class are made up; None if they do not cross.

    One that holds more than its fields and a `__dict__`, as a data class that is a list, too,
    does not.
    """
    known = _KNOWN.get(id(kind))
    if known is None:
        known = _KNOWN[id(kind)] = kind, _read(kind)
    return known[1]


def _read(kind: type) -> Layout | None:
    module, name, place = module_of(kind), title(kind), dict_of(kind)
    if type(module) is not str or type(name) is not str:
        return None
    read = place.__get__ if place is not None else None
    if _is_a(kind, Enum):
        flags = _is_a(kind, Flag)
        return Layout(RecordMember, module, name, place=read, flags=flags) if read else None
    slots = _slots(kind)
    if _is_a(kind, tuple):
        fields = held_by(kind, "_fields")
        if not _are_names(fields) or slots or not _holds(kind, tuple, 0):
            return None
        return Layout(Named, module, name, fields, place=read)
    marked = held_by(kind, "__dataclass_fields__")
    if type(marked) is not dict or not _holds(kind, object, len(slots)):
        return None
    fields = tuple(field for field, one in marked.items() if _is_field(one))
    if not _are_names(fields) or any(slot not in fields for slot in slots):
        return None
    readers = tuple(map(slots.get, fields))
    return Layout(WireRecord, module, name, fields, readers, readers.count(None), read)


def _is_a(kind: type, base: type) -> bool:
    return any(one is base for one in mro(kind))


def _is_field(one: Any) -> bool:
    return type(one) is dataclasses.Field and _KIND_OF_FIELD(one) is _REGULAR


def _are_names(fields: Any) -> bool:
    return type(fields) is tuple and all(type(name) is str and shows(name) for name in fields)


def _slots(kind: type) -> dict[str, Callable[[Any], Any]]:
    """Return what reads each slot; of two of a name, that of the class which comes first."""
    found: dict[str, Callable[[Any], Any]] = {}
    for base in mro(kind):
        for name, held in names(base).items():
            if type(held) is MemberDescriptorType and held.__objclass__ is base:
                found.setdefault(name, held.__get__)
    return found


def _holds(kind: type, solid: type, slots: int) -> bool:
    """Say whether values of a class hold what `solid` does, so many slots and a `__dict__`."""
    most = solid.__basicsize__ + (slots + 2) * _POINTER  # `__dict__` and `__weakref__`
    size: int = _SIZE(kind)
    return _ITEM(kind) == solid.__itemsize__ and size <= most


def mro(kind: type) -> tuple[type, ...]:
    """Return a class and its bases, in the order in which attributes are looked up."""
    found: tuple[type, ...] = _MRO(kind)
    return found


def is_class(one: Any) -> bool:
    """Say whether something is a class, whatever it says itself."""
    return _is_a(type(one), type)


def is_written(kind: type) -> bool:
    """Say whether a class was written in Python, and not in C."""
    flags: int = _FLAGS(kind)
    return bool(flags & _HEAP)


def names(holder: Any) -> Mapping[str, Any]:
    """Return what a module or a class holds; nothing for anything else."""
    if type(holder) is ModuleType:
        return vars(holder)
    if is_class(holder):
        held: Mapping[str, Any] = _HELD(holder)
        return held
    return _NO_DICT


def held_by(kind: type, name: str, default: Any = None) -> Any:
    """Return what a class or one of its bases has of a name, as it lies there."""
    return next((names(base)[name] for base in mro(kind) if name in names(base)), default)


def title(kind: type) -> Any:
    """Return the qualified name of a class: a text, unless it was tampered with."""
    return _NAME(kind)


def module_of(kind: type) -> Any:
    """Return where a class was defined: a text, unless it was tampered with."""
    return names(kind).get("__module__")


def dict_of(kind: type) -> Any:
    """Return what gives the `__dict__` of a value, and is no attribute of the class's own."""
    for base in reversed(mro(kind)):
        held = names(base).get("__dict__")
        if type(held) is GetSetDescriptorType and held.__objclass__ is base:
            return held
    return None


class Held(NamedTuple):
    """What a value holds, by name: its fields, and attributes beyond them, sorted."""

    names: Sequence[str]
    values: list[Any]


def held_value(value: Any, found: Layout) -> Held | None:
    """Return what a record holds; None: that cannot cross.

    Attributes beyond the fields, such as a `cached_property` that was asked, are part of it. A
    field that was never set is none, nor is a name that no field can have.
    """
    own = _NO_DICT if found.place is None else found.place(value)
    if type(own) is not dict:
        return None
    if found.kind is Named:
        values, loose = [*_ELEMENTS(value)], 0
        if len(values) != len(found.fields):
            return None
    else:
        loose = found.loose
        try:
            if loose == len(found.fields):
                values = [own[name] for name in found.fields]
            else:
                values = [
                    own[name] if slot is None else slot(value)
                    for name, slot in zip(found.fields, found.slots, strict=True)
                ]
        except (KeyError, AttributeError):
            return _with_defaults(value, own, found)
    return Held(found.fields, values) if len(own) == loose else _more(found, own, values)


def _with_defaults(value: Any, own: dict[str, Any], found: Layout) -> Held | None:
    """Read a record of which a field was never set: the class may have a value for it."""
    fields = zip(found.fields, found.slots, strict=True)
    values = [_field(value, own, name, slot) for name, slot in fields]
    return None if any(one is _ABSENT for one in values) else _more(found, own, values)


def _field(
    value: Any, own: dict[str, Any], name: str, slot: Callable[[Any], Any] | None
) -> Any:
    """Return what one field holds, be it the class that has it; `_ABSENT`: nothing."""
    if slot is not None:
        with suppress(AttributeError):
            return slot(value)
        return _ABSENT
    if name in own:
        return own[name]
    default = held_by(type(value), name, _ABSENT)
    return _ABSENT if held_by(type(default), "__get__") else default


def _more(found: Layout, own: dict[str, Any], values: list[Any]) -> Held | None:
    if not all(type(name) is str for name in own):
        return None
    fields = () if found.kind is Named else found.fields
    extra = sorted(name for name in own if name not in fields and name not in _TYPING)
    if not all(map(shows, extra)) or not {*extra}.isdisjoint(found.fields):
        return None
    return Held((*found.fields, *extra), [*values, *(own[name] for name in extra)])


def member(value: Any, found: Layout) -> str | None:
    """Return the name of a member of an enum, or the number of combined flags."""
    own = found.place(value) if found.place is not None else _NO_DICT
    name, known = own.get("_name_"), held_by(type(value), "_member_map_")
    if type(name) is str and type(known) is dict and known.get(name) is value:
        return name
    number = own.get("_value_")
    return str(number) if found.flags and type(number) is int else None


def record_of(value: Any) -> WireRecord | RecordMember | None:
    """Return a value of a class as a record; None for one that is none."""
    found = layout(type(value))
    if found is None:
        return None
    if found.kind is RecordMember:
        name = member(value, found)
        return None if name is None else RecordMember(found.module, found.name, name)
    inside = held_value(value, found)
    if inside is None:
        return None
    make: Any = found.kind
    record: WireRecord = make(
        found.module, found.name, tuple(inside.names), tuple(inside.values)
    )
    return record


def columns(values: Sequence[Any], found: Layout) -> list[list[Any]] | None:
    """Return what records of one class hold, by field; None: one holds more, or less."""
    with suppress(KeyError, AttributeError):
        if found.kind is WireRecord and found.loose == len(found.fields):
            if (loose := _loose_columns(values, found)) is not None:
                return loose
        elif found.kind is WireRecord and not found.loose and found.place is None:
            return [[read(value) for value in values] for read in found.slots if read]
    rows = [held_value(value, found) for value in values]
    whole = [row.values for row in rows if row and len(row.names) == len(found.fields)]
    if len(whole) < len(rows):
        return None
    return [list(column) for column in zip(*whole, strict=True)]


def _loose_columns(values: Iterable[Any], found: Layout) -> list[list[Any]] | None:
    assert found.place is not None, "fields that are no slots lie in a dict"
    read = found.place
    owns = [read(value) for value in values]
    if [own for own in owns if type(own) is not dict or len(own) != found.loose]:
        return None
    return [[own[name] for own in owns] for name in found.fields]
