"""Files of ShaderCore programs: suffixes, words and constants in other forms, C headers."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import STDIO, UsageError

if TYPE_CHECKING:
    from lanewise.core.service import Request
    from lanewise.shadercore.container.c_header import Places
    from lanewise.shadercore.isa.program import Program

SUFFIXES = {"": ".scb", "bin": ".bin", "hex": ".hex", "c": ".c", "vhdl": ".vhd", "coe": ".coe", "mem": ".mem", "mif": ".mif"}


def converted(program: Program, target: str, name: str) -> bytes:
    """The machine words as one of `TARGETS`; `name` is that of the array or ROM."""
    from lanewise.shadercore.container.memory import program_memory, write_memory

    return write_memory(program_memory(program), target, name)


def constants_file(program: Program, path: str, target: str, name: str) -> bytes:
    """The constants for a file: in the form of its suffix, or else in `target`. Raises UsageError."""
    from lanewise.shadercore.container.memory import FORMS_BY_SUFFIX, constant_memory, write_memory

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
