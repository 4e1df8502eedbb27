"""Names and registers: which registers a key such as `mvp`, `bones[3]`, `c4` or `v0` means."""

from __future__ import annotations

import re

from lanewise.core.cached import lru_cache
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.problems import MOST_SUGGESTIONS
from lanewise.core.text.suggestions import near
from lanewise.pica200.isa.program import Alias
from lanewise.pica200.isa.table import BOOLEAN, COMPONENTS, FLOAT, INPUT, INTEGER, REGISTER_END, register_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.pica200.isa.program import Uniform

    Named = Uniform | Alias

# Register files that data is bound to: letter, number of its first register, number after its last.
INPUT_FILES = (("v", INPUT, 0x10),)
UNIFORM_FILES = (("c", FLOAT, INTEGER), ("i", INTEGER, INTEGER + 4), ("b", BOOLEAN, REGISTER_END))

_COMPONENT_LETTERS = frozenset("xyzwrgba")
_REGISTER = re.compile(r"([a-z])([0-9]{1,3})")
_DIGITS = tuple("0123456789")
_ELEMENT = re.compile(r"(.+)\[([0-9]{1,3})\]")


class Place(Record):
    """The registers `first` to `last` of one file.

    `whole`: they are all registers of a name, not of a bare register.
    """

    first: int
    last: int
    whole: bool

    @property
    def size(self) -> int:
        return self.last - self.first + 1


@lru_cache(4096)
def find(key: str, named: tuple[Named, ...], files: tuple[tuple[str, int, int], ...]) -> Place | None:
    """The registers of a key, or None. Declared names take precedence over register names.

    A bare register means itself and those after it, to the end of its file, as does an alias without a size; an alias that
    selects components names no register. `$` and `.` in names are equal, as files store one for the other. For an input a 0 at
    the end of a name may be left out or added.
    """
    names = {found.name.replace("$", "."): found for found in named if not isinstance(found, Alias) or found.whole}
    wanted = key.replace("$", ".")
    if wanted in names:
        found = names[wanted]
        if isinstance(found, Alias) and not found.size:
            return _onwards(found.register, files)
        return Place(found.first, found.last, True)
    element = _ELEMENT.fullmatch(wanted)
    if element and element[1] in names:
        found = names[element[1]]
        register = found.first + int(element[2])
        if isinstance(found, Alias) and not found.size:
            place = _onwards(found.register, files)
            return Place(register, register, True) if place is not None and register <= place.last else None
        return Place(register, register, True) if register <= found.last else None
    # A semantic of an output with its number, as columns of a result have it.
    first = wanted[:-1] if wanted.endswith("0") else f"{wanted}0"
    if files is INPUT_FILES and first in names and not wanted[:-1].endswith(_DIGITS) and not first[:-1].endswith(_DIGITS):
        return find(first, named, files)
    register = _REGISTER.fullmatch(wanted.lower())
    for letter, first, end in files if register else ():
        if register and register[1] == letter and first + int(register[2]) < end:
            return Place(first + int(register[2]), end - 1, False)
    return None


def _onwards(register: int, files: Sequence[tuple[str, int, int]]) -> Place | None:
    """A register and those after it in its file."""
    return next((Place(register, end - 1, False) for _, first, end in files if first <= register < end), None)


def beyond(key: str, named: Iterable[Named]) -> str:
    """The fix for an element without brackets (`light0`), one past the end, or an alias that selects components; else empty."""
    element = _ELEMENT.fullmatch(key.replace("$", "."))
    base = key.rstrip("0123456789")
    number = key[len(base) :]
    for uniform in named:
        if number and not isinstance(uniform, Alias) and uniform.name == base.rstrip("._") and uniform.size > int(number):
            return f"did you mean {uniform.name}[{int(number)}]?"
        if isinstance(uniform, Alias) and uniform.name == key and not uniform.whole:
            register = register_name(uniform.register)
            parts = "".join(COMPONENTS[uniform.selector >> shift & 3] for shift in (6, 4, 2, 0))
            return f"'{key}' is {'-' * uniform.negate}{register}.{parts}, a part of a register: give {register}"
        if element and element[1] == uniform.name.replace("$", "."):
            last = uniform.last - uniform.first
            return (
                f"its registers are {uniform.name}[0] to {uniform.name}[{last}]" if last else f"{uniform.name} is one register"
            )
    return ""


def component_of(key: str, named: Iterable[Named]) -> Uniform | None:
    """The uniform of which a key is a component, `sun.x`; None for other keys."""
    name, _, letter = key.replace("$", ".").rpartition(".")
    known = {one.name.replace("$", "."): one for one in named if not isinstance(one, Alias)}
    return known.get(name) if letter.lower() in _COMPONENT_LETTERS else None


def by_components(uniform: Uniform, keys: Sequence[str]) -> tuple[str, str]:
    """The message and the fix for a uniform that is given by its components."""
    listed = ", ".join([f"'{key}'" for key in keys])
    name, rows = uniform.name, uniform.last - uniform.first + 1
    fix = f"give `{{'{name}': [x, y, z, w]}}`"
    if rows > 1:
        fix = f"give `{{'{name}': rows}}`, a row of x, y, z, w for each of its {rows} registers"
    return f"unknown uniform{'s' if len(keys) > 1 else ''} {listed}: '{name}' is given whole", fix


# What others call the same values.
_SAME = (
    ("texcoord", "texcoords", "texcoordin", "intex", "uv", "uvs", "st", "tex", "texture", "texturecoord"),
    ("color", "colour", "inclr", "rgba", "rgb", "col", "clr", "diffuse", "paint", "tint"),
    ("position", "pos", "inpos", "vertex", "vertices", "verts", "xyz", "point", "points", "place"),
    ("normal", "normals", "innrm", "nrm", "norm", "n"),
    ("projection", "proj", "mvp", "wvp", "viewprojection", "viewproj", "modelviewprojection", "transform", "matrix"),
    ("modelview", "mv", "model", "world", "worldview", "view"),
)


def _called(key: str, names: Sequence[str]) -> list[str]:
    """The names of what another name is for."""
    plain = key.lower().rpartition("_")[2].rstrip("0123456789")
    group = next((each for each in _SAME if plain in each), ())
    return [name for name in names if name.lower().rpartition("_")[2].rstrip("0123456789") in group]


def suggestion(key: str, names: Sequence[str], registers: str, before: int = 0) -> str:
    """The fix for an unknown name; `before` is the number of findings so far, of which only the first get similar names."""
    found = (near(key, names) or _called(key, names)) if before < MOST_SUGGESTIONS else []
    if found:
        return f"did you mean {' or '.join(found)}?"
    meant = _register(key, registers)
    hint = f" (did you mean {meant}?)" if meant else ""
    if names:
        listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        return f"use {listed}, or a register ({registers}){hint}"
    reason = ": files list no names that begin with _" if key.startswith("_") else _NAMELESS
    return f"use a register ({registers}){reason}{hint}"


_NAMELESS = ": the file names none"


def with_reads(finding: Diagnostic, read: Iterable[int]) -> Diagnostic:
    """A finding about an unknown input of a file without names, with the registers that its program reads."""
    inputs = [f"v{number}" for number in sorted({*read}) if number < INPUT_FILES[0][2]]
    if finding.code != "B001" or not finding.fix.endswith(_NAMELESS) or not inputs or "input" not in finding.message:
        return finding
    return finding._replace(fix=f"use a register that the program reads, {' or '.join(inputs)}{_NAMELESS}")


# What others call a register, by the first letters of its name; without any, that of the first file.
_CALLED = {
    "v": ("v", "in", "input", "attr", "attrib", "attribute", "vs_in", "vin"),
    "c": ("c", "f", "fvec", "float", "const", "constant", "u", "uniform", "cb", "vs_uniform"),
    "i": ("i", "int", "ivec", "integer", "loop"),
    "b": ("b", "bool", "boolean"),
}
_OTHER_NAME = re.compile(r"[$%#]?([a-z_]*?)_?\[?([0-9]{1,3})\]?(?:\.[xyzwrgba]{1,4})?")


def _register(key: str, registers: str) -> str:
    """The register that another name for it means, such as `attr0`, `v[0]` or `0`; empty for others."""
    found = _OTHER_NAME.fullmatch(key.strip().lower())
    if found is None:
        return ""
    for each in registers.split(", "):
        letter, last = each[0], int(each.rpartition(each[0])[2])
        if (found[1] in _CALLED[letter] or not found[1]) and int(found[2]) <= last:
            return f"{letter}{int(found[2])}"
    return ""


def register_range(first: int, last: int, files: Sequence[tuple[str, int, int]]) -> str:
    """`c0`, or `c0-c3`."""
    for letter, start, end in files:
        if start <= first < end:
            return f"{letter}{first - start}" + (f"-{letter}{last - start}" if last > first else "")
    raise ValueError(f"register {first:#x} is in none of the files")
