"""Lists of the sources of a program, as devkitPro's Makefiles have them: `light.shlist` names the sources of `light.shbin`.

The names are separated by blanks or line ends, and are relative to the list: `$(foreach file,$(shell cat $<),$(dir $<)$(file))`
is the rule for `%.shlist` in the Makefiles of devkitPro/3ds-examples.
"""

from __future__ import annotations

import os

from lanewise.core.paths import beside
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import decode_text

if TYPE_CHECKING:
    from types import ModuleType

LIST_SUFFIX = ".shlist"


def listed(path: str, data: bytes, paths: ModuleType = os.path) -> tuple[str, ...]:
    """The paths of the files that a list names."""
    return tuple([beside(path, name, paths) for name in decode_text(data).split()])


def line_of(data: bytes, number: int) -> int:
    """The line of the list that has the name of this number, from 0."""
    lines = [line for line, text in enumerate(decode_text(data).splitlines(), 1) for _ in text.split()]
    return lines[number]


__all__ = ["LIST_SUFFIX", "line_of", "listed"]
