"""What every table of a run file has. Packages derive the sections that they add from it.

Not here: the sections of our own (`sections`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar
from unicodedata import category

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import InitErrorDetails, PydanticCustomError

from se_agent.config.added_sections import added_to
from se_agent.errors import ConfigError
from se_agent.files.bounded import texts_in

_Added = TypeVar("_Added", bound="Section")


class Section(BaseModel):
    """A table of the run file: it is closed, frozen and strict.

    A field whose type is another section is a table within it, to any depth. A field of type
    `dict[str, Section]` holds tables with names of the user's choice.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )

    @field_validator("*")
    @classmethod
    def _written(cls, value: object) -> object:
        if any(category(c) in {"Cc", "Cs"} for text in texts_in(value) for c in text):
            told = "not one line of text that can be written down"  # which may be a secret
            raise ValueError(told)
        return value


class OpenSection(Section):
    """A table to which packages add sections of their own; otherwise it is closed, too."""

    model_config = ConfigDict(extra="allow")  # `_with_added` lets in nothing but these
    table: ClassVar[str]
    """Dotted name of the table in the run file; empty: the run file itself."""

    def added_section(self, section: type[_Added]) -> _Added:
        """Return the section of this class that a package added to the table.

        Raises:
            LookupError: No package registers it here.
        """
        for found in (self.model_extra or {}).values():
            if isinstance(found, section):
                return found
        raise LookupError(f"{section.__name__} is not registered in [{self.table}]")

    @model_validator(mode="before")
    @classmethod
    def _with_added(cls, given: Any) -> Any:  # whatever a run file holds
        """Hand each added section its table, and refuse all other keys that are not known."""
        if not isinstance(given, dict):
            return given
        known, wrong, found = _added_to(cls), [*_unknown(cls, given)], {**given}
        for key, section in known.items():
            try:
                found[key] = section.model_validate(given.get(key, {}))
            except ValidationError as err:
                wrong += _below(key, err)
        if wrong:
            raise ValidationError.from_exception_data(cls.__name__, wrong)
        return found


def fields_of(section: type[Section]) -> Mapping[str, FieldInfo]:
    """Return the keys of a table, those of added sections last."""
    fields = section.model_fields
    if not issubclass(section, OpenSection):
        return fields
    added = {key: FieldInfo(annotation=each) for key, each in _added_to(section).items()}
    return {**fields, **added}


def _added_to(section: type[OpenSection]) -> Mapping[str, type[Section]]:
    found = added_to(section.table)
    for key, each in found.items():
        name = f"{section.table}.{key}".lstrip(".")
        _check(name, each, taken=key in section.model_fields)
    return found


def _unknown(
    section: type[OpenSection], given: Mapping[str, object]
) -> Iterator[InitErrorDetails]:
    known = fields_of(section)
    for key, value in given.items():
        if key not in known:
            yield InitErrorDetails(type="extra_forbidden", loc=(key,), input=value)


def _check(name: str, section: object, *, taken: bool) -> None:
    """Raise ConfigError for what is registered and can be no section of this name."""
    hint = "mend the package that adds it, or remove it"
    if taken:
        raise ConfigError(f"section {name!r}: there is a key of this name already", hint=hint)
    if not (isinstance(section, type) and issubclass(section, Section)):
        told = f"section {name!r}: not a class derived from se_agent.config.section.Section"
        raise ConfigError(told, hint=hint)


def _below(key: str, err: ValidationError) -> Iterator[InitErrorDetails]:
    """Yield the errors of a section as those of the table that holds it."""
    for one in err.errors():
        context = {**one.get("ctx", {}), "told": one["msg"]}
        kind = PydanticCustomError(one["type"], "{told}", context)
        yield InitErrorDetails(type=kind, loc=(key, *one["loc"]), input=one["input"])
