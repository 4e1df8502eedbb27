"""Raw words that are something else than they are given as: descriptors, or words whose bytes are in reverse order."""

from __future__ import annotations

from lanewise.core.diagnostics import ERROR, WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.core.text.counting import counted
from lanewise.pica200.isa.codec import decode
from lanewise.pica200.isa.table import CALL, END, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_DESCRIPTORS = 128
_SELECTORS = (5, 14, 23)  # first bit of the selectors of each operand in a descriptor
_REVERSED = 0xE4  # wzyx
_MOST_ZEROS = 4  # words in a row: so many times the same instruction is in no program


def mistaken(
    words: Sequence[int], descriptors: Sequence[int] | None, name: str, table: str, *, text: bool = False
) -> list[Diagnostic]:
    """The error about words that are no program, but would be one if exchanged with the descriptors, with the bytes of each
    word reversed or some bytes later, or the warning about words without end; empty for others.

    `name` and `table` are the files of both; `text`: the words were written as text.
    """
    count = _MOST_DESCRIPTORS if descriptors is None else len(descriptors)
    place = Span(file=name)
    if descriptors and len(words) > 1 and tuple(descriptors) == tuple(words):
        message = "code: these words are the descriptors too"
        fix = "give the words that were written to GPUREG_VSH_OPDESCS_DATA with --descriptors"
        return [Diagnostic(code="C013", severity=ERROR, message=message, span=place, notes=(), fix=fix)]
    if _is_program(words, count):
        return []
    if descriptors and _is_program(descriptors, len(words)):
        message = f"code: these words are not a program, and the descriptors{f' of {table}' if table else ''} are one"
        fix = "exchange --words and --descriptors" if table else "exchange words and descriptors"
        return [Diagnostic(code="C013", severity=ERROR, message=message, span=place, notes=(), fix=fix)]
    turned = [_reversed(word) for word in words]
    if _is_program(turned, count):
        message = f"code: the bytes of each word are in reverse order (big-endian): {words[0]:#010x} is {turned[0]:#010x}"
        fix = (
            f"write text such as {turned[0]:#010x}, descriptors too; where the digits are those of `xxd`, give the binary, "
            "which `xxd -r -p IN OUT` makes"
            if text
            else f"write text such as {turned[0]:#010x}, or little-endian bytes, descriptors too: "
            "`objcopy -I binary -O binary --reverse-bytes=4 IN OUT` reverses them"
        )
        return [Diagnostic(code="C013", severity=ERROR, message=message, span=place, notes=(), fix=fix)]
    data = b"".join([word.to_bytes(4, "little") for word in words])
    for skip in (1, 2, 3):
        moved = data[skip : len(data) - 4 + skip]
        if len(words) > 1 and _is_program([int.from_bytes(moved[n : n + 4], "little") for n in range(0, len(moved), 4)], count):
            message = f"code: the words begin {counted(skip, 'byte')} later: those are a program"
            fix = f"leave out the bytes in front of them: `tail -c +{skip + 1} {name} | head -c {len(moved)} > OUT`"
            return [Diagnostic(code="C013", severity=ERROR, message=message, span=place, notes=(), fix=fix)]
    if words and all(decode(word).op.kind != END for word in words):
        message = f"code: none of the {counted(len(words), 'word')} is `end`: the dump may be cut off"
        fix = "give all words of the program, the last of which is `end` (0x88000000)"
        return [Diagnostic(code="C013", severity=WARNING, message=message, span=place, notes=(), fix=fix)]
    return []


def reversed_selectors(words: Sequence[int], descriptors: Sequence[int], name: str) -> list[Diagnostic]:
    """The warning about descriptors whose selectors may be in reverse order; empty for others. Assemblers write xyzw, or zeros,
    for the operands that no instruction of a descriptor has: there wzyx is not meant by anybody."""
    sources: dict[int, int] = {}
    for inst in map(decode, words):
        if inst.op.source_count and "desc" in {field.name for field in inst.op.format.fields}:
            number = inst.field("desc")
            sources[number] = max(sources.get(number, 0), inst.op.source_count)
    used = [(number, descriptors[number], count) for number, count in sources.items() if number < len(descriptors)]
    unread = [(number, word >> shift & 0xFF) for number, word, count in used for shift in _SELECTORS[count:]]
    read = [word >> shift & 0xFF for _, word, count in used for shift in _SELECTORS[:count]]
    written = [(number, selectors) for number, selectors in unread if selectors]
    if len(used) > 1 and len(read) > 2 and all(selectors == _REVERSED for selectors in read):
        why = "all operands are read as wzyx, none as xyzw"
    elif written and all(selectors == _REVERSED for _, selectors in written):
        why = f"descriptor {written[0][0]} has wzyx also for an operand that no instruction with it has"
    else:
        return []
    message = f"the selectors of operand descriptors may be in reverse order: {why}"
    fix = "write selectors with that of x in the highest two bits of the 8: xyzw is 0x1B, not 0xE4"
    return [Diagnostic(code="C013", severity=WARNING, message=message, span=Span(file=name), notes=(), fix=fix)]


def explained(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings about a result without what those about the words explain: unwritten outputs, and the fix for a program
    that runs past its end."""
    if not {"C012", "C013"} & {finding.code for finding in before}:
        return [*after]
    return [each._replace(fix="") if each.code == "R003" else each for each in after if each.code != "R007"]


def written_before(
    words: Sequence[int], descriptors: Sequence[int], entry: int, after: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """The findings about the result of raw words, with the cause of an output that is unwritten: words in front of the entry
    write it, or the mask of a descriptor leaves the component out."""
    writers: dict[str, int] = {}
    for number, inst in enumerate(map(decode, words[:entry])):
        if "dst" in inst.op.writes:
            writers.setdefault(f"(o{inst.field('dst')})", number)
    found: list[Diagnostic] = []
    for each in after:
        register = next((name for name in writers if each.code == "R007" and name in each.message), "")
        if register:
            writer = (
                f"word {writers[register]:#x}, which writes it, is in front of word {entry:#x}, at which the program starts"
            )
            found.append(each._replace(notes=(*each.notes, writer), fix="correct --entry, which counts words from 0"))
        else:
            found.append(_masked(words, descriptors, each) if each.code == "R007" else each)
    return found


def _masked(words: Sequence[int], descriptors: Sequence[int], finding: Diagnostic) -> Diagnostic:
    """The finding about an output that is unwritten, with the word that writes others of its components."""
    for number, inst in enumerate(map(decode, words)):
        if "dst" not in inst.op.writes or "desc" not in {field.name for field in inst.op.format.fields}:
            continue
        index = inst.field("desc")
        if f"(o{inst.field('dst')})" in finding.message and index < len(descriptors):
            mask = "".join([letter for place, letter in enumerate("xyzw") if descriptors[index] & 8 >> place]) or "nothing"
            note = f"word {number:#x} writes {mask} of it, by the mask of descriptor {index}, {descriptors[index]:#x}"
            fix = "correct its mask, the lowest 4 bits (x is bit 3, w is bit 0), or the order of the table, which counts from 0"
            return finding._replace(notes=(*finding.notes, note), fix=fix)
    return finding


def begins_at_end(words: Sequence[int], entry: int, name: str) -> list[Diagnostic]:
    """The warning about an entry at which the program ends at once; empty for others."""
    if words[entry : entry + 2] == (0, 0) and any(words):
        first = next((at for at in range(entry, len(words)) if words[at]), 0)
        message = f"word {entry:#x}, at which the program starts, is 0, as in memory that nothing was written to"
        fix = f"correct --entry, or leave out what is in front of the code: the first word that is not 0 is {first:#x}"
        return [Diagnostic(code="C012", severity=WARNING, message=message, span=Span(file=name), notes=(), fix=fix)]
    if not entry or decode(words[entry]).op.kind != END:
        return []
    message = f"word {entry:#x}, at which the program starts, is `end`: nothing runs"
    bytewise = f": a program counter of {entry} bytes is word {entry // 4}" if entry % 4 == 0 else ""
    fix = f"correct --entry, which counts words from 0{bytewise}"
    return [Diagnostic(code="C012", severity=WARNING, message=message, span=Span(file=name), notes=(), fix=fix)]


def begins_inside(words: Sequence[int], entry: int, name: str) -> list[Diagnostic]:
    """The warning about an entry in a subroutine that other words call; empty for others."""
    calls = [(at, inst) for at, inst in enumerate(map(decode, words)) if inst.op.kind == CALL]
    ranges = [(inst.field("dst"), inst.field("dst") + inst.field("num"), at) for at, inst in calls]
    found = next(((first, last, at) for first, last, at in ranges if first <= entry < last and not first <= at < last), None)
    if found is None:
        return []
    at = found[-1]
    message = (
        f"word {entry:#x}, at which the program starts, is in the subroutine that word {at:#x} calls: it runs on into what "
        "follows"
    )
    outside = [number for number in range(len(words)) if not any(low <= number < high for low, high, _ in ranges)]
    begin = next((number for number in outside if number <= at), None)
    fix = "give the word at which it starts with --entry" + (f", such as --entry {begin}" if begin is not None else "")
    return [Diagnostic(code="C012", severity=WARNING, message=message, span=Span(file=name), notes=(), fix=fix)]


def empty_memory(words: Sequence[int], name: str) -> list[Diagnostic]:
    """The warning about zeros after the words, which are disassembled as instructions; empty for few."""
    used = len(words)
    while used and not words[used - 1]:
        used -= 1
    if not used or len(words) - used < _MOST_ZEROS:
        return []
    message = (
        f"the last {len(words) - used} words, from {used:#x} on, are 0, as in memory that nothing was written to; they are "
        f"shown as {decode(0).op.name}"
    )
    fix = f"give the first {counted(used, 'word')} only, {4 * used} bytes of a binary"
    return [Diagnostic(code="C013", severity=WARNING, message=message, span=Span(file=name), notes=(), fix=fix)]


def lacking(words: Sequence[int], descriptors: Sequence[int], name: str) -> list[Diagnostic]:
    """The warning about words whose descriptor the table does not have, which are disassembled as data; empty without."""
    needed = [(number, inst) for number, inst in enumerate(map(decode, words)) if "src" in inst.op.operands]
    beyond = [(number, inst) for number, inst in needed if inst.field("desc") >= len(descriptors)]
    if not beyond:
        return []
    number, inst = beyond[0]
    there = f"{len(descriptors)} (0 to {len(descriptors) - 1})" if descriptors else "none"
    more = f", and so {counted(len(beyond) - 1, 'other word', 'other words')}" if len(beyond) > 1 else ""
    message = f"word {number:#x} ({inst.op.name}) uses operand descriptor {inst.field('desc')}, the table has {there}{more}"
    fix = "supply the whole descriptor table: those words are shown as .word"
    return [Diagnostic(code="V109", severity=WARNING, message=message, span=Span(file=name), notes=(), fix=fix)]


def _is_program(words: Sequence[int], descriptors: int) -> bool:
    """Whether all words are instructions whose descriptors are there, and one of them ends the program."""
    insts = [decode(word) for word in words]
    return any(inst.op.kind == END for inst in insts) and all(
        inst.op is not UNKNOWN and ("src" not in inst.op.operands or inst.field("desc") < descriptors) for inst in insts
    )


def _reversed(word: int) -> int:
    return int.from_bytes(word.to_bytes(4, "little"), "big")
