"""Inputs and uniforms that a run of a shader may read and that have no value."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.missing import (
    ZEROS,
    components_text,
    constant_missing,
    extent_unknown,
    input_missing,
    register_range,
    rows_text,
)
from lanewise.core.numbers.floats import float24_from_float, float_from_float24
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.api.naming import listed
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.lift import flow_uniform
from lanewise.pica200.isa.program import Source, Target
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, LOOP, register_name
from lanewise.pica200.isa.uniforms import MOST_TURNS, PREAMBLE, count_of, hidden

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.isa.program import Uniform
    from lanewise.pica200.sem.profile import Profile


_MOST_STEP = 127  # of aL that goes up
COUNTER = 3  # the number of aL among index registers


def missing(shader: Shader, needed: Reads, bound: Inputs | None, values: Uniforms, profile: Profile) -> list[Diagnostic]:
    """Errors for what reachable code reads and the run lacks (B004, B005). `bound` is None where the inputs come from another
    stage."""
    inputs = [] if bound is None else _inputs(shader, needed, bound)
    return [*inputs, *_uniforms(shader, needed, values, profile)]


def _inputs(shader: Shader, needed: Reads, bound: Inputs) -> list[Diagnostic]:
    names = {uniform.first + n: uniform.name for uniform in listed(shader.interface, inputs=True) for n in range(uniform.size)}
    found: list[Diagnostic] = []
    for register, address in sorted(needed.direct.items()):
        if register < FLOAT and register not in bound.words:
            key = names.get(register, f"v{register}")
            what = f"{key} (v{register})" if register in names else f"v{register}, which has no name"
            found.append(input_missing(what, key, "vertex", "shader", shader.span(address)))
    return found


def _uniforms(shader: Shader, needed: Reads, values: Uniforms, profile: Profile) -> list[Diagnostic]:
    """One finding for each name and each run of registers without one. An array that is indexed needs all values of its
    name."""
    named = listed(shader.interface, inputs=False)
    owners = {register: uniform for uniform in named for register in range(uniform.first, uniform.last + 1)}
    lacking: dict[int, int] = {}  # registers, and the word that reads them
    preamble = shader.interface.preamble
    if preamble is not None:
        from lanewise.pica200.engine.preamble import registers_read

        read = [register for register in registers_read(preamble, shader.uniform_names) if register not in values.given]
        lacking |= dict.fromkeys(read, shader.interface.entry)
    for register, address in sorted(needed.direct.items()):
        owner = owners.get(register)
        if register < FLOAT or register in values.given:
            continue
        mine = range(owner.first, owner.last + 1) if owner else range(register, register + 1)
        for number in [register] if any(n in values.given for n in mine) else mine:
            lacking.setdefault(number, address)
    for register, address in sorted(needed.relative.items()):
        owner = owners.get(register)
        for number in range(owner.first, owner.last + 1) if owner else ():
            if number not in values.given:
                lacking.setdefault(number, address)
    parts: dict[str, list[tuple[int, int]]] = {}  # by name, or by the first register of those without one
    last = ""
    for register in sorted(lacking):
        owner = owners.get(register)
        runs = parts.get(owner.name if owner else last, [])
        if runs and runs[-1][1] + 1 == register and register_name(register)[0] == register_name(register - 1)[0]:
            runs[-1] = runs[-1][0], register
        else:
            last = last if owner else register_name(register)
            parts.setdefault(owner.name if owner else last, []).append((register, register))
    beyond = {
        name: past
        for name, runs in parts.items()
        if runs[0][0] not in owners and (past := _past_the_end(shader, runs[0][0], lacking[runs[0][0]], owners))
    }
    partly = _partly(shader, needed, values, owners, profile, parts) if values.partial else {}
    found = [
        beyond.get(name) or _no_value(shader, runs, owners.get(runs[0][0]), lacking, values)
        for name, runs in parts.items()
        if name not in partly
    ]
    return [*found, *partly.values()]


def _past_the_end(shader: Shader, register: int, address: int, owners: Mapping[int, Uniform]) -> Diagnostic | None:
    """The finding about a register without a name that a loop reaches past the end of an array; None for another one."""
    operations = shader.program.operations
    sources = [each for each in operations[address].operands if isinstance(each, Source) and each.relative == COUNTER]
    owner = next((owners[each.register] for each in sources if each.register in owners), None)
    if owner is None or register <= owner.last:
        return None
    size = f"{owner.size} register{'s' * (owner.size > 1)}"
    place = f"{owner.name}[{register - owner.first}] ({register_name(register)})"
    return Diagnostic(
        code="B005",
        severity=ERROR,
        message=f"the loop goes to {place}, past the end of {owner.name}: {size}",
        span=shader.span(address),
        fix=rounds_fix(shader, address, owner.size),
    )


def rounds_fix(shader: Shader, address: int, size: int, integers: Sequence[Sequence[int]] = ()) -> str:
    """The fix for a loop around an address that goes past the end of an array of a size, with the values of the i registers
    where they are known."""
    operations = shader.program.operations
    loop = next(
        (
            operation
            for operation in reversed(operations[:address])
            if operation.op.kind == LOOP
            and isinstance(operation.operands[-1], Target)
            and operation.operands[-1].address >= address
        ),
        None,
    )
    number = loop.operands[0] if loop is not None else None
    count = (
        next((each for each in shader.interface.uniforms if each.first == INTEGER + number), None)
        if isinstance(number, int)
        else None
    )
    name = count.name if count is not None else "its integer uniform"
    if isinstance(number, int) and number < len(integers):
        _, first, by = integers[number][:3]
        if 0 <= first < size and 0 < by <= _MOST_STEP:
            most = (size - 1 - first) // by
            return f"make {name} {most}, {first}, {by} at most: {most + 1} round{'s' * (most > 0)}, as x is the rounds less one"
    return f"take {size} rounds or less: x of {name} is the rounds less one, {size - 1} if aL begins at 0"


def _partly(
    shader: Shader,
    needed: Reads,
    values: Uniforms,
    owners: Mapping[int, Uniform],
    profile: Profile,
    rows_lacking: Mapping[str, Sequence[tuple[int, int]]],
) -> dict[str, Diagnostic]:
    """One finding for each name, and each register without one, of which components have an effect that its value does not
    have; with those rows that it lacks."""
    widths = dict(values.partial)
    read = {place: addresses for place, addresses in needed.components.items() if place[1] >= widths.get(place[0], 4)}
    for (base, component), addresses in needed.indexed.items():
        owner = owners.get(base)
        reach = range(owner.first, owner.last + 1) if owner else range(base, INTEGER)
        for register in reach:
            if register not in values.given:
                break
            if component >= widths.get(register, 4):
                read[register, component] = (*read.get((register, component), ()), *addresses)
    seen = shader.uniforms_seen(profile) if read else None
    lacking: dict[tuple[int, int], int] = {}
    for place, addresses in read.items():
        at = next((address for address in addresses if seen is None or seen(address, place[1])), None)
        if at is not None:
            lacking[place] = at
    parts: dict[str, list[tuple[int, int]]] = {}
    for register, component in sorted(lacking):
        owner = owners.get(register)
        parts.setdefault(owner.name if owner else register_name(register), []).append((register, component))
    found: dict[str, Diagnostic] = {}
    for name, places in parts.items():
        owner, registers = owners.get(places[0][0]), {register for register, _ in places}
        text = components_text("c", [(register - FLOAT, component) for register, component in places])
        whole_rows = [register_range("c", first - FLOAT, last - FLOAT) for first, last in rows_lacking.get(name, ())]
        text = ", ".join([text, *whole_rows])
        whole = owner is None or len(registers) > 1 or owner.size == 1
        key = name if owner is None or whole else f"{name}[{places[0][0] - owner.first}]"
        rows = owner.size if owner is not None and whole else 1
        what = f"{key} ({text})" if owner is not None else text
        value = rows_text(rows, "4 numbers")
        if owner is not None and whole:
            given = [register for register in range(owner.first, owner.last + 1) if register in values.given]
            width = min(widths.get(register, 4) for register in given)
            there = rows_text(len(given), f"{width} numbers" if width > 1 else "one number")
            what += f": {there} {'are' if width > 1 or len(given) > 1 else 'is'} given"
            if (len(given), width, rows) == (3, 3, 4):
                value += f", {_fourth(values.floats, given)}"
            elif rows == 1:
                numbers = [_number(word) for word in values.floats[given[0] - FLOAT][:width]]
                value += f", [{', '.join([*numbers, *'XYZW'[width:]])}]"
        at = shader.span(lacking[places[0]])
        lacks = constant_missing(f"uniform {what}", key, value, at, **_argument(shader))
        found[name] = lacks._replace(notes=_declared(owner), fix=lacks.fix.removesuffix(f"; {ZEROS}"))
    return found


def _declared(owner: Uniform | None) -> tuple[str, ...]:
    """The line that declares a uniform, where it has a comment, which says what its components are."""
    span = owner.span if owner is not None else None
    if span is None or not any(mark in span.text for mark in (";", "//", "#")):
        return ()
    return (f"line {span.line} declares it: {' '.join(span.text.split())}",)


def _fourth(floats: Sequence[Sequence[int]], registers: Sequence[int]) -> str:
    """The rows of a matrix of 3 x 3 with a fourth row and column."""
    rows = [[_number(word) for word in floats[register - FLOAT][:3]] for register in registers]
    return f"[{', '.join([f'[{x}, {y}, {z}, 0]' for x, y, z in rows])}, [0, 0, 0, 1]]"


def _number(word: int) -> str:
    """The shortest decimal of a float24 word."""
    number = float_from_float24(word)
    texts = [f"{number:.{digits}g}" for digits in range(1, 7)]
    return next((text for text in texts if float24_from_float(float(text)) == word), texts[-1])


def _argument(shader: Shader) -> dict[str, str]:
    """The option and the argument of a call that give a uniform."""
    before = "" if shader.stage == "vertex" else "geometry_"
    return {"option": f"--{before}uniform".replace("_", "-"), "argument": f"{before}uniforms"}


def _no_value(
    shader: Shader, runs: Sequence[tuple[int, int]], owner: Uniform | None, lacking: Mapping[int, int], values: Uniforms
) -> Diagnostic:
    """The finding for runs of registers, all of one name, or one run without a name."""
    count = sum(last - first + 1 for first, last in runs)
    places = ", ".join(register_name(first) + (f"-{register_name(last)}" if last > first else "") for first, last in runs)
    first = runs[0][0]
    if owner is None:
        key, rows, what = register_name(first), count, f"{places}, which {'have' if count > 1 else 'has'} no name"
    else:
        elements = [f"{n - owner.first}" + (f"-{m - owner.first}" if m > n else "") for n, m in runs]
        part = "" if owner.size == count else f"[{', '.join(elements)}]"
        key, rows, what = owner.name, owner.size, f"{owner.name}{part} ({places})"
        if count == 1 < owner.size:
            key, rows = f"{owner.name}[{elements[0]}]", 1
    if owner is not None and owner.own_name == PREAMBLE:
        return _no_preamble(shader, range(owner.first, owner.last + 1), lacking[first])
    value = "true or false" if first >= BOOLEAN else "3 bytes" if first >= INTEGER else "4 numbers"
    each = rows_text(rows, value)
    if owner is not None and count_of(owner.name):
        key = count_of(owner.name)
        what, each = f"{key}, the count of a loop", f"a number from 0 to {MOST_TURNS}"
    found = constant_missing(f"uniform {what}", key, each, shader.span(lacking[first]), **_argument(shader))
    if owner is None or owner.size == 1:
        return found
    note, fix = _loop(shader, lacking[first], values, first - owner.first)
    return found._replace(notes=(note,), fix=f"{fix}; or {found.fix}") if fix else found._replace(notes=(note,) if note else ())


def _loop(shader: Shader, address: int, values: Uniforms, given: int) -> tuple[str, str]:
    """How often a loop runs that reads an element of an array, of which some are `given`, and the count for those."""
    insts = [(at, decode(word)) for at, word in enumerate(shader.words[:address])]
    loops = [(at, inst) for at, inst in insts if "int" in inst.op.operands and inst.field("dst") >= address]
    if not loops:
        return "", ""
    at, inst = loops[-1]
    register = flow_uniform(inst) or INTEGER
    names = {each.first: each.name for each in listed(shader.interface, inputs=False)}
    name = names.get(register, register_name(register))
    count, start, step, _ = values.integers[register - INTEGER]
    line = shader.span(at).line
    place = f" of line {line}" if line else f" at word {at:#x}"
    note = f"the loop{place} runs {count + 1} times, as '{name}' is {count}, {start}, {step}: the first is one less"
    rounds = -(-(given - start) // step) if step else 0
    fix = (
        f"for {rounds} round{'s' if rounds > 1 else ''} give '{name}' {rounds - 1}, {start}, {step}"
        if 0 < rounds <= count
        else ""
    )
    return note, fix


def without_preamble(shader: Shader, needed: Reads, values: Uniforms) -> list[Diagnostic]:
    """The error (C021) where code reads registers that a preamble computes, the preamble is not at hand, and the registers are
    not given. A 0 for what is missing does not stand for them."""
    registers = hidden(shader.interface)
    if not registers or shader.interface.preamble is not None:
        return []
    tables = needed.direct, needed.relative
    read = [table[n] for n in registers if n not in values.given for table in tables if n in table]
    return [_no_preamble(shader, registers, read[0])] if read else []


def _no_preamble(shader: Shader, registers: range, address: int) -> Diagnostic:
    """The finding for registers that a preamble computes, of a file whose preamble is not at hand."""
    places = register_name(registers[0]) + (f"-{register_name(registers[-1])}" if len(registers) > 1 else "")
    return Diagnostic(
        code="C021",
        severity=ERROR,
        message=f"{shader.name} has a preamble, which computes {places}, and its .json is not here",
        span=shader.span(address),
        fix=f"keep the .json of `lanewise compile --preamble` beside the file, or give the registers: --uniform {PREAMBLE}=...",
    )


def unknown_extents(shader: Shader, needed: Reads, values: Uniforms) -> list[Diagnostic]:
    """Warnings for arrays that are indexed, have no name, and so no known end."""
    named = [uniform for uniform in shader.interface.uniforms if FLOAT <= uniform.first < INTEGER]
    found: list[Diagnostic] = []
    for base, address in sorted(needed.relative.items()):
        free = next((n for n in range(base, INTEGER) if n not in values.given), None)
        if free is not None and not any(uniform.first <= base <= uniform.last for uniform in named):
            fix = f"give {register_name(base)} a row for each register that the address reaches"
            found.append(extent_unknown(register_name(base), register_name(free), fix, shader.span(address)))
    return found
