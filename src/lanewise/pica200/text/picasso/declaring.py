"""The declarations at the head of a source file: uniforms, inputs, outputs, constants, entry."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.quoting import quote
from lanewise.pica200.isa.program import Interface, Uniform
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, GEOMETRY_MODES, INTEGER, REGISTER_END, SEMANTICS, register_name
from lanewise.pica200.text.picasso.plan import DUMMY, NotPlain, own_space
from lanewise.pica200.text.picasso.printer import write_mask
from lanewise.pica200.text.picasso.syntax import MAX_CONSTANTS, begins_like_register, is_identifier, is_register
from lanewise.pica200.text.spelling import float_text, is_plain_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Constant, Output, Program
    from lanewise.pica200.text.picasso.plan import Plan, SourceFile

_OUTPUT_NAMES = ("outpos", "outnq", "outclr", "outtc0", "outtc0w", "outtc1", "outtc2", "", "outview", "outdummy")
_CLASSES = (("fvec", FLOAT, INTEGER), ("ivec", INTEGER, BOOLEAN), ("bool", BOOLEAN, REGISTER_END))
_LAST_MAPPED = 6


class Declarations:
    """Writer of the declarations of a plan's source files.

    Raises NotPlain for declarations that plain picasso cannot express, unless the plan is extended.
    """

    extended: bool
    program: Program

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.extended = plan.extended
        self.program = plan.program

    def declare(self, file: SourceFile) -> None:
        interface = file.interface
        if self.plan.bare:
            file.head += [".gsh"] * file.geometry + ([".nodvle"] if interface is None else [f".entry {self.any_procedure()}"])
            return
        if interface is None:
            file.head.append(".nodvle")
            if file.geometry and self.extended:
                file.head.insert(0, ".gsh")
            self.declare_uniforms(file, self.plan.shared_uniforms(), first=FLOAT, gaps=True)
            return
        own = own_space(interface)
        floats = [uniform.first for uniform in interface.uniforms if FLOAT <= uniform.first < INTEGER]
        first = min(floats, default=FLOAT + (interface.array_start + 1 if interface.geometry_mode == 2 else 0))
        first = min(first, INTEGER - 1)
        if interface.geometry:
            file.head.append(self.geometry_line(interface, first) if own else ".gsh")
        gaps = own or self.plan.files[0].interface is not None
        self.declare_uniforms(file, interface.uniforms, first=first if own else FLOAT, gaps=gaps)
        for uniform in interface.inputs:
            self.declare_input(file, uniform)
        self.declare_outputs(file, interface.outputs)
        for constant in interface.constants[: MAX_CONSTANTS if self.extended else None]:
            line = self.constant(file, constant)
            if line:
                file.head.append(line)
        for uniform in interface.private:
            self.name_constant(file, uniform)
        name = self.plan.procedures.get(self.plan.entries[file.number], "")
        if name and (name != "main" or file.start == file.end):
            file.head.append(f".entry {name}")
        elif not name:
            file.head.append(f".entry {self.any_procedure()}")

    def name_constant(self, file: SourceFile, uniform: Uniform) -> None:
        """Name a constant by .alias, if the name is free: only sources have such names."""
        name, registers = uniform.name, range(uniform.first, uniform.last + 1)
        free = is_identifier(name) and not begins_like_register(name) and name not in file.names.taken
        if free and not any(register in file.names.arrays for register in registers):
            file.head.append(f".alias {name} {file.names.plain(uniform.first)}")
            file.names.declare(name, uniform)

    def any_procedure(self) -> str:
        """A procedure to name if the file's entry point is not one: a container field then has the true entry."""
        return next(iter((*self.plan.procedures.values(), *self.plan.stretches.values())))

    def geometry_line(self, interface: Interface, first: int) -> str:
        mode = interface.geometry_mode
        place = register_name(first)
        if mode == 2 and interface.array_start >= first - FLOAT:
            if not self.extended:
                raise NotPlain("the vertex array overlaps the uniforms")
            return ".gsh point c0"
        tail = ("", f" {interface.vertex_count}", f" c{interface.array_start} {interface.vertex_count}")[mode]
        return f".gsh {GEOMETRY_MODES[mode]} {place}{tail}"

    def declare_uniforms(self, file: SourceFile, uniforms: Sequence[Uniform], *, first: int, gaps: bool) -> None:
        if self.extended:
            self.place_uniforms(file, uniforms)
            return
        for kind, start, end in _CLASSES:
            at = first if kind == "fvec" else start
            parts: list[str] = []
            for uniform in sorted((u for u in uniforms if start <= u.first < end), key=lambda u: u.first):
                if gaps and uniform.first > at:
                    parts.append(_sized(f"_gap_{register_name(at)}", uniform.first - at))
                elif gaps and uniform.first < at:
                    raise NotPlain("uniforms overlap")
                name = self.plain_name(file, uniform.name)
                if name.startswith("_") or uniform.last >= end:
                    raise NotPlain("a uniform's name begins with _")
                file.names.declare(name, uniform)
                parts.append(_sized(name, uniform.size))
                at = uniform.last + 1
            file.head += [f".{kind} {part}" for part in parts]

    def place_uniforms(self, file: SourceFile, uniforms: Sequence[Uniform]) -> None:
        """Declare uniforms at explicit registers. One that overlaps another is named by .alias."""
        for kind, start, end in _CLASSES:
            for uniform in (u for u in uniforms if start <= u.first <= u.last < end):
                place = register_name(uniform.first)
                if any(register in file.names.arrays for register in range(uniform.first, uniform.last + 1)):
                    continue
                if self.clashes(file, uniform):
                    name = uniform.name.replace(".", "$")
                    if is_identifier(name) and not is_register(name) and name not in file.names.taken:
                        file.names.declare(name, uniform)
                        file.head.append(f".alias {name} {place}")
                    continue
                name = self.any_name(file, uniform.name, place)
                file.names.declare(name, uniform)
                file.head.append(f".{kind} {_sized(name, uniform.size)} {place}")

    def clashes(self, file: SourceFile, uniform: Uniform) -> bool:
        """Whether a name cannot be placed: it overlaps another, or is b15 of a geometry shader's separate space."""
        mine = file.interface
        if mine is not None and own_space(mine):
            others = [mine]
            if uniform.last == REGISTER_END - 1:
                return True
        else:
            others = [interface for interface in self.program.interfaces if not own_space(interface)]
        return any(
            (other.first, other.last, other.name) != (uniform.first, uniform.last, uniform.name)
            and other.first <= uniform.last
            and uniform.first <= other.last
            for interface in others
            for other in interface.uniforms
        )

    def shared_elsewhere(self, file: SourceFile, symbol: str) -> bool:
        """Whether another shader of the shared space has the name for other registers."""
        mine = file.interface
        if mine is not None and own_space(mine):
            return False
        places = {
            (uniform.first, uniform.last)
            for interface in self.program.interfaces
            if not own_space(interface)
            for uniform in interface.uniforms
            if uniform.name == symbol
        }
        return len(places) > 1

    def plain_name(self, file: SourceFile, symbol: str) -> str:
        """A symbol of the file as a name of the source: `.` is written `$`. Raises NotPlain."""
        name = symbol.replace(".", "$")
        if not is_identifier(name) or "$" in symbol or name in file.names.taken:
            raise NotPlain(f"{symbol!r} is not a valid name")
        return name

    def any_name(self, file: SourceFile, symbol: str, place: str) -> str:
        """A name for a symbol; where they differ, `.symbol` goes before the declaration."""
        name = symbol.replace(".", "$")
        usable = is_identifier(name) and "$" not in symbol and not name.startswith("_") and name not in file.names.taken
        if usable and not is_register(name) and not self.shared_elsewhere(file, symbol):
            return name
        name = f"at_{place}"
        while name in file.names.taken:
            name += "_"
        file.head.append(f".symbol {quote(symbol.encode('latin-1', 'replace'))}")
        return name

    def declare_input(self, file: SourceFile, uniform: Uniform) -> None:
        place = file.names.plain(uniform.first)
        if self.extended:
            if uniform.size > 1:
                return
            name = self.any_name(file, uniform.name, f"v{uniform.first}")
        else:
            name = self.plain_name(file, uniform.name)
            if uniform.size > 1:
                raise NotPlain("an input with several registers")
        file.names.declare(name, uniform)
        file.head.append(f".in {name} {place}")

    def declare_outputs(self, file: SourceFile, outputs: Sequence[Output]) -> None:
        used: dict[int, int] = {}
        last = 7 if file.geometry else 16
        for output in outputs:
            mapped = output.semantic < len(SEMANTICS) and _OUTPUT_NAMES[output.semantic]
            reachable = output.register < last and (output.register <= _LAST_MAPPED or output.semantic == DUMMY)
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
            name = self.output_name(file, output, mapped)
            mask = write_mask(sum(8 >> bit for bit in range(4) if output.mask >> bit & 1))
            semantic = SEMANTICS[output.semantic]
            file.head.append(
                f".out {name} {semantic}{mask}" if automatic else f".out {name} {semantic} o{output.register}{mask}"
            )
            used[output.register] = used.get(output.register, 0) | output.mask

    def output_name(self, file: SourceFile, output: Output, base: str) -> str:
        name = base
        while name in file.names.taken:
            name = f"{base}{sum(taken.startswith(base) for taken in file.names.taken) + 1}"
        file.names.taken.add(name)
        file.names.written.setdefault(output.register, name)
        return name

    def constant(self, file: SourceFile, constant: Constant) -> str:
        number, values = constant
        place = file.names.plain(number) if number < REGISTER_END else ""
        if FLOAT <= number < INTEGER:
            texts = [float_text(value & 0xFFFFFF) if is_plain_float(value) or not self.extended else "0.0" for value in values]
            return f".setf {place}({', '.join(texts)})"
        if INTEGER <= number < INTEGER + 4:
            return f".seti {place}({', '.join(str(value) for value in values)})"
        if BOOLEAN <= number < REGISTER_END:
            return f".setb {place} {'true' if values[0] & 1 else 'false'}"
        if not self.extended:
            raise NotPlain("a constant outside the registers")
        return ""


def _sized(name: str, size: int) -> str:
    return f"{name}[{size}]" if size > 1 else name
