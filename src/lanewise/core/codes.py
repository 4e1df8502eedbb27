"""The registry of diagnostics: every code that lanewise can report, with what it means and how to mend it.

Codes are stable: a number is never given a second meaning. P parse, V verify, C container, R run, B binding of data, T test files, L compile.
Each ISA has a table of its own and a hundred of each letter: PICA200 the first, ShaderCore 201-299, Direct3D 9 301-399. A new table is a line here.
"""

from __future__ import annotations

from lanewise.compile.codes import CODES_COMPILE
from lanewise.core.code import Code
from lanewise.core.codes_data import CODES_DATA
from lanewise.direct3d9.codes import CODES_DIRECT3D9
from lanewise.direct3d9.codes_run import CODES_DIRECT3D9_RUN
from lanewise.pica200.codes import CODES_PICA200
from lanewise.pica200.codes_text import CODES_PICA200_TEXT
from lanewise.shadercore.codes import CODES_SHADERCORE

TABLES: tuple[tuple[Code, ...], ...] = (
    CODES_PICA200_TEXT,
    CODES_PICA200,
    CODES_DATA,
    CODES_SHADERCORE,
    CODES_DIRECT3D9,
    CODES_DIRECT3D9_RUN,
    CODES_COMPILE,
)

CODES = {row.code: row for table in TABLES for row in table}

__all__ = ["CODES", "TABLES", "Code"]
