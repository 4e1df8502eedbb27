"""Public objects, what they return, and what all of them do as text that another process can compare."""

from __future__ import annotations

import inspect
import itertools
import pickle
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from types import MethodType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import lanewise as lw
from corpus import REPOSITORY
from lanewise.pica200.sem.profile import HARDWARE

EXAMPLES = REPOSITORY / "examples"
PLACES = {"position": [[0, 0, 0], [1, 2, 3], [2, 1, 1]], "color": [1, 0.5, 0.25], "texcoord": [0, 0]}
MATRIX = {"projection": np.eye(4)}
CORNERS = {"position": [[0, 0], [8, 0], [0, 8]], "color": [255, 128, 0]}
WAVE = {"position": [[1, 2, 3, 1]] * 3, "color": [1, 0.5, 0.25, 1]}
PIXELS = {"v0": [[0.5, 1, 2, 3], [1, 1, 1, 1]]}
PIXEL = "ps_2_0\ndcl v0\nadd r0, v0, v0\nmov oC0, r0\n"
OTHER = ".in position v0\n.in color v1\n.in texcoord v2\n.out o position\n.proc main\nmov o, v0\nend\n.end\n"
ENDLESS = ".in p\n.out pos position\n.proc main\n\tmov pos, p\n\tbreak\n\tend\n.end\n"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_MOST = 40  # items of a row that are looked at


def file() -> lw.pica200.ShaderFile:
    return lw.load_pica200(EXAMPLES / "transform.v.pica")


def pipeline() -> lw.pica200.Pipeline:
    return lw.assemble([EXAMPLES / "subdivide.v.pica", EXAMPLES / "subdivide.g.pica"]).pipeline


def pixel() -> lw.Direct3DShader:
    return lw.Direct3DShader.from_source(PIXEL, "double.psa")


def core() -> lw.shadercore.ShaderCoreProgram:
    return lw.load_shadercore(EXAMPLES / "transform.sc")


def drawing() -> lw.Drawing:
    return file().vertex.graph()


def primitives(engine: str = "llvm") -> lw.pica200.Primitives:
    return pipeline().run(CORNERS, [0, 1, 2], geometry_uniforms=MATRIX, engine=engine)


def raised(work: Callable[[], object]) -> Any:
    try:
        work()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def stopped(kind: Callable[[lw.pica200.Shader], Any]) -> Any:
    return raised(lambda: kind(lw.assemble(ENDLESS, name="endless.v.pica").vertex).run({"p": [1, 2, 3]}))


def totals() -> lw.distributed.Totals:
    return lw.distributed.fuzz(programs=1, seed=7)


# One of each public class, by its name.
RECIPES: Mapping[str, Callable[[], object]] = {
    "InputWarning": lambda: lw.InputWarning("B019: a sentence"),
    "Binding": lambda: file().vertex.inputs[0],
    "Campaign": lambda: lw.distributed.Campaign(work="fuzz", options={"seed": 7}, first=0, last=100, size=10),
    "CampaignError": lambda: lw.distributed.CampaignError("a sentence"),
    "Case": lambda: lw.Case(outputs={"position": [[0, 0, 0, 1]]}, inputs=PLACES, uniforms=MATRIX),
    "Comparison": lambda: file().vertex.equivalent(lw.assemble(OTHER).vertex, profile="hardware"),
    "Compilation": lambda: lw.compile(pixel(), device="document"),
    "CompileReport": lambda: lw.compile(pixel(), device="document").report,
    "Compiled": lambda: pixel().compile("document"),
    "CompiledResult": lambda: pixel().compile("document").run(PIXELS),
    "Device": lambda: lw.shadercore.device("rtl,issue_interval=12"),
    "Diagnostic": lambda: raised(lambda: lw.assemble("mull")).diagnostics[0],
    "Direct3DEffect": lambda: lw.load_effect(EXAMPLES / "water.fxb"),
    "Direct3DResult": lambda: pixel().run(PIXELS, engine="llvm"),
    "Direct3DShader": pixel,
    "Disassembly": lambda: lw.disassemble(file().to_bytes()),
    "Drawing": drawing,
    "Explanation": lambda: file().vertex.trace(PLACES, MATRIX).explain("position.x"),
    "Graph": lambda: lw.pica200.unfold([lw.pica200.decode(word) for word in file().words], 0),
    "Identity": lambda: lw.distributed.Identity("0.1", "abc"),
    "InputError": lambda: raised(lambda: lw.assemble("mull")),
    "Inst": lambda: lw.pica200.decode(0x02022080),
    "Outcome": lambda: lw.distributed.Outcome({"programs": 1}, 7),
    "LineCost": lambda: lw.compile(pixel(), device="document").report.lines[0],
    "OutputBinding": lambda: file().vertex.outputs[0],
    "Picture": lambda: lw.Picture(np.arange(16, dtype=np.float32).reshape(2, 2, 4)),
    "Piece": lambda: lw.distributed.Piece(0, 0, 10),
    "Pipeline": pipeline,
    "PipelineError": lambda: stopped(lw.pica200.Pipeline),
    "Primitives": primitives,
    "Profile": lambda: lw.pica200.profiles["azahar"],
    "ProgramTiming": lambda: core().time(),
    "Reordering": lambda: core().faster_order(),
    "Result": lambda: lw.Result(1, {"r0": np.ones((1, 1))}, {"r0": np.ones((1, 1), np.uint32)}),
    "RunError": lambda: stopped(lambda shader: shader),
    "Shader": lambda: file().vertex,
    "ShaderCoreProgram": core,
    "ShaderFile": file,
    "ShaderResult": lambda: file().vertex.run(PLACES, MATRIX, engine="llvm"),
    "Source": lambda: lw.disassemble(file().to_bytes()).sources[0],
    "Stream": lambda: lw.shadercore.Stream(input="position", kind="float3", data=b"\0" * 36, stride=3),
    "Totals": totals,
    "Trace": lambda: file().vertex.trace(PLACES, MATRIX),
    "Visibility": lambda: primitives().visibility(),
    "WaveTime": lambda: core().time_draw(36),
    "WaveTrace": lambda: core().trace(WAVE),
    "WaveResult": lambda: core().run(WAVE, engine="llvm"),
    "Words": lambda: lw.Words([[1, 2]]),
}

# What public functions give, and methods that take long on the objects above.
OTHERS: tuple[Callable[[], object], ...] = (
    lambda: lw.assemble(OTHER).optimise(),
    lambda: lw.mismatches(file().vertex, lw.Case(outputs={"position": [[0, 0, 0, 1]]}, inputs=PLACES, uniforms=MATRIX))[0],
)

# What methods that take arguments return. Each method of a public class is called without any, is here, or below.
CALLS: Mapping[str, Callable[[Any], object]] = {
    "Compilation.files": lambda compilation: compilation.files("double.scb"),
    "Compilation.run": lambda compilation: compilation.run(PIXELS, engine="reference"),
    "Compiled.run": lambda compiled: compiled.run(PIXELS, engine="reference"),
    "Device.cycles": lambda device: device.cycles("issue_interval"),
    "Device.differences": lambda device: device.differences(lw.shadercore.device()),
    "Device.set": lambda device: device.set("issue_interval=9"),
    "Direct3DShader.equivalent": lambda shader: shader.equivalent(pixel()),
    "Direct3DShader.run": lambda shader: shader.run(PIXELS, engine="reference"),
    "Direct3DShader.trace": lambda shader: shader.trace(PIXELS),
    "Pipeline.run": lambda stages: stages.run(CORNERS, [0, 1, 2], geometry_uniforms=MATRIX, engine="reference"),
    "Shader.other_inputs": lambda shader: shader.other_inputs("position"),
    "Shader.uniforms_seen": lambda shader: shader.uniforms_seen(HARDWARE),
    "Pipeline.trace": lambda stages: stages.trace(CORNERS, [0, 1, 2], geometry_uniforms=MATRIX),
    "Shader.batch": lambda shader: shader.batch(PLACES, MATRIX),
    "Shader.equivalent": lambda shader: shader.equivalent(lw.assemble(OTHER).vertex, profile="hardware"),
    "Shader.run": lambda shader: shader.run(PLACES, MATRIX, engine="reference"),
    "Shader.trace": lambda shader: shader.trace(PLACES, MATRIX, lane=1),
    "ShaderFile.with_preamble": lambda file: file.with_preamble(None),
    "ShaderCoreProgram.run": lambda program: program.run(WAVE, engine="reference"),
    "ShaderCoreProgram.trace": lambda program: program.trace(WAVE),
    "Trace.explain": lambda trace: trace.explain("position.y"),
    "WaveTrace.explain": lambda trace: trace.explain("position.y"),
    "CompiledResult.of_inputs": lambda result: result.of_inputs(None),
    "Direct3DResult.of_inputs": lambda result: result.of_inputs(None),
    "Result.of_inputs": lambda result: result.of_inputs(None),
    "ShaderResult.of_inputs": lambda result: result.of_inputs(None),
    "WaveResult.of_inputs": lambda result: result.of_inputs(None),
}

# Methods that take arguments and return nothing that is not looked at already, or work for lanewise itself.
NOT_CALLED = {
    *(
        "Campaign.piece",
        "Campaign.pieces",
        "Comparison.with_premises",
        "Compilation.save",
        "Compiled.save",
        "CompiledResult.warn",
        "Direct3DEffect.save",
        "Direct3DEffect.shader",
    ),
    *("Direct3DResult.warn", "Direct3DShader.bind", "Direct3DShader.complete", "Direct3DShader.save", "Direct3DShader.stage"),
    *("Device.choose", "Device.defined_cycles", "Device.has", "Device.interval", "Device.latency", "Device.pace"),
    *("Device.parameter", "Device.pipe", "Device.replace", "Device.setting", "Device.value", "Device.with_instructions"),
    *("Device.with_pipes", "ProgramTiming.occupancy", "ProgramTiming.starts", "ProgramTiming.target", "ShaderFile.only"),
    *("WaveTrace.operand", "WaveTrace.place", "WaveTrace.shown", "WaveTrace.step_json", "WaveTrace.write"),
    *("Graph.following", "Graph.walk", "Inst.field", "Inst.has", "Picture.sample", "Pipeline.describe", "Pipeline.warnings"),
    *("Profile.set", "Result.warn", "Shader.any_runner", "Shader.bound_uniforms", "Shader.describe", "Shader.describe_faults"),
    *("Shader.analysis_context", "Shader.geometry_runner", "Shader.placed", "Shader.runner", "Shader.save", "Shader.span"),
    *("Shader.warnings", "ShaderCoreProgram.equivalent", "ShaderCoreProgram.save", "ShaderCoreProgram.with_interface"),
    *("ShaderFile.edited", "ShaderFile.equivalent", "ShaderFile.save", "ShaderFile.shader", "ShaderResult.keep"),
    *("ShaderResult.numbered", "ShaderResult.warn", "Trace.instruction", "Trace.is_constant", "Trace.name", "Trace.number"),
    *("Trace.source", "Trace.span", "Trace.statement", "Trace.value", "Trace.words_text", "WaveResult.warn"),
}
# Called without arguments they need others, draw a large picture, or work for long.
SKIPPED = {
    "Shader.bound",
    "Pipeline.bound",
    "ShaderFile.optimise",
    "png",
    "to_pandas",
    "svg",
    "_repr_svg_",
    "clear",
    "reverse",
    "sort",
    "update",
    "popitem",
}


def public_classes() -> dict[str, type]:
    """The classes that `lanewise` and `lanewise.distributed` list."""
    listed = [
        (name, getattr(home, name))
        for home in (lw, lw.pica200, lw.shadercore, lw.direct3d9, lw.distributed)
        for name in home.__all__
    ]
    return {name: kind for name, kind in listed if isinstance(kind, type)}


def with_arguments(kind: type) -> Iterator[str]:
    """The methods of a class that cannot be called without arguments."""
    for name in dir(kind):
        method = inspect.getattr_static(kind, name)
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        if any(
            parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            for parameter in [*inspect.signature(method).parameters.values()][1:]
        ):
            yield name


class Behaviour:
    """What an object is and does: a text for each of its attributes and of what its methods return, with the path to it.

    `met` are the objects of lanewise on the way, the first of each class.
    """

    def __init__(self, value: object, depth: int = 1) -> None:
        self.texts: list[tuple[str, str]] = []
        self.met: dict[type, object] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            self._visit(value, type(value).__name__, depth)

    def _visit(self, value: Any, path: str, depth: int) -> None:
        kind = cast("type[Any]", type(value))
        ours = kind.__module__.partition(".")[0] == "lanewise"
        if ours:
            self.met.setdefault(kind, value)
        if isinstance(value, np.ndarray):
            data = cast("NDArray[Any]", value)
            found = blake2b(data.tobytes(), digest_size=8).hexdigest()
            self.texts.append((path, f"{data.dtype} {data.shape} {found}"))
        elif isinstance(value, (set, frozenset)):
            self.texts.append((path, ", ".join(sorted(map(repr, cast("frozenset[object]", value))))))
        elif isinstance(value, (tuple, list)):
            row = cast("tuple[object, ...]", value)
            items = row[:_MOST]
            names = [f".{name}" for name in getattr(kind, "_fields", ())] or [f"[{n}]" for n in range(len(items))]
            self.texts.append((path, f"{kind.__name__} of {len(row)}"))
            for name, item in zip(names, items, strict=False):
                self._visit(item, path + name, depth - ours)
            if ours and depth >= 0:
                self._members(value, path, depth)
        elif isinstance(value, Mapping):
            mapping = cast("Mapping[object, object]", value)
            self.texts.append((path, f"{kind.__name__} of {len(mapping)}"))
            for key in itertools.islice(mapping, _MOST):
                self._visit(mapping[key], f"{path}[{key!r}]", depth - ours)
        elif isinstance(value, Iterator):
            self._visit([*itertools.islice(cast("Iterator[object]", value), 5)], path, depth)
        else:
            self.texts.append((path, _ADDRESS.sub("", repr(value))))
            if ours and depth >= 0 and not isinstance(value, type) and not inspect.isroutine(value):
                self._members(value, path, depth)

    def _members(self, value: Any, path: str, depth: int) -> None:
        kind = cast("type[Any]", type(value))
        needing = {*with_arguments(kind)}
        fields = getattr(kind, "_fields", ())
        for name in sorted({*dir(kind), *getattr(value, "__dict__", ()), "_repr_html_"}):
            key = f"{kind.__name__}.{name}"
            if (name.startswith("_") and name != "_repr_html_") or name in fields or name in SKIPPED or key in SKIPPED:
                continue
            static = inspect.getattr_static(kind, name, None)
            if isinstance(static, (classmethod, staticmethod)) or (name in needing and key not in CALLS):
                continue
            try:
                found = CALLS[key](value) if key in CALLS else getattr(value, name)
                if isinstance(found, MethodType) and inspect.isfunction(static):
                    found = found()
            except (ValueError, TypeError, KeyError, AttributeError, lw.InputError) as error:
                found = f"{type(error).__name__}: {error}"
            if inspect.isroutine(found):
                continue
            self._visit(found, f"{path}.{name}", depth - 1)


def there(data: list[bytes]) -> list[tuple[list[tuple[str, str]], bytes]]:
    """What objects do in the process where they are loaded, and the objects to send back."""
    objects = [pickle.loads(each) for each in data]
    return [(Behaviour(each).texts, pickle.dumps(each)) for each in objects]
