"""EMIT in compiled code: records in memory, and registers with values for each run.

Each time an EMIT executes for a vector of lanes, one record is appended to those of that vector: the EMIT, its lanes, the
vertex of each, and its setting and written components as far as they are not known at compile time. Records of a vector are in
the order of execution, so those of one lane are in the order of its program. The primitives are computed from them afterwards
(`engine.emissions`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lanewise.llvm import movement
from lanewise.pica200.engine.llvm.arguments import COUNTS, FEED, LEFT, NUMBERS, RECORDS, RECORDS_ROOM, STRIDE, TABLES
from lanewise.pica200.ir.ssa import INHERITED
from lanewise.pica200.sem.components import SETEMIT

if TYPE_CHECKING:
    from lanewise.llvm.text import Name
    from lanewise.pica200.engine.llvm.frame import Frame
    from lanewise.pica200.engine.llvm.plan import Emission
    from lanewise.pica200.engine.llvm.values import Values
    from lanewise.pica200.ir.ssa import Block, Emit

HEADER = 16  # numbers of 32 bits; the first are the EMIT's number and the mask of lanes


class Form(NamedTuple):
    """Layout of a record in 32-bit numbers: header, `open` vectors of lanes, then rows of four for each output and lane.

    The open vectors are the setting, if any EMIT needs it, and the masks of `masks`.
    """

    setting: bool
    masks: tuple[int, ...]
    outputs: tuple[int, ...]
    width: int

    @classmethod
    def of(cls, emission: Emission, width: int) -> Form:
        return cls(any(site.setting is None for site in emission.sites), emission.open_masks, emission.outputs, width)

    @property
    def open(self) -> int:
        return self.setting + len(self.masks)

    @property
    def rows(self) -> int:
        """The offset of the outputs."""
        return HEADER + self.open * self.width

    @property
    def size(self) -> int:
        return self.rows + 4 * self.width * len(self.outputs)


class Recorder:
    """The part of a generator that writes records."""

    frame: Frame
    emission: Emission
    form: Form

    def __init__(self, frame: Frame, emission: Emission, place: int) -> None:
        """`place` is the number of the first of the arguments above."""
        self.frame, self.emission, self.form = frame, emission, Form.of(emission, frame.text.width)
        self._place = place
        self._count = frame.text.variable("i64")

    def begin(self) -> None:
        """At the start of a vector, before the program."""
        frame, text = self.frame, self.frame.text
        argument = frame.argument
        self._room = argument(self._place + RECORDS_ROOM, "i64")
        upper = text.new(f"add i64 {frame.start}, {text.width - 1}")
        self._vector = text.new(f"udiv i64 {upper}, {text.width}")
        before = text.new(f"mul i64 {text.new(f'mul i64 {self._vector}, {self._room}')}, {self.form.size}")
        self._base = text.new(f"getelementptr i32, ptr {argument(self._place + RECORDS)}, i64 {before}")
        self._feed, self._stride = argument(self._place + FEED), argument(self._place + STRIDE, "i64")
        text.store("i64", "0", self._count)

    def end(self) -> None:
        """After the program: store the number of records needed, and the last setting."""
        frame, text = self.frame, self.frame.text
        count = text.new(f"trunc i64 {text.load('i64', self._count)} to i32")
        text.store("i32", count, self._at(frame.argument(self._place + COUNTS), self._vector))
        if self.emission.leaves:
            left = frame.argument(self._place + LEFT)
            at = self._at(left, text.new(f"mul i64 {self._vector}, {text.width}"))
            setting = text.integer(INHERITED)
            if (variable := frame.components.get(SETEMIT)) is not None:
                kind = frame.type_of(SETEMIT)
                setting = text.load(kind, variable)
                setting = setting if kind == text.i32 else text.splat("i32", setting)
            text.store(text.i32, setting, at, 4)

    def emit(self, block: Block, number: int, values: Values) -> None:
        """Emit the vertices of a block; those without room are only counted."""
        for place, sent in enumerate(block.emits):
            self._emit(sent, self.emission.first[number] + place, values)

    def _emit(self, sent: Emit, number: int, values: Values) -> None:
        frame, text, form = self.frame, self.frame.text, self.form
        site = self.emission.sites[number]
        # All that is computed is computed before the branch, as what it is made of may be needed after it.
        rows = {n: [frame.rule.store(values.number_of(value)) for value in sent.outputs[n]] for n in form.outputs}
        opened: list[tuple[int, Name]] = []
        if site.setting is None:
            opened.append((0, values.integer_of(sent.setting)))
        for place, n in enumerate(form.masks, int(form.setting)):
            if site.written[n] is None:
                mask = text.integer(0)
                for component, value in enumerate(sent.written[n]):
                    flag = values.truth_of(value)
                    mask = text.ior(mask, text.iselect(flag, text.integer(8 >> component), text.integer(0)))
                opened.append((place, mask))
        lanes = str((1 << text.width) - 1)
        if frame.mask:
            packed = text.new(f"bitcast {text.i1} {frame.mask} to i{text.width}")
            lanes = text.new(f"zext i{text.width} {packed} to i32")
        count = text.load("i64", self._count)
        fits, after = text.fresh_label("fits"), text.fresh_label("emitted")
        text.add(f"  br i1 {text.new(f'icmp ult i64 {count}, {self._room}')}, label %{fits}, label %{after}")
        text.label(fits)
        record = self._at(self._base, text.new(f"mul i64 {count}, {form.size}"))
        text.store("i32", str(number), record)
        text.store("i32", lanes, self._at(record, "1"))
        for place, vector in opened:
            text.store(text.i32, vector, self._at(record, str(HEADER + place * form.width)), 4)
        for place, n in enumerate(form.outputs):
            movement.store_output(text, rows[n], self._at(record, str(form.rows + 4 * form.width * place)), "0")
        text.add(f"  br label %{after}")
        text.label(after)
        text.store("i64", text.new(f"add i64 {count}, 1"), self._count)

    def _at(self, base: Name, place: Name) -> Name:
        return self.frame.text.new(f"getelementptr i32, ptr {base}, i64 {place}")

    def look_up(self, row: Name, component: int) -> Name:
        """The register of each lane's `row`, some of which are fed: unconverted float32; `row` counts from c0, in 64 bits."""
        frame, text = self.frame, self.frame.text
        fed = self.emission.fed
        pointers = f"<{text.width} x ptr>"
        inner = text.long_op("sub", row, text.long(fed.start))
        mine = text.new(f"icmp ult {text.i64} {inner}, {text.long(len(fed))}")
        # A lane that is not fed gets the first register here, so that no address leads outside.
        inner = text.new(f"select {text.i1} {mine}, {text.i64} {inner}, {text.i64} {text.long(0)}")
        numbers = ", ".join([f"i64 {16 * vertex}" for vertex in movement.vertex_of_lane(text.width)])
        offset = text.long_op("add", text.long_op("mul", inner, text.splat("i64", self._stride)), f"<{numbers}>")
        first = text.new(f"getelementptr i8, ptr {self._feed}, i64 {text.new(f'mul i64 {frame.start}, 16')}")
        first = text.new(f"getelementptr float, ptr {first}, i64 {component}")
        theirs = text.new(f"getelementptr i8, ptr {first}, {text.i64} {offset}")
        table = text.new(f"getelementptr float, ptr {frame.table}, i64 {TABLES.index('exact') * NUMBERS + component}")
        held = text.new(f"getelementptr float, ptr {table}, {text.i64} {text.long_op('mul', row, text.long(4))}")
        return movement.gather(text, text.new(f"select {text.i1} {mine}, {pointers} {theirs}, {pointers} {held}"))
