"""The frame of generated code: the loop over vectors of lanes, their inputs and outputs, and what is noted of numbers that the
rule cannot do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.llvm import movement
from lanewise.llvm.text import Text
from lanewise.pica200.engine.llvm import choice, rules
from lanewise.pica200.engine.llvm.arguments import (
    BAILED,
    BAILED_COUNT,
    BOOLEANS,
    BYPASS,
    CHUNK,
    COUNT,
    DATA,
    DONE,
    EMISSION,
    FIRST,
    FLAGGED,
    FLAGGED_COUNT,
    FUEL,
    INTEGERS,
    LIST,
    LOADER,
    REFILLS,
    ROOM,
    STOP,
    STORER,
    UNIFORMS,
    VERTICES,
)
from lanewise.pica200.engine.llvm.counting import Counter
from lanewise.pica200.engine.llvm.emitting import Recorder
from lanewise.pica200.engine.llvm.once import Once
from lanewise.pica200.engine.llvm.shape import BLOCK, QUICK
from lanewise.pica200.ir.readiness import ordered
from lanewise.pica200.ir.ssa import INHERITED, NUMBER, TRUTH, kind_of
from lanewise.pica200.sem.components import SETEMIT, Component

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.graph.regions import Region
    from lanewise.llvm.movement import Layout
    from lanewise.llvm.target import Target
    from lanewise.llvm.text import Name
    from lanewise.pica200.engine.llvm.exact import ExactFloat24, ExactFloat32
    from lanewise.pica200.engine.llvm.plan import Plan
    from lanewise.pica200.engine.llvm.shape import Shape
    from lanewise.pica200.engine.llvm.speculative import SpeculativeFloat24, SpeculativeFloat32
    from lanewise.pica200.ir.ssa import Value


_SUMS = 2
ALL = "splat (i1 true)"
NONE = "zeroinitializer"


def slots(plan: Plan, layouts: Mapping[int, Layout]) -> tuple[dict[int, int], dict[int, int], dict[int, int], int]:
    """Indices of the arguments: inputs by v number (the stride follows), outputs, flags of outputs; then the first of
    `emitting`."""
    place = DATA
    inputs: dict[int, int] = {}
    for register in plan.inputs:
        if register in layouts:
            inputs[register] = place
            place += 2
    outputs = {register: place + n for n, register in enumerate(plan.outputs)}
    place += len(outputs)
    flags = {register: place + n for n, register in enumerate(plan.unsure)}
    return inputs, outputs, flags, place + len(flags)


class Frame:
    """The parts of a module around its blocks. `Generator` adds the blocks."""

    plan: Plan
    layouts: Mapping[int, Layout]
    target: Target
    exact: bool
    shape: Shape
    text: Text
    nodes: tuple[tuple[Value, ...], ...]
    rule: ExactFloat24 | ExactFloat32 | SpeculativeFloat24 | SpeculativeFloat32
    once: Once | None
    place: dict[int, int]
    copied: dict[int, int]
    recorder: Recorder | None
    counter: Counter | None
    index: Name
    fuel: Name
    spare: Name
    rest: Name
    refills: Name
    least: Name
    raw_squares: Name
    squares: list[Name]
    odd: Name
    bailed: Name
    table: Name
    integers: Name
    booleans: Name
    stop: Name
    results: dict[int, Name]
    flags: dict[int, Name]
    loaded: dict[tuple[int, int], rules.Value]

    def __init__(
        self,
        plan: Plan,
        layouts: Mapping[int, Layout],
        target: Target,
        *,
        exact: bool,
        counting: bool = False,
        shape: Shape = QUICK,
    ) -> None:
        self.plan, self.layouts, self.target, self.exact, self.shape = plan, layouts, target, exact, shape
        self.text = Text(shape.width, rounds=target.rounds, ahead=target.ahead)
        self.nodes = ordered(plan.function, plan.needs) if shape.ordered else plan.needs.nodes
        profile = plan.profile
        rule = choice.exact(profile) if exact else choice.speculative(profile)
        self.rule = rule(self.text, profile, target, self)
        self.rule.uniforms = shape.uniforms
        self.once = None if exact else Once(self, rule)
        self.mask: Name = ""  # of the lanes that the code is for; empty: all
        self.components: dict[Component, Name] = {}
        self.waiting: dict[int, Name] = {}
        self.bounds: list[dict[Component, float]] = [{} for _ in plan.function.blocks]
        self.region: dict[int, Region] = {block: region for region in plan.lanes.regions for block in region.blocks}
        self.place = {block: n for n, block in enumerate(plan.lanes.order.blocks)}
        self.inputs: dict[int, list[Name]] = {}
        self.rows: dict[int, list[Name]] = {}
        # Outputs that are stored as their inputs are loaded, row by row.
        self.copied = {
            output: register
            for output, register in plan.analysis().copied.items()
            if not exact
            and register in layouts
            and layouts[register].kind != movement.ONE
            and layouts[register].components == 4
        }
        self._checks = self._copies = self._small = 0
        self._odd = self._bails = False  # whether lanes are noted there
        emission = plan.emission
        more = slots(plan, layouts)[3]
        self._bypasses = bool(plan.outputs and target.family) and not exact and not counting
        self.recorder = Recorder(self, emission, more) if emission is not None else None
        self.counter = Counter(self, more + (EMISSION if emission is not None else 0)) if counting else None

    # Watch

    def flag_below(self, raw: Name) -> None:
        """The least of the sizes is kept, zeros as something larger."""
        text = self.text
        self._small += 1
        before = text.load(text.f32, self.least)
        if self.target.embedded_rounding:
            least = self.target.smaller(text, before, self.target.one_for_zero(text, raw))
        else:
            size = text.isub(text.masked_bits(raw, rules.MAGNITUDE), text.integer(1))
            least = text.number_of(text.umin(text.bits(before), size))
        if self.mask:
            least = text.select(self.mask, least, before)
        text.store(text.f32, least, self.least)

    def flag_number(self, number: Name) -> None:
        self._add_product(number, number, self._next_squares())

    def flag_nan(self, number: Name) -> None:
        """A part of the number so small that it changes no sum."""
        self._add_product(number, self.text.number(2.0**-126), self._next_squares())

    def flag_raw(self, raw: Name) -> None:
        self._copies += 1
        self._add_product(raw, raw, self.raw_squares)

    def _next_squares(self) -> Name:
        self._checks += 1
        return self.squares[(self._checks - 1) % len(self.squares)]

    def _add_product(self, a: Name, b: Name, variable: Name) -> None:
        """Squares are added up, which is one operation: a sum that is small enough has no large term, and no NaN."""
        text = self.text
        before = text.load(text.f32, variable)
        if self.target.has_fma:
            total = text.fma(a, b, before)
        else:
            total = text.fadd(text.fmul(a, b), before)
        if self.mask:
            total = text.select(self.mask, total, before)
        text.store(text.f32, total, variable)

    def flag_where(self, condition: Name) -> None:
        self._odd = True
        self._raise(self.odd, condition)

    def bail(self, condition: Name) -> None:
        self._bails = True
        self._raise(self.bailed, condition)

    def bail_all(self) -> None:
        """All lanes of this vector, whether they are here or not."""
        self._bails = True
        self.text.store(self.text.i1, ALL, self.bailed)

    def _raise(self, variable: Name, condition: Name) -> None:
        text = self.text
        if self.mask:
            condition = text.both(condition, self.mask)
        text.store(text.i1, text.either(text.load(text.i1, variable), condition), variable)

    # The frame

    def _variables(self) -> None:
        text = self.text
        self.index, self.fuel = text.variable("i64"), text.variable("i64")
        # Of loops: what is left of a chunk beyond the fuel of this vector, of its budget beyond its fuel, and of refills.
        self.spare, self.rest, self.refills = (text.variable("i64") for _ in range(3))
        self.least, self.raw_squares = text.variable(text.f32), text.variable(text.f32)
        # They are used in turn, so that none is a separate chain.
        self.squares = [text.variable(text.f32) for _ in range(0 if self.exact else _SUMS)]
        self.odd = "" if self.exact else text.variable(text.i1)
        self.bailed = text.variable(text.i1)
        live = {component for begin in self.plan.needs.begin for component in begin} | {
            c for end in self.plan.needs.end for c in end
        }
        live = {component for component in live if not self._is_copied(component)}
        for component in sorted(live):
            self.components[component] = text.variable(self.type_of(component))
        for block in sorted(self.region):
            self.waiting[block] = text.variable(text.i1)

    def _is_copied(self, component: Component) -> bool:
        return component.file == "o" and component.number in self.copied

    def type_of(self, component: Component) -> str:
        """The type of a component's variable: numbers are always vectors, the others only where lanes differ."""
        text, varying = self.text, component in self.plan.lanes.varying
        if kind_of(component) == NUMBER:
            return text.f32
        if kind_of(component) == TRUTH:
            return text.i1 if varying else "i1"
        return text.i32 if varying else "i32"

    def argument(self, number: int, kind: str = "ptr") -> Name:
        at = self.text.new(f"getelementptr i64, ptr %args, i64 {number}")
        return self.text.load(kind, at)

    def _vector(self) -> None:
        """Up to the program itself: the loop over vectors, and what one begins with."""
        text = self.text
        inputs, output_slots, flag_slots, _ = slots(self.plan, self.layouts)
        count, listed, vertices = self.argument(COUNT, "i64"), self.argument(LIST), self.argument(VERTICES, "i64")
        self.table, self.integers, self.booleans = self.argument(UNIFORMS), self.argument(INTEGERS), self.argument(BOOLEANS)
        budget, self.stop = self.argument(FUEL, "i64"), self.argument(STOP)
        if self.plan.lanes.order.loops:
            text.store("i64", self.argument(REFILLS, "i64"), self.refills)
            text.store("i64", "0", self.fuel)
            text.store("i64", str(CHUNK), self.spare)
        if self.shape.moved:
            text.loader, text.storer = self.argument(LOADER), self.argument(STORER)
        bases = {register: (self.argument(slot), self.argument(slot + 1, "i64")) for register, slot in inputs.items()}
        self.results = {register: self.argument(slot) for register, slot in output_slots.items()}
        self.flags = {register: self.argument(slot) for register, slot in flag_slots.items()}
        text.store("i64", self.argument(FIRST, "i64"), self.index)
        for mask in self.rule.masks:
            text.hide(mask)
        if not self.shape.joined:
            # A block whose address somebody has is not joined to the one before: instruction selection, most of the time of
            # compilation, is quicker with several blocks than with one as long as they are together.
            place = text.variable("ptr")
            for label in ("b0", "finish"):
                text.add(f"  store volatile ptr blockaddress(@kernel, %{label}), ptr {place}")
        self._before = len(text.lines)
        text.add("  br label %more")
        text.label("more")
        index = text.load("i64", self.index)
        text.add(f"  br i1 {text.new(f'icmp ult i64 {index}, {count}')}, label %vector, label %done")
        text.label("vector")
        if self.exact:
            at = text.new(f"getelementptr i32, ptr {listed}, i64 {index}")
            start = text.new(f"zext i32 {text.load('i32', at)} to i64")
        else:
            # The last vector ends with the last vertex, so it may do some of the one before again.
            first = text.new(f"mul i64 {index}, {text.width}")
            last = text.new(f"sub i64 {vertices}, {text.width}")
            start = text.call("i64", "llvm.umin.i64", ("i64", first), ("i64", last))
        self.start = start
        text.store(text.f32, text.number_of(text.integer(rules.MAGNITUDE)), self.least)
        # Not zero: then the square of a small number would be a subnormal result, which takes processors long.
        text.store(text.f32, text.number(1.0), self.raw_squares)
        for total in self.squares:
            text.store(text.f32, text.number(self.rule.limit**2 * 2.0**-40), total)
        if self.odd:
            text.store(text.i1, NONE, self.odd)
        text.store(text.i1, NONE, self.bailed)
        if self.plan.lanes.order.loops:
            # What the vector before has left, if that is not less than nothing.
            chunk = text.new(f"add i64 {text.load('i64', self.fuel)}, {text.load('i64', self.spare)}")
            chunk = text.call("i64", "llvm.smax.i64", ("i64", chunk), ("i64", "0"))
            self._refuel(chunk, budget)
        for block, variable in self.waiting.items():
            text.store(text.i1, ALL if block == 0 else NONE, variable)
        zero = self._zero()
        # Flags of what was written are false at first, and so is whatever is read before it is written.
        for component in sorted(self.plan.needs.begin[0]):
            kind = self.type_of(component)
            nothing = zero if kind_of(component) == NUMBER else "false" if kind == "i1" else "0" if kind == "i32" else NONE
            if component == SETEMIT:
                nothing = str(INHERITED) if kind == "i32" else text.integer(INHERITED)
            text.store(kind, nothing, self.components[component])
            self.bounds[0][component] = -70.0
        if self.recorder is not None:
            self.recorder.begin()
        if self.counter is not None:
            self.counter.begin()
        computed = self._computed()
        registers = {register for register, _ in computed}
        if not self.shape.joined:
            self._copy(bases)
        for register, (base, stride) in bases.items():
            layout = self.layouts[register]
            if register in self.copied.values():
                if register not in self.rows:
                    self.rows[register] = movement.load_rows(text, layout, base, stride, start)
                if register in registers:
                    self.inputs[register] = movement.transposed(text, self.rows[register])
            elif register in registers:
                self.inputs[register] = movement.load_input(text, layout, base, stride, start)
        self.loaded = {
            (register, component): self.rule.load(
                self.inputs[register][component], seen=("input", register, component) in self.plan.seen
            )
            for register, component in computed
            if register in self.inputs and component < len(self.inputs[register])
        }
        text.add("  br label %b0")

    def _copy(self, bases: Mapping[int, tuple[Name, Name]]) -> None:
        """Store the outputs that are rows of inputs, before anything else, so that these rows need no registers later."""
        if not self.copied:
            return
        around = self._around()
        for source in dict.fromkeys(self.copied.values()):
            self.rows[source] = movement.load_rows(self.text, self.layouts[source], *bases[source], self.start)
        for register in self.copied:
            self._store_rows(register, around)

    def _store_rows(self, register: int, around: Name) -> None:
        """Store an output that is rows of an input."""
        source = self.copied[register]
        seen = any(("input", source, c) in self.plan.seen for c in range(4))
        rows = [self.rule.copied(row, seen=seen) for row in self.rows[source]]
        movement.store_rows(self.text, rows, self.results[register], self.start, around)

    def _computed(self) -> list[tuple[int, int]]:
        """The components of inputs that are needed for more than copies of rows."""
        computed = self.plan.analysis().computed
        others = {register for output, register in self.plan.analysis().copied.items() if output not in self.copied}
        return [
            (register, component)
            for register, components in self.plan.inputs.items()
            for component in components
            if register in others or ("input", register, component) in computed
        ]

    def _begin(self, label: str) -> None:
        """Begin a block, as part of the one before if that is the only one which leads to it."""
        lines = self.text.lines
        if (
            self.shape.joined
            and lines[-1] == f"  br label %{label}"
            and not any(line.endswith(f"%{label}") for line in lines[:-1])
        ):
            lines.pop()
        else:
            self.text.label(label)

    def _zero(self) -> Name:
        return self.text.number(0.0)

    def _finish(self) -> None:
        """After the program: outputs, and the lists of what could not be done."""
        text = self.text
        self.mask = ""  # the last block may have been for some lanes
        self._begin("finish")
        around = self._around()
        for register in self.plan.outputs:
            if register in self.copied:
                if self.shape.joined:
                    self._store_rows(register, around)
                continue
            components = [
                self.rule.store(rules.Value(text.load(text.f32, self.components[Component("o", register, c)])))
                for c in range(4)
            ]
            movement.store_output(text, components, self.results[register], self.start, around)
        for register, mask in self.plan.unsure.items():
            movement.store_bytes(text, self._flags(register, mask), self.flags[register], self.start)
        if self.recorder is not None:
            self.recorder.end()
        if self.counter is not None:
            self.counter.end()
        if not self.exact:
            doubts = [text.load(text.i1, self.odd)] if self._odd else []
            if self._checks:
                total, *others = [text.load(text.f32, variable) for variable in self.squares[: self._checks]]
                for other in others:
                    total = text.fadd(total, other)
                doubts.append(text.fcmp("uge", total, text.number(self.rule.limit**2)))
            if self._copies:
                doubts.append(text.fcmp("uge", text.load(text.f32, self.raw_squares), text.number(4.0**rules.ORDINARY)))
            if self._small:
                # No sign: the least began as the largest number without one.
                tiny = text.bits(text.number(self.rule.smallest))
                doubts.append(text.icmp("slt", text.bits(text.load(text.f32, self.least)), tiny))
            if doubts:
                self._note_some(doubts)
        if self._bails:
            self._note(text.load(text.i1, self.bailed), BAILED, BAILED_COUNT, "bailed")
        text.store("i64", text.new(f"add i64 {text.load('i64', self.index)}, 1"), self.index)
        text.add("  br label %more")
        text.label("done")
        text.store("i64", text.load("i64", self.index), text.new(f"getelementptr i64, ptr %args, i64 {DONE}"))
        if self._bypasses and self.target.family == "x86":
            # Other threads may read after the call what was stored in it.
            text.add(f"  br i1 {self._bypass()}, label %fence, label %return")
            text.label("fence")
            text.call("void", "llvm.x86.sse.sfence")
            text.add("  br label %return")
            text.label("return")
        text.add("  ret void")

    def _around(self) -> Name:
        """Whether the rows of this vector are stored past the caches: only the last one may begin elsewhere than at a multiple
        of 64 bytes."""
        if not self._bypasses:
            return ""
        whole = self.text.new(f"icmp eq i64 {self.text.new(f'and i64 {self.start}, 3')}, 0")
        return self.text.new(f"and i1 {self._bypass()}, {whole}")

    def _bypass(self) -> Name:
        return self.text.new(f"icmp ne i64 {self.argument(BYPASS, 'i64')}, 0")

    def _refuel(self, chunk: Name, left: Name) -> None:
        """Fuel for a vector from a chunk, at most what is left of its budget."""
        text = self.text
        taken = text.call("i64", "llvm.smin.i64", ("i64", chunk), ("i64", left))
        text.store("i64", taken, self.fuel)
        text.store("i64", text.new(f"sub i64 {chunk}, {taken}"), self.spare)
        text.store("i64", text.new(f"sub i64 {left}, {taken}"), self.rest)

    def _note_some(self, doubts: Sequence[Name]) -> None:
        """Append the blocks with a lane that one of these is for to the list of what is flagged: their first vertices."""
        text, width = self.text, min(self.text.width, BLOCK)
        if self.target.level == "avx512":
            lanes = doubts[0]
            for other in doubts[1:]:
                lanes = text.either(lanes, other)
            parts = [text.new(f"bitcast <{width} x i1> {part} to i{width}") for part in text.parts("i1", lanes, width)]
            somes = [text.new(f"icmp ne i{width} {part}, 0") for part in parts]
        else:
            # One bit for each lane would take a dozen instructions without masks of lanes.
            whole = text.integer(0)
            for doubt in doubts:
                whole = text.ior(whole, text.new(f"sext {text.i1} {doubt} to {text.i32}"))
            kind = f"<{width} x i32>"
            joined = [
                text.call("i32", f"llvm.vector.reduce.or.v{width}i32", (kind, one)) for one in text.parts("i32", whole, width)
            ]
            somes = [text.new(f"icmp ne i32 {one}, 0") for one in joined]
        for place, some in enumerate(somes):
            stem = f"flagged.{place}"
            text.add(f"  br i1 {some}, label %{stem}, label %after.{stem}")
            text.label(stem)
            self._append([text.new(f"add i64 {self.start}, {place * BLOCK}")], FLAGGED, FLAGGED_COUNT, stem)
            text.label(f"after.{stem}")

    def _note(self, lanes: Name, place: int, count: int, stem: str) -> None:
        """Append the blocks with such lanes to a list: their first vertices, and the lanes."""
        text = self.text
        whole = text.packed(lanes)
        some = text.new(f"icmp ne i{text.width} {whole}, 0")
        text.add(f"  br i1 {some}, label %{stem}, label %after.{stem}")
        text.label(stem)
        if text.width < BLOCK:
            whole = text.new(f"bitcast <{BLOCK} x i1> {movement.as_block(text, lanes)} to i{BLOCK}")
        for first in range(0, text.width, BLOCK):
            mine = text.new(f"lshr i{text.width} {whole}, {first}") if first else whole
            mine = text.new(f"trunc i{text.width} {mine} to i{BLOCK}") if text.width > BLOCK else mine
            here = text.fresh_label(f"{stem}.here")
            text.add(f"  br i1 {text.new(f'icmp ne i{BLOCK} {mine}, 0')}, label %{here}, label %after.{here}")
            text.label(here)
            values = [text.new(f"add i64 {self.start}, {first}"), text.new(f"zext i{BLOCK} {mine} to i64")]
            self._append(values, place, count, here)
            text.label(f"after.{here}")
        text.add(f"  br label %after.{stem}")
        text.label(f"after.{stem}")

    def _append(self, values: list[Name], place: int, count: int, stem: str) -> None:
        """Append 32-bit numbers to a list, then go on after `stem`. What has no room is only counted."""
        text = self.text
        at = text.new(f"getelementptr i64, ptr %args, i64 {count}")
        before = text.load("i64", at)
        text.store("i64", text.new(f"add i64 {before}, 1"), at)
        fits = text.new(f"icmp ult i64 {before}, {self.argument(ROOM, 'i64')}")
        text.add(f"  br i1 {fits}, label %fits.{stem}, label %after.{stem}")
        text.label(f"fits.{stem}")
        base = self.argument(place)
        for n, value in enumerate(values):
            slot = text.new(f"add i64 {text.new(f'mul i64 {before}, {len(values)}')}, {n}")
            text.store("i32", text.new(f"trunc i64 {value} to i32"), text.new(f"getelementptr i32, ptr {base}, i64 {slot}"))
        text.add(f"  br label %after.{stem}")

    def _flags(self, register: int, mask: int) -> Name:
        """The mask of what was written of an output, a byte for each lane."""
        text, kind = self.text, f"<{self.text.width} x i8>"
        found = f"splat (i8 {self.plan.written[register].always})"
        for channel in range(4):
            if mask & 8 >> channel:
                flag = text.load(self.type_of(component := Component("written", register, channel)), self.components[component])
                flag = flag if component in self.plan.lanes.varying else text.splat("i1", flag)
                bit = text.new(f"select {text.i1} {flag}, {kind} splat (i8 {8 >> channel}), {kind} zeroinitializer")
                found = text.new(f"or {kind} {found}, {bit}")
        return found


__all__ = ["ALL", "NONE", "Frame", "slots"]
