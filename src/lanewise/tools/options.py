"""Options of the two assembler commands, read as GNU getopt reads them.

argparse and getopt both import gettext and with it `re`: half of the time in which `lanewise asm` may start. The other
commands use argparse.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class OptionError(Exception):
    """The command line cannot be read: one line for the user."""


def split_options(
    argv: list[str], flags: Mapping[str, str], several: dict[str, tuple[str, ...]] | None = None
) -> tuple[dict[str, str], list[str]]:
    """(value by field, other arguments). `flags` maps `-o` or `--output` to a field; a field that ends in `=` takes a value.

    `several` gets all values of each such field, the result has the last one.

    Options may appear between arguments; `--` ends them; `-nofile` is `-n -o file`; long options may be shortened as far as
    they stay clear. A field without a value gets "1". Raises OptionError.
    """
    values: dict[str, str] = {}
    rest: list[str] = []
    waiting = list(reversed(argv))
    while waiting:
        argument = waiting.pop()
        if argument == "--":
            rest += reversed(waiting)
            break
        if argument == "-" or not argument.startswith("-"):
            rest.append(argument)
            continue
        if argument.startswith("--"):
            flag, equals, value = argument.partition("=")
            flag = _whole(flag, flags)
            following = value if equals else None
        else:
            flag, following = argument[:2], argument[2:] or None
            if flag not in flags:
                from lanewise.tools import field_words

                raise OptionError(field_words.unknown(flag, "", flags))
        field = flags[flag]
        if field.endswith("="):
            if following is None:
                if not waiting:
                    raise OptionError(f"option {flag} needs a value")
                following = waiting.pop()
            field = field[:-1]
            values[field] = following
            if several is not None:
                several[field] = (*several.get(field, ()), following)
            continue
        if following is not None and argument.startswith("--"):
            raise OptionError(f"option {flag} takes no value")
        values[field] = "1"
        if following is not None:
            waiting.append("-" + following)
    return values, rest


def _whole(flag: str, flags: Mapping[str, str]) -> str:
    """A long option that may be shortened."""
    if flag in flags:
        return flag
    found = [known for known in flags if known.startswith(flag)]
    if len({flags[known] for known in found}) == 1:
        return found[0]
    if found:
        raise OptionError(f"option {flag} is unclear: {', '.join(found)}")
    from lanewise.core.text.likeness import closest
    from lanewise.tools import field_words

    meant = field_words.option(flag, flags)
    near = [meant] if meant else closest(flag, list(flags))
    raise OptionError(field_words.unknown(flag, near[0] if near else "", flags))
