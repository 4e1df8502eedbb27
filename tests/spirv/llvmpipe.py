"""Vertex shaders in GLSL on Mesa's llvmpipe: the outputs of transform feedback, in float32. Needs `moderngl` and Mesa's EGL; no
screen."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

_POINTS = 0
# bool and the vectors of it, which have no letter
_BOOLEANS = {0x8B56, 0x8B57, 0x8B58, 0x8B59}


class Unavailable(Exception):
    """There is no llvmpipe here; the text is the reason."""


class Llvmpipe:
    """A context without a screen."""

    def __init__(self) -> None:
        os.environ.setdefault("EGL_PLATFORM", "surfaceless")
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
        try:
            moderngl: Any = import_module("moderngl")
        except ImportError:
            raise Unavailable("moderngl is not installed: pip install moderngl") from None
        try:
            self.context: Any = moderngl.create_context(standalone=True, backend="egl")
        except Exception as error:
            raise Unavailable(f"no OpenGL context by EGL: {error}") from None
        # Without a framebuffer that is complete nothing is drawn, and nothing captured.
        self.context.simple_framebuffer((4, 4)).use()
        self.name: str = self.context.info["GL_RENDERER"]
        if "llvmpipe" not in self.name:
            raise Unavailable(f"the renderer is {self.name}, not llvmpipe")

    def run(
        self,
        text: str,
        outputs: Mapping[str, int],
        inputs: Mapping[str, ArrayLike],
        uniforms: Mapping[str, ArrayLike],
        count: int,
    ) -> dict[str, NDArray[np.float32]]:
        """The outputs, whose numbers of components are given, for `count` vertices; inputs of the source that are integers are
        arrays of integers. Raises an exception of moderngl for a
        source that has errors."""
        program = self.context.program(vertex_shader=text, varyings=list(outputs))
        try:
            for name, value in uniforms.items():
                if name in program:
                    _set(program[name], np.asarray(value))
            content: list[tuple[Any, str, str]] = []
            for name, value in inputs.items():
                if name in program:
                    whole = np.issubdtype(np.asarray(value).dtype, np.integer)
                    array = np.ascontiguousarray(value, np.int32 if whole else np.float32).reshape(count, -1)
                    content.append((self.context.buffer(array.tobytes()), f"{array.shape[1]}{'i' if whole else 'f'}", name))
            width = sum(outputs.values())
            into = self.context.buffer(reserve=4 * width * count)
            vertices = self.context.vertex_array(program, content)
            vertices.transform(into, _POINTS, vertices=count)
            table = np.frombuffer(into.read(), np.float32).reshape(count, width)
            for item in (into, vertices, *(buffer for buffer, _, _ in content)):
                item.release()
        finally:
            program.release()
        found: dict[str, NDArray[np.float32]] = {}
        place = 0
        for name, size in outputs.items():
            found[name] = table[:, place : place + size]
            place += size
        return found


def _set(uniform: Any, value: NDArray[Any]) -> None:
    """A matrix is `M[row, column]`; OpenGL wants it column by column. Of arrays Mesa keeps what the shader can use."""
    if uniform.array_length > 1 or value.ndim > (2 if uniform.matrix else 1 if uniform.dimension > 1 else 0):
        value = value[: uniform.array_length]
    if uniform.fmt.endswith("i") or value.dtype == np.bool_ or uniform.gl_type in _BOOLEANS:
        uniform.write(np.ascontiguousarray(value, np.int32).tobytes())
        return
    if uniform.matrix:
        value = np.swapaxes(value, -1, -2)
    uniform.write(np.ascontiguousarray(value, np.float32).tobytes())
