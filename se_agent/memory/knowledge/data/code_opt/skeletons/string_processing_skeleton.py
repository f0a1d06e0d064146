"""String processing: put other words in the place of some."""

import re
from collections.abc import Mapping


def slow(text: str, words: Mapping[str, str]) -> str:
    """Try every word at every place, and copy the result for each character."""
    result, place = "", 0
    while place < len(text):
        found = ""
        for word in words:
            if len(word) > len(found) and text.startswith(word, place):
                found = word
        result += words[found] if found else text[place]
        place += len(found) or 1
    return result


def fast(text: str, words: Mapping[str, str]) -> str:
    """Let one pattern pass over the text; the longest word comes first."""
    known = sorted(filter(None, words), key=len, reverse=True)
    if not known:
        return text
    pattern = re.compile("|".join(map(re.escape, known)))
    return pattern.sub(lambda match: words[match[0]], text)
