"""`lanewise run --draw`, `--why` and `-o` for meshes: what the triangles of a run look like, and why nothing is visible."""

from __future__ import annotations

from lanewise.core.diagnostics import InputError, to_json
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.core.service import FLAG, INTEGER, STDIO, TEXT, Answer, Drawn, InputFailure, Option, Request, UsageError
from lanewise.core.suffixes import suffix_of
from lanewise.core.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.core.package import IsaPackage, Loaded
    from lanewise.drawing.scene import Scene

MESHES = (".obj", ".ply", ".csv", ".parquet")
_TABLES = (".csv", ".parquet")  # as `drawing.mesh` writes them
_PICTURES = (".svg", ".png")
_LOOKS = ("view", "color", "shading", "wireframe", "scale")
OPTIONS = (
    Option(
        names=("--draw",),
        kind=TEXT,
        help="draw the triangles as the rasterizer gets them, instead of showing results; .svg or .png",
        metavar="FILE",
    ),
    Option(
        names=("--why",),
        kind=FLAG,
        help="why is nothing visible: what keeps the triangles off the screen, the first instruction to blame, and the fix; "
        "--explain shows the rest",
    ),
    Option(
        names=("--cull",),
        kind=TEXT,
        help="with --draw and --why: the faces that are left out (default: back, or as a recorded draw says)",
        metavar="",
        choices=("none", "back", "front"),
    ),
    Option(
        names=("--screen",),
        kind=TEXT,
        help="with --draw and --why: top or bottom of a 3DS, as they are built in, or the size of another target (default: the "
        "first that there is)",
        metavar="NAME|WxH",
    ),
    Option(
        names=("--view",),
        kind=TEXT,
        help="with --draw: the screen (default), or clip space with what lies outside the volume",
        metavar="",
        choices=("screen", "clip"),
    ),
    Option(
        names=("--color",),
        kind=TEXT,
        help="with --draw: the output that gives the colours, face (by direction) or depth (default: the vertex colour; face "
        "where there is none)",
        metavar="NAME",
    ),
    Option(
        names=("--shading",),
        kind=TEXT,
        help="with --draw: colours between the corners, or one for each triangle (default: smooth)",
        metavar="",
        choices=("smooth", "flat"),
    ),
    Option(names=("--wireframe",), kind=FLAG, help="with --draw: the edges only"),
    Option(
        names=("--scale",),
        kind=INTEGER,
        help="with --draw: pixels of the picture for one of the screen, 1 to 8 (default: 2)",
        metavar="N",
    ),
)
_OWN = tuple([option.key for option in OPTIONS])


class Wanted(Record):
    """The options of a request that are about triangles."""

    picture: str
    """The path of a drawing; empty for none."""
    why: bool
    """Whether to find why nothing is visible."""
    explain: bool
    """Whether to show how the value was made, and all counts."""
    mesh: str
    """The path of a mesh; empty for none."""
    rows: bool
    """Whether the mesh is a row of CSV for each lane, which takes no triangles."""
    as_json: bool
    """Whether the answer is for a program to read."""
    indices: str
    """The corners of the triangles of lanes that are vertices, or `all`."""
    topology: str
    """How corners are triangles."""
    cull: str
    """The faces that are left out; empty for those that the input leaves out, or else the back."""
    screen: str
    """The name or size of the target; empty for the first."""
    view: str
    """Of a drawing, as are the following: the screen, or clip space."""
    colour: str
    """The output that gives the colours; empty for the default."""
    shading: str
    """Whether colours are between the corners or one for each triangle."""
    wireframe: bool
    """Whether only edges are drawn."""
    scale: int
    """Pixels for one of the screen."""


def wanted(request: Request, loaded: Loaded, package: IsaPackage) -> Wanted | None:
    """The part of a request about triangles: a drawing, reasons or a mesh; None for results or a trace. Raises UsageError for
    options that do not go together."""
    output, picture, why = request.text("output"), request.text("draw"), request.flag("why")
    suffix, drawn = suffix_of(output), request.has("draw")
    mesh = output if suffix in MESHES and not request.has("trace") else ""
    for option in _LOOKS:
        if request.has(option) and not drawn:
            raise UsageError(f"--{option} goes with --draw FILE")
    for option in ("cull", "screen"):
        if request.has(option) and not (drawn or why):
            raise UsageError(f"--{option} goes with --draw FILE or --why")
    if (drawn or why) and request.has("trace"):
        raise UsageError("--trace shows one vertex or run: leave out --draw and --why")
    if why and request.text("explain"):
        raise UsageError(f"--explain {request.text('explain')} goes with --trace: leave out the component with --why")
    if drawn and suffix_of(picture) not in _PICTURES and picture != STDIO:
        if picture.replace("/", "").isdecimal() and _holds_several(loaded):
            where = f"write {request.name}:{picture}{f' --draw {picture}.png'.replace('/', '_') if not why else ' --why'}"
            raise UsageError(f"--draw {picture}: --draw FILE is for a picture, a draw is named after its file: {where}")
        raise UsageError(
            f"--draw {picture}: a drawing is an .svg or a .png, such as {picture.removesuffix(suffix_of(picture))}.svg"
        )
    for option in ("all", "bits", "registers", "rasterized"):
        if request.has(option) and (drawn or why or mesh):
            raise UsageError(f"--{option} is about the table of results, which --draw, --why and meshes replace: leave it out")
    if (drawn or why) and output and not mesh:
        raise UsageError(f"-o {output}: with --draw and --why the output is a mesh, .obj, .ply, .csv or .parquet; leave out -o")
    of_triangles = ("topology",) if package.indexed else ("topology", "indices")  # options that a run of lanes does not read
    if not (drawn or why or mesh):
        for option in of_triangles if loaded.scene is None else ():
            if request.has(option):
                raise UsageError(f"--{option} goes with --draw FILE, --why or -o of a mesh")
        return None
    return Wanted(
        picture=picture,
        why=why,
        explain=request.has("explain"),
        mesh=mesh,
        rows=suffix in _TABLES and not (drawn or why or any(request.has(key) for key in of_triangles)),
        as_json=request.as_json,
        indices="all" if package.indexed else request.text("indices", "all"),
        topology=request.text("topology", "triangles"),
        cull=request.text("cull"),
        screen=request.text("screen"),
        view=request.text("view", "screen"),
        colour=request.text("color"),
        shading=request.text("shading", "smooth"),
        wireframe=request.flag("wireframe"),
        scale=request.integer("scale", 2),
    )


def _holds_several(loaded: Loaded) -> bool:
    """Whether a file needs the name of one of its programs."""
    try:
        _ = loaded.program
    except InputError as error:
        return [each.code for each in error.diagnostics] == ["B010"]
    return False


def drawn(wanted: Wanted, loaded: Loaded, package: IsaPackage, request: Request) -> Answer:
    """The drawing, the reasons, the mesh: what a request wants of the triangles of a program. Raises UsageError, InputFailure,
    InputError."""
    from lanewise.drawing.scene import Scene

    table = _table(wanted, loaded.run, package, request) if loaded.run is not None and wanted.rows else None
    if table is not None:
        return table
    if loaded.scene is None and (package.volume is None or loaded.run is None):
        raise UsageError(f"{package.title} has no triangles to draw or to write as a mesh")
    found = loaded.scene(request) if loaded.scene is not None else _of_lanes(wanted, loaded, package, request)
    if not isinstance(found.scene, Scene):
        raise TypeError("an instruction set gave something else than a Scene")
    return _answer(wanted, found, found.scene)


def _table(wanted: Wanted, run: Callable[[Request], Answer], package: IsaPackage, request: Request) -> Answer | None:
    """The outputs of all lanes of a run as CSV or Parquet, in the columns of `Result.to_pandas`; None for a run whose result is
    triangles. Raises UsageError."""
    from lanewise.arrays.frames import result_columns
    from lanewise.arrays.results import Result
    from lanewise.drawing.mesh import table_bytes

    path, answer = wanted.mesh, run(_without(request, ("output", "format")))
    result = answer.result
    if not isinstance(result, Result):
        return None
    files = ((path, table_bytes(result_columns(result), suffix_of(path))),)
    if wanted.as_json:
        data: dict[str, object] = {
            "mesh": {"file": path, "vertices": result.lanes, "triangles": 0, "left_out": []},
            "diagnostics": [to_json(finding) for finding in (*answer.first, *answer.last)],
        }
        return Answer(data=data, files=files, failed=answer.failed, schema="triangles")
    text = f"{path}: {counted(result.lanes, 'row')}\n"
    return Answer(text=text, first=answer.first, last=answer.last, remarks=answer.remarks, files=files, failed=answer.failed)


def _of_lanes(wanted: Wanted, loaded: Loaded, package: IsaPackage, request: Request) -> Drawn:
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
    faces = None if wanted.indices == "all" else read_value(wanted.indices, "--indices", request.files)
    if isinstance(faces, Words):
        raise InputFailure("--indices: words: is for patterns of numbers, indices are whole numbers")

    def trace(lane: int) -> object:
        return None if follow is None else follow(_without(request, own, trace=lane)).result

    try:
        scene = scene_of_lanes(answer.result, volume, faces, wanted.topology, trace)
    except ValueError as error:
        raise InputFailure(f"{loaded.name}: {error}") from None
    return Drawn(scene=scene, first=answer.first, last=answer.last, failed=answer.failed)


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


def _answer(wanted: Wanted, drawn: Drawn, scene: Scene) -> Answer:
    files: list[tuple[str, bytes]] = []
    text: list[str] = []
    data: dict[str, object] = {}
    remarks = list(drawn.remarks)
    wanted = wanted._replace(cull=wanted.cull or drawn.cull or "back")
    try:
        if wanted.picture:
            content, title, empty = _picture(wanted, scene)
            files.append((wanted.picture, content))
            more = "; --why instead of --draw names the reason" if empty and not wanted.why else ""
            text.append(f"{wanted.picture}: {title}{more}")
            data["drawing"] = {"file": wanted.picture, "title": title}
        if wanted.why:
            from lanewise.drawing.visibility import visibility

            if scene.parts:
                raise UsageError("--why is about one draw: name it")
            found = visibility(scene, cull=wanted.cull, screen=wanted.screen)
            text.append(found.text(short=not wanted.explain))
            data["visibility"] = found.to_json()
    except ValueError as error:
        raise UsageError(str(error)) from None
    if wanted.mesh:
        from lanewise.drawing.mesh import mesh_bytes

        path = wanted.mesh
        content, lost = mesh_bytes(scene, suffix_of(path))
        files.append((path, content))
        vertices = len(scene.rows()[0]) + (len(scene.loose()) if suffix_of(path) in _TABLES else 0)
        text.append(f"{path}: {counted(vertices, 'vertex', 'vertices')}, {counted(scene.triangles, 'triangle')}")
        data["mesh"] = {"file": path, "vertices": vertices, "triangles": scene.triangles, "left_out": list(lost)}
        remarks += [f"{path}: {line}" for line in lost]
    if wanted.as_json:
        data["diagnostics"] = [to_json(finding) for finding in (*drawn.first, *drawn.last)]
        return Answer(data=data, remarks=tuple(remarks), files=tuple(files), failed=drawn.failed, schema="triangles")
    lines = "\n".join(text).rstrip("\n") + "\n"
    return Answer(
        text=lines, first=drawn.first, last=drawn.last, remarks=tuple(remarks), files=tuple(files), failed=drawn.failed
    )


def _picture(wanted: Wanted, scene: Scene) -> tuple[bytes, str, bool]:
    """The bytes of a drawing, what it shows, and whether that is nothing. Raises ValueError, InputFailure."""
    from lanewise.drawing.layers import needs_layers
    from lanewise.drawing.picture import Look, draw
    from lanewise.drawing.png import NoPillow, TooDense, as_png
    from lanewise.drawing.svg import TooManyPolygons, as_svg

    path, wireframe = wanted.picture, wanted.wireframe
    look = Look(
        view=wanted.view,
        screen=wanted.screen,
        cull=wanted.cull,
        colour=wanted.colour,
        shading=wanted.shading,
        wireframe=wireframe,
        scale=wanted.scale,
    )
    drawing = draw(scene, look)
    if drawing.layers and not wireframe and suffix_of(path) != ".png" and needs_layers(drawing):
        raise InputFailure(f"{path}: these draws have different depth tests, which a drawing in lines cannot show: draw a .png")
    try:
        if suffix_of(path) == ".png":
            return as_png(drawing, wireframe=wireframe), drawing.title, not drawing.drawn
        return as_svg(drawing, wireframe=wireframe).encode(), drawing.title, not drawing.drawn
    except (NoPillow, TooDense, TooManyPolygons) as error:
        raise InputFailure(f"{path}: {error}") from None
