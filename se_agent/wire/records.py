"""Values of classes as they cross the wire: named tuples, data classes, members of enums.

What crosses is the name of the class, and what its fields hold. Who reads it has no such class:
it gets a `WireRecord` or a `RecordMember`, which show their fields by name. Not here: how a
value of a class is taken apart (`classes`), and how one is made again (`revival`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any  # fields hold values of any type that may cross


class WireRecord:
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
        if field in WireRecord.__slots__ or not shows(field) or field not in self._fields:
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


class Named(WireRecord):
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
class RecordMember:
    """A member of an enum.

    Attributes:
        module: Where the enum was defined, which is no part of what it is.
        enum: Qualified name of the enum.
        name: Name of the member.
    """

    module: str = field(compare=False)
    enum: str
    name: str

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again."""
        return RecordMember, (self.module, self.enum, self.name)

    def __repr__(self) -> str:
        """Return it as people write it."""
        named = self.name.isidentifier()
        return f"{self.enum}.{self.name}" if named else f"{self.enum}({self.name})"


def parts(record: Any) -> tuple[str, str, tuple[str, ...], tuple[Any, ...]]:
    """Return module, name of the class, fields and values of a `WireRecord`."""
    return record._module, record._name, record._fields, record._values  # noqa: SLF001


def shows(name: str) -> bool:
    """Say whether a name can be that of a field: others, such as `__len__`, mean something."""
    return name.isidentifier() and not (name.startswith("__") and name.endswith("__"))
