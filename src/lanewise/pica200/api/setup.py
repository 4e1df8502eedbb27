"""What keeps a pipeline from drawing whatever its values are: where its stages begin, what they send, and how the position is
wired."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.drawing.scene import Cause
from lanewise.pica200.check.dataflow import output_bits
from lanewise.pica200.check.output_rules import last_vertices
from lanewise.pica200.isa.outmap import COMPONENTS
from lanewise.pica200.isa.table import EMIT, SETEMIT
from lanewise.pica200.text.dialects import dialect_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.isa.outmap import OutputMap
    from lanewise.pica200.sem.profile import Profile

_LETTERS = "xyzw"


def causes_of(vertex: Shader, geometry: Shader | None, table: OutputMap, profile: Profile) -> tuple[Cause, ...]:
    """The causes that do not depend on values: stages and entries, then the wiring."""
    if geometry is not None:
        found = tuple(_stages(vertex, geometry, profile))
        if found:
            return found
    return tuple(_wiring(geometry or vertex, table, profile))


def shared_entry(vertex: Shader, geometry: Shader) -> Cause | None:
    """The cause where both stages begin at one word of one program."""
    entry = geometry.interface.entry
    if entry != vertex.interface.entry or tuple(geometry.words) != tuple(vertex.words):
        return None
    span = geometry.span(entry)
    place = f"{span}, word {entry}" if span.line else f"word {entry}"
    return Cause(
        "entry",
        f"the geometry shader begins where the vertex shader does, at {place}: it runs that again",
        "add `.entry NAME` to its source, where `.proc NAME` is its own procedure",
    )


def _stages(vertex: Shader, geometry: Shader, profile: Profile) -> Iterator[Cause]:
    shared = shared_entry(vertex, geometry)
    if shared is not None:
        yield shared
        return
    context = geometry.analysis_context(profile)
    kinds = {context.kind(pc) for pc in context.reached}
    flags = [context.insts[pc].field("primitive") for pc in context.reached if context.kind(pc) == SETEMIT]
    for end, lost in sorted(context.stopped.items()) if EMIT not in kinds or not any(flags) else ():
        first = next((pc for pc in sorted(lost) if context.kind(pc) in (SETEMIT, EMIT)), -1)
        if first >= 0:
            yield Cause(
                "stage",
                f"`end` in a called procedure, at {context.place(end)}, stops the geometry shader: "
                f"`{context.op(first)}` at {context.place(first)} is never reached",
                _without_end(geometry.span(end).file),
            )
            return
    if EMIT not in kinds:
        yield Cause(
            "stage",
            "the geometry shader has no `emit`: it sends no vertices",
            "write the outputs of each vertex, then `setemit` and `emit`",
        )
        return
    if not any(flags):
        setting = [pc for pc in sorted(context.reached) if context.kind(pc) == SETEMIT]
        rows = [(text, geometry.span(pc)) for pc, text in last_vertices(context, setting)]
        listed = ", ".join([f"`{text}` at {span}" if span.line else f"`{text}`" for text, span in rows])
        yield Cause(
            "stage",
            "no `setemit` of the geometry shader has the primitive flag: its vertices make no triangle",
            f"set it for the last vertex of each triangle: {listed or '`setemit 2, prim`'}",
        )


def _without_end(file: str) -> str:
    """The fix of V130, in the words of the file's language."""
    language = dialect_of(file)
    own = language.fixes().get("V130", "") if language is not None and language.fixes is not None else ""
    return own or "remove it: `.end` returns from a procedure"


def _wiring(last: Shader, table: OutputMap, profile: Profile) -> Iterator[Cause]:
    """What the position of the last stage lacks. A w that is 1 because nothing is wired to it is meant where the program writes
    no more than is wired."""
    places = _places(table)
    missing = "".join([letter for letter in _LETTERS if letter not in places])
    context = last.analysis_context(profile)
    written = 0
    for pc in context.reached:
        written |= context.effect(pc).writes
    if missing == _LETTERS:
        other = "" if last.stage == "geometry" else ", or give the geometry shader that makes one with --geometry"
        yield Cause(
            "wired",
            "no output is the position: the rasterizer takes (1, 1, 1, 1) for every vertex",
            f"declare one: `.out NAME position`{other}",
        )
        return
    (register, *_) = sorted({register for register, _ in places.values()})
    free = [c for c in range(4) if (register, c) not in places.values() and written & output_bits(register, 8 >> c)]
    lost = [c for c in missing if c != "w" or free]
    if lost:
        shown = "".join(lost)
        yield Cause(
            "wired",
            f"position.{shown} is wired to no output: the rasterizer takes 1 for it",
            "declare the whole output: `.out NAME position`, without a mask or with .xyzw",
        )
    elif not any(written & output_bits(register, 8 >> column) for register, column in places.values()):
        yield Cause("wired", f"no instruction writes the position, o{register}", "write it in every path to the end")


def _places(table: OutputMap) -> dict[str, tuple[int, int]]:
    """The register and the column that each component of the position is wired to, by its letter."""
    found: dict[str, tuple[int, int]] = {}
    for slot in table.slots:
        for column in range(4) if slot.register >= 0 else ():
            row, place = COMPONENTS.get(slot.word >> 8 * column & 0xFF, (None, 0))
            if row is not None and row.name == "position":
                found.setdefault(_LETTERS[place], (slot.register, column))
    return found
