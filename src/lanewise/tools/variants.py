"""Profiles, devices and rules that are given to programs of another instruction set: the option that is meant."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.packages import packages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.package import IsaPackage
    from lanewise.tools.command import Parsed
    from lanewise.tools.command_line import Owner

OPTIONS = ("profile", "device", "rule")


def compiled_for(parsed: Parsed, key: str, owners: Sequence[Owner]) -> str:
    """The command that compiles a source for the instruction set that has an option, as the end of a message; empty for
    others."""
    from lanewise.compile.frontends import frontends
    from lanewise.compile.targets import targets_of

    path = parsed.files[0] if parsed.files else ""
    for row in frontends() if key in OPTIONS else ():
        if row.suffixes and path.lower().endswith(row.suffixes):
            for target in targets_of(row.name, row.isa):
                if any(target.name == owner.name for owner in owners):
                    text = f"`lanewise compile {path} --target {target.name} --{key} {parsed.text(key)}`"
                    return f"; compile it for that with {text}, and give what it writes"
    return ""


def _variants(used: Iterable[IsaPackage]) -> dict[str, str]:
    """The option of each variant of packages, by name."""
    return {row.name: row.option for package in used for row in package.variants()}


def own(key: str, value: str, used: Sequence[IsaPackage]) -> str:
    """The option of an instruction set in place of --profile, --device or --rule of another, as the end of a message."""
    found = _variants(used) if key in OPTIONS else {}
    name = value.partition(",")[0].strip()
    option = found.get(name) or next(iter(found.values()), "")
    if not option:
        return ""
    return f"; write {option} {value}" if name in found else f"; its option is {option}, with {', '.join(found)}"


def of_another(key: str, value: str, used: Sequence[IsaPackage]) -> str:
    """The message about a profile, device or rule of another instruction set; empty for one of these."""
    name, option = value.partition(",")[0].strip(), f"--{key}"
    named = [each for each, of in _variants(used).items() if of == option]
    if not named or name in named:
        return ""
    others = [package for package in packages() if package not in used and name in _variants([package])]
    if not others:
        return ""
    kind = _variants(others[:1])[name].removeprefix("--")
    here = " and ".join(dict.fromkeys([package.title for package in used]))
    return (
        f"{option} {value}: {name} is a {kind} of {others[0].title}, but the input is for {here}: use {', '.join(named)}, or "
        "leave it out"
    )
