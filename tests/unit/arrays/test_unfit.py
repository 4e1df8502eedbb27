"""Values that are not numbers, and columns that are not inputs: what is said, and the fix."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import lanewise as lw
from corpus import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EXAMPLES = REPOSITORY / "examples"
REST: dict[str, Any] = {"color": [1, 1, 1], "texcoord": [0, 0]}
PROJECTION = {"projection": np.eye(4)}
DAY = datetime.date(2026, 11, 29)


@pytest.fixture(scope="module")
def programs() -> list[Any]:
    return [
        lw.load_pica200(EXAMPLES / "transform.v.pica").vertex,
        lw.load_shadercore(EXAMPLES / "transform.sc"),
        lw.load_direct3d9(EXAMPLES / "direct3d9/lit.vsa"),
    ]


@pytest.mark.parametrize(
    ("value", "code", "what", "fix"),
    [
        ("1,2,3", "B003", "is text", "give a list, [1, 2, 3]"),
        ({1, 2}, "B003", "is a set, which has no order", "give a list"),
        ({"x": 1}, "B003", "is a dict", "rows of its values"),
        (iter([[1, 2]]), "B003", "is a list_iterator", "`list(rows)`"),
        ([["1", "2"]], "B003", "is text", "`numpy.asarray(values, float)`"),
        ([["1", "b"]], "B003", "'b' in row 0 is not a number", "give numbers there"),
        ([[1, 2], [3]], "B003", "row 1 has 1 number, row 0 has 2", "rows of equal length"),
        ([[1, 2], [3, None]], "B003", "has no value in row 1 (None)", "leave the row out"),
        (np.array([["b", "a"]], object), "B003", "has text in row 0, 'b'", "pandas.factorize"),
        (np.array([[1, "a"]], object), "B003", "has text in row 0, 'a'", "(values).apply(pandas.to_numeric, errors='coerce')"),
        (np.array([["0,5", "1,25"]], object), "B003", "has text in row 0, '0,5'", "decimal=','"),
        (np.array([["0,5", "1,25"]]), "B003", "is text", "decimal=','"),
        (np.array([["1,000", 2]], object), "B003", "has text in row 0, '1,000'", "thousands=','"),
        (np.array([["1", "2"]], object), "B003", "is text", "`numpy.asarray(values, float)`"),
        (np.array([DAY], object), "B003", "has dates or times (date)", "for instance to seconds"),
        (np.array([DAY, DAY], "M8[s]"), "B003", "is dates or times (datetime64[s])", "numpy.timedelta64(1, 's')"),
        (np.array([[1j]]), "B003", "is complex numbers", "`values.real`"),
        (np.zeros((3, 1000)), "B002", "(3, 1000)", "`values.T` in NumPy"),
        (np.zeros((9, 5)), "B002", "(9, 5)", "`values[:, :3]` for one and `values[:, 3:5]` for another"),
        (np.zeros((6, 1, 3)), "B002", "(6, 1, 3)", "`values.reshape(-1, 3)`"),
        (np.zeros(6), "B002", "6", "`numpy.reshape(values, (-1, 1))` of one number each"),
        ([], "B002", "0", "at least one number"),
    ],
)
def test_a_value_says_what_it_is_and_how_it_becomes_numbers(programs: list[Any], value: object, code: str, what: str, fix: str):
    for program in programs if not hasattr(value, "__next__") else programs[:1]:
        with pytest.raises(lw.InputError) as error:
            program.run({"position": value}, defaults=0)
        found = error.value.diagnostics[0]
        assert (found.code, what in found.message, fix in found.fix) == (code, True, True), str(error.value)


def frame(change: Callable[[Any], Any]) -> Any:
    pandas: Any = pytest.importorskip("pandas")
    columns = ("position.x", "position.y", "position.z", "color.x", "texcoord.x")
    return change(pandas.DataFrame({name: [1.0, 2.0] for name in columns}))


CHANGES: list[tuple[Callable[[Any], Any], str, str]] = [
    (
        lambda table: table.rename(columns={name: name.replace(".", "_") for name in table}),
        "unknown inputs 'position_x', 'position_y', 'position_z', 'color_x', 'texcoord_x': a column is an input",
        "frame.rename(columns={'position_x': 'position.x', 'position_y'",
    ),
    (
        lambda table: table.set_axis(["x", "y", "z", "color.x", "w"], axis=1),
        "'x', 'y', 'z'",
        "`frame.rename(columns={'x': 'position.x', 'y': 'position.y', 'z': 'position.z', 'w': 'position.w'})`",
    ),
    (
        lambda table: table.rename(columns={name: f" {name}" for name in [*table][1:]}),
        "4 names of columns begin with a blank, such as ' position.y'",
        "`frame.rename(columns=str.strip)`, or read the file with `skipinitialspace=True`",
    ),
    (
        lambda table: table.rename(columns={"color.x": "color.x "}),
        "the name of the column 'color.x ' ends with a blank",
        "`frame.rename(columns=str.strip)`",
    ),
    (
        lambda table: table.assign(id=["a", "b"]),
        "unknown input 'id'",
        "choose the columns of inputs: `frame[[",
    ),
    (
        lambda table: table.assign(**{"position.x.1": 1}),
        "the column position.x is there twice",
        "columns=['position.x.1']",
    ),
    (
        lambda table: table.rename(columns={"position.y": "positon.y"}),
        "unknown input 'positon'",
        "did you mean position?",
    ),
    (
        lambda table: table.rename(columns={"color.x": "Color.x"}),
        "unknown input 'Color'",
        "did you mean color?",
    ),
    (
        lambda table: table.drop(columns="position.y"),
        "has the columns position.x, position.z",
        "add position.y",
    ),
    (
        lambda table: table.assign(**{"position.w": 1, "position.s": 1}),
        "position.w, position.s, expected",
        "leave out position.s: a register has the components x, y, z, w",
    ),
    (
        lambda table: table.iloc[:, [0, 0, 3, 4]],
        "position.x, position.x",
        "frame.loc[:, ~frame.columns.duplicated()]",
    ),
    (
        lambda table: table.assign(**{"position.y": ["1", "2"]}),
        "'position.y' is text",
        "frame['position.y'].astype(float)",
    ),
    (
        lambda table: table.set_index("position.x"),
        "position.x is the index",
        "`frame = frame.reset_index()`",
    ),
    (
        lambda table: table.astype(str),
        "'position.x' is text, expected numbers, 4 other columns too",
        "`frame = frame.astype(float)`",
    ),
    (
        lambda table: table.assign(more=1).set_axis(list("abcdef"), axis=1),
        "unknown inputs 'a', 'b', 'c', 'd', 'e', 'f'",
        "`frame.columns = ['position.x', 'position.y', ",
    ),
    (
        lambda table: table.assign(**{"position.y": [1, None]}).astype("Int64"),
        "no value in row 1",
        "`frame.fillna(0)`",
    ),
    (
        lambda table: table.assign(**{"position.y": np.array([0, 1], "M8[s]")}),
        "column 'position.y' is dates",
        "(frame['position.y'] - frame['position.y'].min()) / numpy",
    ),
]


@pytest.mark.parametrize(("change", "message", "fix"), CHANGES)
def test_columns_of_a_data_frame(programs: list[Any], change: Callable[[Any], Any], message: str, fix: str):
    with pytest.raises(lw.InputError) as error:
        programs[0].run(frame(change), PROJECTION)
    (found,) = error.value.diagnostics
    assert message in found.message
    assert fix in found.fix


def test_numbers_of_all_kinds_are_columns(programs: list[Any]):
    table = frame(lambda table: table.astype({"position.x": "Int64", "position.y": "int8", "color.x": "float32"}))
    result = programs[0].run(table, PROJECTION)
    assert result.outputs["position"].tolist() == [[1, 1, 1, 1], [2, 2, 2, 1]]
    again = programs[0].run(result.to_pandas(), PROJECTION)
    assert again.outputs["texcoord0"].tolist() == result.outputs["texcoord0"].tolist()


class Lazy:
    """A frame that has no values yet."""

    columns = ("position.x",)

    def collect(self) -> Lazy:
        return self


def test_other_tables_name_the_call_that_makes_a_data_frame(programs: list[Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Lazy, "__module__", "polars.lazyframe")
    for given, text in ((Lazy(), "inputs are a Lazy, .*: use its `collect"), (np.zeros(3), r"such as \{'position': rows")):
        with pytest.raises(TypeError, match=text):
            programs[0].run(given, PROJECTION)


def test_a_matrix_that_is_too_small_is_one_error_with_both_shapes(programs: list[Any]):
    for matrix, text in ((np.eye(3), "c3): 3 rows of 3 numbers are given"), (np.ones((4, 3)), "4 rows of 3 numbers are given")):
        with pytest.raises(lw.InputError) as error:
            programs[0].run({"position": [1, 2, 3], **REST}, {"projection": matrix})
        (found,) = error.value.diagnostics
        assert text in found.message
        assert "4 rows of 4 numbers" in found.fix
    with pytest.raises(lw.InputError, match="run the shader once for each of its values"):
        programs[0].run({"position": [1, 2, 3], **REST}, {"projection": np.zeros((6, 4, 4))})


def test_names_of_the_other_argument_and_paths_in_place_of_data(programs: list[Any], tmp_path: Path):
    shader = programs[0]
    with pytest.raises(lw.InputError, match=r"projection is a uniform: give it with `--uniform` \(uniforms=\{'projection'"):
        shader.run({"position": [1, 2, 3], **REST, **PROJECTION})
    with pytest.raises(lw.InputError, match=r"color is an input: give it with `--input` \(inputs=\{'color'"):
        shader.run({"position": [1, 2, 3]}, {**PROJECTION, "color": [1, 1, 1]})
    for path in ("points.csv", tmp_path / "points.csv"):
        with pytest.raises(TypeError, match=r"inputs are a path, .*pandas.read_csv"):
            shader.run(path, PROJECTION)
    with pytest.raises(ValueError, match=r"profiles\['hardware'\].replace\(rounding='nearest'\)"):
        shader.run({"position": [1, 2, 3], **REST}, PROJECTION, profile={"rounding": "nearest"})
    (tmp_path / "points.csv").write_text("x,y\n1,2\n")
    (tmp_path / "points.parquet").write_bytes(b"PAR1\0")
    for name, title in (("points.csv", "a table of values"), ("points.parquet", "a Parquet table")):
        with pytest.raises(lw.InputError, match=f"this is {title}, not a program"):
            lw.load(tmp_path / name)
    with pytest.raises(TypeError, match=r"a text of 4 lines is given, .*: lanewise.assemble\(text\)"):
        lw.load(".proc main\nend\n.end\n")


def test_names_that_other_objects_have_say_where_they_are(programs: list[Any]):
    file: Any = lw.load(EXAMPLES / "transform.v.pica")
    result: Any = programs[0].run({"position": [1, 2, 3], **REST}, PROJECTION)
    compiled: Any = lw.compile("vs_2_0\ndcl_position v0\nmov oPos, v0\n", target="pica200")
    module: Any = lw
    for call, text in (
        (lambda: file.run, "file.vertex.run"),
        (lambda: file.to_pandas, r"file.vertex.run\(inputs, uniforms\).to_pandas\(\)"),
        (lambda: programs[0].vertex, r"this is the program: `shader.run"),
        (lambda: programs[1].outputs.x, r"no attribute 'x'$"),
        (lambda: programs[1].describe, r"program.run\(inputs, uniforms\).to_pandas\(\).describe"),
        (lambda: programs[2].map, "lanewise.distributed.map_vertices"),
        (lambda: compiled.trace, "program.vertex.trace"),
        (lambda: result.position, r"outputs\['position'\]"),
        (lambda: result.to_dataframe, r"to_pandas\(\)"),
        (lambda: result.head, r"to_pandas\(\).head"),
        (lambda: result.numpy, "arrays by name: position, color, texcoord0"),
        (lambda: result.outputs.color, r"outputs\['color'\]"),
        (lambda: module.run, "lanewise.load"),
        (lambda: result.nothing, "no attribute 'nothing'$"),
    ):
        with pytest.raises(AttributeError, match=text):
            call()
    with pytest.raises(TypeError, match=r"outputs\['position'\]"):
        result["position"]
    with pytest.raises(TypeError, match="several arrays"):
        np.asarray(result)


def joined(done: int, total: int) -> None:
    cast("Any", "".join)(done, total)


def test_arguments_that_a_call_does_not_have(programs: list[Any]):
    shader, profile = programs[0], cast("Any", lw.pica200.Profile)
    result = shader.run({"position": [1, 2, 3], **REST}, PROJECTION)
    for call, text in (
        (lambda: shader.run({}, projection=1), r"uniforms=\{'projection': ...\}"),
        (lambda: shader.run(position=1), r"inputs=\{'position': ...\}"),
        (
            lambda: shader.run(position=1, color=1, projection=1),
            r"no arguments 'position', 'color', 'projection': give them in inputs and uniforms, "
            r"inputs=\{'position': ..., 'color': ...\}, uniforms=\{'projection': ...\}$",
        ),
        (lambda: shader.run({}, {}, thread=2), "did you mean threads"),
        (lambda: shader.trace({}, {}, vertex=2), "did you mean lane"),
        (lambda: shader.trace({}, {}, 2), "takes inputs and uniforms by place: give 2 by name, count=2 or lane=2"),
        (lambda: shader.trace({}, {}, 2, 3), "takes inputs and uniforms by place: give the rest by name, lane="),
        (lambda: programs[1].run({}, {}, colour=2), "it has inputs, uniforms, .*device"),
        (lambda: result.to_pandas(dtype="uint32"), "did you mean bits"),
        (lambda: profile(dotorder="pairs"), r"cannot take dotorder: did you mean dot_order\? \(.*replace"),
        (profile, r"needs a value for rounding \(.*replace"),
    ):
        with pytest.raises(TypeError, match=text):
            call()
    with pytest.raises(TypeError, match=r"^str\.join\(\) takes"):  # of the call itself nothing is wrong
        shader.run({"position": [1, 2, 3], **REST}, PROJECTION, engine="reference", progress=joined)
