"""JSON out of a model's reply: found, mended a little, held against what was asked for.

Pure. Tolerated are text around the JSON, a fence, comments, trailing commas and raw line breaks
within strings; nothing is guessed. Where there is no such JSON the error is written for the
model, which is asked once more. Not here: who asks it (`se_agent.engine`), nor how an endpoint
is held to a schema (`se_agent.llm`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from se_agent.errors import ReplyError, place_of
from se_agent.wire.spelling import encodable

M = TypeVar("M", bound=BaseModel)

# Possessive: where blanks could be divided in many ways, a long run of them takes minutes.
_FENCED = re.compile(
    r"^[ \t]*+(?:`{3,}+|~{3,}+)[ \t]*+(json\w*+)?[ \t]*+\n\s*+(?=[{[])", re.M | re.I
)
_OPENING = re.compile(r'\{\s*["}]|\[\s*(?:["{\[\]\-\d]|true\b|false\b|null\b)')
# A string that nothing closes ends with the text: looking for its end again from each of its
# quotes would take minutes.
_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_BRACKET = re.compile(rf"{_STRING}|[][{{}}]", re.S)
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*", re.S)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[]}}])", re.S)
_PLACES = 100  # of a text where a value may begin; the rest is not JSON with text around it
_OPEN = 10  # of these that are tried although nothing closes them; each costs a look at all
_LONGEST = (
    200_000  # characters of a reply that are read; JSON that was asked for is far shorter
)
_DEPTH = 50
_SHOWN = 5  # errors that a model is told at once
_WIDTH = 60  # characters on either side of a place that is shown
_NONE = "the reply holds no JSON object; answer with one"
# Of a schema: they tell a model nothing, or are forbidden by some endpoint. The sizes are held
# against the reply afterwards.
_UNSAID = ("title", "default", "minLength", "maxLength", "minItems", "maxItems")


def value_of(reply: str) -> Any:  # any JSON value
    """Return the JSON object or array in a reply: the largest, a fenced one before others.

    Raises:
        ReplyError: There is none, or it is broken; the message shows where.
    """
    found = next(_values(reply), None)
    if found is None:
        raise ReplyError(f"{_NONE}, and nothing else")
    if isinstance(found, ReplyError):
        raise found
    return found


def validated(model: type[M], reply: str) -> M:
    """Return what a reply says, as the model asked for; JSON of another shape is passed over.

    Raises:
        ReplyError: There is none; the message names each wrong field, in words.
    """
    first: ReplyError | None = None
    for value in _values(reply):
        if isinstance(value, ReplyError):
            first = first or value
            continue
        try:
            return model.model_validate(value)
        except ValidationError as err:
            first = first or ReplyError(_in_words(err))
    raise first or ReplyError(f"{_NONE} that has {_fields(model)}")


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:  # a JSON schema
    """Return the schema that a reply shall follow, in the strict form of the OpenAI API.

    There every property is required, and no other is allowed; a `$ref` stands alone. An
    optional field is one that may be null.

    Raises:
        TypeError: A field is a mapping with free keys, which the strict form cannot say.
    """
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return {"title": model.__name__, **_strict(schema, definitions)}


def _values(reply: str) -> Iterator[Any]:  # any JSON value, or the error of a broken one
    reply = reply[:_LONGEST]
    fences = islice(_FENCED.finditer(reply), _OPEN)
    labels = {match.end(): bool(match[1]) for match in fences}
    starts = sorted({*labels, *_starts(reply)})
    spans = [(start, reply[start : _end(reply, start)]) for start in starts]

    def preference(span: tuple[int, str]) -> tuple[bool, bool, int]:
        start, text = span
        return not labels.get(start, False), start not in labels, -len(text)

    for start, text in sorted(spans, key=preference):
        yield _decoded(text, reply, start)


def _starts(text: str) -> Iterator[int]:
    """Yield where JSON values may begin, outermost ones only.

    What is inside a broken or truncated object is not offered: a part of an answer could be
    taken for the whole. A bracket that is not closed may be prose, such as `[0, 1)`.
    """
    place = prose = 0
    for _ in range(_PLACES):
        opening = _OPENING.search(text, place)
        if opening is None or prose == _OPEN:
            return
        start = opening.start()
        end = _end(text, start)
        if end is None and text[start] == "[":
            prose += 1
            place = start + 1
            continue
        yield start
        place = len(text) if end is None else end


def _end(text: str, start: int) -> int | None:
    depth = 0
    for match in _BRACKET.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return None


def _decoded(text: str, reply: str, start: int) -> Any:  # any JSON value, or ReplyError
    for candidate in (text, _COMMA.sub(_kept, _COMMENT.sub(_kept, text))):
        try:
            return _plain(json.loads(candidate, strict=False, parse_constant=_no_number))
        except json.JSONDecodeError as err:
            failure = ReplyError(_shown(err.msg, reply, start + err.pos))
        except (ValueError, RecursionError) as err:  # of numbers, and of depth
            failure = ReplyError(f"the JSON of the reply cannot be read: {err}")
    return failure


def _kept(match: re.Match[str]) -> str:
    return match[1] or " "


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _plain(value: Any, depth: int = 0) -> Any:  # any JSON value
    if depth > _DEPTH:
        raise ValueError(f"it is nested more than {_DEPTH} deep")
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {encodable(key): _plain(each, depth + 1) for key, each in value.items()}
    return value


def _shown(message: str, text: str, place: int) -> str:
    before, after = text[:place].rpartition("\n")[2], text[place:].partition("\n")[0]
    shown = f"{before[-_WIDTH:]}{after[:_WIDTH]}".rstrip()
    if not text[place:].strip():
        message = "it ends too soon"
    return (
        f"the JSON of the reply is broken in line {text.count(chr(10), 0, place) + 1}: "
        f"{message}\n{shown}\n{' ' * len(before[-_WIDTH:])}^"
    )


def _in_words(err: ValidationError) -> str:
    errors = err.errors(include_url=False, include_context=False)
    lines = [_line(error) for error in errors[:_SHOWN]]
    if len(errors) > _SHOWN:
        lines.append(f"and {len(errors) - _SHOWN} more")
    return "the JSON of the reply is not what was asked for:\n" + "\n".join(lines)


def _line(error: ErrorDetails) -> str:
    line = f"- {place_of(error['loc']) or 'the whole'}: {error['msg']}"
    if error["type"] == "missing":
        return line
    given = json.dumps(error["input"], ensure_ascii=False, default=str)
    return f"{line}; it is {given if len(given) <= _WIDTH else given[:_WIDTH] + '…'}"


def _fields(model: type[BaseModel]) -> str:
    names = [field.alias or name for name, field in model.model_fields.items()]
    return ", ".join(f'"{name}"' for name in names)


def _strict(node: Any, definitions: Mapping[str, Any]) -> Any:  # any JSON value
    if isinstance(node, list):
        return [_strict(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node and len(node) > 1:
        name = node["$ref"].rpartition("/")[2]
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _strict({**definitions[name], **beside}, definitions)
    if node.get("additionalProperties"):
        raise TypeError(f"{node.get('title', 'a field')}: free keys have no strict schema")
    names = node.get("properties")
    kept = {
        key: {name: _strict(each, definitions) for name, each in value.items()}
        if key in ("properties", "$defs")
        else _strict(value, definitions)
        for key, value in node.items()
        if key not in _UNSAID
    }
    if "oneOf" in kept:
        kept["anyOf"] = kept.pop("oneOf")
        kept.pop("discriminator", None)
    if node.get("type") == "object":
        kept |= {"additionalProperties": False, "required": list(names or {})}
    return kept
