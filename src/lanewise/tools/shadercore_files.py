"""ShaderCore files on the command line: which they are, reading them in any form, writing them in any other."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.text.dialects import SOURCE_SUFFIXES
from lanewise.shadercore.api.reading import SOURCE, SUFFIX, Loaded, for_shadercore, read_program
from lanewise.shadercore.container.header import FORMS, write_text, write_words
from lanewise.shadercore.isa.table import NAME
from lanewise.tools.console import STDIO, UsageError, read_bytes

if TYPE_CHECKING:
    import argparse

    from lanewise.shadercore.isa.program import Program

SUFFIXES = {"": ".scbin", "bin": ".bin", "hex": ".hex", "c": ".c", "vhdl": ".vhd", "coe": ".coe", "mem": ".mem"}


def add_isa(parser: argparse.ArgumentParser) -> None:
    """Options of commands that take files of both instruction sets."""
    parser.add_argument("--isa", choices=("pica200", NAME, "direct3d9"), help="what FILE is for (default: by its first bytes)")
    add_from(parser)


def add_from(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="form",
        choices=(*FORMS, SOURCE),
        help="how a ShaderCore FILE holds its words: file (with a header), words, hex, c or source (default: as it looks)",
    )


def is_for_shadercore(options: argparse.Namespace, data: bytes) -> bool:
    """Whether the FILE of a command line is ShaderCore's. Raises UsageError."""
    return is_one_for_shadercore(options, options.file, data)


def is_one_for_shadercore(options: argparse.Namespace, path: str, data: bytes) -> bool:
    """Whether a file is ShaderCore's: because the command line says so, or because it looks so. Raises UsageError."""
    if options.form is not None and options.isa == "pica200":
        raise UsageError(f"--from is for ShaderCore files: use it with --isa {NAME}")
    if options.isa is None and options.form is None:
        return for_shadercore(data, path)
    return options.isa == NAME or options.form is not None


def refuse_shadercore(path: str, data: bytes, command: str) -> None:
    """For commands that take programs of the PICA200 alone. Raises UsageError for one of ShaderCore."""
    if not data.startswith(b"DVLB") and not path.lower().endswith(SOURCE_SUFFIXES) and for_shadercore(data, path):
        raise UsageError(f"{path} is for ShaderCore, and `lanewise {command}` takes programs of the PICA200")


def load(path: str, form: str | None = None) -> Loaded:
    """A source, by its suffix, or a file of words. Raises InputFailure for one that cannot be read at all, UsageError for one of the PICA200."""
    data = read_bytes(path)
    if form is None and (data.startswith(b"DVLB") or path.lower().endswith(SOURCE_SUFFIXES)):
        raise UsageError(f"{path} is for the PICA200: give a ShaderCore program, such as prog{SUFFIX}, or say --from")
    if form is None:
        from lanewise.direct3d9.api.reading import for_direct3d9  # not on the path of `lanewise asm`: it needs re

        if for_direct3d9(data):
            raise UsageError(
                f"{path} is a Direct3D 9 shader: `lanewise compile` makes a ShaderCore program of it, or say --from"
            )
    return load_bytes(data, path, form)


def load_bytes(data: bytes, path: str, form: str | None = None) -> Loaded:
    return read_program(data, "<stdin>" if path == STDIO else path, form)


def converted(program: Program, target: str, name: str) -> bytes:
    """A program's words as one of `TARGETS`."""
    return write_words(program) if target == "bin" else write_text(program, target, name).encode()
