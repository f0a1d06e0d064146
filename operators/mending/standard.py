"""Names of the standard library that models forget to import, and the words of other languages.

Written down, and not read from this Python: what is mended does not depend on its version.
"""

from __future__ import annotations

_BY_MODULE = {
    "abc": "ABC abstractmethod",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "contextlib": "contextmanager suppress",
    "copy": "deepcopy",
    "dataclasses": "dataclass",
    "decimal": "Decimal",
    "enum": "Enum IntEnum",
    "fractions": "Fraction",
    "functools": "cache cached_property cmp_to_key lru_cache partial reduce total_ordering",
    "heapq": "heapify heappop heappush heappushpop heapreplace nlargest nsmallest",
    "itertools": (
        "accumulate chain combinations combinations_with_replacement compress count cycle "
        "dropwhile groupby islice pairwise permutations product repeat starmap takewhile tee "
        "zip_longest"
    ),
    "math": "ceil comb factorial floor gcd hypot inf isqrt lcm log log2 perm pi prod sqrt",
    "operator": "add attrgetter itemgetter methodcaller mul xor",
    "statistics": "mean median",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits",
    "struct": "unpack",
    "sys": "maxsize setrecursionlimit stdin stdout",
    "time": "perf_counter",
    "typing": (
        "Any Callable Dict Generator Generic Iterable Iterator List Mapping NamedTuple "
        "Optional Sequence Set Tuple TypeVar Union"
    ),
}

HOMES = {name: module for module, names in _BY_MODULE.items() for name in names.split()}
"""Module that a name comes from, for those that mean one thing."""

MODULES = frozenset(
    [*_BY_MODULE, "array", "itertools", "json", "os", "random", "re", "string", "threading"]
)

ALIASES = {"np": "numpy", "pd": "pandas", "nx": "networkx"}
"""Short names of packages that a problem may list."""

WORDS = {
    "xrange": "range",
    "unicode": "str",
    "raw_input": "input",
    "basestring": "str",
    "long": "int",
    "unichr": "chr",
    "izip": "zip",
    "imap": "map",
    "ifilter": "filter",
    "true": "True",
    "false": "False",
    "null": "None",
    "nil": "None",
    "none": "None",
}
"""Names of Python 2 and of other languages, and Python's own."""

MEMBERS = {
    ("itertools", "izip"): "zip",
    ("itertools", "imap"): "map",
    ("itertools", "ifilter"): "filter",
    ("itertools", "izip_longest"): "itertools.zip_longest",
    ("string", "letters"): "string.ascii_letters",
    ("string", "lowercase"): "string.ascii_lowercase",
    ("string", "uppercase"): "string.ascii_uppercase",
    ("string", "maketrans"): "str.maketrans",
    ("time", "clock"): "time.perf_counter",
    ("fractions", "gcd"): "math.gcd",
    ("math", "inv"): "pow",
    ("sys", "maxint"): "sys.maxsize",
    ("collections", "Mapping"): "collections.abc.Mapping",
    ("collections", "Iterable"): "collections.abc.Iterable",
}
"""Members of modules that are gone, or never were there."""

METHODS = {
    "iteritems": "items",
    "iterkeys": "keys",
    "itervalues": "values",
    "viewitems": "items",
    "next": "__next__",
    "push": "append",
    "push_back": "append",
    "pop_back": "pop",
    "shift": "popleft",
    "pop_front": "popleft",
    "push_front": "appendleft",
    "unshift": "appendleft",
    "toUpperCase": "upper",
    "toLowerCase": "lower",
    "trim": "strip",
    "startsWith": "startswith",
    "endsWith": "endswith",
    "indexOf": "index",
}
"""Methods of other languages, and Python's own."""

SIZES = frozenset({"length", "size"})
"""Members of other languages that say how long something is."""
