"""Brackets and expressions: balance, depth, longest balanced part, values.

Not here: regular expressions and wildcards (`alignment`).
"""

from functools import partial

from operators.known_functions.archetype import archetype

bracket = partial(
    archetype,
    family="brackets",
    complexity="O(n)",
    source="a stack of open brackets",
    takes=("str",),
    gives="int",
)
test = partial(bracket, gives="bool")
count = partial(bracket, source="the number of open brackets")


@test(limits="round, square and curly brackets; any other character is unbalanced")
def is_balanced(text):
    """Whether a text of brackets of three kinds is balanced; so is the empty one."""
    partner, stack = {")": "(", "]": "[", "}": "{"}, []
    for letter in text:
        if letter not in partner:
            stack.append(letter)
        elif not stack or stack.pop() != partner[letter]:
            return False
    return not stack


@test(limits="round, square and curly brackets; other characters are skipped")
def has_balanced_brackets(text):
    """Whether the brackets of three kinds in a text are balanced."""
    partner, stack = {")": "(", "]": "[", "}": "{"}, []
    for letter in text:
        if letter in "([{":
            stack.append(letter)
        elif letter in partner and (not stack or stack.pop() != partner[letter]):
            return False
    return not stack


@test(source="the number of open brackets", limits="round brackets; others are skipped")
def has_balanced_round_brackets(text):
    """Whether the round brackets of a text are balanced."""
    depth = 0
    for letter in text:
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


@test(source="lowest and highest number of open brackets", limits="round brackets and stars")
def is_balanced_with_stars(text):
    """Whether round brackets balance if each star may be a bracket of either kind or none."""
    low = high = 0
    for letter in text:
        low += 1 if letter == "(" else -1
        high += -1 if letter == ")" else 1
        if high < 0:
            return False
        low = max(low, 0)
    return low == 0


@count(limits="round brackets; balance is not asked for")
def greatest_depth(text):
    """Return how many round brackets are open at most."""
    best = depth = 0
    for letter in text:
        if letter == "(":
            depth += 1
            if depth > best:
                best = depth
        elif letter == ")":
            depth -= 1
    return best


@bracket(
    gives="list[int]", source="str.split", limits="groups of round brackets parted by blanks"
)
def depth_of_each_group(text):
    """Return the greatest depth of each group of brackets that blanks part."""
    result = []
    for group in text.split():
        best = depth = 0
        for letter in group:
            depth += 1 if letter == "(" else -1
            if depth > best:
                best = depth
        result.append(best)
    return result


@bracket(gives="list[str]", limits="round brackets, balanced; blanks are dropped")
def outermost_groups(text):
    """Return the groups of round brackets that close at depth 0."""
    result, start, depth = [], 0, 0
    text = text.replace(" ", "")
    for i, letter in enumerate(text, 1):
        depth += 1 if letter == "(" else -1
        if depth == 0:
            result.append(text[start:i])
            start = i
    return result


@bracket(gives="str", limits="round brackets, balanced")
def without_outermost(text):
    """Return the text without the outermost brackets of each group."""
    result, depth = [], 0
    for letter in text:
        depth -= letter == ")"
        if depth:
            result.append(letter)
        depth += letter == "("
    return "".join(result)


@bracket(limits="round brackets only")
def longest_balanced(text):
    """Return the length of the longest balanced part of a text of round brackets."""
    best, stack = 0, [-1]
    for i, letter in enumerate(text):
        if letter == "(":
            stack.append(i)
            continue
        stack.pop()
        if stack:
            best = max(best, i - stack[-1])
        else:
            stack.append(i)
    return best


@count(limits="round brackets only")
def brackets_to_add(text):
    """Return how many round brackets must be added at least to balance the text."""
    open_, added = 0, 0
    for letter in text:
        if letter == "(":
            open_ += 1
        elif open_:
            open_ -= 1
        else:
            added += 1
    return open_ + added


@count(limits="round brackets only; -1 where the number is odd")
def brackets_to_turn(text):
    """Return how many round brackets must be turned at least to balance the text, or -1."""
    if len(text) % 2:
        return -1
    open_ = wrong = 0
    for letter in text:
        if letter == "(":
            open_ += 1
        elif open_:
            open_ -= 1
        else:
            wrong += 1
    return (open_ + 1) // 2 + (wrong + 1) // 2


@bracket(limits="round brackets, balanced")
def bracket_score(text):
    """Return the score of balanced brackets: () is 1, beside is added, inside is doubled."""
    score, depth, last = 0, 0, ""
    for letter in text:
        if letter == "(":
            depth += 1
        else:
            depth -= 1
            if last == "(":
                score += 1 << depth
        last = letter
    return score


@bracket(takes=("list[str]",), limits="integers, + - * /; the quotient is cut towards zero")
def value_of_postfix(words):
    """Return the value of an expression of integers with the operators behind."""
    stack = []
    for word in words:
        if word not in "+-*/" or not word:
            stack.append(int(word))
            continue
        y, x = stack.pop(), stack.pop()
        if word == "+":
            stack.append(x + y)
        elif word == "-":
            stack.append(x - y)
        elif word == "*":
            stack.append(x * y)
        else:
            stack.append(abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1))
    (value,) = stack
    return value


@bracket(limits="whole numbers, + - * /, no brackets; the quotient is cut towards zero")
def value_of_infix(text):
    """Return the value of an expression of whole numbers, products before sums."""
    terms, number, operator = [], 0, "+"
    for letter in text.replace(" ", "") + "+":
        if letter.isdigit():
            number = 10 * number + int(letter)
            continue
        if operator in "+-":
            terms.append(number if operator == "+" else -number)
        elif operator == "*":
            terms[-1] *= number
        else:
            terms[-1] = (abs(terms[-1]) // number) * (-1 if terms[-1] < 0 else 1)
        number, operator = 0, letter
        if letter not in "+-*/":
            raise ValueError("neither a digit nor an operator")
    return sum(terms)


@bracket(limits="whole numbers, + - and round brackets")
def value_of_sums(text):
    """Return the value of an expression of whole numbers, +, - and round brackets."""
    total, sign, number, signs = 0, 1, 0, [1]
    for letter in text:
        if letter.isdigit():
            number = 10 * number + int(letter)
        elif letter in "+-":
            total += sign * number
            sign, number = (signs[-1] if letter == "+" else -signs[-1]), 0
        elif letter == "(":
            signs.append(sign)
        elif letter == ")":
            signs.pop()
        elif letter != " ":
            raise ValueError("neither a digit nor an operator")
    return total + sign * number


@bracket(gives="str", limits="numbers, square brackets and letters")
def repeated_parts(text):
    """Return the text in which 3[ab] stands for ababab, at any depth."""
    stack, part, number = [], "", 0
    for letter in text:
        if letter.isdigit():
            number = 10 * number + int(letter)
        elif letter == "[":
            stack.append((part, number))
            part, number = "", 0
        elif letter == "]":
            before, times = stack.pop()
            part = before + part * times
        else:
            part += letter
    return part


@bracket(gives="str", source="a stack of folders")
def plain_path(path):
    """Return an absolute path without empty parts, . and .. ."""
    stack = []
    for part in path.split("/"):
        if part == "..":
            del stack[-1:]
        elif part not in ("", "."):
            stack.append(part)
    return "/" + "/".join(stack)


@bracket(takes=("list[int]", "list[int]"), gives="bool", source="a stack that is run through")
def is_stack_order(pushed, popped):
    """Whether distinct values pushed in one order can be popped in the other."""
    if len(pushed) != len(popped):
        return False
    stack, at = [], 0
    for x in pushed:
        stack.append(x)
        while stack and stack[-1] == popped[at]:
            stack.pop()
            at += 1
    return not stack


@bracket(takes=("str", "str"), gives="bool", source="a stack of letters", limits="# deletes")
def typed_the_same(first, second):
    """Whether two texts are equal once each # has deleted the character before it."""
    ends = []
    for text in (first, second):
        stack = []
        for letter in text:
            if letter != "#":
                stack.append(letter)
            elif stack:
                stack.pop()
        ends.append(stack)
    return ends[0] == ends[1]
