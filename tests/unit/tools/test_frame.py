"""`lanewise frame`, and draws of frames for the other commands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lanewise.pica200.frame.commands import as_bytes
from lanewise.tools.cli import main
from pica200_frames import EMIT, FLOAT, IDENTITY, LISTS, PASS, TRIANGLE, Recorder, as_azahar, assembled, triangle

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.ctf"
    path.write_bytes(triangle(triangle().end()).citrace())
    return str(path)


def test_the_list_has_a_row_for_each_draw(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", file]) == 0
    captured = capsys.readouterr()
    assert "CiTrace 1, as given" in captured.out
    assert "0x18000000 240x400  triangles (arrays)  3 " in captured.out
    assert "note[F015]: v1 is default attribute 1 for all vertices: (1, 0.5, 0, 1)" in captured.err


def test_json_has_draws_with_their_places(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", file, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    draws = document["frame"]["draws"]
    assert document["schema"] == "lanewise/frame/1"
    assert [(draw["frame"], draw["in_frame"], draw["list"]) for draw in draws] == [(0, 0, LISTS), (1, 0, LISTS)]
    assert draws[0]["attributes"][1]["source"] == "default"


@pytest.mark.parametrize("name", ["1", "1/0"])
def test_a_draw_runs_with_its_data(file: str, name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", f"{file}:{name}", "--format", "json", "--engine", "reference"]) == 0
    outputs = json.loads(capsys.readouterr().out)["outputs"]
    assert outputs["position"]["values"] == [[*row, 1] for row in TRIANGLE]
    assert outputs["color"]["values"] == [[1, 0.5, 0, 1]] * 3


def _two(tmp_path: Path, second: Recorder, **changed: tuple[tuple[float, ...], ...]) -> str:
    """A file of a triangle and of another one after what `second` writes; `vertices` are those of the other."""
    recorder = triangle()
    recorder.words += second.words
    path = tmp_path / "two.ctf"
    path.write_bytes(recorder.vertices(changed.get("vertices", TRIANGLE)).arrays(3).submit().citrace())
    return str(path)


@pytest.mark.parametrize(
    ("writes", "part", "row"),
    [
        (Recorder().write(0x40, 2), "registers", ("GPUREG_FACECULLING_CONFIG", "mode", "?", "2")),
        (Recorder().write(0x11E, 0x0118F0F1), "registers", ("GPUREG_FRAMEBUFFER_DIM", "width", "240", "241")),
        (Recorder().write(0x101, 0x76760000), "registers", ("GPUREG_BLEND_FUNC", "colour", "?", "0")),
        (Recorder().write(0x2B1, 0x00030201), "uniforms", ("i0", "", "?", "(1, 2, 3)")),
        (Recorder().write(0x2B0, 4, mask=3), "uniforms", ("b2", "", "false", "true")),
        (Recorder().uniforms([(0.5, 0, 0, 0)]), "uniforms", ("c0", "", "(1, 0, 0, 0)", "(0.5, 0, 0, 0)")),
        (Recorder().default(1, 1, 1, 0, 1), "attributes", ("v1", "default", "(1, 0.5, 0, 1)", "(1, 1, 0, 1)")),
        (Recorder().write(0x204, 0, 16 << 16 | 1 << 28, consecutive=True), "attributes", ("v0", "stride", "12", "16")),
    ],
)
def test_two_draws_differ_in_one_value(
    tmp_path: Path, writes: Recorder, part: str, row: tuple[str, ...], capsys: pytest.CaptureFixture[str]
):
    file = _two(tmp_path, writes)
    assert main(["diff", f"{file}:0", f"{file}:1", "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "differs"
    assert row in [tuple(each.values()) for each in document["draws"][part]]
    assert main(["diff", f"{file}:0", f"{file}:1"]) == 1
    assert row[0] in capsys.readouterr().out


def test_two_draws_with_other_vertices(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = _two(tmp_path, Recorder(), vertices=(TRIANGLE[0], TRIANGLE[1], (0.0, 1.0, -0.5)))
    assert main(["diff", f"{file}:0", f"{file}:1", "--format", "json"]) == 1
    draws = json.loads(capsys.readouterr().out)["draws"]
    differ = {"name": "v0", "field": "1 of 3 vertices differ, first 2", "first": "(0, 0.5, -0.5, 1)"}
    assert draws["data"] == [{**differ, "second": "(0, 1, -0.5, 1)"}]
    assert [part for part, rows in draws.items() if rows] == ["data"]


def test_two_equal_draws(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["diff", f"{file}:0", f"{file}:1"]) == 0
    text = capsys.readouterr().out
    assert "are equal" in text and "only programs" not in text


@pytest.mark.parametrize(("colour", "code"), [("max c, tint, tint", 0), ("mov c, place", 1)])
def test_two_draws_with_other_programs(tmp_path: Path, colour: str, code: int, capsys: pytest.CaptureFixture[str]):
    file = _two(tmp_path, Recorder().program(assembled(PASS.replace("mov c, tint", colour))))
    assert main(["diff", f"{file}:0", f"{file}:1", "--format", "json"]) == code
    document = json.loads(capsys.readouterr().out)
    assert [part for part, rows in document["draws"].items() if rows] == ["programs"]
    assert main(["diff", f"{file}:0", f"{file}:1"]) == code
    assert "Programs" in capsys.readouterr().out


def test_a_draw_and_a_source_are_compared_as_programs(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.v.pica").write_text(PASS, encoding="utf-8")
    source = f"{tmp_path}/a.v.pica"
    for pair in ((f"{file}:0", source), (source, f"{file}:0")):
        assert main(["diff", *pair]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert "Registers" not in text
        assert f"only programs are compared, not the state of draw 0: lanewise run {file}:0 --why looks for" in text


THIRDS = [[1 / 3, 1 / 3, 1 / 3, 0], *IDENTITY[1:]]
UNEVEN = ((0.1, 0.7, -0.9), (0.0, 0.0, -0.5), (0.3, 0.6, -0.7))


@pytest.fixture
def uneven(tmp_path: Path) -> str:
    """A file of the triangle, and of one whose x depends on how sums are rounded."""
    recorder = triangle()
    recorder.uniforms(THIRDS, wide=True).vertices(UNEVEN).arrays(3).submit()
    path = tmp_path / "uneven.ctf"
    path.write_bytes(recorder.citrace())
    return str(path)


def test_vertices_that_differ_between_two_profiles(uneven: str, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", uneven, "--against", "azahar", "--format", "json"]) == 0
    profiles = json.loads(capsys.readouterr().out)["profiles"]
    assert [profiles["first"], profiles["second"]] == ["hardware", "azahar"]
    draws = profiles["draws"]
    assert [(draw["unit"], draw["counts"], draw["rows"]) for draw in draws] == [
        ("vertex", [3, 3], []),
        ("vertex", [3, 3], [0, 2]),
    ]
    assert (draws[1]["first"]["row"], draws[1]["first"]["output"]) == (0, "position.x")
    values: list[float] = []
    for profile in ("hardware", "azahar"):
        assert main(["run", f"{uneven}:1", "--profile", profile, "--format", "json"]) == 0
        values.append(float(json.loads(capsys.readouterr().out)["outputs"]["position"]["values"][0][0]))
    told = [float(draws[1]["first"][key].split()[0]) for key in ("first", "second")]
    assert abs(told[0] - values[0]) < 1e-8
    assert 0 <= abs(values[1]) - abs(told[1]) < 2**-16 * abs(values[1])  # rounded toward zero to float24
    assert draws[1]["furthest"] >= abs(told[0] - told[1])


@pytest.mark.parametrize(
    "more", [["--tolerance", "0.001"], ["--profile", "azahar"], ["--profile", "azahar", "--tolerance", "4"]]
)
def test_profiles_within_a_tolerance(uneven: str, more: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["frame", f"{uneven}:1", "--against", "azahar", *more]) == 0
    assert "0 of 1 draw differ" in capsys.readouterr().out


def test_profiles_of_a_draw_that_cannot_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.ctf"
    path.write_bytes(triangle(triangle(Recorder()).write(0x2BA, 99).arrays(3).submit()).citrace())
    assert main(["frame", str(path), "--against", "panda3ds", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [draw["number"] for draw in document["profiles"]["draws"]] == [0, 2]
    assert [finding["code"] for finding in document["diagnostics"]] == ["F010"]


def test_corners_of_a_geometry_shader_between_two_profiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = assembled(geometry=EMIT)
    recorder = triangle()
    recorder.write(0x244, 1, mask=1).program(file, stage="geometry").write(0x229, 2).write(0x25E, 3 << 8).write(0x252, 0)
    recorder.write(0x289, 1).write(0x28B, 0x76543210, 0xFEDCBA98, consecutive=True)
    recorder.uniforms(THIRDS, wide=True).vertices(UNEVEN).arrays(3).submit()
    path = tmp_path / "a.ctf"
    path.write_bytes(recorder.citrace())
    assert main(["frame", f"{path}:1", "--against", "azahar", "--format", "json"]) == 0
    (draw,) = json.loads(capsys.readouterr().out)["profiles"]["draws"]
    assert (draw["unit"], draw["counts"]) == ("corner", [9, 9])
    assert draw["rows"] == [0, 1, 2, 6, 7, 8]
    assert draw["first"]["vertex"] is None


def test_inputs_of_a_geometry_shader_are_permuted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = assembled(geometry=EMIT)
    values: list[list[list[float]]] = []
    for permutation in (0x76543210, 0x76543201):
        recorder = Recorder().state().program(file).write(0x244, 1, mask=1).program(file, stage="geometry")
        recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).write(0x229, 2).write(0x25E, 3 << 8).write(0x252, 0).write(
            0x289, 1
        )
        recorder.write(0x28B, permutation, 0xFEDCBA98, consecutive=True).uniforms(IDENTITY).default(1, 1, 0.5, 0, 1)
        (tmp_path / "a.ctf").write_bytes(recorder.vertices(TRIANGLE).arrays(3).submit().citrace())
        assert main(["run", f"{tmp_path}/a.ctf:0", "--format", "json"]) == 0
        outputs = json.loads(capsys.readouterr().out)["outputs"]
        values += [outputs[name]["values"][0] for name in ("position", "color")]
    assert values[0][0] == [*TRIANGLE[0], 1]
    assert (values[2], values[3]) == (values[1], values[0])


def test_the_set_up_of_a_draw_is_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.ctf"
    recorder = Recorder().write(0x40, 2).write(0x41, 0x45E000).write(0x43, 0x469000).write(0x68, 0x3FE << 16 | 4)
    recorder.write(0x65, 3).write(0x66, 2 << 16 | 1).write(0x67, 99 << 16 | 50).write(0x6D, 0).write(0x107, 0x1041)
    path.write_bytes(triangle(recorder).citrace())
    expected = {
        "address": 0x18000000,
        "size": [240, 400],
        "viewport": [4, -2, 240, 400],
        "scissor": "inside",
        "rectangle": [1, 2, 50, 98],
        "cull": "back",
        "depth": [-1, 0],
        "w_buffer": True,
        "depth_test": "less",
        "depth_written": True,
        "colours_written": "",
    }
    for command in ("run", "inspect"):
        assert main([command, f"{path}:0", "--format", "json"]) == 0
        draw = json.loads(capsys.readouterr().out)["draw"]
        assert draw["setup"] == expected
        assert [each["register"] for each in draw["attributes"]] == ["v0", "v1"]
    assert main(["inspect", f"{path}:0"]) == 0
    assert "50x98 at (1, 2)" in capsys.readouterr().out


def test_what_is_not_in_the_recording_of_the_set_up_is_null(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", file, "--format", "json"]) == 0
    setup = json.loads(capsys.readouterr().out)["frame"]["draws"][0]["setup"]
    assert [key for key, value in setup.items() if value is None] == [
        *("viewport", "scissor", "rectangle", "cull", "w_buffer", "depth_test", "depth_written", "colours_written")
    ]


def test_the_list_of_one_draw(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", f"{file}:1/0", "--format", "json"]) == 0
    assert [draw["number"] for draw in json.loads(capsys.readouterr().out)["frame"]["draws"]] == [1]
    assert main(["frame", f"{file}:1"]) == 0
    assert "GPUREG_VSH_ENTRYPOINT" in capsys.readouterr().out
    assert main(["frame", f"{file}:7"]) == 1


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the source of the triangle's program, others, and a link out of it."""
    folder = tmp_path / "project"
    (folder / "shaders").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "same.v.pica").write_text(PASS, encoding="utf-8")
    (folder / "lanewise.toml").write_text("", encoding="utf-8")
    (folder / "shaders" / "pass.v.pica").write_text(PASS, encoding="utf-8")
    (folder / "shaders" / "other.v.pica").write_text(PASS.replace("mov c, tint", "mov c, place"), encoding="utf-8")
    (folder / "shaders" / "broken.v.pica").write_text(".proc main\n    nothing\n.end\n", encoding="utf-8")
    return folder


def test_sources_are_found_by_their_words(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["frame", file, "--sources", str(project), "--format", "json"]) == 0
    captured = capsys.readouterr()
    draws = json.loads(captured.out)["frame"]["draws"]
    found = str(project / "shaders" / "pass.v.pica")
    assert [program["sources"] for draw in draws for program in draw["programs"]] == [[found], [found]]
    assert "broken.v.pica left out" in captured.err
    assert main(["frame", file, "--sources", str(project)]) == 0
    assert "pass.v.pica" in "".join(capsys.readouterr().out.split())  # a long path may be cut


def test_links_out_of_the_folder_are_not_followed(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "shaders" / "pass.v.pica").unlink()
    try:
        (project / "shaders" / "same.v.pica").symlink_to(project.parent / "outside" / "same.v.pica")
        (project / "linked").symlink_to(project.parent / "outside")
    except OSError:
        pytest.skip("no links here")
    assert main(["frame", file, "--sources", str(project), "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert [draw["programs"][0]["sources"] for draw in json.loads(captured.out)["frame"]["draws"]] == [[], []]


def test_sources_that_are_linked(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = assembled(geometry=EMIT)
    recorder = Recorder().state().program(file).write(0x244, 1, mask=1).program(file, stage="geometry")
    recorder.attributes((FLOAT, 3), (FLOAT, 4), fixed=2).write(0x229, 2).write(0x25E, 3 << 8).write(0x252, 0).write(0x289, 1)
    recorder.uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).submit()
    (tmp_path / "a.ctf").write_bytes(recorder.citrace())
    paths = [tmp_path / "pass.v.pica", tmp_path / "pass.g.pica"]
    for path, text in zip(paths, (PASS, EMIT), strict=True):
        path.write_text(text, encoding="utf-8")
    assert main(["frame", f"{tmp_path}/a.ctf", "--sources", str(tmp_path), "--format", "json"]) == 0
    (draw,) = json.loads(capsys.readouterr().out)["frame"]["draws"]
    assert [program["sources"] for program in draw["programs"]] == [[" + ".join(map(str, paths))]] * 2
    line = ["run", f"{tmp_path}/a.ctf:0", "--trace", "0", "--trace-stage", "geometry"]
    assert main([*line, "--source", str(paths[0]), "--source", str(paths[1])]) == 0
    assert "pass.g.pica:" in capsys.readouterr().out


def test_a_trace_shows_lines_of_the_source(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    source = str(project / "shaders" / "pass.v.pica")
    assert main(["run", f"{file}:0", "--trace", "0", "--source", source]) == 0
    captured = capsys.readouterr()
    assert "pass.v.pica:7" in captured.out
    assert "scale[0]" in captured.out
    assert "other words" not in captured.err
    (project / "go").write_text("where\nquit\n", encoding="utf-8")
    assert main(["debug", f"{file}:0", "--source", source, "--headless", str(project / "go")]) == 0
    assert "pass.v.pica:7" in capsys.readouterr().out


def test_an_edited_source_runs_on_the_data_of_the_draw(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    source = str(project / "shaders" / "other.v.pica")
    assert main(["run", f"{file}:0", "--source", source, "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["outputs"]["color"]["values"] == [[*row, 1] for row in TRIANGLE]
    assert "have other words than the recording" in captured.err


def test_wrong_sources(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    source = str(project / "shaders" / "pass.v.pica")
    assert main(["run", f"{file}:0", "--source", str(project / "shaders" / "broken.v.pica")]) == 1
    assert main(["run", f"{file}:0", "--source", str(project / "none.v.pica")]) == 1
    assert main(["run", f"{file}:0", "--source", file]) in (1, 2)
    assert main(["run", source, "--source", source]) == 2
    assert "--source is for draws of recorded frames" in capsys.readouterr().err
    assert main(["frame", file, "--sources", source]) == 2
    assert f"give its folder, --sources {project / 'shaders'}" in capsys.readouterr().err


def test_check_of_a_draw_has_the_lines_of_its_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = PASS.replace("    mov c, tint\n", "    mov r0, tint\n    mov c, r0\n    mov r1, r0\n")
    recorder = Recorder().state().program(assembled(text)).attributes((FLOAT, 3), (FLOAT, 4), fixed=2)
    file, source, other = tmp_path / "a.ctf", tmp_path / "a" / "pass.v.pica", tmp_path / "other.v.pica"
    file.write_bytes(recorder.uniforms(IDENTITY).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE).arrays(3).submit().citrace())
    source.parent.mkdir()
    source.write_text(text, encoding="utf-8")
    other.write_text(text.replace("mov r0, tint", "mov r0, place").replace(".in tint\n", ""), encoding="utf-8")
    for options, line, remark in [
        ((), None, False),
        (("--source", str(source)), 13, False),
        (("--sources", str(source.parent)), 13, False),
        (("--source", str(other)), 12, True),
    ]:
        main(["check", f"{file}:0", "--format", "json", "--select", "V", *options])
        captured = capsys.readouterr()
        found = {each["code"]: each["span"] for each in json.loads(captured.out)["diagnostics"]}
        assert [*found] == ["V096"], (options, found)  # a MOV of which nothing is read
        assert found["V096"].get("line") == line, options
        assert ("have other words" in captured.err) is remark, options


def test_errors_of_the_source_of_a_draw(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["check", f"{file}:0", "--source", str(project / "shaders" / "broken.v.pica")]) == 1
    captured = capsys.readouterr()
    assert "broken.v.pica:2:5" in captured.out + captured.err
    assert "F015" in captured.out + captured.err  # the note on the set-up is there too


def test_inputs_of_a_draw_need_no_names(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "plain.v.pica"
    assert main(["dis", f"{file}:0", "-o", str(source)]) == 0
    for names, expected in [(str(source),), ["V086"]], [(f"{file}:0", "--source", str(source)), []]:
        main(["check", *names, "--format", "json", "--select", "V"])
        assert [found["code"] for found in json.loads(capsys.readouterr().out)["diagnostics"]] == expected


def test_constants_of_an_edited_source_go_before_recorded_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = PASS.replace(".fvec scale[4]", ".fvec scale[4]\n.constf bright(1, 1, 1, 1)").replace("mov c, tint", "mov c, bright")
    recorder = Recorder().state().program(assembled(text)).attributes((FLOAT, 3), (FLOAT, 4), fixed=2)
    recorder.uniforms(IDENTITY).uniforms([(1.0, 1.0, 1.0, 1.0)], 95).default(1, 1, 0.5, 0, 1).vertices(TRIANGLE)
    file, source = tmp_path / "a.ctf", tmp_path / "pass.v.pica"
    file.write_bytes(recorder.arrays(3).submit().citrace())
    for constants, uniforms, colour in [
        ("1, 1, 1, 1", (), [1, 1, 1, 1]),
        ("1, 2, 3, 4", (), [1, 2, 3, 4]),
        ("1, 2, 3, 4", ("--uniform", "c95=5,6,7,8"), [5, 6, 7, 8]),
    ]:
        source.write_text(text.replace("1, 1, 1, 1", constants), encoding="utf-8")
        assert main(["run", f"{file}:0", "--source", str(source), "--format", "json", *uniforms]) == 0
        assert json.loads(capsys.readouterr().out)["outputs"]["color"]["values"] == [colour] * 3


def test_inspect_of_a_draw_has_the_names_of_its_source(file: str, project: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["inspect", f"{file}:0"]) == 0
    assert "scale" not in capsys.readouterr().out
    assert main(["inspect", f"{file}:0", "--sources", str(project)]) == 0
    captured = capsys.readouterr()
    assert "scale" in captured.out
    assert "GPUREG_VSH_ENTRYPOINT" in captured.out
    assert f"the source is {project / 'shaders' / 'pass.v.pica'}" in captured.err


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("check FILE --source SOURCE", 1, "give the draw of the frame by number"),
        ("check FILE --sources FOLDER", 1, "give the draw of the frame by number"),
        ("inspect FILE --source SOURCE", 1, "give the draw of the frame by number"),
        ("check FILE:0 --source SOURCE --fix", 2, "--fix and --diff change sources"),
        ("check FILE:0 --source SOURCE --sources FOLDER", 2, "use one of them"),
        ("check FILE:0 --sources FOLDER/none", 1, "there is no such folder"),
        ("check FILE:0 --sources FOLDER/empty", 1, "no source there assembles to the program"),
        ("check SOURCE --sources FOLDER", 2, "--sources is for draws of recorded frames"),
        ("inspect SOURCE --source SOURCE", 2, "--source is for draws of recorded frames"),
        ("dis FILE:0 --source SOURCE", 2, "unknown option --source"),
        ("opt FILE:0 --source SOURCE", 2, "is one program of a file: give it without others"),
    ],
)
def test_sources_of_draws_that_are_refused(
    line: str, code: int, message: str, file: str, project: Path, capsys: pytest.CaptureFixture[str]
):
    (project / "empty").mkdir()
    source = str(project / "shaders" / "pass.v.pica")
    words = [word.replace("FILE", file).replace("SOURCE", source).replace("FOLDER", str(project)) for word in line.split(" ")]
    assert main(words) == code
    captured = capsys.readouterr()
    assert message in captured.out + captured.err


def test_options_replace_values_of_a_draw(file: str, capsys: pytest.CaptureFixture[str]):
    line = ["run", f"{file}:0", "--format", "json", "--engine", "reference", "--input", "v1=0,0,1,1"]
    assert main(line) == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["color"]["values"] == [[0, 0, 1, 1]] * 3


@pytest.mark.parametrize("command", ["dis", "check", "inspect", "graph", "opt"])
def test_commands_take_a_draw(file: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([command, f"{file}:0", *(["-o", str(tmp_path / "a.shbin")] if command == "opt" else [])]) == 0
    captured = capsys.readouterr()
    assert "internal" not in captured.err


def test_a_trace_and_the_reason_for_nothing(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", f"{file}:0", "--trace", "0"]) == 0
    assert "dp4" in capsys.readouterr().out
    assert main(["run", f"{file}:0", "--why"]) == 0
    assert "1 of 1 triangle is visible" in capsys.readouterr().out


@pytest.mark.parametrize(("mode", "seen"), [(0, 1), (1, 0), (2, 1)])
def test_a_draw_culls_as_its_register_says(tmp_path: Path, mode: int, seen: int, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.ctf"
    path.write_bytes(triangle(Recorder().write(0x40, mode)).citrace())
    assert main(["run", f"{path}:0", "--why"]) == 0
    captured = capsys.readouterr()
    assert f"{seen} of 1 triangle" in captured.out
    assert "not simulated" in captured.err
    assert main(["run", f"{path}:0", "--why", "--cull", "none"]) == 0
    assert "1 of 1 triangle" in capsys.readouterr().out


def _with_viewport(tmp_path: Path, recorder: Recorder, *after: tuple[int, int]) -> str:
    """A triangle in the lower half of a target of 64x128; `after` are registers that are written before the draw."""
    recorder.write(0x41, 0x440000).write(0x43, 0x440000).write(0x68, 0)
    data = triangle(recorder)
    data.write(0x11E, 127 << 12 | 64)
    for register, value in after:
        data.write(register, value)
    data.arrays(3).submit()
    path = tmp_path / "viewport.ctf"
    path.write_bytes(data.citrace())
    return f"{path}:1"


def test_a_drawing_of_a_draw_has_its_target_and_viewport(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    draw = _with_viewport(tmp_path, Recorder())
    assert main(["run", draw, "--draw", str(tmp_path / "a.svg"), "--scale", "1"]) == 0
    captured = capsys.readouterr()
    assert "1 of 1 triangle" in captured.out
    assert "not simulated" in captured.err
    assert "viewport is not in the recording" not in captured.err
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert 'width="64" height="128"' in text
    assert main(["run", draw, "--draw", str(tmp_path / "b.svg"), "--scale", "1", "--screen", "top"]) == 0
    assert 'width="400" height="240"' in (tmp_path / "b.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(("last", "seen"), [(63, 1), (9, 0)])  # the triangle is in rows 16 to 48 of the viewport
def test_a_scissor_that_leaves_a_draw_out_is_the_reason(
    tmp_path: Path, last: int, seen: int, capsys: pytest.CaptureFixture[str]
):
    draw = _with_viewport(tmp_path, Recorder().write(0x65, 3).write(0x66, 0).write(0x67, last << 16 | 63))
    assert main(["run", draw, "--why", "--format", "json"]) == 0
    visibility = json.loads(capsys.readouterr().out)["visibility"]
    assert visibility["visible"] == seen
    assert [reason["code"] for reason in visibility["reasons"]] == ([] if seen else ["limits"])


@pytest.mark.parametrize(("last", "seen"), [(9, 1), (63, 0)])
def test_a_scissor_that_leaves_out_the_whole_draw_is_the_reason(
    tmp_path: Path, last: int, seen: int, capsys: pytest.CaptureFixture[str]
):
    draw = _with_viewport(tmp_path, Recorder().write(0x65, 1).write(0x66, 0).write(0x67, last << 16 | 63))
    assert main(["run", draw, "--why", "--format", "json"]) == 0
    captured = capsys.readouterr()
    visibility = json.loads(captured.out)["visibility"]
    assert visibility["visible"] == seen
    assert [reason["code"] for reason in visibility["reasons"]] == ([] if seen else ["limits"])
    assert "scissor" not in captured.err  # it is simulated
    assert main(["run", draw, "--draw", str(tmp_path / "a.svg")]) == 0
    assert f"{seen} of 1 triangle" in capsys.readouterr().out


_GREATER, _LESS, _AT_LEAST = 0x1F61, 0x1F41, 0x1F71  # with colours and depths stored


@pytest.mark.parametrize(
    ("scale", "offset", "buffer", "test", "why", "remark"),
    [
        (0, 0, 1, _GREATER, "0", True),  # nothing is greater than what is stored
        (0, 0, 0, _GREATER, "0", True),
        (0, 0, 1, _LESS, "", True),
        (0, 0, 1, _AT_LEAST, "", True),
        (0, 0x3F0000, 1, _LESS, "1", True),
        (0, 0x3F0000, 0, _LESS, "", False),  # times w, which may be below 1
        (0xBF0000, 0, 1, _GREATER, "", False),
    ],
)
def test_a_depth_range_that_clips_all_is_the_reason(
    tmp_path: Path, scale: int, offset: int, buffer: int, test: int, why: str, remark: bool, capsys: pytest.CaptureFixture[str]
):
    draw = _with_viewport(tmp_path, Recorder(), (0x4D, scale), (0x4E, offset), (0x6D, buffer), (0x107, test))
    assert main(["run", draw, "--why", "--format", "json"]) == 0
    captured = capsys.readouterr()
    visibility = json.loads(captured.out)["visibility"]
    assert visibility["visible"] == (0 if why else 1)
    assert [reason["code"] for reason in visibility["reasons"]] == (["hidden"] if why else [])
    assert all(f"the depth {why}, which never passes" in reason["message"] for reason in visibility["reasons"])
    assert ("the depth range gives all triangles the depth" in captured.err) is remark
    assert ("a w-buffer is drawn as a z-buffer" in captured.err) is (not buffer)
    assert main(["frame", draw]) == 0
    assert ("F014" in capsys.readouterr().err) is remark


@pytest.mark.parametrize(
    ("writes", "told"),
    [
        (Recorder().write(0x107, 0x1F41), ""),
        (Recorder().write(0x107, 0x1041), "the draw stores no colours"),
        (Recorder().write(0x107, 0x1F41).write(0x113, 0), "the draw stores no colours"),
        (Recorder().write(0x107, 0x1F41).write(0x113, 15), ""),
        (Recorder().write(0x107, 0x1F01), "the depth test never passes"),
        (Recorder().write(0x107, 0x1F00), ""),
    ],
)
def test_a_draw_that_changes_no_pixel(tmp_path: Path, writes: Recorder, told: str, capsys: pytest.CaptureFixture[str]):
    draw = _with_viewport(tmp_path, writes)
    assert main(["run", draw, "--why", "--format", "json"]) == 0
    visibility = json.loads(capsys.readouterr().out)["visibility"]
    assert visibility["visible"] == (0 if told else 1)
    assert [reason["message"] for reason in visibility["reasons"]] == ([told] if told else [])
    assert all(reason["code"] == "hidden" and reason["fix"] for reason in visibility["reasons"])


def test_the_draws_of_a_target_are_drawn_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    recorder = Recorder().write(0x41, 0x440000).write(0x43, 0x440000).write(0x68, 0).write(0x107, 0x1061).write(0x40, 0)
    triangle(recorder).arrays(3).write(0x11D, 0x18100000 >> 3).arrays(3).submit().end()
    path = tmp_path / "a.ctf"
    path.write_bytes(triangle(recorder).citrace())
    out = str(tmp_path / "a.svg")
    for name, draws in (("0/target", 2), ("0/target1", 1), ("1/target", 1)):
        assert main(["run", f"{path}:{name}", "--draw", out]) == 0
        captured = capsys.readouterr()
        many = "s" if draws > 1 else ""
        assert f"{draws} of {draws} triangle{many} in {draws} draw{many}" in captured.out
        assert "not simulated" in captured.err
        assert "depth buffer begins" in captured.err
    assert main(["run", f"{path}:0/target", "-o", str(tmp_path / "a.obj")]) == 0
    assert main(["run", f"{path}:0/target", "--why"]) == 2
    assert main(["run", f"{path}:0/target"]) == 2
    assert main(["run", f"{path}:0/target2", "--draw", out]) == 1
    assert main(["run", f"{path}:0/target", "--draw", out, "--screen", "top"]) == 2
    path.write_bytes(triangle().citrace())
    capsys.readouterr()
    assert main(["run", f"{path}:0/target", "--draw", out]) == 2
    assert "draw 0 of the target, counted from 0, has no known viewport" in capsys.readouterr().err


def test_without_a_viewport_the_screen_is_taken(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", f"{file}:0", "--draw", str(tmp_path / "a.svg")]) == 0
    assert "the whole screen is taken" in capsys.readouterr().err


def test_without_a_number_the_draws_are_named(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", file]) == 1
    assert "it has 0, 1" in capsys.readouterr().err


def test_one_draw_is_written_alone(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "one.ctf"
    assert main(["frame", "convert", file, "--only", "1/0", "-o", str(out)]) == 0
    capsys.readouterr()
    assert main(["run", f"{out}:0", "--format", "json", "--engine", "reference"]) == 0
    assert json.loads(capsys.readouterr().out)["outputs"]["position"]["values"] == [[*row, 1] for row in TRIANGLE]


def test_raw_lists_with_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    recorder = Recorder()
    triangle(recorder)
    data = recorder.records[-1][16:]
    (tmp_path / "list.bin").write_bytes(data)
    (tmp_path / "memory.bin").write_bytes(bytes(recorder.memory))
    line = ["--list", f"{tmp_path}/list.bin@0x{LISTS:X}", "--memory", f"{tmp_path}/memory.bin@0x20000000"]
    assert main(["frame", *line]) == 0
    assert "triangles (arrays)" in capsys.readouterr().out
    assert main(["frame", "convert", *line, "-o", str(tmp_path / "a.ctf")]) == 0
    assert main(["run", f"{tmp_path}/a.ctf:0"]) == 0


def test_a_recording_without_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "a.ctf"
    path.write_bytes(Recorder().write(0x40, 1).submit().citrace())
    assert main(["frame", str(path)]) == 0
    assert "0 draws in 1 frame" in capsys.readouterr().out
    assert main(["run", str(path)]) == 1
    assert "the recording has no draw" in capsys.readouterr().err


def test_a_recording_without_draws_shows_the_registers_that_it_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "azahar.ctf"
    path.write_bytes(as_azahar([0x1000 + number for number in range(0x300)]))
    assert main(["frame", str(path)]) == 0
    captured = capsys.readouterr()
    assert "0x2BA   GPUREG_VSH_ENTRYPOINT                   vertex program     0x000012BA" in captured.out
    assert "FILE:0" not in captured.out
    assert main(["frame", str(path), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["frame"]["draws"] == []
    assert document["frame"]["registers"]["GPUREG_VSH_ENTRYPOINT"] == 0x12BA
    assert document["frame"]["missing"]["vertex code"] == "not in the file"
    path.write_bytes(triangle().citrace())
    assert main(["frame", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["frame"]["registers"] == {}


def test_wrong_command_lines(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "x").write_bytes(as_bytes([0, 1]))
    assert main(["frame"]) == 2
    assert main(["frame", file, "-o", "x.ctf"]) == 2
    assert main(["frame", "convert", file]) == 2
    assert main(["frame", "--list", f"{tmp_path}/x"]) == 2
    assert main(["frame", str(tmp_path / "x")]) == 1
    assert "this is not a recorded frame" in capsys.readouterr().err
    (tmp_path / "x.shbin").write_bytes(b"DVLB" + bytes(60))
    assert main(["frame", str(tmp_path / "x.shbin")]) == 1
    assert f"`lanewise inspect {tmp_path / 'x.shbin'}` shows it" in capsys.readouterr().err
    assert main(["frame", "convert", file, "--only", "7", "-o", "x.ctf"]) == 1
    assert main(["frame", file, "--profile", "azahar"]) == 2
    assert main(["frame", file, "--against", "nobody"]) == 2
    for wrong in ("-1", "x", "nan", "inf", ""):
        assert main(["frame", file, "--against", "azahar", f"--tolerance={wrong}"]) == 2


def test_own_files_say_what_was_written_and_keep_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "lanewise_frame.c"
    line = ["frame", "kit", "-o", str(out)]
    assert main(line) == 0
    assert f"wrote {out}: compile it with your program" in capsys.readouterr().err
    assert main(line) == 0  # the same content
    whole = out.read_bytes()
    out.write_bytes(whole + b"/* mine */")
    assert main(line) == 1
    assert "add --force" in capsys.readouterr().err
    assert out.read_bytes() != whole
    assert main([*line, "--force"]) == 0
    assert out.read_bytes() == whole
    capsys.readouterr()
    assert main(["frame", "header", "-o", "-"]) == 0
    assert capsys.readouterr().err == ""


def test_findings_that_compare_draws_are_reported_where_one_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    turned = tuple([row[::-1] for row in IDENTITY])
    recorder = triangle()
    recorder.uniforms(turned).vertices(TRIANGLE).arrays(3).submit()
    source, out = tmp_path / "a.ctf", tmp_path / "one.ctf"
    source.write_bytes(recorder.citrace())
    assert main(["frame", "convert", str(source), "--only", "1", "-o", str(out)]) == 0
    assert "F016" in capsys.readouterr().err
    assert main(["frame", str(out)]) == 0
    assert "F016" not in capsys.readouterr().err
    assert main(["frame", "convert", str(source), "--only", "0", "-o", str(out)]) == 0
    assert "F016" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "frame", "dis"])
def test_unknown_draws_are_called_so(command: str, file: str, capsys: pytest.CaptureFixture[str]):
    assert main([command, f"{file}:9"]) == 1
    captured = capsys.readouterr()
    assert "unknown draw '9'" in captured.out + captured.err


@pytest.mark.parametrize("command", ["run", "frame", "dis", "check"])
def test_a_draw_of_a_damaged_file_without_any_has_the_reason(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    recorder = triangle()
    recorder.submit()
    path = tmp_path / "cut.ctf"
    path.write_bytes(recorder.citrace()[:300])
    assert main([command, f"{path}:0"]) == 1
    captured = capsys.readouterr()
    assert "F001" in captured.out + captured.err
    assert "unknown draw" not in captured.out + captured.err
