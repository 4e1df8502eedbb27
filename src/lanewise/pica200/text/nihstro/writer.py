"""A program as nihstro sources, one for each shader. One of them has the shared code.

A program that the language cannot express is written with forms that only lanewise reads, each with a comment: `.word` for an
instruction, then with the descriptor table, `.entry`, `.gsh`, `.symbol`. `Written.lost` lists the parts without any form.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.text.quoting import quote
from lanewise.pica200.isa.program import Target
from lanewise.pica200.isa.table import (
    ARITHMETIC,
    BOOLEAN,
    CALL,
    FLOAT,
    GEOMETRY_MODES,
    INTEGER,
    JUMP,
    LOOP,
    REGISTER_END,
    SEMANTICS,
    VERTEX,
    mask_text,
    register_name,
)
from lanewise.pica200.text.nihstro.printer import OURS, Names, Printer, named_places, opens
from lanewise.pica200.text.nihstro.syntax import is_name
from lanewise.pica200.text.spelling import float_text, is_plain_float
from lanewise.pica200.text.structure import find_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Constant, Encoding, Interface, Output, Program, Uniform

ENTRY = "main"  # where nihstro-assemble begins a program, unless its command line says -e
_PROPERTIES = {0: "position", 1: "quaternion", 2: "color", 3: "texcoord0", 5: "texcoord1", 6: "texcoord2", 8: "view"}
_OUTPUT_NAMES = ("outpos", "outquat", "outclr", "outtc0", "outtc0w", "outtc1", "outtc2", "out7", "outview", "outdummy")
_LAST_MAPPED, _DUMMY = 6, 9
_PREFIXES = (1, 3, 7, 15)  # masks (x in bit 0) whose k-th component is the k-th of the register: x, xy, xyz, xyzw


class Written(Record):
    """Sources as (suffix of the file's name, text), in the order of the shaders.

    `lost` names the parts that could not be written.
    """

    sources: tuple[tuple[str, str], ...]
    lost: tuple[str, ...]


class Writer:
    """Writer of the sources of a program with an `Encoding`.

    `pinned`: always with its descriptor table.
    """

    program: Program
    encoding: Encoding
    names: Names
    places: dict[int, list[str]]
    blocks: dict[int, tuple[int, int]]
    pinned: bool

    def __init__(self, program: Program, *, pinned: bool = False) -> None:
        if program.encoding is None:
            raise ValueError("only a program with its words can be written")
        self.program, self.encoding = program, program.encoding
        self.lost: list[str] = []
        self.names = Names()  # of labels: all sources share them
        self.names.taken |= self.declared()
        self.ends: dict[int, str] = {}  # labels at which calls return
        self.places = self.find_places()
        self.blocks = find_blocks(program.operations, (), lambda pc: opens(program.operations[pc]))
        self.pinned = pinned

    # Places

    def declared(self) -> set[str]:
        """The names of inputs, uniforms, constants and outputs, not available to labels.

        Applications refer to these names.
        """
        interfaces = self.program.interfaces
        named = [u.name for i in interfaces for u in (*i.inputs, *i.uniforms, *i.private)] + [
            o.name for i in interfaces for o in i.outputs
        ]
        return {name for name in named if is_name(name)}

    def find_places(self) -> dict[int, list[str]]:
        """The labels of every address that has or needs one."""
        program = self.program
        size = len(program.operations)
        found: dict[int, list[str]] = {}
        entries = [interface.entry for interface in program.interfaces]
        if len(entries) == 1 and entries[0] <= size and ENTRY not in self.names.taken:
            found[entries[0]] = [self.names.unused(ENTRY)]
        known = named_places({**{p.name: p.start for p in reversed(program.procedures)}, **program.labels})
        for address, names in sorted(known.items()):
            for name in names:
                if not 0 <= address <= size or not is_name(name) or (name == ENTRY and ENTRY in found.get(address, ())):
                    continue
                if name == ENTRY or name not in self.names.taken:  # another place that is called main keeps most of its name
                    found.setdefault(address, []).append(self.names.unused(name))
        for number, entry in enumerate(entries):
            if 0 <= entry <= size and entry not in found:
                found[entry] = [self.names.unused(ENTRY if len(entries) == 1 else f"{ENTRY}{number}")]
            elif entry > size:
                self.lost.append(f"shader {number} begins at word {entry}, past the end")
                found.setdefault(size, [self.names.unused("past_end")])
        for operation in program.operations:
            target = operation.operands[-1] if operation.operands else None
            if not isinstance(target, Target):
                continue
            if operation.op.kind == JUMP and target.address <= size and target.address not in found:
                found[target.address] = [self.names.unused(f"at_{target.address:x}")]
            elif operation.op.kind == CALL and 0 < target.num < 256 and target.address + target.num <= size:
                if target.address not in found:
                    found[target.address] = [self.names.unused(f"sub_{target.address:x}")]
                self.name_end(found, found[target.address][0], target.address + target.num)
        return found

    def name_end(self, found: dict[int, list[str]], start: str, end: int) -> None:
        """A label for the end of a called range: one that ends in `_end`, or another that is not a procedure's, or a new
        one."""
        here = found.setdefault(end, [])
        name = next((name for name in here if name.endswith("_end")), "")
        procedures = {ENTRY, *[procedure.name for procedure in self.program.procedures]}
        name = name or next((name for name in here if name in self.program.labels and name not in procedures), "")
        if not name:
            name = self.names.unused(f"{start}_end")
            here.append(name)
        self.ends.setdefault(end, name)

    def label(self, address: int) -> str:
        names = self.places.get(address)
        return names[0] if names else ""

    def entry_label(self, interface: Interface) -> str:
        names = self.places[min(interface.entry, len(self.program.operations))]
        return ENTRY if ENTRY in names else names[0]

    # Sources

    def write(self) -> Written:
        """All sources of the program."""
        interfaces = self.program.interfaces
        holder = next((n for n, interface in enumerate(interfaces) if interface.geometry), 0)
        sources: list[tuple[str, str]] = []
        for number, interface in enumerate(interfaces):
            names = Names()
            names.taken |= {label for labels in self.places.values() for label in labels}
            head = self.declarations(interface, names, number)
            body = self.code(names) if number == holder else []
            if number == holder and not interface.geometry and len(self.program.operations) > VERTEX.code_words:
                head.append(f".raw {OURS}")
            if number == holder and self.pinned:
                pins = [f".opdesc {n} {value:#010x} {OURS}" for n, value in enumerate(self.encoding.descriptors)]
                head += pins
            suffix = f".{number}" if len(interfaces) > 1 else ""
            parts = [part for part in (head, body) if part]
            text = "\n\n".join("\n".join(part) for part in parts) + "\n"
            sources.append((suffix + (".gsh" if interface.geometry else ".vsh"), text))
        if not interfaces:
            self.lost.append("the file has no shaders")
        return Written(tuple(sources), tuple(self.lost))

    def code(self, names: Names) -> list[str]:
        """The lines of all words."""
        printer = Printer(names, self.label, lambda address: self.ends.get(address, ""))
        texts = [printer.operation(operation, block=pc in self.blocks) for pc, operation in enumerate(self.program.operations)]
        self.pinned |= any(
            not text and o.op.kind == ARITHMETIC for text, o in zip(texts, self.program.operations, strict=True)
        ) or any(not text and _has_descriptor(word) for text, word in zip(texts, self.encoding.words, strict=True))
        lines: list[str] = []
        open_blocks: list[tuple[str, int, int]] = []  # (end word, where its first part ends, where it ends)
        for pc in range(len(texts) + 1):
            while open_blocks:
                word, middle, end = open_blocks[-1]
                if middle == pc and middle < end:
                    lines.append(_indented(len(open_blocks) - 1, "else"))
                    open_blocks[-1] = (word, -1, end)
                elif end <= pc:
                    open_blocks.pop()
                    lines.append(_indented(len(open_blocks), word))
                else:
                    break
            lines += [f"{name}:" for name in sorted(self.places.get(pc, ()), key=lambda name: name != self.ends.get(pc))]
            if pc == len(texts):
                break
            operation, text = self.program.operations[pc], texts[pc]
            lines.append(_indented(len(open_blocks), text or self.word(pc)))
            if text and pc in self.blocks:
                open_blocks.append(("endloop" if operation.op.kind == LOOP else "endif", *self.blocks[pc]))
        return lines

    def word(self, pc: int) -> str:
        """An instruction that the language has no form for."""
        operation = self.program.operations[pc]
        target = operation.operands[-1] if operation.operands else None
        place = f" {target.address:#x}, {target.num}" if isinstance(target, Target) else ""
        what = f": {operation.op.name}{place}" if operation.op.name != ".word" else ""
        return f".word {self.encoding.words[pc] or 0:#010x} {OURS}{what}"

    # Declarations

    def declarations(self, interface: Interface, names: Names, number: int) -> list[str]:
        lines: list[str] = []
        mode = interface.geometry_mode
        if mode and (not interface.geometry or interface.array_start >= INTEGER - FLOAT):
            self.lost.append(f"shader {number}: its geometry mode {GEOMETRY_MODES[mode]}")
        elif interface.geometry and (mode or interface.merge_outputs):
            rest = ("", f" {interface.vertex_count}", f" c{interface.array_start} {interface.vertex_count}")[mode]
            lines.append(f".gsh {GEOMETRY_MODES[mode]}{rest} {OURS}")
        merges = bool(lines) and any(output.semantic == _DUMMY for output in interface.outputs)
        if merges != interface.merge_outputs:
            self.lost.append(f"shader {number}: whether its outputs are merged with the other shader's")
        entry = self.entry_label(interface)
        if entry != ENTRY:
            lines.append(f".entry {entry} {OURS}; nihstro-assemble takes -e {entry}")
        for uniform in interface.declared or (*interface.uniforms, *interface.inputs):
            lines += self.uniform(names, uniform)
        lines += self.outputs(names, interface.outputs, number)
        known = {u.first: u.name for u in reversed(interface.private) if u.size == 1 and is_name(u.name)}
        for constant in interface.constants:
            lines += self.constant(names, constant, number, known.get(constant.register, ""))
        return lines

    def uniform(self, names: Names, uniform: Uniform) -> list[str]:
        place = register_name(uniform.first)
        if uniform.size > 1:
            place += f"-{register_name(uniform.last)}"
        symbol = uniform.symbol if uniform.symbol is not None else uniform.name.replace("$", ".").encode("latin-1", "replace")
        lines: list[str] = []
        name = uniform.name
        if name.encode("latin-1", "replace") != symbol or not is_name(name) or name in names.taken:
            lines.append(f".symbol {quote(symbol)} {OURS}")
            base = "".join(c if c.isalnum() and c.isascii() else "_" for c in name).strip("_")
            name = names.unused(base if is_name(base) else f"at_{register_name(uniform.first)}")
        names.declare(name, uniform)
        return [*lines, f".alias {name} {place}"]

    def outputs(self, names: Names, outputs: Sequence[Output], number: int) -> list[str]:
        lines: list[str] = []
        used: dict[int, int] = {}
        for output in outputs:
            register, mask = output.register, output.mask
            if used.get(register, 0) & mask or (register > _LAST_MAPPED and output.semantic != _DUMMY):
                self.lost.append(f"shader {number}: output o{register} as {SEMANTICS[output.semantic]}")
                continue
            used[register] = used.get(register, 0) | mask
            name = names.unused(output.name if is_name(output.name) else _OUTPUT_NAMES[output.semantic])
            letters = "" if mask == 0xF else "." + mask_text(sum(8 >> bit for bit in range(4) if mask >> bit & 1))
            known = _PROPERTIES.get(output.semantic)
            ours = "" if known else f" {OURS}"
            lines.append(f".alias {name} o{register}{letters} as {known or SEMANTICS[output.semantic]}{ours}")
            if mask in _PREFIXES:
                names.written.setdefault(register, (name, sum(8 >> bit for bit in range(4) if mask >> bit & 1)))
        return lines

    def constant(self, names: Names, constant: Constant, number: int, known: str) -> list[str]:
        register, values = constant
        if not FLOAT <= register < REGISTER_END:
            self.lost.append(f"shader {number}: a constant in register {register:#x}")
            return []
        place = register_name(register)
        name = names.unused(known or f"const_{place}")
        names.arrays.setdefault(register, (name, 0, 1))
        if register >= BOOLEAN:
            return [f".alias {name} {place} as {values[0] & 1}"]
        if register >= INTEGER:
            return [f".alias {name} {place} as ({', '.join(map(str, values))})"]
        plain = [is_plain_float(value) for value in values]
        texts = [float_text(value) if ok else f"{value & 0xFFFFFF:#08x}" for value, ok in zip(values, plain, strict=True)]
        return [f".alias {name} {place} as ({', '.join(texts)})" + ("" if all(plain) else f" {OURS}")]


def _has_descriptor(word: int | None) -> bool:
    """Whether a word that is kept unchanged refers to an operand descriptor."""
    return word is not None and (word >> 26 < 0x20 or word >> 26 >= 0x2E)


def _indented(depth: int, text: str) -> str:
    return "    " * (depth + 1) + text
