"""Lists of the sources of a program, as devkitPro's Makefiles have them: `light.shlist` names the sources of `light.shbin`.

The names are separated by blanks or line ends, and are relative to the list: `$(foreach file,$(shell cat $<),$(dir $<)$(file))` is the rule
for `%.shlist` in the Makefiles of devkitPro/3ds-examples.
"""

from __future__ import annotations

from lanewise.core.source import decode_text

LIST_SUFFIX = ".shlist"


def listed(path: str, data: bytes) -> tuple[str, ...]:
    """The paths of the files that a list names."""
    folder, slash, _ = path.rpartition("/")
    return tuple([f"{folder}{slash}{name}" for name in decode_text(data).split()])


__all__ = ["LIST_SUFFIX", "listed"]
