"""Draws of a recorded frame as tables, pages and plain data."""

from __future__ import annotations

from lanewise.core.document import Heading, Items, Paragraph, Table
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.text.counting import counted
from lanewise.pica200.frame.registers import PASSING, name_of, rows
from lanewise.pica200.frame.setup import setup_of, target_text
from lanewise.pica200.frame.state import GEOMETRY, VERTEX
from lanewise.pica200.frame.vertices import DEFAULT, LOADED, MISSING, TYPES, topology_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.document import Block
    from lanewise.pica200.api.frame_review import Reviewed, Stage
    from lanewise.pica200.frame.draws import Draw
    from lanewise.pica200.frame.state import State, Vector
    from lanewise.pica200.frame.vertices import Feed


def draws_table(rows: Sequence[tuple[Reviewed, Reviewed | None]]) -> Table:
    return Table(
        ("draw", "frame", "target", "primitives", "vertices", "programs", "findings", "changed"),
        tuple([_row(each, last) for each, last in rows]),
    )


def _topology(draw: Draw) -> str:
    return topology_of(draw) if draw.known[0x25E] & 2 else "?"


def _row(each: Reviewed, before: Reviewed | None) -> tuple[str, ...]:
    draw = each.draw
    worst = [finding.code for finding in each.findings]
    return (
        str(draw.number),
        f"{draw.frame}/{draw.in_frame}",
        target_text(setup_of(draw)),
        f"{_topology(draw)} ({draw.kind})",
        f"{each.asked}" + (f" ({len(each.used)})" if len(each.used) != each.asked else ""),
        " ".join([_program(stage) for stage in each.stages]),
        " ".join(dict.fromkeys(worst)) or "-",
        "; ".join(changes(each, before)) or "-",
    )


def _program(stage: Stage) -> str:
    from lanewise.pica200.api.frame_review import hash_of

    return f"{hash_of(stage.unit)}@{stage.entry}"


def sources_page(rows: Sequence[tuple[Reviewed, Reviewed | None]], known: Mapping[str, Sequence[str]]) -> tuple[Block, ...]:
    """Which sources the programs of draws are; nothing where no folder of sources was named."""
    from lanewise.pica200.api.frame_review import hash_of

    hashes = list(dict.fromkeys([hash_of(stage.unit) for each, _ in rows for stage in each.stages]))
    table = tuple([(name, " or ".join(known[name])) for name in hashes if name in known])
    return (Heading(2, "Sources"), Items(table)) if table else ()


def changes(each: Reviewed, before: Reviewed | None) -> list[str]:
    """What a draw has that the draw before has not, by topic."""
    if before is None:
        return ["first draw"]
    draw, last = each.draw, before.draw
    found: list[str] = []
    for stage, other in zip(each.stages, before.stages, strict=False):
        if (stage.unit.code, stage.unit.descriptors, stage.entry) != (other.unit.code, other.unit.descriptors, other.entry):
            found.append(f"{stage.name} program")
        numbers = [n for n, (new, old) in enumerate(zip(stage.unit.uniforms, other.unit.uniforms, strict=True)) if new != old]
        if numbers:
            from lanewise.pica200.api.frame_review import runs_text

            found.append(("" if stage.base == VERTEX else "geometry ") + runs_text(numbers, "c"))
    topics: dict[str, None] = {}
    if draw.registers != last.registers:
        for number, (new, old) in enumerate(zip(draw.registers, last.registers, strict=True)):
            if new != old and number not in PASSING and number not in (VERTEX + 0xA, GEOMETRY + 0xA):
                row = rows().get(number)
                topics[row.topic if row is not None else "fragments and textures"] = None
    if draw.defaults != last.defaults:
        topics["defaults"] = None
    return [*found, *topics]


# Data of a draw


def draw_as_json(
    each: Reviewed, before: Reviewed | None, known: Mapping[str, Sequence[str]] | None = None
) -> dict[str, object]:
    """A draw as plain values; None for what is not known. `known` are names of sources by the hashes of their programs."""
    from lanewise.pica200.api.frame_review import hash_of

    draw = each.draw
    setup = setup_of(draw)
    return {
        "number": draw.number,
        "frame": draw.frame,
        "in_frame": draw.in_frame,
        "kind": draw.kind,
        "record": draw.where.place.record,
        "list": draw.where.address,
        "word": draw.where.word,
        "target": setup.address,
        "size": list(setup.size) if setup.size is not None else None,
        "setup": setup.to_json(),
        "topology": _topology(draw) if draw.known[0x25E] & 2 else None,
        "vertices": each.asked,
        "different": len(each.used),
        "programs": [
            {
                "stage": stage.name,
                "hash": hash_of(stage.unit),
                "entry": stage.entry,
                "words": len(stage.unit.code),
                "sources": list((known or {}).get(hash_of(stage.unit), ())),
            }
            for stage in each.stages
        ],
        "attributes": [
            {
                "attribute": feed.attribute,
                "register": f"v{feed.register}",
                "source": feed.source,
                "type": TYPES[feed.kind] if feed.elements else None,
                "elements": feed.elements or None,
                "address": feed.address if feed.elements else None,
                "stride": feed.stride if feed.elements else None,
            }
            for feed in each.feeds
        ],
        "changed": changes(each, before) if before is not None else [],
        "findings": [finding.code for finding in each.findings],
    }


def page_of(each: Reviewed) -> tuple[Block, ...]:
    draw = each.draw
    attributes = tuple([_attribute(draw, feed) for feed in each.feeds])
    return (
        Heading(2, f"Draw {draw.number}"),
        Paragraph(f"{draw.where}. {sentence(each)}."),
        Items(tuple(setup_of(draw).lines())),
        Table(("attribute", "input", "source", "type", "address", "stride", "value"), attributes),
        *_registers_page(draw),
    )


def _registers_page(of: Draw | State) -> tuple[Block, ...]:
    """The registers that are known."""
    registers = tuple(
        [
            (f"0x{number:03X}", name_of(number), row.topic, f"0x{of.registers[number]:08X}", row.about)
            for number, row in rows().items()
            if number not in PASSING and of.known[number]
        ]
    )
    return Heading(3, "Registers"), Table(("number", "name", "topic", "value", "meaning"), registers)


def state_page(state: State) -> tuple[Block, ...]:
    """What a recording without draws has: its registers at the end."""
    return _registers_page(state) if salvaged(state) else ()


def salvaged(state: State) -> dict[str, int]:
    """The registers of a recording that are known at its end, by name."""
    return {name_of(number): state.registers[number] for number in rows() if number not in PASSING and state.known[number]}


def _attribute(draw: Draw, feed: Feed) -> tuple[str, ...]:
    return (
        str(feed.attribute),
        f"v{feed.register}",
        feed.source,
        f"{TYPES[feed.kind]}*{feed.elements}" if feed.elements else "float24*4" if feed.source != MISSING else "-",
        f"0x{feed.address:08X}" if feed.elements else "-",
        str(feed.stride) if feed.elements else "-",
        _value(draw.defaults[feed.attribute]) if feed.source == DEFAULT else "-",
    )


def _value(vector: Vector | None) -> str:
    from lanewise.pica200.api.frame_review import numbers_text

    return "?" if vector is None else numbers_text(vector)


def sentence(each: Reviewed) -> str:
    """The kind of a draw in a sentence."""
    loaded = sum([feed.source == LOADED for feed in each.feeds])
    return (
        f"{_topology(each.draw)} ({each.draw.kind}), {counted(each.asked, 'vertex', 'vertices')}, of which {len(each.used)} "
        f"differ; {loaded} of {counted(len(each.feeds), 'attribute')} from memory"
    )
