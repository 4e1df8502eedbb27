"""Runs that would take years, each of which is interrupted as Ctrl-C does it.

    python -m engines.interrupted

prints the name of each run that a KeyboardInterrupt has left (test_interrupt.py runs this as a process of its own).
"""

from __future__ import annotations

import _thread
import signal
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import lanewise as lw
from engines.threaded import always
from lanewise.core.diagnostics import PortableError
from lanewise.direct3d9.api.shader import Direct3DShader
from lanewise.pica200.api.file import assemble_texts

if TYPE_CHECKING:
    from collections.abc import Callable

YEARS = 10**15
# A counter of three digits to the base of 60,000, on which the end depends: only a run of years could tell whether it comes.
COUNTING = """
    add r0.x, digit.z, r0
    sge r1.x, r0.x, digit.x
    mad r0.x, r1.x, digit.y, r0.x
    add r0.y, r0.y, r1.x
    sge r1.x, r0.y, digit.x
    mad r0.y, r1.x, digit.y, r0.y
    add r0.z, r0.z, r1.x
"""
ENDLESS = f""".in place v0
.out pos position
.fvec one
.constf digit(60000.0, -60000.0, 1.0, 0.0)
.bool again
.proc main
    mov r0, digit.wwww
    mov r2, one
here:{COUNTING}
    add r2, place, r2
    jmpu again, more
    mov pos, r2
    end
more:
    cmp digit.xxxx, gt, gt, r0.zzzz
    jmpc cmp.x, here
    mov pos, r2
    end
.end
"""
APART = """    cmp digit.wwww, lt, lt, place
    jmpc cmp.x, there
    add r2, place, r2
there:
"""
DIVERGING = ENDLESS.replace("    jmpu", f"{APART}    jmpu")
VERTEX = """.in place v0
.out - dummy o0
.proc main
    mov o0, place
    end
.end
"""
GEOMETRY = f""".gsh point c0
.entry gmain
.out p position
.constf digit(60000.0, -60000.0, 1.0, 0.0)
.proc gmain
    mov r0, digit.wwww
here:{COUNTING}
    mov p, v0
    cmp digit.xxxx, gt, gt, r0.zzzz
    jmpc cmp.x, here
    setemit 0
    emit
    end
.end
"""
LOOPS = """vs_3_0
dcl_position v0
dcl_position o0
defi i0, 255, 0, 0, 0
mov r0, v0
rep i0
rep i0
rep i0
rep i0
mad r0, r0, v0, v0
endrep
endrep
endrep
endrep
mov o0, r0
"""


def vertices(count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.linspace(-1, 2, 4 * count, dtype=np.float32).reshape(count, 4)


def runs() -> dict[str, Callable[[int, int], object]]:
    """What to run, by name; its arguments are the most vertices and the most steps of each."""
    endless, diverging = lw.assemble(ENDLESS).vertex, lw.assemble(DIVERGING).vertex
    geometry = assemble_texts([("vertex", VERTEX), ("geometry", GEOMETRY)]).pipeline
    loops = Direct3DShader.from_source(LOOPS)
    uniforms = {"one": [1.0] * 4, "again": True}

    def run(
        shader: lw.pica200.Shader, count: int, threads: int, one: float = 1.0, engine: str = "llvm"
    ) -> Callable[[int, int], object]:
        given = {**uniforms, "one": [one] * 4}
        return lambda most, steps: shader.run(
            {"place": vertices(min(count, most))}, given, engine=engine, threads=threads, budget=steps
        )

    def sent(threads: int, engine: str = "llvm") -> Callable[[int, int], object]:
        data = {"place": vertices(100)}
        return lambda most, steps: geometry.run(
            data, indices=np.arange(min(100, most)), engine=engine, threads=threads, budget=steps
        )

    def looped(count: int, engine: str = "llvm") -> Callable[[int, int], object]:
        return lambda most, steps: loops.run({"position": vertices(min(count, most))}, engine=engine, turns=steps)

    return {
        "few vertices": run(endless, 5, 1),
        "many vertices": run(endless, 10_000, 1),
        "two threads": run(endless, 10_000, 2),
        "lanes that diverge": run(diverging, 10_000, 2),
        "exact code": run(endless, 10_000, 2, float("inf")),
        "reference engine": run(endless, 5, 1, engine="reference"),
        "batch": lambda _, steps: endless.batch({"place": vertices(100)}, uniforms, budget=steps, threads=2).run(),
        "geometry": sent(1),
        "geometry, two threads": sent(2),
        "geometry, reference engine": sent(1, "reference"),
        "Direct3D 9": looped(100),
        "Direct3D 9, reference engine": looped(100, "reference"),
    }


def interrupted(run: Callable[[], object]) -> bool:
    """Whether a run ends with a KeyboardInterrupt after Ctrl-C.

    Python loses an exception in a finalizer, such as those of LLVM's objects while a kernel is compiled: then Ctrl-C comes
    again, much later. A caller has compiled the kernel by a short run before.
    """
    ended = threading.Event()

    def press() -> None:
        pause = 0.05
        while not ended.wait(pause):
            _thread.interrupt_main()
            pause = 30

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what runs in the background without it
    thread = threading.Thread(target=press)
    thread.start()
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        ended.set()
        thread.join()
    return False


def main() -> int:
    always()
    for name, run in runs().items():
        with suppress(PortableError):
            run(3, 100)
        print(name, interrupted(partial(run, YEARS, YEARS)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
