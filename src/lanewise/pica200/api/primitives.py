"""What a pipeline gives: `Primitives`, and how the rasterizer sees them."""

from __future__ import annotations

import numpy as np

from lanewise.arrays.results import renamed
from lanewise.core.diagnostics import PortableError, render
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.rasterized import wired

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.drawing.scene import Scene
    from lanewise.drawing.visibility import Visibility
    from lanewise.pica200.api.interface import OutputBinding
    from lanewise.pica200.api.scene import Origin
    from lanewise.pica200.engine.geometry import Notes
    from lanewise.pica200.engine.reference import Fault
    from lanewise.pica200.engine.results import ShaderResult
    from lanewise.pica200.isa.outmap import OutputMap
    from lanewise.pica200.sem.profile import Profile


class StageFault(Record):
    """A vertex, or a run of the geometry shader, that stopped without `end`: `stage` is `vertex` or `geometry`."""

    stage: str
    number: int
    fault: Fault


class Primitives(Record):
    """The triangles of a pipeline, in the order in which they are drawn.

    Arrays are (triangles, 3, components) by semantic or register. A component that was not written is 0, or what was left
    there.
    """

    triangles: int
    "Number of primitives."
    outputs: Mapping[str, NDArray[np.float32]]
    "Values as float32."
    bits: Mapping[str, NDArray[np.uint32]]
    "Patterns of the values in the format of the profile, as uint32."
    written: Mapping[str, NDArray[np.bool_]]
    "The shader had written the component; with a geometry shader its run, in the bank that was emitted."
    runs: NDArray[np.int64]
    "Number of the run that sent each primitive, from 0; without a geometry shader that of the primitive."
    left_over: int
    "Vertices at the end that were too few for another primitive or run."
    faults: tuple[StageFault, ...]
    "Vertices and runs that stopped without `end`; their outputs are those of that moment, earlier primitives are there."
    bindings: tuple[OutputBinding, ...]
    "Meaning of each array."
    profile: Profile
    "Rules of the run."
    output_map: OutputMap
    "Where the outputs go in the rasterizer."
    vertices: ShaderResult
    "Result of the vertex shader for the vertices in `used`."
    used: NDArray[np.int64]
    "Numbers of the vertices that were run, in the order of first use."
    find_notes: Callable[[], Notes | None]
    "Notes on the runs of the geometry shader, worked out when they are first asked for."
    taken: int
    "Vertices that a primitive or run takes; in variable mode the count of the incomplete run at the end, or 0."
    engine: str
    "Engine of the geometry shader's runs, `reference` or `llvm`; empty without one (see `vertices.engine`)."
    incomplete: tuple[Diagnostic, ...] = ()
    "Warnings about indexed arrays that lack values."
    origin: Origin | None = None
    "The run that they came from, for `visibility` and the drawings; None where it is not kept."

    def _repr_html_(self) -> str:
        """The corners of the first primitives, for notebooks."""
        from lanewise.core import html

        keys = list(self.outputs)
        shown = min(self.triangles, html.ROWS // 3)
        rows = [
            [n, corner, *[", ".join([f"{value:.6g}" for value in self.outputs[key][n, corner].tolist()]) for key in keys]]
            for n in range(shown)
            for corner in range(3)
        ]
        more = (
            f"{self.triangles} triangles{f', the first {shown}' if shown < self.triangles else ''}, {self.profile.describe()}"
        )
        faults = [(each.stage, each.number, each.fault.code, each.fault.message) for each in self.faults[: html.ROWS]]
        return html.title("Primitives", more) + html.tables(
            (
                ("Corners", ["primitive", "corner", *keys], rows),
                ("Stopped", ["stage", "number", "code", "reason"], faults),
            )
        )

    @property
    def format(self) -> str:
        """The format of `bits`: `float24`, or `float32` where the profile computes in float32."""
        return self.vertices.format

    @property
    def words(self) -> Mapping[str, NDArray[np.uint32]]:
        """The former name of `bits`."""
        renamed("Primitives.words", "Primitives.bits")
        return self.bits

    @property
    def notes(self) -> Notes | None:
        return self.find_notes()

    def rasterized(self, *, clamp_colour: bool = False) -> dict[str, NDArray[np.float32]]:
        """Every semantic as the rasterizer takes it, (triangles, 3, components): what the output map wires nothing to is 1.0.

        With `clamp_colour`, colours are min(|c|, 1), as the rasterizer makes them before it interpolates. Source of both:
        Azahar output_vertex.cpp:11-28, which quotes a console; 3dbrew, GPUREG_SH_OUTMAP_Oi.
        """
        found = wired(self.outputs, self.output_map, (self.triangles, 3))
        if clamp_colour:
            found["color"] = np.minimum(np.abs(found["color"]), np.float32(1))
        return found

    def scene(self) -> Scene:
        """The triangles as the rasterizer gets them, for `lanewise.drawing`."""
        from lanewise.pica200.api.scene import scene_of

        return scene_of(self)

    def visibility(self, *, cull: str = "back", screen: str = "") -> Visibility:
        """What of the triangles reaches the screen, and if nothing does, why: `Visibility`.

        `cull` is the faces that are left out, `back`, `front` or `none`; `screen` is `top`, `bottom` or a size such as
        `256x256`. Raises ValueError for a choice that does not exist.
        """
        from lanewise.drawing.visibility import visibility

        return visibility(self.scene(), cull=cull, screen=screen)

    def svg(
        self,
        *,
        view: str = "screen",
        screen: str = "",
        cull: str = "back",
        color: str = "",
        shading: str = "smooth",
        wireframe: bool = False,
        scale: int = 2,
    ) -> str:
        """A drawing of the triangles as SVG; the arguments are the options of `lanewise run --draw`. Raises ValueError,
        TooManyPolygons."""
        from lanewise.drawing.drawable import svg_of
        from lanewise.drawing.picture import Look

        return svg_of(
            self.scene(),
            Look(view=view, screen=screen, cull=cull, colour=color, shading=shading, wireframe=wireframe, scale=scale),
        )

    def png(
        self,
        *,
        view: str = "screen",
        screen: str = "",
        cull: str = "back",
        color: str = "",
        shading: str = "smooth",
        wireframe: bool = False,
        scale: int = 2,
    ) -> bytes:
        """The same as PNG. Raises ValueError, TooDense; NoPillow without Pillow."""
        from lanewise.drawing.drawable import png_of
        from lanewise.drawing.picture import Look

        return png_of(
            self.scene(),
            Look(view=view, screen=screen, cull=cull, colour=color, shading=shading, wireframe=wireframe, scale=scale),
        )


class PipelineError(PortableError):
    """Vertices or runs of the geometry shader stopped without `end`. `result` has all primitives there are; `diagnostics` say
    why."""

    result: Primitives
    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, result: Primitives, diagnostics: Sequence[Diagnostic]) -> None:
        self.result = result
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))
