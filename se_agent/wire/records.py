"""Values of classes as they cross the wire: named tuples, data classes, members of enums.

What crosses is the name of the class, and what its fields hold. Who reads it has no such
class: it gets a `Record` or a `Member`, which show their fields by name. A program that has
the class gets one of its own by a `Revival`. Neither runs code of the class that builds one.
"""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial, reduce
from operator import or_
from types import NoneType
from typing import Any, NamedTuple  # fields hold values of any type that may cross

from se_agent.errors import WireError

_PLAIN = frozenset({NoneType, bool, int, float, str, bytes})
_HEAP = 1 << 9  # flag of a type that a `class` statement made


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
        if field in type(self).__slots__ or field not in self._fields:
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

    module: str
    enum: str
    name: str

    def __eq__(self, other: object) -> bool:
        """Say whether it is a member of that name, of an enum of the same name."""
        return type(other) is Member and (self.enum, self.name) == (other.enum, other.name)

    def __hash__(self) -> int:
        """Return a hash."""
        return hash((self.enum, self.name))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again."""
        return Member, (self.module, self.enum, self.name)

    def __repr__(self) -> str:
        """Return it as people write it."""
        return f"{self.enum}.{self.name}"


def parts(record: Any) -> tuple[str, str, tuple[str, ...], tuple[Any, ...]]:
    """Return module, name of the class, fields and values of a `Record`."""
    return record._module, record._name, record._fields, record._values  # noqa: SLF001


@cache
def layout(kind: type) -> Layout | None:
    """Return how values of a class are made up; None if it is no class of records.

    One that holds more than its fields, as a data class that is a list, too, is none.
    """
    solid = next(base for base in kind.__mro__ if not base.__flags__ & _HEAP)
    names = getattr(kind, "_fields", None)
    if solid is tuple and type(names) is tuple and {*map(type, names)} <= {str}:
        return Layout(Named, str(kind.__module__), kind.__qualname__, names)
    if solid is object and is_dataclass(kind) and not issubclass(kind, Enum):
        names = tuple(field.name for field in fields(kind))
        return Layout(Record, str(kind.__module__), kind.__qualname__, names)
    return None


def described(value: Any) -> Record | Member | None:
    """Return a value of a class as a record; None for one that is none.

    Attributes beyond the fields, such as a `cached_property` that was asked, are part of it.
    """
    kind: Any = type(value)
    if isinstance(value, Enum):
        name: Any = getattr(value, "_name_", None)
        known = type(name) is str
        return Member(str(kind.__module__), kind.__qualname__, name) if known else None
    found = layout(kind)
    if found is None:
        return None
    own = () if found.kind is Named else found.fields
    values = [*tuple.__iter__(value)] if found.kind is Named else []
    try:
        extra = sorted(getattr(value, "__dict__", {}).keys() - {*own})
        values += [getattr(value, name) for name in (*own, *extra)]
    except AttributeError:  # a field that was never set
        return None
    names = (*found.fields, *extra)
    if len(names) != len(values):
        return None
    return found.kind(found.module, found.name, names, tuple(values))


class Revival:
    """Makes values of classes out of records, in the process of a program that has the classes.

    Args:
        home: Module in which a class is looked up before it is where it was defined: another
            version of a module has classes of its own.
    """

    def __init__(self, home: str) -> None:
        self._home = home
        self._makers: dict[Any, Callable[[tuple[Any, ...]], Any]] = {}

    def of(self, value: Any) -> Any:
        """Return a value whose records are values of their classes.

        Raises:
            WireError: One of the classes is not there, or has other fields.
        """
        kind: Any = type(value)
        if kind in _PLAIN:
            return value
        if kind is Record or kind is Named:
            return self._made(value)
        if kind is Member:
            return self._member(value)
        if kind in (list, tuple, set, frozenset):
            return kind(map(self.of, value))
        if kind is deque:
            return deque(map(self.of, value), value.maxlen)
        if kind in (dict, OrderedDict, Counter, defaultdict):
            items = {self.of(key): self.of(held) for key, held in value.items()}
            lacking = kind is defaultdict
            return defaultdict(value.default_factory, items) if lacking else kind(items)
        return value

    def _made(self, record: Record) -> Any:
        module, name, names, values = parts(record)
        key = type(record), module, name, names
        make = self._makers.get(key)
        if make is None:
            make = self._makers[key] = self._maker(*key)
        return make(tuple(map(self.of, values)))

    def _maker(
        self, kind: type[Record], module: str, name: str, names: tuple[str, ...]
    ) -> Callable[[tuple[Any, ...]], Any]:
        made = self._class(module, name)
        found = layout(made)
        count = len(found.fields) if found else 0
        if found is None or found.kind is not kind or found.fields != names[:count]:
            raise WireError(
                f"{name} of {made.__module__} has not the fields {', '.join(names)}"
            )
        apart = any(hasattr(getattr(made, name, None), "__set__") for name in names)
        if kind is Record and made.__dictoffset__ and not apart:
            return partial(_filled, made, names)
        return partial(_set, made, count if kind is Named else None, names)

    def _member(self, member: Member) -> Any:
        kind: Any = self._class(member.module, member.enum)
        try:
            return reduce(or_, (kind[part] for part in member.name.split("|")))
        except (KeyError, TypeError):
            why = f"{member.enum} of {kind.__module__} has no {member.name}"
            raise WireError(why) from None

    def _class(self, module: str, name: str) -> Any:
        for place in (self._home, module):
            found: Any = sys.modules.get(place)
            for part in name.split("."):
                found = getattr(found, part, None)
            if isinstance(found, type):
                return found
        raise WireError(f"there is no class {name}, neither in {self._home} nor in {module}")


def _filled(kind: Any, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """Return a value that holds its fields where most do, and all at once."""
    made = object.__new__(kind)
    made.__dict__.update(zip(names, values, strict=True))
    return made


def _set(kind: Any, count: int | None, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """Return a value whose fields are set one by one; so many are the elements of a tuple."""
    made = object.__new__(kind) if count is None else tuple.__new__(kind, values[:count])
    for name, held in list(zip(names, values, strict=True))[count or 0 :]:
        object.__setattr__(made, name, held)
    return made
