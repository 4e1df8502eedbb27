"""`lanewise dis` for Direct3D 9 shaders."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.direct3d9.api.disassembling import LOSSLESS, disassemble_shader
from lanewise.direct3d9.container.forms import TARGETS, write_form
from lanewise.tools.console import INPUT_HAS_ERRORS, OK, STDIO, UsageError, print_findings, refuse_overwriting, write_bytes
from lanewise.tools.direct3d9_files import load
from lanewise.tools.options import stem_of

if TYPE_CHECKING:
    import argparse


def disassemble(options: argparse.Namespace, data: bytes) -> int:
    """The source of a shader, or its words in another form. The exit code. Raises UsageError."""
    if options.listing:
        raise UsageError("--listing is for the PICA200 and ShaderCore: for Direct3D 9 say --style microsoft")
    if options.to is not None and options.to not in TARGETS:
        raise UsageError(f"--to {options.to}: a Direct3D 9 shader is written as {', '.join(TARGETS)}")
    style = options.style or LOSSLESS
    if options.symbols and style != LOSSLESS:
        raise UsageError("--symbols is for sources that assemble: leave out --style")
    loaded = load(options, data, options.file)
    shader = loaded.shader
    if shader is None:
        print_findings(loaded.diagnostics, options.format, sys.stdout if options.format == "json" else None)
        return INPUT_HAS_ERRORS
    output = options.output or STDIO
    refuse_overwriting([options.file], [output])
    if options.to is not None:
        print_findings(loaded.diagnostics)
        write_bytes(output, write_form(shader, options.to, options.name or stem_of(options.file)))
        return OK
    made = disassemble_shader(shader, style, symbols=options.symbols)
    if options.format == "json":
        shown = {
            "version": shader.version.name, "text": made.text, "lost": list(made.lost),
            "diagnostics": [to_json(finding) for finding in loaded.diagnostics],
        }  # fmt: skip
        write_bytes(output, (json.dumps(shown, indent=2) + "\n").encode())
        return OK
    print_findings(loaded.diagnostics)
    for part in made.lost:
        print(f"lanewise dis: left out: {part}", file=sys.stderr)
    write_bytes(output, made.text.encode())
    return OK
