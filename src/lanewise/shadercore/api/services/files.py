"""Files of ShaderCore programs: suffixes, words and constants in other forms, C headers."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, UsageError
from lanewise.shadercore.container.forms import FORMS_BY_SUFFIX, TARGETS

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.shadercore.container.c_header import Places
    from lanewise.shadercore.isa.program import Program

SUFFIXES: dict[str, str] = {"": ".scb", **{form: suffixes[0] for form, suffixes in TARGETS.items()}}
_SHAPE = ("width", "depth", "fill")


def converted(program: Program, target: str, name: str, request: Request) -> bytes:
    """The machine words as one of `TARGETS`, in the rows of `--width`, `--depth` and `--fill`; `name` is that of the array or
    ROM. Raises UsageError."""
    from lanewise.shadercore.container.memory import Shape, program_memory, write_memory

    for key in ("width", "depth"):
        if request.has(key) and request.integer(key) < 1:
            raise UsageError(f"--{key} {request.integer(key)}: use a number above 0")
    fill = _word(request.text("fill")) if request.has("fill") else None
    try:
        memory = program_memory(program, target, Shape(request.integer("width"), request.integer("depth"), fill))
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    return write_memory(memory, target, name)


def refuse_shape(request: Request) -> None:
    """Raise UsageError for the shape of a memory where none is written."""
    for key in _SHAPE:
        if request.has(key) and not request.text("to"):
            raise UsageError(f"--{key} is for memories: name a form with --to, or a suffix such as .mif with -o")


def remark_of_depth(request: Request, to: str) -> tuple[str, ...]:
    """A remark on a depth that is that of a core's memory in other units than rows: in machine words, or in bytes."""
    from lanewise.shadercore.container.memory import WORD, usual_width
    from lanewise.shadercore.isa.table import SLOTS

    depth, width = request.integer("depth"), request.integer("width") or usual_width(to)
    rows = SLOTS * WORD // width
    if depth == rows or depth not in (SLOTS, SLOTS * WORD // 8):
        return ()
    return (
        f"--depth counts rows: {depth} of {width} bits are {depth * width // WORD} slots; all {SLOTS} of a core are "
        f"--depth {rows}",
    )


def remark_of_rows(request: Request, to: str) -> tuple[str, ...]:
    """A remark on the order in which a row of another width than that of a word has words, or halves of one."""
    from lanewise.shadercore.container.memory import WORD, usual_width

    width = request.integer("width") or usual_width(to)
    if width > WORD:
        return (f"a row has {width // WORD} machine words: the first is in bits 0 to {WORD - 1}, the last in the highest",)
    return (f"a machine word takes {WORD // width} rows: its lowest {width} bits come first",) if width < WORD else ()


def _word(text: str) -> int:
    """A machine word. Raises UsageError."""
    try:
        return int(text, 0)
    except ValueError:
        usual = "leave it out for NOP, or " if text.lower() in ("nop", "nops", "none") else ""
        number = "0x1FFFFFFFF" if text.lower() in ("ff", "ones", "1s") else "0" if text.lower() in ("x", "z", "zero") else ""
        shown = f"use {number}" if number else "use a number, such as 0 or 0x1400280C0"
        raise UsageError(f"--fill {text[:40]}: {usual}{shown}") from None


def constants_file(program: Program, path: str, target: str, name: str) -> bytes:
    """The constants for a file: in the form of its suffix, or else in `target`. Raises UsageError."""
    from lanewise.shadercore.container.memory import constant_memory, write_memory

    suffix = path[path.rfind(".") :].lower() if "." in path.replace("\\", "/").rpartition("/")[2] and path != STDIO else ""
    form = FORMS_BY_SUFFIX.get(suffix, target)
    if not program.constants:
        raise UsageError(f"--constants {path}: the program has no constants")
    if not form:
        raise UsageError(f"--constants {path}: give it a known suffix ({', '.join(FORMS_BY_SUFFIX)}), or the form with --to")
    return write_memory(constant_memory(program), form, f"{name}_constants")


def files_beside(request: Request, program: Program, name: str, places: Places | None = None) -> list[tuple[str, bytes]]:
    """The files of `--constants` and `--header`. Raises UsageError."""
    found: list[tuple[str, bytes]] = []
    if request.has("constants"):
        path = request.text("constants")
        found.append((path, constants_file(program, path, request.text("to"), name)))
    if request.has("header"):
        from lanewise.shadercore.container.c_header import c_header

        found.append((request.text("header"), c_header(program, name, places).encode()))
    return found
