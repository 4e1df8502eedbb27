"""A program as picasso source: one sheet for each shader, and a `.nodvle` one for what they share.

Plain sheets hold nothing that picasso does not know. Extended ones may use numeric targets, `.word`, explicit registers,
`.symbol` and pinned descriptors, so that any program can be written.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.isa.encoder import Descriptors, descriptor_word, form
from lanewise.isa.layout import BREAKS, LEAVES
from lanewise.isa.pica200 import (
    BOOLEAN,
    FLOAT,
    GEOMETRY_MODES,
    INTEGER,
    REGISTER_END,
    SEMANTICS,
    VERTEX,
    register_name,
    significant,
)  # fmt: skip
from lanewise.isa.program import Dest, Interface, Source, Target, Uniform
from lanewise.text.picasso.extensions import quote
from lanewise.text.picasso.printer import Names, Printer, float_text, is_plain_float, live_selectors, sayable, write_mask
from lanewise.text.picasso.structure import Interval, find_structure
from lanewise.text.picasso.syntax import is_identifier, is_register

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.isa.program import Constant, Operation, Output, Program

_OUTPUT_NAMES = ("outpos", "outnq", "outclr", "outtc0", "outtc0w", "outtc1", "outtc2", "", "outview", "outdummy")
_CLASSES = (("fvec", FLOAT, INTEGER), ("ivec", INTEGER, BOOLEAN), ("bool", BOOLEAN, REGISTER_END))
_DUMMY, _LAST_MAPPED = 9, 6
_JUMPS = ("jmpc", "jmpu")


class NotPlain(Exception):
    """The program has something that plain picasso source cannot say."""


class Sheet:
    """One source file: its shader (None for the shared one), the words it holds, its declarations and code."""

    def __init__(self, suffix: str, number: int, interface: Interface | None) -> None:
        self.suffix, self.number, self.interface = suffix, number, interface
        self.start = self.end = 0
        self.geometry = interface is not None and interface.geometry
        self.names = Names(geometry=self.geometry)
        self.head: list[str] = []
        self.body: list[str] = []
        self.fields: list[str] = []

    def text(self) -> str:
        aliases = [f".alias {alias} {register}" for register, alias in self.names.aliases.items()]
        parts = [self.head[:1] + aliases + self.head[1:] if self.geometry else aliases + self.head, self.fields, self.body]
        return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def own_space(interface: Interface) -> bool:
    """Whether a geometry shader can be written with a mode, so that it has a uniform space of its own."""
    uses_last = any(uniform.last == REGISTER_END - 1 for uniform in interface.uniforms)
    merges = any(output.semantic == _DUMMY for output in interface.outputs)
    return interface.geometry and (interface.geometry_mode > 0 or (not uses_last and merges == interface.merge_outputs))


class Writer:
    """Writes the sheets of a program that was read from a file."""

    def __init__(self, program: Program, *, implicit: bool = False, extended: bool = False, pinned: bool = False) -> None:
        encoding = program.encoding
        if encoding is None:
            raise ValueError("only a program read from a file has words to write")
        self.program, self.extended, self.implicit = program, extended, implicit
        self.words = [word or 0 for word in encoding.words]
        self.descriptors = encoding.descriptors
        self.pins = dict(enumerate(self.descriptors)) if pinned else None
        self.table = Descriptors(self.pins)
        self.entries = [self.entry_of(interface) for interface in program.interfaces]
        self.structure = find_structure(program.operations, self.entries, self.sayable)
        # nihstro lists every label of a source in the file: then they all are written.
        self.every_label = encoding.container.get("layout") == b"nihstro"
        self.known: dict[int, str] = {
            address: name for name, address in reversed(list(program.labels.items())) if is_identifier(name)
        }
        self.procedures = self.name_procedures()
        self.sheets = self.split()

    def sheets_text(self) -> list[tuple[str, str]]:
        """(suffix of the file's name, text) of every sheet in the order of the command line. Raises NotPlain."""
        for sheet in self.sheets:
            self.declare(sheet)
            self.write_code(sheet)
        if self.pins:
            self.sheets[0].fields += [f".opdesc {number} {value:#010x}" for number, value in self.pins.items()]
        if self.extended:
            self.sheets[0].fields.append(".nonop")
        return [(sheet.suffix, sheet.text()) for sheet in self.sheets]

    # Procedures and files

    def sayable(self, pc: int) -> bool:
        return sayable(self.program.operations[pc], self.words[pc], plain=not self.extended)

    def entry_of(self, interface: Interface) -> Interval:
        """The entry procedure: as the file says, or up to the first `end` where it does not say."""
        size = len(self.program.operations)
        start, end = interface.entry, interface.entry_end
        if start <= end <= size and (end > start or not self.extended):
            return Interval(start, end)
        end = start
        for pc in range(start, size):
            operation = self.program.operations[pc]
            if operation.op.name in ("ifc", "ifu", "for"):
                target = operation.operands[-1]
                if isinstance(target, Target) and target.address + target.num <= size:
                    end = max(end, target.address + target.num, pc + 1)
            if operation.op.name == "end" and pc >= end:
                return Interval(start, pc + 1)
        return Interval(min(start, size), size)

    def name_procedures(self) -> dict[Interval, str]:
        """Procedures by the labels of the file where it has some; the entry of a file without labels is `main`."""
        names: dict[Interval, str] = {}
        accepted = set(self.structure.procedures)
        entries = [entry for entry in self.entries if entry in accepted]
        taken: set[str] = set()
        for interval in dict.fromkeys((*entries, *self.structure.procedures)):
            number = entries.index(interval) if interval in entries else -1
            generic = ("main" if len(self.entries) == 1 else f"main{number}") if number >= 0 else f"sub_{interval.start:x}"
            name = self.known.get(interval.start, generic)
            if name in taken:
                name = generic if generic not in taken else f"sub_{interval.start:x}_{interval.end - interval.start}"
            taken.add(name)
            names[interval] = name
        if not self.extended and len({*self.entries} - accepted):
            raise NotPlain("entry procedures cross")
        return names

    def split(self) -> list[Sheet]:
        """The sheets, each with a run of the top-level stretches."""
        interfaces = self.program.interfaces
        several = len(interfaces) > 1
        sheets = [Sheet(f".{n}" if several else "", n, interface) for n, interface in enumerate(interfaces)]
        shared = Sheet(".shared", -1, None)
        top = self.structure.top
        spread = self.spread(shared, sheets, top, several)
        if any(not sheet.geometry and self.needs_geometry(sheet) for sheet in spread):
            return self.apart(shared, sheets)
        sharing = sum(not own_space(interface) for interface in interfaces)
        names = sharing > 1 and self.shared_uniforms()
        return spread if several and (shared.end > shared.start or names) else sheets

    def needs_geometry(self, sheet: Sheet) -> bool:
        """Whether words of a sheet are possible only in a geometry shader: setemit (in a shader's own file), or too many."""
        if self.extended and sheet.start < sheet.end and sheet.end > VERTEX.code_words:
            return True
        code = self.program.operations[sheet.start : sheet.end]
        return sheet.interface is not None and any(operation.op.name == "setemit" for operation in code)

    def apart(self, shared: Sheet, sheets: list[Sheet]) -> list[Sheet]:
        """All words in the shared sheet, which may be a geometry shader without being one of the file's."""
        shared.start, shared.end = 0, len(self.words)
        shared.names.geometry = shared.geometry = True
        for sheet in sheets:
            sheet.start = sheet.end = shared.end
        return [shared, *sheets]

    def spread(self, shared: Sheet, sheets: list[Sheet], top: Sequence[Interval], several: bool) -> list[Sheet]:
        """Give each stretch to the shader that alone reaches it, as far as the order of the files allows."""
        owners = self.owners(top)
        position = -1 if several else 0
        at = 0
        run = [shared, *sheets]
        for n, stretch in enumerate(top):
            owner = owners[n]
            if owner > position and not self.jumps_across(stretch.start):
                run[position + 1].end = at
                for sheet in run[position + 2 : owner + 2]:
                    sheet.start = sheet.end = at
                position = owner
            at = stretch.end
        for sheet in run[position + 1 :]:
            sheet.end = at
            if sheet is not run[position + 1]:
                sheet.start = at
        return run

    def owners(self, top: Sequence[Interval]) -> list[int]:
        """For each stretch the one shader that reaches it by calls, or -1."""
        reach: list[set[int]] = [set() for _ in top]
        of_word = {pc: n for n, stretch in enumerate(top) for pc in range(stretch.start, stretch.end)}
        for number, entry in enumerate(self.entries):
            waiting = [of_word[entry.start]] if entry.start in of_word else []
            while waiting:
                n = waiting.pop()
                if number in reach[n]:
                    continue
                reach[n].add(number)
                for pc in range(top[n].start, top[n].end):
                    operands = self.program.operations[pc].operands
                    target = operands[-1] if operands else None
                    if isinstance(target, Target) and target.address in of_word:
                        waiting.append(of_word[target.address])
        return [next(iter(numbers)) if len(numbers) == 1 else -1 for numbers in reach]

    def jumps_across(self, boundary: int) -> bool:
        for pc, operation in enumerate(self.program.operations):
            if operation.op.name in _JUMPS:
                target = operation.operands[-1]
                if isinstance(target, Target) and (pc < boundary) != (target.address < boundary):
                    return True
        return False

    # Declarations

    def declare(self, sheet: Sheet) -> None:
        interface = sheet.interface
        if interface is None:
            sheet.head.append(".nodvle")
            if sheet.geometry and self.extended:
                sheet.head.insert(0, ".gsh")
            self.declare_uniforms(sheet, self.shared_uniforms(), first=FLOAT, gaps=True)
            return
        own = own_space(interface)
        floats = [uniform.first for uniform in interface.uniforms if FLOAT <= uniform.first < INTEGER]
        first = min(floats, default=FLOAT + (interface.array_start + 1 if interface.geometry_mode == 2 else 0))
        if interface.geometry:
            sheet.head.append(self.geometry_line(interface, first) if own else ".gsh")
        gaps = own or self.sheets[0].interface is not None
        self.declare_uniforms(sheet, interface.uniforms, first=first if own else FLOAT, gaps=gaps)
        for uniform in interface.inputs:
            self.declare_input(sheet, uniform)
        self.declare_outputs(sheet, interface.outputs)
        for constant in interface.constants:
            line = self.constant(sheet, constant)
            if line:
                sheet.head.append(line)
        name = self.procedures.get(self.entries[sheet.number], "")
        if name and (name != "main" or sheet.start == sheet.end):
            sheet.head.append(f".entry {name}")
        elif not name:
            sheet.head.append(f".entry {self.any_procedure()}")

    def any_procedure(self) -> str:
        """A procedure to name where the file's entry point is none: a field of the container then says the true one."""
        if self.procedures:
            return next(iter(self.procedures.values()))
        return f"words_{self.structure.top[0].start:x}" if self.structure.top else "main"

    def geometry_line(self, interface: Interface, first: int) -> str:
        mode = interface.geometry_mode
        place = register_name(first)
        if mode == 2 and interface.array_start >= first - FLOAT:
            if not self.extended:
                raise NotPlain("the vertex array lies among the uniforms")
            return ".gsh point c0"
        tail = ("", f" {interface.vertex_count}", f" c{interface.array_start} {interface.vertex_count}")[mode]
        return f".gsh {GEOMETRY_MODES[mode]} {place}{tail}"

    def shared_uniforms(self) -> list[Uniform]:
        """All names of the shared space, by register."""
        found: dict[str, Uniform] = {}
        for interface in self.program.interfaces:
            if not own_space(interface):
                for uniform in interface.uniforms:
                    known = found.setdefault(uniform.name, uniform)
                    if known != uniform and not self.extended:
                        raise NotPlain("two shaders have one name for different uniforms")
        return sorted(found.values(), key=lambda uniform: uniform.first)

    def declare_uniforms(self, sheet: Sheet, uniforms: Sequence[Uniform], *, first: int, gaps: bool) -> None:
        if self.extended:
            self.place_uniforms(sheet, uniforms)
            return
        for kind, start, end in _CLASSES:
            at = first if kind == "fvec" else start
            parts: list[str] = []
            for uniform in sorted((u for u in uniforms if start <= u.first < end), key=lambda u: u.first):
                if gaps and uniform.first > at:
                    parts.append(_sized(f"_gap_{register_name(at)}", uniform.first - at))
                elif gaps and uniform.first < at:
                    raise NotPlain("uniforms overlap")
                name = self.plain_name(sheet, uniform.name)
                if name.startswith("_") or uniform.last >= end:
                    raise NotPlain("a uniform's name begins with _")
                sheet.names.declare(name, uniform)
                parts.append(_sized(name, uniform.size))
                at = uniform.last + 1
            sheet.head += [f".{kind} {part}" for part in parts]

    def place_uniforms(self, sheet: Sheet, uniforms: Sequence[Uniform]) -> None:
        """Uniforms at explicit registers, as far as they do not overlap."""
        for kind, start, end in _CLASSES:
            for uniform in (u for u in uniforms if start <= u.first <= u.last < end):
                if any(register in sheet.names.arrays for register in range(uniform.first, uniform.last + 1)):
                    continue
                if self.clashes(uniform):
                    continue
                name = self.any_name(sheet, uniform.name, register_name(uniform.first))
                sheet.names.declare(name, uniform)
                sheet.head.append(f".{kind} {_sized(name, uniform.size)} {register_name(uniform.first)}")

    def clashes(self, uniform: Uniform) -> bool:
        """Whether another name of the shared space overlaps this one: then the container's fields have to say it."""
        return any(
            other != uniform and other.first <= uniform.last and uniform.first <= other.last
            for interface in self.program.interfaces
            for other in interface.uniforms
        )

    def plain_name(self, sheet: Sheet, symbol: str) -> str:
        """A symbol of the file as a name of the source: `.` is written `$`. Raises NotPlain."""
        name = symbol.replace(".", "$")
        if not is_identifier(name) or "$" in symbol or name in sheet.names.taken:
            raise NotPlain(f"{symbol!r} is no name")
        return name

    def any_name(self, sheet: Sheet, symbol: str, place: str) -> str:
        """A name for a symbol; where they differ, `.symbol` goes before the declaration."""
        name = symbol.replace(".", "$")
        usable = is_identifier(name) and "$" not in symbol and not name.startswith("_") and name not in sheet.names.taken
        if usable and not is_register(name):
            return name
        name = f"at_{place}"
        while name in sheet.names.taken:
            name += "_"
        sheet.head.append(f".symbol {quote(symbol.encode('latin-1', 'replace'))}")
        return name

    def declare_input(self, sheet: Sheet, uniform: Uniform) -> None:
        place = "v14[1]" if uniform.first == 15 else f"v{uniform.first}"
        if self.extended:
            if uniform.size > 1:
                return
            name = self.any_name(sheet, uniform.name, f"v{uniform.first}")
        else:
            name = self.plain_name(sheet, uniform.name)
            if uniform.size > 1:
                raise NotPlain("an input with several registers")
        sheet.names.declare(name, uniform)
        sheet.head.append(f".in {name} {place}")

    def declare_outputs(self, sheet: Sheet, outputs: Sequence[Output]) -> None:
        used: dict[int, int] = {}
        last = 7 if sheet.geometry else 16
        for output in outputs:
            mapped = output.semantic < len(SEMANTICS) and _OUTPUT_NAMES[output.semantic]
            reachable = output.register < last and (output.register <= _LAST_MAPPED or output.semantic == _DUMMY)
            if not mapped or not reachable or not 0 < output.mask < 16:
                if not self.extended:
                    raise NotPlain("an output that cannot be declared")
                continue
            collides = any(register % 8 == output.register % 8 and mask & output.mask for register, mask in used.items())
            automatic = output.register == next((n for n in range(last) if n not in used), -1)
            if collides and not automatic:
                if not self.extended:
                    raise NotPlain("outputs collide")
                continue
            name = self.output_name(sheet, output, mapped)
            mask = write_mask(sum(8 >> bit for bit in range(4) if output.mask >> bit & 1))
            semantic = SEMANTICS[output.semantic]
            sheet.head.append(
                f".out {name} {semantic}{mask}" if automatic else f".out {name} {semantic} o{output.register}{mask}"
            )
            used[output.register] = used.get(output.register, 0) | output.mask

    def output_name(self, sheet: Sheet, output: Output, base: str) -> str:
        name = base
        while name in sheet.names.taken:
            name = f"{base}{sum(taken.startswith(base) for taken in sheet.names.taken) + 1}"
        sheet.names.taken.add(name)
        sheet.names.written.setdefault(output.register, name)
        return name

    def constant(self, sheet: Sheet, constant: Constant) -> str:
        number, values = constant
        place = sheet.names.plain(number) if number < REGISTER_END else ""
        if FLOAT <= number < INTEGER:
            texts = [float_text(value & 0xFFFFFF) if is_plain_float(value) or not self.extended else "0.0" for value in values]
            return f".setf {place}({', '.join(texts)})"
        if INTEGER <= number < INTEGER + 4:
            return f".seti {place}({', '.join(str(value) for value in values)})"
        if BOOLEAN <= number < REGISTER_END:
            return f".setb {place} {'true' if values[0] & 1 else 'false'}"
        if not self.extended:
            raise NotPlain("a constant outside of the registers")
        return ""

    # Code

    def write_code(self, sheet: Sheet) -> None:
        """The words of a sheet, with its procedures, blocks and labels."""
        low, high = sheet.start, sheet.end
        last = sheet is self.sheets[-1]
        labels = self.labels(low, high)
        printer = Printer(
            sheet.names, self.call_name, lambda address: labels.get(address, ""), pinned=self.pins, plain=not self.extended
        )
        code = _Code(sheet.body)
        waiting = [p for p in self.structure.procedures if low <= p.start < high or (p.start == high and last)]
        ends = {stretch.start: stretch.end for stretch in self.structure.top}
        for pc in range(low, high + 1):
            code.close(pc)
            while waiting and waiting[0].start == pc:
                procedure = waiting.pop(0)
                code.put(f".proc {self.procedures[procedure]}")
                code.open("proc", pc, procedure.end)
                code.close(pc)
            if pc < high and not code.blocks:
                code.put(f".proc words_{pc:x}")
                code.open("proc", pc, ends.get(pc, high))
            if pc in labels:
                sheet.body.append(f"{labels[pc]}:")
            if pc < high:
                name = self.program.operations[pc].op.name
                if not (self.implicit and name == "nop" and code.pads(pc)):
                    code.put(self.instruction(printer, pc))
                code.written(name)
                block = self.structure.blocks.get(pc)
                if block is not None:
                    code.open(name, pc + 1, block[1], block[0] if block[1] > block[0] else -1)
        if last and not self.procedures and not self.structure.top:
            sheet.body += [".proc main", ".end"]

    def labels(self, low: int, high: int) -> dict[int, str]:
        """Names for the targets of jumps inside a sheet."""
        found: dict[int, str] = {}
        for operation in self.program.operations[low:high]:
            if operation.op.name in _JUMPS:
                target = operation.operands[-1]
                if isinstance(target, Target) and low <= target.address <= high:
                    found[target.address] = self.known.get(target.address, f"at_{target.address:x}")
        if self.every_label:
            here = {
                address: name
                for address, name in self.known.items()
                if low <= address < high or address == high == len(self.words)
            }
            found.update(here)
        return found

    def call_name(self, target: Target) -> str:
        return self.procedures.get(Interval(target.address, target.address + target.num), "")

    def instruction(self, printer: Printer, pc: int) -> str:
        operation = self.program.operations[pc]
        if operation.descriptor >= 0:
            operation = self.settle(operation)
        text = printer.operation(operation, self.words[pc], block=pc in self.structure.blocks)
        if not self.extended and text.startswith(".word"):
            raise NotPlain(text)
        return text

    def settle(self, operation: Operation) -> Operation:
        """Leave the descriptor's number out where the assembler finds it by itself."""
        if self.pins is None:
            return operation
        operation = live_selectors(operation)
        sources = [operand for operand in operation.operands if isinstance(operand, Source)]
        first = operation.operands[0]
        mask = first.mask if isinstance(first, Dest) else 0
        found = self.table.find(descriptor_word(mask, sources), significant(form(operation.op, sources), mask))
        return operation._replace(descriptor=-1 - operation.descriptor) if found == operation.descriptor else operation


class _Open(Record):
    """A block being written: what opened it, its first word, where it ends, where its else part begins (or -1)."""

    kind: str
    start: int
    end: int
    middle: int


class _Code:
    """Lines of code with the blocks that are open, and what the assembler's padding rules know (conformance rules 22-24)."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.blocks: list[_Open] = []
        self.closed = False
        self.last = ""

    def put(self, text: str) -> None:
        self.lines.append("\t" * len(self.blocks) + text)

    def open(self, kind: str, start: int, end: int, middle: int = -1) -> None:
        self.blocks.append(_Open(kind, start, end, middle))

    def written(self, name: str) -> None:
        self.closed, self.last = False, name

    def close(self, pc: int) -> None:
        """End what ends before this word, and begin else parts."""
        while self.blocks:
            block = self.blocks[-1]
            if block.middle == pc:
                self.blocks.pop()
                self.put(".else")
                self.blocks.append(block._replace(middle=-1))
            elif block.end <= pc:
                self.blocks.pop()
                self.put(".end")
                self.closed = block.kind != "proc"
            else:
                return

    def pads(self, pc: int) -> bool:
        """Whether the assembler inserts the NOP of this word by itself."""
        block = self.blocks[-1] if self.blocks else None
        if block is None or pc + 1 not in (block.end, block.middle) or (block.middle >= 0 and pc + 1 != block.middle):
            return False
        empty = pc == block.start
        if self.closed:
            return True
        if not self.last:
            return False
        return empty or self.last in LEAVES or (block.kind == "for" and self.last in BREAKS)


def _sized(name: str, size: int) -> str:
    return f"{name}[{size}]" if size > 1 else name
