"""The directives of the nihstro language. Source: reference/nihstro.md; what the tool refuses: conformance/nihstro/bad.

nihstro's: `.version`, `.include`, `.alias`. Ours: `.entry LABEL`, `.gsh [MODE ...]`, `.symbol "text"`, `.word 0xWORD`,
`.opdesc N 0xWORD`, `.raw`; the outputs texcoord0w and dummy; hexadecimal float24 words as constants.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.numbers import read_integer
from lanewise.core.text.problems import Problem
from lanewise.core.text.quoting import unquote
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa import program
from lanewise.pica200.isa.module import Mark
from lanewise.pica200.isa.program import Operation, Output, Uniform
from lanewise.pica200.isa.table import GEOMETRY_MODES, IDENTITY, UNKNOWN, VERTEX, register_name
from lanewise.pica200.text.nihstro.lexer import NAME, NUMBER, TEXT
from lanewise.pica200.text.nihstro.operands import Alias, Poisoned
from lanewise.pica200.text.nihstro.syntax import check_name
from lanewise.pica200.text.nihstro.values import ALIAS_USAGE, preset

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.text.nihstro.lexer import Cursor
    from lanewise.pica200.text.nihstro.operands import Selected
    from lanewise.pica200.text.nihstro.reader import Reader

SEMANTICS = {
    "position": 0,
    "quaternion": 1,
    "normalquat": 1,
    "color": 2,
    "texcoord0": 3,
    "texcoord0w": 4,
    "texcoord1": 5,
    "texcoord2": 6,
    "7": 7,
    "view": 8,
    "dummy": 9,
}
SPELLED = ("position", "quaternion", "color", "texcoord0", "texcoord1", "texcoord2", "view")  # what nihstro knows
_LAST_MAPPED = 6  # o7 and up exist only as dummy outputs


# Names


def alias(reader: Reader, cursor: Cursor) -> None:
    token = cursor.peek()
    if token.kind != NAME:
        raise token.problem(
            "P047", f"'{token.text}' is not a valid name" if token.text else "missing name", f"write {ALIAS_USAGE}"
        )
    cursor.next()
    name = token.text
    try:
        check_name(name, token.start)
        if name in reader.operands.aliases and reader.operands.aliases[name].register >= 0:
            raise Problem(
                "P040",
                f"name '{name}' is already in use",
                "choose another name",
                token.start,
                len(name),
                related=reader.declared_at(name),
            )
        declared = _declared(reader, cursor, name)
        reader.operands.aliases[name] = declared
        if reader.names is not None:
            valued = any(uniform.name == name for uniform in reader.unit.private)
            reader.names.declared(name, declared, valued=valued)
        reader.unit.aliases.append(_named(name, declared))
        reader.places[name] = reader.span(token.start, len(name))
    except (Problem, Poisoned):
        reader.operands.aliases.setdefault(name, Alias(letter="r", register=-1))
        raise


def _named(name: str, declared: Alias) -> program.Alias:
    """An alias as the program has it: its last component is repeated."""
    parts = (*declared.components, *[declared.components[-1]] * 4)[:4]
    selector = parts[0] << 6 | parts[1] << 4 | parts[2] << 2 | parts[3] if declared.swizzled else IDENTITY
    return program.Alias(
        name=name, register=declared.register, size=declared.size, selector=selector, written=declared.letter == "o"
    )


def _declared(reader: Reader, cursor: Cursor, name: str) -> Alias:
    """The rest of an alias, and what it adds to the shader's tables."""
    first = reader.operands.operand(cursor)
    if first.negate or first.relative:
        raise first.problem("P047", "an alias has neither sign nor index register", f"write {ALIAS_USAGE}")
    size = _range(reader, cursor, first)
    if first.indexed and first.text.partition("[")[0] not in reader.operands.aliases:
        _array(reader, first, name, sized=cursor.peek().text != "as")
    declared = Alias(
        letter=first.letter, register=first.register, size=size, components=first.components, swizzled=first.swizzled
    )
    if cursor.took("as"):
        if size > 1:
            raise first.problem("P067", "a range has neither a property nor a value", "give each register a separate name")
        _given(reader, cursor, name, first)
    elif first.letter == "o":
        raise first.problem(
            "V037",
            f"'{name}' needs a property: the purpose of the output",
            f"write .alias {name} {first.text} as position, or another of {' '.join(SPELLED)}",
        )
    elif first.letter == "r":
        cursor.finish(f"write {ALIAS_USAGE}")
        reader.note(
            "alias r",
            "P070",
            "nihstro itself rejects names for temporaries",
            "use the register for nihstro",
            first.start,
            first.end - first.start,
        )
    else:
        cursor.finish(f"write {ALIAS_USAGE}")
        entry = Uniform(
            name=name, first=first.register, last=first.register + size - 1, symbol=reader.take_symbol(), span=reader.span()
        )
        (reader.unit.inputs if first.letter == "v" else reader.unit.uniforms).append(entry)
        _no_overlap(reader, first, entry)
        reader.unit.declared.append(entry)
    return declared


def _array(reader: Reader, first: Selected, name: str, *, sized: bool) -> None:
    """Warn of an index in the place of a size."""
    base, _, rest = first.text.partition("[")
    size, number = int(rest.partition("]")[0]), register_name(first.register, written=first.letter == "o")
    start = int(base[1:])
    meant = (
        f"write `.alias {name} {base}-{base[0]}{start + size - 1}` for {size} registers, or "
        if sized and size > 1
        else "write "
    )
    reader.warn(
        "P067",
        f"{first.text} is the register {number}: brackets hold an index, not a size",
        f"{meant}`.alias {name} {number}` for that one",
        first.start,
        first.end - first.start,
    )


_MATRIX = (3, 4)  # rows of a matrix, of which the last may have a name of its own


def _no_overlap(reader: Reader, place: Selected, entry: Uniform) -> None:
    """Warn of a range that ends in the first register of another name. A name for the last row of a matrix is meant."""
    edges, wide = reader.edges, entry.last > entry.first
    meant = entry.last - entry.first + 1 in _MATRIX
    high = (edges.get(("range", entry.last)) or (None if meant else edges.get(("name", entry.last)))) if wide else None
    low = edges.get(("end", entry.first)) if wide else edges.get(("end of others", entry.first))
    pair = (entry, high) if high is not None else (low, entry)
    if pair[0] is not None:
        before, after = pair[0], pair[1]
        rest = register_name(before.first) + (f"-{register_name(before.last - 1)}" if before.last - before.first > 1 else "")
        reader.warn(
            "V029",
            f"{register_name(before.last)} is {before.name} and {after.name}: a range includes its end",
            f"write `.alias {before.name} {rest}`",
            place.start,
            place.end - place.start,
        )
    edges.setdefault(("range" if wide else "name", entry.first), entry)
    if wide:
        edges.setdefault(("end", entry.last), entry)
        if not meant:
            edges.setdefault(("end of others", entry.last), entry)


def _range(reader: Reader, cursor: Cursor, first: Selected) -> int:
    """How many registers `c0-c3` names. Raises Problem."""
    if not cursor.took("-"):
        return 1
    last = reader.operands.operand(cursor)
    if first.letter != last.letter:
        raise last.problem(
            "P067", f"{first.text} and {last.text} are registers of different kinds", "use the same letter at both ends"
        )
    if first.swizzled or last.swizzled or last.negate:
        raise last.problem("P067", "a range of registers has no components", "swizzle the uniform where it is read")
    if last.register < first.register:
        raise last.problem("P067", f"range {first.text}-{last.text} is reversed", f"write {last.text}-{first.text}")
    return last.register - first.register + 1


def _given(reader: Reader, cursor: Cursor, name: str, place: Selected) -> None:
    """The property of an output, or the value of a constant, after `as`."""
    if place.letter == "o":
        _wire(reader, cursor, name, place)
    elif place.letter in ("c", "i", "b"):
        preset(reader, cursor, name, place)
    else:
        token = cursor.peek()
        if token.text in SEMANTICS:
            raise place.problem("V034", f"{place.text} is not an output", "use o0-o6 for properties")
        raise place.problem("V019", f"{place.text} cannot hold a constant", "use c0-c95, i0-i3 or b0-b15")


def _wire(reader: Reader, cursor: Cursor, name: str, place: Selected) -> None:
    token = cursor.next()
    semantic = SEMANTICS.get(token.text)
    if semantic is None:
        near = reader.suggestions.nearest(token.text, SEMANTICS)
        fix = f"did you mean {near}?" if near else f"use {', '.join(SPELLED)}"
        message = f"unknown output property '{token.text}'" if token.text else "missing property"
        raise token.problem("V037", message, fix, (), near or None)
    mask = reader.mask(place)
    register = place.register
    if register > _LAST_MAPPED and token.text != "dummy":
        raise place.problem(
            "V038", f"o{register} can only be a dummy output", "use o0-o6 for properties; two of them may share a register"
        )
    if token.text not in SPELLED:
        reader.note(
            f"as {token.text}",
            "P070",
            f"nihstro itself does not know the property {token.text}",
            "remove it for nihstro",
            token.start,
            len(token.text),
        )
    stored = sum(1 << (3 - bit) for bit in range(4) if mask >> bit & 1)
    for other in reader.unit.outputs:
        if other.register == register and other.mask & stored:
            raise place.problem(
                "V045",
                f"{other.name or f'o{register}'} already has these components",
                "use other components or another register",
            )
        if other.semantic == semantic and token.text != "dummy":
            reader.warn(
                "V039",
                f"{token.text} is already wired to o{other.register}",
                "wire each property once",
                token.start,
                len(token.text),
            )
    cursor.finish(f"write {ALIAS_USAGE}")
    reader.unit.output_mask |= 1 << register
    given = next(token for token in reader.found if token.text == name)
    reader.unit.outputs.append(
        Output(semantic=semantic, register=register, mask=stored, name=name, span=reader.span(given.start, len(name)))
    )


# Files


def version(reader: Reader, cursor: Cursor) -> None:
    token = cursor.next()
    numbers = token.text.split(".")
    if token.kind != NUMBER or len(numbers) > 3 or not all(part.isdigit() for part in numbers):
        raise token.problem(
            "P065", f"'{token.text}' is not a version" if token.text else "missing version", "write .version 0.1"
        )
    cursor.finish("write .version 0.1")
    reader.note(
        "version", "P070", "nihstro itself rejects .version, although its manual describes it", "remove it for nihstro", 0, 0
    )


def include(reader: Reader, cursor: Cursor) -> None:
    token = cursor.next()
    if token.kind != TEXT or len(token.text) < 2 or not token.text.endswith('"'):
        name = cursor.line[token.start : cursor.end].strip(" <>\"'") or "file.vsh"
        raise token.problem("P063", "missing file name in quotes", f'write .include "{name}"')
    cursor.finish('write .include "file.vsh"')
    reader.include(token.text[1:-1], token)


def entry(reader: Reader, cursor: Cursor) -> None:
    token = cursor.next()
    if token.kind != NAME:
        raise token.problem("P013", f"'{token.text}' is not a label" if token.text else "missing label", "write .entry LABEL")
    cursor.finish("write .entry LABEL")
    reader.ours(".entry", "pass -e LABEL to nihstro")
    if not reader.entry:  # -e on the command line comes first
        reader.unit.entry, reader.unit.entry_span = token.text, reader.span()


def gsh(reader: Reader, cursor: Cursor) -> None:
    """`.gsh`, `.gsh point`, `.gsh variable N`, `.gsh fixed cSTART N`: a geometry shader, and how it gets its input."""
    usage = "write .gsh, .gsh point, .gsh variable N or .gsh fixed cSTART N"
    unit = reader.unit
    reader.ours(".gsh", "pass -g to nihstro")
    if not unit.geometry:
        unit.geometry = True
        reader.items.append(Mark(m.GEOMETRY, "", reader.span()))
    if not cursor.more():
        return
    token = cursor.next()
    if token.text not in GEOMETRY_MODES:
        raise token.problem("V049", f"unknown geometry shader mode '{token.text}'", "use point, variable or fixed")
    unit.mode = GEOMETRY_MODES.index(token.text)
    if unit.mode == 2:
        place = reader.operands.operand(cursor)
        if place.letter != "c" or place.relative or place.negate or place.swizzled:
            raise place.problem("V019", f"'{place.text}' is not a float uniform", "use c0-c95")
        unit.array_start = place.register - 0x20
    if unit.mode:
        unit.vertex_count = number(cursor, 8, "number of vertices")
    cursor.finish(usage)


def number(cursor: Cursor, bits: int, what: str) -> int:
    """A decimal or hexadecimal number that fits `bits`. Raises Problem."""
    token = cursor.next()
    value, length = read_integer(token.text) if token.kind == NUMBER else (0, 0)
    if not length or length < len(token.text) or value >> bits:
        message = f"'{token.text}' is not a {what}" if token.text else f"missing {what}"
        from lanewise.pica200.text.pinning import unreadable

        raise token.problem("P055", message, unreadable(token.text, bits))
    return value


def symbol(reader: Reader, cursor: Cursor) -> None:
    token = cursor.next()
    try:
        reader.symbol = unquote(token.text)
    except Problem as problem:
        problem.start, problem.length = token.start, max(1, len(token.text))
        raise
    cursor.finish('write .symbol "text"')
    reader.symbol_span = reader.span()
    reader.ours(".symbol", "remove it for nihstro")


def word(reader: Reader, cursor: Cursor) -> None:
    place = cursor.peek()
    value = number(cursor, 32, "word")
    cursor.finish(f"write a line for each word, the first one .word {place.text}")
    if len(place.text) == 8:
        from lanewise.pica200.text.pinning import not_in_decimal

        try:
            not_in_decimal(place.text)
        except Problem as problem:
            problem.start, problem.length = place.start, len(place.text)
            raise
    reader.ours(".word", "")
    reader.items.append(Operation(op=UNKNOWN, operands=(value,), descriptor=-1, span=reader.span()))


def opdesc(reader: Reader, cursor: Cursor) -> None:
    place = cursor.peek()
    alone = not cursor.peek(1).text
    if cursor.peek(1).text in (",", "=") and cursor.peek(2).text:
        from lanewise.pica200.text.pinning import separated

        problem = separated(place.text, cursor.peek(2).text)
        raise place.problem(problem.code, problem.message, problem.fix)
    if not alone and (not place.text.isdecimal() or len(place.text) > 2):
        from lanewise.pica200.text.pinning import EXCHANGED, exchanged

        line = exchanged(place.text, cursor.peek(1).text)
        if line:
            raise place.problem("P055", EXCHANGED, line)
    n = number(cursor, 32 if alone else 12, "descriptor number")
    if alone:
        from lanewise.pica200.text.pinning import LONE, completed

        raise place.problem("P055", LONE, completed(n))
    value = number(cursor, 32, "word")
    cursor.finish("write .opdesc 0 0x0000036F")
    reader.ours(".opdesc", "")
    if n >= VERTEX.descriptors:
        reader.warn(
            "V030",
            f"operand descriptor out of range: instructions reach {VERTEX.descriptors} descriptors",
            "use 0 to 127",
            place.start,
            len(place.text),
        )
    if n in reader.descriptors:
        raise place.problem("P056", f"operand descriptor {n} is already pinned", "remove one of the lines")
    reader.descriptors[n] = value


def raw(reader: Reader, cursor: Cursor) -> None:
    """`.raw`: the words are those of a file, so a program beyond a unit's memory is a warning."""
    cursor.finish(".raw has no operands")
    reader.ours(".raw", "")
    reader.raw = True


DIRECTIVES: dict[str, Callable[[Reader, Cursor], None]] = {
    "alias": alias,
    "include": include,
    "version": version,
    "entry": entry,
    "gsh": gsh,
    "symbol": symbol,
    "word": word,
    "opdesc": opdesc,
    "raw": raw,
}
# Directives of picasso, for sources in the wrong language.
PICASSO = frozenset(
    [
        "proc",
        "else",
        "end",
        "fvec",
        "ivec",
        "bool",
        "constf",
        "consti",
        "constfa",
        "in",
        "out",
        "nodvle",
        "setf",
        "seti",
        "setb",
        "nonop",
        "shbin",
    ]
)
