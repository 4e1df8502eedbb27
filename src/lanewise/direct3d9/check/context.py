"""Analysis context of the Direct3D 9 rules.

Numbered instructions, declarations, components that are read and written."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core.diagnostics import Edit, Related
from lanewise.core.record import Record
from lanewise.direct3d9.isa.operands import MASKED, TEXTURED
from lanewise.direct3d9.isa.program import FILE, NUMBER, REGISTER, Inst, Unknown, register_bits, register_file
from lanewise.direct3d9.isa.slots import Limits, limits
from lanewise.direct3d9.isa.table import (
    ALL,
    BEGINS,
    BREAKS,
    CALLS,
    CLOSES,
    COLOROUT,
    COMPARED,
    COMPONENTS,
    CONST,
    CONST2,
    CONST3,
    CONST4,
    DECLARATION,
    DEFINITION,
    DEPTHOUT,
    IF_BLOCK,
    MARK,
    OPENS,
    OPS,
    PIXEL,
    PREDICATE,
    SAMPLER,
    SAMPLER_TYPES,
    SPLITS,
    TEXLD,
    VARIED,
    VERTEX,
    components_read,
    has,
    register_name,
)
from lanewise.direct3d9.text.names import mnemonic_of
from lanewise.direct3d9.text.reader import read_line

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from lanewise.core.source import Span
    from lanewise.direct3d9.isa.program import Damage, Dest, Shader, Source
    from lanewise.direct3d9.isa.table import Op, Version

CONSTANTS = (CONST, CONST2, CONST3, CONST4)
_FLAT, _DEEP = 0b0011, 0b0111  # the coordinates of a flat texture, and of a cube or volume
_PIXEL_OUTPUTS = (COLOROUT, DEPTHOUT)
_BRANCHES = (OPENS, SPLITS, CALLS, BEGINS)
SCRATCHING = frozenset(op.opcode for op in OPS if any(kind.scratch for kind in op.sources))
_WHOLE = SCRATCHING | {op.opcode for op in OPS if op.rows or op.role == DECLARATION or op.dest is None}
_LAST_COMMON = register_bits(CONST, 0)  # r#, v# and c# are the files 0 to 2
_MOST_FORMS = 1 << 15
_SWIZZLED: dict[int, int] = {}  # by swizzle and positions


class Finding(Record):
    """A finding of a rule."""

    message: str
    "The fact, without its place."
    fix: str
    "The fix as an imperative."
    at: int = -1
    "The number of the instruction; -1: the finding is about the whole shader."
    note: str = ""
    "Additional information; empty for none."
    related: tuple[Related, ...] = ()
    "Other places that the finding is about."
    edits: tuple[Edit, ...] = ()
    "The fix as edits of the source, where it is mechanical."


class Surroundings(NamedTuple):
    """The flow control around an instruction, that of the callers of its subroutine included.

    `block`: inside any block or conditional call. `dynamic`: inside one that may take another path in the next pixel or vertex.
    """

    block: bool = False
    dynamic: bool = False


_NO_FLOW = Surroundings()


class AnalysisContext:
    """A shader with the facts that several rules use. `damage` are the statements of its source that could not be read."""

    flow_damaged: bool
    vertex: bool
    pixel: bool
    model: int
    ps13: bool
    ps14: bool
    flows: bool

    def __init__(self, shader: Shader, damage: Sequence[Damage] = ()) -> None:
        self.shader = shader
        self.damage = damage
        self.flow_damaged = any(one.op is None or one.op.part for one in damage)
        self.version: Version = shader.version
        self.insts: list[Inst] = shader.insts
        self.limits: Limits = limits(shader.version)
        self.vertex = shader.version.kind == VERTEX
        self.pixel = shader.version.kind == PIXEL
        self.model = shader.version.major
        # ps_1_0 to ps_1_3, and ps_1_4: two languages of their own
        self.ps13 = self.pixel and shader.version.order < (1, 4)
        self.ps14 = self.pixel and shader.version.order == (1, 4)
        self._has: dict[int, bool] = {}
        self._reads: dict[tuple[int, int], tuple[int, bool, bool]] = {}
        self.ops: dict[int, Op] = {inst.op.opcode: inst.op for inst in self.insts}
        # whether an instruction opens or closes blocks, calls, begins a subroutine, returns, breaks, or is part of a matrix
        self.flows = any(op.part for op in self.ops.values())

    def because_of(self, at: int, message: str) -> tuple[Related, ...]:
        """An instruction as a related place; nothing for a file of words."""
        place = self.insts[at].place
        return (Related(place, message),) if place is not None and place.line else ()

    def alone(self, at: int) -> Span | None:
        """The line of an instruction that is alone in it, written without macros, from its first character to the last before a
        comment; None for others."""
        inst = self.insts[at]
        place = inst.place
        if place is None or not place.line or place.text[: place.column - 1].strip():
            return None
        code = place.text.split(";")[0].split("//")[0].rstrip()
        if "/*" in code or read_line(code, self.version) != inst.words:
            return None
        return place.at(place.column, len(code) - place.column + 1)

    def without(self, at: int) -> tuple[Edit, ...]:
        """The edit that removes an instruction; nothing where it is not alone in its line."""
        span = self.alone(at)
        return (Edit(span, ""),) if span is not None else ()

    def without_part(self, at: int, part: str) -> tuple[Edit, ...]:
        """The edit that removes a part of an instruction's statement, such as `_pp`: its first occurrence."""
        span = self.alone(at)
        if span is None:
            return ()
        found = span.text.lower().find(part, span.column - 1, span.column - 1 + span.length)
        return (Edit(span.at(found + 1, len(part)), ""),) if found >= 0 else ()

    def before(self, at: int, statement: str) -> tuple[Edit, ...]:
        """The edit that writes a statement in a line before that of an instruction, indented like it."""
        span = self.alone(at)
        if span is None:
            return ()
        return (Edit(span.at(1, 0), f"{span.text[: span.column - 1]}{statement}\n"),)

    def behind(self, at: int, statement: str) -> tuple[Edit, ...]:
        """The edit that writes a statement in a line after that of an instruction, indented like it."""
        span = self.alone(at)
        if span is None:
            return ()
        return (Edit(span.at(len(span.text) + 1, 0), f"\n{span.text[: span.column - 1]}{statement}"),)

    def may_write(self, file: int, number: int) -> bool:
        """Whether a damaged statement may write a register."""
        return any(one.written is None or (file, number) in one.written for one in self.damage)

    def may_declare(self, file: int, number: int) -> bool:
        """Whether a damaged statement may declare a register; -1 for any of a file."""
        return any(
            (one.op is None or one.op.role == DECLARATION)
            and (number < 0 or one.written is None or (file, number) in one.written)
            for one in self.damage
        )

    @cached_property
    def code(self) -> list[tuple[int, Inst]]:
        """The instructions except declarations and definitions, with their numbers."""
        return [(n, inst) for n, inst in enumerate(self.insts) if inst.op.role not in (DECLARATION, DEFINITION)]

    @cached_property
    def declarations(self) -> list[tuple[int, Inst]]:
        """The declarations, with their numbers."""
        return [(n, inst) for n, inst in enumerate(self.insts) if inst.op.role == DECLARATION]

    @cached_property
    def definitions(self) -> list[tuple[int, Inst]]:
        """The definitions of constants, with their numbers."""
        return [(n, inst) for n, inst in enumerate(self.insts) if inst.op.role == DEFINITION]

    @cached_property
    def targets(self) -> list[tuple[int, Inst, Dest, int]]:
        """The instructions of `code` with a destination: number, destination and its file."""
        return [(at, inst, inst.dest, register_file(inst.dest.word)) for at, inst in self.code if inst.dest is not None]

    @cached_property
    def colors(self) -> list[tuple[int, Inst, Dest]]:
        """The instructions of `code` that write oC# or oDepth, with their numbers."""
        return [(at, inst, dest) for at, inst, dest, file in self.targets if file in _PIXEL_OUTPUTS and self.has(inst.op)]

    @cached_property
    def operands(self) -> set[int]:
        """The words of the sources and destinations of `code`, each once."""
        found = {source.word for _, inst in self.code for source in inst.sources}
        found.update([dest.word for _, _, dest, _ in self.targets])
        return found

    @cached_property
    def predicated(self) -> list[tuple[int, Inst]]:
        """The instructions with a predicate, with their numbers."""
        return [(n, inst) for n, inst in enumerate(self.insts) if inst.predicate is not None]

    @cached_property
    def suspects(self) -> list[tuple[int, Inst]]:
        """The instructions, with their numbers, that the rules about single instructions have to look at.

        Of others they have looked at one of the same form before and found nothing, in the same version.
        """
        passed = passed_forms(self.version, self.shader.direct3d8)
        forms = [form_of(inst, self.model) for inst in self.insts]
        self._forms = {n: form for n, form in enumerate(forms) if form not in passed}
        return [(n, self.insts[n]) for n in self._forms]

    def pass_forms(self, found: Set[int]) -> None:
        """Note that the rules about single instructions have found nothing in the `suspects`, but for those with the numbers
        `found`."""
        passed = passed_forms(self.version, self.shader.direct3d8)
        new = {self._forms[n] for n, _ in self.suspects if n not in found}
        if len(passed) + len(new) > _MOST_FORMS:
            passed.clear()
        passed |= new

    @cached_property
    def branching(self) -> int:
        """How many instructions open blocks, call or begin subroutines."""
        return sum(inst.op.part in _BRANCHES for inst in self.insts)

    def around(self, at: int) -> Surroundings:
        """The flow control around an instruction of `code`, by its number."""
        return self.surroundings[at] if self.flows else _NO_FLOW

    @cached_property
    def surroundings(self) -> dict[int, Surroundings]:
        """The flow control around each instruction, by its number. Linear: calls go forward, so callers come before
        subroutines."""
        leaving = self._dynamic_loops()
        found: dict[int, Surroundings] = {}
        routines: dict[int, Surroundings] = {}
        base = here = Surroundings()
        stack: list[Surroundings] = []
        for at, inst in self.code:
            part = inst.op.part
            if part == BEGINS:
                number = inst.sources[0].number if inst.sources else -1
                base = here = routines.get(number, Surroundings())
                stack = []
            elif part == CLOSES:
                here = stack.pop() if stack else base
            found[at] = here
            if part == OPENS:
                stack.append(here)
                here = Surroundings(block=True, dynamic=here.dynamic or is_dynamic(inst) or at in leaving)
            elif part == CALLS and inst.sources:
                known = routines.get(inst.sources[0].number, Surroundings())
                conditional = len(inst.sources) > 1
                routines[inst.sources[0].number] = Surroundings(
                    known.block or here.block or conditional, known.dynamic or here.dynamic or is_dynamic(inst)
                )
        return found

    def _dynamic_loops(self) -> set[int]:
        """The numbers of the loops that a dynamic condition may leave."""
        found: set[int] = set()
        outside = -1, False  # the innermost loop, and whether a dynamic condition is between it and the instruction
        stack: list[tuple[int, bool]] = []
        for at, inst in self.code:
            part = inst.op.part
            loop, dynamic = stack[-1] if stack else outside
            if part == OPENS:
                stack.append((loop, dynamic or is_dynamic(inst)) if inst.op.block == IF_BLOCK else (at, False))
            elif part == CLOSES and stack:
                stack.pop()
            elif part == BEGINS:
                stack = []
            elif part == BREAKS and (dynamic or inst.sources):  # break_comp and breakp test a value, break does not
                found.add(loop)
        return found

    @cached_property
    def unknown(self) -> list[tuple[Span | None, int]]:
        """The place and first word of each unknown instruction."""
        return [(item.place, item.token) for item in self.shader.items if isinstance(item, Unknown)]

    @cached_property
    def phase(self) -> int:
        """The number of the first `phase` (ps_1_4), -1 without one: then all is the second phase."""
        return next((n for n, inst in enumerate(self.insts) if inst.op.role == MARK), -1)

    @cached_property
    def declared(self) -> dict[tuple[int, int], Inst]:
        """The declarations, by register."""
        found: dict[tuple[int, int], Inst] = {}
        for _, inst in self.declarations:
            if inst.dest is not None:
                found.setdefault((inst.dest.file, inst.dest.number), inst)
        return found

    def sampler_type(self, number: int) -> str:
        """`2d`, `cube`, `volume`, as declared; `unknown` without a declaration."""
        inst = self.declared.get((SAMPLER, number))
        kind = inst.payload[0] >> 27 & 0xF if inst is not None else 0
        return SAMPLER_TYPES[kind] if kind < len(SAMPLER_TYPES) else "unknown"

    def has(self, op: Op) -> bool:
        """Whether the version has an instruction."""
        found = self._has.get(op.opcode)
        if found is None:
            found = self._has[op.opcode] = has(op, self.version)
        return found

    def called(self, inst: Inst) -> str:
        """The name of an instruction in this version: `texld`, `if_gt`."""
        return mnemonic_of(inst.op, inst.control, self.version) or inst.op.name

    def name(self, operand: Source | Dest) -> str:
        """The name of an operand's register, for messages."""
        letters = register_name(self.version, operand.file, operand.number)
        if letters is None:
            return f"register {operand.number} of file {operand.file}"
        return f"{letters.rstrip('0123456789')}[...]" if operand.is_relative else letters

    def reads(self, inst: Inst, index: int) -> int:
        """The components, as a mask, of a source's register that an instruction reads."""
        key = inst.op.opcode, index
        known = self._reads.get(key)
        if known is None:
            letters = components_read(inst.op, index)
            fixed = sum(1 << COMPONENTS.index(letter) for letter in set(letters) & set(COMPONENTS))
            known = self._reads[key] = fixed, MASKED in letters, TEXTURED in letters
        positions, masked, textured = known
        if masked:
            positions |= inst.dest.mask if inst.dest is not None else ALL
        if textured:
            positions |= self._coordinates(inst, index)
        return swizzled(positions, inst.sources[index])

    def _coordinates(self, inst: Inst, index: int) -> int:
        """The components of a texture coordinate: two, or three of a cube or volume; texldp and texldb read w of the first
        source too."""
        kind = self.sampler_type(inst.sources[1].number) if len(inst.sources) > 1 else "unknown"
        found = _DEEP if kind in ("cube", "volume") else _FLAT
        with_w = index == 0 and self.model >= 2 and inst.op.control == VARIED and inst.control != TEXLD
        return found | (0b1000 if with_w else 0)


def is_dynamic(inst: Inst) -> bool:
    """Whether a condition is computed by the shader: a comparison or a predicate, not a b#."""
    return inst.op.control == COMPARED or any(source.file == PREDICATE for source in inst.sources)


def swizzled(positions: int, source: Source) -> int:
    """The components of a register at some positions of a swizzle."""
    key = source.word >> 12 & 0xFF0 | positions
    try:
        return _SWIZZLED[key]
    except KeyError:
        found = 0
        for position, component in enumerate(source.swizzle):
            if positions >> position & 1:
                found |= 1 << component
        _SWIZZLED[key] = found
        return found


def form_of(inst: Inst, model: int) -> tuple[object, ...]:
    """All of an instruction that the rules about single instructions look at.

    That is all of it but the numbers of r#, v# and c#, of which only the equal ones matter. Where more does, they stay: in
    ps_1_x, in declarations, in instructions with a matrix or scratch registers. Whether a version has so many registers is
    another rule, and so is what a definition defines.
    """
    op, token, dest, predicate, sources, payload, _ = inst
    if model < 2 or op.opcode in _WHOLE:
        return op.opcode, token, dest, predicate, sources, payload
    operands = sources if dest is None else (*sources, dest)
    registers: list[int] = []
    form: list[object] = [op.opcode, token, predicate, dest is None, len(payload)]
    for word, relative in operands:
        register = word & REGISTER
        registers.append(register)
        form += (word & ~NUMBER if word & FILE <= _LAST_COMMON else word, relative, registers.index(register))
    return tuple(form)


@lru_cache(maxsize=64)
def passed_forms(version: Version, direct3d8: bool) -> set[tuple[object, ...]]:
    """The forms in which the rules about single instructions have found nothing."""
    return set()


def is_replicate(source: Source) -> bool:
    """Whether a swizzle is one component four times."""
    return len(set(source.swizzle)) == 1


def is_identity(source: Source) -> bool:
    return source.swizzle == (0, 1, 2, 3)


def mask_text(mask: int) -> str:
    """`.xy`."""
    return "." + "".join(letter for n, letter in enumerate(COMPONENTS) if mask >> n & 1)
