"""A geometry shader that does not end, for a million steps in the debugger: CPU time of the first stop and of all steps,
memory, going back.

python bench/debugger.py
"""

from __future__ import annotations

import time
import tracemalloc

from lanewise.core.service import Request, SourceFile
from lanewise.debugger.launching import Launch
from lanewise.debugger.session import Session
from lanewise.packages import recognise

VERTEX = ".in position v0\n.out outpos position\n.proc main\n    mov outpos, position\n    end\n.end\n"
GEOMETRY = """.gsh point c0
.entry expand
.fvec step
.constf ones(1.0, 1.0, 1.0, 1.0)
.out outpos position
.proc expand
    mov r0, v0
again:
    setemit 0
    mov outpos, r0
    add r0, step, r0
    mul r1, r0, r0
    rcp r2.x, r1.x
    cmp ones.x, gt, gt, r0
    jmpc cmp.x, again
    jmpc !cmp.x, again
    end
.end
"""
STEPS = 1_000_000


def started() -> Session:
    sources = tuple([SourceFile(name, text.encode(), name) for name, text in (("a.v.pica", VERTEX), ("a.g.pica", GEOMETRY))])
    values = {"input": ("position=1,2,3,1",), "geometry-uniform": ("step=0.001,0.1,0.1,0",), "indices": "all", "budget": STEPS}
    request = Request("debug", sources, values)
    match = recognise(sources[0].name, sources[0].data)
    assert match is not None
    return Session(Launch(match.package.load(request), request))


def cpu(label: str, since: float) -> None:
    print(f"{label:28} {1000 * (time.process_time() - since):9.1f} ms")


def main() -> None:
    started()  # imports
    begin = time.process_time()
    session = started()
    session.at(0)
    cpu("first stop", begin)
    begin = time.process_time()
    session.go_on(0)
    cpu(f"{STEPS:,} steps", begin)
    for move, label in ((session.back, "1,000 steps back, with state"), (session.step, "1,000 steps on, with state")):
        begin = time.process_time()
        for _ in range(1000):
            move(0)
            session.scopes(0)
        cpu(label, begin)
    session.break_on("r7")
    session.stop_on([])
    begin = time.process_time()
    session.go_back(0)
    cpu("reverse to the start", begin)
    tracemalloc.start()
    measured = started()
    measured.recording(0).extend(STEPS)
    print(f"{'memory of all steps':28} {tracemalloc.get_traced_memory()[1] / 1e6:9.1f} MB")


if __name__ == "__main__":
    main()
