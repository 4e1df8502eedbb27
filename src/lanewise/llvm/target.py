"""Target of compilation: processor, vector width, rounding control; IR to machine code.

LLVM does not model the rounding mode, so a kernel is a separate function that is never inlined, called by one that sets the
mode before and restores it after. Only instructions whose rounding the mode decides are in a kernel.
"""

from __future__ import annotations

import ctypes
import json
import os
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from lanewise.core import events, files
from lanewise.core.record import Record
from lanewise.core.service import UsageError
from lanewise.llvm.image import image
from lanewise.llvm.stopping import awaited

if TYPE_CHECKING:
    from collections.abc import Mapping

    import llvmlite.binding as llvm

    from lanewise.llvm.text import Name, Text

# The control word that each mode wants. x86 MXCSR: all exceptions masked, rounding in bits 13-14, FTZ bit 15, DAZ bit 6.
# AArch64 FPCR: rounding in bits 22-23, FZ (inputs and results) bit 24.
MODES = {
    "nearest": {"x86": 0x1F80, "aarch64": 0},
    "nearest-flush": {"x86": 0x9FC0, "aarch64": 1 << 24},
    "zero": {"x86": 0x7F80, "aarch64": 3 << 22},
    "zero-flush": {"x86": 0xFFC0, "aarch64": 3 << 22 | 1 << 24},
}
_ROUNDED = {"nearest": 8, "down": 9, "up": 10, "zero": 11}  # embedded rounding of AVX-512, exceptions suppressed

_LANES = 16  # of a vector of 512 bits

# What /proc/cpuinfo calls the model and its features, on x86 and on Arm.
_IDENTITY = frozenset(
    (
        "vendor_id",
        "cpu family",
        "model",
        "model name",
        "stepping",
        "flags",
        "CPU implementer",
        "CPU architecture",
        "CPU variant",
        "CPU part",
        "CPU revision",
        "Features",
    )
)
LEVELS = ("native", "avx512", "avx2", "sse")
_CPUS = {"avx512": "x86-64-v4", "avx2": "x86-64-v3", "sse": "x86-64"}
VARIABLE = "LANEWISE_CPU"
PROCESSORS = {
    "x86-64-v4": "avx512",
    "x86-64-v3": "avx2",
    "x86-64-v2": "sse",
}  # what the variable may name, and the level of each
# A processor has its own features and those of the rows below (psABI of x86-64, table 3.1). Code of a level uses the first ones
# at least.
_NEEDED = {"avx512": ("avx512f", "avx512dq", "avx512vl", "avx512bw", "avx2", "fma"), "avx2": ("avx2", "fma")}
_FEATURES = {
    "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
    "x86-64-v3": ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"),
    "x86-64-v2": ("cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"),
}
_FLAGS = {"avx512": "-prefer-256-bit"}
# How many bytes ahead of its data a kernel asks for more, by level. Of a million vertices a short program took 3.2 ns each
# without that, 2.6 with it, which is as long as copying takes, and as long as before in a cache (emeraldrapids, 22 November
# 2026); a quarter of it and twice as far did nearly as well. On Zen 3 seven programs in float32 took 0.60 to 1.01 times as long
# without it for a million vertices, and 0.90 to 1.01 times for 4,096 and 65,536 (29 November 2026).
_AHEAD = {"avx512": 4096}


class NoSuchProcessor(UsageError, ValueError):
    """The level of a run, or what `VARIABLE` names, is more than this machine has, or unknown."""


class Target(Record):
    """A processor to compile for."""

    triple: str
    "The target triple, as LLVM spells it."
    cpu: str
    "The name of the processor, as LLVM spells it; empty: a generic one."
    features: str
    "Features to turn on or off, as LLVM spells them, with commas between."
    family: str
    "The family whose control word is known, x86 or aarch64; empty for any other."
    level: str
    "The vector instructions: `avx512`, `avx2`, `sse`, `neon`; empty: not known."
    width: int = 16
    "Lanes of 32 bits in a vector of the kernels."
    effort: int = 1
    "The level of LLVM's code generator: 0 takes half the time of 1, for code that runs half as fast."

    @property
    def key(self) -> str:
        """All of it that code depends on."""
        return "|".join([self.triple, self.cpu, self.features, str(self.width), str(self.effort)])

    @property
    def quick(self) -> Target:
        """The same, with the least effort; on other than x86 that is another instruction selector, which does not know all
        operations."""
        return self._replace(effort=0) if self.family == "x86" else self

    @property
    def sets_rounding(self) -> bool:
        return bool(self.family)

    @property
    def has_fma(self) -> bool:
        return self.family == "aarch64" or self.level in ("avx512", "avx2")

    @property
    def rounds(self) -> bool:
        """Whether it has instructions that round to integers: x86 has had them since SSE4.1."""
        return self.has_fma

    @property
    def ahead(self) -> int:
        return _AHEAD.get(self.level, 0)

    @property
    def embedded_rounding(self) -> bool:
        return self.level == "avx512"

    def call512(self, text: Text, function: str, *arguments: tuple[str, Name]) -> Name:
        """Call an intrinsic that exists for 16 lanes only and gives float32; for 32 lanes it is called for each half.

        The types of the arguments are those for all lanes.
        """
        if text.width == _LANES:
            return text.call(text.f32, function, *arguments)
        low, high = (
            text.call(f"<{_LANES} x float>", function, *(_half(text, kind, a, start) for kind, a in arguments))
            for start in (0, _LANES)
        )
        return text.shuffle("float", _LANES, low, high, range(2 * _LANES))

    def rounded(self, text: Text, op: str, a: Name, b: Name, how: str) -> Name:
        """`add` or `mul` with an embedded rounding mode."""
        name = f"llvm.x86.avx512.{op}.ps.512"
        return self.call512(text, name, (text.f32, a), (text.f32, b), ("i32 immarg", str(_ROUNDED[how])))

    def larger(self, text: Text, a: Name, b: Name) -> Name:
        """The larger of two numbers in size, without its sign; neither is a NaN."""
        if not self.embedded_rounding:
            return text.number_of(text.umax(text.bits(a), text.iand(text.bits(b), text.integer(0x7FFFFFFF))))
        name = "llvm.x86.avx512.mask.range.ps.512"
        largest_without_sign = ("i32 immarg", "11")
        every = ("i16", "-1")
        return self.call512(
            text, name, (text.f32, a), (text.f32, b), largest_without_sign, (text.f32, a), every, ("i32 immarg", "4")
        )

    def smaller(self, text: Text, a: Name, b: Name) -> Name:
        """The smaller of two numbers in size, without its sign; only with `embedded_rounding`."""
        name, smallest_without_sign = "llvm.x86.avx512.mask.range.ps.512", ("i32 immarg", "10")
        every = ("i16", "-1")
        return self.call512(
            text, name, (text.f32, a), (text.f32, b), smallest_without_sign, (text.f32, a), every, ("i32 immarg", "4")
        )

    def one_for_zero(self, text: Text, a: Name) -> Name:
        """The number, 1 for a zero; one instruction, only with `embedded_rounding`."""
        return self._fixed(text, a, 0x11111A11)

    def without_nan(self, text: Text, a: Name) -> Name:
        """The number, 0 for a NaN; one instruction, only with `embedded_rounding`."""
        return self._fixed(text, a, 0x11111188)

    def keeping_special(self, text: Text, a: Name, of: Name) -> Name:
        """`a`, but `of` itself where that is infinite or a NaN; one instruction, only with `embedded_rounding`."""
        return self._fixed(text, of, 0x00110011, a)

    def _fixed(self, text: Text, a: Name, classes: int, otherwise: Name = "") -> Name:
        """The number, or what its class has instead: four bits for each.

        From the lowest, quiet and signalling NaN, zero, 1, -infinity, infinity, negative and positive numbers. 0 is the number
        of `otherwise`, 1 leaves the number unchanged, 8 is +0 and 10 is 1.
        """
        table, every = (text.i32, text.integer(classes)), ("i16", "-1")
        name, other = "llvm.x86.avx512.mask.fixupimm.ps.512", otherwise or a
        return self.call512(
            text, name, (text.f32, other), (text.f32, a), table, ("i32 immarg", "0"), every, ("i32 immarg", "4")
        )

    def fma_cut(self, text: Text, a: Name, b: Name, c: Name) -> Name:
        """a * b + c rounded toward zero, whatever the mode; only with `embedded_rounding`."""
        name, how = "llvm.x86.avx512.vfmadd.ps.512", ("i32 immarg", str(_ROUNDED["zero"]))
        return self.call512(text, name, (text.f32, a), (text.f32, b), (text.f32, c), how)

    def rsq_estimate(self, text: Text, a: Name) -> Name:
        """1 / sqrt(a) with a relative error below 2**-14, for a normal a > 0, else no positive number; only with
        `embedded_rounding`."""
        zero, every = (text.f32, text.number(0.0)), ("i16", "-1")
        return self.call512(text, "llvm.x86.avx512.rsqrt14.ps.512", (text.f32, a), zero, every)


def _half(text: Text, kind: str, a: Name, start: int) -> tuple[str, Name]:
    """Sixteen of the lanes of an argument; scalars and literals are the same for all."""
    if kind not in (text.f32, text.i32):
        return kind, a
    element = "float" if kind == text.f32 else "i32"
    if not a.startswith("splat"):
        a = text.shuffle(element, text.width, a, "poison", range(start, start + _LANES))
    return f"<{_LANES} x {element}>", a


def host(level: str = "native") -> Target:
    """The machine that this runs on, or as much of it as a level of `LEVELS` has.

    `LANEWISE_CPU` names a processor of `PROCESSORS`: then the machine is that one, also for "native", and has no level above
    it. Raises NoSuchProcessor, a ValueError, if it has less.
    """
    return _kept(level, os.environ.get(VARIABLE, ""))


@cache
def _kept(level: str, given: str) -> Target:
    """Return the target as the cache on disk has it, or as LLVM answers."""
    from lanewise.llvm import cache as disk

    # Asking LLVM takes its import, which is half of the time in which a process runs a kernel from the cache.
    name = disk.name("host", level, given, processor())
    known = disk.get(name, disk.HOST) if processor() else None
    if known is not None:
        return Target._make(json.loads(known))
    found = detected(level, given)
    if processor():
        disk.put(name, json.dumps(found).encode(), disk.HOST)
    return found


@cache
def processor() -> str:
    """All that Linux says of a processor and that LLVM may go by; empty elsewhere."""
    try:
        # one processor is enough of it
        lines = files.head("/proc/cpuinfo", 1 << 14).decode("ascii", "replace").split("\n\n")[0].splitlines()
    except OSError:
        return ""
    found = [line for line in lines if line.partition(":")[0].strip() in _IDENTITY]
    return "\n".join(found) if any(line.lower().startswith(("flags", "features")) for line in found) else ""


def detected(level: str, given: str = "") -> Target:
    """As `host`, asked of LLVM; `given` is what the variable names."""
    import llvmlite.binding as llvm

    if given not in ("", "native", *PROCESSORS):
        raise NoSuchProcessor(f"unknown {VARIABLE} '{given}': use native, {', '.join(PROCESSORS)}")
    initialize()
    triple = llvm.get_process_triple()
    family = triple.split("-")[0]
    x86 = family in ("x86_64", "amd64")
    has: Mapping[str, bool] = llvm.get_host_cpu_features() if x86 else {}
    if given in PROCESSORS and (lacking := _lacking(given, has) if x86 else [given]):
        raise NoSuchProcessor(f"{VARIABLE} is {given}, but this machine ({family}) has no {', '.join(lacking)}: use native")
    if not x86 and level != "native":
        raise NoSuchProcessor(f"this machine has no {level}: it is {family}")
    if family in ("aarch64", "arm64"):
        return Target(
            triple=triple,
            cpu=llvm.get_host_cpu_name(),
            features=llvm.get_host_cpu_features().flatten(),
            family="aarch64",
            level="neon",
        )
    if not x86:
        return Target(triple=triple, cpu="", features="", family="", level="")
    best = PROCESSORS.get(given) or next((name for name, needed in _NEEDED.items() if all(map(has.get, needed))), "sse")
    if level == "native" and given in PROCESSORS:
        return Target(triple=triple, cpu=given, features=_FLAGS.get(best, ""), family="x86", level=best)
    if level == "native":
        return Target(
            triple=triple,
            cpu=llvm.get_host_cpu_name(),
            features=f"{llvm.get_host_cpu_features().flatten()},-prefer-256-bit",
            family="x86",
            level=best,
        )
    if level not in LEVELS or LEVELS.index(level) < LEVELS.index(best):
        raise NoSuchProcessor(
            f"this machine has no {level}: {f'{VARIABLE} is {given}' if given in PROCESSORS else f'it is {best}'}"
        )
    if lacking := _lacking(_CPUS[level], has):
        raise NoSuchProcessor(f"this machine has not all of {_CPUS[level]}: {', '.join(lacking)}")
    return Target(triple=triple, cpu=_CPUS[level], features=_FLAGS.get(level, ""), family="x86", level=level)


def _lacking(cpu: str, has: Mapping[str, bool]) -> list[str]:
    """The features of a processor that a machine does not have."""
    rows = list(_FEATURES)
    first = rows.index(cpu) if cpu in rows else len(rows)
    return [feature for row in rows[first:] for feature in _FEATURES[row] if not has.get(feature)]


def aarch64() -> Target:
    """A 64-bit Arm, to compile for from anywhere."""
    initialize()
    return Target(triple="aarch64-unknown-linux-gnu", cpu="generic", features="", family="aarch64", level="neon")


@cache
def initialize() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def wrapper(target: Target, mode: str) -> str:
    """The function that is called: `run`, which sets the mode around `kernel`."""
    if target.family == "x86":
        return f"""declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define void @run(ptr %args) nounwind {{
  %old = alloca i32
  %new = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %old)
  store i32 {MODES[mode]["x86"]}, ptr %new
  call void @llvm.x86.sse.ldmxcsr(ptr %new)
  call void @kernel(ptr %args)
  call void @llvm.x86.sse.ldmxcsr(ptr %old)
  ret void
}}
"""
    if target.family == "aarch64":
        return f"""declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
define void @run(ptr %args) nounwind {{
  %old = call i64 @llvm.aarch64.get.fpcr()
  call void @llvm.aarch64.set.fpcr(i64 {MODES[mode]["aarch64"]})
  call void @kernel(ptr %args)
  call void @llvm.aarch64.set.fpcr(i64 %old)
  ret void
}}
"""
    return """define void @run(ptr %args) nounwind {
  call void @kernel(ptr %args)
  ret void
}
"""


def machine(target: Target, *, jit: bool = True) -> llvm.TargetMachine:
    import llvmlite.binding as llvm

    initialize()
    found = llvm.Target.from_triple(target.triple)
    near = target.family == "x86" and "linux" in target.triple  # what `image` maps
    return found.create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=target.effort,
        jit=jit,
        reloc="pic" if near or not jit else "default",
        codemodel="small" if near else "jitdefault",
    )


# By target and `jit`: those that compile nothing at present, as one compiles one module at a time. A new one takes 0.7 ms with
# its first function, half of the time of a kernel that does nothing: it reads the list of features (Zen 4, November 2026).
_MACHINES: dict[tuple[str, bool], list[llvm.TargetMachine]] = {}


def _optimised(ir: str, target: Target, target_machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """The module with the variables in registers; more than that is not worth its time here."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(ir, llvm.create_context())
    module.triple = target.triple
    module.data_layout = str(target_machine.target_data)
    builder = llvm.create_pass_builder(target_machine, llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.run(module, builder)
    return module


def compile_object(ir: str, target: Target, *, jit: bool = True) -> bytes:
    """Machine code, as an object file: for `load_object`, or for the linker of a shared library."""

    def compiled() -> bytes:
        before = perf_counter()
        idle = _MACHINES.setdefault((target.key, jit), [])
        try:
            target_machine = idle.pop()
        except IndexError:  # of none that is free
            target_machine = machine(target, jit=jit)
        code = emitted(target_machine, _optimised(ir, target, target_machine))
        idle.append(target_machine)
        took = 1000 * (perf_counter() - before)
        events.debug(events.KERNELS, "compiled in %.1f ms: %d bytes of machine code for %s", took, len(code), target.cpu)
        return code

    return awaited(compiled)


def emitted(target_machine: llvm.TargetMachine, module: llvm.ModuleRef) -> bytes:
    """The code of a module with its own context, as an object file.

    llvmlite runs all functions of LLVM under one lock, so that a program would wait for code that is compiled beside it. LLVM
    needs none between modules of different contexts.
    """
    import llvmlite.binding as llvm

    lib = llvm.ffi.lib
    unlocked = getattr(lib.LLVMPY_TargetMachineEmitToMemory, "_cfn", None)
    if unlocked is None:
        return target_machine.emit_object(module)
    with llvm.ffi.OutputString() as error:
        buffer = unlocked(target_machine, module, 1, error)
        if not buffer:
            raise RuntimeError(str(error))
    try:
        return ctypes.string_at(lib.LLVMPY_GetBufferStart(buffer), lib.LLVMPY_GetBufferSize(buffer))
    finally:
        lib.LLVMPY_DisposeMemoryBuffer(buffer)


def assembly(ir: str, target: Target) -> str:
    """The machine code as assembler text, for inspection."""
    target_machine = machine(target, jit=False)
    return target_machine.emit_assembly(_optimised(ir, target, target_machine))


class Loaded(NamedTuple):
    """Code in memory; `owner` must live as long as `address` is called."""

    owner: object
    address: int


def load_object(code: bytes, target: Target, function: str = "run") -> Loaded:
    """Machine code in memory, ready to be called. Raises RuntimeError for an object file without the function."""
    mapped = image(code, function) if target.family == "x86" else None
    return Loaded(mapped, mapped.address) if mapped is not None else linked(code, target, function)


def linked(code: bytes, target: Target, function: str = "run") -> Loaded:
    """As `load_object`, by LLVM's linker."""
    import llvmlite.binding as llvm

    initialize()
    empty = llvm.parse_assembly("")
    empty.triple = target.triple
    engine = llvm.create_mcjit_compiler(empty, machine(target))
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    found = engine.get_function_address(function)
    if not found:
        raise RuntimeError(f"the object file has no function '{function}'")
    return Loaded(engine, found)
