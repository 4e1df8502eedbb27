"""Raw machine words, such as an emulator dumps them, in an SHBIN."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, OUTPUT, About, Diagnostic, InputError
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.pica200.container.build import build
from lanewise.pica200.container.raw import write_words
from lanewise.pica200.container.shbin import write_shbin
from lanewise.pica200.isa.lift import lift, procedure_end
from lanewise.pica200.isa.program import Dest, Interface, Output, Program, Source
from lanewise.pica200.isa.table import GEOMETRY_MODES, SEMANTICS, TEMPORARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.isa.program import Operation

_ALSO = {"quaternion": "normalquat", "pos": "position", "clr": "color"}
# What others call the semantics.
_CALLED = {
    **dict.fromkeys(("tex0", "uv", "uv0", "st", "texcoord0.xy", "tcoord0", "texcoord"), "texcoord0"),
    **dict.fromkeys(("tex1", "uv1", "tcoord1"), "texcoord1"),
    **dict.fromkeys(("tex2", "uv2", "tcoord2"), "texcoord2"),
    **dict.fromkeys(("tex0w", "texcoord0.w"), "texcoord0w"),
    **dict.fromkeys(("normal", "quat", "nquat", "normquat", "tangent"), "normalquat"),
    **dict.fromkeys(("vertexcolor", "diffuse", "rgba"), "color"),
    **dict.fromkeys(("pos", "hpos", "sv_position", "vertex"), "position"),
    **dict.fromkeys(("viewvec", "view_vector"), "view"),
}
_LETTERS = "xyzw"
_REGISTERS = 16


def contained(
    words: Sequence[int],
    descriptors: Sequence[int],
    *,
    entry: int = 0,
    name: str = "<words>",
    outputs: Mapping[str, str] | None = None,
    geometry: str = "",
    array_start: int = 0,
    vertex_count: int = 0,
) -> bytes:
    """The SHBIN of a program whose words are known; see `ShaderFile.from_words`. Raises InputError, ValueError."""
    if geometry and geometry not in GEOMETRY_MODES:
        raise ValueError(f"unknown geometry mode {geometry!r}: use {', '.join(GEOMETRY_MODES)}")
    if not 0 <= entry < max(1, len(words)):
        raise ValueError(f"entry is {entry}, but there are {len(words)} words, counted from 0")
    for part in (words, descriptors):
        write_words(part)
    wired, findings = _wired(outputs or {}, name)
    if findings:
        raise InputError(findings)
    operations = lift(words, descriptors)
    read, written = _used(operations)
    interface = Interface(
        name="main",
        geometry=bool(geometry),
        entry=entry,
        entry_end=procedure_end(operations, entry),
        outputs=wired,
        input_mask=read,
        output_mask=written | sum({1 << output.register for output in wired}),
        geometry_mode=GEOMETRY_MODES.index(geometry) if geometry else 0,
        array_start=array_start,
        vertex_count=vertex_count,
    )
    shbin = build(Program(operations=(), interfaces=(interface,), labels={}), words, descriptors)
    return write_shbin(shbin)


def _in_order(letters: str) -> str:
    """The components that letters mean, each once and in order; of none, x, y and z."""
    meant = letters.lower().translate(str.maketrans("rgbastpq", "xyzwxyzw"))
    return "".join([letter for letter in _LETTERS if letter in meant]) or "xyz"


def _used(operations: Sequence[Operation]) -> tuple[int, int]:
    """The masks of the inputs that any word reads and of the outputs that any writes."""
    read = written = 0
    for operation in operations:
        for kind, operand in zip(operation.op.operands, operation.operands, strict=True):
            if isinstance(operand, Source) and operand.register < TEMPORARY:
                read |= 1 << operand.register
            elif kind == "dst" and isinstance(operand, Dest) and operand.register < TEMPORARY:
                written |= 1 << operand.register
    return read, written


def _wired(outputs: Mapping[str, str], name: str) -> tuple[tuple[Output, ...], list[Diagnostic]]:
    """The outputs of a map such as `{"o0": "position", "o1.xyz": "color"}`."""
    found: list[Output] = []
    findings: list[Diagnostic] = []

    key = ""

    def wrong(code: str, message: str, fix: str) -> None:
        about = (About(OUTPUT, key),) if key else ()
        span = Span(file=name)
        findings.append(Diagnostic(code=code, severity=ERROR, message=message, span=span, notes=(), fix=fix, about=about))

    if outputs and all(_ALSO.get(key, key) in SEMANTICS and value[:1] == "o" for key, value in outputs.items()):
        key = next(iter(outputs))  # the place of the finding
        swapped = ", ".join([f'"{value}": "{key}"' for key, value in list(outputs.items())[:3]])
        wrong("B001", "outputs has semantics as keys and registers as values", f"write registers as keys: {{{swapped}}}")
        return (), findings
    for key, semantic in outputs.items():
        register, _, letters = key.partition(".")
        letters = letters or _LETTERS
        digits = register[1:]
        if register[:1] != "o" or not (digits.isascii() and digits.isdigit()) or int(digits) >= _REGISTERS:
            wrong(
                "B001",
                f"unknown output register '{key}'",
                f"did you mean o{int(number)}?"
                if (number := register.lstrip("outpOUTP_$[").rstrip("]")).isdecimal() and int(number) < _REGISTERS
                else "write o0 to o15, with components after a dot if not all are meant: o1.xyz",
            )
            continue
        places = [_LETTERS.find(letter) for letter in letters]
        if -1 in places or places != sorted(set(places)):
            wrong(
                "B001",
                f"'.{letters}' of output '{key}' is not a set of components",
                f"write letters of xyzw in order, such as {register}.{_in_order(letters)}",
            )
            continue
        known = _ALSO.get(semantic, semantic)
        if known not in SEMANTICS:
            if semantic.isdecimal() and int(semantic) < len(SEMANTICS):
                wrong(
                    "B001",
                    f"the semantic of {key} is {semantic}, a number: it has a name",
                    f'write "{SEMANTICS[int(semantic)]}"',
                )
                continue
            close = [_CALLED[semantic.lower()]] if semantic.lower() in _CALLED else near(semantic, SEMANTICS)
            fix = f"did you mean {' or '.join(close)}?" if close else f"use {', '.join(SEMANTICS)}"
            wrong("B001", f"unknown semantic '{semantic}' of output {key}", fix)
            continue
        mask = sum(1 << place for place in places)
        if any(other.register == int(digits) and other.mask & mask for other in found):
            before = next(each for each in outputs if each.partition(".")[0] == register)
            said = f"components of {register} are given twice, as {before} and as {key}"
            wrong("B006", said, f"remove one, or write the components of each: {register}.xy")
            continue
        found.append(Output(semantic=SEMANTICS.index(known), register=int(digits), mask=mask))
    return tuple(found), findings
