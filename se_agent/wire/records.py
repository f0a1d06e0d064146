"""Values of classes as they cross the wire: named tuples, data classes, members of enums.

What crosses is the name of the class, and what its fields hold. Who reads it has no such
class: it gets a `Record` or a `Member`, which show their fields by name. A program that has
the class gets one of its own by a `Revival`. Neither runs code of the class that builds one.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum, Flag
from functools import cache, partial
from types import (
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
    NoneType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple  # fields hold values of any type that may cross

from se_agent.errors import WireError

_NUMBER = re.compile(r"-?[0-9]{1,19}")  # of a combination of flags
_PLAIN = frozenset({NoneType, bool, int, float, str, bytes})
_POINTER = object.__basicsize__ // 2
_TYPING = frozenset({"__orig_class__"})  # which `Box[int](3)` is given


class Layout(NamedTuple):
    """A class whose values are records.

    Attributes:
        kind: `Named` for named tuples, `Record` for data classes.
        module: Where the class was defined.
        name: Its qualified name.
        fields: Names of its fields, in their order.
    """

    kind: type[Record]
    module: str
    name: str
    fields: tuple[str, ...]


class Record:
    """A value of a data class; attributes are its fields.

    Where a class was defined is no part of what it is: two versions of a module have one each.

    Args:
        module: Where its class was defined.
        name: Qualified name of the class.
        fields: Names of the fields.
        values: What they hold.
    """

    __slots__ = ("_fields", "_module", "_name", "_values")

    def __init__(
        self, module: str, name: str, fields: tuple[str, ...], values: tuple[Any, ...]
    ) -> None:
        self._module = module
        self._name = name
        self._fields = fields
        self._values = values

    def __getattr__(self, field: str) -> Any:
        """Return what a field holds."""
        if field in Record.__slots__ or not shows(field) or field not in self._fields:
            raise AttributeError(field)
        return self._values[self._fields.index(field)]

    def __eq__(self, other: object) -> bool:
        """Say whether it is of a class of the same name, and its fields are equal."""
        return type(other) is type(self) and parts(self)[1:] == parts(other)[1:]

    def __hash__(self) -> int:
        """Return a hash, if all fields have one."""
        return hash(parts(self)[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again."""
        return type(self), parts(self)

    def __repr__(self) -> str:
        """Return it as the class itself would write it."""
        held = zip(self._fields, self._values, strict=True)
        return f"{self._name}({', '.join(f'{field}={value!r}' for field, value in held)})"


class Named(Record):
    """A named tuple: a record whose fields have an order, too."""

    __slots__ = ()

    def __len__(self) -> int:
        """Return how many fields it has."""
        return len(self._values)

    def __getitem__(self, index: int | slice) -> Any:
        """Return a field by its place."""
        return self._values[index]

    def __iter__(self) -> Iterator[Any]:
        """Yield what the fields hold."""
        return iter(self._values)


@dataclass(frozen=True)
class Member:
    """A member of an enum.

    Attributes:
        module: Where the enum was defined, which is no part of what it is.
        enum: Qualified name of the enum.
        name: Of the member.
    """

    module: str = field(compare=False)
    enum: str
    name: str

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again."""
        return Member, (self.module, self.enum, self.name)

    def __repr__(self) -> str:
        """Return it as people write it."""
        named = self.name.isidentifier()
        return f"{self.enum}.{self.name}" if named else f"{self.enum}({self.name})"


def parts(record: Any) -> tuple[str, str, tuple[str, ...], tuple[Any, ...]]:
    """Return module, name of the class, fields and values of a `Record`."""
    return record._module, record._name, record._fields, record._values  # noqa: SLF001


@cache
def layout(kind: type) -> Layout | None:
    """Return how values of a class are made up; None if it is no class of records.

    One that holds more than its fields and a `__dict__`, as a data class that is a list, too,
    is none.
    """
    names = getattr(kind, "_fields", None)
    slots = {name for base in kind.__mro__ for name in _slots(base)}
    if _holds(kind, tuple, len(slots)):
        if type(names) is tuple and {*map(type, names)} <= {str} and not slots:
            return Layout(Named, str(kind.__module__), kind.__qualname__, names)
    elif _holds(kind, object, len(slots)) and is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
        if slots <= {*names}:
            return Layout(Record, str(kind.__module__), kind.__qualname__, names)
    return None


def _slots(base: type) -> list[str]:
    return [name for name, held in vars(base).items() if type(held) is MemberDescriptorType]


def _holds(kind: type, solid: type, slots: int) -> bool:
    """Say whether values of a class hold what `solid` does, so many slots and a `__dict__`."""
    most = solid.__basicsize__ + (slots + 2) * _POINTER  # `__dict__` and `__weakref__`
    return (
        issubclass(kind, solid)
        and kind.__itemsize__ == solid.__itemsize__
        and (kind.__basicsize__ <= most)
    )


def described(value: Any) -> Record | Member | None:
    """Return a value of a class as a record; None for one that is none.

    Attributes beyond the fields, such as a `cached_property` that was asked, are part of it.
    """
    kind: Any = type(value)
    if isinstance(value, Enum):
        return _member_of(value, kind)
    found = layout(kind)
    if found is None:
        return None
    own = () if found.kind is Named else found.fields
    values = [*tuple.__iter__(value)] if found.kind is Named else []
    held = extras(value, own)
    try:
        values += [getattr(value, name) for name in own]
    except AttributeError:  # a field that was never set
        return None
    names = (*found.fields, *held)
    if len(names) != len(values) + len(held) or not all(map(shows, names)):
        return None
    return found.kind(found.module, found.name, names, (*values, *held.values()))


def extras(value: Any, own: Collection[str]) -> dict[str, Any]:
    """Return what a value holds beyond its own fields, by name."""
    held = getattr(value, "__dict__", None)
    if not held or held.keys() <= {*own}:
        return {}
    return {name: held[name] for name in sorted(held) if name not in {*own, *_TYPING}}


def shows(name: str) -> bool:
    """Say whether a name can be that of a field: others, such as `__len__`, mean something."""
    return name.isidentifier() and not (name.startswith("__") and name.endswith("__"))


def _member_of(value: Any, kind: Any) -> Member | None:
    name: Any = getattr(value, "_name_", None)
    if type(name) is not str or name not in kind._member_map_:
        number: Any = getattr(value, "_value_", None)
        if not isinstance(value, Flag) or type(number) is not int:
            return None
        name = str(number)
    return Member(str(kind.__module__), kind.__qualname__, name)


class Revival:
    """Makes values of classes out of records, in the process of a program that has the classes.

    Args:
        home: Module in which a class is looked up before it is where it was defined: another
            version of a module has classes of its own.
    """

    def __init__(self, home: str) -> None:
        self._home = home
        self._makers: dict[Any, Callable[[tuple[Any, ...]], Any]] = {}

    def of(self, value: Any, *, hashed: bool = False) -> Any:
        """Return a value whose records are values of their classes.

        Args:
            value: As it crossed.
            hashed: Whether it is, or is part of, a key or an element of a set.

        Raises:
            WireError: One of the classes is not there, has other fields, or would have to run
                code of its own to be a key.
        """
        kind: Any = type(value)
        if kind in _PLAIN:
            return value
        if kind is Record or kind is Named:
            return self._made(value, hashed)
        if kind is Member:
            return self._member(value, hashed)
        if kind in (set, frozenset):
            return _whole(kind(self.of(one, hashed=True) for one in value), value)
        if kind in (list, tuple):
            return kind([self.of(one, hashed=hashed) for one in value])
        if kind is deque:
            return deque(map(self.of, value), value.maxlen)
        if kind in (dict, OrderedDict, Counter, defaultdict):
            keys = [self.of(key, hashed=True) for key in value]
            items = dict(zip(keys, map(self.of, value.values()), strict=True))
            _whole(items, value)
            lacking = kind is defaultdict
            return defaultdict(value.default_factory, items) if lacking else kind(items)
        return value

    def _made(self, record: Record, hashed: bool) -> Any:
        module, name, names, values = parts(record)
        key = type(record), module, name, names, hashed
        make = self._makers.get(key)
        if make is None:
            make = self._makers[key] = self._maker(*key)
        return make(tuple([self.of(one, hashed=hashed) for one in values]))

    def _maker(
        self,
        kind: type[Record],
        module: str,
        name: str,
        names: tuple[str, ...],
        hashed: bool,
    ) -> Callable[[tuple[Any, ...]], Any]:
        made = self._class(module, name)
        found = layout(made)
        count = len(found.fields) if found else 0
        if found is None or found.kind is not kind or found.fields != names[:count]:
            told = ", ".join(names)
            raise WireError(f"{name} of {made.__module__} has not the fields {told}")
        if hashed:
            _require_plain_hash(made)
        own = count if kind is Named else 0
        setters = tuple(_setter(made, name) for name in names[own:])
        loose = [name for name in setters if isinstance(name, str)]
        place = _dict_of(made)
        if loose and place is None:
            raise WireError(f"{made.__qualname__} has no room for {', '.join(loose)}")
        new = tuple.__new__ if kind is Named else _bare
        return partial(_filled, partial(new, made), own, place, setters)

    def _member(self, member: Member, hashed: bool) -> Any:
        kind = self._class(member.module, member.enum)
        named, valued = map(_names(kind).get, ("_member_map_", "_value2member_map_"))
        held = named.get(member.name) if type(named) is dict else None
        if held is None and type(valued) is dict and _NUMBER.fullmatch(member.name):
            held = valued.get(int(member.name))
        if held is None:
            raise WireError(f"{member.enum} of {kind.__module__} has no {member.name}")
        if hashed:
            _require_plain_hash(kind)
        return held

    def _class(self, module: str, name: str) -> Any:
        for place in (self._home, module):
            found: Any = sys.modules.get(place)
            for part in name.split("."):
                found = _names(found).get(part)
            if isinstance(found, type):
                return found
        raise WireError(f"there is no class {name}, neither in {self._home} nor in {module}")


def _names(holder: Any) -> Mapping[str, Any]:
    """Return what a module or a class holds, without code of its own."""
    if type(holder) is ModuleType:
        return vars(holder)
    if isinstance(holder, type):
        held: Mapping[str, Any] = type.__dict__["__dict__"].__get__(holder)
        return held
    return {}


def _require_plain_hash(kind: type) -> None:
    """Refuse what runs code of its class as a key: a program could work there, unpaid."""
    for name in ("__hash__", "__eq__"):
        held = next(_names(base)[name] for base in kind.__mro__ if name in _names(base))
        if type(held) is not WrapperDescriptorType:
            raise WireError(
                f"{kind.__qualname__} has {name} of its own: it cannot be given as a key, or "
                "as an element of a set"
            )


def _whole(made: Any, value: Any) -> Any:
    """Refuse what became fewer: by its `__eq__`, a class may take all for one."""
    if len(made) != len(value):
        raise WireError(f"of {len(value)} elements {len(made)} are different ones here")
    return made


Setter = Callable[[Any, Any], None]
"""Sets one field of a value, without any code of its class."""


def _setter(kind: type, name: str) -> Setter | str:
    """Return what sets a field: a slot, or the name of what the `__dict__` shall hold."""
    held = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    if type(held) is MemberDescriptorType:
        slot: Setter = held.__set__
        return slot
    if hasattr(type(held), "__set__"):
        raise WireError(f"the field {name} of {kind.__qualname__} is a property")
    return name


def _dict_of(kind: type) -> Any:
    """Return what gives the `__dict__` of a value, and is no attribute of the class's own."""
    held = (vars(base).get("__dict__") for base in reversed(kind.__mro__))
    return next((one for one in held if type(one) is GetSetDescriptorType), None)


def _bare(kind: type, _: tuple[Any, ...]) -> Any:
    return object.__new__(kind)


def _filled(
    new: Callable[[tuple[Any, ...]], Any],
    count: int,
    place: Any,
    setters: tuple[Setter | str, ...],
    values: tuple[Any, ...],
) -> Any:
    """Return a value of which so many fields are elements of a tuple, the others attributes."""
    made = new(values[:count])
    loose = {}
    for setter, held in zip(setters, values[count:], strict=True):
        if isinstance(setter, str):
            loose[setter] = held
        else:
            setter(made, held)
    if loose:
        place.__get__(made).update(loose)
    return made
