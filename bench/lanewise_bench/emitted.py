"""Operations that a kernel executes: those of its LLVM IR by kind, each as often as its block runs on some data.

The IR is that which instruction selection gets. A copy of the kernel counts how often each block runs; that gives the
operations of a vector of 16 vertices. Instruction selection may join some, such as two bitwise operations; it adds those that
move registers to memory and back.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from lanewise.llvm.target import assembly, compile_object, load_object, machine
from lanewise.pica200.engine.llvm.repeat import Sampled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.llvm.target import Loaded, Target

WIDTH = 16
_BITS = 32 * WIDTH  # of a vector of 16 float32
_LABEL = re.compile(r'^([\w.$-]+|"[^"]+"):')
_RESULT = re.compile(r"^\s*(?:(%[\w.]+) = )?(.*)$")
_VECTOR = re.compile(r"<(\d+) x (\w+)>")
_CALL = re.compile(r"\bcall\b.*?@([\w.]+)\(")
_STACK = re.compile(r"\((?:%rsp|%rbp)[,)]|\[(?:sp|x29)[,\]]")
_REGISTER = re.compile(r"%[xyz]mm\d|\b[qv]\d")
_NAMES = re.compile(r"%[\w.]+")
_SIZES = {"float": 32, "i32": 32, "double": 64, "i64": 64, "ptr": 64, "i16": 16, "i8": 8}
_MASK = re.compile(r"<\d+ x i32> (?:<([^>]*)>|zeroinitializer|poison)\s*$")

_FLOAT = {
    "fadd": "add",
    "fsub": "add",
    "fmul": "mul",
    "fdiv": "div",
    "fneg": "logic",
    "sitofp": "convert",
    "uitofp": "convert",
    "fptosi": "convert",
    "fptoui": "convert",
}
_INTEGER = {
    "and": "logic",
    "or": "logic",
    "xor": "logic",
    "add": "integer",
    "sub": "integer",
    "mul": "integer",
    "shl": "shift",
    "lshr": "shift",
    "ashr": "shift",
}
# By the start of an intrinsic's name.
_CALLS = (
    ("llvm.fma", "fma"),
    ("llvm.sqrt", "sqrt"),
    ("llvm.floor", "round"),
    ("llvm.ceil", "round"),
    ("llvm.trunc", "round"),
    ("llvm.rint", "round"),
    ("llvm.roundeven", "round"),
    ("llvm.nearbyint", "round"),
    ("llvm.fabs", "logic"),
    ("llvm.copysign", "logic"),
    ("llvm.umax", "bound"),
    ("llvm.umin", "bound"),
    ("llvm.smax", "bound"),
    ("llvm.smin", "bound"),
    ("llvm.maxnum", "max"),
    ("llvm.minnum", "max"),
    ("llvm.maximum", "max"),
    ("llvm.minimum", "max"),
    ("llvm.fptosi.sat", "convert"),
    ("llvm.masked.gather", "gather"),
    ("llvm.masked.load", "load"),
    ("llvm.masked.store", "store"),
    ("llvm.x86.avx512.add.", "add"),
    ("llvm.x86.avx512.sub.", "add"),
    ("llvm.x86.avx512.mul.", "mul"),
    ("llvm.x86.avx512.div.", "div"),
    ("llvm.x86.avx512.vfmadd.", "fma"),
    ("llvm.x86.avx512.sqrt.", "sqrt"),
    ("llvm.x86.avx512.mask.range.", "range"),
    ("llvm.x86.avx512.mask.rndscale.", "round"),
    ("llvm.x86.avx512.rsqrt14.", "estimate"),
    ("llvm.x86.avx512.rcp14.", "estimate"),
    ("llvm.x86.avx512.pternlog", "logic"),
    ("llvm.x86.avx512.mask.fixupimm", "range"),
)
_DOUBLE = {
    "add": "double add",
    "mul": "double mul",
    "fma": "double fma",
    "div": "double div",
    "sqrt": "double sqrt",
    "logic": "double logic",
    "integer": "double integer",
    "shift": "double shift",
    "compare": "double compare",
    "select": "double select",
    "convert": "double convert",
    "bound": "double integer",
    "max": "double add",
    "round": "double add",
}


class Code(NamedTuple):
    """A kernel's function in LLVM IR, with its variables in registers: the lines of each block, by label."""

    ir: str
    blocks: Mapping[str, Sequence[str]]


def code_of(ir: str, target: Target) -> Code:
    """The blocks of `kernel` in a module as `generate` gives it."""
    target_machine = machine(target)
    module = llvm.parse_assembly(ir)
    module.triple, module.data_layout = target.triple, str(target_machine.target_data)
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.run(module, llvm.create_pass_builder(target_machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    text = str(module)
    blocks: dict[str, list[str]] = {}
    inside, label = False, ""
    for line in text.splitlines():
        if line.startswith("define") and "@kernel(" in line:
            inside, label = True, "entry"
        elif inside and line.startswith("}"):
            break
        elif inside and (found := _LABEL.match(line)):
            label = found[1]
            blocks.setdefault(label, [])
        elif inside and line.strip():
            blocks.setdefault(label, []).append(line.split(", !")[0])
    return Code(text, blocks)


class Machine(NamedTuple):
    """Machine code of a kernel: its instructions, and how many of them move a vector to the stack or use one there."""

    instructions: int
    on_stack: int


def machine_code(ir: str, target: Target) -> Machine:
    """The instructions of `kernel`, each counted once."""
    lines = assembly(ir, target).splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith("kernel:")), 0)
    end = next((n for n in range(start, len(lines)) if lines[n].startswith(".Lfunc_end")), len(lines))
    code = [line for line in lines[start:end] if line.startswith("\t") and not line.startswith("\t.")]
    return Machine(len(code), sum(1 for line in code if _STACK.search(line) and _REGISTER.search(line)))


def executed(code: Code, target: Target, arguments: int) -> dict[str, int]:
    """How often each block runs in one call of the kernel with these arguments."""
    counts = np.zeros(len(code.blocks), np.int64)
    loaded = _counting(code, target, counts.ctypes.data)
    Sampled.once(loaded.address, arguments)
    return dict(zip(code.blocks, counts.tolist(), strict=True))


def _counting(code: Code, target: Target, counts: int) -> Loaded:
    """The kernel, which also counts its blocks in an array at an address."""
    lines: list[str] = []
    inside, pending, number = False, -1, -1
    for line in code.ir.splitlines():
        starts = inside and _LABEL.match(line) is not None
        if pending >= 0 and line.strip() and not starts and " = phi " not in line:
            at = f"inttoptr (i64 {counts + 8 * pending} to ptr)"
            lines += [
                f"  %count{pending} = load i64, ptr {at}",
                f"  %counted{pending} = add i64 %count{pending}, 1",
                f"  store i64 %counted{pending}, ptr {at}",
            ]
            pending = -1
        if line.startswith("define") and "@kernel(" in line:
            inside = True
            following = code.ir.split(line, 1)[1].lstrip("\n").split("\n", 1)[0]
            if not _LABEL.match(following):
                number = pending = 0
        elif starts:
            number += 1
            pending = number
        elif line.startswith("}"):
            inside = False
        lines.append(line)
    return load_object(compile_object("\n".join(lines), target), target)


def operations(code: Code, times: Mapping[str, float], *, masked: bool = False) -> dict[str, float]:
    """The operations of all blocks by kind, on vectors of 16, with each block as often as given.

    `masked`: one instruction is an operation with a mask of lanes, a test of bits, or two bitwise operations, as in AVX-512.
    """
    total: defaultdict[str, float] = defaultdict(float)
    lines = {label: [_parsed(line) for line in block] for label, block in code.blocks.items()}
    defined = {name: text for block in lines.values() for name, text in block if name}
    used = Counter(name for block in lines.values() for own, text in block for name in _NAMES.findall(text) if name != own)
    # A sign is part of a fused multiplication.
    fused = Counter(
        name for block in lines.values() for _, text in block if "@llvm.fma." in text for name in _NAMES.findall(text)
    )
    joiner = _Joiner(defined, used)
    for label, block in lines.items():
        if not times.get(label):
            continue
        for name, text in block:
            if text.startswith("fneg") and used[name] == fused[name]:
                continue
            for kind, count in _kinds(text, defined, used):
                total[kind] += count * times[label]
            if masked and (kind := joiner.saved(name, text)):
                total[kind] -= _weight(text) * times[label]
    return {kind: count for kind, count in sorted(total.items()) if count}


class _Joiner:
    """Finds operations that AVX-512 does in one instruction with another."""

    def __init__(self, defined: Mapping[str, str], used: Counter[str]) -> None:
        self._defined, self._used = defined, used
        self._taken: set[str] = set()

    def saved(self, name: str, text: str) -> str:
        """The kind of the operation that this one, or the one whose result it takes, does not cost; or empty."""
        op = text.split(" ", 1)[0]
        if (
            op == "select"
            and len(_VECTOR.findall(text)) > 1
            and not text.split(", ", 1)[1].startswith(("<16 x i1>", "<32 x i1>"))
        ):
            _, *choices = _NAMES.findall(text)
            compared = self._defined.get(_NAMES.findall(text)[0], "")
            if compared.startswith("fcmp") and all(choice in compared for choice in choices):
                return ""  # a maximum
            return "select" if any(self._inner(choice, _MASKED) for choice in choices) else ""
        if op == "icmp" and " zeroinitializer" in text and (" eq " in text or " ne " in text):
            return "logic" if self._inner(_NAMES.findall(text)[0], ("and",)) else ""
        if op in _LOGIC and "x i32>" in text and name:
            for operand in _NAMES.findall(text):
                inner = self._inner(operand, _LOGIC)
                if inner and inner not in self._taken:
                    self._taken.add(name)
                    return "logic"
        return ""

    def _inner(self, name: str, ops: Sequence[str]) -> str:
        """The name of the operation that a value is of, if it is one of these and nothing else takes it."""
        while self._used[name] == 1:
            text = self._defined.get(name, "")
            if text.startswith("bitcast"):
                name = _NAMES.findall(text)[0]
            else:
                return name if text.startswith(tuple(f"{op} " for op in ops)) else ""
        return ""


_LOGIC = ("and", "or", "xor")
_MASKED = (*_LOGIC, "fadd", "fsub", "fmul", "fdiv", "add", "sub", "ashr", "lshr", "shl", "call", "tail call")


def _weight(text: str) -> float:
    vector = _VECTOR.search(text)
    return int(vector[1]) / WIDTH if vector else 1.0


def longest(code: Code, latencies: Mapping[str, float]) -> float:
    """The ns of the longest chain of operations of one vector, with each block run once."""
    lines = [_parsed(line) for block in code.blocks.values() for line in block]
    defined = {name: text for name, text in lines if name}
    used = Counter(name for own, text in lines for name in _NAMES.findall(text) if name != own)
    ends: dict[str, float] = {}
    for name, text in lines:
        if name:
            start = max([ends.get(operand, 0.0) for operand in _NAMES.findall(text)], default=0.0)
            ends[name] = start + sum(
                (1 if count > 0 else -1) * latencies.get(kind, 0.0) for kind, count in _kinds(text, defined, used)
            )
    return max(ends.values(), default=0.0)


def kinds_of(lines: Sequence[str]) -> dict[str, float]:
    """The operations of straight-line code by kind."""
    return operations(Code("", {"entry": lines}), {"entry": 1})


def _parsed(line: str) -> tuple[str, str]:
    found = _RESULT.match(line)
    assert found is not None
    return found[1] or "", found[2]


def _kinds(text: str, defined: Mapping[str, str], used: Counter[str]) -> list[tuple[str, float]]:
    """The kinds of an instruction, with signs for what it makes superfluous; none if it is not one on vectors."""
    op = text.split(" ", 1)[0]
    if op in ("tail", "musttail", "notail"):
        op = "call"
    handler = _SPECIAL.get(op)
    if handler is not None:
        return handler(text, defined, used)
    vector = _VECTOR.search(text)
    if vector is None:
        return []
    lanes, element = int(vector[1]), vector[2]
    weight = lanes / WIDTH
    if op in ("fcmp", "icmp"):
        return [("double compare" if element in ("double", "i64") else "compare", weight)]
    kind = _FLOAT.get(op) or _INTEGER.get(op)
    if kind is None:
        return [("double convert", weight)] if op in ("fpext", "fptrunc", "sext", "zext", "trunc") and element != "i1" else []
    if element == "i1":
        return [("mask", weight)]
    wide = element in ("double", "i64") or "x double>" in text or "x i64>" in text
    return [(_DOUBLE[kind] if wide else kind, weight)]


def _called(text: str, defined: Mapping[str, str], used: Counter[str]) -> list[tuple[str, float]]:
    name, vector = _CALL.search(text), _VECTOR.search(text)
    if name is None or vector is None:
        return []
    weight = int(vector[1]) / WIDTH
    kind = next((kind for start, kind in _CALLS if name[1].startswith(start)), "")
    if not kind:
        return [("logic", weight)] if name[1].startswith("llvm.x86.") else []
    wide = vector[2] in ("double", "i64") and kind not in ("gather", "load", "store")
    return [(_DOUBLE[kind] if wide else kind, weight)]


def _chosen(text: str, defined: Mapping[str, str], used: Counter[str]) -> list[tuple[str, float]]:
    """A select; of two numbers that are compared it is their maximum or minimum."""
    vectors = _VECTOR.findall(text)
    if len(vectors) < 2:
        return []
    (lanes, _), (_, element), *_ = vectors
    weight = int(lanes) / WIDTH
    if element == "i1":
        return [("mask", 3 * weight)]
    wide = element in ("double", "i64")
    condition, *choices = _NAMES.findall(text)[:1] + re.findall(r"(?:>|splat) ([%\w.(][^,]*)", text)[1:]
    compared = defined.get(condition, "")
    if compared.startswith("fcmp"):
        operands = compared.split("> ", 1)[1].split(", ")
        if sorted(operands) == sorted(choice.strip() for choice in choices[-2:]):
            kind = "double add" if wide else "max"
            return [(kind, weight), *([("double compare" if wide else "compare", -weight)] if used[condition] == 1 else [])]
    return [("double select" if wide else "select", weight)]


def _shuffled(text: str, defined: Mapping[str, str], used: Counter[str]) -> list[tuple[str, float]]:
    vector = _VECTOR.search(text)
    mask = _MASK.search(text)
    assert vector is not None
    places = (
        [int(one.split()[-1]) if one.split()[-1].isdigit() else -1 for one in mask[1].split(",")] if mask and mask[1] else []
    )
    if not places:  # one element in every lane
        source = defined.get(_NAMES.findall(text)[0], "") if _NAMES.findall(text) else ""
        inserted = _NAMES.findall(source)
        scalar = defined.get(inserted[-1], "") if source.startswith("insertelement") and inserted else ""
        count = re.findall(r"<(\d+) x i32>", text)
        weight = int(count[-1]) / WIDTH if count else 1.0
        if (source.startswith("insertelement") and not source.startswith("insertelement <")) or vector[2] == "i1":
            return []
        return [("broadcast" if scalar.startswith("load") else "shuffle", weight)]
    size = _SIZES.get(vector[2], 32)
    run = [place - n for n, place in enumerate(places) if place >= 0]
    if len(set(run)) <= 1 and (run[0] if run else 0) * size % _BITS == 0:
        return []  # a half of a vector, or two vectors joined
    if len(places) > int(vector[1]) and places == list(range(len(places))) and int(vector[1]) * size % _BITS == 0:
        return []
    return [("shuffle", max(len(places) * size / _BITS, 0.25))]


def _loaded(text: str, defined: Mapping[str, str], used: Counter[str]) -> list[tuple[str, float]]:
    vector = _VECTOR.search(text.split(" ptr ", 1)[0])
    if vector is None or vector[2] == "i1":
        return []
    size = int(vector[1]) * _SIZES.get(vector[2], 32) / _BITS
    return [("store" if text.startswith("store") else "load", max(size, 0.25))]


_SPECIAL: Mapping[str, Callable[[str, Mapping[str, str], Counter[str]], list[tuple[str, float]]]] = {
    "call": _called,
    "select": _chosen,
    "shufflevector": _shuffled,
    "load": _loaded,
    "store": _loaded,
    "phi": lambda text, defined, used: [],
    "bitcast": lambda text, defined, used: [],
    "insertelement": lambda text, defined, used: [],
    "extractelement": lambda text, defined, used: [],
    "getelementptr": lambda text, defined, used: [],
    "br": lambda text, defined, used: [],
    "freeze": lambda text, defined, used: [],
    "alloca": lambda text, defined, used: [],
}
