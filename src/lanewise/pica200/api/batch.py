"""A run that is bound once to buffers that are used again and again: `Batch`."""

from __future__ import annotations

from functools import partial
from threading import Lock, Thread, current_thread, local
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakValueDictionary

import numpy as np

from lanewise.arrays.announcing import announce, thinned, thinned_frame
from lanewise.arrays.frames import inputs_of, uniforms_of
from lanewise.arrays.memory import rows_of_four
from lanewise.core.diagnostics import ERROR, Diagnostic, InputError
from lanewise.core.objects import PublicObject, checked
from lanewise.core.source import Span
from lanewise.core.text.suggestions import near
from lanewise.pica200.api.batch_looks import Looks
from lanewise.pica200.api.interface import RunError
from lanewise.pica200.engine.results import column_of, registers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from lanewise.arrays.outputs import Arrays
    from lanewise.arrays.words import Words
    from lanewise.pica200.api.batch_uniforms import BatchUniforms
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.engine.binding import Inputs, Uniforms
    from lanewise.pica200.engine.reads import Reads
    from lanewise.pica200.sem.profile import Profile


_batches: WeakValueDictionary[int, Batch] = WeakValueDictionary()  # the last one of each dict of inputs, by its id


class Batch(PublicObject):
    """A shader with its inputs, uniforms and outputs in place; made by `Shader.batch`.

    `run` reads the input arrays as they are then and writes the same outputs each time, so whoever fills one buffer after
    another pays for binding once. `outputs` are as in a `Result`; they are overwritten by the next `run`. `uniforms` are arrays
    by name, to be written between runs.

    A batch belongs to the thread that first calls `run` or `set_uniforms`, as long as that thread lives: in another thread they
    raise RuntimeError, because one would overwrite what the other reads. Make a batch for each thread; they run at the same
    time.

    A pickled batch has its shader, the values of its arrays and its uniforms; it is bound and compiled again where it is
    loaded. Arrays that are pickled together with it are still those that it reads.
    """

    lanes: int

    def _elsewhere(self, name: str) -> str:
        from lanewise.arrays.elsewhere import of_batch

        return of_batch(name, self.__dict__.get("outputs") or ())

    if not TYPE_CHECKING:

        def __call__(self, *_, **named):
            raise TypeError("a Batch is not a function: call `batch.run()`, after values are written into its arrays")

    def __init__(
        self,
        shader: Shader,
        bound: Inputs,
        values: Uniforms,
        needed: Reads,
        rules: Profile,
        budget: int,
        engine: str,
        threads: int,
        out: Mapping[str, NDArray[np.float32]] | None,
        defaults: int | None = None,
    ) -> None:
        out = {} if out is None else out
        if not hasattr(out, "items"):
            raise TypeError(f"out is of the type {type(out).__name__}, expected arrays by name, such as {{'position': array}}")
        self.lanes = bound.lanes
        self._lock = Lock()
        self._owner: Thread | None = None
        self._here = local()  # has `owns` in the thread of the owner; half the time of `current_thread`
        self._recipe = bound, needed, budget, engine, threads, dict(out)
        self._shader, self._rules, self._bound, self._defaults = shader, rules, bound, defaults
        self._uniforms: BatchUniforms | None = None
        self._looks: Looks | None = None
        registers = registers_of(shader.outputs, needed.outputs)
        self._registers = tuple([f"o{register}" for register in registers])
        buffers = {register: rows_of_four(bound.lanes) for register in registers}
        for buffer in buffers.values():
            buffer.fill(0)
        self._copies: list[tuple[NDArray[np.float32], str]] = []
        direct: set[int] = set()
        findings: list[Diagnostic] = []
        for key, array in out.items():
            column = column_of(key, registers, shader.outputs)
            if column is None:
                close = near(key, [output.semantic for output in shader.outputs])
                fix = f"did you mean {close[0]}?" if close else "use a semantic of the shader, or o0 to o15"
                findings.append(_finding(shader, "B001", f"unknown output '{key}'", fix))
                continue
            shape = (bound.lanes, len(column.components))
            given = type(array).__name__
            if not isinstance(cast("object", array), np.ndarray):
                message = f"out['{key}'] is of the type {given}, expected writable float32 of {shape}"
            elif array.shape != shape or array.dtype != np.float32 or not array.flags.writeable:
                message = f"out['{key}'] is {array.dtype} of shape {array.shape}, expected writable float32 of {shape}"
            else:
                message = ""
            if message:
                findings.append(_finding(shader, "B002", message, f"give `numpy.empty({shape}, numpy.float32)`"))
                continue
            whole = column.components == (0, 1, 2, 3) and array.flags.c_contiguous and array.flags.aligned
            # Kernels read some vertices twice, so they may not write where the inputs are.
            apart = not any(np.may_share_memory(array, given.values) for given in bound.words.columns.values())
            if whole and apart and column.register not in direct:
                direct.add(column.register)
                buffers[column.register] = array
            else:
                self._copies.append((array, key))
        if findings:
            raise InputError(findings)
        runner = shader.runner(rules)
        self._run = runner.bind(bound, values, shader.outputs, buffers, budget, engine, threads)
        self.outputs: Arrays = self._run.arrays

    @property
    def engine(self) -> str:
        """`llvm` or `reference`."""
        return self._run.engine

    @property
    def uniforms(self) -> BatchUniforms:
        """The uniforms as arrays by name, register or file: `batch.uniforms["c"][...] = rows`. What they hold is converted at
        the next `run` if it has changed, as `set_uniforms` does it; with other integers or booleans `run` may raise InputError
        as that does.
        """
        with self._lock:
            if self._uniforms is None:
                from lanewise.pica200.api.batch_uniforms import BatchUniforms
                from lanewise.pica200.isa.uniforms import hidden

                names = tuple([uniform.name for uniform in self._shader.uniforms])
                interface = self._shader.interface
                computed = frozenset(hidden(interface)) if interface.preamble is not None else frozenset[int]()
                arguments = self._shader.uniform_names, names, self._run.uniforms, self._rules, computed
                self._uniforms = BatchUniforms(*arguments)
            return self._uniforms

    @checked
    def run(self) -> Arrays:
        """Run all vertices and give `outputs`.

        They are the same arrays each time: the next run overwrites them. To keep results, copy them:
        `batch.run()["position"].copy()`.

        Raises RunError if a vertex stopped without `end`; the other outputs are right. Raises RuntimeError in a second thread.
        """
        if not hasattr(self._here, "owns"):
            self._claim()
        if self._uniforms is not None:
            self._take_arrays(self._uniforms)
        if self._looks is not None and not self._looks.look():
            self._looks = None
        faults = self._run.run()
        if self._looks is not None:
            self._looks.ran()
        for array, key in self._copies:
            np.copyto(array, self.outputs[key])
        if faults:
            result = self._run.result()
            raise RunError(result, self._shader.describe(result))
        return self.outputs

    def watching(self, inputs: Any, uniforms: Mapping[str, Any] | None, before: Mapping[str, int]) -> Batch:
        """Warn of values, and look at the arrays in the first runs; `before` are the references to those of a dict."""
        announce(partial(_warnings, self._shader, inputs, uniforms_of(uniforms), self._rules, self.lanes), self.lanes)
        if type(inputs) is dict:
            last: Any = _batches.get(id(cast("object", inputs)))
            if last is not None:
                last._looks = None  # the dict is for this batch now
            _batches[id(cast("object", inputs))] = self
        self._looks = Looks(cast("object", inputs), self.outputs, before, self._recipe[-1])
        return self

    def _claim(self) -> None:
        """Make the batch that of this thread. Raises RuntimeError if it is that of another one."""
        with self._lock:
            owner = self._owner
            if owner is not None and owner.is_alive():
                raise RuntimeError(f"this Batch is in use by thread '{owner.name}': make one for each thread with Shader.batch")
            self._owner = current_thread()
            self._here.owns = True

    def _take_arrays(self, arrays: BatchUniforms) -> None:
        """Use what has been written to the arrays of uniforms."""
        if changes := arrays.changes():
            self._take(arrays, changes)

    def _take(self, arrays: BatchUniforms, changes: bytes) -> None:
        """Use what the arrays of uniforms hold."""
        if self._looks is not None:
            self._looks.changed = True
        if arrays.only_floats(changes) and self._shader.interface.preamble is None:
            self._run.set_floats(arrays.floats)
            arrays.taken(changes)
        else:
            # Of integers and booleans depends what the code reads at all; of any value what a preamble gives.
            values = self._set_uniforms(arrays.given())
            if self._shader.interface.preamble is None:
                arrays.taken(changes, values.given)
            else:
                arrays.show(values)

    @checked
    def set_uniforms(self, uniforms: Mapping[str, ArrayLike | Words]) -> None:
        """Other uniforms from the next `run` on. Raises InputError, and then the uniforms are as they were; RuntimeError in a
        second thread."""
        if not hasattr(self._here, "owns"):
            self._claim()
        values = self._set_uniforms(uniforms_of(uniforms))
        if self._uniforms is not None:
            self._uniforms.show(values)

    def _set_uniforms(self, uniforms: Mapping[str, ArrayLike | Words]) -> Uniforms:
        values = self._shader.bound_uniforms(uniforms, self._bound, self._rules, self._defaults)
        self._run.set_uniforms(values)
        if self._looks is not None:
            self._looks.changed = True
        return values

    def __reduce__(self) -> tuple[object, ...]:
        """The arguments that bind it again, and what its outputs hold."""
        if self._uniforms is not None:
            self._take_arrays(self._uniforms)
        bound, needed, *options, out = self._recipe
        values = bound.anew(), self._run.uniforms, needed, self._rules, *options, out, self._defaults
        return Batch, (self._shader, *values), {name: self.outputs[name] for name in self._registers}

    def __setstate__(self, outputs: Mapping[str, NDArray[np.float32]]) -> None:
        for name, array in outputs.items():
            np.copyto(self.outputs[name], array)

    def __repr__(self) -> str:
        return f"<Batch of {self._shader.name}: {self.lanes} vertices, engine {self.engine}>"


def _warnings(
    shader: Shader, frame: Any, uniforms: Mapping[str, Any], rules: Profile, lanes: int, step: int
) -> list[Diagnostic]:
    """The warnings about the values of a batch, of each such row."""
    from lanewise.arrays.value_warnings import frame_warnings
    from lanewise.pica200.api.value_warnings import value_warnings

    some = thinned(inputs_of(frame, shader.other_inputs), step, lanes)
    return [*frame_warnings(thinned_frame(frame, step, lanes), shader.name), *value_warnings(some, uniforms, shader, rules)]


def _finding(shader: Shader, code: str, message: str, fix: str) -> Diagnostic:
    return Diagnostic(code=code, severity=ERROR, message=message, span=Span(file=shader.file), notes=(), fix=fix)
