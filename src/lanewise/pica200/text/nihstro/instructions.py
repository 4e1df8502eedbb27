"""Computing instructions of the nihstro language: operands to operations.

Flow instructions are in `flow`. Source: spec 004; the machine words: conformance, nihstro rules 4-6.

Selectors are stored as in nihstro: the k-th component of a source in the k-th slot that the write mask enables (`dp3`, `dp4`,
`cmp`, `mova`: in the k-th slot), other slots x. A wide second source is exchanged where the operands commute. Where nihstro's
own words are wrong, the right ones are written, with a note.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa.program import Dest, Operation, Source
from lanewise.pica200.isa.table import BUT_NAN, BY_NAME, EXCHANGED, NO, Op
from lanewise.pica200.isa.verify import sources_fault
from lanewise.pica200.text.nihstro.flow import flow
from lanewise.pica200.text.nihstro.operands import Unplaced, letters_of
from lanewise.pica200.text.nihstro.syntax import COMPARISONS, COMPUTING, SCALAR, SPELLING, WHOLE, usage

if TYPE_CHECKING:
    from lanewise.pica200.isa.program import Operand
    from lanewise.pica200.text.nihstro.lexer import Cursor
    from lanewise.pica200.text.nihstro.operands import Selected
    from lanewise.pica200.text.nihstro.reader import Reader

_ADDRESS = {"x": 8, "y": 4, "xy": 12}
# Instructions with a destination and sources, in spellings without a note.
_PLAIN = {name: op for name, op in COMPUTING.items() if "dst" in op.operands and name not in SPELLING}
_COMMENTS = (";", "#", "//")


def plain_instruction(reader: Reader, line: str) -> Operation | None:
    """The operation of a line with plain operands in which there is nothing to report; None for any other, which is read by its
    tokens."""
    statement = line.strip()
    for begin in _COMMENTS:
        if begin in statement:
            statement = statement[: statement.index(begin)].rstrip()
    words = statement.split(None, 1)
    op = _PLAIN.get(words[0]) if len(words) > 1 else None
    if op is None:
        return None
    known = reader.operands.known
    found: list[Selected] = []
    for text in words[1].split(","):
        operand = known.get(text) or reader.operands.plain(text)
        if operand is None:
            return None
        found.append(operand)
    if len(found) != len(op.operands):
        return None
    try:
        resolved = _resolved(reader, op, found[0], found[1:])
    except Unplaced:
        return None
    span = Span(
        file=reader.file, line=reader.number, column=len(line) - len(line.lstrip()) + 1, length=len(statement), text=line
    )
    return Operation(op=op, operands=resolved, descriptor=-1, span=span)


def instruction(reader: Reader, cursor: Cursor, name: str) -> Operation:
    """The operation of a line that begins with a mnemonic. Raises Problem, Poisoned."""
    token = cursor.next()
    op = COMPUTING.get(name)
    if op is None:
        parsed = flow(reader, cursor, name)
    else:
        if name in SPELLING:
            reader.note(
                name, "P070", f"nihstro itself refuses {name}", f"write {SPELLING[name]} for nihstro", token.start, len(name)
            )
        parsed = (
            op,
            _compare(reader, cursor)
            if "cmp" in op.operands
            else _address(reader, cursor)
            if "adr" in op.operands
            else _compute(reader, cursor, name, op),
        )
    return Operation(op=parsed[0], operands=parsed[1], descriptor=-1, span=reader.span())


# Instructions with sources


def _operands(reader: Reader, cursor: Cursor, count: int, name: str, *, written: bool = False) -> list[Selected]:
    """`count` operands with commas between them; the first is `written`, or read too. Raises Problem, Poisoned."""
    found: list[Selected] = []
    for i in range(count):
        if i and not cursor.took(","):
            token = cursor.peek()
            if not token.text:
                raise Problem("P010", f"{name} has {count} operands, found {i}", usage(name), cursor.end, 1)
            raise token.problem("P011", f"expected a comma, found '{token.text}'", usage(name))
        if not cursor.more():
            raise Problem(
                "P010",
                f"{name} has {count} operand{'s' if count > 1 else ''}, found {i}",
                usage(name),
                cursor.end,
                1,
            )
        operand = reader.operands.operand(cursor, written=written and not i)
        if operand.letter == "c" and not operand.indexed and name != "mov":  # a copy of one element is meant as such
            _whole_array(reader, operand)
        found.append(operand)
    return found


def _whole_array(reader: Reader, operand: Selected) -> None:
    """Remember the first place at which an array is named without an index."""
    name = operand.text.lstrip("- \t").partition(".")[0].strip()
    alias = reader.operands.aliases.get(name)
    if alias is not None and alias.size > 1 and name not in reader.bare:
        from lanewise.pica200.text.arrays import Bare

        span = reader.span(operand.start, operand.end - operand.start)
        reader.bare[name] = Bare(name=name, register=alias.register, size=alias.size, span=span)


def _compute(reader: Reader, cursor: Cursor, name: str, op: Op) -> tuple[Operand, ...]:
    dst, *given = _operands(reader, cursor, 1 + op.source_count, name, written=True)
    if cursor.peek().text == ",":
        raise Problem(
            "P011",
            f"too many operands: {name} has {1 + op.source_count}",
            usage(name),
            cursor.peek().start,
            cursor.end - cursor.peek().start,
        )
    cursor.finish(usage(name))
    return _resolved(reader, op, dst, given)


def _resolved(reader: Reader, op: Op, dst: Selected, given: list[Selected]) -> tuple[Operand, ...]:
    """Operands in the form that the encoder takes. Raises Problem, and Unplaced where operands without columns have something
    to report."""
    mask = _destination(reader, dst)
    for source in given:
        _readable(source)
    given = _exchanged(reader, op, given)
    if op.widths:
        given, selectors = _dot(reader, op, given)
    else:
        selectors = [_selector(reader, op, dst, mask, source) for source in given]
    sources = _sources(op, given, selectors)
    return (Dest(dst.register, mask), *sources)


def _named(operand: Selected) -> str:
    """An operand as it is written, and its register if that is another name."""
    register = f"{operand.letter}{operand.register}"
    return operand.text if operand.text.startswith(register) else f"{operand.text} is {register}"


def _destination(reader: Reader, dst: Selected) -> int:
    """The write mask of a destination. Raises Problem."""
    if dst.letter not in ("o", "r"):
        what = f"inputs cannot be written: {_named(dst)}" if dst.letter == "v" else f"{dst.text} cannot be written"
        raise dst.problem("V011", what, "write to o0-o15 or r0-r15")
    if dst.negate:
        raise dst.problem("V012", f"{dst.text} is negated, but a destination has no sign", "negate a source instead")
    return reader.mask(dst)


def _readable(source: Selected) -> None:
    if source.letter == "o":
        raise source.problem("V010", f"outputs cannot be read: {_named(source)}", "keep the value in a temporary (r0 to r15)")
    if source.letter in ("i", "b"):
        what = "an integer uniform" if source.letter == "i" else "a boolean uniform"
        raise source.problem("V001", f"{source.text} is {what}, which cannot be a source", "use v, r or c registers")


def _exchanged(reader: Reader, op: Op, given: list[Selected]) -> list[Selected]:
    """The sources, exchanged so that an encoding exists for the wide one (nihstro rule 5)."""
    if op.name == "mad":
        first, second, third = given
        if first.wide and not second.wide:
            reader.note(
                "mad wide",
                "P071",
                f"nihstro itself cuts {first.text} to five bits here: the first two sources are exchanged",
                f"with nihstro, write {second.text} first",
                first.start,
                first.end - first.start,
            )
            given = [second, first, third]
        if any(source.relative for source in given):
            place = next(source for source in given if source.relative)
            reader.note(
                "mad relative",
                "P071",
                f"nihstro itself drops the index register of {place.text} in mad",
                "with nihstro, mov it to a temporary first",
                place.start,
                place.end - place.start,
            )
    elif op.name == "dst" and given[1].wide:
        reader.note(
            "dst",
            "P070",
            "nihstro itself refuses a uniform as second source of dst",
            "with nihstro, mov it to a temporary first",
            given[1].start,
            given[1].end - given[1].start,
        )
    elif op.commutes != NO and given[1].wide and not given[0].wide:
        given = [given[1], given[0]]
        if op.commutes == BUT_NAN:
            reader.note(
                op.name,
                "P072",
                f"the sources are exchanged, as in nihstro: {op.name} gives its second source if one is NaN",
                f"write {op.name} DST, {given[0].text}, {given[1].text} to make the order explicit",
                given[0].start,
                given[0].end - given[0].start,
            )
    return given


def _selector(reader: Reader, op: Op, dst: Selected, mask: int, source: Selected) -> int:
    """The selector of a source whose k-th component goes into the k-th component of the destination. Raises Problem."""
    parts = source.components
    count = len(dst.components)
    if op.name in WHOLE and len(parts) == 4 > count:  # ours: every slot as written
        reader.note(
            f"{op.name} slots",
            "P070",
            f"nihstro itself expects {count} component{'s' if count > 1 else ''} here",
            "with nihstro, give the destination four components",
            source.start,
            source.end - source.start,
        )
        return _packed(parts)
    if len(parts) != count:
        shown = letters_of(parts[:count]) if len(parts) > count else letters_of(parts + (parts[-1],) * (count - len(parts)))
        base = source.text.partition(".")[0]
        raise source.problem(
            "P060",
            f"{dst.text} has {count} component{'s' if count > 1 else ''}, {source.text} has {len(parts)}",
            f"write {base}.{shown}, or another mask for {dst.text.partition('.')[0]}",
        )
    selector = 0
    for i, place in enumerate(dst.components):
        selector |= parts[i] << (6 - 2 * place)
    if op.name in SCALAR and not mask & 8 and parts[0]:
        looks = "the hardware reads the first slot, which nihstro leaves x"
        reader.note(
            "first slot",
            "P071",
            f"nihstro itself computes this from {source.text.partition('.')[0]}.x: {looks}",
            "with nihstro, mov the component to an x first",
            source.start,
            source.end - source.start,
        )
        selector |= parts[0] << 6
    return selector


def _packed(slots: tuple[int, ...] | list[int]) -> int:
    """Up to four components as a selector, the missing ones x."""
    selector = 0
    for i, part in enumerate(slots):
        selector |= part << (6 - 2 * i)
    return selector


def _dot(reader: Reader, op: Op, given: list[Selected]) -> tuple[list[Selected], list[int]]:
    """Sources of a dot product: three components for dp3, four for dp4, three and four for dph. Raises Problem."""
    counts = [len(source.components) for source in given]
    if op.name == "dph":
        if counts == [4, 3]:  # nihstro's order: the short vector is the one that gets 1 for its w
            order = "on the hardware the first one has 1 as its w"
            reader.note(
                "dph reversed",
                "P071",
                f"nihstro itself expects the sources of dph in the opposite order: {order}",
                f"write dph DST, {given[1].text}, {given[0].text}",
                given[0].start,
                given[1].end - given[0].start,
            )
            given = [given[1], given[0]]
        elif counts == [3, 4]:
            reader.note(
                "dph",
                "P070",
                "nihstro itself refuses dph in the order of its manual",
                "with nihstro, write dp4 and a first source whose w is 1",
                given[0].start,
                given[1].end - given[0].start,
            )
        elif counts != [4, 4]:
            place = given[0] if counts[0] not in (3, 4) else given[1]
            raise place.problem(
                "P060",
                f"dph has sources of three and four components, found {counts[0]} and {counts[1]}",
                "write dph DST, SRC1.xyz, SRC2",
            )
    else:
        for source, count, wanted in zip(given, counts, op.widths, strict=True):
            if count != wanted:
                short = f"{source.text.partition('.')[0]}.xyz" if wanted == 3 else ""
                message = f"{source.text} has {count} component{'s' if count > 1 else ''}, but {op.name} reads {wanted}"
                raise source.problem("P060", message, f"write {short}" if short else "name all four components", short or None)
    return given, [_packed(source.components) for source in given]


def _sources(op: Op, given: list[Selected], selectors: list[int]) -> list[Source]:
    """The source operands, checked against the hardware's rules. Raises Problem."""
    sources = [Source(source.register, selectors[i], source.negate, source.relative) for i, source in enumerate(given)]
    fault = sources_fault(op, sources)
    if fault is not None:
        fault = sources_fault(op, sources, [source.text.lstrip("- ") for source in given]) or fault
        raise given[fault.source].problem(fault.code, fault.message, fault.fix)
    return sources


def _compare(reader: Reader, cursor: Cursor) -> tuple[Operand, ...]:
    given = _operands(reader, cursor, 2, "cmp")
    operators: list[int] = []
    for _ in range(2):
        cursor.expect(",", usage("cmp"))
        token = cursor.next()
        if token.text not in COMPARISONS:
            known = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.get(token.text.lower())
            message = f"unknown comparison operator '{token.text}'" if token.text else "missing comparison operator"
            raise token.problem(
                "P032", message, f"write {known}" if known else "use == != < <= > >=; " + usage("cmp")[6:], (), known
            )
        operators.append(COMPARISONS.index(token.text))
    cursor.finish(usage("cmp"))
    for source in given:
        _readable(source)
        if len(source.components) != 2:
            raise source.problem(
                "P060",
                f"{source.text} has {len(source.components)} component{'s' if len(source.components) > 1 else ''}, but cmp "
                "compares two",
                f"write {source.text.partition('.')[0]}.xy",
                f"{source.text.partition('.')[0]}.xy",
            )
    if given[1].wide and not given[0].wide:
        given, operators = given[::-1], [EXCHANGED[operator] for operator in operators]
    first, second = _sources(BY_NAME["cmp"], given, [_packed(source.components) for source in given])
    return first, *operators, second


def _address(reader: Reader, cursor: Cursor) -> tuple[Operand, ...]:
    """`mova SRC.xy`, and ours: `mova a0.x, SRC.x`."""
    mask = 12
    start = cursor.peek().start
    if cursor.peek().text == "a0" and cursor.peek(1).text == ".":
        mask = _ADDRESS.get(cursor.peek(2).text, 0)
        if not mask:
            raise Problem(
                "V021",
                f"mova cannot write {cursor.line[start : cursor.peek(2).end]}",
                "write a0.x, a0.y or a0.xy",
                start,
                cursor.peek(2).end - start,
            )
        cursor.at += 3
        reader.note(
            "mova a0",
            "P070",
            "nihstro itself does not accept a destination for mova",
            "write mova SRC.xy for nihstro",
            start,
            cursor.peek().start - start,
        )
        cursor.expect(",", "write mova a0.x, SRC.x")
    (source,) = _operands(reader, cursor, 1, "mova")
    cursor.finish(usage("mova"))
    _readable(source)
    count = mask.bit_count()
    if len(source.components) != count:
        raise source.problem(
            "P060",
            f"{source.text} has {len(source.components)} component{'s' if len(source.components) > 1 else ''}, but mova "
            f"reads {count}",
            f"write {source.text.partition('.')[0]}.{'xy'[:count]}",
            f"{source.text.partition('.')[0]}.{'xy'[:count]}",
        )
    reader.note(
        "mova",
        "P071",
        "nihstro itself writes a mova that changes no address register: its write mask is empty",
        "assemble it with lanewise: nihstro has no form that writes a0 or a1",
        start,
        cursor.end - start,
    )
    slots = [source.components[0], source.components[-1]] if mask == 12 else [source.components[0]] * 2
    if mask == 8:
        slots[1] = 0
    elif mask == 4:
        slots[0] = 0
    return Dest(0, mask), *_sources(BY_NAME["mova"], [source], [_packed(slots)])
