"""A state with everything that follows from it, each part worked out when it is first asked for: `Evaluation`."""

from __future__ import annotations

import io
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from lanewise.arrays.data import array_of
from lanewise.arrays.mesh import SUFFIXES, Mesh, read_mesh, wanted
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import InputError
from lanewise.core.record import Record
from lanewise.core.service import InputFailure, UsageError
from lanewise.drawing.camera_matrices import matrix
from lanewise.drawing.lanes import corners_of, scene_of_lanes
from lanewise.drawing.picture import screen_size
from lanewise.drawing.scene import Scene
from lanewise.drawing.visibility import Fates, fates
from lanewise.drawing.volume import CLOCKWISE

from lanewise_studio.controls import ARRAY, MATRIX, Control, controls, plain, tables_of, values_of
from lanewise_studio.meshes import shape
from lanewise_studio.placing import placed, probes, transposed
from lanewise_studio.program import sentence
from lanewise_studio.reading import Reading
from lanewise_studio.recorded import EditedFile, numbers
from lanewise_studio.state import refused
from lanewise_studio.subject import BOOLEAN, FLOAT, GEOMETRY, PicaSubject, Subject, subject_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from lanewise.arrays.results import Result
    from lanewise.core.service import Request, Value
    from lanewise.pica200.api.drawn import DrawData
    from numpy.typing import NDArray

    from lanewise_studio.state import State
    from lanewise_studio.stop import Stop
    from lanewise_studio.subject import Input

_DATA, _FACES = "studio-data.json", "studio-faces.npy"
_USUAL = {"position": (0.0, 0.0, 0.0, 1.0), "normal": (0.0, 0.0, 1.0), "texcoord": (0.0, 0.0), "color": (1.0, 1.0, 1.0, 1.0)}
_BY_CUSTOM = ("position", "texcoord", "normal", "color")
# Values of inputs that no mesh has, by their names: vertices belong to the first bone; sprites have a size (3ds-examples,
# graphics/gpu/particles: x and y of an attribute, and its opacity in w).
_NAMED = (("weight", (1.0, 0.0, 0.0, 0.0)), ("attrib", (0.05, 0.05, 0.0, 1.0)), ("size", (0.05, 0.05, 0.05, 0.05)))
_MOST_TRACED = 20_000
_TRIED = 8  # vertices
_TABLES = {"c": "uniforms", "i": "integers", "b": "booleans"}
FED, DEFAULT, MISSING = OF_DRAWS = ("draw:fed", "draw:default", "draw:missing")  # bindings of the inputs of a draw


class Bound(Record):
    """An input with its data: `binding` is `mesh:normal`, `given`, `default` or one of `OF_DRAWS`; `values` are
    (vertices, 1 to 4), or one row for all."""

    name: str
    register: str
    components: int
    binding: str
    values: NDArray[Any]


class Evaluation(Reading):
    """A state and what follows from it. One thread uses it at a time."""

    def __init__(self, state: State, files: Mapping[str, bytes], stop: Stop) -> None:
        """`files` are those that are no texts of the page, by name. Raises InputError where the program cannot be read."""
        super().__init__(state, files, stop)
        try:
            self.subject: Subject = subject_of(self.loaded, self.program)
        except (InputFailure, UsageError) as error:
            raise sentence(error, state.files[0].name) from None
        except ValueError as error:
            raise refused(str(error)) from None

    @property
    def emits(self) -> bool:
        return self.subject.emits

    @property
    def drawn(self) -> DrawData | None:
        """The data of the draw that the program runs with."""
        return self.subject.drawn

    # Data

    @cached_property
    def mesh(self) -> Mesh:
        """The mesh of the state, one of the studio where its program shows it whole. Raises InputError."""
        return self._placed or self._own_mesh

    @property
    def is_placed(self) -> bool:
        """Whether the mesh is moved to fill the screen, because nothing in the program follows the camera."""
        return self._placed is not None

    @cached_property
    def _placed(self) -> Mesh | None:
        volume, state = self.subject.volume, self.state
        unmoved = not any(control.kind in (MATRIX, ARRAY) for control in self.controls)
        if volume is None or self.subject.stage != "vertex" or self.drawn or state.mesh.file or state.inputs or not unmoved:
            return None
        found = self._positions(probes(self._own_mesh))
        return None if found is None else placed(self._own_mesh, found, state.camera, volume, self.size)

    def _positions(self, mesh: Mesh, *, turned: bool = False) -> NDArray[np.float64] | None:
        """The positions that the vertices of a small mesh get; None where the program gives none."""
        controls_ = self._controls(transposed=turned)
        try:
            result = self.subject.run(self._values(self._bound(mesh), len(mesh.arrays["position"])), values_of(controls_))
        except (InputError, InputFailure, UsageError, ValueError):
            return None
        found = result.outputs.get("position")
        return None if found is None or np.shape(found)[-1] != 4 else np.asarray(found, np.float64)

    @cached_property
    def _own_mesh(self) -> Mesh:
        choice = self.state.mesh
        if self.drawn is not None:
            return self._mesh_of(self.drawn)
        try:
            if not choice.file:
                return shape(choice.name, choice.detail)
            if not choice.file.lower().endswith(SUFFIXES):
                raise refused(f"{choice.file} is not a mesh", f"use a file of {', '.join(SUFFIXES)}")
            return read_mesh(choice.file, self.program.memory)
        except InputFailure as error:
            raise sentence(error, choice.file) from None
        except ValueError as error:
            raise refused(str(error)) from None

    def _mesh_of(self, drawn: DrawData) -> Mesh:
        """The attributes of a draw as a mesh; its positions are those of the input that is called so, or the first that has
        any."""
        if not len(drawn.vertices):
            raise refused("the draw takes no vertices that are in the recording", "look at its findings")
        count = len(drawn.vertices)
        arrays = {
            register: np.broadcast_to(np.asarray(numbers(value), np.float64), (count, 4))
            for register, value in sorted(drawn.inputs.items(), key=lambda item: int(item[0][1:]))
        }
        named = [row.register for row in self.subject.inputs if wanted(row.name) == "position"]
        varying = [register for register, array in arrays.items() if count == 1 or bool(np.ptp(array, axis=0).any())]
        chosen = next((register for register in (*named, *varying, *arrays) if register in arrays), "")
        position = arrays[chosen][:, :3] if chosen else np.zeros((count, 3))
        choice = self.state.draw
        return Mesh(f"{choice.file}:{choice.number}" if choice is not None else "", {"position": position, **arrays})

    @cached_property
    def faces(self) -> NDArray[np.int64]:
        """The vertices of the triangles. Meshes that come with the studio run as the front faces of the rasterizer do."""
        faces, volume = self.mesh.faces, self.subject.volume
        if self.drawn is not None:
            if self.subject.emits:
                return np.zeros((0, 3), np.int64)
            stream = self.drawn.indices if self.drawn.indices is not None else np.arange(self.vertices, dtype=np.int64)
            return stream[corners_of(len(stream), self.state.topology)]
        if faces is None:
            return corners_of(len(self.mesh.arrays["position"]), self.state.topology)
        if not self.state.mesh.file and volume is not None and volume.front == CLOCKWISE:
            return faces[:, ::-1]
        return faces

    @cached_property
    def inputs(self) -> Sequence[Bound]:
        """The inputs with their data. Raises InputError."""
        return self._bound(self.mesh)

    def _bound(self, mesh: Mesh) -> Sequence[Bound]:
        """The inputs with the data of a mesh. Raises InputError."""
        rows = self.subject.inputs
        names = [name for row in rows for name in (row.name, row.register)]
        for name in self.state.inputs:
            if name not in names:
                raise refused(
                    f"unknown input '{name}'",
                    f"use {', '.join([row.name for row in rows]) or 'none: the program has no inputs'}",
                )
        bound: list[Bound] = []
        used: set[str] = set()
        for row in rows:
            given = self.state.inputs.get(row.name, self.state.inputs.get(row.register))
            if self.drawn is not None and given is None:
                bound.append(self._of_draw(row, self.drawn))
                continue
            kind = "" if given is not None else self._property(row, mesh)
            if kind in mesh.arrays and kind not in used:
                used.add(kind)
                bound.append(
                    Bound(
                        name=row.name,
                        register=row.register,
                        components=row.components,
                        binding=f"mesh:{kind}",
                        values=mesh.arrays[kind],
                    )
                )
            elif isinstance(given, str) and given.startswith("mesh:"):
                bound.append(
                    Bound(
                        name=row.name,
                        register=row.register,
                        components=row.components,
                        binding=given,
                        values=self._of_mesh(given, row.name, mesh),
                    )
                )
            elif given is not None:
                bound.append(
                    Bound(
                        name=row.name,
                        register=row.register,
                        components=row.components,
                        binding="given",
                        values=self._given(row.name, given, len(mesh.arrays["position"])),
                    )
                )
            else:
                usual = _USUAL.get(kind, (0.0, 0.0, 0.0, 1.0) if kind else _named(row.name.lower()))
                bound.append(
                    Bound(
                        name=row.name,
                        register=row.register,
                        components=row.components,
                        binding="default",
                        values=np.array([usual[: row.components]], np.float32),
                    )
                )
        return bound

    def _property(self, row: Input, mesh: Mesh) -> str:
        """The property of the mesh that an input wants by its name; of inputs without names the first wants the position where
        none is called so, and the others what is left of texture coordinates, normal and colour, in this order."""
        rows = self.subject.inputs
        bare = [each.register for each in rows if each.name == each.register]
        if row.register not in bare:
            found = wanted(row.name)
            whole = found or bare or any(wanted(each.name) == "position" for each in rows) or self.subject.stage != "vertex"
            return found if whole or row.register != self._first_unknown else "position"
        named = {wanted(each.name) for each in self.subject.inputs if each.name != each.register}
        left = [kind for kind in _BY_CUSTOM if kind not in named and (kind == "position" or kind in mesh.arrays)]
        place = bare.index(row.register)
        return left[place] if place < len(left) else ""

    @cached_property
    def _first_unknown(self) -> str:
        """The register of the first input whose name means nothing."""
        return next((each.register for each in self.subject.inputs if not wanted(each.name)), "")

    def _of_draw(self, row: Input, drawn: DrawData) -> Bound:
        """An input with the data of the draw: fed, a default attribute, or missing."""
        value = drawn.inputs.get(row.register)
        values = np.atleast_2d(np.asarray(numbers(value), np.float32)) if value is not None else np.zeros((1, 4), np.float32)
        source = MISSING if value is None else DEFAULT if row.register in self._defaults else FED
        return Bound(name=row.name, register=row.register, components=row.components, binding=source, values=values)

    @cached_property
    def _defaults(self) -> Collection[str]:
        """The inputs that a draw gives default attributes."""
        return self.loaded.defaults if isinstance(self.loaded, EditedFile) else ()

    def _of_mesh(self, given: str, name: str, mesh: Mesh) -> NDArray[Any]:
        try:
            return mesh.read(given.removeprefix("mesh:"), name)
        except InputFailure as error:
            raise sentence(error) from None

    def _given(self, name: str, value: object, count: int) -> NDArray[Any]:
        try:
            found = array_of(value, name, self.program.memory)
        except InputFailure as error:
            raise sentence(error) from None
        if isinstance(found, Words):
            raise refused(f"{name}: raw patterns are not shown in the studio", "give numbers")
        with np.errstate(over="ignore"):  # a number that is too large is infinite
            rows = np.atleast_2d(np.asarray(found, np.float32))
        if rows.ndim != 2 or not 1 <= rows.shape[1] <= 4 or len(rows) not in (1, count):
            raise refused(
                f"{name} has values of shape {rows.shape}",
                f"give one row of 1 to 4 numbers, or {count} rows, one for each vertex",
            )
        return rows

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return len(self.mesh.arrays["position"])

    @cached_property
    def values(self) -> dict[str, NDArray[Any]]:
        """The data of the inputs by register, contiguous float32: one row for each vertex, or one for all."""
        return self._values(self.inputs, self.vertices)

    @staticmethod
    def _values(rows: Sequence[Bound], count: int) -> dict[str, NDArray[Any]]:
        found = {row.register: np.ascontiguousarray(row.values, np.float32) for row in rows}
        if found and all(len(array) == 1 for array in found.values()):  # nothing says how many vertices there are
            name, array = next(iter(found.items()))
            found[name] = np.repeat(array, count, axis=0)
        return found

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen. Raises InputError."""
        volume = self.subject.volume
        if volume is None:
            return 1, 1
        try:
            width, height, _ = screen_size(volume, self.state.screen)
        except ValueError as error:
            raise refused(str(error)) from None
        return width, height

    @cached_property
    def controls(self) -> Sequence[Control]:
        """The uniforms with their values. Raises InputError."""
        return self._controls(transposed=self.transposed)

    def _controls(self, *, transposed: bool) -> Sequence[Control]:
        state, subject, memory = self.state, self.subject, self.program.memory
        return controls(
            subject.uniforms, state.uniforms, state.camera, subject.volume, self.size, memory, transposed=transposed
        )

    @cached_property
    def transposed(self) -> bool:
        """Whether the program has columns of matrices in its registers, where others have rows: it is tried. Only HLSL and what
        is compiled from it multiply from both sides."""
        volume, state = self.subject.volume, self.state
        own = self.program.is_hlsl or not isinstance(self.subject, PicaSubject)
        followed = any(control.camera for control in self._controls(transposed=False))
        if volume is None or self.subject.stage != "vertex" or self.drawn or state.inputs or not own or not followed:
            return False
        whole = self._own_mesh
        some = np.linspace(0, len(whole.arrays["position"]) - 1, _TRIED).astype(int)
        mesh = Mesh(whole.path, {name: array[some] for name, array in whole.arrays.items()}, None)
        four = np.concatenate([mesh.arrays["position"][:, :3], np.ones((_TRIED, 1))], axis=1)
        expected = four @ matrix("modelviewprojection", state.camera, volume, self.size).T
        nothing = np.zeros((0, 4))

        def run(turned: bool) -> NDArray[np.float64]:
            found = self._positions(mesh, turned=turned)
            return nothing if found is None else found

        return transposed(run, expected)

    # The run

    @cached_property
    def result(self) -> Result:
        """What all vertices give; of both stages what the vertex shader does. Raises InputError."""
        self.stop.check()
        try:
            return self.subject.run(*self.taken)
        except (InputFailure, UsageError) as error:
            raise sentence(error, self.program.name) from None
        except ValueError as error:
            raise refused(str(error)) from None

    @property
    def taken(self) -> tuple[Mapping[str, Any], Mapping[str, Any], int | None]:
        """Inputs, uniforms and, of a draw, the number of vertices, as `Subject.run` takes them."""
        if self.drawn is not None:
            return *self._taken(self.drawn), self.vertices
        return self.values, values_of(self.controls), None

    @property
    def _given_inputs(self) -> Mapping[str, NDArray[Any]]:
        """The inputs that the page sets in place of those of a draw."""
        return {row.register: row.values for row in self.inputs if row.binding not in OF_DRAWS}

    def _given_controls(self, *, geometry: bool) -> list[Control]:
        """The uniforms of a stage that the page sets in place of those of a draw."""
        return [each for each in self.controls if each.given and (each.uniform.stage == GEOMETRY) == geometry]

    def _taken(self, drawn: DrawData) -> tuple[dict[str, Any], dict[str, Any]]:
        """Inputs and uniforms of a draw in every bit, with what the page sets in their place."""
        given = self._given_controls(geometry=False)
        taken = {
            f"{row.register[0]}{int(row.register[1:]) + n}"
            for row in (each.uniform for each in given)
            for n in range(row.registers)
        }
        uniforms = {key: value for key, value in drawn.vertex_uniforms.items() if key not in taken}
        return {**drawn.inputs, **self._given_inputs}, {**uniforms, **values_of(given)}

    def draw_data(self) -> DrawData:
        """The data of the draw, with what the page sets in its place. Raises InputError without a draw."""
        if self.drawn is None:
            raise refused("the state has no draw")
        count = len(self.drawn.vertices)
        inputs = {register: _four(array, count) for register, array in self._given_inputs.items()}
        given = [self._registers(geometry=geometry) for geometry in (False, True)]
        return self.drawn._replace(
            inputs={**self.drawn.inputs, **inputs},
            vertex_uniforms={**self.drawn.vertex_uniforms, **given[0]},
            geometry_uniforms={**self.drawn.geometry_uniforms, **given[1]},
        )

    def request(self, command: str = "run", values: Mapping[str, Value] | None = None, *, drawn: bool = False) -> Request:
        """A request for a service with the data of the state; `drawn`: also with the triangles."""
        files: dict[str, bytes] = {}
        inputs: dict[str, object] = {}
        sent = self.values if self.drawn is None else self._given_inputs
        for number, (register, array) in enumerate(sent.items()):
            if len(array) == 1:
                inputs[register] = plain(array[0])
                continue
            files[f"studio-{number}.npy"] = _npy(array)
            inputs[register] = f"studio-{number}.npy"
        tables = {"inputs": inputs, **(tables_of(self.controls) if self.drawn is None else self._tables_of_draw())}
        files[_DATA] = json.dumps({key: table for key, table in tables.items() if table}).encode()
        chosen: dict[str, Value] = {"data": _DATA, "default": "0"}
        if self.drawn is not None:
            own = self._registers(geometry=True)
            files |= {f"studio-{register}.npy": _npy(array) for register, array in own.items()}
            if own:
                chosen["geometry-uniform"] = tuple([f"{register}=studio-{register}.npy" for register in own])
            if drawn and not self.subject.emits:
                chosen["topology"] = self.state.topology
        elif drawn or self.subject.emits:
            files[_FACES] = _npy(self.stream)
            chosen["indices"] = _FACES
            if self.state.primitive and self.subject.chooses and not self.subject.counts:
                chosen["vertices-per-primitive"] = self.state.primitive
        return self.program.request(command, {**chosen, **(values or {})}, files, self.stop.progress("vertices"))

    def _registers(self, *, geometry: bool) -> dict[str, NDArray[Any]]:
        """The registers of a stage of a draw that the page sets."""
        found: dict[str, NDArray[Any]] = {}
        for control in self._given_controls(geometry=geometry):
            row, value = control.uniform, control.value
            if row.kind == FLOAT:
                first = int(row.register[1:])
                found |= {f"c{first + n}": np.asarray(line, np.float64) for n, line in enumerate(value)}
            else:
                found[row.register] = np.array(bool(value[0])) if row.kind == BOOLEAN else value.reshape(-1).astype(np.int64)
        return found

    def _tables_of_draw(self) -> dict[str, dict[str, object]]:
        """The same of the vertex shader as data files have it."""
        tables: dict[str, dict[str, object]] = {name: {} for name in _TABLES.values()}
        for register, array in self._registers(geometry=False).items():
            table = tables[_TABLES[register[0]]]
            table[register] = plain(array) if register.startswith("c") else array.tolist()
        return tables

    @property
    def stream(self) -> NDArray[np.int64]:
        """The vertices in the order in which they are drawn: those of a geometry shader that takes one each are drawn once, and
        one that takes primitives of different sizes is told the size in front of each."""
        if self.subject.emits and self.takes == 1:
            return np.arange(self.vertices, dtype=np.int64)
        stream = self.faces.reshape(-1)
        if self.drawn is not None or not self.subject.counts:
            return stream
        size = self.takes
        rows = stream[: len(stream) // size * size].reshape(-1, size)
        return np.concatenate([np.full((len(rows), 1), size, np.int64), rows], axis=1).reshape(-1)

    @property
    def takes(self) -> int:
        """How many vertices a primitive of the geometry shader has: as the state says, where its program leaves it open."""
        return self.state.primitive if self.state.primitive and self.subject.chooses else self.subject.takes

    @cached_property
    def scene(self) -> Scene | None:
        """The triangles as the rasterizer gets them, cheaply; None where there are none. Raises InputError."""
        volume = self.subject.volume
        if volume is None or self.subject.stage == "pixel":
            return None
        if self.subject.emits:
            return self.whole_scene
        try:
            return scene_of_lanes(self.result, volume, self.faces)
        except ValueError:
            return None

    @cached_property
    def whole_scene(self) -> Scene | None:
        """The same from the service that also knows what is to blame. Raises InputError."""
        volume, service = self.subject.volume, self.loaded.scene
        if volume is None:
            return None
        try:
            if service is None:
                return scene_of_lanes(self.result, volume, self.faces, trace=self._trace)
            found = service(self.request(drawn=True)).scene
        except (InputFailure, UsageError) as error:
            raise sentence(error, self.program.name) from None
        except ValueError as error:
            raise refused(str(error)) from None
        return found._replace(volume=volume) if isinstance(found, Scene) else None

    def _trace(self, lane: int) -> object:
        service = self.loaded.trace
        return None if service is None else service(self.request(values={"trace": lane})).result

    @cached_property
    def fates(self) -> Fates | None:
        """What becomes of each triangle. Raises InputError."""
        if self.scene is None:
            return None
        self.stop.check()
        _ = self.size
        return fates(self.scene, cull=self.state.cull, screen=self.state.screen)

    def fates_of(self, outputs: Mapping[str, NDArray[Any]]) -> Fates | None:
        """The same for other outputs of the same vertices, those of a run with other uniforms; the numbers of reasons are those
        of `fates`."""
        scene, first = self.scene, self.fates
        if scene is None or first is None or self.subject.emits:
            return None
        corners = {name: np.asarray(outputs[name])[self.faces] for name in scene.outputs if name in outputs}
        moved = scene._replace(position=corners["position"].astype(np.float64), outputs=corners)
        found = fates(moved, cull=self.state.cull, screen=self.state.screen)
        places = np.array([first.codes.index(code) for code in found.codes])
        return Fates(first.codes, np.where(found.number < 0, -1, places[found.number]))


def _named(name: str) -> tuple[float, ...]:
    return next((value for part, value in _NAMED if part in name), (0.0,))


def _four(array: NDArray[Any], count: int) -> NDArray[np.float32]:
    """Values as an input of a draw has them: a row of four components for each vertex."""
    found = np.zeros((count, 4), np.float32)
    found[:, 3] = 1
    found[:, : array.shape[1]] = array
    return found


def _npy(array: NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


__all__ = ["Bound", "Evaluation", "InputError"]
