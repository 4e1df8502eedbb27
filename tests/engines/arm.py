"""Kernels for AArch64 on another machine: linked with a cross linker, run by qemu's user mode, on copies of all their
buffers."""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

import installed
from engines.kernels import Intercepted, InterceptedRunner, Site, buffers, built, counted
from lanewise.llvm.target import aarch64, compile_object
from lanewise.pica200.engine.llvm.generate import generate
from lanewise.pica200.engine.llvm.kernel import Kernel
from lanewise.pica200.engine.llvm.tiers import Tiered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engines.kernels import Buffer
    from lanewise.llvm.target import Loaded
    from lanewise.pica200.engine.llvm.kernel import Layouts, Table
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.sem.profile import Profile

TOOLS = ("qemu-aarch64", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-ld")
SYSTEM = "/usr/aarch64-linux-gnu"  # where the cross compiler's C library is (Debian, Ubuntu)


def missing() -> str:
    """What is not installed of all that this takes; empty if all is there."""
    library = "" if Path(SYSTEM).is_dir() else f"{SYSTEM} is not there: apt-get install libc6-dev-arm64-cross"
    return installed.missing(*TOOLS) or library


class Machine:
    """An Arm, in `folder`: a process that runs one kernel after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0
        program = folder / "host"
        subprocess.run([TOOLS[1], "-O1", "-o", program, Path(__file__).with_name("arm_host.c"), "-ldl"], check=True)
        self._process = subprocess.Popen([TOOLS[0], "-L", SYSTEM, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def load(self, code: bytes) -> bytes:
        """Make a shared object of an object file; its path."""
        self._count += 1
        path = self.folder / f"{self._count}.o"
        path.write_bytes(code)
        library = path.with_suffix(".so")
        subprocess.run([TOOLS[2], "-shared", "-o", library, path], check=True)
        return os.fsencode(library)

    def run(self, path: bytes, site: Site, address: int) -> None:
        """Call `run` of a shared object with the arguments at an address."""
        words = built(site, address)
        counted(words, self.call(path, words, buffers(site, words)))

    def call(self, path: bytes, words: NDArray[np.int64], used: Sequence[Buffer]) -> NDArray[np.int64]:
        """Call `run` of a shared object with these arguments and copies of the buffers; the arguments as they are then."""
        parts = [
            struct.pack("<Q", len(path)),
            path,
            struct.pack("<Q", len(words)),
            words.tobytes(),
            struct.pack("<Q", len(used)),
        ]
        for buffer in used:
            parts += [struct.pack("<QQ", buffer.slot, buffer.size), ctypes.string_at(buffer.address, buffer.size)]
        to, answer = self._process.stdin, self._process.stdout
        assert to is not None
        assert answer is not None
        to.write(b"".join(parts))
        to.flush()
        after = answer.read(words.nbytes)
        assert len(after) == words.nbytes, f"the kernel has ended with status {self._process.wait()}"
        for buffer in used:
            made = answer.read(buffer.size)
            if buffer.written:
                ctypes.memmove(buffer.address, made, buffer.size)
        return np.frombuffer(after, np.int64)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Arm(Intercepted):
    """A program whose kernels run on `machine`."""

    machine: ClassVar[Machine]

    def __init__(
        self, words: Sequence[int], descriptors: Sequence[int], entry: int, profile: Profile, level: str = "native"
    ) -> None:
        super().__init__(words, descriptors, entry, profile, level)
        self.target = aarch64()
        self._linked: dict[tuple[Layouts, bool, bool], Kernel] = {}

    def tiered(
        self, plan: Plan, layouts: Layouts, *, exact: bool, counting: bool = False, table: Table | None = None
    ) -> Tiered:
        found = self._linked.get((layouts, exact, counting))
        if found is None:
            kinds = dict(layouts)
            code = compile_object(generate(plan, kinds, self.target, exact=exact, counting=counting), self.target, jit=False)
            path = self.machine.load(code)

            def run(address: int) -> None:
                self.machine.run(path, site, address)

            given = tuple(register for register in plan.inputs if register in kinds)
            found = self._linked[layouts, exact, counting] = Kernel(
                plan=plan, inputs=given, width=self.target.width, code=cast("Loaded", None), run=run
            )
            site = Site(found, kinds, exact)
        return Tiered(found)


class ArmRunner(InterceptedRunner):
    kind = Arm
