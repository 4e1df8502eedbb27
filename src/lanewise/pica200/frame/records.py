"""Records of a host that runs homebrew: `lanewise` reads what its recorder writes.

A record is a tag of four letters, two u32, the u32 length of its data, and the data, all little-endian: `FRAM` the number of
the frame that begins; `GXCM` a GX command of 32 bytes; `MEML` memory from a physical address on; `LIST` a command list that
is submitted, with its physical address.
"""

from __future__ import annotations

import struct

from lanewise.core.diagnostics import WARNING, Diagnostic
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.source import Span
from lanewise.pica200.frame.recording import End, Initial, Load, Place, Recording, Submit

if TYPE_CHECKING:
    from lanewise.pica200.frame.recording import Event

HEAD = struct.Struct("<4sIII")
TAGS = (b"FRAM", b"GXCM", b"MEML", b"LIST")
_ADDRESSES = 1 << 32


def recognises(data: bytes) -> bool:
    """Whether a file begins with a record."""
    if len(data) < HEAD.size or data[:4] not in TAGS:
        return False
    tag, _, _, size = HEAD.unpack_from(data)
    return size == {b"FRAM": 0, b"GXCM": 32}.get(tag, size)


def read_records(data: bytes, name: str) -> Recording:
    """The stream of a file of records, up to its first damaged one."""
    events: list[Event] = []
    findings: list[Diagnostic] = []
    at = number = 0
    while at < len(data):
        wrong = _damage(data, at, number)
        if wrong:
            findings.append(
                Diagnostic(
                    code="F001",
                    severity=WARNING,
                    message=wrong,
                    span=Span(file=name, offset=at),
                    notes=(f"the {number} records before it are read",),
                    fix="record the frame again, or copy the whole file",
                )
            )
            break
        tag, first, _, size = HEAD.unpack_from(data, at)
        body = memoryview(data)[at + HEAD.size : at + HEAD.size + size]
        place = Place(number, at)
        if tag == b"FRAM" and first and events:
            events.append(End(place))
        elif tag == b"MEML":
            events.append(Load(first, body, place))
        elif tag == b"LIST":
            events += [Load(first, body, place), Submit(first, size, place)]
        at += HEAD.size + size
        number += 1
    return Recording(
        kind="records",
        layout=f"{number} records of a host that runs homebrew, from the start of the program on",
        initial=Initial(),
        events=events,
        findings=tuple(findings),
    )


def _damage(data: bytes, at: int, number: int) -> str:
    """What is wrong with the record at an offset; empty for a whole one."""
    if at + HEAD.size > len(data):
        return f"record {number} is cut inside its head"
    tag, first, _, size = HEAD.unpack_from(data, at)
    if tag not in TAGS:
        return f"record {number} has the unknown tag {tag!r}"
    missing = at + HEAD.size + size - len(data)
    if missing > 0:
        return f"record {number} ({tag.decode()}) is cut: {missing} of its {size} bytes are missing"
    if tag in (b"MEML", b"LIST") and first + size > _ADDRESSES:
        return f"record {number} ({tag.decode()}) of {size} bytes ends after the last address"
    return ""
