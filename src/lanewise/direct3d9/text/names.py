"""Names of the Direct3D 9 assembly language: registers, modifiers, instructions."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.direct3d9.isa.table import (
    ABS,
    ABS_NEGATE,
    ADDR,
    ATTROUT,
    BIAS,
    BIAS_NEGATE,
    BY_NAME,
    CENTROID,
    COLOROUT,
    COMPARED,
    COMPARISONS,
    COMPLEMENT,
    CONST,
    CONST2,
    CONST3,
    CONST4,
    CONSTBOOL,
    CONSTINT,
    DECLARATION,
    DEPTHOUT,
    DW,
    DZ,
    INPUT,
    LABEL,
    LOOP,
    MISC,
    NEGATE,
    NONE,
    NOT,
    OPS,
    PARTIAL,
    PIXEL,
    PREDICATE,
    RASTOUT,
    SAMPLER,
    SATURATE,
    SIGN,
    SIGN_NEGATE,
    TEMP,
    TEXCRDOUT,
    TEXLDS,
    VARIED,
    VERTEX,
    X2,
    X2_NEGATE,
    Op,
    Version,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

# Endings of a source's register. A minus before the register makes the second of each pair.
SUFFIXES: Mapping[str, int] = {
    "": NONE,
    "abs": ABS,
    "bias": BIAS,
    "bx2": SIGN,
    "x2": X2,
    "dz": DZ,
    "db": DZ,
    "dw": DW,
    "da": DW,
}
NEGATED: Mapping[int, int] = {NONE: NEGATE, ABS: ABS_NEGATE, BIAS: BIAS_NEGATE, SIGN: SIGN_NEGATE, X2: X2_NEGATE}
# What stands before and behind a register for each modifier.
MODIFIERS: Mapping[int, tuple[str, str]] = {
    NONE: ("", ""),
    NEGATE: ("-", ""),
    BIAS: ("", "_bias"),
    BIAS_NEGATE: ("-", "_bias"),
    SIGN: ("", "_bx2"),
    SIGN_NEGATE: ("-", "_bx2"),
    COMPLEMENT: ("1-", ""),
    X2: ("", "_x2"),
    X2_NEGATE: ("-", "_x2"),
    DZ: ("", "_dz"),
    DW: ("", "_dw"),
    ABS: ("", "_abs"),
    ABS_NEGATE: ("-", "_abs"),
    NOT: ("!", ""),
}
# Endings of an instruction: shifts, then modifiers of the result.
SHIFTS: Mapping[str, int] = {"x2": 1, "x4": 2, "x8": 3, "d2": -1, "d4": -2, "d8": -3}
RESULTS: Mapping[str, int] = {"sat": SATURATE, "pp": PARTIAL, "centroid": CENTROID}

ALONE = {
    "opos": (RASTOUT, 0),
    "ofog": (RASTOUT, 1),
    "opts": (RASTOUT, 2),
    "odepth": (DEPTHOUT, 0),
    "al": (LOOP, 0),
    "vpos": (MISC, 0),
    "vface": (MISC, 1),
}
FILES = {
    "r": TEMP,
    "v": INPUT,
    "c": CONST,
    "a": ADDR,
    "t": ADDR,
    "od": ATTROUT,
    "ot": TEXCRDOUT,
    "o": TEXCRDOUT,
    "i": CONSTINT,
    "oc": COLOROUT,
    "s": SAMPLER,
    "b": CONSTBOOL,
    "l": LABEL,
    "p": PREDICATE,
}
_CONSTANTS = (CONST, CONST2, CONST3, CONST4)
FILE_SIZE = 2048  # the numbers that a token can hold
_DIGITS = "0123456789"


def find_register(version: Version, name: str) -> tuple[int, int | None] | None:
    """(file, number) of a register's name in any case; the number is None for a bare `c`, `v`, `o` before a bracket.

    None for a name that is not a register of this kind of shader.
    """
    lower = name.lower()
    if lower in ALONE:
        return ALONE[lower]
    letters = lower.rstrip(_DIGITS)
    digits = lower[len(letters) :]
    file = FILES.get(letters)
    if file is None or len(digits) > 6 or not _exists(version, letters):
        return None
    if not digits:
        return (file, None) if letters in ("c", "v", "o", "r") else None
    return file, int(digits)


def _exists(version: Version, letters: str) -> bool:
    """a# and t# share a file, and so do oT# and o#: which of them there are depends on the version."""
    if letters == "t":
        return version.kind == PIXEL
    if letters == "a":
        return version.kind == VERTEX
    if letters == "o":
        return version.major >= 3
    return letters != "ot" or version.major < 3


def placed(file: int, number: int) -> tuple[int, int] | None:
    """(file, number) as tokens have it: c2048 and up are in separate files. None for a number that does not fit a token."""
    if number < 0 or number >= FILE_SIZE * (len(_CONSTANTS) if file == CONST else 1):
        return None
    if file == CONST:
        return _CONSTANTS[number // FILE_SIZE], number % FILE_SIZE
    return file, number


class Mnemonic(Record):
    """An instruction's name without result modifiers: the row, the control bits."""

    op: Op
    control: int = 0


def _mnemonics() -> dict[str, Mnemonic]:
    found = {op.name: Mnemonic(op) for op in OPS if op.control != COMPARED and op.role != DECLARATION}
    found |= {one.name: Mnemonic(BY_NAME["tex"], control) for control, one in enumerate(TEXLDS)}
    found["texcrd"] = Mnemonic(BY_NAME["texcoord"])
    for control, comparison in enumerate(COMPARISONS):
        if comparison:
            for op in OPS:
                if op.control == COMPARED:  # if_gt is ifc with a comparison; ifc_gt is read too
                    found |= {f"{name}_{comparison}": Mnemonic(op, control) for name in (op.name.removesuffix("c"), op.name)}
    return found


MNEMONICS: Mapping[str, Mnemonic] = _mnemonics()


def mnemonic_of(op: Op, control: int, version: Version) -> str | None:
    """The name of an instruction with its comparison; None for unknown control bits."""
    if op.control == COMPARED:
        comparison = COMPARISONS[control] if control < len(COMPARISONS) else ""
        return f"{op.name.removesuffix('c')}_{comparison}" if comparison else None
    if op.control == VARIED and version.order >= (1, 4):
        kinds = TEXLDS if version.major >= 2 else TEXLDS[:1]
        return kinds[control].name if control < len(kinds) else None
    if control:
        return None
    return "texcrd" if op.name == "texcoord" and version.order >= (1, 4) else op.name
