"""Functions of a module: what is too long to be written where it is used, made once and called.

A routine takes and gives vectors of 32-bit integers, touches no memory and has no state, so that LLVM may drop a call whose result nobody uses,
and any generator may call it from any block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name

_ATTRIBUTES = "noinline nounwind willreturn memory(none)"


class Routines:
    """The routines that a module has asked for, and their tables. `prefix` stands before all their names in the module."""

    def __init__(self, target: Target, prefix: str = "word") -> None:
        self.target, self._prefix = target, prefix
        self._functions: dict[str, list[str]] = {}
        self._tables: dict[str, str] = {}
        self._declared: dict[str, str] = {}

    def call(self, text: Text, name: str, body: Callable[[Text, Sequence[Name]], Name], *arguments: Name) -> Name:
        """The result of `body(text of its own, parameters)` for these arguments. One name always has one body."""
        kind = text.i32
        function = f"{self._prefix}.{name}"
        if function not in self._functions:
            self._functions[function] = []  # a body may ask for routines itself
            mine = Text(text.width, rounds=text.rounds)
            parameters = [f"%a{n}" for n in range(len(arguments))]
            result = body(mine, parameters)
            listed = ", ".join([f"{kind} {parameter}" for parameter in parameters])
            self._functions[function] = [
                f"define internal {kind} @{function}({listed}) {_ATTRIBUTES} {{",
                *mine.lines,
                f"  ret {kind} {result}",
                "}",
            ]
            self._declared |= mine.declared
        return text.new(f"call {kind} @{function}({', '.join([f'{kind} {argument}' for argument in arguments])})")

    def look_up(self, text: Text, name: str, values: Sequence[int], index: Name) -> Name:
        """The entry of a table of 32-bit integers for each lane; every index is below their number."""
        table = f"@{self._prefix}.{name}"
        listed = ", ".join([f"i32 {value - (1 << 32) if value >> 31 else value}" for value in values])
        self._tables[table] = f"{table} = internal unnamed_addr constant [{len(values)} x i32] [{listed}], align 64"
        places = text.new(f"getelementptr i32, ptr {table}, {text.i64} {text.lengthen(index)}")
        return text.call(
            text.i32, f"llvm.masked.gather.v{text.width}i32.v{text.width}p0",
            (f"<{text.width} x ptr> align 4", places), (text.i1, "splat (i1 true)"), (text.i32, text.integer(0)),
        )  # fmt: skip

    def module(self, declared: Mapping[str, str]) -> str:
        """Declarations, those of the functions that call these too (`Text.declared`), tables and routines."""
        lines = sorted({**self._declared, **declared}.values())
        lines += [self._tables[name] for name in sorted(self._tables)]
        for name in sorted(self._functions):
            lines += self._functions[name]
        return "\n".join(lines) + "\n"
