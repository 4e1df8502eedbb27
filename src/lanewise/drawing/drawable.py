"""Pictures and reasons as methods of results: `Drawable`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.core.objects import checked

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import ArrayLike

    from lanewise.drawing.picture import Look
    from lanewise.drawing.scene import Scene
    from lanewise.drawing.visibility import Visibility
    from lanewise.drawing.volume import Volume


class Drawable:
    """A result whose lanes are vertices with a position.

    `volume` is that of the instruction set; `make_scene` gives the triangles of the result where more is known of them than its
    lanes.
    """

    _internal = frozenset(("make_scene", "volume"))
    volume: Volume | None = None
    make_scene: Callable[[Any, ArrayLike | None, str], Scene] | None = None

    @checked
    def scene(self, indices: ArrayLike | None = None, topology: str = "triangles") -> Scene:
        """The triangles as the rasterizer gets them; `indices` are numbers of vertices (default: each in turn). Raises
        ValueError without a position."""
        from lanewise.arrays.announcing import warn
        from lanewise.arrays.results import Result
        from lanewise.drawing.lanes import left_over, scene_of_lanes

        if text := left_over(indices, getattr(self, "lanes", 0), topology):
            warn(text)
        if self.make_scene is not None:
            return self.make_scene(self, indices, topology)
        if self.volume is None or not isinstance(self, Result):
            raise ValueError("the result has no triangles: nothing to draw")
        return scene_of_lanes(self, self.volume, indices, topology)

    @checked
    def visibility(
        self, indices: ArrayLike | None = None, *, topology: str = "triangles", cull: str = "back", screen: str = ""
    ) -> Visibility:
        """The triangles that reach the screen, and if none does, why.

        `indices` are numbers of vertices, three for a triangle (default: each vertex in turn); `topology` is `triangles`,
        `strip` or `fan`. `cull` is the faces that are left out, `back`, `front` or `none`; `screen` is as for `svg`. Raises
        ValueError for a choice that does not exist.
        """
        from lanewise.drawing.visibility import visibility

        return visibility(self.scene(indices, topology), cull=cull, screen=screen)

    @checked
    def svg(
        self,
        indices: ArrayLike | None = None,
        *,
        topology: str = "triangles",
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
        from lanewise.drawing.picture import Look

        return svg_of(
            self.scene(indices, topology),
            Look(view=view, screen=screen, cull=cull, colour=color, shading=shading, wireframe=wireframe, scale=scale),
        )

    @checked
    def png(
        self,
        indices: ArrayLike | None = None,
        *,
        topology: str = "triangles",
        view: str = "screen",
        screen: str = "",
        cull: str = "back",
        color: str = "",
        shading: str = "smooth",
        wireframe: bool = False,
        scale: int = 2,
    ) -> bytes:
        """The same as PNG. Raises ValueError, TooDense; NoPillow without Pillow."""
        from lanewise.drawing.picture import Look

        return png_of(
            self.scene(indices, topology),
            Look(view=view, screen=screen, cull=cull, colour=color, shading=shading, wireframe=wireframe, scale=scale),
        )


def svg_of(scene: Scene, look: Look) -> str:
    """A scene as SVG. Raises ValueError, TooManyPolygons."""
    from lanewise.drawing.picture import draw
    from lanewise.drawing.svg import as_svg

    return as_svg(draw(scene, look), wireframe=look.wireframe)


def png_of(scene: Scene, look: Look) -> bytes:
    """A scene as PNG. Raises ValueError, NoPillow, TooDense."""
    from lanewise.drawing.picture import draw
    from lanewise.drawing.png import as_png

    return as_png(draw(scene, look), wireframe=look.wireframe)
