"""`lanewise run --draw`, `--why` and `-o` for meshes: what the triangles of a run look like, and why nothing is visible."""

from __future__ import annotations

from pathlib import PurePath

from lanewise.core.diagnostics import to_json
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import FLAG, INTEGER, STDIO, TEXT, Answer, Drawn, InputFailure, Option, Request, UsageError
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.drawing.scene import Scene

MESHES = (".obj", ".ply", ".csv")
_PICTURES = (".svg", ".png")
_LOOKS = ("view", "color", "shading", "wireframe", "scale")
OPTIONS = (
    Option(
        ("--draw",), TEXT, "draw the triangles as the rasterizer gets them, instead of showing results; .svg or .png", "FILE"
    ),
    Option(
        ("--why",), FLAG, "why is nothing visible: what keeps the triangles off the screen, and the first instruction to blame"
    ),
    Option(
        ("--cull",), TEXT, "with --draw and --why: the faces that are left out (default: back)", "", ("none", "back", "front")
    ),
    Option(
        ("--screen",),
        TEXT,
        "with --draw and --why: top or bottom of a 3DS, as they are built in, or the size of another target (default: the "
        "first that there is)",
        "NAME|WxH",
    ),
    Option(
        ("--view",),
        TEXT,
        "with --draw: the screen (default), or clip space with what lies outside the volume",
        "",
        ("screen", "clip"),
    ),
    Option(
        ("--color",),
        TEXT,
        "with --draw: the output that gives the colours, face (by direction) or depth (default: the vertex colour; face where "
        "there is none)",
        "NAME",
    ),
    Option(
        ("--shading",),
        TEXT,
        "with --draw: colours between the corners, or one for each triangle (default: smooth)",
        "",
        ("smooth", "flat"),
    ),
    Option(("--wireframe",), FLAG, "with --draw: the edges only"),
    Option(("--scale",), INTEGER, "with --draw: pixels of the picture for one of the screen, 1 to 8 (default: 2)", "N"),
)
_OWN = tuple([option.key for option in OPTIONS])


def wanted(request: Request) -> bool:
    """Whether a request is for triangles: a drawing, reasons or a mesh. Raises UsageError for options that do not go
    together."""
    mesh = PurePath(request.text("output")).suffix.lower() in MESHES and not request.has("trace")
    drawn, why = request.has("draw"), request.flag("why")
    for option in _LOOKS:
        if request.has(option) and not drawn:
            raise UsageError(f"--{option} goes with --draw FILE")
    for option in ("cull", "screen"):
        if request.has(option) and not (drawn or why):
            raise UsageError(f"--{option} goes with --draw FILE or --why")
    if (drawn or why) and request.has("trace"):
        raise UsageError("--trace shows one vertex or run: leave out --draw and --why")
    path = request.text("draw")
    if drawn and PurePath(path).suffix.lower() not in _PICTURES and path != STDIO:
        raise UsageError(f"--draw {path}: a drawing is an .svg or a .png")
    for option in ("all", "bits", "registers", "rasterized"):
        if request.has(option) and (drawn or why or mesh):
            raise UsageError(f"--{option} is about the table of results, which --draw, --why and meshes replace: leave it out")
    if (drawn or why) and request.text("output") and not mesh:
        raise UsageError(
            f"-o {request.text('output')}: with --draw and --why the output is a mesh, .obj, .ply or .csv; leave out -o"
        )
    return mesh or drawn or why


def refuse(loaded: Loaded, package: IsaPackage, request: Request) -> None:
    """Raise UsageError for options about triangles that a run without them does not read."""
    own = () if loaded.scene is not None else ("topology",) if package.indexed else ("topology", "indices")
    for option in own:
        if request.has(option):
            raise UsageError(f"--{option} goes with --draw FILE, --why or -o of a mesh")


def drawn(loaded: Loaded, package: IsaPackage, request: Request) -> Answer:
    """The drawing, the reasons, the mesh: what a request wants of the triangles of a program. Raises UsageError, InputFailure,
    InputError."""
    from lanewise.drawing.scene import Scene

    if loaded.scene is None and loaded.run is not None and _is_table(package, request):
        return _table(loaded.run, package, request)
    if loaded.scene is None and (package.volume is None or loaded.run is None):
        raise UsageError(f"{package.title} has no triangles to draw or to write as a mesh")
    found = loaded.scene(request) if loaded.scene is not None else _of_lanes(loaded, package, request)
    if not isinstance(found.scene, Scene):
        raise TypeError("an instruction set gave something else than a Scene")
    return _answer(request, found, found.scene)


def _is_table(package: IsaPackage, request: Request) -> bool:
    """Whether a request is for a row of CSV for each lane, which takes no triangles."""
    others = ("draw", "why", "topology", *(() if package.indexed else ("indices",)))
    return PurePath(request.text("output")).suffix.lower() == ".csv" and not any(request.has(key) for key in others)


def _table(run: Callable[[Request], Answer], package: IsaPackage, request: Request) -> Answer:
    """The outputs of all lanes of a run as CSV."""
    import numpy as np

    from lanewise.arrays.results import Result
    from lanewise.drawing.mesh import columns_of, table_bytes
    from lanewise.drawing.volume import Volume

    path, answer = request.text("output"), run(_without(request, ("output", "format")))
    result, volume = answer.result, package.volume() if package.volume is not None else None
    if not isinstance(result, Result):
        raise UsageError(f"{package.title}: the run has no result to write as .csv")
    colour = volume.colour if isinstance(volume, Volume) else ""
    columns = columns_of({port.name: result.outputs[port.name] for port in result.ports}, colour)
    if result.killed is not None:
        columns["killed"] = result.killed
    what = "vertex" if result.killed is None else "pixel"
    files = ((path, table_bytes(np.arange(result.lanes), columns, what)),)
    if request.as_json:
        data: dict[str, object] = {
            "mesh": {"file": path, "vertices": result.lanes, "triangles": 0, "left_out": []},
            "diagnostics": [to_json(finding) for finding in (*answer.first, *answer.last)],
        }
        return Answer(data, files=files, failed=answer.failed, schema="triangles")
    text = f"{path}: {counted(result.lanes, 'row')}\n"
    return Answer(text=text, first=answer.first, last=answer.last, remarks=answer.remarks, files=files, failed=answer.failed)


def _of_lanes(loaded: Loaded, package: IsaPackage, request: Request) -> Drawn:
    """The triangles of a run whose lanes are vertices."""
    from lanewise.arrays.results import Result
    from lanewise.arrays.values import read_value
    from lanewise.arrays.words import Words
    from lanewise.drawing.lanes import scene_of_lanes
    from lanewise.drawing.volume import Volume

    run, follow = loaded.run, loaded.trace
    volume = package.volume() if package.volume is not None else None
    if run is None or not isinstance(volume, Volume):
        raise TypeError(f"{package.title} has no volume")
    own = (*_OWN, "output", "format", "topology", *(() if package.indexed else ("indices",)))
    answer = run(_without(request, own))
    if not isinstance(answer.result, Result):
        raise UsageError(f"{package.title}: the run has no result to draw")
    text = "all" if package.indexed else request.text("indices", "all")
    faces = None if text == "all" else read_value(text, "--indices", request.files)
    if isinstance(faces, Words):
        raise InputFailure("--indices: words: is for patterns of numbers, indices are whole numbers")

    def trace(lane: int) -> object:
        return None if follow is None else follow(_without(request, own, trace=lane)).result

    try:
        scene = scene_of_lanes(answer.result, volume, faces, request.text("topology", "triangles"), trace)
    except ValueError as error:
        raise InputFailure(f"{loaded.name}: {error}") from None
    return Drawn(scene, answer.first, answer.last, answer.failed)


def _without(request: Request, keys: tuple[str, ...], **more: int) -> Request:
    """The same request without some options."""
    values = {key: value for key, value in request.values.items() if key not in keys}
    return Request(
        request.command,
        request.sources,
        {**values, **more},
        language=request.language,
        files=request.files,
        read_included=request.read_included,
        progress=request.progress,
    )


def _answer(request: Request, drawn: Drawn, scene: Scene) -> Answer:
    files: list[tuple[str, bytes]] = []
    text: list[str] = []
    data: dict[str, object] = {}
    remarks: list[str] = []
    try:
        if request.has("draw"):
            content, title, empty = _picture(request, scene)
            files.append((request.text("draw"), content))
            more = "; --why instead of --draw names the reason" if empty and not request.flag("why") else ""
            text.append(f"{request.text('draw')}: {title}{more}")
            data["drawing"] = {"file": request.text("draw"), "title": title}
        if request.flag("why"):
            from lanewise.drawing.visibility import visibility

            found = visibility(scene, cull=request.text("cull", "back"), screen=request.text("screen"))
            text.append(found.text())
            data["visibility"] = found.to_json()
    except ValueError as error:
        raise UsageError(str(error)) from None
    if request.text("output"):
        from lanewise.drawing.mesh import mesh_bytes

        path = request.text("output")
        content, lost = mesh_bytes(scene, PurePath(path).suffix.lower())
        files.append((path, content))
        vertices = len(scene.rows()[0]) + (len(scene.loose()) if PurePath(path).suffix.lower() == ".csv" else 0)
        text.append(f"{path}: {counted(vertices, 'vertex', 'vertices')}, {counted(scene.triangles, 'triangle')}")
        data["mesh"] = {"file": path, "vertices": vertices, "triangles": scene.triangles, "left_out": list(lost)}
        remarks += [f"{path}: {line}" for line in lost]
    if request.as_json:
        data["diagnostics"] = [to_json(finding) for finding in (*drawn.first, *drawn.last)]
        return Answer(data, remarks=tuple(remarks), files=tuple(files), failed=drawn.failed, schema="triangles")
    lines = "\n".join(text).rstrip("\n") + "\n"
    return Answer(
        text=lines, first=drawn.first, last=drawn.last, remarks=tuple(remarks), files=tuple(files), failed=drawn.failed
    )


def _picture(request: Request, scene: Scene) -> tuple[bytes, str, bool]:
    """The bytes of a drawing, what it shows, and whether that is nothing. Raises ValueError, InputFailure."""
    from lanewise.drawing.picture import Look, draw
    from lanewise.drawing.png import NoPillow, TooDense, as_png
    from lanewise.drawing.svg import TooManyPolygons, as_svg

    path, wireframe = request.text("draw"), request.flag("wireframe")
    look = Look(
        request.text("view", "screen"),
        request.text("screen"),
        request.text("cull", "back"),
        request.text("color"),
        request.text("shading", "smooth"),
        wireframe,
        request.integer("scale", 2),
    )
    drawing = draw(scene, look)
    try:
        if PurePath(path).suffix.lower() == ".png":
            return as_png(drawing, wireframe=wireframe), drawing.title, not drawing.drawn
        return as_svg(drawing, wireframe=wireframe).encode(), drawing.title, not drawing.drawn
    except (NoPillow, TooDense, TooManyPolygons) as error:
        raise InputFailure(f"{path}: {error}") from None
