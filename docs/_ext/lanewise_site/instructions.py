"""The opcode grid of each instruction set, and a page for each instruction."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, cast

from lanewise.core.document import Fixed, Heading, Items, Paragraph, Table
from lanewise.packages import packages
from lanewise.pica200.isa.experiments import EXPERIMENTS
from lanewise.pica200.isa.facts import EMULATORS
from lanewise_site import files_direct3d9, idioms, implementations, playground
from lanewise_site.direct3d9_programs import lines
from lanewise_site.examples import uses
from lanewise_site.markup import encoding, escape, fence, markdown, page, raw, table
from lanewise_site.meaning import meaning
from lanewise_site.parameters import experiments, field_page
from lanewise_site.records import drawn
from lanewise_site.trials import trial

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.core.document import Block
    from lanewise.core.package import IsaPackage
    from lanewise.pica200.isa.experiments import Experiment

Row = dict[str, Any]
_CODE_TABLE = ("code", "what")
_COLUMNS = 8
_FENCES = {"pica200": "picasso", "shadercore": "shadercore"}  # the languages of the programs to try
_LONG = 9  # letters that a cell has room for
_TONES = 6  # colours of docs/_static/lanewise.css
_PRESETS = {"hardware": "best known", "azahar": "Azahar", "panda3ds": "Panda3DS"}
_KNOWN_TABLE = ("known", "topic", "choice")


def address(isa: str, name: str) -> str:
    """The page of an instruction, from the top of the documentation, without its suffix."""
    return f"reference/{isa}/{slug(name)}"


def slug(name: str) -> str:
    return "".join([c if c.isalnum() else "-" for c in name.lower()]).strip("-") or "opcode"


def overview(package: IsaPackage) -> tuple[Sequence[Block], Row]:
    if package.reference is None:
        raise ValueError(f"{package.name} has no reference")
    blocks, data = package.reference().overview()
    return blocks, cast("Row", data)


def instructions(package: IsaPackage) -> list[Row]:
    """Each instruction as plain data, in the order of the table."""
    return cast("list[Row]", overview(package)[1]["instructions"])


def opcodes(isa: str, row: Row) -> list[int]:
    """The opcodes of an instruction."""
    if isa != "pica200":
        return [int(row["opcode"])]
    mask, value = int(row["mask"]), int(row["value"])
    return [opcode for opcode in range(64) if opcode << 26 & mask == value & (0x3F << 26) & mask]


def pages() -> dict[str, str]:
    found: dict[str, str] = {}
    for package in packages():
        if package.reference is None:
            continue
        rows = instructions(package)
        found[f"reference/{package.name}/index.md"] = _index(package, rows)
        for n, row in enumerate(rows):
            path = address(package.name, row["name"]) + ".md"
            if path in found:
                raise ValueError(f"two pages at {path}")
            found[path] = _instruction(package, rows, n)
    return found


def grid(package: IsaPackage, rows: Sequence[Row]) -> str:
    """The table of opcodes as HTML: links that work without a script; the script adds a field that filters them."""
    cells: dict[int, Row] = {opcode: row for row in rows for opcode in opcodes(package.name, row)}
    columns = _COLUMNS
    inside = {opcode: row for opcode, row in cells.items() if opcode < 0x100}
    kinds = list(dict.fromkeys([_kind(package.name, row) for row in rows]))
    lines = [
        f'<div class="lw-filter" data-for="grid-{package.name}"></div>',
        (
            f'<div class="lw-scroll"><table class="lw-grid" id="grid-{package.name}" aria-label="Opcodes of '
            f'{html.escape(package.title)}">'
        ),
        "<thead><tr><td></td>" + "".join([f'<th scope="col">+{n:X}</th>' for n in range(columns)]) + "</tr></thead><tbody>",
    ]
    for start in range(0, max(inside) // columns * columns + columns, columns):
        line = f'<tr><th scope="row">{start:02X}</th>'
        for opcode in range(start, start + columns):
            line += _cell(package.name, opcode, inside.get(opcode), kinds)
        lines.append(line + "</tr>")
    lines.append("</tbody></table></div>")
    beyond = sorted(set(cells) - set(inside))
    if beyond:
        lines.append(
            '<p class="lw-beyond">'
            + " ".join([_link(package.name, cells[opcode], f"{opcode:04X}") for opcode in beyond])
            + "</p>"
        )
    return raw("\n".join(lines))


def _kind(isa: str, row: Row) -> str:
    return str(row.get("format") or row.get("pipe") or row.get("role") or "")


def _link(isa: str, row: Row, before: str) -> str:
    title = html.escape(f"{row.get('syntax') or row['name']}: {row['meaning']}")
    return f'<a href="{slug(row["name"])}.html" title="{title}">{before} {html.escape(row["name"])}</a>'


def _cell(isa: str, opcode: int, row: Row | None, kinds: Sequence[str]) -> str:
    if row is None:
        return '<td class="empty"></td>'
    kind = _kind(isa, row)
    words = html.escape(f"{row['name']} {kind} {row['meaning']} 0x{opcode:02x}".lower(), quote=True)
    tone = kinds.index(kind) % _TONES
    title = html.escape(str(row["meaning"]))
    return (
        f'<td class="tone{tone}" data-words="{words}"><a href="{slug(row["name"])}.html" title="{title}">{_named(row["name"])}'
        f"<small>{html.escape(kind)}</small></a></td>"
    )


def _named(name: str) -> str:
    text = html.escape(name).replace("_", "_<wbr>")
    return f'<span class="lw-long">{text}</span>' if len(name) > _LONG else text


_GRID_NOTES = {
    "pica200": (
        "The upper six bits of a word choose the instruction; under each name is its format. `cmp` and `mad` take several "
        "opcodes, whose lowest bits are operands."
    ),
    "shadercore": "The lowest five bits of a word choose the instruction; under each name is the pipe that executes it.",
    "direct3d9": (
        "The low half of an instruction token is its opcode; under each name is its role. Tokens above FF are below the table."
    ),
}


def _index(package: IsaPackage, rows: Sequence[Row]) -> str:
    blocks, data = overview(package)
    _, first, *rest = blocks
    pictures = _pictures(package.name, data)
    shown: list[str] = []
    skipping = False
    for block in rest:
        if isinstance(block, Heading):
            skipping = block.text == "Instructions"
        if skipping and isinstance(block, (Heading, Table)):
            continue
        if isinstance(block, Fixed) and pictures:
            picture = pictures.pop(0)
            shown.append(raw(f'<div class="lw-scroll">{picture}</div>') if picture else "")
        else:
            shown.append(markdown([block]))
    if pictures:
        raise ValueError(f"{package.name}: {len(pictures)} pictures without a place")
    return page(
        f"{package.title}: instruction set",
        markdown([first]),
        "## Opcodes",
        _GRID_NOTES.get(package.name, ""),
        grid(package, rows),
        "## Instructions",
        table(
            ("instruction", "syntax", "meaning"),
            [(f"[{r['name']}]({slug(r['name'])}.md)", f"`{_syntax(r)}`", escape(str(r["meaning"]))) for r in rows],
        ),
        *shown,
        _further(package.name),
        orphan=False,
    )


def _pictures(isa: str, data: Row) -> list[str]:
    """Encodings in the place of those that a terminal shows as text, in their order; a second part of a word has none of its
    own."""
    if isa == "pica200":
        return [encoding(fields, 32) for fields in (*[form["fields"] for form in data["formats"]], data["descriptor"])]
    return [encoding(data["fields"], 64), ""] if isa == "shadercore" else []


def _further(isa: str) -> str:
    links = {
        "pica200": (
            "- [Profile: every open question about the hardware](../profile/index.md)\n"
            "- [SHBIN](../containers/shbin.md) and [shader caches](../containers/cache-opengl.md), field by field\n"
            "- [Language](../../language.md)"
        ),
        "shadercore": "- [Device parameters](../device/index.md)\n- [Language](../../shadercore-language.md)",
        "direct3d9": (
            "- [Choices of a run](../choice/index.md)\n- [Bytecode](../containers/direct3d9.md) and "
            "[effects](../containers/effect-fx.md), field by field\n- [Tools](../../direct3d9-tools.md), "
            "[running](../../direct3d9-running.md)"
        ),
    }
    return "## See also\n\n" + links[isa] if isa in links else ""


def _syntax(row: Row) -> str:
    if row.get("syntax"):
        return str(row["syntax"])
    versions = cast("Mapping[str, Row]", row.get("versions") or {})
    return str(next((v["syntax"] for v in versions.values()), row["name"]))


def _instruction(package: IsaPackage, rows: Sequence[Row], n: int) -> str:
    row = rows[n]
    if package.reference is None:
        raise ValueError(f"{package.name} has no reference")
    blocks, data = package.reference().instruction(str(row["name"]))
    data = cast("Row", data)
    parts: list[str] = []
    picture = _picture(package, data)
    if picture:
        parts.append(raw(f'<div class="lw-scroll">{picture}</div>'))
    for block in list(blocks)[1:]:
        match block:
            case Fixed() if picture and package.name != "direct3d9":
                continue
            case Items(points):
                parts += [
                    raw('<div class="lw-facts">'),
                    "\n".join([f"{name}\n: {_fact(name, text)}\n" if name else f"- {_text(text)}" for name, text in points]),
                    raw("</div>"),
                ]
            case Table(head, body) if head == _KNOWN_TABLE:
                parts += [_known(package, data), *_emulators(package, data)]
            case Table(head, body) if head == _CODE_TABLE:
                parts.append(table(("finding", "what"), [(f"[{c}](../findings/{c}.md)", escape(what)) for c, what in body]))
            case Table(head, body) if head[:1] == ("field",):
                parts.append(table(head, [(f"[{c[0]}](../device/{c[0].strip('`')}.md)", *map(escape, c[1:])) for c in body]))
            case Heading(level, text) if package.name == "direct3d9" and text in data.get("choices", ()):
                parts.append(f"## Open: [`{text}`]({field_page('direct3d9', text)})")
            case Heading(level, text):
                parts.append(f"{'#' * level} {text}")
            case Paragraph(text):
                parts.append(escape(text))
            case _:
                parts.append(markdown([block]))
    name = str(data["name"])
    parts += [*_descriptor(package, data), *(implementations.tokens(name) if package.name == "direct3d9" else ())]
    parts += [*implementations.section(package.name, name), *idioms.section(package.name, name)]
    code = meaning(package.name, data)
    if code:
        parts += ["## Meaning as code", *code]
    tests = _experiments(package.name, data)
    if tests:
        parts += ["## Experiments", experiments(tests)]
    shown = [f"- [{name}, line {line}]({link}): `{text}`" for name, line, text, link in uses(package.name, str(data["name"]))]
    if package.name == "direct3d9" and data["name"] in lines():
        shown.insert(0, "- In {}: `{}`".format(*lines()[str(data["name"])]))
    if shown:
        parts += ["## Examples", "\n".join(shown)]
    file, text = trial(package.name, str(data["name"]))
    if text:
        opened = playground.link(address(package.name, str(data["name"])), {file: text})
        parts += ["## A program to try it", fence(text, _FENCES[package.name]), opened]
    parts.append(_neighbours(rows, n))
    above = f"[{package.title}](index.md)"
    return page(f"`{data['name']}`", *parts, above=above)


def _experiments(isa: str, data: Row) -> list[Experiment]:
    """The test programs that have an instruction, about questions on which it depends."""
    if isa != "pica200":
        return []
    used = re.compile(rf"\b{re.escape(str(data['name']))}\b")
    return [
        test for test in EXPERIMENTS if test.fields[0] in data.get("facts", ()) and used.search(f"{test.before}\n{test.probe}")
    ]


def _fact(name: str, text: str) -> str:
    return _text(_by_slots(text) if name == "slots" else text)


def _by_slots(text: str) -> str:
    """`vs_2_0 1, vs_3_0 1, ps_2_0 2` as `1: vs_2_0, vs_3_0; 2: ps_2_0`."""
    found: dict[str, list[str]] = {}
    for part in text.split(", "):
        version, _, slots = part.partition(" ")
        found.setdefault(slots, []).append(version)
    return (
        next(iter(found)) if len(found) == 1 else "; ".join([f"{slots}: {', '.join(named)}" for slots, named in found.items()])
    )


def _text(text: str) -> str:
    return escape(text).replace("\n", " ")


def _neighbours(rows: Sequence[Row], n: int) -> str:
    links = [
        f"[{label} {rows[k]['name']}]({slug(rows[k]['name'])}.md)"
        for label, k in (("previous:", n - 1), ("next:", n + 1))
        if 0 <= k < len(rows)
    ]
    return "---\n\n" + " · ".join(links)


def _picture(package: IsaPackage, data: Row) -> str:
    if package.name == "pica200":
        opcode = next(f for f in data["fields"] if f["name"] == "opcode")
        low, width = int(opcode["low"]), int(opcode["width"])
        return encoding(data["fields"], 32, {"opcode": f"{int(data['value']) >> low & ((1 << width) - 1):0{width}b}"})
    if package.name == "shadercore":
        fields = cast("list[Row]", overview(package)[1]["fields"])
        word = int(str(cast("Row", data.get("example") or {}).get("word") or data["opcode"]), 0)
        return encoding(fields, 64, implementations.bits(word, fields))
    return encoding(drawn(files_direct3d9.INSTRUCTION), 32, {"opcode": f"0x{int(data['opcode']):04X}", "0": "0"})


def _known(package: IsaPackage, data: Row) -> str:
    """How well the behaviour is known: the facts of an instruction with their sources."""
    if package.reference is None or package.reference().evidence is None:
        return ""
    evidence = package.reference().evidence
    facts = {row["key"]: row for row in cast("list[Row]", evidence("")[1]["facts"])} if evidence else {}
    rows: list[tuple[str, ...]] = []
    for key in data.get("facts", ()):
        fact = facts[key]
        topic = escape(fact["topic"])
        if fact["answers"]:
            topic = f"[{topic}]({field_page('pica200', key)})"
        rows.append((f"**{fact['known']}**", topic, escape(fact["choice"]), escape(fact["source"])))
    return table(("known", "topic", "behaviour", "source"), rows)


def _emulators(package: IsaPackage, data: Row) -> list[str]:
    """The answers of the best evidence and of two emulators to the open questions of an instruction."""
    if package.reference is None or package.reference().evidence is None:
        return []
    evidence = package.reference().evidence
    facts = {row["key"]: row for row in cast("list[Row]", evidence("")[1]["facts"])} if evidence else {}
    rows: list[tuple[str, ...]] = []
    for key in data.get("facts", ()):
        fact = facts[key]
        if not fact["answers"]:
            continue
        best, *others = [str(fact["presets"][name]) for name in _PRESETS]
        cells = [escape(str(fact["answers"][best])), *[_same(fact, best, value) for value in others]]
        rows.append((f"[{escape(fact['topic'])}]({field_page('pica200', key)})", *cells))
    if not rows:
        return []
    revisions = "; ".join([f"{title}: {EMULATORS[name]}" for name, title in _PRESETS.items() if name in EMULATORS])
    return [
        "## Azahar and Panda3DS",
        f"The interpreters of the two emulators, read in their sources ({revisions}), beside the best known answer.",
        table(("question", *_PRESETS.values()), rows),
    ]


def _same(fact: Row, best: str, value: str) -> str:
    return "the same" if value == best else f"**{escape(str(fact['answers'][value]))}**"


def _descriptor(package: IsaPackage, data: Row) -> list[str]:
    """The operand descriptor of the example, with its bits."""
    word = cast("Row", data.get("example") or {}).get("descriptor")
    if package.name != "pica200" or word is None:
        return []
    fields = cast("list[Row]", overview(package)[1]["descriptor"])
    ignored = int(data.get("ignored_descriptor_bits") or 0)
    shown: list[Row] = []
    values: dict[str, str] = {}
    for field in fields:
        low, width = int(field["low"]), int(field["width"])
        bits = ((1 << width) - 1) << low
        shown.append({**field, "reserved": field["reserved"] or bits & ignored == bits})
        values[str(field["name"])] = f"{(int(word) & bits) >> low:0{width}b}"
    return [
        "## Descriptor",
        f"The operand descriptor of `{data['example']['text']}`, 0x{int(word):08X}; the instruction ignores dashed fields.",
        raw(f'<div class="lw-scroll">{encoding(shown, 32, values)}</div>'),
    ]
