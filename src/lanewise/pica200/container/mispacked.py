"""Raw words whose fields were packed in another way than the shader unit reads them, by what no program would say."""

from __future__ import annotations

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.encoder import INVERTED
from lanewise.pica200.isa.table import (
    EMIT,
    FLOAT,
    IDENTITY,
    INDEX_NAMES,
    LOOP,
    SETEMIT,
    TEMPORARY,
    WIDE_SOURCE,
    register_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from lanewise.pica200.isa.codec import Inst

    _Said = tuple[str, str, bool]  # message, fix, and whether the place is the table of descriptors
    _Rule = Callable[[Sequence[int], Sequence[Inst], Sequence[int]], _Said | None]

_NOP = 0x84000000
_SHIFTS = (4, 13, 22)  # of the sign of each operand in a descriptor, which its selectors follow
_OPERAND, _SELECTORS, _MASK = 0x1FF, 0xFF, 0xF
_OF_THREE = (0x30, 0x38)  # six bits that others take for the opcode of an instruction of three operands
_COMPARISONS = {0x09: 1, 0x0A: 0}  # by opcode, the result for equal operands
_MAD_DESCRIPTORS = 32
_TWO_IDENTITIES = IDENTITY << 1 | IDENTITY << 10  # .xyzw of the first two operands


def mispacked(
    words: Sequence[int],
    descriptors: Sequence[int],
    name: str,
    table: str = "",
    *,
    reached: Container[int],
    geometry: bool = False,
) -> list[Diagnostic]:
    """The warnings about words and descriptors that were packed in another way; the likeliest one. `name` and `table`
    are the files of both, `reached` the numbers of words that are run; `geometry`: they are given as a geometry shader."""
    insts = [decode(word if number in reached else _NOP) for number, word in enumerate(words)]
    said = next(filter(None, (rule(words, insts, descriptors) for rule in _RULES)), None)
    found = [_warning(*said[:2], table or name if said[2] else name)] if said else []
    emits = next((number for number, inst in enumerate(insts) if inst.op.kind in (EMIT, SETEMIT)), -1)
    if emits >= 0 and not geometry:
        message = f"word {emits:#x} is {insts[emits].op.name}, of geometry shaders: in a vertex shader it has no effect"
        fix = "use --geometry; for `lanewise run` and `debug`, --geometry point (variable, fixed: as the program was set up)"
        found.append(_warning(message, fix, name))
    return found


def _warning(message: str, fix: str, file: str) -> Diagnostic:
    return Diagnostic(code="C013", severity=WARNING, message=message, span=Span(file=file), notes=(), fix=fix)


def _sources(inst: Inst) -> list[int]:
    """The registers of the sources of an instruction."""
    return [inst.field(f"src{number + 1}") for number in range(inst.op.source_count)]


def _impossible(registers: Sequence[int]) -> bool:
    """Whether an instruction reads two input registers, or two uniforms: no hardware does."""
    inputs = {register for register in registers if register < TEMPORARY}
    return len(inputs) > 1 or sum(register >= FLOAT for register in registers) > 1


def _text(op: str, dst: int, sources: Sequence[int]) -> str:
    register = f"o{dst}" if dst < TEMPORARY else f"r{dst - TEMPORARY}"
    return f"{op} {', '.join([register, *map(register_name, sources)])}"


def _wrong_fields(words: Sequence[int], insts: Sequence[Inst], descriptors: Sequence[int]) -> _Said | None:
    for number, (word, inst) in enumerate(zip(words, insts, strict=True)):
        if not inst.op.source_count or "dst" not in inst.op.writes:
            continue
        registers = _sources(inst)
        itself = inst.op.format.name == "1" and inst.op.opcode in _COMPARISONS and _same_operands(inst, descriptors)
        if not itself and not _impossible(registers):
            continue
        shown = _text(inst.op.base, inst.field("dst"), registers)
        message = f"word {number:#x} ({word:#010x}) is {shown}, which "
        inputs = sorted({register for register in registers if register < TEMPORARY})
        message += (
            f"is always {_COMPARISONS[inst.op.opcode]}"
            if itself
            else f"reads {len(inputs)} input registers: hardware reads one"
            if len(inputs) > 1
            else "reads two uniforms: an instruction has one wide source"
        )
        fix = _as_first_format(word, inst, descriptors) or _overflow(word, inst)
        if fix or not itself:
            fix = fix or f"correct its fields: {_fields(inst)}"
            return message, fix, False
    return None


def _fields(inst: Inst) -> str:
    fields = [field for field in inst.op.format.fields if field.name != "opcode"]
    return ", ".join([f"{field.name} in bits {field.low + field.width - 1} to {field.low}" for field in reversed(fields)])


def _same_operands(inst: Inst, descriptors: Sequence[int]) -> bool:
    first, second = _sources(inst)
    desc = inst.field("desc")
    return (
        first == second
        and desc < len(descriptors)
        and descriptors[desc] >> _SHIFTS[0] & _OPERAND == descriptors[desc] >> _SHIFTS[1] & _OPERAND
    )


def _as_first_format(word: int, inst: Inst, descriptors: Sequence[int]) -> str:
    """The fix of a `mad` that was packed as `add` is; empty for others."""
    if inst.op.source_count != 3 or word >> 26 not in _OF_THREE:
        return ""
    as_add = decode(word & (1 << 26) - 1)
    desc, dst, (first, second) = as_add.field("desc"), as_add.field("dst"), _sources(as_add)
    if desc >= min(len(descriptors), _MAD_DESCRIPTORS) or _impossible((first, second)):
        return ""
    if first >= FLOAT:  # the narrow one first
        first, second = second, first
    packed = 0x38 << 26 | dst << 24 | first << 17 | second << 10 | desc
    return (
        f"if {_text(inst.op.base, dst, (first, second))}, third is meant, write {packed:#010x} + (third << 5): mad has not "
        f"the fields of add, but {_fields(inst)}"
    )


def _overflow(word: int, inst: Inst) -> str:
    """The fix of a second source above 31, whose sixth bit is the lowest of the first source; empty for others."""
    if inst.op.format.name != "1" or not inst.field("src1") & 1:
        return ""
    first, second = inst.field("src1") - 1, inst.field("src2") + FLOAT
    if first >= FLOAT:
        return ""
    meant = _text(inst.op.name, inst.field("dst"), (first, second))
    meant = f"if {meant} is meant: src2 has 5 bits, the sixth of {second:#x} is in src1; write "
    inverted = INVERTED.get(inst.op.name)
    if inverted is not None:
        packed = inverted.opcode << 26 | word & 0x03F80000 | first << 14 | second << 7 | word & 0x7F
        return f"{meant}{packed:#010x}, its form {inverted.name} with a wide src2"
    packed = word & ~(0xFFF << 7) | second << 12 | first << 7
    return f"{meant}{packed:#010x}, the operands exchanged, and exchange their selectors in the descriptor"


def _mad_overflow(words: Sequence[int], insts: Sequence[Inst], descriptors: Sequence[int]) -> _Said | None:
    """A mad whose descriptor number does not fit its five bits."""
    for number, (word, inst) in enumerate(zip(words, insts, strict=True)):
        if inst.op.source_count != 3 or inst.field("desc") >= len(descriptors):
            continue
        taken = inst.field("desc")
        for wide in (word & 0x3F, word & 0x7F):
            if not _MAD_DESCRIPTORS <= wide < len(descriptors) or descriptors[taken] >> _SHIFTS[2]:
                continue
            if descriptors[wide] >> _SHIFTS[2]:
                message = (
                    f"word {number:#x} ({word:#010x}) is mad with descriptor {taken}, which has no selectors of a third "
                    f"operand; descriptor {wide} has, but the number has five bits, 0 to 31"
                )
                packed = inst.replace(desc=taken, src3=inst.field("src3") & ~(wide >> 5))
                fix = f"put descriptor {wide} among the first 32: at {taken} the word is {encode(packed):#010x}"
                return message, fix, False
    return None


def _mad_selectors(words: Sequence[int], insts: Sequence[Inst], descriptors: Sequence[int]) -> _Said | None:
    """A mad whose descriptor is one of instructions of two operands: no mad has selectors of the third."""
    mads = [
        (number, inst)
        for number, inst in enumerate(insts)
        if inst.op.source_count == 3 and inst.field("desc") < len(descriptors)
    ]
    if any(descriptors[inst.field("desc")] >> _SHIFTS[2] for _, inst in mads):
        return None
    for number, inst in mads:
        text = descriptors[inst.field("desc")]
        if text & _MASK & (text & _MASK) - 1 and text >> _SHIFTS[0] & 0x3FFFF == _TWO_IDENTITIES:
            third = register_name(_sources(inst)[2])
            message = (
                f"word {number:#x} is mad with descriptor {inst.field('desc')} ({text:#x}), whose bits 30 to 23, the selectors "
                f"of the third operand, are 0: it is read as {third}.xxxx"
            )
            return message, f"if {third}.xyzw is meant, write {text | IDENTITY << _SHIFTS[2] + 1:#x}, 0x1B in these bits", True
    return None


def _masks_only(words: Sequence[int], insts: Sequence[Inst], descriptors: Sequence[int]) -> _Said | None:
    used = [inst.field("desc") for inst in insts if "dst" in inst.op.writes]
    texts = [descriptors[number] for number in used if number < len(descriptors)]
    if not texts or any(text > _MASK for text in texts) or all(text.bit_count() < 2 for text in texts):
        return None
    message = f"descriptors have write masks only, such as {texts[0]:#x}: all operands are read as .xxxx"
    return message, f"add the selectors of each operand: {texts[0] | _identities():#x} is that mask with .xyzw", True


def _identities() -> int:
    return sum(IDENTITY << shift + 1 for shift in _SHIFTS)


def _selectors_off(words: Sequence[int], insts: Sequence[Inst], descriptors: Sequence[int]) -> _Said | None:
    for inst in insts:
        desc = inst.field("desc") if "dst" in inst.op.writes else len(descriptors)
        if desc < len(descriptors) and descriptors[desc] >> _SHIFTS[0] & _OPERAND == IDENTITY:
            text = descriptors[desc]
            message = f"descriptor {desc} ({text:#x}) reads its first operand as -xxwy: .xyzw, packed one bit too low"
            fix = f"put the sign of an operand in bits 4, 13 and 22, its selectors above: {text & _MASK | _identities():#x}"
            return message, fix, True
    return None


def _index(words: Sequence[int], insts: Sequence[Inst], descriptors: Sequence[int]) -> _Said | None:
    """Index registers counted from 0."""
    written = {3} if any(inst.op.kind == LOOP for inst in insts) else set[int]()
    movas = [number for number, inst in enumerate(insts) if "a0" in inst.op.writes]
    for inst in (insts[number] for number in movas):
        if inst.field("desc") < len(descriptors):
            mask = descriptors[inst.field("desc")] & _MASK
            written |= {number for number, bit in ((1, 8), (2, 4)) if mask & bit}
    indexed = [(number, inst) for number, inst in enumerate(insts) if inst.has("idx") and "a0" not in inst.op.writes]
    read = {inst.field("idx"): number for number, inst in reversed(indexed)}
    counted = "idx is 0 for no index, 1 for a0.x, 2 for a0.y, 3 for aL: add 1 to it"
    if movas and not set(read) - {0}:
        found = next(((number, inst) for number, inst in indexed if number > movas[0] and _wide(inst) >= FLOAT), None)
        if found is not None:
            number, inst = found
            uniform, packed = register_name(_wide(inst)), encode(inst.replace(idx=1))
            message = f"word {movas[0]:#x} writes a0, and no operand is indexed: word {number:#x} reads {uniform} with idx 0"
            return message, f"{counted}; {packed:#010x} reads {uniform}[a0.x]", False
    for number in sorted(set(read) - {0} - written):
        if number + 1 in written and number + 1 not in read:
            name, other = INDEX_NAMES[number], INDEX_NAMES[number + 1]
            message = (
                f"word {read[number]:#x} is indexed by {name} (idx {number}), which no word writes; {other} is, and not read"
            )
            return message, counted, False
    return None


def _wide(inst: Inst) -> int:
    """The register of the wide source; -1 without one."""
    place = WIDE_SOURCE.get(inst.op.format.name, 0)
    return inst.field(f"src{place}") if place else -1


_RULES: tuple[_Rule, ...] = (
    _mad_overflow,
    _wrong_fields,
    _masks_only,
    _selectors_off,
    _mad_selectors,
    _index,
)
