"""Random programs as GLSL and WGSL on Mesa's llvmpipe beside the reference engine, in float24.

`python -m translations_drawn glsl` needs `moderngl`, `wgsl` needs `wgpu`; both need Mesa's EGL, and no screen. WGSL goes
through wgpu's naga to the OpenGL driver of Mesa; with `WGPU_BACKEND_TYPE=Vulkan` to its Vulkan driver, lavapipe, where that is
installed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.pica200.engine.random_programs import case, vertex
from lanewise.pica200.engine.reference import Reference
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import profiles
from lanewise.pica200.translate.program import translate
from lanewise.pica200.translate.support import RefusedError
from translations import BUDGET, LANES, subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.pica200.engine.random_programs import Case
    from lanewise.pica200.translate.emit import Part

_HARDWARE = profiles["hardware"].replace(initial_state="zero")


class Drawing:
    """GLSL through transform feedback."""

    def __init__(self) -> None:
        os.environ.setdefault("EGL_PLATFORM", "surfaceless")
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
        moderngl: Any = import_module("moderngl")
        self.context: Any = moderngl.create_context(standalone=True, backend="egl")
        self.context.simple_framebuffer((4, 4)).use()
        self.name = str(self.context.info["GL_RENDERER"])

    def run(self, text: str, part: Part, floats: Any, integers: Any, booleans: int, inputs: Any) -> Any:
        """(vertices, outputs, 4) words; `inputs` are (vertices, inputs, 4)."""
        outputs = [member.name for member in part.names.outputs]
        program = self.context.program(vertex_shader=text, varyings=outputs)
        if "c" in program:
            count = program["c"].array_length  # of arrays Mesa keeps what the shader can use
            program["c"].write(np.ascontiguousarray(floats[:count], np.uint32).tobytes())
        if "i" in program:
            program["i"].write(np.ascontiguousarray(integers[: program["i"].array_length], np.uint32).tobytes())
        if "b" in program:
            program["b"].value = booleans
        vertices = len(inputs)
        given = [(n, member.name) for n, member in enumerate(part.names.inputs) if member.name in program]
        buffers = [(self.context.buffer(np.ascontiguousarray(inputs[:, n]).tobytes()), "4u4", name) for n, name in given]
        into = self.context.buffer(reserve=16 * max(1, len(outputs)) * vertices)
        array = self.context.vertex_array(program, buffers)
        array.transform(into, 0, vertices=vertices)
        found = np.frombuffer(into.read(), np.uint32).reshape(vertices, -1, 4)
        for item in (into, array, program, *[each[0] for each in buffers]):
            item.release()
        return found


class Computing:
    """WGSL as a compute shader that calls the translated `run`."""

    def __init__(self) -> None:
        os.environ.setdefault("EGL_PLATFORM", "surfaceless")
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
        os.environ.setdefault("WGPU_BACKEND_TYPE", "OpenGL")
        self.wgpu: Any = import_module("wgpu")
        adapter = self.wgpu.gpu.request_adapter_sync()
        self.name = str(adapter.summary)
        self.device: Any = adapter.request_device_sync()

    def run(self, text: str, part: Part, floats: Any, integers: Any, booleans: int, inputs: Any) -> Any:
        vertices, given, made = len(inputs), part.names.inputs, part.names.outputs
        lines = [
            text,
            "@group(0) @binding(1) var<storage, read> test_inputs: array<vec4<u32>>;",
            "@group(0) @binding(2) var<storage, read_write> test_outputs: array<vec4<u32>>;",
            f"@compute @workgroup_size({vertices}) fn test_main(@builtin(global_invocation_id) id: vec3<u32>) {{",
            *[f"given.{member.name} = test_inputs[id.x * {len(given)}u + {n}u];" for n, member in enumerate(given)],
            "run();",
            *[f"test_outputs[id.x * {len(made)}u + {n}u] = made.{member.name};" for n, member in enumerate(made)],
            # A binding that nothing reads would not be in the layout.
            "if (id.x > 1000u) { test_outputs[0] = test_inputs[0] + u.b; }",
            "}",
        ]
        device, usage = self.device, self.wgpu.BufferUsage
        module = device.create_shader_module(code="\n".join(lines))
        uniform = np.concatenate([np.ravel(floats), np.ravel(integers), [booleans, 0, 0, 0]]).astype(np.uint32)
        size = 16 * max(1, len(made)) * vertices
        data = np.ascontiguousarray(inputs) if given else np.zeros(4, np.uint32)
        buffers = [
            device.create_buffer_with_data(data=uniform.tobytes(), usage=usage.UNIFORM),
            device.create_buffer_with_data(data=data.tobytes(), usage=usage.STORAGE),
            device.create_buffer(size=size, usage=usage.STORAGE | usage.COPY_SRC),
        ]
        pipeline = device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "test_main"})
        entries = [{"binding": n, "resource": {"buffer": each}} for n, each in enumerate(buffers)]
        group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)
        encoder = device.create_command_encoder()
        work = encoder.begin_compute_pass()
        work.set_pipeline(pipeline)
        work.set_bind_group(0, group)
        work.dispatch_workgroups(1)
        work.end()
        device.queue.submit([encoder.finish()])
        return np.frombuffer(device.queue.read_buffer(buffers[2]), np.uint32).reshape(vertices, -1, 4)


def compare(engine: Drawing | Computing, to: str, seed: int, number: int, most: int) -> tuple[str, int, list[str]]:
    """Why a program is left out, the vertices compared, differences."""
    one: Case = case(seed, number)
    if one.profile.rounding == "float32":
        return "float32", 0, []
    try:
        found = translate([subject(one, "shader")], to, _HARDWARE, exact=True)
    except RefusedError:
        return "refused", 0, []
    part = found.parts[0]
    if part.words > most:
        return "too long", 0, []
    if not part.names.outputs:
        return "no outputs", 0, []
    canonical = number_rule(_HARDWARE).canonical
    program = Reference(one.words, one.descriptors, 0, profile=_HARDWARE, budget=BUDGET)
    registers = [member.first for member in part.names.inputs]
    rows: list[list[Sequence[int]]] = []
    wanted: list[list[Sequence[int]]] = []
    for lane in range(LANES):
        inputs = {
            n: (canonical(x), canonical(y), canonical(z), canonical(w))
            for n, (x, y, z, w) in vertex(one, lane % one.lanes).items()
        }
        result = program.run(inputs, one.floats, one.integers, one.booleans)
        if result.fault is not None and result.fault.endless:
            return "endless", 0, []
        rows.append([inputs.get(register, (0, 0, 0, 0)) for register in registers])
        wanted.append([result.outputs[member.first] for member in part.names.outputs])
    floats = np.array([[canonical(word) for word in row] for row in one.floats], np.uint32)
    given = np.array(rows, np.uint32).reshape(LANES, len(registers), 4)
    booleans = sum(1 << n for n, value in enumerate(one.booleans) if value)
    answer = engine.run(found.text, part, floats, np.array(one.integers, np.uint32), booleans, given)
    differences = [
        f"program {seed} {number}, vertex {lane}"
        for lane in np.flatnonzero((answer != np.array(wanted, np.uint32)).any(axis=(1, 2)))
    ]
    return "", LANES, differences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("to", choices=("glsl", "wgsl"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000, help="programs to compare")
    parser.add_argument("--most-words", type=int, default=400, help="longer programs are left out")
    parser.add_argument("--state", type=Path)
    arguments = parser.parse_args()
    engine = Drawing() if arguments.to == "glsl" else Computing()
    print(engine.name, flush=True)
    state: dict[str, Any] = {"next": 0, "programs": 0, "lanes": 0, "left_out": {}, "differences": []}
    if arguments.state and arguments.state.exists():
        state = json.loads(arguments.state.read_text())
    left_out: Counter[str] = Counter(state["left_out"])
    while state["programs"] < arguments.count:
        reason, lanes, differences = compare(engine, arguments.to, arguments.seed, state["next"], arguments.most_words)
        state["next"] += 1
        if reason:
            left_out[reason] += 1
        else:
            state["programs"] += 1
            state["lanes"] += lanes
            state["differences"] += differences
        state["left_out"] = dict(left_out)
        if state["next"] % 20 == 0:
            print(
                f"{state['programs']} programs, {state['lanes']} vertices, {len(state['differences'])} differences", flush=True
            )
            if arguments.state:
                arguments.state.write_text(json.dumps(state))
    print(json.dumps(state, indent=1))


if __name__ == "__main__":
    sys.exit(main())
