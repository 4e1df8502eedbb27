"""Outputs of a shader: what each of them means on the target, and their values at the end.

A built-in variable, an option, or the semantic of HLSL or Cg says what an output means, and otherwise its name. There is one
finding for each cause, with all outputs that it is about.
"""

from __future__ import annotations

from lanewise.compile.spirv.semantics import PER_PIXEL, semantic_of, usage_of
from lanewise.compile.vector.code import Output, Store
from lanewise.core.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Related, has_errors, listed
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.compile.spirv.context import Context, State
    from lanewise.compile.spirv.emit import Emitter
    from lanewise.compile.spirv.interface import OutputPlace
    from lanewise.compile.spirv.lower import Options
    from lanewise.compile.spirv.module import Module
    from lanewise.compile.spirv.values import Value

NOWHERE = "none"  # the semantic of an output that is left out
OTHERS, ANY = "*", "any"  # `--semantic *=any`: outputs without a semantic take those that are left
_ADDED = ("@", "entryPointParam_")  # how names of structs begin that compilers of HLSL add
_POSITION = 0  # the built-in variable gl_Position


class _Written(Record):
    """An output that the shader writes: its place, its value, what it means (empty: unknown)."""

    place: OutputPlace
    value: Value
    semantic: str = ""

    @property
    def name(self) -> str:
        place = self.place
        if place.built_in == _POSITION:
            return "position"
        return place.name.rpartition(".")[2] or self.semantic or f"output{place.location}"


def _order(rows: Sequence[_Written]) -> Callable[[_Written], int]:
    """The key that sorts outputs as they are written."""
    places = [row.place for row in rows]
    return lambda row: places.index(row.place)


def unknown_name(name: str) -> str:
    """The message about a name of an option that nothing has."""
    return f"the shader has no output and no input '{name}'"


class Outputs:
    """The outputs of a shader, stored at its end. `start` is the place of the shader."""

    context: Context
    options: Options
    start: Span
    module: Module
    emitter: Emitter

    def __init__(self, context: Context, options: Options, start: Span) -> None:
        self.context, self.options, self.start = context, options, start
        self.module, self.emitter = context.module, context.emitter
        self.names: list[str] = []  # of those that are written

    def stored(self, places: Sequence[OutputPlace], after: State | None) -> list[Output]:
        """Store each output, and give them in the order of the source."""
        written: list[_Written] = []
        for place in places:
            value = after.memory[0, place.variable][place.start : place.start + place.lanes] if after is not None else ()
            if any(scalar is not None for scalar in value) and place.built_in in (None, _POSITION):
                written.append(_Written(place, value))
        self.names = ["gl_Position" if each.place.built_in == _POSITION else given_name(each.place) for each in written]
        written = self._meanings(written)
        found: dict[str, _Written] = {}
        for number, each in enumerate(written):
            if each.semantic == NOWHERE or not (each.semantic or self.options.unnamed):
                continue
            other = found.setdefault(each.semantic or f"{number}", each)
            if other is not each:
                message = f"outputs '{other.name}' and '{each.name}' are both {each.semantic}"
                fix = f"say what one of them means: `--semantic {given_name(each.place)}=SEMANTIC`"
                self._report("S007", ERROR, message, [each], fix)
        kept = list(found.values())
        self._wide(kept)
        wanted = "position" in self.options.semantics and "position" not in found
        if wanted and not has_errors(self.context.diagnostics.values()):
            self._add(self._unplaced(ends=after is not None))
        return [self._output(each) for each in kept]

    def _unplaced(self, *, ends: bool) -> Diagnostic:
        """S011, in the terms of the source; `ends`: the function returns."""
        name, fix = "gl_Position", "write it in main: `gl_Position = MATRIX * vec4(POSITION, 1.0);`"
        if self.module.rows_are_columns:
            name, fix = "the position", "return it with the semantic SV_Position"
        message = f"{name} is never written"
        if not ends:
            message += ": a loop before it never ends"
            fix = "give the loop a count, such as `for (int i = 0; i < 8; i++)`, with a `break` in it"
        return Diagnostic(code="S011", severity=ERROR, message=message, span=self.start, fix=fix)

    # Meanings

    def _meanings(self, written: Sequence[_Written]) -> list[_Written]:
        """Outputs with their semantics. A semantic of HLSL that the target does not have leaves an output out, if its name does
        not say another one that no output has."""
        first = [each._replace(semantic=self._said(each.place)) for each in written]
        taken = {each.semantic for each in first}
        found: list[_Written] = []
        nameless: list[_Written] = []
        left_out: list[_Written] = []
        for each in first:
            semantic = each.semantic or self._named(each.place, taken)
            if semantic or self.options.unnamed:
                found.append(each._replace(semantic=semantic))
                taken.add(semantic)
            else:
                (left_out if each.place.semantic else nameless).append(each)
        if nameless and self.options.outputs.get(OTHERS) == ANY:
            given = self._any(nameless, taken)
            found = sorted([*found, *given], key=_order(written))
        elif nameless:
            self._nameless(nameless, sum(each.semantic not in ("position", NOWHERE) for each in (*found, *nameless)))
        if left_out:
            self._left_out(left_out)
        return found

    def _said(self, place: OutputPlace) -> str:
        """The semantic that a built-in variable, an option or the source says; empty where none of them does."""
        options = self.options
        given = given_name(place)
        for name in (given, given.rpartition(".")[2]):
            if place.built_in is None and name in options.outputs:
                semantic = options.outputs[name]
                return semantic if semantic in options.semantics else self._of_usage(semantic) or semantic
        if place.built_in == _POSITION:
            return "position"
        if not place.semantic:
            return ""
        usage = usage_of(place.semantic, place.row)
        return self._of_usage(usage) if usage else self._by_name(place.semantic)

    def _of_usage(self, semantic: str) -> str:
        """The semantic of the target for a usage; empty where it has none."""
        usage = usage_of(semantic)
        return usage if usage in self.options.semantics else ""

    def _named(self, place: OutputPlace, taken: set[str]) -> str:
        """The semantic that the name of an output says, or an option of its location; empty where none does."""
        semantic = self._by_name(place.name)
        if semantic and not (place.semantic and semantic in taken):
            return semantic
        return self.options.output_locations.get(place.location, "") if place.location is not None else ""

    def _by_name(self, name: str) -> str:
        semantic = semantic_of(name)
        return semantic if semantic in self.options.semantics else ""

    def _any(self, rows: Sequence[_Written], taken: set[str]) -> list[_Written]:
        """Outputs with semantics that are left: those that hold all their components first, and of these the smallest; `color`,
        which has an effect on the picture, last. The others are left out. One note says what became of each."""
        found: list[_Written] = []
        for row in rows:
            free = [name for name in self.options.semantics if name not in taken and name != "position"]
            count = len(row.value)
            free.sort(key=lambda name, count=count: (self.options.semantics[name] < count, name == "color"))
            semantic = free[0] if free else NOWHERE
            taken.add(semantic)
            found.append(row._replace(semantic=semantic))
        shown = [f"{self._shown(row)} is {row.semantic if row.semantic != NOWHERE else 'left out'}" for row in found]
        first = given_name(rows[0].place)
        self._report(
            "S006", NOTE, f"without a semantic: {listed(shown)}", rows, f"say what it is: `--semantic {first}=SEMANTIC`"
        )
        return found

    # Findings

    def _nameless(self, rows: Sequence[_Written], count: int) -> None:
        """S006: outputs that nothing gives a meaning, of `count` besides the position."""
        known = list(self.options.semantics)
        most = len([semantic for semantic in known if semantic != "position"])
        note = (f"semantics are {', '.join(known)}",)
        shown = [self._shown(row) for row in rows]
        one = given_name(rows[0].place)
        plain = one.rpartition(".")[2] if one.startswith(_ADDED) else one
        message = f"output{'s' * (len(rows) > 1)} {listed(shown)} {'have' if len(rows) > 1 else 'has'} no semantic"
        if not rows[0].place.name:
            locations = listed([given_name(row.place) for row in rows])
            message = f"the output{'s' * (len(rows) > 1)} at location{'s' * (len(rows) > 1)} {locations} "
            message += f"{'have' if len(rows) > 1 else 'has'} no semantic"
            fix = f"use `--semantic {one}=SEMANTIC`, or `--output-locations` for the usual ones"
        else:
            fix = f"name {'it' if len(rows) == 1 else 'each'} as one, or use `--semantic {plain}=SEMANTIC`"
            if "normalquat" in known and any(PER_PIXEL.search(self._shown(row)) for row in rows):
                fix = f"compute the light in this shader and write it to `color`: fixed stages combine the pixels; or {fix}"
                fix += f", or `--semantic {plain}={NOWHERE}` to leave it out"
        if count > most:
            message = f"too many outputs for {most} semantics: the shader writes {count} besides the position, and {message}"
            fix = f"leave out what the target does not need, `--semantic {plain}={NOWHERE}`, or pack several into one"
        self._report("S006", ERROR, message, rows, fix, note)

    def _left_out(self, rows: Sequence[_Written]) -> None:
        """S020: outputs with a semantic of HLSL that the target does not have."""
        shown = listed([f"{self._shown(row)} ({row.place.semantic})" for row in rows])
        many = len(rows) > 1
        message = (
            f"outputs {shown} are left out: the target does not have these semantics"
            if many
            else f"output {shown} is left out: the target does not have this semantic"
        )
        name = given_name(rows[0].place).rpartition(".")[2]
        fix = f"remove {'them' if many else 'it'}, or say what {'each' if many else 'it'} is: `--semantic {name}=SEMANTIC`"
        self._report("S020", WARNING, message, rows, fix, (f"semantics are {', '.join(self.options.semantics)}",))

    def _wide(self, rows: Sequence[_Written]) -> None:
        """S014: outputs with more components than their semantic has."""
        wide = [(row, self._width(row)) for row in rows if len(row.value) > self._width(row)]
        if wide:
            texts = [f"output '{row.name}' has {len(row.value)} components: {row.semantic} takes {most}" for row, most in wide]
            self._report("S014", NOTE, "; ".join(texts), [row for row, _ in wide], "remove the others")

    @staticmethod
    def _shown(row: _Written) -> str:
        name = row.place.name
        return f"'{name.rpartition('.')[2] if name.startswith(_ADDED) else name}'"

    def _report(
        self, code: str, severity: str, message: str, rows: Sequence[_Written], fix: str, notes: tuple[str, ...] = ()
    ) -> None:
        spans = [self._place(row.place) for row in rows]
        related = [
            Related(span, f"{self._shown(row)} is here")
            for row, span in zip(rows, spans, strict=True)
            if span.line and span != spans[0]
        ]
        self._add(
            Diagnostic(
                code=code, severity=severity, message=message, span=spans[0], notes=notes, fix=fix, related=tuple(related)
            )
        )

    def _place(self, place: OutputPlace) -> Span:
        if place.line >= 0:
            return self.module.lines[place.line]
        return self.module.declared(place.name) or Span(file=self.module.name)

    def _add(self, finding: Diagnostic) -> None:
        self.context.diagnostics[finding.code, finding.message, finding.span] = finding

    # Values

    def _width(self, row: _Written) -> int:
        return self.options.semantics.get(row.semantic, 4)

    def _output(self, row: _Written) -> Output:
        place, value = row.place, row.value[: self._width(row)]
        variable = self.emitter.variable(row.name, 4)
        defined = [lane for lane, scalar in enumerate(value) if scalar is not None]
        mask = sum([1 << lane for lane in defined])
        line = max([self.context.stored.get((place.variable, place.start + lane), -1) for lane in defined], default=-1)
        self.emitter.put(Store(variable, mask, self.emitter.refs([value[lane] for lane in defined]), line))
        at = self.context.first.get(place.line, -1)
        return Output(name=row.name, semantic=row.semantic, variable=variable, mask=mask, line=at)


def given_name(place: OutputPlace) -> str:
    """The name by which an option gives an output: of a module without names, the location."""
    return place.name or ("" if place.location is None else str(place.location))
