"""`lanewise inspect` for Direct3D 9 shaders."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from lanewise.core.diagnostics import to_json
from lanewise.core.document import Heading, Paragraph, Table
from lanewise.core.service import Answer
from lanewise.direct3d9.container.tables import constants_of, kind_of
from lanewise.direct3d9.isa.constants import SET_NAMES
from lanewise.direct3d9.isa.program import Comment, Inst, Unknown
from lanewise.direct3d9.isa.slots import limits, shader_cost
from lanewise.direct3d9.isa.table import DECLARATION, DEFINITION, NAME, register_name
from lanewise.direct3d9.text.printer import instruction_text, plain_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lanewise.core.document import Block
    from lanewise.core.service import Request
    from lanewise.direct3d9.api.services.loaded import LoadedShader
    from lanewise.direct3d9.isa.program import Dest, Shader, Source


def inspect(loaded: LoadedShader, request: Request) -> Answer:
    """The contents of a shader; its listing with `--listing`. Raises InputError."""
    shader = loaded.shader
    found = (*loaded.reading.diagnostics, *constants_of(shader).diagnostics)
    file = summary(shader, loaded.name)
    data: dict[str, object] = {"file": file}
    blocks = page(shader, file)
    if request.flag("listing"):
        rows = listed(shader)
        data["listing"] = rows
        table = tuple([(f"0x{row['offset']:04X}", str(row["words"]), str(row["text"])) for row in rows])
        blocks = [Table(("offset", "words", "text"), table)]
    data["diagnostics"] = [to_json(finding) for finding in found]
    return Answer(data=data, page=tuple(blocks), first=found)


def listed(shader: Shader) -> list[dict[str, object]]:
    """Each item of a shader: its byte offset, its words, its text."""
    names = plain_names(shader.version)
    rows: list[dict[str, object]] = [{"offset": 0, "words": f"{shader.version.token:08X}", "text": shader.version.name}]
    at = 4
    for item in shader.items:
        words = item.words
        text = (
            (instruction_text(item, names) or item.op.name)
            if isinstance(item, Inst)
            else (kind_of(item) if isinstance(item, Comment) else "not an instruction")
        )
        shown = " ".join(f"{word:08X}" for word in words[:8]) + (f" ... ({len(words)})" if len(words) > 8 else "")
        rows.append({"offset": at, "words": shown, "text": text})
        at += 4 * len(words)
    return rows


def summary(shader: Shader, name: str) -> dict[str, Any]:
    """The contents of a shader as plain values."""
    version = shader.version
    cost, limit = shader_cost(shader), limits(version)
    names = plain_names(version)
    table = constants_of(shader).table
    insts = shader.insts
    return {
        "name": name,
        "isa": NAME,
        "version": version.name,
        "stage": "vertex" if version.kind == "vs" else "pixel",
        "words": len(shader.words),
        "instructions": sum(inst.op.role not in (DECLARATION, DEFINITION) for inst in insts),
        "slots": {
            "arithmetic": cost.arithmetic,
            "texture": cost.texture,
            "arithmetic_limit": limit.arithmetic,
            "texture_limit": limit.texture,
        },
        "roles": dict(Counter(inst.op.role for inst in insts)),
        "opcodes": dict(sorted(Counter(inst.op.name for inst in insts).items())),
        "registers": registers(shader),
        "declarations": [instruction_text(inst, names) for inst in insts if inst.op.role == DECLARATION],
        "definitions": [instruction_text(inst, names) for inst in insts if inst.op.role == DEFINITION],
        "creator": table.creator if table is not None else None,
        "target": table.target if table is not None else None,
        "constants": [
            {
                "name": constant.name,
                "set": SET_NAMES[constant.set] if constant.set < len(SET_NAMES) else constant.set,
                "register": constant.register,
                "registers": constant.registers,
                "type": constant.type.name,
                "elements": constant.type.elements,
                "default": list(constant.default),
            }
            for constant in (table.constants if table is not None else ())
        ],
        "comments": [kind_of(item) for item in shader.items if isinstance(item, Comment)],
        "unknown": sum(isinstance(item, Unknown) for item in shader.items),
    }


def registers(shader: Shader) -> dict[str, list[str]]:
    """The registers that instructions name, in order, by the letters of their file; `c[...]` is a relative address."""
    used: set[tuple[int, int, bool, int]] = set()  # file, number, whether it is relative, how many registers
    for inst in shader.insts:
        operands: list[Source | Dest] = [*inst.sources, *([inst.dest] if inst.dest is not None else [])]
        matrix = inst.sources[-1] if inst.op.rows else None  # several registers
        used.update(
            (operand.file, operand.number, operand.is_relative, inst.op.rows if operand is matrix else 1)
            for operand in operands
        )
    found: dict[str, set[tuple[int, str]]] = {}
    for file, number, relative, count in used:
        name = register_name(shader.version, file, number)
        if name is None:
            continue
        letters = name.rstrip("0123456789")
        if relative:
            found.setdefault(letters, set()).add((-1, f"{letters}[...]"))
            continue
        names = [(n, register_name(shader.version, file, n)) for n in range(number, number + count)]
        found.setdefault(letters, set()).update((n, text) for n, text in names if text is not None)
    return {letters: [name for _, name in sorted(names)] for letters, names in sorted(found.items())}


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _used(number: int, limit: int | None, what: str) -> str:
    """`1 of 64 arithmetic slots`, or `1 arithmetic slot` where nothing limits them."""
    return _count(number, what) if limit is None else f"{number} of {_count(limit, what)}"


def page(shader: Shader, shown: Mapping[str, Any]) -> list[Block]:
    """The contents of a shader as a page; `shown` is its `summary`."""
    cost, limit = shader_cost(shader), limits(shader.version)
    code = [inst for inst in shader.insts if inst.op.role not in (DECLARATION, DEFINITION)]
    slots = _used(cost.arithmetic, limit.arithmetic, "instruction slot")
    if shader.version.kind == "ps":
        slots = (
            f"{_used(cost.arithmetic, limit.arithmetic, 'arithmetic slot')}, "
            f"{_used(cost.texture, limit.texture, 'texture slot')}"
        )
    blocks: list[Block] = [
        Heading(1, shown["name"]),
        Paragraph(
            (
                f"Direct3D 9 {shown['stage']} shader {shader.version.name}: {_count(len(shader.words), 'word')}, "
                f"{_count(len(code), 'instruction')}, {slots}."
            )
            + (f" Created by {shown['creator']} for {shown['target']}." if shown["creator"] else "")
        ),
    ]
    table = constants_of(shader).table
    if table is not None and table.constants:
        rows = tuple(
            (
                constant.register_name,
                str(constant.registers),
                constant.type.name + (f"[{constant.type.elements}]" if constant.type.elements > 1 else ""),
                constant.name,
            )
            for constant in table.constants
        )
        blocks += [Heading(2, "Constants"), Table(("register", "registers", "type", "name"), rows)]
    names = plain_names(shader.version)
    for title, role in (("Declarations", DECLARATION), ("Definitions", DEFINITION)):
        lines = tuple((instruction_text(inst, names) or inst.op.name,) for inst in shader.insts if inst.op.role == role)
        if lines:
            blocks += [Heading(2, title), Table(("text",), lines)]
    rows = tuple((letters, str(len(used)), ", ".join(used)) for letters, used in shown["registers"].items())
    counts = Counter(inst.op.name for inst in shader.insts)
    if rows:
        blocks += [Heading(2, "Registers"), Table(("file", "used", "which"), rows)]
    if counts:
        blocks += [
            Heading(2, "Instructions"),
            Table(("instruction", "times"), tuple((op, str(n)) for op, n in counts.most_common())),
        ]
    others = Counter(kind_of(item) for item in shader.items if isinstance(item, Comment))
    if others:
        blocks += [Heading(2, "Comments"), Table(("what", "times"), tuple((kind, str(n)) for kind, n in others.items()))]
    return blocks
