"""Direct3D 9 vertex shaders of any origin, compiled for the PICA200, checked and compared with their semantics.

    python tests/compile/direct3d9_corpus.py [--vertices 64] FILE...

FILE is a stream of tokens. Where an array is too large, the size that the finding names is tried. What is counted is printed at
the end: shaders whose program gives the same bits for all vertices, refusals by their code, findings of `check`.
"""

from __future__ import annotations

import argparse
import re
import struct
import sys
from collections import Counter
from pathlib import Path

from lanewise.compile.direct3d9 import Array, Options, lower
from lanewise.compile.pica200.backend import compile_vector
from lanewise.compile.proving.direct3d9 import compare, random_data
from lanewise.direct3d9.container.stream import read_stream
from lanewise.direct3d9.isa.table import VERTEX
from lanewise.pica200.api.file import read_file
from lanewise.pica200.container.build import build
from lanewise.pica200.container.shbin import write_shbin

_ARRAY = re.compile(r"--array c(\d+)=(\d+)(?:/(\d+))?")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=64)
    parser.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    for path in given.files:
        counts.update(judged(path, given.vertices))
    for name, number in sorted(counts.items()):
        print(f"{number:8} {name}")


def judged(path: Path, vertices: int) -> Counter[str]:
    """What is counted of a file."""
    data = path.read_bytes()
    shader = read_stream(list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))).shader
    found: Counter[str] = Counter()
    if shader is None or shader.version.kind != VERTEX:
        return found
    found["vertex shaders"] += 1
    lowered = lower(shader, name=path.name)
    smaller = _ARRAY.search(lowered.diagnostics[0].fix) if lowered.program is None else None
    if smaller is not None and lowered.diagnostics[0].code == "L306":
        found["with a smaller array"] += 1
        lowered = lower(shader, Options(arrays=(Array(*[int(part or 1) for part in smaller.groups()]),)), name=path.name)
    if lowered.program is None:
        found[f"refused: {lowered.diagnostics[0].code}"] += 1
        return found
    result = compile_vector(lowered.program)
    if result.program is None:
        found[f"refused: {result.diagnostics[0].code}"] += 1
        return found
    interface = result.program.interfaces[0]
    compared = compare(shader, lowered, *result.encoded, interface, random_data(shader, vertices, 1))
    file = read_file(write_shbin(build(result.program, *result.encoded)), path.name)
    found["words"] += len(result.encoded.words)
    found["vertices compared"] += compared.vertices
    found["different bits" if compared.differences else "same bits"] += 1
    for finding in file.check():
        found[f"check: {finding.code}"] += 1
    if compared.differences:
        print(path, compared.differences[0], file=sys.stderr)
    return found


if __name__ == "__main__":
    main()
