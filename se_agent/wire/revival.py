"""Makes values of classes out of records, without any code of the classes.

It runs in the process of a program that has the classes: what would have to run code of them
is refused, for work that is done while inputs are made is none that a call is charged for.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from functools import partial
from sys import modules
from types import FunctionType, MemberDescriptorType, NoneType, WrapperDescriptorType
from typing import Any  # fields hold values of any type that may cross

from se_agent.errors import WireError
from se_agent.wire.classes import dict_of, held_by, is_class, layout, module_of, names, title
from se_agent.wire.records import Named, RecordMember, WireRecord, parts

_NUMBER = re.compile(r"-?[0-9]{1,19}")  # of a combination of flags
_PLAIN = frozenset({NoneType, bool, int, float, str, bytes})


class Revival:
    """Makes values of classes out of records, in the process of a program that has the classes.

    Args:
        home: Module of the function that is given them. Where another version of that module
            defined a class, its own is taken.
        function: Name of the function: a module with one of that name is another
            version; empty: there is none.
    """

    def __init__(self, home: str, function: str = "") -> None:
        self._home = home
        self._function = function
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
        if kind is WireRecord or kind is Named:
            return self._made(value, hashed)
        if kind is RecordMember:
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

    def _made(self, record: WireRecord, hashed: bool) -> Any:
        module, name, names, values = parts(record)
        key = type(record), module, name, names, hashed
        make = self._makers.get(key)
        if make is None:
            make = self._makers[key] = self._maker(*key)
        return make(tuple([self.of(one, hashed=hashed) for one in values]))

    def _maker(
        self,
        kind: type[WireRecord],
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
            raise WireError(f"{name} of {module_of(made)} has not the fields {told}")
        if hashed:
            _require_plain_hash(made)
        own = count if kind is Named else 0
        setters = tuple(_setter(made, name) for name in names[own:])
        loose = [name for name in setters if isinstance(name, str)]
        place = dict_of(made)
        if loose and place is None:
            raise WireError(f"{title(made)} has no room for {', '.join(loose)}")
        new = tuple.__new__ if kind is Named else _bare
        return partial(_filled, partial(new, made), own, place, setters)

    def _member(self, member: RecordMember, hashed: bool) -> Any:
        kind = self._class(member.module, member.enum)
        found = layout(kind)
        named = held_by(kind, "_member_map_")
        held = named.get(member.name) if type(named) is dict else None
        if found is not None and held is None and found.flags:
            held = _combined(kind, member.name)
        if found is None or found.kind is not RecordMember or type(held) is not kind:
            raise WireError(f"{member.enum} of {module_of(kind)} has no {member.name}")
        if hashed:
            _require_plain_hash(kind)
        return held

    def _class(self, module: str, name: str) -> Any:
        for place in self._places(module):
            found: Any = modules.get(place)
            for part in name.split("."):
                found = names(found).get(part)
            if is_class(found):
                return found
        raise WireError(f"there is no class {name}, neither in {self._home} nor in {module}")

    def _places(self, module: str) -> tuple[str, str]:
        """Return where a class is looked up: where it was defined, or in a version of that."""
        twin = names(modules.get(module)).get(self._function)
        defined = twin.__module__ if type(twin) is FunctionType else None
        defines = type(defined) is str and defined == module
        return (self._home, module) if defines else (module, self._home)


def _combined(kind: type, number: str) -> Any:
    """Return a combination of flags as the enum makes it, and keep it as it does; None: none.

    Bits that no member has are those of an enum of integers only, which keeps them.
    """
    known, base = held_by(kind, "_value2member_map_"), held_by(kind, "_member_type_")
    members = held_by(kind, "_member_map_")
    if not _NUMBER.fullmatch(number) or type(known) is not dict or type(members) is not dict:
        return None
    value = int(number)
    if value in known or value < 0 or (base is not int and base is not object):
        return known.get(value)
    single = {_number(one): name for name, one in members.items() if type(one) is kind}
    bits = sorted(n for n in single if n > 0 and not n & (n - 1) and n & value == n)
    unknown = value & ~sum(bits)
    if unknown and base is object:
        return None
    told = [single[bit] for bit in bits] + ([str(unknown)] if unknown and bits else [])
    made: Any = int.__new__(kind, value) if base is int else object.__new__(kind)
    place = dict_of(kind)
    place.__get__(made).update(_value_=value, _name_="|".join(told) or None)
    return known.setdefault(value, made)


def _number(member: Any) -> int:
    """Return the number of a flag; -1: it has none."""
    number = dict_of(type(member)).__get__(member).get("_value_")
    return number if type(number) is int else -1


def _require_plain_hash(kind: type) -> None:
    """Refuse what runs code of its class as a key: a program could work there, unpaid."""
    for name in ("__hash__", "__eq__"):
        if type(held_by(kind, name)) is not WrapperDescriptorType:
            raise WireError(
                f"{title(kind)} has {name} of its own: it cannot be given as a key, or "
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
    held = held_by(kind, name)
    if type(held) is MemberDescriptorType:
        slot: Setter = held.__set__
        return slot
    if held_by(type(held), "__set__") is not None:
        raise WireError(f"the field {name} of {title(kind)} is a property")
    return name


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
