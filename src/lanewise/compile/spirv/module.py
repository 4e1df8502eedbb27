"""A SPIR-V module as a model: types, constants, decorations, names, entry points, functions as blocks, and places in the
source."""

from __future__ import annotations

import operator
import re
import struct

from lanewise.compile.spirv.binary import Header, Instruction, Malformed, Unsupported, read_instructions, string, string_words
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lanewise.core.debugging import Expression
    from lanewise.core.diagnostics import Diagnostic

# Storage classes (specification 3.7).
UNIFORM_CONSTANT, INPUT, UNIFORM, OUTPUT, WORKGROUP, PRIVATE, FUNCTION, PUSH_CONSTANT, STORAGE_BUFFER = (
    0,
    1,
    2,
    3,
    4,
    6,
    7,
    9,
    12,
)
# Decorations (3.20).
SPEC_ID, BLOCK, BUFFER_BLOCK, BUILT_IN, INVARIANT, LOCATION, COMPONENT, NO_CONTRACTION, USER_SEMANTIC = (
    1,
    2,
    3,
    11,
    18,
    30,
    31,
    42,
    5635,
)
VERTEX = 0  # execution model
BUILT_INS = {
    0: "gl_Position",
    1: "gl_PointSize",
    3: "gl_ClipDistance",
    4: "gl_CullDistance",
    5: "gl_VertexID",
    6: "gl_InstanceID",
    7: "gl_PrimitiveID",
    9: "gl_Layer",
    10: "gl_ViewportIndex",
    36: "gl_SubgroupSize",
    41: "gl_SubgroupInvocationID",
    42: "gl_VertexIndex",
    43: "gl_InstanceIndex",
    4424: "gl_BaseVertex",
    4425: "gl_BaseInstance",
    4426: "gl_DrawID",
    4432: "gl_PrimitiveShadingRateEXT",
    4438: "gl_DeviceIndex",
    4440: "gl_ViewIndex",
}
_DEBUG_LINE, _DEBUG_NO_LINE, _DEBUG_SOURCE, _DEBUG_SOURCE_MORE, _DEBUG_LOCAL, _DEBUG_DECLARE, _DEBUG_VALUE = (
    103,
    104,
    35,
    102,
    26,
    28,
    29,
)
DEBUG_INFO = "NonSemantic.Shader.DebugInfo.100"
GLSL = "GLSL.std.450"
_MOST_COMPONENTS = 1 << 16  # of a type: what is larger does not fit into any target
_TERMINATORS = frozenset((249, 250, 251, 252, 253, 254, 255, 4416))
_LINE_DIRECTIVE = re.compile(r"\s*#line\s+(\d+)")

_MARKS = "_.$@[]()<>:;,~- "  # of names that compilers make up
_HLSL, _SLANG = 5, 11  # source languages
# What lengths of arrays may be computed by: OpIAdd, OpISub, OpIMul.
_WHOLE: Mapping[int, Callable[[int, int], int]] = {128: operator.add, 130: operator.sub, 132: operator.mul}


class Type(Record):
    """A type."""

    kind: str
    "The name of its instruction without OpType, in lower case."
    element: int = 0
    "The type of an element, of a matrix that of a column; of a pointer its target; of a function its result; 0: none."
    length: int = 0
    "The number of elements; 0 where a run decides, and for types without any."
    members: tuple[int, ...] = ()
    "The types of the members of a struct, or of the parameters of a function."
    width: int = 0
    "Bits of an int or float."
    signed: bool = False
    "An int has a sign."
    storage: int = -1
    "The storage class of a pointer; -1 for other types."


class Block(Record):
    """A basic block."""

    label: int
    "The id of its label."
    phis: tuple[Instruction, ...]
    "The phis, which come first."
    body: tuple[Instruction, ...]
    "The instructions between phis and end, without the merge instruction."
    merge: Instruction | None
    "The merge instruction; None without one."
    end: Instruction
    "The terminator: a branch, a return or the like."


class Function(Record):
    """A function of a module."""

    number: int
    "The id of the function."
    type: int
    "The id of its type, whose members are the types of parameters."
    parameters: tuple[int, ...]
    "The ids of its parameters."
    blocks: Mapping[int, Block]
    "The blocks by label, in order."
    first: int
    "The label of the entry block; 0 for a function without a body."
    line: int
    "An index of `Module.lines`; -1: none."


class EntryPoint(Record):
    model: int
    function: int
    name: str
    interface: tuple[int, ...]


class Module:
    """A module that was read. All numbers are ids; names and places are what debug information says.

    `specialized`: the values of specialization constants by SpecId, of those that do not have the value in the module.
    """

    specialized: Mapping[int, float] | dict[int, float]

    def __init__(
        self, name: str, header: Header, instructions: list[Instruction], specialized: Mapping[int, float] | None = None
    ) -> None:
        self.name = name
        self.header = header
        self.instructions = instructions
        self.specialized = specialized or {}
        self.types: dict[int, Type] = {}
        self.constants: list[Instruction] = []  # in order, with spec constants and OpUndef
        self.lengths: dict[int, int] = {}  # whole numbers that arrays may be long
        self.variables: dict[int, Instruction] = {}
        self.functions: dict[int, Function] = {}
        self.entries: list[EntryPoint] = []
        self.names: dict[int, str] = {}
        self.member_names: dict[tuple[int, int], str] = {}
        self.decorations: dict[int, dict[int, tuple[int, ...]]] = {}
        self.member_decorations: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
        self.sets: dict[int, str] = {}  # of extended instructions
        self.strings: dict[int, str] = {}
        self.sources: dict[str, list[str]] = {}  # lines by file
        self.forward: set[int] = set()  # pointer types that structs may have before they are declared
        self.languages: set[int] = set()  # of the sources
        self.is_glsl = False  # whether the source is GLSL, whatever the module says: Slang names itself as its language
        self.lines: list[Span] = []
        self.expressions: dict[int, Expression] = {}  # of `lines` that are expressions (`expressions.placed`)
        self._sizes: dict[int, int] = {}
        self._places: dict[tuple[str, int, int], int] = {}
        self._debug_sources: dict[int, str] = {}
        self._debug_names: dict[int, str] = {}

    # Asking

    def type(self, number: int) -> Type:
        found = self.types.get(number)
        if found is None:
            raise Malformed(f"%{number} is not a type")
        return found

    def size(self, number: int) -> int:
        """How many components a value of a type has. Raises Malformed for types without values."""
        found = self._sizes.get(number)
        if found is None:
            found = self._sizes[number] = self._size(self.type(number))
        return found

    def _size(self, kind: Type) -> int:
        if kind.kind in ("float", "int", "bool"):
            return 1
        if kind.kind in ("vector", "matrix", "array"):
            size = kind.length * self.size(kind.element)
        elif kind.kind == "struct":
            size = sum([self.size(member) for member in kind.members])
        else:
            raise Unsupported(f"values of type {kind.kind} are not supported")
        if size > _MOST_COMPONENTS:
            raise Malformed(f"a type has {size} components: expected at most {_MOST_COMPONENTS}")
        return size

    def scalar(self, number: int) -> Type:
        """The type of the components of a scalar, vector or matrix."""
        kind = self.type(number)
        while kind.kind in ("vector", "matrix"):
            kind = self.type(kind.element)
        return kind

    def name_of(self, number: int) -> str:
        return self.names.get(number) or self._debug_names.get(number, "")

    def member_name(self, struct_type: int, member: int) -> str:
        return self.member_names.get((struct_type, member), "")

    def says(self, which: int) -> bool:
        """Whether anything has a decoration."""
        return any(which in found for found in (*self.decorations.values(), *self.member_decorations.values()))

    def decoration(self, number: int, which: int) -> int | None:
        """The first word of a decoration of an id; None where it has none."""
        words = self.decorations.get(number, {}).get(which)
        return None if words is None else words[0] if words else 0

    def member_decoration(self, struct_type: int, member: int, which: int) -> int | None:
        words = self.member_decorations.get((struct_type, member), {}).get(which)
        return None if words is None else words[0] if words else 0

    def specialization(self, number: int, value: float) -> float:
        """The value of a specialization constant: the one that is given, else that of the module."""
        which = self.decoration(number, SPEC_ID)
        return value if which is None else self.specialized.get(which, value)

    def place(self, instruction: Instruction) -> Span:
        """Where an instruction comes from: its line in the source if the module says so, else its offset in the file."""
        return self.lines[instruction.line] if instruction.line >= 0 else Span(file=self.name, offset=instruction.offset)

    def declared(self, name: str, keywords: str = "out|varying") -> Span | None:
        """The line of the source that declares a variable with one of the `keywords`, or a member: those of a module have no
        place of their own."""
        plain = re.escape(name.rpartition(".")[2].partition("[")[0])
        if not plain:
            return None
        same = rf"(?:^|[;)}}])\s*(?:\w+\s+)*?(?:{keywords})\b[^;{{}}()]*?\b({plain})\b(?!\s*\()"
        line = rf"\b(?:{keywords})\b.*?\b({plain})\b(?!\s*\()"
        member = rf"(?:^|\w)\s+({plain})\s*(?:\[\w*\]\s*)*[;:,]"
        for declaration in map(re.compile, (same, line, member)):
            for file, lines in self.sources.items():
                for number, text in enumerate(lines, 1):
                    found = declaration.search(text.partition("//")[0])
                    if found is not None:
                        return Span(
                            file=file or self.name,
                            line=number,
                            column=found.start(1) + 1,
                            length=found.end(1) - found.start(1),
                            text=text,
                        )
        return None

    @property
    def rows_are_columns(self) -> bool:
        """Whether the rows of a matrix of the source are columns of SPIR-V: in HLSL and Slang `mul(M, v)` is a product with the
        rows of M."""
        return not self.is_glsl and not self.languages.isdisjoint((_HLSL, _SLANG))

    @property
    def bools_are_signed(self) -> bool:
        """Whether a bool in a block is an int, as Slang has it; others have uint."""
        return _SLANG in self.languages

    @property
    def has_names(self) -> bool:
        return bool(self.names or self._debug_names)

    # Reading

    def build(self) -> None:
        """Fill the model from the instructions. Raises Malformed."""
        self._read_debug()
        line = -1
        body: list[Instruction] | None = None
        results: set[int] = set()
        for number, instruction in enumerate(self.instructions):
            marked = self._line_of(instruction)
            if marked is not None:
                line = marked
                continue
            if instruction.result in results:
                raise Malformed(f"%{instruction.result} is defined twice", instruction.offset)
            if instruction.result:
                results.add(instruction.result)
            instruction = instruction._replace(line=line)  # noqa: PLW2901
            self.instructions[number] = instruction
            if body is not None:
                if instruction.name == "OpFunctionEnd":
                    self._add_function(body)
                    body, line = None, -1
                else:
                    body.append(instruction)
            elif instruction.name == "OpFunction":
                body = [instruction]
            else:
                self._add_global(instruction)
        if body is not None:
            raise Malformed("a function has no OpFunctionEnd", body[0].offset)

    def _line_of(self, instruction: Instruction) -> int | None:
        """The index of the line that an instruction sets, -1 where it ends one; None for other instructions."""
        words = instruction.words
        if instruction.name == "OpLine":
            return self._place(self.strings.get(words[0], ""), words[1], words[2])
        if instruction.name == "OpNoLine":
            return -1
        if instruction.name == "OpExtInst" and self.sets.get(words[0]) == DEBUG_INFO:
            which = words[1]
            if which == _DEBUG_LINE and len(words) >= 5:
                return self._place(
                    self._debug_sources.get(words[2], ""),
                    self.lengths.get(words[3], 0),
                    self.lengths.get(words[5], 0) if len(words) > 5 else 0,
                )
            if which == _DEBUG_NO_LINE:
                return -1
        return None

    def _place(self, file: str, line: int, column: int) -> int:
        """The index of a place; the name of the module stands for a source without one."""
        key = (file, line, column)
        found = self._places.get(key)
        if found is None:
            texts = self.sources.get(file, ())
            text = texts[line - 1] if 0 < line <= len(texts) else ""
            found = self._places[key] = len(self.lines)
            self.lines.append(
                Span(file=file or self.name, line=line, column=min(column, len(text)) if text else column, length=1, text=text)
            )
        return found

    def _read_debug(self) -> None:
        """Names, strings, sources and numbers first: lines refer to them."""
        text: list[str] | None = None
        for instruction in self.instructions:
            words, name = instruction.words, instruction.name
            if name == "OpString":
                self.strings[instruction.result] = string(words)
            elif name == "OpSource":
                text = None
                self.languages |= set(words[:1])
                if len(words) > 2:
                    text = self._add_source(self.strings.get(words[2], ""), string(words[3:]) if len(words) > 3 else "")
            elif name == "OpSourceContinued" and text is not None:
                _continue(text, string(words))
            elif name == "OpExtInstImport":
                self.sets[instruction.result] = string(words)
            elif name == "OpConstant" and len(words) == 1:
                self.lengths[instruction.result] = words[0]
            elif name == "OpExtInst" and self.sets.get(words[0]) == DEBUG_INFO:
                text = self._read_debug_instruction(instruction, text)

    def _read_debug_instruction(self, instruction: Instruction, text: list[str] | None) -> list[str] | None:
        words, which = instruction.words, instruction.words[1]
        if which == _DEBUG_SOURCE and len(words) > 2:
            file = self.strings.get(words[2], "")
            self._debug_sources[instruction.result] = file
            return self._add_source(file, self.strings.get(words[3], "") if len(words) > 3 else "")
        if which == _DEBUG_SOURCE_MORE and len(words) > 2 and text is not None:
            _continue(text, self.strings.get(words[2], ""))
        elif which == _DEBUG_LOCAL and len(words) > 2:
            self._debug_names[instruction.result] = _plain(self.strings.get(words[2], ""))
        elif which in (_DEBUG_DECLARE, _DEBUG_VALUE) and len(words) > 3:
            self._debug_names.setdefault(words[3], self._debug_names.get(words[2], ""))
        return text

    def _add_source(self, file: str, text: str) -> list[str]:
        """Keep a source by lines. glslang puts comments and `#line 1` before it."""
        lines = text.split("\n")
        for number, line in enumerate(lines[:64]):
            directive = _LINE_DIRECTIVE.match(line)
            if directive and all(each.startswith("// OpModuleProcessed") for each in lines[:number]):
                del lines[: number + 1]
                break
        return self.sources.setdefault(file, lines)

    def _add_global(self, instruction: Instruction) -> None:
        name, words = instruction.name, instruction.words
        if name == "OpName":
            self.names[words[0]] = _plain(string(words[1:]))
        elif name == "OpMemberName":
            self.member_names[words[0], words[1]] = _plain(string(words[2:]))
        elif name in ("OpDecorate", "OpDecorateString", "OpDecorateId"):
            self.decorations.setdefault(words[0], {})[words[1]] = words[2:]
        elif name in ("OpMemberDecorate", "OpMemberDecorateString"):
            self.member_decorations.setdefault((words[0], words[1]), {})[words[2]] = words[3:]
        elif name == "OpGroupDecorate":
            for target in words[1:]:
                self.decorations.setdefault(target, {}).update(self.decorations.get(words[0], {}))
        elif name == "OpEntryPoint":
            text = string_words(words[2:])
            self.entries.append(EntryPoint(words[0], words[1], string(text), words[2 + len(text) :]))
        elif name == "OpTypeForwardPointer":
            self.forward.add(words[0])
        elif name.startswith("OpType"):
            self._add_type(instruction)
        elif name == "OpVariable":
            self.variables[instruction.result] = instruction
        elif name.startswith(("OpConstant", "OpSpecConstant")) or name == "OpUndef":
            self.constants.append(instruction)
            if name == "OpSpecConstant" and len(words) == 1:
                self.lengths[instruction.result] = int(self.specialization(instruction.result, words[0]))
            elif name == "OpSpecConstantOp" and len(words) == 3 and words[0] in _WHOLE:
                a, b = (self.lengths.get(word) for word in words[1:])
                if a is not None and b is not None:
                    self.lengths[instruction.result] = _WHOLE[words[0]](a, b)

    def _add_type(self, instruction: Instruction) -> None:
        name, words, result = instruction.name[6:].lower(), instruction.words, instruction.result
        if result in self.types:
            raise Malformed(f"type %{result} is defined twice", instruction.offset)
        if name == "int":
            found = Type(kind=name, width=words[0], signed=bool(words[1]))
        elif name == "float":
            found = Type(kind=name, width=words[0])
        elif name in ("vector", "matrix"):
            inner = self.types.get(words[0])
            if (
                inner is None
                or inner.kind not in (("float", "int", "bool") if name == "vector" else ("vector",))
                or not 2 <= words[1] <= 4
            ):
                raise Malformed(f"invalid type of a {name}", instruction.offset)
            found = Type(kind=name, element=words[0], length=words[1])
        elif name == "array":
            length = self.lengths.get(words[1])
            if length is None or words[0] not in self.types:
                raise Unsupported("the length of an array is not a known number", instruction.offset)
            found = Type(kind=name, element=words[0], length=length)
        elif name == "struct":
            missing = [member for member in words if member not in self.types and member not in self.forward]
            if missing:
                raise Malformed(f"a struct has a member of unknown type %{missing[0]}", instruction.offset)
            found = Type(kind=name, members=words)
        elif name == "pointer":
            found = Type(kind=name, element=words[1], storage=words[0])
        elif name == "function":
            found = Type(kind=name, element=words[0], members=words[1:])
        else:
            found = Type(kind=name, element=words[0] if words and name == "runtimearray" else 0)
        self.types[result] = found

    def _add_function(self, body: list[Instruction]) -> None:
        head = body[0]
        parameters: list[int] = []
        blocks: dict[int, Block] = {}
        first = 0
        at = 1
        while at < len(body) and body[at].name == "OpFunctionParameter":
            parameters.append(body[at].result)
            at += 1
        while at < len(body):
            if body[at].name != "OpLabel":
                raise Malformed(f"{body[at].name} is outside of a block", body[at].offset)
            end = next(
                (n for n in range(at + 1, len(body)) if body[n].opcode in _TERMINATORS or body[n].name == "OpLabel"), len(body)
            )
            if end == len(body) or body[end].name == "OpLabel":
                raise Malformed(f"block %{body[at].result} has no end", body[at].offset)
            block = _block(body[at], body[at + 1 : end], body[end])
            if block.label in blocks:
                raise Malformed(f"block %{block.label} is defined twice", body[at].offset)
            first = first or block.label
            blocks[block.label] = block
            at = end + 1
        if head.result in self.functions:
            raise Malformed(f"function %{head.result} is defined twice", head.offset)
        self.functions[head.result] = Function(
            number=head.result, type=head.words[1], parameters=tuple(parameters), blocks=blocks, first=first, line=head.line
        )


def _block(label: Instruction, inside: list[Instruction], end: Instruction) -> Block:
    merges = [each for each in inside if each.name in ("OpSelectionMerge", "OpLoopMerge")]
    if len(merges) > 1:
        raise Malformed(f"block %{label.result} has two merge instructions", merges[1].offset)
    phis = tuple([each for each in inside if each.name == "OpPhi"])
    body = tuple([each for each in inside if each.name not in ("OpPhi", "OpSelectionMerge", "OpLoopMerge")])
    return Block(label=label.result, phis=phis, body=body, merge=merges[0] if merges else None, end=end)


def _continue(lines: list[str], text: str) -> None:
    more = text.split("\n")
    lines[-1] += more[0]
    lines.extend(more[1:])


def number_of(kind: Type, words: tuple[int, ...]) -> float | int:
    """The number that the words of a constant mean. Raises Malformed."""
    if kind.kind not in ("float", "int") or len(words) != (2 if kind.width == 64 else 1):
        raise Malformed("a constant has the wrong number of words")
    bits = words[0] | (words[1] << 32 if len(words) > 1 else 0)
    if kind.kind == "float":
        if kind.width == 16:
            return float(struct.unpack("<e", (bits & 0xFFFF).to_bytes(2, "little"))[0])
        return (
            float(struct.unpack("<f" if kind.width == 32 else "<d", bits.to_bytes(kind.width // 8, "little"))[0])
            if kind.width in (32, 64)
            else 0.0
        )
    width = kind.width if kind.width in (8, 16, 32, 64) else 32
    bits &= (1 << width) - 1
    return bits - (1 << width) if kind.signed and bits >> (width - 1) else bits


def _plain(name: str) -> str:
    """A name as compilers write them: those of a module may be any bytes, and go into comments of C, tables and messages."""
    return name if name.isidentifier() else "".join([c if c.isalnum() or c in _MARKS else "_" for c in name])


def read_module(data: bytes, name: str = "shader.spv") -> Module | list[Diagnostic]:
    """Read a module of SPIR-V. What is wrong with it comes back as findings."""
    try:
        header, instructions = read_instructions(data)
        module = Module(name, header, instructions)
        module.build()
    except Malformed as error:
        return [error.diagnostic(name)]
    return module
