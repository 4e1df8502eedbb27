"""The inputs and uniforms of a request for the PICA200: of options, a data file, a mesh, vertex buffers."""

from __future__ import annotations

from lanewise.arrays.data import option_values
from lanewise.arrays.words import Words
from lanewise.core.diagnostics import INPUT, Diagnostic
from lanewise.core.extras import require_numpy
from lanewise.core.origins import Origin, placed
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import InputFailure, UsageError
from lanewise.pica200.api.direction_warnings import direction_warnings
from lanewise.pica200.api.meant_warnings import meant_warnings
from lanewise.pica200.api.services.buffers import buffers_of
from lanewise.pica200.api.value_warnings import value_warnings
from lanewise.pica200.api.vertex_warnings import vertex_warnings
from lanewise.pica200.engine.names import INPUT_FILES, UNIFORM_FILES, find
from lanewise.pica200.isa.table import register_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from lanewise.arrays.data import RunData
    from lanewise.arrays.mesh import Mesh
    from lanewise.core.origins import Origins
    from lanewise.core.service import Request
    from lanewise.drawing.camera import Camera
    from lanewise.pica200.api.services.buffers import VertexBuffers
    from lanewise.pica200.api.shader import Shader
    from lanewise.pica200.isa.program import Alias, Uniform
    from lanewise.pica200.sem.profile import Profile

    Values = dict[str, NDArray[Any] | Words]


class Given(Record):
    """The values that a request has for a vertex shader."""

    inputs: Values
    """By name or register."""
    uniforms: Values
    """By name or register."""
    buffers: VertexBuffers
    """The files of vertices that some of the inputs are from."""
    mesh: Mesh | None
    """The mesh that some of the inputs are from."""
    findings: list[Diagnostic]
    """Warnings about the values."""


def values_of(request: Request, shader: Shader, data: RunData) -> Given:
    """The inputs and the uniforms of a request and its data file. Raises UsageError, InputFailure, InputError."""
    from lanewise.arrays.values import read_settings

    mesh = _mesh(request)
    given = request.texts("input")
    inputs = option_values(request, "input", mesh=mesh)
    buffers = buffers_of(request)
    fetched, warnings = buffers.fetched()
    for name, array in fetched.items():
        if name in inputs:
            raise UsageError(f"{name} is given twice: by --input and by --attribute")
        inputs[name] = array
    inputs |= _without(data.inputs, inputs, shader.input_names, INPUT_FILES)
    if mesh is not None:
        found = _of_mesh(mesh, shader, inputs, given)
        request.origins.update({(INPUT, name): Origin(file=request.text("mesh")) for name in found})
        inputs |= found
    uniforms: Values = {}
    for path in request.texts("uniforms"):
        uniforms |= read_settings(path, request.files, request.origins)
    uniforms |= option_values(request, "uniform", mesh=mesh)
    uniforms |= _without(data.constants, uniforms, shader.uniform_names, UNIFORM_FILES)
    if request.has("camera"):
        uniforms |= _of_camera(request, mesh, shader, uniforms)
    findings = [*warnings, *(mesh.warnings(request.text("cull"), uniforms.values()) if mesh is not None else ())]
    return Given(inputs=inputs, uniforms=uniforms, buffers=buffers, mesh=mesh, findings=findings)


def _mesh(request: Request) -> Mesh | None:
    """The mesh of a request, if there is one. Raises InputFailure."""
    if not request.text("mesh"):
        return None
    require_numpy("--mesh")
    from lanewise.arrays.mesh import SUFFIXES, read_mesh

    path, tables = request.text("mesh"), request.texts("uniforms")
    meshes = [table for table in tables if table.lower().endswith(tuple(SUFFIXES))]
    if meshes and not path.lower().endswith(tuple(SUFFIXES)):
        raise InputFailure(f"{path} is no mesh and {meshes[0]} is one: exchange them, --mesh {meshes[0]} --uniforms {path}")
    return read_mesh(path, request.files)


def _without(
    data: Mapping[str, Any], options: Values, names: tuple[Uniform | Alias, ...], files: Sequence[tuple[str, int, int]]
) -> Values:
    """The values of a data file in registers that no option gives: rows for bare registers are apart, as dumps list whole files
    of them."""
    found: Values = {}
    taken: set[int] = set()
    for key in options:
        place = find(key, names, tuple(files))
        taken |= (
            set(range(place.first, place.last + 1)) if place is not None and place.whole else {place.first} if place else set()
        )
    for key, value in data.items():
        place = find(key, names, tuple(files))
        array = value.array if isinstance(value, Words) else value
        if place is not None and not place.whole and array.ndim == 2 and len(array) > place.size and files != INPUT_FILES:
            found[key] = value  # past the last register: an error, which is that of the values
            continue
        if place is not None and not place.whole and array.ndim == 2 and files != INPUT_FILES:
            rows = {register_name(register) for register in range(place.first + 1, place.first + len(array))}
            if rows & data.keys():  # given twice: likewise
                found[key] = value
                continue
        if place is None or place.whole or array.ndim != 2 or files == INPUT_FILES:
            if place is None or place.first not in taken:
                found[key] = value
            continue
        for register, row in enumerate(array, place.first):
            if register not in taken:
                found[register_name(register)] = Words(row) if isinstance(value, Words) else row
    return found


def _of_mesh(mesh: Mesh, shader: Shader, inputs: Values, given: Sequence[str]) -> Mapping[str, NDArray[Any]]:
    """The properties of a mesh for the inputs that have no data yet. Raises UsageError, InputFailure where there is no use for
    them."""
    free = [binding.name for binding in shader.inputs if binding.name not in inputs and binding.register not in inputs]
    bound = mesh.bind(free)
    used = any("=mesh:" in text or "words:mesh:" in text for text in given)
    if not used and not free and shader.inputs:
        raise UsageError(
            "--mesh has no effect: every input has its data already. Leave out --mesh, or the data that it replaces"
        )
    if not bound and not used:
        names = ", ".join(binding.name for binding in shader.inputs) or "none that is named"
        raise InputFailure(
            f"no input of {shader.name} looks like one for {', '.join(mesh.arrays)} (it has {names}): "
            "use --input NAME=mesh:position"
        )
    return bound


def _of_camera(request: Request, mesh: Mesh | None, shader: Shader, uniforms: Values) -> Values:
    """The matrices of a camera for the uniforms that have no value yet. Raises UsageError where there is no use for them, or
    for values that are none."""
    require_numpy("--camera")
    from lanewise.drawing.camera import ROWS, matrix_named
    from lanewise.drawing.camera_matrices import fitted, matrix
    from lanewise.pica200.api.scene import VOLUME

    camera = camera_of(request.text("camera"))
    position = mesh.arrays.get("position") if mesh is not None else None
    if position is not None and len(position):
        distance = camera.distance
        camera = fitted(camera, position.min(axis=0), position.max(axis=0))
        if request.text("camera").count(",") == 2:
            camera = camera._replace(distance=distance, far=max(camera.far, 4 * distance))
    matrices = [binding for binding in shader.uniforms if binding.size in ROWS and binding.register.startswith("c")]
    free = [each for each in matrices if each.name not in uniforms and each.register not in uniforms]
    named = {each.name: (matrix_named(each.name, each.register, alone=len(matrices) == 1), each.size) for each in free}
    screens = [(width, height) for name, width, height in VOLUME.screens if request.text("screen") in ("", name)]
    size = next(iter(screens), VOLUME.screens[0][1:])
    found: Values = {name: matrix(bound, camera, VOLUME, size)[:rows] for name, (bound, rows) in named.items() if bound}
    if not found:
        names = ", ".join([each.name for each in matrices]) or "no matrices"
        raise UsageError(
            f"--camera has no effect: {shader.name} has {names}, none of which is without a value and named like a matrix of a "
            "camera, such as projection, modelView or mvp"
        )
    return found


def camera_of(text: str) -> Camera:
    """The camera of `YAW,PITCH[,DISTANCE]`, in degrees; the usual one of an empty text. Raises UsageError."""
    from math import radians

    from lanewise.drawing.camera import Camera

    try:
        numbers = [float(part) for part in text.split(",")] if text else []
    except ValueError:
        numbers = [0.0]
    if len(numbers) not in (0, 2, 3) or not all(-1e6 < number < 1e6 for number in numbers) or (numbers[2:] and numbers[2] <= 0):
        raise UsageError(f"--camera {text}: expected degrees around and above, and a distance, such as 34,23 or 34,23,5")
    usual = Camera()
    if not numbers:
        return usual
    return usual._replace(yaw=radians(numbers[0]), pitch=radians(numbers[1]), distance=(*numbers, usual.distance)[2])


def warned(given: Given, shader: Shader, profile: Profile, origins: Origins) -> list[Diagnostic]:
    """Warnings about values of a request: numbers that the format of a profile cannot hold, transposed matrices, and values
    that a console does not see so."""
    found = value_warnings(given.inputs, given.uniforms, shader, profile)
    found += [*meant_warnings(given.uniforms, shader, profile), *vertex_warnings(given.inputs, given.uniforms, shader, profile)]
    found += direction_warnings(given.inputs, given.uniforms, shader, profile)
    return placed(found, origins)
