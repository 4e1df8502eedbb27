"""A page for each command: its help, options and examples; and a page for each JSON Schema."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from lanewise.tools import schema
from lanewise.tools.cli import usage
from lanewise.tools.manual import manuals
from lanewise_site.markup import details, escape, fence, page, table

if TYPE_CHECKING:
    from lanewise.tools.manual import Manual

Schema = dict[str, Any]
_WIDTH = 88  # of a synopsis


def pages() -> dict[str, str]:
    every = manuals()
    found = {f"reference/commands/{m.name}.md": _command(m) for m in every}
    found["reference/commands/index.md"] = page(
        "Commands",
        table(("command", "what it does"), [(f"[`lanewise {m.name}`]({m.name}.md)", escape(m.summary)) for m in every]),
        "## Help",
        fence(usage()),
        "`lanewise man` writes the same as a page for `man`, `lanewise completions` completes command lines in a shell.",
        orphan=False,
    )
    for name in schema.names():
        found[f"reference/schemas/{name}.md"] = _schema(name)
    found["reference/schemas/index.md"] = page(
        "JSON Schemas",
        "The shapes of what commands print with `--format json`: `lanewise schema NAME` prints one. [JSON "
        "output](../../json.md) explains what all have in common.",
        table(
            ("schema", "what"),
            [(f"[`{name}`]({name}.md)", escape(str(schema.schema(name)["title"]))) for name in schema.names()],
        ),
        orphan=False,
    )
    return found


def _command(manual: Manual) -> str:
    head, _, examples = manual.epilog.partition("examples:")
    parts = [escape(manual.about), fence(_wrapped(f"lanewise {manual.synopsis}"))]
    for title, rows in manual.groups:
        if not rows:
            continue
        parts.append(f"## {title}")
        parts.append(
            "\n".join(
                [
                    f"{_anchor(manual.name, row.names)}{_form(row.names, row.metavar)}\n: {escape(row.help) or '–'}\n"
                    for row in rows
                ]
            )
        )
    if examples:
        parts += [
            "## Examples",
            fence("\n".join([line.strip() for line in examples.split("\n\n")[0].splitlines() if line.strip()])),
        ]
        head += "\n".join(examples.split("\n\n")[1:])
    if head.strip():
        parts += ["## Notes", fence(head.strip())]
    shapes = _shapes().get(manual.name, [])
    if shapes:
        rows = [(f"`{title}`", f"[`{name}`](../schemas/{name}.md)") for name, title in shapes]
        parts += ["## JSON", table(("command line", "schema"), rows)]
    return page(f"`lanewise {manual.name}`", *parts, above="[Commands](index.md)")


@cache
def _shapes() -> dict[str, list[tuple[str, str]]]:
    """The name and the title of each schema by the command in its title."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in schema.names():
        title = str(schema.schema(name)["title"])
        for command in re.findall(r"\blanewise ([a-z]+)", title):
            found.setdefault(command, []).append((name, title))
    return found


def _wrapped(synopsis: str) -> str:
    """The synopsis in lines; an option stays beside its value."""
    lines = [""]
    for part in _groups(synopsis):
        if len(lines[-1]) + len(part) > _WIDTH:
            lines.append("   ")
        lines[-1] += f" {part}" if lines[-1] else part
    return "\n".join(lines)


def _groups(synopsis: str) -> list[str]:
    """The words of a synopsis, with everything in a pair of brackets as one word."""
    found: list[str] = []
    depth = 0
    for word in synopsis.split():
        if depth:
            found[-1] += f" {word}"
        else:
            found.append(word)
        depth += word.count("[") - word.count("]")
    return found


def _form(names: tuple[str, ...], metavar: str) -> str:
    """The names of an option, and what its value is called."""
    return ", ".join([f"`{n}`" for n in names]) + (f" `{metavar}`" if metavar else "")


def _anchor(command: str, names: tuple[str, ...]) -> str:
    long = max(names, key=len)
    return f'<a id="{option_anchor(command, long)}"></a>' if long.startswith("-") else ""


def option_anchor(command: str, option: str) -> str:
    return f"{command}-{option.lstrip('-')}"


def _schema(name: str) -> str:
    found = cast("Schema", schema.schema(name))
    rows = _keys(found)
    return page(
        f"Schema `{name}`",
        f"`{found['title']}`. {escape(str(found.get('description', '')))}",
        table(("key", "type", "meaning"), rows) if rows else "",
        details("The schema", fence(json.dumps(found, indent=2), "json")),
        above="[JSON Schemas](index.md)",
    )


def _keys(found: Schema) -> list[tuple[str, str, str]]:
    required = set(found.get("required", ()))
    rows: list[tuple[str, str, str]] = []
    for key, value in cast("dict[str, Schema]", found.get("properties", {})).items():
        rows.append(
            (f"`{key}`" + ("" if key in required else "?"), escape(_type(value)), escape(str(value.get("description", ""))))
        )
        inner: object = value.get("items", value.get("additionalProperties", value))
        if isinstance(inner, dict):
            for under, what in cast("dict[str, Schema]", cast("Schema", inner).get("properties", {})).items():
                rows.append((f"`{key}.{under}`", escape(_type(what)), escape(str(what.get("description", "")))))
    return rows


def _type(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    row = cast("Schema", value)
    if "const" in row:
        return json.dumps(row["const"])
    if "enum" in row:
        return " or ".join([json.dumps(v) for v in row["enum"]])
    if "$ref" in row:
        return re.sub(r".*/", "", str(row["$ref"]))
    for many in ("anyOf", "oneOf"):
        if many in row:
            return " or ".join([_type(v) for v in row[many]])
    kind = row.get("type", "")
    names = " or ".join(cast("list[str]", kind)) if isinstance(kind, list) else str(kind)
    if names == "array" and "items" in row:
        return f"array of {_type(row['items']) or 'values'}"
    return names
