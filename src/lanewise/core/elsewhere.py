"""Fixes where there is no command line. They name options as a terminal has them, often with the argument of Python after them:

    >>> elsewhere("give `--input color=...` (inputs={'color': ...}): 4 numbers", lambda key, value: f"`{value}` under Data")
    'give `color=...` under Data: 4 numbers'

A surface, such as an editor, says for the key of an option and its value what the user of it writes, and where; nothing for
options that it does not have, which stay as they are.
"""

from __future__ import annotations

from lanewise.core.cached import cache
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from lanewise.core.diagnostics import Diagnostic

    Surface = Callable[[str, str], str]

_SHORT = {"D": "define", "I": "include", "e": "entry", "i": "input", "u": "uniform"}


def elsewhere(text: str, surface: Surface) -> str:
    """A text in which options that a surface has are what they are there. Commands for a terminal stay."""

    def spelled(found: re.Match[str]) -> str:
        name = found["quoted"] or found["bare"]
        if name is None:
            return found[0]
        key = name.lstrip("-")
        value = (found["value"] or found["word"] or "").strip('"')
        return surface(key if name.startswith("--") else _SHORT.get(key, ""), value) or found[0]

    return _pattern().sub(spelled, text) if "-" in text else text


def placed(finding: Diagnostic, surface: Surface) -> Diagnostic:
    """A finding with its fixes as they are on a surface."""
    fix = elsewhere(finding.fix, surface)
    others = tuple([other._replace(fix=elsewhere(other.fix, surface)) for other in finding.alternatives])
    same = fix == finding.fix and others == finding.alternatives
    return finding if same else finding._replace(fix=fix, alternatives=others)


@cache
def _pattern() -> re.Pattern[str]:
    """An option with its value and the argument of Python, or what stays as it is: a command, and other code."""
    import re

    return re.compile(
        r"""
        `[^-`][^`]*` | \blanewise\ [a-z]+(?:\ -[\w-]+|\ [A-Z]+\b)*
        | (?: `(?P<quoted>--?[A-Za-z][\w-]*) (?:[ =](?P<value>[^`]+))?`
            | (?<![\w`-]) (?P<bare>--[a-z][\w-]*) (?:[ =](?P<word>[^\s;,:)]*[=\d][^\s;,)]*|[A-Z]+\b|[\w.-]+(?=$|[;,:)])))? )
          (?: \ \(`?\w+=(?:[^()]|\([^()]*\))*\) )?
        """,
        re.VERBOSE,
    )


__all__ = ["elsewhere", "placed"]
