"""Text that means something else than it seems to: warnings of the language about operands and comments that read well.

A rule returns a `Quirk` or reports to the `Reader`. Asked only where a source has such a form.
"""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Alternative, Diagnostic, Related
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.isa.program import Dest
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS, mask_text, register_name
from lanewise.pica200.text.picasso.syntax import MNEMONICS, Quirk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Operand
    from lanewise.pica200.isa.table import Op
    from lanewise.pica200.text.picasso.reader import Reader

_PRESETS = (".setf", ".seti", ".setb")
_ALL_BUT_W = ("xyz", "rgb", "stp")
_OF_FOUR = ("position", "normalquat", "color")  # properties whose fourth component counts


def statement_in_a_comment(reader: Reader, line: str, cut: int) -> None:
    """Report a statement after the semicolon at `cut` (V116)."""
    from lanewise.pica200.text.joined import FIX, MESSAGE, ignored_statement

    length = ignored_statement(line, cut, MNEMONICS, reader.operands.aliases)
    if length:
        span = Span(file=reader.file, line=reader.number, column=cut + 2, length=length, text=line.rstrip("\r"))
        reader.diagnostics.append(Diagnostic(code="V116", severity=WARNING, message=MESSAGE, span=span, notes=(), fix=FIX))


def operands_meant_otherwise(reader: Reader, op: Op, arguments: Sequence[str], operands: Sequence[Operand]) -> None:
    """Report operands of an instruction that may be meant otherwise: arrays without an index, swizzles with too few letters."""
    known = reader.operands
    if known.whole and op.name != "mov":  # a copy of one element is meant as such
        _whole_arrays(reader, op, arguments)
    if known.short and op.widths:
        _short_dots(reader, op, arguments)
    if op.picasso_merge == "lane":  # each component of the result is that of the sources
        _short_swizzles(reader, op, arguments, operands)


# Arrays


def _whole_arrays(reader: Reader, op: Op, arguments: Sequence[str]) -> None:
    """Remember the first place at which each array is named without an index (V113, once the link is read)."""
    for i, text in enumerate(arguments):
        name = reader.operands.whole.get(text.strip(), "") if op.operands[i] == "src" else ""
        if name and name not in reader.bare:
            alias = reader.operands.aliases[name]
            reader.argument = i
            if FLOAT <= alias.register < INTEGER:
                from lanewise.pica200.text.arrays import Bare

                reader.bare[name] = Bare(name=name, register=alias.register, size=alias.size, span=reader.span())


# Swizzles


def _short_dots(reader: Reader, op: Op, arguments: Sequence[str]) -> None:
    """Report a swizzle whose last letter is repeated in an instruction that counts components by number: a product is added
    twice (V114)."""
    sources = [i for i, kind in enumerate(op.operands) if kind == "src"]
    for i, wide in zip(sources, op.widths, strict=True):
        letters = reader.operands.short.get(arguments[i].strip(), 0)
        if letters and letters < wide:
            reader.argument = i
            reader.warn(_short_dot(op.name, arguments[i].strip(), letters, wide))
            return


def _short_swizzles(reader: Reader, op: Op, arguments: Sequence[str], operands: Sequence[Operand]) -> None:
    """Report swizzles whose last letter is repeated into a component that the write mask names (V111)."""
    to = operands[0]
    written = isinstance(to, Dest) and ("." in arguments[0] or to.mask < 15) and to.mask
    known = reader.operands
    whole = isinstance(to, Dest) and not written and _is_whole(reader, to.register)
    # `add position, r0, r1.xyz` leaves r0.w where r1.z is 0, as particle.g.pica of devkitPro's 3ds-examples does it.
    whole = whole and all(_letters(reader, arguments[i]) == 3 for i, kind in enumerate(op.operands) if kind == "src")
    for i, text in enumerate(arguments) if written or whole else ():
        operand = text.strip()
        alias = known.short_aliases.get(operand.lstrip("-"), "")
        letters = _letters(reader, text) if op.operands[i] == "src" else 0
        if whole and letters == len(_ALL_BUT_W[0]) and (alias or operand)[-letters:].lower() in _ALL_BUT_W:
            reader.argument = i
            reader.warn(_short_of_whole(alias or operand, arguments[0].strip(), operand if alias else ""))
            return
        if letters and written & (1 << 4 - letters) - 1:
            reader.argument = i
            finding = _short_swizzle(alias or operand, letters, written, operand if alias else "")
            if finding is not None:
                reader.warn(finding)


def _letters(reader: Reader, text: str) -> int:
    """The letters of a source with two or three that differ, by its alias too; 0 for any other."""
    operand = text.strip()
    return len(reader.operands.short_aliases.get(operand.lstrip("-"), "")) or reader.operands.short.get(operand, 0)


def _is_whole(reader: Reader, register: int) -> bool:
    """Whether a register is an output of a property of four components that is declared whole."""
    found = [each for each in (reader.unit.outputs if reader.unit else ()) if each.register == register]
    return len(found) == 1 and found[0].mask == 15 and SEMANTICS[found[0].semantic] in _OF_FOUR


def _short_of_whole(text: str, output: str, alias: str) -> Quirk:
    """The finding about .xyz for all four components of an output. Other letters are written so by the disassembler."""
    letters = text[-3:]
    message = f".{letters} means .{letters}{letters[-1]}: w of {output} gets {letters[-1]}"
    wanted = next(each for each in ("xyzw", "rgba", "stpq") if each.startswith(letters.lower()))
    fix = f"write .{wanted}, or {output}.xyz where another line writes w"
    if alias:
        return Quirk(code="V111", message=f"{alias} has .{letters}, and {message}", fix=f"declare the alias with .{wanted}")
    return Quirk(code="V111", message=message, fix=fix, start=len(text) - 3, length=3)


def _short_swizzle(text: str, count: int, mask: int, alias: str = "") -> Quirk | None:
    """The finding about a swizzle of `count` letters for a write mask (x in bit 3) that names components past them: as many
    letters as components are meant in their places. None where they are read so. `alias`: the operand that has these letters
    by its declaration."""
    letters = text[-count:]
    places = [place for place in range(4) if mask & 8 >> place]
    full = list((letters + letters[-1] * 4)[:4])
    if [full[place] for place in places] == list(letters):
        return None  # r0.xz, r1.xz: the repeated letter is the one that is meant
    read = "".join([full[place] for place in places])
    message = f".{letters} means .{''.join(full)}: components {mask_text(mask)} get {read}"
    if len(places) == count:
        named = dict(zip(places, letters, strict=True))
        alphabet = next((each for each in ("xyzw", "rgba", "stpq") if set(letters.lower()) <= set(each)), "xyzw")
        full = [named.get(place, alphabet[place]) for place in range(4)]
    wanted = "".join(full)
    fix = (
        f"write .{wanted}: component 0 of a swizzle is for x, whatever the mask" if len(places) == count else f"write .{wanted}"
    )
    if alias:
        return Quirk(code="V111", message=f"{alias} has .{letters}, and {message}", fix=f"declare the alias with .{wanted}")
    return Quirk(code="V111", message=message, fix=fix, start=len(text) - count, length=count, replacement=wanted)


def _short_dot(name: str, text: str, count: int, wide: int) -> Quirk:
    """The finding about a source of a dot product with `count` letters, where `wide` components count."""
    letters = text[-count:]
    message = f".{letters} means .{letters}{letters[-1] * (4 - count)}: {name} counts {letters[-1]} {wide - count + 1} times"
    fix = (
        "use dp3, or write four letters" if count == 3 else "write a letter for each component, and a zero for what is left out"
    )
    return Quirk(code="V114", message=message, fix=fix, start=len(text) - count, length=count)


def presets_of_uniforms(reader: Reader) -> None:
    """Report registers that are preset and read by number in a file whose uniforms were allocated there (V126).

    A preset by number is what disassembled sources have for the value that a uniform begins with: they read it by name.
    """
    for register, span in reader.numbered.items():
        row = next((row for row in reader.allocated if row.first <= register <= row.last), None)
        if row is None or row.span is None or not _names_by_number(reader, register_name(register)):
            continue
        place = register_name(register)
        name = f"{row.name}[{register - row.first}]" if row.last > row.first else row.name
        given = span.text[span.text.find("(") :].partition(";")[0].strip() if "(" in span.text else "(x, y, z, w)"
        fix, others = f"write {name} to preset the uniform, or use another register", tuple[Alternative, ...]()
        if register < INTEGER:
            fix = f"for another value than {row.name}: declare `.fvec NAME`, preset it by `.setf NAME{given}`, and read NAME"
            others = (
                Alternative(f"for a constant: name it, `.constf NAME{given}`, and read NAME", ()),
                Alternative(f"to preset {row.name} itself: write `.setf {name}{given}`", ()),
            )
        message = f"{place} is {name}: the register of a uniform is preset"
        related = (Related(row.span, f"{row.name} is allocated here"),)
        finding = Diagnostic(
            code="V126",
            severity=WARNING,
            message=message,
            span=span,
            notes=(),
            fix=fix,
            related=related,
            alternatives=others,
        )
        reader.diagnostics.append(finding)


def private_uniforms(reader: Reader) -> None:
    """Report uniforms of a shader that no file lists and no line presets, but an instruction reads (V132)."""
    unit = reader.unit
    if unit is None or unit.is_library or reader.compatible:
        return
    unlisted = [row for row in reader.allocated if row.name[0] == "_" and row.symbol is None]
    if not unlisted:
        return
    import re

    lines = [line.partition(";")[0] for line in reader.text.split("\n")]
    for row in unlisted:
        if row.span is None:
            continue
        used = [line.lstrip().lower() for line in lines if re.search(rf"(?<![\w$]){re.escape(row.name)}(?![\w$])", line)]
        if any(line.startswith(_PRESETS) for line in used) or all(line.startswith(".") for line in used):
            continue
        size = row.last - row.first + 1
        kind = ".bool" if row.first >= BOOLEAN else ".ivec" if row.first >= INTEGER else ".fvec"
        place = f"{kind} {row.name}{f'[{size}]' if size > 1 else ''} {register_name(row.first)}"
        other = row.name.lstrip("_")
        reader.diagnostics.append(
            Diagnostic(
                code="V132",
                severity=WARNING,
                message=f"the SHBIN does not list '{row.name}', as it begins with _: programs ask for it in vain",
                span=row.span,
                notes=(),
                fix=f"name it {other or 'otherwise'}; or give it a register, `{place}`, which programs set by its number",
            )
        )


def _names_by_number(reader: Reader, register: str) -> bool:
    """Whether a line of this file other than a preset has a register by its number."""
    import re

    here = re.compile(rf"(?<![\w.$]){register}(?![\w$(:])")
    lines = [line.partition(";")[0] for line in reader.text.split("\n")]
    return any(here.search(line) for line in lines if not line.lstrip().lower().startswith(_PRESETS))
