"""What users of Python do at first: what is said, and that what is said to do works."""

from __future__ import annotations

import dataclasses
import warnings
from decimal import Decimal
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays import announcing, npz
from lanewise.core.service import InputFailure

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[3] / "examples"
POINTS = np.linspace(-1, 1, 30).reshape(10, 3)
REST = {"color": [1, 0.5, 0], "texcoord": [0, 0]}
f24: Any = lw.pica200.float24
UNIFORMS: dict[str, Any] = {"projection": np.eye(4)}
PATH = EXAMPLES / "transform.v.pica"
CASE = lw.Case(outputs={"position": [0, 0, 0, 1]}, inputs={"position": [0, 0, 0], **REST}, uniforms=UNIFORMS)


@pytest.fixture(scope="module")
def shader() -> Any:
    return lw.load(PATH).vertex


@pytest.fixture(autouse=True)
def unsaid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its own account of what was said at the line of `run`."""
    monkeypatch.setattr(announcing, "_looked", {})


def run(shader: Any, position: Any = POINTS, uniforms: Any = UNIFORMS, **named: Any) -> Any:
    return shader.run({"position": position, **REST}, uniforms, **named)


# The mistake, what is said, and what one writes then.
CALLS: list[tuple[Callable[[Any], object], str, Callable[[Any], object]]] = [
    (lambda s: run(s, engine="cuda"), "use llvm, which `threads=` shares", lambda s: run(s, engine="llvm", threads=2)),
    (lambda s: run(s, engine="LLVM"), "did you mean llvm", lambda s: run(s, engine="llvm")),
    (lambda s: run(s, engine="jit"), "use llvm, which compiles", lambda s: run(s, engine="reference")),
    (lambda s: run(s, threads=-1), r"`os.cpu_count\(\)` are all cores", lambda s: run(s, threads=2)),
    (lambda s: run(s, device="rtl"), "here it is profile=", lambda s: run(s, profile="azahar")),
    (lambda s: run(s, rule="ieee"), "here it is profile=", lambda s: run(s, profile="azahar")),
    (lambda s: run(s, Threads=2), "did you mean threads", lambda s: run(s, threads=2)),
    (lambda s: run(s, max_steps=9), "did you mean budget", lambda s: run(s, budget=99)),
    (lambda s: s.run(vertices=POINTS), "did you mean inputs or count", lambda s: s.run({"position": POINTS, **REST}, UNIFORMS)),
    (
        lambda s: run(s, uniforms={f"projection.{letter}": row for letter, row in zip("xyzw", np.eye(4), strict=True)}),
        r"unknown uniforms 'projection.x', .*'projection' is given whole\n.*\nhelp: give `\{'projection': rows\}`",
        run,
    ),
    (lambda s: lw.pica200.Pipeline(s).run({"position": POINTS, **REST}, cast("Any", UNIFORMS)), "give uniforms by name", run),
    (
        lambda _: lw.load((PATH).read_text()),
        r"lanewise.assemble\(text\) takes the text",
        lambda _: lw.assemble((PATH).read_text()),
    ),
    (
        lambda _: lw.assemble(r".proc main\n\tnop\n\tend\n.end\n"),
        r"`text.encode\(\).decode\('unicode_escape'\)`",
        lambda _: lw.assemble(rb".proc main\n\tnop\n\tend\n.end\n".decode("unicode_escape")),
    ),
    (
        lambda _: lw.compile("vs_2_0\ndcl_position v0\nmov oPos, v0\n", target="3ds"),
        "did you mean pica200",
        lambda _: lw.compile("vs_2_0\ndcl_position v0\nmov oPos, v0\n", target="pica200"),
    ),
    (
        lambda _: lw.mismatches(cast("Any", PATH), CASE),
        r"`lanewise.load\(path\)`",
        lambda _: lw.mismatches(lw.load(PATH), CASE),
    ),
    (lambda _: lw.mismatches(lw.load(PATH), cast("Any", {})), r"`lanewise.Case\(\*\*case\)`", lambda _: lw.Case(outputs={})),
    (
        lambda _: lw.mismatches(lw.load(PATH), dataclasses.replace(CASE, tolerance=1e-3)),
        r"write \{'abs': 0.001\}",
        lambda _: lw.mismatches(lw.load(PATH), dataclasses.replace(CASE, tolerance={"abs": 1e-3})),
    ),
]


@pytest.mark.parametrize(("mistake", "said", "then"), CALLS)
def test_a_call_that_is_refused(
    shader: Any, mistake: Callable[[Any], object], said: str, then: Callable[[Any], object]
) -> None:
    with pytest.raises((ValueError, TypeError, lw.InputError), match=said):
        mistake(shader)
    then(shader)


@pytest.mark.parametrize("text", ["void mainImage(out vec4 c, in vec2 p) { c = vec4(p, 0.0, 1.0); }", "vec4 f() { return g; }"])
def test_a_text_that_is_like_glsl_is_not_taken_for_words(text: str) -> None:
    with pytest.raises(lw.InputError) as caught:
        lw.compile(text)
    (found,) = [each for each in caught.value.diagnostics if each.is_error][:1]
    assert found.code[0] == "L", found
    assert "mainImage" not in text or found.fix.endswith("write a vertex shader, `void main() { gl_Position = ...; }`")


def test_a_loop_that_runs_once_too_often_is_named() -> None:
    lights = lw.load(EXAMPLES / "lighting.v.pica").vertex
    inputs = {"position": POINTS, "normal": POINTS}
    uniforms = {
        "projection": np.eye(4),
        "modelview": np.eye(4),
        "ambient": [0] * 3,
        "direction": [[0, 0, 1]] * 2,
        "light": [[1] * 3] * 2,
    }
    with pytest.raises(lw.InputError) as caught:
        lights.run(inputs, {**uniforms, "lights": [2, 0, 1]})
    assert caught.value.diagnostics[0].notes == (
        "the loop of line 37 runs 3 times, as 'lights' is 2, 0, 1: the first is one less",
    )
    lights.run(inputs, {**uniforms, "lights": [1, 0, 1]})


def test_structured_arrays_have_inputs_by_name(shader: Any) -> None:
    fields = np.zeros(3, [("position", "f4", 3), ("color", "f4", 3), ("texcoord.x", "f4"), ("texcoord.y", "f8")])
    fields["position"], fields["texcoord.y"] = POINTS[:3], [1, 2, 3]
    found = shader.run(fields, UNIFORMS).outputs
    assert np.allclose(found["position"][:, :3], POINTS[:3], atol=1e-4)
    assert found["texcoord0"].tolist() == [[0, 1], [0, 2], [0, 3]]


def test_a_new_array_that_a_batch_does_not_read(shader: Any) -> None:
    inputs: dict[str, Any] = {"position": np.zeros((3, 3)), **REST}
    batch = shader.batch(inputs, UNIFORMS)
    first, inputs["position"] = inputs["position"], np.ones((3, 3))
    with pytest.warns(lw.InputWarning, match=r"write into the first one, `inputs\['position'\]\[...\] = values`"):
        assert not batch.run()["position"][:, 0].any()
    first[...] = 1
    other = shader.batch(inputs, UNIFORMS)
    inputs["position"] = np.zeros((3, 3))
    shader.batch(inputs, UNIFORMS)  # to which the dict belongs now
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert batch.run()["position"][:, 0].all()
        assert other.run()["position"][:, 0].all()


def test_a_step_that_the_format_does_not_have(shader: Any) -> None:
    run(shader, [0.7, 0, 0.3])
    with pytest.warns(lw.InputWarning, match=r"^B025: .* by 1e-08, and near 0.7 .* `epsilon=2\*\*-8`"):
        run(shader, np.array([0.7 + 1e-8, 0, 0.3]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(shader, np.array([0.7 + 2**-8, 0, 0.3]))
        run(shader, np.array([0.7 + 2**-8, 1e-9, 0.3]))  # near 0 there are more numbers
        run(shader, np.array([0.7 + 2**-8, 1e-9, 0.3]))
        run(shader, [2.0**20, 0, 0.3])
    with pytest.warns(lw.InputWarning, match=r"^B025: .* by 1, and near 1.049e\+06 .* such as the first value, `t - start`"):
        run(shader, [2.0**20 + 1, 0, 0.3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(shader, [1.0, 0, 0.3])


OBJECTS = [POINTS.astype(object), np.array([[0, 0, 0], [1, 2, 3], None], object)[:2]]  # of numbers, and of lists
SAVED: list[tuple[Any, Callable[[Any], Any], str]] = [
    *[
        (values, lambda values: np.array(values.tolist(), np.float32), "`numpy.array(values.tolist(), numpy.float32)`")
        for values in OBJECTS
    ],
    (POINTS.astype(str), lambda values: values.astype(np.float32), "`values.astype(numpy.float32)`"),
    (POINTS * 1j, lambda values: values.real, "`values.real`"),
    (POINTS.astype("m8[s]"), lambda values: values / np.timedelta64(1, "s"), "`values / numpy.timedelta64(1, 's')`"),
    (
        np.zeros(3, "f4,f4"),
        lambda values: np.stack([values[name] for name in values.dtype.names], -1),
        "`numpy.stack([values[name] for name in values.dtype.names], -1)`",
    ),
]


@pytest.mark.parametrize(("values", "fix", "said"), SAVED)
def test_arrays_in_files_that_are_not_numbers(values: Any, fix: Callable[[Any], Any], said: str) -> None:
    def read(array: Any) -> Any:
        file = BytesIO()
        np.save(file, array, allow_pickle=True)
        return npz.read_npy(BytesIO(file.getvalue()), len(file.getvalue()), "x.npy")

    with pytest.raises(InputFailure, match="expected numbers: ") as caught:
        read(values)
    assert said in str(caught.value).replace("numpy.save writes them as a pickle, which is not read: ", "")
    assert read(fix(values)).dtype.kind == "f"


pandas: Any = pytest.importorskip("pandas")


def test_a_series_in_place_of_an_input(shader: Any) -> None:
    with pytest.warns(lw.InputWarning, match=r"^B027: input 'position' is a Series of 3 numbers"):
        run(shader, pandas.Series([1.0, 2.0, 3.0]))
    for given in (pandas.Series([1.0, 2.0, 3.0]).to_numpy(), pandas.Series([1.0, 2.0, 3.0]).to_numpy()[:, None]):
        assert not [found for found in run(shader, given).warnings if found.code == "B027"]
    row = pandas.DataFrame(POINTS, columns=[f"position.{letter}" for letter in "xyz"]).iloc[0]
    assert not [found for found in run(shader, row).warnings if found.code == "B027"]
    columns = pandas.DataFrame(POINTS, columns=[f"position.{letter}" for letter in "xyz"])
    with pytest.raises(lw.InputError, match=r"`frame\[\['position.x', 'position.y', 'position.z'\]\]`"):
        run(shader, columns["position.x"])
    run(shader, columns[["position.x", "position.y", "position.z"]])


def test_names_are_in_bindings(shader: Any) -> None:
    assert "position" in shader.inputs and "projection" in shader.uniforms and "pos" not in shader.inputs


def test_a_label_in_place_of_a_row(shader: Any) -> None:
    frame = pandas.DataFrame(POINTS, columns=[f"position.{letter}" for letter in "xyz"]).sample(frac=1, random_state=1)
    top = shader.run(frame, UNIFORMS, defaults=0).to_pandas()["position.x"].idxmax()
    with pytest.warns(lw.InputWarning, match=rf"`lane=frame.index.get_loc\({top}\)`"):
        shader.trace(frame, UNIFORMS, lane=top, defaults=0)
    some = frame[frame.index >= min(top, len(frame) - 2)]
    named = some.set_axis([f"v{label}" for label in some.index])
    dated = some.set_axis(pandas.date_range("2026-11-30", periods=len(some)))
    last = some.index.max()
    for table, lane in ((some, last), (some, int(last)), (named, named.index[1]), (dated, dated.index[1])):
        with pytest.raises(lw.InputError, match=r"lane counts rows from 0: .* is the label of row") as error:
            shader.trace(table, UNIFORMS, lane=lane, defaults=0)
        fix = str(error.value.diagnostics[0].fix)
        row = eval(fix.split("`")[1].removeprefix("lane="), {"frame": table, "Timestamp": pandas.Timestamp})
        assert fix.endswith(f"which is {row}") and table.index[row] == lane
        shader.trace(table, UNIFORMS, lane=row, defaults=0)
    with pytest.raises(ValueError, match="lane is 'v', expected a whole number"):
        shader.trace(named, UNIFORMS, lane="v", defaults=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for lane in (frame.index.get_loc(top), int(top)):
            shader.trace(frame, UNIFORMS, lane=lane, defaults=0)
        shader.trace(frame.sort_index(), UNIFORMS, lane=top, defaults=0)


def test_levels_of_columns_that_are_exchanged(shader: Any) -> None:
    columns = pandas.MultiIndex.from_tuples([(letter, name) for name in ("position", "color", "texcoord") for letter in "xy"])
    frame = pandas.DataFrame(np.zeros((2, 6)), columns=columns)
    with pytest.raises(lw.InputError, match=r"exchange the levels: `frame = frame.swaplevel\(axis=1\)`"):
        shader.run(frame, UNIFORMS)
    shader.run(frame.swaplevel(axis=1), UNIFORMS)


def test_a_frame_in_place_of_uniforms(shader: Any) -> None:
    with pytest.raises(TypeError, match=r"which come first, `run\(frame, uniforms\)`"):
        shader.run(UNIFORMS, pandas.DataFrame(POINTS))


# Values that are not numbers, and what is said to write.
VALUES: list[tuple[Callable[[], Any], str, Callable[[Any], Any]]] = [
    (lambda: b"\0\0\x80?" * 3, "`numpy.frombuffer(values, numpy.float32).reshape(-1, 3)`", lambda v: np.frombuffer(v, "f4")),
    (lambda: bytearray(12), "`numpy.frombuffer(values, numpy.float32)", lambda v: np.frombuffer(v, "f4").reshape(-1, 3)),
    (lambda: {"x": [1, 2], "y": [3, 4]}, "`numpy.stack([*values.values()], axis=-1)`", lambda v: np.stack([*v.values()], -1)),
    (lambda: ["1", "2", "3"], "`numpy.asarray(values, float)`", lambda v: np.asarray(v, float)),
    (lambda: [Decimal("1.5")] * 3, "`numpy.asarray(values, float)`", lambda v: np.asarray(v, float)),
    (lambda: 10**30, "`numpy.asarray(values, float)`", lambda _: np.asarray(10**15, float)),
    (lambda: [{"x": 1, "y": 2}], "`pandas.DataFrame(values)`", pandas.DataFrame),
    (lambda: zip([1], [2], strict=True), "`list(rows)`", list),
    (lambda: StringIO("1,2,3"), "`numpy.loadtxt(file, delimiter=',')`", lambda v: np.loadtxt(v, delimiter=",")),
    (lambda: Path("points.csv"), "`pandas.read_csv('points.csv')`", lambda _: pandas.DataFrame({"x": [1]})),
    (lambda: pandas.DataFrame({"x": [1], "g": [1]}).groupby("g"), "`values.mean()`", lambda v: v.mean()),
    (
        lambda: lw.load(PATH).vertex.run({"position": POINTS, **REST}, UNIFORMS),
        "outputs['position']`",
        lambda v: v.outputs["position"],
    ),
    (
        lambda: lw.load(PATH).vertex.run({"position": POINTS, **REST}, UNIFORMS).outputs,
        "`values['position']`",
        lambda v: v["position"],
    ),
    (lambda: None, "leave it out, or give a list", lambda _: [1, 2, 3]),
    (lambda: len, "call it, or give what it makes", lambda _: len([1])),
]


@pytest.mark.parametrize(("make", "said", "then"), VALUES)
def test_values_that_are_not_numbers(shader: Any, make: Callable[[], Any], said: str, then: Callable[[Any], Any]) -> None:
    given = make()
    with pytest.raises(lw.InputError) as caught:
        run(shader, given)
    [found] = caught.value.diagnostics
    assert found.code == "B003" and said in found.fix
    run(shader, then(make() if hasattr(given, "__next__") else given))


def test_columns_of_several_inputs_for_one(shader: Any) -> None:
    frame = pandas.DataFrame(np.zeros((2, 4)), columns=["position.x", "position.y", "color.x", "color.y"])
    with pytest.raises(lw.InputError, match=r"choose those of one input: `frame\[\['position.x', 'position.y'\]\]`"):
        run(shader, frame)
    run(shader, frame[["position.x", "position.y"]])


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (POINTS, r"an ndarray, .*\{'position': rows, 'color': rows, 'texcoord': rows\}"),
        ([{"position.x": 1}], r"`pandas.DataFrame\(rows\)`"),
        (pandas.Series([1.0]), r"`frame.iloc\[\[0\]\]`"),
        (pandas.DataFrame({"g": [1]}).groupby("g"), r"`for _, frame in groups: shader.run\(frame, ...\)`"),
    ],
)
def test_inputs_that_are_not_by_name(shader: Any, inputs: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        shader.run(inputs, UNIFORMS)


# Arguments of other kinds, and what is said; `then` is what one writes instead.
OTHERS: list[tuple[Callable[[Any], Any], str, Callable[[Any], Any]]] = [
    (lambda _: lw.assemble(cast("Any", None)), "source is of the type NoneType, expected text", lambda _: lw.assemble(TEXT)),
    (
        lambda _: lw.assemble(cast("Any", StringIO(TEXT))),
        r"`.read\(\)` gives the text",
        lambda _: lw.assemble(StringIO(TEXT).read()),
    ),
    (lambda _: lw.assemble(TEXT.splitlines()), r"`'\\n'.join\(lines\)`", lambda _: lw.assemble("\n".join(TEXT.splitlines()))),
    (lw.disassemble, "give the file", lambda _: lw.disassemble(lw.load(PATH))),
    (lambda _: lw.convert(cast("Any", 3), "nihstro"), "found int", lambda _: lw.convert(PATH, "nihstro")),
    (lambda _: lw.convert(PATH, "Nihstro"), "did you mean nihstro", lambda _: lw.convert(PATH, "nihstro")),
    (lambda _: lw.format_source(TEXT, "x.v.pica"), "the name comes first", lambda _: lw.format_source("x.v.pica", TEXT)),
    (
        lambda s: s.trace(GIVEN, UNIFORMS, lane="1"),
        "lane is '1', expected a whole number",
        lambda s: s.trace(GIVEN, UNIFORMS, lane=1),
    ),
    (
        lambda s: run(s, progress=True),
        "progress is True, expected a function",
        lambda s: run(s, progress=print),
    ),
    (lambda s: s.run({0: POINTS}, UNIFORMS), "unknown input 0: names are texts", run),
    (
        lambda s: run(s).registers["position"],
        r"it is an output, `outputs\['position'\]`",
        lambda s: run(s).outputs["position"],
    ),
    (lambda s: run(s).registers["r0.y"], r"`registers\['r0'\]\[:, 1\]`", lambda s: run(s).registers["r0"][:, 1]),
    (lambda s: run(s).registers["R0"], "did you mean r0?", lambda s: run(s).registers["r0"]),
    (
        lambda s: run(s).registers["c0"],
        "there are r0-r15, v0-v15, o0-o15, a0, cmp, aL",
        lambda s: run(s).registers["aL"],
    ),
    (lambda s: run(s).registers[0], r"`registers\['r0'\]`", lambda s: run(s).registers["r0"]),
    (
        lambda s: s.run({"position.x": [1], "position.y": [1], **REST}, UNIFORMS),
        r"^error\[B001\]: unknown input 'position.x': .*\n.*\nhelp: .*`pandas.DataFrame\(inputs\)`$",
        lambda s: s.run(pandas.DataFrame({"position.x": [1], "position.y": [1], "color.x": 1, "texcoord.x": 1}), UNIFORMS),
    ),
    (lambda s: s.batch(GIVEN, UNIFORMS, out=np.zeros(3)), "expected arrays by name", lambda s: s.batch(GIVEN, UNIFORMS)),
    (
        lambda s: s.batch(GIVEN, UNIFORMS, out={"position": [[0] * 4] * 10}),
        r"give `numpy.empty\(\(10, 4\), numpy.float32\)`",
        lambda s: s.batch(GIVEN, UNIFORMS, out={"position": np.empty((10, 4), np.float32)}),
    ),
    (
        lambda s: s.equivalent(PATH),
        r"`lanewise.load\(path\).vertex`",
        lambda s: s.equivalent(lw.load(PATH).vertex, profile="hardware"),
    ),
    (lambda _: lw.pica200.Pipeline(cast("Any", lw.load(PATH))), "`file.pipeline`", lambda _: lw.load(PATH).pipeline),
    (lambda s: run(s).outputs[0], "outputs have names, not 0", lambda s: run(s).outputs["position"]),
    (
        lambda s: s.explain,
        r"shader.trace\(inputs, uniforms, lane=0\).explain",
        lambda s: s.trace(GIVEN, UNIFORMS).explain("color.x"),
    ),
    (lambda s: lw.mismatches(s, **GIVEN_CASE), r"lanewise.Case\(inputs=...", lambda s: lw.mismatches(s, lw.Case(**GIVEN_CASE))),
    (lambda s: lw.mismatches(s, lw.Case(outputs={})), "the case expects nothing", lambda s: lw.mismatches(s, CASE)),
    (
        lambda s: lw.mismatches(s, dataclasses.replace(CASE, tolerance=cast("Any", "1e-3"))),
        r"write \{'abs': 0.001\}",
        lambda s: lw.mismatches(s, dataclasses.replace(CASE, tolerance={"abs": 1e-3})),
    ),
    (
        lambda s: lw.mismatches(s, dataclasses.replace(CASE, faults=1)),
        "expected the code with which lanes stop",
        lambda _: dataclasses.replace(CASE, faults="R001"),
    ),
    (lambda s: lw.Case(outputs=run(s)), r"`dict\(result.outputs\)`", lambda s: lw.Case(outputs=dict(run(s).outputs))),
    (lambda s: run(s).outputs[:, 0], r"`outputs\['position'\]\[:, 0\]`", lambda s: run(s).outputs["position"][:, 0]),
    (lambda s: s.trace(GIVEN, UNIFORMS)["position"], r"`explain\('position.x'\)`", lambda s: s.trace(GIVEN, UNIFORMS).steps),
    (
        lambda s: s.trace(GIVEN, UNIFORMS).explain("color[0]"),
        "write color.x",
        lambda s: s.trace(GIVEN, UNIFORMS).explain("color.x"),
    ),
    (
        lambda s: s.trace(GIVEN, UNIFORMS).explain("color.xy"),
        "one at a time: color.x",
        lambda s: s.trace(GIVEN, UNIFORMS).explain("color.x"),
    ),
    (lambda s: run(s).show(), r"`svg\(indices=faces\)`", lambda s: run(s).svg(indices=[0, 1, 2])),
    (lambda s: run(s, count="3"), "write 3", lambda s: run(s, count=3)),
    (lambda s: s.run(GIVEN, UNIFORMS, "llvm"), "give 'llvm' by name, engine='llvm'", lambda s: run(s, engine="llvm")),
    (lambda s: s.run(GIVEN, UNIFORMS, "azahar"), "give 'azahar' by name, profile='azahar'", lambda s: run(s, profile="azahar")),
    (
        lambda s: run(s, [[0, 0, 0], [1, 0], [0, 1, 0]]),
        r"such as \[1, 0, 0\] for \[1, 0\]",
        lambda s: run(s, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
    ),
    (
        lambda s: s.run({**GIVEN, "color": np.diff(POINTS, axis=0)}, UNIFORMS),
        r"`numpy.diff\(values, axis=0, prepend=values\[:1\]\)`",
        lambda s: s.run({**GIVEN, "color": np.diff(POINTS, axis=0, prepend=POINTS[:1])}, UNIFORMS),
    ),
    (
        lambda s: s.run({**GIVEN, "color": POINTS[:5]}, UNIFORMS),
        r"`numpy.repeat\(color, 2, axis=0\)`",
        lambda s: s.run({**GIVEN, "color": np.repeat(POINTS[:5], 2, axis=0)}, UNIFORMS),
    ),
    (
        lambda s: s.run({"position.x": 1, "position.y": 2, **REST}, UNIFORMS),
        r"`pandas.DataFrame\(\[inputs\]\)`",
        lambda s: s.run(pandas.DataFrame([{"position.x": 1, "position.y": 2}]), UNIFORMS, defaults=0),
    ),
    (
        lambda s: len(run(s)),
        r"`to_pandas\(\)` is a data frame",
        lambda s: len(run(s).to_pandas()) == run(s).lanes and bool(run(s)),
    ),
    (lambda s: f24.decode(run(s).outputs["position"]), "leave `decode` out for numbers, such as `outputs`", run),
    (
        lambda s: f24.decode(run(s, profile="azahar").bits["position"]),
        r"`words.view\(numpy.float32\)`",
        lambda s: run(s, profile="azahar").bits["position"].view(np.float32),
    ),
    (lambda _: lw.compile(PATH), r"it needs no compiler: .*`lanewise.load\('.*transform.v.pica'\)`", lambda _: lw.load(PATH)),
    (
        lambda _: lw.load(EXAMPLES / "toon.v.pica").vertex.run({"position": [0, 0, 0], "normal": [0, 0, 1]}, TOON),
        r"note: line 4 declares it: .fvec sun ; .*w: the number of bands\nhelp: .*4 numbers, \[0, 0, 1, W\]$",
        lambda _: lw.load(EXAMPLES / "toon.v.pica").vertex.run(
            {"position": [0, 0, 0], "normal": [0, 0, 1]}, {**TOON, "sun": [0, 0, 1, 4]}
        ),
    ),
    (
        lambda s: lights(2),
        r"in Python \[1, 0, 1\], is 2 iterations",
        lambda s: lights([1, 0, 1]),
    ),
    (
        lambda s: run(s) == run(s),
        r"`numpy.array_equal\(first.outputs\['position'\], second.outputs\['position'\]\)`",
        lambda s: np.array_equal(run(s).outputs["position"], run(s).outputs["position"]),
    ),
    (
        lambda s: run(s).outputs == run(s).outputs,
        r"`numpy.array_equal\(first\['position'\], second\['position'\]\)`",
        lambda s: np.array_equal(run(s).outputs["position"], run(s).outputs["position"]),
    ),
    (
        lambda s: run(s).outputs["position.y"],
        r"`outputs\['position'\]\[:, 1\]`",
        lambda s: run(s).outputs["position"][:, 1],
    ),
    (lambda s: run(s).outputs.texcoord, r"use `outputs\['texcoord0'\]`", lambda s: run(s).outputs["texcoord0"]),
    (
        lambda s: run(s).outputs.__setitem__("position", POINTS),
        r"`found = dict\(outputs\)`",
        lambda s: dict(run(s).outputs).update(position=POINTS),
    ),
    (lambda s: s.batch(GIVEN, UNIFORMS)(), r"call `batch.run\(\)`", lambda s: s.batch(GIVEN, UNIFORMS).run()),
    (lambda s: run(s, out={}), r"`shader.batch\(inputs, uniforms, out=arrays\)`", lambda s: s.batch(GIVEN, UNIFORMS, out={})),
    (lambda s: run(s, dtype="f8"), r"`outputs\[name\].astype\(dtype\)`", lambda s: run(s).outputs["position"].astype("f8")),
    (
        lambda s: s.run({**GIVEN, "color": "#ff8000"}, UNIFORMS),
        r"the colour, \[1, 0.502, 0\]",
        lambda s: s.run({**GIVEN, "color": [1, 0.502, 0]}, UNIFORMS),
    ),
    (lambda s: run(s, uniforms={"projection": "identity"}), r"`numpy.eye\(4\)`", run),
    (lambda s: run(s, uniforms={"u_mvp": np.eye(4)}), r"did you mean projection\?", run),
    (lambda s: s.run({"position": POINTS, "color": 1, "uv": [0, 0]}, UNIFORMS), r"did you mean texcoord\?", run),
    (lambda s: next(GIVEN_FRAME.itertuples()) and s.run(next(GIVEN_FRAME.itertuples())), r"`frame.iloc\[\[0\]\]`", run),
    (
        lambda s: setattr(s, "projection", np.eye(4)),
        r"keeps no values: values are given to `run`, by name, \{'projection': value\}",
        run,
    ),
    (lambda s: setattr(s.uniforms, "projection", np.eye(4)), r"given to `run`, by name, \{'projection': value\}", run),
    (lambda s: s.equivalent(s).equal, r"use `verdict == 'equal'`", lambda s: s.equivalent(s).verdict == "equal"),
    (lambda s: s.equivalent(s).differences, "use `example`", lambda s: s.equivalent(s).example),
    (lambda s: s.cfg, r"use `graph\(\)`", lambda s: s.graph()),
    (lambda s: run(s).show, r"`svg\(indices=faces\)`", lambda s: run(s).svg(indices=[0, 1, 2])),
    (lambda _: cast("Any", lw.load(PATH)).shaders, "use `file.programs`", lambda _: lw.load(PATH).programs),
    (lambda _: cast("Any", lw).Error, "use `lanewise.InputError`", lambda _: lw.InputError),
    (lambda _: cast("Any", lw).Load, "use `lanewise.load`", lambda _: lw.load),
    (
        lambda _: lw.pica200.fetch_vertices(b"1234", [("position", "float32", 3)]),
        "has no whole vertex of 12 bytes",
        lambda _: lw.pica200.fetch_vertices(bytes(12), [("position", "float32", 3)]),
    ),
]
TEXT = PATH.read_text("utf-8")
GIVEN_CASE: dict[str, Any] = {"inputs": {"position": [0, 0, 0], **REST}, "uniforms": UNIFORMS, "outputs": CASE.outputs}
TOON = {**UNIFORMS, "sun": [0, 0, 1], "shade": [0.1] * 3, "paint": [0.8] * 3, "shine": [1, 1, 1, 0.7], "glossy": True}


def lights(count: Any) -> object:
    """Run the example with lights in a loop."""
    uniforms = {"projection": np.eye(4), "modelview": np.eye(4), "ambient": [0] * 3}
    rows = {"direction": [[0, 0, 1]] * 2, "light": [[1] * 3] * 2}
    inputs = {"position": POINTS, "normal": POINTS}
    return lw.load(EXAMPLES / "lighting.v.pica").vertex.run(inputs, {**uniforms, **rows, "lights": count})


GIVEN_FRAME = pandas.DataFrame({"position.x": [1.0]})
GIVEN: dict[str, Any] = {"position": POINTS, **REST}


# Numbers in other bytes, and what is given then.
BYTES: list[tuple[Callable[[Any], Any], str, Callable[[Any], Any]]] = [
    (lambda v: v.view(np.uint32), r"^B020: .*`values.view\(numpy.float32\)`$", lambda v: v.view(np.float32)),
    (lambda v: v.view(np.int32), r"^B020: .*`values.view\(numpy.float32\)`$", lambda v: v.view(np.float32)),
    (lambda v: v.byteswap(), r"^B019: .*`values.byteswap\(\)`", lambda v: v.byteswap()),
]


@pytest.mark.parametrize(("mistake", "said", "then"), BYTES)
def test_numbers_in_other_bytes(shader: Any, mistake: Callable[[Any], Any], said: str, then: Callable[[Any], Any]) -> None:
    given = mistake(np.random.default_rng(1).uniform(-1, 1, (20, 3)).astype(np.float32))
    with pytest.warns(lw.InputWarning, match=said):
        run(shader, given)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(shader, then(given))


def test_integers_that_are_integers(shader: Any) -> None:
    for whole in (np.arange(200000, 200030, 2, dtype=np.int32) * 5 + 1, np.full(9, 2**30 + 3, np.int32)):
        with pytest.warns(lw.InputWarning, match=r"^B020: .* integers? of .* that float24 rounds"):
            run(shader, whole.reshape(-1, 3))


@pytest.mark.parametrize(("mistake", "said", "then"), OTHERS)
def test_arguments_of_another_kind(shader: Any, mistake: Callable[[Any], Any], said: str, then: Callable[[Any], Any]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError, lw.InputError), match=said):
        mistake(shader)
    then(shader)


def test_a_drawing_takes_no_path_and_is_returned(shader: Any) -> None:
    result: Any = shader.run({"position": POINTS[:3], **REST}, UNIFORMS)
    for values, named in ((["a.svg"], {"indices": [0, 1, 2]}), (["a.svg", [0, 1, 2]], {}), ([], {"path": "a.svg"})):
        with pytest.raises(
            TypeError, match=r"takes no path, it returns the text: `pathlib\.Path\('.+\.svg'\)\.write_text\(res"
        ):
            result.svg(*values, **named)
    with pytest.raises(TypeError, match="has no argument 'colour': did you mean color"):
        result.svg(colour="normal")
