"""Random Direct3D 9 shaders and data, to compare engines and compilers.

They use any arithmetic instruction of a version, flow control, predication, relative addresses and special numbers. They are
legal where it affects the result, and end after few iterations.
"""

from __future__ import annotations

import random as random_module
from typing import TYPE_CHECKING

import numpy as np

from lanewise.core.record import Record
from lanewise.direct3d9.isa import table as isa
from lanewise.direct3d9.isa.operands import CONDITION, CONSTANT, MATRIX, MOVED, RESULT, SCALAR
from lanewise.direct3d9.isa.program import Inst, Shader, Source, make_constant, make_dest, make_inst, make_source
from lanewise.direct3d9.isa.table import BY_NAME, PIXEL, VERTEX, find_version

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from lanewise.direct3d9.isa.operands import SourceKind
    from lanewise.direct3d9.isa.program import Dest
    from lanewise.direct3d9.isa.table import Op, Version

VERSIONS = ("vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0", "ps_1_1", "ps_1_4", "ps_2_0", "ps_2_x", "ps_3_0")
TEMPS, INPUTS, DEFINED, GIVEN = 6, 4, 4, 8  # registers that are used: r#, v#, c# of def, c# of the run
ARRAY, ARRAY_END = 16, 24  # c# that relative addresses are meant to reach
INTEGERS, BOOLEANS = 3, 3
_SPECIAL = (
    0,
    0x80000000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0xFFC00001,
    1,
    0x80000001,
    0x007FFFFF,
    0x00800000,
    0x7F7FFFFF,
    0x3F800000,
    0xBF800000,
    0x40000000,
    0x3F000000,
    0xBF000000,
    0x3FC00000,
)
_MASKS = tuple(range(1, 16))
_REPLICATED = (0x00, 0x55, 0xAA, 0xFF)


class Options(Record):
    """The features that random shaders may use."""

    size: int = 12
    "Statements of main."
    flow: bool = True
    "Blocks, loops and subroutines, where the version has them."
    relative: bool = True
    "Operands may have relative addresses, where the version has them."
    compiles: bool = False
    "Nothing that only a run can do: no dsx, dsy or counts of loops that the run gives, and no ret in a block."
    returns: bool = False
    "With `compiles`, a ret in a block nevertheless."
    versions: tuple[str, ...] = VERSIONS
    "Names of versions to choose from."


class Case(Record):
    """A shader with data for a run."""

    shader: Shader
    "The shader; its instructions have no places."
    lanes: int
    "How many lanes there are."
    inputs: dict[str, NDArray[np.uint32]]
    "Patterns (lanes, 4) by the name of the register."
    constants: dict[str, NDArray[np.uint32]]
    "Four patterns by the name of the register."
    integers: dict[str, list[int]]
    "Count, start and step by the name of the register."
    booleans: dict[str, bool]
    "Values by the name of the register."


def random_case(rng: random.Random, options: Options | None = None, lanes: int = 16) -> Case:
    """A shader and data for a run of it."""
    options = options or Options()
    version = find_version(rng.choice(options.versions))
    assert version is not None
    return _with_data(rng, _Builder(rng, version, options).shader(), lanes)


def arithmetic_ops(version: str) -> list[Op]:
    """The instructions of a version that random shaders have as statements."""
    found = find_version(version)
    assert found is not None
    return _Builder(random_module.Random(0), found, Options()).ops


def case_of_op(rng: random.Random, op: Op, version: str, lanes: int) -> Case:
    """A shader whose statements are of one instruction, and data for a run of it."""
    found = find_version(version)
    assert found is not None
    builder = _Builder(rng, found, Options(size=2, flow=False, versions=(version,)))
    builder.ops = [op]
    return _with_data(rng, builder.shader(), lanes)


def _with_data(rng: random.Random, shader: Shader, lanes: int) -> Case:
    version = shader.version
    textures = {f"t{n}": _grid(rng, lanes) for n in range(INPUTS)} if version.kind == PIXEL and version.major < 3 else {}
    colors = {f"v{n}": _grid(rng, lanes) for n in range(_inputs(version))}
    constants = {f"c{n}": _grid(rng, 1)[0] for n in (*range(DEFINED, DEFINED + GIVEN), *range(ARRAY, ARRAY_END))}
    if version.kind == PIXEL and version.major < 2:
        constants = {f"c{n}": _grid(rng, 1)[0] for n in range(DEFINED, 8)}
    there = {port for inst in shader.insts for port in _read(inst, version)}
    inputs = {name: grid for name, grid in (textures | colors).items() if name in there}
    integers = {f"i{n}": [rng.randint(0, 3), rng.randint(0, 5), rng.randint(-2, 2)] for n in range(INTEGERS)}
    return Case(
        shader=shader,
        lanes=lanes,
        inputs=inputs,
        constants=constants,
        integers=integers,
        booleans={f"b{n}": rng.random() < 0.5 for n in range(BOOLEANS)},
    )


def _inputs(version: Version) -> int:
    return INPUTS if version.kind == VERTEX or version.major >= 3 else 2


def _read(inst: Inst, version: Version) -> list[str]:
    """The names of the inputs that an instruction reads or declares."""
    found = [source for source in inst.sources if source.file in (isa.INPUT, isa.TEXTURE)]
    names = [("v" if source.file == isa.INPUT else "t") + str(source.number) for source in found]
    if version.kind == VERTEX:
        names = [name for name in names if name[0] == "v"]
    if inst.op.role == isa.DECLARATION and inst.dest is not None and inst.dest.file == isa.INPUT:
        names.append(f"v{inst.dest.number}")
    return names


def pattern(rng: random.Random) -> int:
    """A float32 pattern: small numbers, whole numbers, numbers of any size, special ones."""
    kind = rng.random()
    if kind < 0.5:
        return int(np.float32(rng.uniform(-4, 4)).view(np.uint32))
    if kind < 0.75:
        return int(np.float32(rng.randint(-3, 8) + rng.choice((0.0, 0.0, 0.5))).view(np.uint32))
    if kind < 0.88:
        return rng.getrandbits(32)
    return rng.choice(_SPECIAL)


def _grid(rng: random.Random, lanes: int) -> NDArray[np.uint32]:
    return np.array([[pattern(rng) for _ in range(4)] for _ in range(lanes)], np.uint32)


class _Builder:
    """One shader under construction."""

    def __init__(self, rng: random.Random, version: Version, options: Options) -> None:
        self.rng, self.version, self.options = rng, version, options
        self.items: list[Inst] = []
        self.pixel, self.old = version.kind == PIXEL, version.major < 2
        self.flow = options.flow and not self.old and not (self.pixel and version.order < (2, 1))
        self.dynamic = self.flow and version.order >= (2, 1)
        self.loops = self.flow and (not self.pixel or version.major >= 3)
        self.routines = rng.choice((0, 0, 1, 2)) if self.flow else 0
        self.counters = 0  # loops around that have an aL
        self.level = 0
        self.ops = [op for op in isa.OPS if op.role == isa.ARITHMETIC and isa.has(op, version) and self._wanted(op)]

    def _wanted(self, op: Op) -> bool:
        """Whether statements are drawn from an instruction: it gives a value, and that of these operands only."""
        if op.dest not in (RESULT, MOVED) or op.needs == isa.BUMP:
            return False
        return not (self.options.compiles and op.needs == isa.QUAD)

    def shader(self) -> Shader:
        self._declarations()
        for n in range(self.rng.randint(0, 3)):  # numbers to begin with: registers are 0 otherwise
            if not (self.pixel and self.old):
                self._arithmetic(BY_NAME["mov"], make_dest(isa.TEMP, n), (make_source(isa.INPUT, n % _inputs(self.version)),))
        self._block(self.options.size, inside="")
        self._outputs()
        if self.routines:
            self._put("ret")
        for label in range(self.routines):
            self._put("label", sources=(make_source(isa.LABEL, label),))
            here = self.counters
            self.counters = 0
            self._block(3, inside="", routine=label)
            self.counters = here
            self._put("ret")
        return Shader(version=self.version, items=tuple(self.items))

    def _put(self, name: str, *, sources: tuple[Source, ...] = (), control: int = 0, predicate: Source | None = None) -> None:
        self.items.append(make_inst(BY_NAME[name], self.version, None, sources, control=control, predicate=predicate))

    # What stands before the instructions

    def _declarations(self) -> None:
        rng, version = self.rng, self.version
        for n in range(DEFINED):
            payload = tuple(self._constant() for _ in range(4))
            self.items.append(make_inst(BY_NAME["def"], version, make_dest(isa.CONST, n), payload=payload))
        if self.flow:
            for n in range(INTEGERS):
                if self.options.compiles or rng.random() < 0.5:
                    payload = (rng.randint(0, 3), rng.randint(0, 5), rng.randint(-2, 2) & 0xFFFFFFFF, 0)
                    self.items.append(make_inst(BY_NAME["defi"], version, make_dest(isa.CONSTINT, n), payload=payload))
            if rng.random() < 0.5:
                self.items.append(
                    make_inst(BY_NAME["defb"], version, make_dest(isa.CONSTBOOL, 0), payload=(rng.getrandbits(1),))
                )
        if not self.pixel or version.major >= 3:
            for n in range(INPUTS):
                usage = 0x80000000 | (isa.USAGES.index("texcoord") | n << 16)
                self.items.append(make_inst(BY_NAME["dcl"], version, make_dest(isa.INPUT, n), payload=(usage,)))
        if not self.pixel and version.major >= 3:
            for n in range(4):
                usage = 0x80000000 | (isa.USAGES.index("texcoord") | n << 16 if n else 0)
                self.items.append(make_inst(BY_NAME["dcl"], version, make_dest(isa.OUTPUT, n), payload=(usage,)))

    def _constant(self) -> int:
        if self.pixel and self.old:
            return int(np.float32(self.rng.uniform(-1, 1)).view(np.uint32))
        return pattern(self.rng)

    def _outputs(self) -> None:
        """Registers go out, so that what they hold is seen."""
        if self.pixel and self.old:
            return
        for n in range(4):
            self._arithmetic(BY_NAME["mov"], make_dest(*self._output(n)), (make_source(isa.TEMP, n),))

    def _output(self, n: int) -> tuple[int, int]:
        if self.pixel:
            return isa.COLOROUT, n
        if self.version.major >= 3:
            return isa.OUTPUT, n
        return ((isa.RASTOUT, 0), (isa.ATTROUT, 0), (isa.ATTROUT, 1), (isa.TEXCRDOUT, 0))[n]

    def _arithmetic(self, op: Op, dest: Dest, sources: tuple[Source, ...]) -> None:
        self.items.append(make_inst(op, self.version, dest, sources))

    # Statements

    def _block(self, size: int, *, inside: str, routine: int = -1) -> None:
        """`inside`: `loop` within a loop of this routine."""
        for _ in range(self.rng.randint(1, size) if self.level else size):
            choice = self.rng.random()
            if not self.flow or choice < 0.62 or self.level > 3:
                self._instruction()
            elif choice < 0.76:
                self._if(inside, routine)
            elif choice < 0.86:
                self._loop(routine)
            elif choice < 0.92 and self.routines > routine + 1:
                self._call(routine)
            elif choice < 0.96 and inside == "loop" and self.dynamic:
                self._break()
            elif choice < 0.975 and self.level and (self.options.returns or not self.options.compiles):
                self._put("ret")
            else:
                self._instruction()

    def _if(self, inside: str, routine: int) -> None:
        rng = self.rng
        kind = rng.choice(("b", "c", "p")) if self.dynamic else "b"
        if kind == "c":
            self._put("ifc", sources=(self._scalar(), self._scalar()), control=rng.randint(1, 6))
        else:
            self._put("if", sources=(self._truth(kind),))
        self.level += 1
        self._block(3, inside=inside, routine=routine)
        if rng.random() < 0.5:
            self._put("else")
            self._block(3, inside=inside, routine=routine)
        self.level -= 1
        self._put("endif")

    def _truth(self, kind: str) -> Source:
        """A b# or a component of p0, possibly inverted."""
        modifier = isa.NOT if self.rng.random() < 0.4 else isa.NONE
        if kind == "b":
            return make_source(isa.CONSTBOOL, self.rng.randrange(BOOLEANS), modifier=modifier)
        return make_source(isa.PREDICATE, 0, swizzle=self.rng.choice(_REPLICATED), modifier=modifier)

    def _loop(self, routine: int) -> None:
        if self.level > 2:
            self._instruction()
            return
        count = make_source(isa.CONSTINT, self.rng.randrange(INTEGERS))
        counted = self.loops and (self.rng.random() < 0.6 or self.pixel)
        if counted:
            self._put("loop", sources=(make_source(isa.LOOP, 0), count))
        else:
            self._put("rep", sources=(count,))
        self.level += 1
        self.counters += counted
        self._block(3, inside="loop", routine=routine)
        self.counters -= counted
        self.level -= 1
        self._put("endloop" if counted else "endrep")

    def _call(self, routine: int) -> None:
        label = make_source(isa.LABEL, self.rng.randrange(routine + 1, self.routines))
        if self.rng.random() < 0.5:
            self._put("call", sources=(label,))
        else:
            kind = self.rng.choice(("b", "p")) if self.dynamic else "b"
            self._put("callnz", sources=(label, self._truth(kind)))

    def _break(self) -> None:
        kind = self.rng.random()
        if kind < 0.6:
            self._put("breakc", sources=(self._scalar(), self._scalar()), control=self.rng.randint(1, 6))
        elif kind < 0.9:
            self._put("breakp", sources=(self._truth("p"),))
        else:
            self._put("break")

    # Instructions

    def _instruction(self) -> None:
        rng = self.rng
        if self.dynamic and rng.random() < 0.08:
            self._setp()
            return
        if not self.pixel and self.options.relative and rng.random() < 0.08:
            self._address()
            return
        op = rng.choice(self.ops)
        dest = make_dest(*self._target(op), mask=self._mask(op), modifiers=self._modifiers(op), shift=self._shift())
        sources = tuple(self._sources(op))
        coissue = self.pixel and self.old and rng.random() < 0.15 and self._pairs()
        self.items.append(make_inst(op, self.version, dest, sources, predicate=self._predicate(), coissue=bool(coissue)))

    def _pairs(self) -> bool:
        last = self.items[-1]
        return last.op.role == isa.ARITHMETIC and not last.coissue

    def _predicate(self) -> Source | None:
        if not self.dynamic or self.rng.random() > 0.2:
            return None
        swizzle = self.rng.choice((isa.IDENTITY, *_REPLICATED))
        return make_source(isa.PREDICATE, 0, swizzle=swizzle, modifier=isa.NOT if self.rng.random() < 0.4 else isa.NONE)

    def _setp(self) -> None:
        dest = make_dest(isa.PREDICATE, 0, mask=self.rng.randint(1, 15))
        inst = make_inst(BY_NAME["setp"], self.version, dest, (self._source(), self._source()), control=self.rng.randint(1, 6))
        self.items.append(inst)

    def _address(self) -> None:
        old = self.version.major < 2
        dest = make_dest(isa.ADDR, 0, mask=1 if old else self.rng.randint(1, 15))
        self.items.append(
            make_inst(BY_NAME["mov" if old else "mova"], self.version, dest, (self._source(),), predicate=self._predicate())
        )

    def _target(self, op: Op) -> tuple[int, int]:
        if self.rng.random() < 0.15 and not (self.pixel and self.old):
            return self._output(self.rng.randrange(4))
        return isa.TEMP, self.rng.randrange(2 if self.pixel and self.old else TEMPS)

    def _mask(self, op: Op) -> int:
        return self.rng.choice(isa.limited(op.masks, self.version) or _MASKS)

    def _modifiers(self, op: Op) -> int:
        can = (self.pixel or self.version.major >= 3) and op.sat in ("", self.version.kind)
        return isa.SATURATE if can and self.rng.random() < 0.15 else 0

    def _shift(self) -> int:
        return self.rng.choice((0, 0, 0, 1, 2, -1)) if self.pixel and self.old else 0

    def _sources(self, op: Op) -> Sequence[Source]:
        return [self._operand(kind, n) for n, kind in enumerate(isa.sources_in(op, self.version))]

    def _operand(self, kind: SourceKind, n: int) -> Source:
        """A source of a kind; `n` is its number."""
        if kind == CONSTANT:
            return make_constant(n)
        if kind == MATRIX:
            return make_constant(self.rng.choice((DEFINED, DEFINED + 1, ARRAY)))
        if kind == CONDITION and self.version.order < (1, 4):
            return make_source(isa.TEMP, 0, swizzle=0xFF)
        return self._scalar() if kind == SCALAR else self._source()

    def _scalar(self) -> Source:
        return self._source(self.rng.choice(_REPLICATED))

    def _source(self, swizzle: int | None = None) -> Source:
        rng = self.rng
        if swizzle is None:
            swizzle = rng.choice((isa.IDENTITY, isa.IDENTITY, rng.randrange(256)))
        modifier = self._modifier()
        kind = rng.random()
        if kind < 0.45:
            return make_source(
                isa.TEMP, rng.randrange(2 if self.pixel and self.old else TEMPS), swizzle=swizzle, modifier=modifier
            )
        if kind < 0.6:
            return make_source(isa.INPUT, rng.randrange(_inputs(self.version)), swizzle=swizzle, modifier=modifier)
        if kind < 0.7 and self.pixel and self.version.major < 3:
            return make_source(isa.TEXTURE, rng.randrange(INPUTS), swizzle=swizzle, modifier=modifier)
        if kind < 0.8 and self.options.relative and not self.pixel:
            return self._relative(swizzle, modifier)
        most = 8 if self.pixel and self.old else DEFINED + GIVEN
        return make_constant(rng.randrange(most), swizzle=swizzle, modifier=modifier)

    def _relative(self, swizzle: int, modifier: int) -> Source:
        """c[a0.x+16] or c[aL+16]; in vs_3_0 also v[aL]."""
        rng = self.rng
        number = rng.randrange(ARRAY, ARRAY_END)
        if self.version.major < 2:
            result = make_source(isa.CONST, number, swizzle=swizzle, modifier=modifier, relative=0)
            return result._replace(relative=None)
        if self.counters and rng.random() < 0.6:
            relative = make_source(isa.LOOP, 0).word
            if self.version.major >= 3 and rng.random() < 0.3:
                return make_source(isa.INPUT, rng.randrange(2), swizzle=swizzle, modifier=modifier, relative=relative)
        else:
            relative = make_source(isa.ADDR, 0, swizzle=rng.choice(_REPLICATED)).word
        return make_source(isa.CONST, number, swizzle=swizzle, modifier=modifier, relative=relative)

    def _modifier(self) -> int:
        if self.rng.random() < 0.6:
            return isa.NONE
        if self.pixel and self.old:
            return self.rng.choice((isa.NEGATE, isa.BIAS, isa.BIAS_NEGATE, isa.SIGN, isa.SIGN_NEGATE, isa.COMPLEMENT))
        return self.rng.choice((isa.NEGATE, isa.ABS, isa.ABS_NEGATE)) if self.version.major >= 3 else isa.NEGATE
