"""The JSON file beside a program that has its preamble, which `lanewise compile --preamble` writes."""

from __future__ import annotations

from lanewise.core import files
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.nesting import document_of
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import STDIO, InputFailure, UsageError
from lanewise.core.source import Span
from lanewise.pica200.engine.preamble import PreambleError, check_preamble
from lanewise.pica200.isa.program import Preamble
from lanewise.pica200.isa.table import FLOAT, register_name
from lanewise.pica200.isa.uniforms import hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Files
    from lanewise.pica200.api.file import ShaderFile
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.isa.program import Interface

KIND = "lanewise-pica200-preamble"  # the value of `kind` in the JSON
VERSION = 1
SUFFIX = ".json"
_NUMBERS = {"float32": False, "float24": True}  # whether it is exact


def digest_of(words: Sequence[int], descriptors: Sequence[int]) -> str:
    """The first 16 digits of the SHA-256 of a program."""
    from hashlib import sha256

    return sha256(b"".join(word.to_bytes(8, "little") for word in (*words, *descriptors))).hexdigest()[:16]


def preamble_json(shader: Shader) -> bytes:
    """The JSON file of a shader that has a preamble."""
    preamble = shader.interface.preamble
    assert preamble is not None
    data = {
        "kind": KIND,
        "version": VERSION,
        "program": digest_of(shader.words, shader.descriptors),
        "register": register_name(preamble.register),
        "rows": len(hidden(shader.interface)),
        "numbers": next(name for name, exact in _NUMBERS.items() if exact == preamble.exact),
        "preamble": preamble.text.splitlines(),
    }
    import json

    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def _beside(path: str) -> str:
    """The path of the JSON file beside a file; empty for a path that names none."""
    from pathlib import PurePath  # with `re` and `urllib`: a tenth of the time of a `compile`

    whole = PurePath(path)
    return str(whole.with_suffix(SUFFIX)) if whole.name else ""


def file_beside(file: ShaderFile, output: str) -> list[tuple[str, bytes]]:
    """The JSON file of a program that has a preamble, beside an SHBIN that is written. Raises UsageError where another file has
    its name."""
    shader = next((each for each in file.programs if each.interface.preamble is not None), None)
    if shader is None or output == STDIO:
        return []
    place = _beside(output)
    try:
        other = not is_preamble(files.read(place, "data"))
    except FileNotFoundError:
        other = False
    except (OSError, ValueError):
        other = True
    if other or place == output:
        raise UsageError(f"{place} is not a preamble of lanewise and would be overwritten: give the program another name")
    return [(place, preamble_json(shader))]


def is_preamble(content: bytes) -> bool:
    """Whether the bytes are those of such a file."""
    return document_of(content, KIND) is not None


def preamble_of(file: ShaderFile, path: str, given: Files) -> Preamble | None:
    """The preamble of a program that needs one, from the JSON file beside its path; None where there is none. Raises InputError
    (C020) for one that cannot be used."""
    shader = next((each for each in file.programs if hidden(each.interface)), None)
    place = "" if shader is None or path == STDIO else _beside(path)
    if shader is None or not place or place == path or not given.exists(place):
        return None
    try:
        data = document_of(given.read(place), KIND)
    except InputFailure:
        return None
    if data is None:
        return None
    try:
        return _read(data, shader.interface, digest_of(shader.words, shader.descriptors))
    except (PreambleError, ValueError) as error:
        fix = "compile the shader again with --preamble, or move the file away and give the registers with --uniform"
        raise InputError(
            [Diagnostic(code="C020", severity=ERROR, message=str(error), span=Span(file=place), notes=(), fix=fix)]
        ) from None


def _read(data: dict[str, object], interface: Interface, digest: str) -> Preamble:
    """Raises ValueError, PreambleError."""
    if data.get("version") != VERSION:
        raise ValueError(f"unsupported version {data.get('version')!r}: this lanewise reads {VERSION}")
    if data.get("program") != digest:
        raise ValueError("the preamble is that of another program")
    numbers, lines = data.get("numbers"), data.get("preamble")
    if not isinstance(numbers, str) or numbers not in _NUMBERS:
        raise ValueError(f"unknown numbers {numbers!r}: expected {' or '.join(_NUMBERS)}")
    rows = cast("list[object]", lines) if isinstance(lines, list) else []
    if not rows or not all(isinstance(line, str) for line in rows):
        raise ValueError("the preamble is not a list of lines")
    registers = hidden(interface)
    if data.get("register") != f"c{registers.start - FLOAT}" or data.get("rows") != len(registers):
        raise ValueError("the preamble is for other registers than those of the program")
    preamble = Preamble("\n".join(map(str, rows)) + "\n", registers.start, _NUMBERS[numbers])
    check_preamble(preamble, interface)
    return preamble
