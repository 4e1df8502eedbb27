"""Sessions of small programs, for tests."""

from __future__ import annotations

from lanewise.core.service import Request, SourceFile
from lanewise.debugger.launching import Launch
from lanewise.debugger.session import Session
from lanewise.packages import recognise
from lanewise.tools.console import DiskFiles

CALLS = """.fvec offset
.in position v0
.out outpos position
.proc main
    mov r0, position
    call twice
    mov outpos, r0
    end
.end
.proc twice
    call add_offset
    call add_offset
.end
.proc add_offset
    add r0, offset, r0
.end
"""
DIVIDES = """.in value v0
.out outpos position
.proc main
    rcp r0.x, value.x
    add r1, r0.xxxx, -r0.xxxx
    mov outpos.yzw, r1
    mov outpos.x, r5.x
    end
.end
"""
COUNTS = """.ivec rounds
.in value v0
.out outpos position
.proc main
    mov r0, value
    for rounds
        add r0, r0, value
    .end
    mov outpos, r0
    end
.end
"""


def session(
    text: str, *, name: str = "test.v.pica", vertices: tuple[int, ...] = (), **values: tuple[str, ...] | int | str
) -> Session:
    request = Request("run", (SourceFile(name, text.encode(), name),), values, files=DiskFiles())
    match = recognise(name, text.encode())
    assert match is not None
    return Session(Launch(match.package.load(request), request, vertices))
