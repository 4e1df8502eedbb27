"""`lanewise run --draw`, `--why` and `-o` for meshes: what the triangles of a run look like, and why nothing is visible."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from lanewise.core.diagnostics import to_json
from lanewise.core.service import FLAG, INTEGER, STDIO, TEXT, Answer, InputFailure, Option, UsageError

if TYPE_CHECKING:
    from lanewise.core.service import Drawn, Request
    from lanewise.drawing.scene import Scene

MESHES = (".obj", ".ply", ".csv")
_PICTURES = (".svg", ".png")
_LOOKS = ("view", "color", "shading", "wireframe", "scale")
OPTIONS = (
    Option(("--draw",), TEXT, "draw the triangles as the rasterizer gets them, instead of showing results; .svg or .png", "FILE"),
    Option(("--why",), FLAG, "why is nothing visible: what keeps the triangles off the screen, and the first instruction to blame"),
    Option(("--cull",), TEXT, "with --draw and --why: the faces that are left out (default: back)", "", ("none", "back", "front")),
    Option(("--screen",), TEXT, "with --draw and --why: top or bottom of a 3DS, as they are built in, or the size of another target (default: the first that there "
           "is)", "NAME|WxH"),
    Option(("--view",), TEXT, "with --draw: the screen (default), or clip space with what lies outside the volume", "", ("screen", "clip")),
    Option(("--color",), TEXT, "with --draw: the output that gives the colours, face (by direction) or depth (default: the vertex colour; face where "
           "there is none)", "NAME"),
    Option(("--shading",), TEXT, "with --draw: colours between the corners, or one for each triangle (default: smooth)", "", ("smooth", "flat")),
    Option(("--wireframe",), FLAG, "with --draw: the edges only"),
    Option(("--scale",), INTEGER, "with --draw: pixels of the picture for one of the screen, 1 to 8 (default: 2)", "N"),
)  # fmt: skip


def wanted(request: Request) -> bool:
    """Whether a request is for triangles: a drawing, reasons or a mesh. Raises UsageError for options that do not go together."""
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
    if (drawn or why) and request.text("output") and not mesh:
        raise UsageError(
            f"-o {request.text('output')}: with --draw and --why the output is a mesh, .obj, .ply or .csv; leave out -o"
        )
    return mesh or drawn or why


def answer(request: Request, drawn: Drawn) -> Answer:
    """The drawing, the reasons, the mesh: what a request wants of triangles. Raises UsageError, InputFailure."""
    from lanewise.drawing.scene import Scene

    scene = drawn.scene
    if not isinstance(scene, Scene):
        raise TypeError("an instruction set gave something else than a Scene")
    files: list[tuple[str, bytes]] = []
    text: list[str] = []
    data: dict[str, object] = {}
    remarks: list[str] = []
    try:
        if request.has("draw"):
            content, title = _picture(request, scene)
            files.append((request.text("draw"), content))
            text.append(f"{request.text('draw')}: {title}")
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
        text.append(f"{path}: {len(scene.rows()[0])} vertices, {scene.triangles} triangles")
        data["mesh"] = {"file": path, "vertices": len(scene.rows()[0]), "triangles": scene.triangles, "left_out": list(lost)}
        remarks += [f"{path}: {line}" for line in lost]
    if request.as_json:
        found = [to_json(finding) for finding in (*drawn.first, *drawn.last)]
        data = {"schema": "lanewise/triangles/1", "isa": drawn.isa, **data, "diagnostics": found}
        return Answer(data, remarks=tuple(remarks), files=tuple(files), failed=drawn.failed)
    lines = "\n".join(text).rstrip("\n") + "\n"
    return Answer(
        text=lines, first=drawn.first, last=drawn.last, remarks=tuple(remarks), files=tuple(files), failed=drawn.failed
    )


def _picture(request: Request, scene: Scene) -> tuple[bytes, str]:
    """The bytes of a drawing, and what it shows. Raises ValueError, InputFailure."""
    from lanewise.drawing.picture import Look, draw
    from lanewise.drawing.png import NoPillow, TooDense, as_png
    from lanewise.drawing.svg import TooManyPolygons, as_svg

    path, wireframe = request.text("draw"), request.flag("wireframe")
    look = Look(
        request.text("view", "screen"), request.text("screen"), request.text("cull", "back"), request.text("color"),
        request.text("shading", "smooth"), wireframe, request.integer("scale", 2),
    )  # fmt: skip
    drawing = draw(scene, look)
    try:
        if PurePath(path).suffix.lower() == ".png":
            return as_png(drawing, wireframe=wireframe), drawing.title
        return as_svg(drawing, wireframe=wireframe).encode(), drawing.title
    except NoPillow:
        raise InputFailure(f"{path}: writing PNG needs Pillow: pip install 'lanewise[draw]', or draw an .svg") from None
    except TooDense:
        raise InputFailure(
            f"{path}: the triangles cover each other too often to find the nearest: draw with --wireframe, or fewer of them"
        ) from None
    except TooManyPolygons as error:
        raise InputFailure(
            f"{path}: an SVG of {error} polygons is too large to open: draw a .png, or without --wireframe"
        ) from None
