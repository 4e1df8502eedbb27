"""Translated C beside the compiled engine and beside C by hand, and what `float` gets wrong.
`python bench/translate.py [speed|hand|batch|errors]`; all but the last need gcc."""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import lanewise as lw
from lanewise.pica200.api.translating import translated
from lanewise.pica200.sem.numbers import number_rule
from lanewise.pica200.sem.profile import profiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from lanewise.pica200.api.interface import Binding
    from lanewise.pica200.api.shader import Shader

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LANES = 20_000
FLAGS = ("-std=c11", "-ffp-contract=off", "-shared", "-fPIC", "-w")


def speed() -> None:
    """Nanoseconds of processor time for a vertex, the best of 25."""
    print("| shader | llvm engine | C float | C float24 |\n|---|---|---|---|")
    for name in ("transform", "toon", "skinning", "lighting"):
        shader = lw.load(EXAMPLES / f"{name}.v.pica").vertex
        rng = np.random.default_rng(1)
        inputs = {binding.name: rng.uniform(0, 4, (LANES, 4)).astype(np.float32) for binding in shader.inputs}
        uniforms = {f"c{n}": [0.5, 0.25, 1.0, 2.0] for n in range(90)} | {"i0": (3, 0, 1, 0)}
        batch = shader.batch(inputs, uniforms, engine="llvm", defaults=0)
        with tempfile.TemporaryDirectory() as folder:
            functions = [_translated(name, shader, numbers, inputs, Path(folder)) for numbers in ("float", "float24")]
            engine, *own = [1e9 * each / LANES for each in _best([batch.run, *functions])]
        print(
            f"| {name} | {engine:.0f} ns | " + " | ".join([f"{each:.0f} ns, {each / engine:.1f} times" for each in own]) + " |"
        )


def _best(functions: Sequence[Callable[[], object]]) -> list[float]:
    """The shortest processor time of each function, of 25 rounds in which they take turns."""
    found = [float("inf")] * len(functions)
    for _ in range(25):
        for place, function in enumerate(functions):
            start = time.process_time()
            function()
            found[place] = min(found[place], time.process_time() - start)
    return found


def _translated(
    name: str,
    shader: Shader,
    numbers: str,
    inputs: Mapping[str, NDArray[Any]],
    folder: Path,
    *,
    finite: bool = False,
    by_hand: str = "",
    flags: Sequence[str] = ("-O2",),
) -> Callable[[], object]:
    """The translation, or what somebody has written `by_hand` with its structures, over all vertices."""
    found = translated([shader], "c", numbers=numbers, finite=finite, file=f"{name}.v.pica")
    (layout,) = found.shaders
    loop = f"""{by_hand}
void all(int lanes, const {layout.name}_inputs *in, const {layout.name}_uniforms *u, {layout.name}_outputs *out) {{
    for (int n = 0; n < lanes; n++) {"hand" if by_hand else layout.name}(in + n, u, out + n);
}}
"""
    words = _words if numbers == "float24" else _floats
    given = np.stack(
        [words(inputs[binding.name]) if binding.name in inputs else words(np.zeros((LANES, 4))) for binding in layout.inputs], 1
    )
    data = _uniforms(layout.uniforms, words)
    out = np.zeros((LANES, len(layout.outputs), 4), np.uint32)
    source, library = (folder / f"{numbers}{finite}{bool(by_hand)}{suffix}" for suffix in (".c", ".so"))
    source.write_text(found.text + loop)
    subprocess.run(["gcc", *FLAGS, *flags, str(source), "-o", str(library), "-lm"], check=True)
    function = ctypes.CDLL(str(library)).all
    given = np.ascontiguousarray(given)
    return lambda: function(LANES, given.ctypes.data_as(ctypes.c_void_p), data, out.ctypes.data_as(ctypes.c_void_p))


def _words(rows: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(lw.pica200.float24.encode(_floats(rows)), np.uint32)


def _floats(rows: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(rows, np.float32)


# The same shaders as somebody writes them in C who has only them in mind: no infinities, no component that nothing reads.
_HAND = {
    "transform": """
void hand(const transform_inputs *in, const transform_uniforms *u, transform_outputs *out) {
    const pica_vec4 *p = u->projection, a = in->position;
    out->outpos = (pica_vec4){dot4(p[0], a), dot4(p[1], a), dot4(p[2], a), dot4(p[3], a)};
    out->outclr = in->color;
    out->outtex = in->texcoord;
}
""",
    "lighting": """
void hand(const lighting_inputs *in, const lighting_uniforms *u, lighting_outputs *out) {
    const pica_vec4 *m = u->modelview, *p = u->projection, a = in->position, b = in->normal;
    pica_vec4 seen = {dot4(m[0], a), dot4(m[1], a), dot4(m[2], a), dot4(m[3], a)};
    pica_vec4 n = {dot3(m[0], b), dot3(m[1], b), dot3(m[2], b), 0.0f};
    float scale = 1.0f / sqrtf(dot3(n, n)), red = u->ambient.x, green = u->ambient.y, blue = u->ambient.z;
    n.x *= scale, n.y *= scale, n.z *= scale;
    for (int i = 0; i <= u->lights.x; i++) {
        float lit = dot3(u->direction[i], n);
        lit = lit > 0.0f ? lit : 0.0f;
        red += lit * u->light[i].x, green += lit * u->light[i].y, blue += lit * u->light[i].z;
    }
    out->outpos = (pica_vec4){dot4(p[0], seen), dot4(p[1], seen), dot4(p[2], seen), dot4(p[3], seen)};
    out->outclr = (pica_vec4){most(red), most(green), most(blue), 1.0f};
}
""",
}
_HAND_PARTS = """
static inline float dot4(pica_vec4 a, pica_vec4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline float dot3(pica_vec4 a, pica_vec4 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float most(float a) { return a < 1.0f ? a : 1.0f; }
"""


def hand() -> None:
    """Processor time of the translations as multiples of that of C by hand, by flags."""
    print("| shader | flags | float | float, --finite |\n|---|---|---|---|")
    for name, text in _HAND.items():
        shader = lw.load(EXAMPLES / f"{name}.v.pica").vertex
        rng = np.random.default_rng(1)
        inputs = {binding.name: rng.uniform(0, 4, (LANES, 4)).astype(np.float32) for binding in shader.inputs}
        for flags in (("-O2",), ("-O3", "-march=native")):
            with tempfile.TemporaryDirectory() as folder:
                parts = [("float", False, ""), ("float", True, ""), ("float", True, _HAND_PARTS + text)]
                functions = [
                    _translated(name, shader, numbers, inputs, Path(folder), finite=finite, by_hand=own, flags=flags)
                    for numbers, finite, own in parts
                ]
                found = _best(functions)
            print(f"| {name} | {' '.join(flags)} | " + " | ".join([f"{each / found[-1]:.2f}" for each in found[:-1]]) + " |")


def batch() -> None:
    """Processor time of arrays of vertices as a multiple of that of as many calls, by flags."""
    print("| shader | flags | --batch | --batch --finite |\n|---|---|---|---|")
    for name in ("transform", "toon", "skinning", "lighting"):
        shader = lw.load(EXAMPLES / f"{name}.v.pica").vertex
        rng = np.random.default_rng(1)
        inputs = {binding.name: rng.uniform(0, 4, (LANES, 4)).astype(np.float32) for binding in shader.inputs}
        for flags in (("-O2",), ("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math")):
            with tempfile.TemporaryDirectory() as folder:
                one = [
                    _translated(name, shader, "float", inputs, Path(folder), finite=each, flags=flags) for each in (False, True)
                ]
                all_ = [_batch(name, shader, inputs, Path(folder), finite=each, flags=flags) for each in (False, True)]
                found = _best([*one, *all_])
            print(f"| {name} | {' '.join(flags)} | {found[2] / found[0]:.2f} | {found[3] / found[1]:.2f} |")


def _batch(
    name: str, shader: Shader, inputs: Mapping[str, NDArray[Any]], folder: Path, *, finite: bool, flags: Sequence[str]
) -> Callable[[], object]:
    """The function for arrays, over all vertices."""
    found = translated([shader], "c", numbers="float", finite=finite, batch=True, file=f"{name}.v.pica")
    (layout,) = found.shaders
    rows = [inputs.get(binding.name, np.zeros((LANES, 4), np.float32)) for binding in layout.inputs]
    columns = [np.ascontiguousarray(row[:, lane]) for row in rows for lane in range(4)]
    results = [np.zeros(LANES, np.float32) for _ in range(4 * len(layout.outputs))]
    sides = [(ctypes.c_void_p * len(side))(*[each.ctypes.data for each in side]) for side in (columns, results)]
    source, library = (folder / f"batch{finite}{suffix}" for suffix in (".c", ".so"))
    source.write_text(found.text)
    subprocess.run(["gcc", *FLAGS, *flags, str(source), "-o", str(library), "-lm"], check=True)
    function, data = getattr(ctypes.CDLL(str(library)), f"{name}_batch"), _uniforms(layout.uniforms, _floats)

    def run(_kept: object = (columns, results)) -> object:
        return function(ctypes.c_size_t(LANES), sides[0], data, sides[1])

    return run


def _uniforms(bindings: Sequence[Binding], words: Callable[[NDArray[Any]], NDArray[Any]]) -> bytes:
    """The structure of uniforms."""
    row = np.ascontiguousarray(words(np.array([[0.5, 0.25, 1.0, 2.0]]))).tobytes()
    of_file = {"c": row, "i": bytes([3, 0, 1, 0]), "b": bytes(1)}
    return b"".join([of_file[binding.register[0]] * binding.size for binding in bindings])


def errors() -> None:
    """Each operation on random operands of ordinary size: how often the result is another float24, and how far off it is."""
    exact, single = number_rule(profiles["hardware"]), number_rule(profiles["azahar"])
    rng = random.Random(1)
    print("| operation | results that differ | largest relative error |\n|---|---|---|")
    count = 20_000
    for name, operands in (
        ("add", 2),
        ("mul", 2),
        ("mad", 3),
        ("dot", 8),
        ("rcp", 1),
        ("rsq", 1),
        ("exp2", 1),
        ("log2", 1),
        ("floor", 1),
        ("max", 2),
    ):
        differ, worst, done = 0, 0.0, 0
        for _ in range(count if operands > 1 or name in ("rcp", "floor") else count // 10):
            words = [
                (rng.getrandbits(1) if operands > 1 else 0) << 23 | rng.randrange(59, 67) << 16 | rng.getrandbits(16)
                for _ in range(operands)
            ]
            wide = [single.from_float24(word) for word in words]
            if name == "dot":
                a, b = exact.dot(words[:4], words[4:]), single.dot(wide[:4], wide[4:])
            else:
                a, b = getattr(exact, name)(*words), getattr(single, name)(*wide)
            own, theirs = lw.pica200.float24.decode(np.uint32(a)).item(), float(np.uint32(b).view(np.float32))
            done += 1
            differ += a != int(lw.pica200.float24.encode(np.float32(theirs)).item())
            if own:
                worst = max(worst, abs(theirs - own) / abs(own))
        print(f"| {name} | {100 * differ / done:.1f} % | {worst:.2g} |")


if __name__ == "__main__":
    {"speed": speed, "hand": hand, "batch": batch, "errors": errors}[sys.argv[1] if len(sys.argv) > 1 else "speed"]()
