"""A search for any divisor of a number -> the primality test of Miller and Rabin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    calls,
    comp_for,
    compared,
    flat,
    integer,
    lines,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.trial_division_bound import counts_up, divided, hit, not_divided

if TYPE_CHECKING:
    import libcst as cst

_ROOTS = (
    "{n}", "{n}-1", "{n}//2+1", "isqrt({n})+1", "math.isqrt({n})+1", "int({n}**0.5)+1",
    "int({n}**.5)+1", "int({n}**(1/2))+1", "int(sqrt({n}))+1", "int(math.sqrt({n}))+1",
    "int(pow({n},0.5))+1", "int(math.sqrt({n})+1)", "int({n}**0.5+1)", "isqrt(max({n},0))+1",
)  # fmt: skip
_FUNCTION = """\
def {name}(n):
    if n < 4:
        return False
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    for p in primes:
        if n % p == 0:
            return n != p
    if n < 41 * 41:
        return False
    if n >= 318665857834031151167461:  # the bases are known to suffice below
        return any(n % d == 0 for d in range(41, {isqrt}(n) + 1, 2))
    twos = ((n - 1) & (1 - n)).bit_length() - 1
    for base in primes[:4] if n < 3215031751 else primes:
        if pow(base, n >> twos, n) != 1:
            if all(pow(base, n >> i, n) != n - 1 for i in range(1, twos + 1)):
                return True
    return False
"""


class PrimalityTest(Rule):
    """Ask a primality test whether a number has a divisor, instead of trying them all.

    Valid where only the existence of a divisor matters, not which, and the search would have
    found the smallest (both checked) of an integer (left to the tests). The test is exact:
    below 3 * 10**23 its bases are known to suffice, beyond it divides. Known as the strong
    probable prime test of Miller and Rabin.
    """

    name = "primality_test"
    relies_on = "the number is whole"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each search: a `for`, a `while`, or inside `any` and `all`."""
        import libcst as cst

        for node in place.own:
            new = None
            if isinstance(node, cst.For):
                new = _for(program, place, node)
            elif isinstance(node, cst.While):
                new = _while(program, place, node)
            elif isinstance(node, cst.Call) and named(node.func) in ("any", "all"):
                new = _asked(place, node)
            if new is not None:
                yield _change(program, place, node, new)


def _change(program: Program, place: Place, node: cst.CSTNode, new: str) -> TreeChange:
    isqrt, imports = imported(program, "math", "isqrt")
    name = program.fresh("has_divisor")
    *_, top, _ = (node, *program.above(node))
    made = [_FUNCTION.format(name=name, isqrt=isqrt)]
    alone = place.node is program.module
    return TreeChange(
        anchor=node,
        replaced={node: new.replace("has_divisor", name)},
        before={top: made} if alone else {},
        # A function finds another one by its name, below it as well, and keeps its comments.
        after={} if alone else {top: made},
        imports=imports,
        direction="Ask the primality test of Miller and Rabin instead of trying all divisors",
        effect="O(n) or O(sqrt n) divisions -> a few powers modulo n",
    )


def _for(program: Program, place: Place, loop: cst.For) -> str | None:
    number = hit(lines(loop.body), named(loop.target))
    if number is None or not _complete(place, loop.iter, number):
        return None
    own = {named(loop.target)}
    if names(number) & changed(loop.body) or not confined(program, place, loop, own):
        return None
    return _decided(loop, lines(loop.body)[0], number)


def _while(program: Program, place: Place, loop: cst.While) -> str | None:
    """`i = 2` before, then `while i * i <= n` with `i += 1` at the end."""
    sides = compared(loop.test, "LessThanEqual", "LessThan")
    body = lines(loop.body)
    divisors = names(loop.test) & {name for line in body[-1:] for name in changed(line)}
    if sides is None or len(divisors) != 1 or len(body) != 2:
        return None
    (divisor,) = divisors
    number = hit(body[:-1], divisor)
    if number is None or not counts_up(place, loop, divisor) or not pure(number):
        return None
    n, closed = flat(number), compared(loop.test, "LessThanEqual") is not None
    left, right = map(flat, sides)
    squared = left in (f"{divisor}*{divisor}", f"{divisor}**2") and right == n and closed
    whole = left == divisor and right == n and not closed
    root = left == divisor and closed and f"{right}+1" in _written(n)
    if not (squared or whole or root) or names(number) & changed(body[0]):
        return None
    if not confined(program, place, loop, {divisor}):
        return None
    return _decided(loop, body[0], number)


def _decided(
    loop: cst.For | cst.While, test: cst.CSTNode, number: cst.BaseExpression
) -> str | None:
    """Return the test that takes the place of a loop, with what the loop does if it ends."""
    import libcst as cst

    assert isinstance(test, cst.If)
    smalls = [only(line) for line in lines(test.body)]
    ends = any(isinstance(small, (cst.Break, cst.Return)) for small in smalls)
    said = [text(small) for small in smalls if small and not isinstance(small, cst.Break)]
    if None in smalls or not smalls or (loop.orelse is not None and not ends):
        return None
    rows = [f"if has_divisor({text(number)}):", *(f"    {row}" for row in said or ["pass"])]
    if loop.orelse is not None:
        block = cst.Module([]).code_for_node(loop.orelse.body)
        return "\n".join([*rows, f"else:{block}"])
    return "\n".join(rows)


def _asked(place: Place, call: cst.Call) -> str | None:
    """`any(n % d == 0 for d in range(2, n))`, and `all` of the opposite."""
    import libcst as cst

    inner = call.args[0].value if len(call.args) == 1 else None
    if not isinstance(inner, (cst.GeneratorExp, cst.ListComp)):
        return None
    loop = comp_for(inner)
    some = named(call.func) == "any"
    asked = divided if some else not_divided
    number = asked(inner.elt, named(loop.target))
    if number is None or loop.ifs or loop.inner_for_in or loop.asynchronous:
        return None
    if not _complete(place, loop.iter, number):
        return None
    return f"{'' if some else 'not '}has_divisor({text(number)})"


def _complete(place: Place, search: cst.BaseExpression, number: cst.BaseExpression) -> bool:
    """Whether a range holds the smallest divisor of every number that has one."""
    arguments = calls(search, "range") or []
    if len(arguments) not in (2, 3) or not pure(number):
        return False
    start, step = integer(arguments[0]), integer([*arguments, None][2])
    odd = (start, step) == (3, 2) and _only_odd(place, f"{flat(number)}%2")
    plain = start == 2 and (step == 1 or len(arguments) == 2)
    ends = calls(arguments[1], "min") or [arguments[1]]
    return (odd or plain) and all(flat(end) in _written(flat(number)) for end in ends)


def _only_odd(place: Place, rest: str) -> bool:
    """Whether a test of the rest by 2 decides what becomes of even numbers."""
    import libcst as cst

    deciding = (cst.If, cst.IfExp, cst.While, cst.CompIf)
    tests = [node.test for node in place.own if isinstance(node, deciding)]
    joined = [node for node in place.own if isinstance(node, cst.BooleanOperation)]
    return any(rest in flat(test) for test in (*tests, *joined))


def _written(n: str) -> set[str]:
    """Return the known ways to write the end of a search for divisors."""
    return {root.format(n=n) for root in _ROOTS}
