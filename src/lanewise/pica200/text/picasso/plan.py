"""Distribution of a program over source files: procedures, their names, words by file."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Interface, Target, Uniform
from lanewise.pica200.isa.table import END, JUMP, REGISTER_END, SETEMIT, VERTEX
from lanewise.pica200.text.picasso.printer import Names, sayable
from lanewise.pica200.text.picasso.syntax import is_identifier
from lanewise.pica200.text.structure import Interval, Structure, find_structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.isa.program import Encoding, Program

DUMMY = 9  # the output semantic


class NotPlain(Exception):
    """The program has parts that plain picasso source cannot express."""


class SourceFile:
    """One source file: its shader (None for the shared one), the words it holds, its declarations and code."""

    suffix: str
    number: int
    interface: Interface | None
    geometry: bool
    names: Names

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
    """Whether a geometry shader can have a mode, and so a separate uniform space."""
    uses_last = any(uniform.last == REGISTER_END - 1 for uniform in interface.uniforms)
    merges = any(output.semantic == DUMMY for output in interface.outputs)
    return interface.geometry and (interface.geometry_mode > 0 or (not uses_last and merges == interface.merge_outputs))


class Plan:
    """Source files of a program, each with a run of its words, and its structure.

    Procedures and blocks are used as far as they nest.
    """

    program: Program
    extended: bool
    encoding: Encoding
    words: list[int]
    entries: list[Interval]
    structure: Structure
    procedures: dict[Interval, str]
    stretches: dict[int, str]
    files: list[SourceFile]

    def __init__(self, program: Program, *, extended: bool, bare: bool = False) -> None:
        encoding = program.encoding
        if encoding is None:
            raise ValueError("only a program read from a file has words to write")
        self.program, self.extended, self.encoding = program, extended, encoding
        self.bare = bare  # neither structure nor declarations: for files that have no valid ones
        self.words = [word or 0 for word in encoding.words]
        self.entries = [self.entry_of(interface) for interface in program.interfaces]
        self.structure = (
            self.no_structure() if bare else find_structure(program.operations, self.entries, self.sayable, flat=extended)
        )
        self.known: dict[int, str] = {
            address: name for name, address in reversed(list(program.labels.items())) if is_identifier(name)
        }
        self.used: set[str] = set()  # names of procedures
        self.procedures = self.name_procedures()
        # Stretches that nothing is known to call are procedures too, because every word has to be in one.
        self.stretches = {s.start: self.unused(f"words_{s.start:x}") for s in self.structure.top if s not in self.procedures}
        if not self.structure.top and not self.procedures:
            self.stretches[0] = self.unused("words_0")
        self.files = self.split()

    def sayable(self, pc: int) -> bool:
        return sayable(self.program.operations[pc], self.words[pc], plain=not self.extended)

    def entry_of(self, interface: Interface) -> Interval:
        """The entry procedure: that of the file, or up to the first `end` if the file has no end."""
        size = len(self.program.operations)
        start, end = interface.entry, interface.entry_end
        if start <= end <= size and (end > start or not self.extended):
            return Interval(start, end)
        end = start
        for pc in range(start, size):
            operation = self.program.operations[pc]
            if operation.op.opens_block:
                target = operation.operands[-1]
                if isinstance(target, Target) and target.address + target.num <= size:
                    end = max(end, target.address + target.num, pc + 1)
            if operation.op.kind == END and pc >= end:
                return Interval(start, pc + 1)
        return Interval(min(start, size), size)

    def name_procedures(self) -> dict[Interval, str]:
        """Name procedures by labels of the file; without labels the entry is `main`."""
        names: dict[Interval, str] = {}
        accepted = set(self.structure.procedures)
        entries = [entry for entry in self.entries if entry in accepted]
        for interval in dict.fromkeys((*entries, *self.structure.procedures)):
            number = entries.index(interval) if interval in entries else -1
            generic = ("main" if len(self.entries) == 1 else f"main{number}") if number >= 0 else f"sub_{interval.start:x}"
            known = self.known.get(interval.start, "")
            if known in self.used:
                known = ""
            name = known or self.unused(generic)
            self.used.add(name)
            names[interval] = name
        if not self.extended and len({*self.entries} - accepted):
            raise NotPlain("entry procedures cross")
        return names

    def unused(self, name: str) -> str:
        """A name for a procedure that neither another one nor a label of the file has."""
        while name in self.used or name in self.known.values():
            name += "_"
        self.used.add(name)
        return name

    def no_structure(self) -> Structure:
        size = len(self.words)
        return Structure((), {}, (Interval(0, size),) if size else ())

    def split(self) -> list[SourceFile]:
        """The source files, each with a run of the top-level stretches."""
        interfaces = self.program.interfaces
        several = len(interfaces) > 1
        files = [SourceFile(f".{n}" if several else "", n, interface) for n, interface in enumerate(interfaces)]
        shared = SourceFile(".shared", -1, None)
        top = self.structure.top
        if self.bare or not files:
            return self.apart(shared, files)
        spread = self.spread(shared, files, top, several)
        if any(not file.geometry and self.needs_geometry(file) for file in spread):
            return self.apart(shared, files)
        sharing = sum(not own_space(interface) for interface in interfaces)
        names = sharing > 1 and self.shared_uniforms()
        return spread if several and (shared.end > shared.start or names) else files

    def needs_geometry(self, file: SourceFile) -> bool:
        """Whether only a geometry shader can have a file's words: setemit (in a shader's file), or too many words."""
        if self.extended and file.start < file.end and file.end > VERTEX.code_words:
            return True
        code = self.program.operations[file.start : file.end]
        return file.interface is not None and any(operation.op.kind == SETEMIT for operation in code)

    def apart(self, shared: SourceFile, files: list[SourceFile]) -> list[SourceFile]:
        """Put all words into the shared file, which may be a geometry shader.

        It is then not one of the program's shaders.
        """
        shared.start, shared.end = 0, len(self.words)
        shared.names.geometry = shared.geometry = True
        for file in files:
            file.start = file.end = shared.end
        return [shared, *files]

    def spread(self, shared: SourceFile, files: list[SourceFile], top: Sequence[Interval], several: bool) -> list[SourceFile]:
        """Give each stretch to the only shader that reaches it, if file order allows."""
        owners = self.owners(top)
        position = -1 if several else 0
        at = 0
        run = [shared, *files]
        for n, stretch in enumerate(top):
            owner = owners[n]
            if owner > position and not self.jumps_across(stretch.start):
                run[position + 1].end = at
                for file in run[position + 2 : owner + 2]:
                    file.start = file.end = at
                position = owner
            at = stretch.end
        for file in run[position + 1 :]:
            file.end = at
            if file is not run[position + 1]:
                file.start = at
        return run

    def owners(self, top: Sequence[Interval]) -> list[int]:
        """The only shader that reaches each stretch by calls, or -1."""
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
            if operation.op.kind == JUMP:
                target = operation.operands[-1]
                if isinstance(target, Target) and (pc < boundary) != (target.address < boundary):
                    return True
        return False

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
