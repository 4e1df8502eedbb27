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
    """What a pipeline gives for `triangles` primitives: arrays of (triangles, 3, components) by semantic or register, in the
    order in which they are drawn.

    `outputs` are float32; `bits` the same as patterns (uint32) of `format`, that of the profile; `written` says of each
    component whether the shader had written it: with a geometry shader, its run, in the bank that was emitted. What was not
    written is 0, or what is left there. `runs` is the number of the geometry shader's run that sent each primitive, counted
    from 0; without a geometry shader the number of the primitive itself. `left_over` vertices at the end were too few for
    another one. `faults` are the vertices and runs that stopped without `end`; the outputs of such a vertex are as they stood
    then, and what such a run had sent before is there. `bindings` say what the arrays are, `output_map` what of them goes where
    in the rasterizer.

    `vertices` is what the vertex shader gave for the vertices that were used, whose numbers are `used`; `notes` is about the
    runs of the geometry shader, and worked out when it is first asked for (`find_notes`). `taken`: how many vertices a
    primitive or such a run takes; in variable mode, where the index list says it, the count of the incomplete one at its end,
    or 0. `engine` is the one that did the runs of the geometry shader, `reference` or `llvm`; empty without one
    (`vertices.engine` is that of the vertices). `incomplete` are warnings about indexed arrays that lack values. `origin` is
    the run that they came from: `visibility` and the drawings use it.
    """

    triangles: int
    outputs: Mapping[str, NDArray[np.float32]]
    bits: Mapping[str, NDArray[np.uint32]]
    written: Mapping[str, NDArray[np.bool_]]
    runs: NDArray[np.int64]
    left_over: int
    faults: tuple[StageFault, ...]
    bindings: tuple[OutputBinding, ...]
    profile: Profile
    output_map: OutputMap
    vertices: ShaderResult
    used: NDArray[np.int64]
    find_notes: Callable[[], Notes | None]
    taken: int
    engine: str
    incomplete: tuple[Diagnostic, ...] = ()
    origin: Origin | None = None

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

    def __init__(self, result: Primitives, diagnostics: Sequence[Diagnostic]) -> None:
        self.result = result
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))
