"""The directives of the picasso language. Source: conformance rules 9-12, 30-37. Those that declare values are in `values`.

Ours: explicit places (`.fvec name c4`), `.opdesc N 0xWORD`, `.word 0xWORD`, `.nonop`, `.symbol "text"`, `.shbin KEY VALUE`.
"""

from __future__ import annotations

from lanewise.core.diagnostics import Related
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.numbers import read_decimal, read_integer
from lanewise.core.text.problems import Problem
from lanewise.pica200.isa import module as m
from lanewise.pica200.isa import program
from lanewise.pica200.isa.module import Mark
from lanewise.pica200.isa.program import Output, Uniform
from lanewise.pica200.isa.table import FLOAT, INTEGER, TEMPORARY, register_name
from lanewise.pica200.isa.uniforms import COUNT, FIRST, Declared, UniformSpace
from lanewise.pica200.text.picasso import extensions, values
from lanewise.pica200.text.picasso.arguments import alias_name, no_arguments, one_name, poison, words_of
from lanewise.pica200.text.picasso.operands import Alias, Poisoned, disorder, mask_of, read_swizzle
from lanewise.pica200.text.picasso.syntax import OUTSIDE, Quirk, begins_like_register, is_identifier

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.pica200.isa.module import Unit
    from lanewise.pica200.text.picasso.operands import Selection
    from lanewise.pica200.text.picasso.reader import Reader

SEMANTICS = {
    "position": 0,
    "pos": 0,
    "normalquat": 1,
    "nquat": 1,
    "color": 2,
    "clr": 2,
    "texcoord0": 3,
    "tcoord0": 3,
    "texcoord0w": 4,
    "tcoord0w": 4,
    "texcoord1": 5,
    "tcoord1": 5,
    "texcoord2": 6,
    "tcoord2": 6,
    "view": 8,
    "dummy": 9,
}
DUMMY = 9
NORMALS = ("normal", "normals", "nrm")  # what no output is
_NO_NORMAL = (
    "light in this shader, or write normalquat for fragment lighting: a quaternion that turns (0, 0, 1) into the normal, "
    "not the normal itself"
)
_MODES = {"point": 0, "variable": 1, "subdivision": 1, "fixed": 2, "particle": 2}
_TABLE_SIZE = 96  # entries of an object's uniform table in picasso (rule 36)
_LAST_MAPPED = 6  # o7 and up exist only as dummy outputs


# Procedures and blocks


def proc(reader: Reader, rest: str) -> None:
    name = one_name(reader, rest, ".proc NAME")
    reader.argument = 0
    if reader.blocks and reader.blocks[-1].name == OUTSIDE:
        reader.blocks.pop()
    nested = reader.blocks[-1] if reader.blocks else None
    reader.argument = -1
    reader.open(m.END_PROC, name)
    reader.items.append(Mark(m.PROC, name, reader.span()))
    reader.argument = 0
    if nested is not None:
        reader.warn(
            Quirk(code="V025", message=f"procedure {name} begins inside another block", fix="close the other block first")
        )
    if not is_identifier(name):
        reader.warn(
            Quirk(
                code="P042",
                message=f"'{name}' is not an identifier: this procedure cannot be called",
                fix=f"write `.proc {_identifier(name)}`" if _identifier(name) else "use letters, digits, `_` and `$`",
                length=len(name),
                replacement=_identifier(name) or None,
            )
        )
    earlier = reader.procedures.get(name)
    if earlier is not None:
        raise reader.second_procedure(name, Related(earlier, f"procedure '{name}' is defined here first"))
    reader.procedures[name] = reader.span()


def _identifier(name: str) -> str:
    """The identifier that a name begins with, as in `main() {`; empty without one."""
    end = next((i for i in range(len(name), 0, -1) if is_identifier(name[:i])), 0)
    return name[:end]


def otherwise(reader: Reader, rest: str) -> None:
    no_arguments(reader, rest)
    block = reader.blocks[-1] if reader.blocks else None
    if block is not None and block.kind == "broken":
        return
    if block is None or block.kind != m.END_IF:
        raise Problem("P044", ".else outside ifu and ifc", "put it between `ifu` or `ifc` and its `.end`")
    if block.otherwise:
        raise Problem(
            "P045", "second .else of this block", "remove one", related=(Related(block.span, "the block begins here"),)
        )
    reader.blocks[-1] = block._replace(otherwise=True)
    reader.items.append(Mark(m.ELSE, "", reader.span()))


def end(reader: Reader, rest: str) -> None:
    no_arguments(reader, rest)
    if not reader.blocks:
        raise Problem("P046", ".end without an open block", "remove it, or look for a block that is closed too early")
    block = reader.blocks.pop()
    if block.kind == values.ARRAY:
        values.end_array(reader)
    elif block.kind != "broken":
        reader.items.append(Mark(block.kind, block.name, reader.span()))
        if block.kind == m.END_PROC and reader.names is not None:
            reader.names.ended(reader, block.name, block.span.line)


# Names


def alias(reader: Reader, rest: str) -> None:
    usage = ".alias NAME REGISTER[.swizzle]"
    words = rest.split()
    name = words[0] if words else ""
    try:
        name, register = words_of(reader, rest, 2, 2, usage)
        if not is_identifier(name):
            fix = (
                "remove the comma: " + usage
                if name.endswith(",")
                else "use letters, digits, `_` and `$`, not starting with a digit"
            )
            bare = name.rstrip(",") if is_identifier(name.rstrip(",")) else None
            raise Problem("P047", f"'{name}' is not a valid name", fix, replacement=bare)
        if begins_like_register(name):
            raise Problem("P041", f"'{name}' is a register and cannot be an alias", "choose a name that is not a register")
        findings: list[Quirk] = []
        reader.operand_at(register)
        selection = reader.operands.select(register, findings)
        if selection.letter == "o":
            reader.make_unit()
        for finding in findings:
            reader.quirk(finding)
        short = register in reader.operands.short
        size = reader.operands.aliases[register].size if register in reader.operands.aliases else 0
        alias_name(
            reader,
            name,
            Alias(
                register=selection.register,
                selector=selection.selector,
                negate=selection.negate,
                size=size,
                letter=selection.letter,
            ),
        )
        if short:
            reader.operands.short_aliases[name] = register.rpartition(".")[2]
        written = selection.letter == "o"
        reader.aliases.append(
            program.Alias(
                name=name,
                register=selection.register,
                size=size,
                selector=selection.selector,
                negate=selection.negate,
                written=written,
            )
        )
    except (Problem, Poisoned):
        poison(reader, name)
        raise


def _sized_name(text: str, findings: list[Quirk]) -> tuple[str, int, str]:
    """(name, size, explicit register) of `name`, `name[4]`, `name c4`, `name[4] c4`. Raises Problem."""
    bracket = text.find("[")
    if bracket >= 0:
        close = text.find("]", bracket)
        if close < 0:
            raise Problem("P022", "unclosed bracket", "add `]`")
        name, inside, rest = text[:bracket], text[bracket + 1 : close].strip(), text[close + 1 :]
        size, length = read_decimal(inside)
        if size < 1:
            fix = "sizes are decimal" if inside[:2].lower() == "0x" else "write a size of at least 1"
            raise Problem("P048", f"'{inside}' is not a size for {name}", fix)
        if length < len(inside):
            findings.append(
                Quirk(code="P023", message=f"'{inside[length:]}' in the size is ignored", fix="write a decimal number")
            )
        place = rest.strip()
        if place and not (rest[0].isspace() and begins_like_register(place)):
            findings.append(Quirk(code="P023", message=f"'{place}' after the size is ignored", fix="remove it"))
            place = ""
        return name, size, place
    words = text.split()
    if len(words) == 2 and begins_like_register(words[1]):
        return words[0], 1, words[1]
    return text, 1, ""


def uniform(kind: str, reader: Reader, rest: str) -> None:
    """`.fvec`, `.ivec`, `.bool`: a list of names, each with a size and, ours, a register."""
    unit = reader.make_unit()
    reader.declares = True
    if "(" in rest:
        from lanewise.pica200.text.picasso.directive_faults import refuse_values

        refuse_values(reader, kind, rest)
    parts = [part.strip() for part in rest.split(",")]
    if not parts[-1]:
        parts.pop()
        if parts:
            reader.warn(Quirk(code="P009", message="trailing comma is ignored", fix="remove it"))
        else:
            reader.warn(
                Quirk(code="P049", message=f"{reader.word} declares nothing", fix=f"write {reader.word} NAME, NAME[SIZE]")
            )
    problems: list[tuple[int, Problem]] = []
    for i, part in enumerate(parts):
        reader.argument = i
        try:
            _declare(kind, reader, unit, part)
        except Problem as problem:
            poison(reader, part.partition("[")[0].split(" ")[0])
            problems.append((i, problem))
    for i, problem in problems:
        reader.argument = i
        if problem is problems[-1][1]:
            raise problem
        reader.report(problem)


def _declare(kind: str, reader: Reader, unit: Unit, text: str) -> None:
    findings: list[Quirk] = []
    name, size, place = _sized_name(text, findings)
    if place and reader.compatible:  # picasso drops the text after a size, and accepts none after a name
        name, place = (name, "") if "[" in text else (text, "")
        findings.append(
            Quirk(code="P023", message=f"'{text.rpartition(']')[2].strip()}' after the size is ignored", fix="remove it")
        )
    if not is_identifier(name):
        fix = (
            "separate names with commas"
            if " " in name.strip()
            else "use letters, digits, `_` and `$`, not starting with a digit"
        )
        raise Problem("P050", f"'{name}' is not a valid uniform name", fix)
    for finding in findings:
        reader.quirk(finding)
    known = reader.space.names.get(name)
    if name in reader.operands.aliases:
        alias_name(reader, name, Alias(register=0))
    if known is not None:
        register = _known_place(kind, name, size, place, known)
    elif place:
        register = _explicit_place(kind, reader, name, size, place)
    else:
        register = reader.space.uniform(name, kind, size)
        if register < 0:
            free = reader.space.free(kind)
            from lanewise.pica200.text.picasso.directive_faults import does_not_fit

            raise does_not_fit(reader, kind, name, size, free)
    alias_name(reader, name, Alias(register=register, size=size))
    entry = Uniform(name=name, first=register, last=register + size - 1, symbol=reader.symbol, span=reader.span())
    if not place:
        reader.allocated.append(entry)
    if not name.startswith("_") or reader.symbol is not None:
        if len(unit.inputs) + len(unit.uniforms) >= _TABLE_SIZE:
            raise Problem("V027", f"more than {_TABLE_SIZE} inputs and uniforms in the table", "begin private names with `_`")
        unit.uniforms.append(entry)
        if reader.space is reader.shared:
            reader.declared.append(entry)
    reader.symbol = None


def _known_place(kind: str, name: str, size: int, place: str, known: Declared) -> int:
    if known.kind != kind:
        raise Problem("V028", f"'{name}' is .{known.kind} in an earlier file and .{kind} here", "use one kind, or another name")
    if known.size != size:
        raise Problem(
            "V028", f"'{name}' has size {known.size} in an earlier file and {size} here", "use one size, or another name"
        )
    if place and register_name(known.register) != place.lower():
        raise Problem("V029", f"'{name}' is already at {register_name(known.register)}", "use the same register in all files")
    return known.register


def _explicit_place(kind: str, reader: Reader, name: str, size: int, place: str) -> int:
    letter = {"fvec": "c", "ivec": "i", "bool": "b"}[kind]
    number, length = read_integer(place[1:])
    if place[0].lower() != letter or length < len(place) - 1:
        raise Problem("V029", f"'{place}' is not a register for .{kind}", f"use {letter}0-{letter}{COUNT[kind] - 1}")
    if not 0 <= number <= COUNT[kind] - size:
        raise Problem("V029", f"{name}[{size}] at {place} reaches past {letter}{COUNT[kind] - 1}", "use a lower register")
    register = FIRST[kind] + number
    other = reader.space.place(name, kind, size, register)
    if other:
        raise Problem("V029", f"{name}[{size}] at {place} overlaps {other}", "use another register, or leave out the register")
    return register


# Inputs and outputs


def _place(reader: Reader, text: str, what: str, end: int) -> Selection:
    """An explicit register of `.in` or `.out`."""
    findings: list[Quirk] = []
    reader.operand_at(text)
    selection = reader.operands.select(text, findings)
    if not 0 <= selection.register < end or selection.letter in ("r", "c", "i", "b"):
        raise Problem("V034", f"'{text}' is not an {what} register", f"use {what[0].replace('i', 'v')}0 and up", 0, 0)
    wrong = "o" if what == "input" else "v"
    if selection.letter == wrong:
        findings.append(
            Quirk(
                code="V034",
                message=f"'{text}' is not an {what} register: read as {'vo'[wrong == 'v']}{selection.register}",
                fix=f"write {'vo'[wrong == 'v']}{selection.register}",
                start=0,
                length=len(text.partition(".")[0]),
                replacement=f"{'vo'[wrong == 'v']}{selection.register}",
            )
        )
    for finding in findings:
        reader.quirk(finding)
    return selection


def input_(reader: Reader, rest: str) -> None:
    unit = reader.make_unit()
    words = rest.split()
    name = words[0] if words else ""
    try:
        words = words_of(reader, rest, 1, 2, ".in NAME [v0-v14]")
        if not is_identifier(name):
            raise Problem(
                "P050", f"'{name}' is not a valid input name", "use letters, digits, `_` and `$`, not starting with a digit"
            )
        if len(words) > 1:
            selection = _place(reader, words[1], "input", TEMPORARY)
            register = selection.register
            if selection.swizzled:
                reader.quirk(
                    Quirk(
                        code="V020",
                        message="swizzle of an input declaration is ignored",
                        fix="swizzle the input where it is read, or with `.alias`",
                    )
                )
            if unit.input_mask >> register & 1:
                other = next((u.name for u in unit.inputs if u.first == register), "")
                reader.warn(
                    Quirk(
                        code="V035",
                        message=f"v{register} is already named {other}",
                        fix="use another register, or `.alias` for a second name",
                    )
                )
        else:
            register = next((n for n in range(16) if not unit.input_mask >> n & 1), -1)
            if register < 0:
                raise Problem("V036", "all 16 input registers are declared", "remove one")
        alias_name(reader, name, Alias(register=register, letter="v"))
        if len(unit.inputs) + len(unit.uniforms) >= _TABLE_SIZE:
            raise Problem("V027", f"more than {_TABLE_SIZE} inputs and uniforms in the table", "begin private names with `_`")
        unit.input_mask |= 1 << register
        unit.inputs.append(Uniform(name=name, first=register, last=register, symbol=reader.symbol, span=reader.span()))
        reader.symbol = None
    except (Problem, Poisoned):
        poison(reader, name)
        raise


def output(reader: Reader, rest: str) -> None:
    unit = reader.make_unit()
    reader.declares = True
    words = rest.split()
    name = words[0] if words else ""
    try:
        words = words_of(reader, rest, 2, 3, ".out NAME PROPERTY[.mask] [REGISTER[.mask]]")
        if name != "-" and not is_identifier(name):
            raise Problem(
                "P050", f"'{name}' is not a valid output name", "use letters, digits, `_` and `$`, or `-` for no name"
            )
        _wire(reader, unit, name, words)
    except (Problem, Poisoned):
        poison(reader, name)
        raise


# Properties as they are named where one is asked for.
_USUAL = ("position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "view", "dummy")


def _wire(reader: Reader, unit: Unit, name: str, words: list[str]) -> None:
    kind, mask = words[1], 0xF
    explicit = len(words) > 2
    if not explicit and "." in kind:
        kind, _, letters = kind.partition(".")
        selector = read_swizzle(letters, reader.word_at(2) + len(kind) + 1)
        mask = mask_of(selector)
        _warn_order(reader, letters, selector)
    semantic = SEMANTICS.get(kind.lower())
    if semantic is None:
        near = reader.suggestions.nearest(kind.lower(), SEMANTICS)
        fix = (
            "put the mask after the register"
            if "." in kind
            else _NO_NORMAL
            if kind.lower() in NORMALS
            else _not_an_output(kind.lower()) or (f"did you mean {near}?" if near else f"use {', '.join(_USUAL)}")
        )
        meant = f"{near}{words[1][len(kind) :]}" if fix == f"did you mean {near}?" else None
        raise Problem("V037", f"unknown output property '{kind}'", fix, reader.word_at(2), len(words[1]), (), meant)
    if explicit:
        selection = _place(reader, words[2], "output", TEMPORARY)
        register, mask = selection.register, mask_of(selection.selector)
        _warn_order(reader, words[2].rpartition(".")[2], selection.selector)
        _check_collision(reader, unit, register, mask, words[2])
    else:
        last = 7 if unit.geometry else 16
        taken = {out.register for out in unit.outputs}
        register = next((n for n in range(last) if n not in taken), -1)
        if register < 0:
            raise Problem(
                "V036",
                f"all {last} output registers are in use",
                "put two properties into one register: `.out NAME PROPERTY oN.xy`",
            )
    if register > _LAST_MAPPED and semantic != DUMMY:
        raise Problem(
            "V038", f"o{register} can only be a dummy output", "use o0-o6 for properties; two of them may share a register"
        )
    before = next((out for out in unit.outputs if out.semantic == semantic and semantic != DUMMY), None)
    if before is not None:
        reader.warn(Quirk(code="V039", message=f"{kind} is already wired to o{before.register}", fix="wire each property once"))
    if name != "-":
        alias_name(reader, name, Alias(register=register, letter="o"))
    unit.output_mask |= 1 << register
    number, word = (2, words[1]) if name == "-" else (1, name)
    place = Span(
        file=reader.file,
        line=reader.number,
        column=reader.indent + reader.word_at(number) + 1,
        length=len(word),
        text=reader.line.rstrip("\r\n"),
    )
    unit.outputs.append(
        Output(semantic=semantic, register=register, mask=_reversed(mask), name="" if name == "-" else name, span=place)
    )


def _not_an_output(kind: str) -> str:
    """The fix for a property of other hardware; empty for other words."""
    from lanewise.pica200.text.picasso.directive_faults import OUTPUTS

    return OUTPUTS.get(kind, "")


def _reversed(mask: int) -> int:
    """A write mask (x in bit 3) as the output table has it (x in bit 0)."""
    return sum(1 << (3 - bit) for bit in range(4) if mask >> bit & 1)


def _warn_order(reader: Reader, letters: str, selector: int) -> None:
    if disorder(selector):
        reader.warn(
            Quirk(
                code="V013",
                message=f"write mask out of order: .{letters} means the same as sorted letters",
                fix="sort the letters",
            )
        )


def _check_collision(reader: Reader, unit: Unit, register: int, mask: int, text: str) -> None:
    """Explicit outputs must not meet. picasso tests in 32 bits, so that it takes o8 for o0 (rule 34): refused alike."""
    for out in unit.outputs:
        if out.register % 8 == register % 8 and out.mask & _reversed(mask):
            if out.register == register:
                raise Problem(
                    "V045",
                    f"o{register} already has a property for these components",
                    "use other components or another register",
                    0,
                    len(text),
                )
            raise Problem(
                "V045",
                f"o{register} is read as o{out.register} by picasso here, and rejected",
                "leave out the register: automatic outputs are not checked",
            )


# The file as a whole


def entry(reader: Reader, rest: str) -> None:
    unit = reader.make_unit()
    (name,) = words_of(reader, rest, 1, 1, ".entry PROC")
    if not is_identifier(name):
        raise Problem(
            "P013",
            f"'{name}' is not a procedure name",
            "use the NAME of a `.proc`: letters, digits, `_` and `$`, not starting with a digit",
        )
    unit.entry, unit.entry_span = name, reader.span()


def nodvle(reader: Reader, rest: str) -> None:
    no_arguments(reader, rest)
    reader.make_unit().is_library = True


_MODE_LINES = (
    ".gsh point c0: its own uniforms begin there",
    ".gsh variable c0 3, with the number of vertices of a primitive for 3",
    ".gsh fixed c48 c0 4, with the first uniform for c48, the first register of the vertices for c0, and their number for 4",
)


def gsh(reader: Reader, rest: str) -> None:
    unit = reader.make_unit()
    words = rest.split()
    if not words:
        if unit.mode >= 0:
            reader.quirk(
                Quirk(code="V046", message=".gsh without a mode overrides the mode set before", fix="remove one of them")
            )
            unit.mode, reader.space = -1, reader.shared
        if not unit.geometry:
            reader.become_geometry(unit)
        return
    if unit.geometry:
        raise Problem("V047", "this file is already a geometry shader", "write `.gsh` once, before `setemit`")
    if reader.declares:
        raise Problem("V048", ".gsh after constants, uniforms or outputs", "move it to the top of the file")
    try:
        first, mode = _mode(reader, unit, rest)
    except Problem as problem:
        from lanewise.pica200.text.picasso.directive_faults import geometry_line

        problem.fix = geometry_line(reader, rest)
        problem.message = problem.message.replace("operands are registers", "a register is expected here")
        raise
    unit.mode = mode
    reader.space = UniformSpace(first, own=True)
    reader.become_geometry(unit)


def _mode(reader: Reader, unit: Unit, rest: str) -> tuple[int, int]:
    """The first register of its own uniforms, and the mode of `.gsh`. Raises Problem."""
    word = rest.split(None, 1)[0]
    mode = _MODES.get(word.lower())
    if mode is None:
        raise Problem("V049", f"unknown geometry shader mode '{word}'", "use point, variable or fixed")
    usage = _MODE_LINES[mode]
    words = words_of(reader, rest, 2 + mode, 2 + mode, usage)
    first = _float_register(reader, words[1])
    if mode == 2:
        start = _float_register(reader, words[2])
        if start >= first:
            raise Problem(
                "V050",
                f"vertex array at {words[2]} overlaps the registers for uniforms (from {words[1]})",
                "start the uniforms after the array",
            )
        unit.array_start = start - FLOAT
    if mode:
        unit.vertex_count = _count(words[-1])
        if mode == 2 and unit.array_start + unit.vertex_count > first - FLOAT:
            reader.warn(
                Quirk(
                    code="V050",
                    message=f"{unit.vertex_count} vertices from {words[2]} overlap the registers for uniforms (from "
                    f"{words[1]})",
                    fix="start the uniforms after the array: "
                    f"`.gsh fixed c{unit.array_start + unit.vertex_count} {words[2]} {words[-1]}`",
                )
            )
    return first, mode


def _float_register(reader: Reader, text: str) -> int:
    findings: list[Quirk] = []
    reader.operand_at(text)
    selection = reader.operands.select(text, findings)
    if not FLOAT <= selection.register < INTEGER:
        raise Problem("V019", f"'{text}' is not a float uniform", "use c0-c95")
    for finding in findings:
        reader.quirk(finding)
    return selection.register


def _count(text: str) -> int:
    number, length = read_integer(text)
    if not length:
        raise Problem("P014", f"'{text}' is not a number of vertices", "write a number from 0 to 255")
    if not 0 <= number <= 255:
        raise Problem("V023", f"{number} is out of range: 0 to 255", "use a number of 8 bits")
    return number


DIRECTIVES: dict[str, Callable[[Reader, str], None]] = {
    ".proc": proc,
    ".else": otherwise,
    ".end": end,
    ".alias": alias,
    ".fvec": lambda reader, rest: uniform("fvec", reader, rest),
    ".ivec": lambda reader, rest: uniform("ivec", reader, rest),
    ".bool": lambda reader, rest: uniform("bool", reader, rest),
    ".constf": lambda reader, rest: values.constant("fvec", reader, rest),
    ".consti": lambda reader, rest: values.constant("ivec", reader, rest),
    ".constfa": values.array,
    ".setf": lambda reader, rest: values.preset("fvec", reader, rest),
    ".seti": lambda reader, rest: values.preset("ivec", reader, rest),
    ".setb": values.preset_boolean,
    ".in": input_,
    ".out": output,
    ".entry": entry,
    ".nodvle": nodvle,
    ".gsh": gsh,
    ".opdesc": extensions.opdesc,
    ".word": extensions.word,
    ".nonop": extensions.nonop,
    ".symbol": extensions.symbol,
    ".shbin": extensions.shbin,
}
