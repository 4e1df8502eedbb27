"""The result of a run of any instruction set: `Result`."""

from __future__ import annotations

import warnings as python_warnings
from typing import TYPE_CHECKING, NamedTuple, cast

from lanewise.arrays.announcing import announce
from lanewise.arrays.outputs import LETTERS, Arrays, Registers
from lanewise.core import html
from lanewise.core.objects import PublicObject, checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Protocol

    import numpy as np
    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic

    class Stop(Protocol):
        """Why a lane stopped: a code, a sentence, the number of the word and of the step."""

        @property
        def code(self) -> str: ...
        @property
        def message(self) -> str: ...
        @property
        def pc(self) -> int: ...
        @property
        def step(self) -> int: ...

    class LaneFault(Protocol):
        """A lane that stopped."""

        @property
        def lane(self) -> int: ...
        @property
        def fault(self) -> Stop: ...


_MOST_LOOKED_AT = 4096  # lanes of a result whose `repr` looks for warnings


class Port(NamedTuple):
    """An output as tables and JSON show it: `name` is the key of its arrays, `components` are the letters of their columns,
    empty for one column without a letter."""

    name: str
    register: str
    components: str


class Result(PublicObject):
    """The result of a run of `lanes` vertices, pixels or lanes: arrays of (lanes, components) by name.

    `outputs` are numbers (float32, or integers where an instruction set computes with those), `bits` the same as raw patterns
    (uint32) of the format that `format` names: `float32`, `float24`, `int32`. `faults` are the lanes that stopped, `warnings`
    findings about the run. `registers` are patterns of all registers at the end, by register, worked out on first use. `engine`
    is the one that ran; `variant` is the profile, device or rule in words. `isa` is the name of the instruction set, `unit`
    what a lane is called. `ports` are the outputs that are shown. `written` tells components that the program wrote from those
    that it left, `killed` are the pixels that it discarded; None where there is neither. `zeroed` are the inputs without data
    that `defaults` made 0. Instruction sets add what only they have.
    """

    _internal = frozenset(("index", "of_inputs", "warn"))
    isa = ""
    format: str = "float32"
    unit: str = "lane"
    zeroed: tuple[str, ...] = ()
    killed: NDArray[np.bool_] | None = None
    _index: Any = None
    _make_warnings: Callable[[Any], Sequence[Diagnostic]] | None = None
    register_formats: Mapping[str, str] = {}
    """The formats of registers whose patterns are not of `format`, such as `int32`."""

    lanes: int
    outputs: Mapping[str, NDArray[np.float32]]
    bits: Mapping[str, NDArray[np.uint32]]
    engine: str
    variant: str

    def __init__(
        self,
        lanes: int,
        outputs: Mapping[str, NDArray[Any]],
        bits: Mapping[str, NDArray[Any]],
        *,
        faults: Sequence[LaneFault] = (),
        warnings: Sequence[Diagnostic] | Callable[[], Sequence[Diagnostic]] = (),
        registers: Callable[[], Mapping[str, NDArray[Any]]] | None = None,
        engine: str = "reference",
        variant: str = "",
        ports: Sequence[Port] | None = None,
    ) -> None:
        self.lanes, self.outputs, self.bits = lanes, outputs, bits
        self._faults = tuple(faults)
        self.engine, self.variant = engine, variant
        self._warnings = warnings
        self._ports = ports
        self._make_registers = registers
        self._registers: Mapping[str, NDArray[Any]] | None = None

    @property
    def faults(self) -> Sequence[LaneFault]:
        """The lanes that stopped before the end of the program."""
        return self._faults

    @property
    def written(self) -> Mapping[str, NDArray[np.bool_]] | None:
        """Whether the program wrote each component of the outputs; None where that is not known."""
        return None

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Findings about the run, worked out on first use."""
        if self._make_warnings is not None:
            self._warnings, self._make_warnings = tuple(self._make_warnings(self)), None
        if callable(self._warnings):
            self._warnings = self._warnings()
        return tuple(self._warnings)

    @warnings.setter
    def warnings(self, found: Sequence[Diagnostic] | Callable[[], Sequence[Diagnostic]]) -> None:
        self._warnings, self._make_warnings = found, None

    def warn(self, make: Callable[[Any], Sequence[Diagnostic]], find: Callable[[int], Sequence[Diagnostic]]) -> None:
        """Give what `make` finds in this result on first use. (A function of its own that knows the result would keep it
        alive.) What `find` finds in the values, in each n-th row, Python warns of now."""
        self._make_warnings = make
        announce(find, self.lanes)

    def of_inputs(self, inputs: object) -> None:
        """Keep the labels of the rows of a data frame of pandas that the inputs were, for `to_pandas`."""
        if inputs is not None and type(inputs) is not dict and hasattr(inputs, "columns"):
            index = getattr(inputs, "index", None)
            if hasattr(index, "names") and len(cast("Any", index)) == self.lanes:
                self._index = index

    @property
    def index(self) -> Any:
        """The labels of the rows of the data frame that was run; None without one."""
        return self._index

    @property
    def ports(self) -> Sequence[Port]:
        """The outputs in the order in which they are shown."""
        if self._ports is None and isinstance(self.outputs, Arrays):
            self._ports = [
                Port(name, f"o{column.register}", "".join([LETTERS[place] for place in column.components]))
                for name, column in self.outputs.columns()
            ]
        elif self._ports is None:
            self._ports = [Port(name, name, LETTERS[: array.shape[-1]]) for name, array in self.outputs.items()]
        return self._ports

    @property
    def registers(self) -> Mapping[str, NDArray[np.uint32]]:
        """Patterns (uint32) of (lanes, components) by register, at the end. Raises ValueError where the engine has none."""
        if self._registers is None:
            if self._make_registers is None:
                raise ValueError(f"{type(self).__name__} has no registers: its engine does not keep them")
            self._registers = Registers(self._make_registers(), self.outputs)
        return self._registers

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_result

        return of_result(name, self.__dict__.get("outputs") or ())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Refuse an index, which could be of outputs, lanes or columns. Raises TypeError."""
        use = f"use `outputs[{name!r}]`" if isinstance(cast("object", name), str) else self._fix()
        raise TypeError(f"a {type(self).__name__} has arrays in `outputs`: {use}")

    def __iter__(self) -> Iterator[Any]:
        """Refuse to be a sequence. Raises TypeError."""
        raise TypeError(f"a {type(self).__name__} has arrays in `outputs`: {self._fix()}")

    def __len__(self) -> int:
        """Refuse to be a table. Raises TypeError."""
        raise TypeError(
            f"a {type(self).__name__} is not a table: `to_pandas()` is a data frame of it, `lanes` the number of rows"
        )

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        """Whether it is the same object. Raises TypeError for another result, whose arrays are what can be compared."""
        if other is not self and isinstance(other, Result):
            name = next(iter(self.outputs), "position")
            pair = f"first.outputs[{name!r}], second.outputs[{name!r}]"
            raise TypeError(f"results are compared by their arrays: `numpy.array_equal({pair})`, or as `to_pandas()`")
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def _fix(self) -> str:
        """How the arrays are had, one and all."""
        name = next(iter(self.outputs), "position")
        return f"use `outputs[{name!r}]`, or `for name, array in result.outputs.items()`"

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NDArray[Any]:
        """Refuse to be one array. Raises TypeError."""
        raise TypeError(f"a {type(self).__name__} has several arrays: use `outputs[name]`, or `to_pandas()` for all")

    @checked
    def table(self, *, everything: bool = False, bits: bool = False) -> str:
        """The outputs as a table of text: a row for each lane (the first 20 unless `everything`), a column for each
        component."""
        from lanewise.arrays.report import table

        return table(self, everything=everything, bits=bits)

    @checked
    def to_pandas(self, *, bits: bool = False) -> Any:
        """A `pandas.DataFrame`: a row for each lane, a column for each component, such as `position.x`; with `bits` raw
        patterns. The rows have the labels of the frame of pandas that was run, or else the numbers of the lanes. `killed` and
        `fault` are columns where pixels were discarded and lanes stopped. Raises ModuleNotFoundError."""
        from lanewise.arrays.frames import result_frame

        return result_frame(self, bits=bits)

    def to_json(self) -> dict[str, object]:
        """The result as `lanewise run --format json` prints it, of the shape `lanewise schema run`."""
        from lanewise.arrays.report import document

        return document(self)

    def _repr_html_(self) -> str:
        """The first lanes with their outputs, and the lanes that stopped."""
        names = list(self.outputs)
        shown = min(self.lanes, html.ROWS)
        columns: list[tuple[str, list[object]]] = []
        for name in names:
            array = self.outputs[name][:shown]
            grid = array.reshape(shown, -1)
            letters = "xyzw" if grid.shape[1] <= len("xyzw") and grid.shape[1] > 1 else ""
            for n in range(grid.shape[1]):
                cells: list[object] = [f"{value:.6g}" for value in grid[:, n].tolist()]
                columns.append((f"{name}.{letters[n]}" if letters else name, cells))
        rows = [[lane, *[cells[lane] for _, cells in columns]] for lane in range(shown)]
        more = f"{self.lanes} lanes{f', the first {shown}' if shown < self.lanes else ''}, {self.variant or self.engine}"
        faults = [(fault.lane, fault.fault.code, fault.fault.message) for fault in self.faults[: html.ROWS]]
        left = len(self.faults) - len(faults)
        found = [(finding.code, finding.message) for finding in self.warnings]
        return html.title(f"{type(self).__name__}", more) + html.tables(
            (
                ("Outputs", ["lane", *[name for name, _ in columns]], rows),
                (f"Stopped{f' (and {left} more lanes)' if left else ''}", ["lane", "code", "reason"], faults),
                ("Warnings", ["code", "message"], found),
            )
        )

    def __repr__(self) -> str:
        known = self._make_warnings is None and not callable(self._warnings)
        codes = dict.fromkeys([found.code for found in self.warnings]) if known or self.lanes <= _MOST_LOOKED_AT else ()
        warned = f", warnings: {' '.join(codes)}" if codes else ""
        return (
            f"<{type(self).__name__}: {self.lanes} lanes, {', '.join(self.outputs) or 'no outputs'}, {len(self.faults)} "
            f"faults, {self.engine}{warned}>"
        )


def renamed(what: str, use: str) -> None:
    """Warn that an attribute or argument of a public object has another name now."""
    python_warnings.warn(f"{what} is deprecated: use {use}", DeprecationWarning, stacklevel=3)


__all__ = ["LETTERS", "Port", "Result", "renamed"]
