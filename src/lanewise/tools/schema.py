"""`lanewise schema`: the JSON Schemas of what the commands print."""

from __future__ import annotations

import json
from importlib import resources

from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.tools.console import OK, STDIO, make_parser, print_text, unknown, write_bytes

if TYPE_CHECKING:
    import argparse

    Schema = dict[str, object]

COMMON = "common"

_EPILOG = """Every document has `schema`, the name and number of its shape (`lanewise/run/1`); `isa`, the instruction set or \
null; and
`diagnostics`, the findings, errors too. One that has nothing else is that of a command that failed. Keys may be added to a
shape; where one goes or changes its meaning, the number grows.

examples:
  lanewise schema
  lanewise schema run
  lanewise run light.v.pica -i position=1,2,3 --format json > out.json && lanewise schema run > run.schema.json"""


def parser() -> argparse.ArgumentParser:
    parser = make_parser("lanewise schema", "Print the JSON Schema of what a command prints with --format json.", _EPILOG)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the name of a shape; without it the names are listed")
    return parser


def main(argv: list[str]) -> int:
    name = parser().parse_args(argv).name
    if name is None:
        print_text("".join([f"{name:<12}{_title(name)}\n" for name in names()]))
        return OK
    if name not in names():
        raise unknown("schema", name, names())
    write_bytes(STDIO, (json.dumps(schema(name), indent=2) + "\n").encode())
    return OK


def names() -> list[str]:
    """The names of the shapes: of commands, and of other documents that they print."""
    files = [file.name for file in resources.files("lanewise").joinpath("schemas").iterdir()]
    return sorted([file.removesuffix(".json") for file in files if file.endswith(".json") and file != f"{COMMON}.json"])


def schema(name: str) -> Schema:
    """The JSON Schema of a shape, with the parts that it shares with others. Raises FileNotFoundError for another name."""
    found = cast("Schema", json.loads(_text(name).replace(f'"{COMMON}.json#/', '"#/')))
    shared = cast("Schema", json.loads(_text(COMMON)))
    return {**found, "$defs": {**cast("Schema", shared["$defs"]), **cast("Schema", found.get("$defs", {}))}}


def _text(name: str) -> str:
    return resources.files("lanewise").joinpath("schemas", f"{name}.json").read_text("utf-8")


def _title(name: str) -> str:
    return str(schema(name)["title"])
