"""Names of registers: those of the file's tables, of constants, and of aliases that only a source has."""

from __future__ import annotations

from lanewise.core.cached import cache, lru_cache
from lanewise.core.record import TYPE_CHECKING
from lanewise.pica200.isa.program import Alias, Dest, Source, Uniform
from lanewise.pica200.isa.table import BOOLEAN, FLOAT, TEMPORARY, register_name
from lanewise.pica200.text.picasso.printer import Names, swizzle, write_mask
from lanewise.pica200.text.spelling import live_selectors

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from lanewise.core.source import Span
    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.isa.program import Interface, Operation

_BOOLEANS = 16
_COMMENT = ";|//|#"  # in both languages
_COMPONENTS = r"(?<=[\w\]])\.[xyzwrgbastpq]{1,4}\b"
_WORD = r"[A-Za-z_$][\w$]*(?:\s*\[\s*[0-9]+\s*\])?"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    import re

    return re.compile(text)


def booleans_named(interface: Interface, given: Mapping[int | str, bool]) -> dict[int, bool]:
    """Booleans by the numbers of their registers, given by number or name. Raises ValueError for one that does not exist."""
    names = {uniform.name: uniform.first - BOOLEAN for uniform in interface.uniforms if uniform.first >= BOOLEAN}
    known = ", ".join(names) + (", or " if names else "")
    names |= {f"b{number}": number for number in range(_BOOLEANS)}
    found: dict[int, bool] = {}
    for key, value in given.items():
        number = names.get(key, -1) if isinstance(key, str) else key
        if not 0 <= number < _BOOLEANS:
            raise ValueError(f"unknown boolean {key!r}: use {known}0 to {_BOOLEANS - 1}")
        found[number] = bool(value)
    return found


def bindable(interface: Interface, *, inputs: bool) -> tuple[Uniform | Alias, ...]:
    """The names by which data is given: of the file's table, of constants, and aliases. The first of a name counts."""
    table = interface.inputs if inputs else (*interface.uniforms, *_private(interface))
    found: dict[str, Uniform | Alias] = {}
    for named in (*table, *interface.aliases):
        given = not isinstance(named, Alias) or (not named.written and _is_input(named) == inputs and not _is_temporary(named))
        if given:
            found.setdefault(named.name, named)
    return tuple(found.values())


def listed(interface: Interface, *, inputs: bool) -> tuple[Uniform, ...]:
    """The inputs or uniforms of the file's table, and registers without a value that only an alias names."""
    found = list(interface.inputs if inputs else interface.uniforms)
    preset = {constant.register for constant in interface.constants}
    for named in bindable(interface, inputs=inputs):
        taken = any(uniform.first <= named.first <= uniform.last for uniform in found) or named.first in preset
        if isinstance(named, Alias) and named.whole and not taken:
            found.append(Uniform(name=named.name, first=named.first, last=named.last))
    return tuple(found)


def _is_input(alias: Alias) -> bool:
    return alias.register < TEMPORARY


def _is_temporary(alias: Alias) -> bool:
    return TEMPORARY <= alias.register < FLOAT


def _private(interface: Interface) -> list[Uniform]:
    """The names of constants, without those that select components."""
    partial = {alias.name for alias in interface.aliases if not alias.whole}
    return [uniform for uniform in interface.private if uniform.name not in partial]


def statement(span: Span) -> str:
    """The line of a place in a source without its comment, with single spaces; empty for a place in a binary."""
    return _uncommented(span.text) if span.line else ""


@lru_cache(4096)
def _uncommented(line: str) -> str:
    return " ".join(_pattern(_COMMENT).split(line, 1)[0].split())


def says_more(line: str, instruction: str) -> bool:
    """Whether a source line says more than the text of its instruction, apart from how components are spelled."""
    return _plain(line) != _plain(instruction)


def _plain(text: str) -> str:
    return "".join(_pattern(_COMPONENTS).sub("", text).lower().split())


class Naming:
    """What a file calls its registers.

    A temporary has the name that the source line uses, as several names may share it. `line` is that line, or empty.
    """

    def __init__(self, interface: Interface, outputs: Sequence[OutputBinding] = ()) -> None:
        self._names: dict[str, str] = {}
        self._aliases = interface.aliases
        for uniform in (*interface.inputs, *interface.uniforms, *_private(interface)):
            self._declare(uniform)
        for output in outputs:
            self._names.setdefault(output.register, output.name or output.semantic)
        for alias in interface.aliases:
            if alias.whole and alias.written:
                self._names.setdefault(register_name(alias.register, written=True), alias.name)
            elif alias.whole and not _is_temporary(alias):
                self._declare(Uniform(name=alias.name, first=alias.first, last=alias.last))

    def _declare(self, uniform: Uniform) -> None:
        for offset in range(uniform.size):
            text = uniform.name if uniform.size == 1 else f"{uniform.name}[{offset}]"
            self._names.setdefault(register_name(uniform.first + offset), text)

    @property
    def names(self) -> Mapping[str, str]:
        """Names by register, without those of temporaries."""
        return self._names

    def name(self, register: str, line: str = "") -> str:
        """What the file calls a register (`o0`, `c4`), or the register again."""
        for alias in self._aliases if line else ():
            for offset in _offsets(alias, line):
                if alias.whole and register_name(alias.register + offset, written=alias.written) == register:
                    return _element(alias, offset)
        return self._names.get(register, register)


class LineNames(Names):
    """Names of registers in the text of one instruction: those that its source line uses go before declared ones."""

    def __init__(self, interface: Interface) -> None:
        super().__init__(geometry=interface.geometry)
        self._all = interface.aliases
        self._sources: dict[Source, str] = {}
        self._dest = ""
        for uniform in (*interface.inputs, *interface.uniforms, *_private(interface)):
            self.declare(uniform.name, uniform)
        for output in interface.outputs:
            if output.name:
                self.written.setdefault(output.register, output.name)
        for alias in interface.aliases:
            if alias.whole and not alias.written and not _is_temporary(alias):
                self.declare(alias.name, Uniform(name=alias.name, first=alias.first, last=alias.last))

    def enter(self, operation: Operation, line: str) -> None:
        """Find the names that a line uses for the operands of its operation."""
        self._sources.clear()
        self._dest = ""
        for alias in self._all if line else ():
            for offset in _offsets(alias, line):
                self._match(operation, alias, offset)

    def _match(self, operation: Operation, alias: Alias, offset: int) -> None:
        live = live_selectors(operation)
        for place, operand in enumerate(operation.operands):
            if isinstance(operand, Dest):
                if (
                    alias.whole
                    and operand.register == alias.register + offset
                    and (alias.written or operand.register >= TEMPORARY)
                ):
                    self._dest = self._dest or _element(alias, offset)
            elif isinstance(operand, Source) and not alias.written and operand.register == alias.register + offset:
                kept = live.operands[place]
                sign = "-" if operand.negate != alias.negate else ""
                if alias.whole and not operand.relative and isinstance(kept, Source):
                    self._sources.setdefault(kept, sign + _element(alias, offset) + swizzle(kept.selector))
                elif not alias.whole and not operand.relative and isinstance(kept, Source):
                    as_named = operand._replace(selector=alias.selector)
                    operands = (*operation.operands[:place], as_named, *operation.operands[place + 1 :])
                    if live_selectors(operation._replace(operands=operands)).operands[place] == kept:
                        self._sources[kept] = sign + _element(alias, offset)

    def source(self, source: Source, reach: int = 0) -> str:
        return self._sources.get(source) or super().source(source, reach)

    def dest(self, dest: Dest) -> str:
        return self._dest + write_mask(dest.mask) if self._dest else super().dest(dest)


def _offsets(alias: Alias, line: str) -> Sequence[int]:
    """The elements of an alias that a line names: 0 for its bare name."""
    return _named_in(line).get(alias.name, ())


@lru_cache(4096)
def _named_in(line: str) -> Mapping[str, Sequence[int]]:
    """The names of a line with their elements."""
    found: dict[str, list[int]] = {}
    for word in _pattern(_WORD).findall(line):
        name, bracket, inside = word.partition("[")
        found.setdefault(name.strip(), []).append(int(inside.rstrip("] ")) if bracket else 0)
    return found


def _element(alias: Alias, offset: int) -> str:
    return f"{alias.name}[{offset}]" if offset or alias.size > 1 else alias.name
