"""Registers of what the application sees: inputs, outputs, uniforms, booleans, counts; and of constants."""

from __future__ import annotations

from lanewise.compile.vector.code import CountOf
from lanewise.core.diagnostics import ERROR, Diagnostic
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, INTEGER, SEMANTICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.compile.vector.code import Program
    from lanewise.pica200.isa.program import Constant

INPUTS, FLOATS, INTEGERS, BOOLEANS, OUTPUTS = 16, 96, 4, 15, 7

Row = tuple[int, ...]


class LoopRegister(Record):
    """An integer register of a loop."""

    register: int
    "The number of the i#."
    turns: int
    "How many turns there are, one more than the register says; 0 where the application sets it."
    counted: int
    "The number of the count that the application sets; -1: the turns are known."
    start: int
    "The start of the index register."
    step: int
    "The step of the index register."


class Places:
    """Gives out registers, and collects what does not fit."""

    inputs: list[int]
    uniforms: list[int]
    flags: list[int]
    taken: set[int]
    booleans: set[int]
    true: int
    outputs: list[int]

    def __init__(self, program: Program) -> None:
        self.program = program
        self.diagnostics: list[Diagnostic] = []
        self.inputs = self._give("input", "v", INPUTS, [(i.name, i.register, 1, i.line) for i in program.inputs], "L103")
        uniforms = [(u.name, u.register, u.rows, u.line) for u in program.uniforms]
        self.uniforms = [FLOAT + n for n in self._give("uniform", "c", FLOATS, uniforms, "L104")]
        self.flags = self._give("boolean", "b", BOOLEANS, [(f.name, f.register, 1, f.line) for f in program.flags], "L105")
        ends = [min(first + u.rows, FLOAT + FLOATS) for first, u in zip(self.uniforms, program.uniforms, strict=True)]
        self.taken = {n for first, end in zip(self.uniforms, ends, strict=True) for n in range(first, end)}
        self.booleans = set(self.flags)
        self.loops: list[LoopRegister] = []
        self.guards: dict[int, int] = {}
        self.true = -1
        self.tables: dict[tuple[Row, ...], int] = {}
        self.outputs = self._outputs()
        self.rows: dict[int, Row] = {}  # constants by register

    def find(self, code: str, message: str, line: int, fix: str = "", notes: tuple[str, ...] = ()) -> None:
        """Add an error at a line of the program."""
        self.diagnostics.append(
            Diagnostic(code=code, severity=ERROR, message=message, span=self.span(line), notes=notes, fix=fix)
        )

    def span(self, line: int) -> Span:
        return self.program.lines[line] if 0 <= line < len(self.program.lines) else Span(file=self.program.name)

    def _give(self, what: str, letter: str, most: int, wanted: Sequence[tuple[str, int, int, int]], code: str) -> list[int]:
        """First registers for (name, register or -1, size, line): those that are wanted, then the lowest that are free."""
        owner: dict[int, str] = {}
        found = [-1] * len(wanted)
        without_room: list[tuple[str, int, int, int]] = []
        for number, (name, register, size, line) in sorted(enumerate(wanted), key=lambda item: item[1][1] < 0):
            first = register
            if register < 0:
                first = next((n for n in range(most - size + 1) if all(n + k not in owner for k in range(size))), -1)
            if first < 0 or first + size > most:  # a source may ask for thousands of millions: none of them is listed
                without_room.append(wanted[number])
                found[number] = 0
                continue
            if others := {owner[n] for n in range(first, first + size) if n in owner}:
                self.find(
                    code,
                    f"{what} '{name}' is in {letter}{first}, where '{sorted(others)[0]}' is",
                    line,
                    "give one of them another place",
                )
            for n in range(first, first + size):
                owner[n] = name
            found[number] = first
        if without_room:
            self._no_room(what, f"{letter}0 to {letter}{most - 1}", wanted, without_room, code)
        return found

    def _no_room(
        self,
        what: str,
        there: str,
        wanted: Sequence[tuple[str, int, int, int]],
        left: Sequence[tuple[str, int, int, int]],
        code: str,
    ) -> None:
        """One finding about all that does not fit, with the largest, which is the cause."""
        total = sum(each[2] for each in wanted)
        name, _, size, line = max(wanted, key=lambda each: each[2])
        if size == 1:
            name, _, _, line = left[0]
            message = f"{what} '{name}' does not fit: {total} registers are needed, {there} are there"
            self.find(code, message, line, f"use fewer {what}s")
        else:
            message = f"the {what}s do not fit: {total} registers are needed, of which '{name}' is {size}; {there} are there"
            self.find(code, message, line, f"make '{name}' smaller, or use fewer {what}s")

    def _outputs(self) -> list[int]:
        """The register of each output: o0 and up, in their order."""
        seen: dict[str, str] = {}
        for number, output in enumerate(self.program.outputs):
            if output.semantic not in SEMANTICS:
                known = ", ".join(name for name in SEMANTICS if not name.isdigit() and name != "dummy")
                self.find(
                    "L106",
                    f"output '{output.name}' has an unknown semantic '{output.semantic}'",
                    output.line,
                    f"use one of {known}",
                )
            elif output.semantic in seen:
                message = f"outputs '{seen[output.semantic]}' and '{output.name}' both are {output.semantic}"
                self.find("L106", message, output.line, "give one of them another semantic, or remove it")
            elif number == OUTPUTS:
                message = f"output '{output.name}' does not fit: there are {OUTPUTS} output registers that the rasterizer reads"
                self.find("L106", message, output.line, "use fewer outputs")
            seen.setdefault(output.semantic, output.name)
        return list(range(len(self.program.outputs)))

    def always(self) -> int:
        """A boolean that is true: the file sets it."""
        if self.true < 0:
            self.true = self._boolean("a jump")
        return self.true

    def guard(self, count: CountOf) -> int:
        """The boolean that says whether a count is not 0."""
        number = count.number
        if number not in self.guards:
            self.guards[number] = self._boolean(f"whether '{self.program.counts[number].name}' is 0")
        return self.guards[number]

    def _boolean(self, what: str) -> int:
        free = next((n for n in range(BOOLEANS) if n not in self.booleans), -1)
        if free < 0:
            self.find(
                "L105", f"no boolean register is left for {what}: b0 to b{BOOLEANS - 1} are in use", -1, "use fewer booleans"
            )
            return 0
        self.booleans.add(free)
        return free

    def loop(self, turns: int | CountOf, start: int, step: int) -> int:
        """The integer register of a loop; -1 where none is left."""
        count = turns.number if isinstance(turns, CountOf) else -1
        number = turns if isinstance(turns, int) else 0
        for each in self.loops:
            if (each.turns, each.counted, each.start, each.step) == (number, count, start, step):
                return each.register
        used = {each.register for each in self.loops}
        wanted = self.program.counts[count].register if count >= 0 else -1
        reserved = {each.register for each in self.program.counts} - {-1}
        free = [n for n in range(INTEGERS) if n not in used and n not in reserved]
        chosen = wanted if wanted >= 0 and wanted not in used else free[0] if free else -1
        if chosen < 0:
            if count >= 0:
                name = self.program.counts[count].name
                self.find(
                    "L107",
                    f"no integer register is left for '{name}': there are i0 to i{INTEGERS - 1}",
                    self.program.counts[count].line,
                    "use fewer counts, or the same start and step in its loops",
                )
                return 0
            return -1
        self.loops.append(LoopRegister(register=chosen, turns=number, counted=count, start=start, step=step))
        return chosen

    def table(self, rows: tuple[Row, ...]) -> int:
        """The first register of known rows."""
        if rows not in self.tables:
            first = self._constants(len(rows))
            for n, row in enumerate(rows):
                self.rows[first + n] = row
            self.tables[rows] = first
        return self.tables[rows]

    def constant(self, row: Row) -> int:
        """The register of a row of constants."""
        register = self._constants(1)
        self.rows[register] = row
        return register

    def _constants(self, size: int) -> int:
        """Free registers for constants, from c95 down."""
        for first in range(FLOAT + FLOATS - size, FLOAT - 1, -1):
            if not any(n in self.taken for n in range(first, first + size)):
                self.taken |= set(range(first, first + size))
                return first
        if not any(each.code == "L104" for each in self.diagnostics):
            used = sum(each.rows for each in self.program.uniforms)
            self.find(
                "L104",
                f"no register is left for constants: uniforms use {used} of c0 to c{FLOATS - 1}, constants "
                f"{len(self.rows) + size} are needed",
                -1,
                "use smaller arrays of uniforms",
            )
        return FLOAT

    def presets(self) -> tuple[Constant, ...]:
        """Return the constants that the file sets."""
        from lanewise.pica200.isa.program import Constant

        found = [Constant(register, (*row, 0, 0, 0)[:4]) for register, row in sorted(self.rows.items())]
        found += [
            Constant(INTEGER + each.register, (each.turns - 1, each.start, each.step, 0))
            for each in self.loops
            if each.counted < 0
        ]
        if self.true >= 0:
            found.append(Constant(BOOLEAN + self.true, (1,)))
        return tuple(found)
