"""ShaderCore files on the command line: which they are, reading them in any form, writing them in any other."""

from __future__ import annotations

from lanewise.container.shadercore import FORMS, is_shadercore, read, write_text, write_words
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import decode_text
from lanewise.isa.shadercore import NAME
from lanewise.text.dialects import SOURCE_SUFFIXES
from lanewise.text.shadercore.reader import read_source_text
from lanewise.tools.console import STDIO, UsageError, read_bytes

if TYPE_CHECKING:
    import argparse

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.isa.shadercore_program import Program

SUFFIX = ".sc"
SUFFIXES = {"": ".scbin", "bin": ".bin", "hex": ".hex", "c": ".c", "vhdl": ".vhd", "coe": ".coe", "mem": ".mem"}


class Loaded(Record):
    """The program of a file, None if it has errors; what was found; whether it was a source."""

    program: Program | None
    diagnostics: list[Diagnostic]
    source: bool


def add_isa(parser: argparse.ArgumentParser) -> None:
    """Options of commands that take files of both instruction sets."""
    parser.add_argument("--isa", choices=("pica200", NAME, "direct3d9"), help="what FILE is for (default: by its first bytes)")
    add_from(parser)


def add_from(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="form",
        choices=FORMS,
        help="how a ShaderCore FILE holds its words: file (with a header), words, hex or c (default: as it looks)",
    )


def is_for_shadercore(options: argparse.Namespace, data: bytes) -> bool:
    """Whether a file is ShaderCore's: because the command line says so, or because it looks so. Raises UsageError."""
    if options.form is not None and options.isa == "pica200":
        raise UsageError(f"--from is for ShaderCore files: use it with --isa {NAME}")
    if options.isa is None and options.form is None:
        return options.file.lower().endswith(SUFFIX) or is_shadercore(data)
    return options.isa == NAME or options.form is not None


def load(path: str, form: str | None = None) -> Loaded:
    """A source, by its suffix, or a file of words. Raises InputFailure for one that cannot be read at all, UsageError for one of the PICA200."""
    data = read_bytes(path)
    if form is None and (data.startswith(b"DVLB") or path.lower().endswith(SOURCE_SUFFIXES)):
        raise UsageError(f"{path} is for the PICA200: give a ShaderCore program, such as prog{SUFFIX}, or say --from")
    return load_bytes(data, path, form)


def load_bytes(data: bytes, path: str, form: str | None = None) -> Loaded:
    name = "<stdin>" if path == STDIO else path
    if form is None and path.lower().endswith(SUFFIX):
        result = read_source_text(decode_text(data), name)
        return Loaded(result.program, result.diagnostics, True)
    program, found = read(data, name, form or "")
    return Loaded(program, found, False)


def stem_of(path: str) -> str:
    """`light` for `shaders/light.sc`: what arrays and constants are called."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return (name.partition(".")[0] if path != STDIO else "") or "shader"


def converted(program: Program, target: str, name: str) -> bytes:
    """A program's words as one of `TARGETS`."""
    return write_words(program) if target == "bin" else write_text(program, target, name).encode()
