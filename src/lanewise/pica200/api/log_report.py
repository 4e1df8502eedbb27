"""The comparison of a trace with a log, as text and as plain data."""

from __future__ import annotations

from math import isfinite

from lanewise.core.diagnostics import visible
from lanewise.core.logs.aligning import END, VALUE
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.counting import counted
from lanewise.pica200.api.log_comparison import differing, number_of
from lanewise.pica200.api.trace_report import operand_text, state, write_text
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.isa.table import COMPONENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.core.logs.aligning import Difference
    from lanewise.core.logs.reading import Entry, Logged
    from lanewise.pica200.api.log_comparison import Candidate, Comparison
    from lanewise.pica200.api.tracing import Trace

_INDENT = "  "
_MOST = 20  # candidates that are printed
_MOST_ORDERS = 3


def as_text(found: Comparison, name: str) -> str:
    """The report."""
    trace, log, alignment = found.trace, found.log, found.alignment
    lines = [
        f"{visible(trace.shader.name, '')}, {trace.subject}: profile {trace.profile.describe()}, beside {visible(name, '')}"
    ]
    pairs = alignment.pairs
    where = f", steps {pairs[0][1]} to {pairs[-1][1]} of {len(trace.steps)}" if pairs else ""
    lines.append(f"{_INDENT}{len(pairs)} of {counted(len(log.entries), 'entry', 'entries')} agree{where}")
    lines += [f"{_INDENT}{line}" for line in _remarks(found, visible(name, ""))]
    first = alignment.first
    if found.vertex is not None or found.orders or found.reading:  # its differences say nothing about an implementation
        return "\n".join([lines[0], *_addresses(found), *_conclusion(found)])
    if first is None and log.broken:
        count = counted(log.broken, "line begins as an entry and is", "lines begin as entries and are")
        return "\n".join([*lines, f"{count} not compared: print plain numbers, such as 0.5, or correct --log-format"])
    if first is None:
        return "\n".join([*lines, "no difference"])
    lines += ["", *_difference(found, first, visible(name, ""))]
    lines += ["", *_conclusion(found)]
    return "\n".join(lines)


def as_data(found: Comparison, name: str) -> dict[str, object]:
    """The same as plain data."""
    trace, log, alignment = found.trace, found.log, found.alignment
    return {
        "program": trace.shader.name,
        "subject": trace.subject,
        "profile": trace.profile.describe(),
        "log": name,
        "entries": len(log.entries),
        "agree": len(alignment.pairs),
        "steps": len(trace.steps),
        "start": alignment.start if alignment.start >= 0 else None,
        "missing": alignment.missing,
        "other_lines": log.skipped,
        "longer_lines": log.longer,
        "other_vertices": log.other,
        "after_end": alignment.after,
        "cut_line": log.cut or None,
        "difference": _difference_data(found, alignment.first) if alignment.first is not None else None,
        "candidates": [
            {
                "settings": list(one.settings),
                "preset": one.preset,
                "agree": one.agreed,
                "whole": one.next is None,
                "next_step": one.next.step if one.next is not None else None,
                "evidence": [CHOICES[setting.partition("=")[0]].known for setting in one.settings if not one.preset],
            }
            for one in found.candidates
        ],
        "explained": found.explained,
        "tried": found.tried,
        "untried_pairs": found.untried,
        "agreeing_vertex": found.vertex,
        "agreeing_orders": list(found.orders),
        "addresses": found.addresses or None,
        "reading": found.reading or None,
        "rounded_numbers": len(_rounded(found)),
        "nearer_vertex": found.further[0] if found.further is not None else None,
    }


def _remarks(found: Comparison, name: str) -> Iterator[str]:
    trace, log, alignment = found.trace, found.log, found.alignment
    if log.skipped:
        why = f": {name}:{log.miss[0]}, column {log.miss[1].column}, expected {log.miss[1].expected}" if log.miss else ""
        yield f"{counted(log.skipped, 'line is', 'lines are')} something else{why}"
    if log.rest is not None:
        lines = counted(log.longer, "line goes", "lines go")
        first = f"{name}:{log.rest[0]} '{visible(log.rest[1][:40], '')}'"
        named = [letter for letter in COMPONENTS if any(letter in entry.values for entry in log.entries)]
        after = [letter for letter in COMPONENTS if letter > named[-1] or letter == "w"] if named and named[-1] != "w" else []
        texts = log.rest[1].replace(",", " ").split()
        count = len(texts)
        if after and count <= len(after) and all(map(_is_number, texts)):
            fields = " ".join([f"{{{letter}}}" for letter in (*named, *after[:count])])
            fix = f"write {fields} in --log-format to compare them"
        else:
            fix = "end the pattern with {_} if it does not matter"
        yield f"{lines} on after the pattern, which is not compared: {first}; {fix}"
    if log.entries and not any(entry.values or entry.state for entry in log.entries):
        yield "no line has values, so that only addresses and registers are compared: give x, y, z and w of what is written"
    if log.other:
        yield f"{counted(log.other, 'entry is', 'entries are')} of other vertices"
    if log.cut:
        yield f"line {log.cut} has no end and is left out"
    if alignment.pairs and alignment.start > 0 and alignment.pairs[0][1] > 0:
        yield f"the log starts at step {alignment.pairs[0][1]}"
    if alignment.missing:
        yield f"{counted(alignment.missing, 'step has', 'steps have')} no line in between"
    if found.line:
        yield f"the log begins with another vertex: {trace.subject} is compared from line {found.line} on"
    if found.typed:
        yield found.typed
    yield from _addresses(found)
    addresses = [entry.address for entry in log.entries if entry.address is not None]
    if (
        not found.addresses
        and alignment.first is not None
        and len(addresses) > 1
        and max(addresses)
        and not any(a % 4 for a in addresses)
    ):
        yield "all addresses of the log are multiples of 4: {pc} is the number of a word, an offset in bytes is 4 times that"
    rounded = _rounded(found)
    if rounded and alignment.first is None:
        entry, logged, number = rounded[0]
        one = len(rounded) == 1
        yield (
            f"{len(rounded)} number{'' if one else 's'} of the log {'has' if one else 'have'} too few digits to tell "
            f"neighbours apart, line {entry.line}: {logged.text} for {number:.9g}; print words, or %.9g, to compare exactly"
        )
    if alignment.after:
        line = log.entries[len(log.entries) - alignment.after].line
        yield f"the program starts again at line {line}: {counted(alignment.after, 'entry is', 'entries are')} not compared"
    if alignment.first is None and alignment.pairs and not alignment.after and alignment.pairs[-1][1] + 2 < len(trace.steps):
        yield f"the log ends after step {alignment.pairs[-1][1]}: later ones are not compared"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _rounded(found: Comparison) -> list[tuple[Entry, Logged, float]]:
    """Numbers of a log that agree, but are written with so few digits that their neighbours would too."""
    trace, precision = found.trace, found.log.precision
    bits = 23 if trace.profile.rounding == "float32" else 16
    rows: list[tuple[Entry, Logged, float]] = []
    for entry_number, step in found.alignment.pairs:
        entry, write = found.log.entries[entry_number], number_of(trace.steps[step])
        for place, letter in enumerate(COMPONENTS if write is not None else ()):
            logged = entry.values.get(letter)
            if write is None or logged is None or logged.word is not None or not write.mask >> 3 - place & 1:
                continue
            number = trace.number(write.new[place])
            near = number * (1 + 2.0**-bits)
            if logged.number != number and isfinite(near) and precision.fits(logged, near):
                rows.append((entry, logged, number))
    return rows


def _addresses(found: Comparison) -> Iterator[str]:
    if not found.addresses:
        return
    if "/" in found.addresses:
        why = "are offsets in bytes"
    elif found.addresses.startswith("{") and " " not in found.addresses:
        why = "are hexadecimal" if "x" in found.addresses else "are decimal"
    else:
        why = "do not count words from the first one of the program"
    yield f"addresses of the log {why}: they are compared as {found.addresses}"


def _difference(found: Comparison, first: Difference, name: str) -> Iterator[str]:
    trace, entry = found.trace, found.log.entries[first.entry]
    if first.step < 0 or not trace.steps:
        place = f"word {entry.address:#x}" if entry.address is not None else f"register {visible(entry.register, '')}"
        yield f"first difference: line {entry.line} of {name} has {place}, which no step of the trace has"
        return
    step = trace.steps[first.step]
    span = trace.span(step.pc)
    source = f", {visible(str(span), '')}" if span.line else ""
    yield f"first difference: step {step.number}, word {step.pc:#x}{source}, line {entry.line} of {name}"
    yield f"    {trace.instruction(step.pc) or 'no word here'}"
    for operand in step.operands:
        if operand.used:
            yield f"{_INDENT}read      {operand_text(trace, step.pc, operand, operand.used)}"
    for line in _sides(found, first):
        yield f"{_INDENT}{line}"
    yield f"{_INDENT}state     {state(step)}"


def _sides(found: Comparison, first: Difference) -> Iterator[str]:
    trace, entry = found.trace, found.log.entries[first.entry]
    step = trace.steps[first.step]
    there = f"word {entry.address:#x}" if entry.address is not None else f"a write to {visible(entry.register, '')}"
    if first.kind != VALUE:
        yield "lanewise  " + ("ends here" if first.kind == END else f"goes on at word {_next(trace, first.step):#x}")
        yield f"log       goes on at {there}"
        return
    write = number_of(step)
    if first.what in COMPONENTS or first.what == "register":
        for each in [write] if write is not None else []:
            yield f"lanewise  {write_text(trace, step.pc, each)}"
        values = ", ".join([f"{letter} = {visible(value.text, '')}" for letter, value in entry.values.items()])
        yield f"log       {visible(entry.register, '') or 'the same register'}: {values}"
        if first.what != "register":
            yield f"differs   in {', '.join(differing(trace, found.log, first)) or first.what}"
        return
    yield f"lanewise  {first.what} = {_state_value(trace, first)}"
    yield f"log       {first.what} = {_logged_state(entry, first.what)}"


def _next(trace: Trace, number: int) -> int:
    return trace.steps[number].state.pc


def _state_value(trace: Trace, first: Difference) -> int:
    step = trace.steps[first.step]
    values = {"cmp.x": int(step.cmp[0]), "cmp.y": int(step.cmp[1]), "a0.x": step.a0[0], "a0.y": step.a0[1]}
    return values.get(first.what, step.loops.al)


def _logged_state(entry: Entry, name: str) -> str:
    logged = entry.values.get(name[-1])
    return str(entry.state[name]) if name in entry.state else visible(logged.text, "") if logged is not None else ""


def _conclusion(found: Comparison) -> Iterator[str]:
    all_agree = f"all {len(found.log.entries)} entries agree" if len(found.log.entries) > 1 else "its entry agrees"
    if found.orders:
        columns = " or ".join([" ".join(order) for order in found.orders[:_MOST_ORDERS]])
        fields = " ".join([f"{{{letter}}}" for letter in found.orders[0]])
        yield f"the log has components in the order {columns}, with which {all_agree}: write {fields} in --log-format"
        return
    if found.reading:
        yield f"{found.reading}; all agree so"
        return
    if found.vertex is not None:
        yield f"the log is of vertex {found.vertex}, with which {all_agree}: --trace {found.vertex}"
        return
    if found.further is not None:
        vertex, agreed = found.further
        yield f"vertex {vertex} is nearer, with which {agreed} of {len(found.log.entries)} entries agree: --trace {vertex}"
        if not found.candidates:
            return
    if not found.candidates:
        left = f" ({counted(found.untried, 'pair')} not tried: the trace is long)" if found.untried else ""
        yield f"no pair explains it: no field of the profile and no two of them give what the log has{left}"
        return
    if found.explained:
        yield "the whole log agrees with:"
    else:
        yield "no pair explains the whole log; this difference is gone with:"
    for one in found.candidates[:_MOST]:
        yield f"{_INDENT}{_candidate(one)}"
    if len(found.candidates) > _MOST:
        yield f"{_INDENT}and {len(found.candidates) - _MOST} more (--format json has all)"


def _candidate(one: Candidate) -> str:
    options = f"--profile {one.settings[0]}" if one.preset else " ".join([f"--set {setting}" for setting in one.settings])
    known = "" if one.preset else " (" + ", ".join([CHOICES[each.partition("=")[0]].known for each in one.settings]) + ")"
    return options + known + (f": the next difference is at step {one.next.step}" if one.next is not None else "")


def _difference_data(found: Comparison, first: Difference) -> dict[str, object]:
    trace, entry = found.trace, found.log.entries[first.entry]
    step = trace.steps[first.step] if 0 <= first.step < len(trace.steps) else None
    write = number_of(step) if step is not None else None
    expected: object = None
    if step is not None and first.kind == VALUE:
        if first.what in COMPONENTS and write is not None:
            expected = write.new[COMPONENTS.index(first.what)]
        elif first.what == "register":
            expected = write.register if write is not None else None
        else:
            expected = _state_value(trace, first)
    logged: object = None
    if first.kind == VALUE:
        logged = (
            entry.values[first.what].text if first.what in entry.values else _logged_state(entry, first.what) or entry.register
        )
    return {
        "kind": first.kind,
        "step": first.step if step is not None else None,
        "word": step.pc if step is not None else None,
        "instruction": trace.instruction(step.pc) if step is not None else None,
        "line": entry.line,
        "component": first.what or None,
        "expected": expected,
        "logged": logged,
        "next": step.state.pc if step is not None and not step.ended else None,
        "logged_word": entry.address,
        "read": [
            {"register": operand.register, "words": [operand.words[slot] for slot in operand.used]}
            for operand in (step.operands if step is not None else ())
            if operand.used
        ],
    }
