"""Functions of the standard library that only compute: the same result for equal arguments.

Not here: methods and builtins (`purity`, `effects`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.freshness import bindings
from operators.rewrite.imports import imports, is_bound_once
from operators.rewrite.program import Program
from operators.rewrite.reading import assigned, flat, named, targets, written

if TYPE_CHECKING:
    import libcst as cst

_COMPUTING = {
    "ast": "literal_eval unparse",
    "base64": "b64decode b64encode urlsafe_b64decode urlsafe_b64encode",
    "binascii": "crc32 hexlify unhexlify",
    "calendar": "isleap monthrange timegm",
    "dataclasses": "fields is_dataclass",
    "datetime": "date.fromisoformat datetime.fromisoformat datetime.strptime",
    "difflib": "get_close_matches",
    "email.utils": "parseaddr parsedate_to_datetime",
    "fnmatch": "fnmatchcase translate",
    "fractions": "Fraction",
    "html": "escape unescape",
    "inspect": "getmro isclass isfunction signature",
    "ipaddress": "ip_address ip_interface ip_network",
    "json": "dumps loads",
    "keyword": "iskeyword",
    "os.path": "basename commonprefix dirname join normpath split splitext",
    "posixpath": "basename commonprefix dirname join normpath split splitext",
    "re": "compile escape findall fullmatch match search split sub subn",
    "shlex": "quote split",
    "struct": "calcsize pack unpack",
    "textwrap": "dedent fill indent shorten wrap",
    "time": "strptime",
    "typing": "get_args get_origin get_type_hints",
    "unicodedata": "category combining east_asian_width name normalize",
    "urllib.parse": "parse_qs parse_qsl quote unquote urlencode urljoin urlparse urlsplit",
    "uuid": "UUID",
    "zlib": "adler32 crc32",
}
LIBRARY = frozenset(
    f"{module}.{name}" for module, known in _COMPUTING.items() for name in known.split()
)
"""Names of functions, by the module that has them."""

_PLAIN = {
    "base64": "b64decode b64encode urlsafe_b64decode urlsafe_b64encode",
    "binascii": "crc32 hexlify unhexlify",
    "calendar": "isleap timegm",
    "fnmatch": "fnmatchcase translate",
    "html": "escape unescape",
    "json": "dumps",
    "keyword": "iskeyword",
    "os.path": "basename commonprefix dirname join normpath",
    "posixpath": "basename commonprefix dirname join normpath",
    "re": "escape sub",
    "shlex": "quote",
    "struct": "calcsize pack",
    "textwrap": "dedent fill indent shorten",
    "unicodedata": "category combining east_asian_width name normalize",
    "urllib.parse": "quote unquote urlencode urljoin",
    "zlib": "adler32 crc32",
}
PLAIN_RESULTS = frozenset(
    f"{module}.{name}" for module, known in _PLAIN.items() for name in known.split()
)
"""Those that return texts, bytes or numbers: nobody can change one."""

STEADY_MODULES = frozenset(_COMPUTING) | {
    "collections",
    "itertools",
    "math",
    "operator",
    "string",
}
"""Modules of which nobody changes a part."""

OF_CLASSES = frozenset(
    name for name in LIBRARY if name.startswith(("dataclasses.", "inspect.", "typing."))
)
"""Those that tell what a class or function is made of: nobody changes what they return."""

_MATCHING = frozenset({"fullmatch", "match", "search"})
_HANDED = frozenset(
    ["cls", "default", "object_hook", "object_pairs_hook", "parse_constant", "parse_float",
     "parse_int", "repl"]
)  # fmt: skip
"""Arguments that are functions, which the library calls."""


def only_computes(program: Program, callee: cst.BaseExpression) -> bool:
    """Say whether a callee is one of the library, and calls no function that it is given.

    A method of a pattern that the module compiles, too, is what the function of its name is.
    """
    import libcst as cst

    known = LIBRARY.intersection(library_names(program, callee))
    of_pattern = not known and _asks_pattern(program, callee)
    call = program.parent[callee]
    if not (known or of_pattern) or not isinstance(call, cst.Call) or call.func is not callee:
        return False
    if any(arg.star or (arg.keyword and arg.keyword.value in _HANDED) for arg in call.args):
        return False
    if flat(callee).rpartition(".")[2] not in ("sub", "subn"):
        return True
    new = call.args[:1] if of_pattern else call.args[1:2]
    return all(isinstance(arg.value, cst.BaseString) for arg in new)


def _asks_pattern(program: Program, callee: cst.BaseExpression) -> bool:
    """Say whether a callee is a method of a pattern that the module compiles once."""
    import libcst as cst

    name, _, method = flat(callee).rpartition(".")
    call = program.parent[callee]
    above = program.parent.get(call)
    # Its matches can be read once: only where a loop reads them at once is it like `findall`.
    walked = isinstance(above, (cst.For, cst.CompFor)) and above.iter is call
    known = f"re.{method}" in LIBRARY or (method == "finditer" and walked)
    if not known or not is_bound_once(program, name):
        return False
    given = dict(pair for node in program.places[0].own if (pair := assigned(node)))
    made = given.get(name)
    return isinstance(made, cst.Call) and "re.compile" in library_names(program, made.func)


def library_names(program: Program, callee: cst.BaseExpression) -> Iterator[str]:
    """Yield what a callee stands for, if an import alone binds its first name."""
    first, dot, rest = flat(callee).partition(".")
    for each in imports(program) if is_bound_once(program, first) else ():
        if each.name == first:
            yield f"{each.stands_for}{dot}{rest}"


def is_match(program: Program, name: str) -> bool:
    """Say whether a name stands for a match of a pattern wherever the file sets it."""
    import libcst as cst

    module = program.module
    every = [part for target in targets(module) for part in written(target)]
    given = [value for n, value, below in bindings(module) if n == name and not below]
    return [named(part) for part in every].count(name) == len(given) > 0 and all(
        isinstance(value, cst.Call)
        and only_computes(program, value.func)
        and flat(value.func).rpartition(".")[2] in _MATCHING
        for value in given
    )
