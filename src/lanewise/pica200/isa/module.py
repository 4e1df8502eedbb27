"""Output of a dialect's reader: statements without addresses, a `Unit` per shader.

A `Module` is all files of a link. Blocks have no addresses yet: a `Layout` policy decides where they start and end and which
padding they need.
"""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.source import Span
    from lanewise.pica200.isa.program import Alias, Constant, Operation, Output, Uniform

# Kinds of marks.
FILE = "file"  # a source file begins; `name` is its name
GEOMETRY = "geometry"  # from here on the file is a geometry shader
LABEL = "label"  # `name` means the next word; labels belong to their file
PROC = "proc"  # a procedure `name` begins
ELSE = "else"
END_PROC = "end proc"
END_IF = "end if"
END_FOR = "end for"

# What is uncertain of a module with errors.
DECLARATIONS, STRUCTURE = "declarations", "structure"


class Mark(Record):
    """A statement that is not an instruction: the start, end or name of something."""

    kind: str
    name: str
    span: Span


class Unit:
    """One shader of a link while its file is being read: its declarations, in order.

    The layout assigns addresses.
    """

    def __init__(self, name: str, span: Span) -> None:
        self.name = name
        self.span = span
        self.file = ""  # the name of its file's mark, by which its labels are known
        self.entry = "main"
        self.entry_span = span
        self.is_library = False
        self.geometry = False
        self.mode = -1  # -1 none or legacy; 0 point, 1 variable, 2 fixed
        self.array_start = 0
        self.vertex_count = 0
        self.inputs: list[Uniform] = []
        self.uniforms: list[Uniform] = []
        self.declared: list[Uniform] = []
        self.private: list[Uniform] = []
        self.aliases: list[Alias] = []
        self.outputs: list[Output] = []
        self.constants: list[Constant] = []
        self.input_mask = 0
        self.output_mask = 0
        self.container: dict[str, int | bytes] = {}


class Module(Record):
    """A link before it has addresses."""

    items: tuple[Operation | Mark, ...]
    "Instructions and marks, in order."
    units: tuple[Unit, ...]
    "Shaders and libraries."
    declared: tuple[Uniform, ...]
    "Every declaration of the shared uniform space in order, for C headers."
    descriptors: Mapping[int, int]
    "Pinned table, number to word; empty where the encoder chooses."
    padding: bool
    "NOPs may be inserted."
    raw: bool
    "Words are those of a file (`.nonop`): sizes beyond a unit's memory are warnings."
    container: Mapping[str, int | bytes]
    "Fields of the whole container, by the keys of `container.flat.flatten`."
    places: Mapping[str, Span]
    "Place of each of these fields in the source."
    end: Span
    "End of the last source."
    doubt: str = ""
    "Uncertain after errors, besides damaged operations: empty, DECLARATIONS, or STRUCTURE (blocks and shaders)."
