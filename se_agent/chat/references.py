"""How a text names a large output that is kept whole elsewhere: a reference, with a preview.

Not here: where the whole is kept (`se_agent.memory.artifacts`), and how a model asks for a part
of it (`reading_requests`).
"""

from __future__ import annotations

import re

from se_agent.values.artifact import ArtifactRef

_WORDS = {
    "en": "[Output too large ({size}). Saved as artifact: {id}. Preview: {summary}... "
    "Use read_artifact('{id}') to see the whole.]",
    "zh": "[输出过大 ({size})。已保存为制品: {id}。预览: {summary}... "
    "使用 read_artifact('{id}') 查看完整内容。]",
}
_SHOWN = {
    "en": "[Output too large ({size}). Saved as artifact: {id}. Preview: {summary}]",
    "zh": "[输出过大 ({size})。已保存为制品: {id}。预览: {summary}]",
}
_WHOLE = {
    "en": "[Saved as artifact: {id}. All of it ({size}): {summary}]",
    "zh": "[已保存为制品: {id}。全部内容 ({size}): {summary}]",
}
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_SHARE = 0.2  # of the characters of a Chinese text, which may quote a program
_KB = 1024


def reference(ref: ArtifactRef, *, language: str = "en") -> str:
    """Return the words that stand in the place of a large output (SQ-24).

    Args:
        ref: The output; its preview stays true even where the whole has expired (SQ-25).
        language: `zh`: in Chinese; all else: in English.
    """
    words, between = _WORDS.get(language, _WORDS["en"]), "..." if ref.tail else ""
    summary = f"{ref.head}{between}{ref.tail}"
    return words.format(size=size_words(ref.size), id=ref.name, summary=summary)


def preview(ref: ArtifactRef, *, language: str = "en") -> str:
    """Return the words for a large output in a prompt: they promise no tool.

    How a part of it can be read, if it can, is for the prompt to say.

    Args:
        ref: The output.
        language: As of `reference`.
    """
    shown = _WHOLE if ref.is_short else _SHOWN
    words = shown.get(language, shown["en"])
    summary = ref.head if ref.is_short else f"{ref.head}...{ref.tail}"
    return words.format(size=size_words(ref.size), id=ref.name, summary=summary)


def size_words(size: int) -> str:
    """Return a number of bytes in words, such as `15KB`."""
    for unit in ("B", "KB"):
        if size < _KB:
            return f"{size}{unit}"
        size = round(size / _KB)
    return f"{size}MB"


def language_of(text: str) -> str:
    """Return `zh` for a text in Chinese, and `en` for any other one."""
    return "zh" if len(_CHINESE.findall(text)) > _SHARE * len(text) else "en"
