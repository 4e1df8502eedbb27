"""Data files of a dump with one mistake each: what is said, and that the run is fine once it is followed."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from lanewise.tools.cli import main

DUMP = Path(__file__).parents[3] / "examples" / "dump"
STATE = json.loads((DUMP / "state.json").read_text())
RAW = ("--words", str(DUMP / "code.txt"), "--descriptors", str(DUMP / "descriptors.json"), "--entry", "1")
GONE = object()
ROW = [1, 2, 3]
BITS = ["0x3F0000", "0x400000", "0x408000"]


def written(values: dict[str, Any]) -> str:
    """The state with other values of keys such as `inputs.v1`; GONE removes one."""
    state = copy.deepcopy(STATE)
    for key, value in values.items():
        table, _, name = key.partition("/")
        holder, last = (state[table], name) if name else (state, table)
        if value is GONE:
            del holder[last]
        else:
            holder[last] = value
    return json.dumps(state, indent=1)


@pytest.mark.parametrize(
    ("values", "said", "place", "fixed"),
    [
        (
            {"inputs/v1": BITS},
            'write "v1": {"bits": ["0x3F0000", "0x400000", "0x408000"]}',
            "v1",
            {"inputs/v1": {"bits": BITS}},
        ),
        ({"inputs/v1": "0x3F0000"}, 'write "v1": {"bits": "0x3F0000"}', "v1", {"inputs/v1": {"bits": "0x3F0000"}}),
        ({"inputs/v1": {"words": BITS}}, 'write "v1": {"bits": ["0x3F0000", ', "v1", {"inputs/v1": {"bits": BITS}}),
        ({"inputs/v1": {"x": [1, 4], "y": [2, 5]}}, 'write "v1": [[1, 2], [4, 5]]', "v1", {"inputs/v1": [[1, 2], [4, 5]]}),
        ({"inputs/v1": "#ff0000"}, 'write "v1": "1,0,0"', "v1", {"inputs/v1": "1,0,0"}),
        ({"inputs/v1": {"x": 1, "y": 2}}, 'write "v1": [1, 2]', "v1", {"inputs/v1": [1, 2]}),
        ({"inputs/v1": ["1", "2.5f", 3]}, 'write "v1": [1, 2.5, 3]', "v1", {"inputs/v1": [1, 2.5, 3]}),
        ({"inputs/v1": ["0x1p3"]}, "write a number in place of '0x1p3'", "v1", {"inputs/v1": [8]}),
        ({"inputs/v1": [1, None, 3]}, 'in place of null; "NaN" for one that is', "v1", {"inputs/v1": [1, "NaN", 3]}),
        (
            {"uniforms": {"c1": {"bits": ["0x00000040", "0x00003F00", "0x003E0000"]}}},
            'give the bits of x, y, z, w: ["0x3E0000", "0x3F0000", "0x400000", "0x000000"]',
            "c1",
            {"uniforms": {"c1": {"bits": ["0x3E0000", "0x3F0000", "0x400000", "0x000000"]}}},
        ),
        (
            {"inputs/v1": {"bits": ["0x3F000040", "0x00003F00", "0x003E0000"]}},
            'give the bits of x, y, z, w: ["0x3E0000", "0x3F0000", "0x400000", "0x3F0000"]',
            "v1",
            {"inputs/v1": {"bits": ["0x3E0000", "0x3F0000", "0x400000", "0x3F0000"]}},
        ),
        ({"inputs/v1": {"bits": [1.5, 2, 3]}}, 'write "v1": [1.5, 2, 3]', "v1", {"inputs/v1": [1.5, 2, 3]}),
        ({"uniforms/c1": ROW}, "give it once", "c1", {"uniforms": {"c0": [0] * 4, "c1": ROW}}),
        (
            {"uniforms": [[0] * 4, [0.5, 1, 2, 0]]},
            'write "uniforms": {"c0": [[0, 0, 0, 0], [0.5, 1, 2, 0]]}: rows fill the registers from c0 on',
            "uniforms",
            {"uniforms": {"c0": [[0] * 4, [0.5, 1, 2, 0]]}},
        ),
        ({"inputs/v1": [[1, 2], [1]]}, "give rows of equal length", "v1", {"inputs/v1": [[1, 2], [1, 2]]}),
        ({"inputs/v1": [[1, 2, 3, 1, 0]] * 2}, "keep 4 numbers of each row", "v1", {"inputs/v1": [[1, 2, 3, 1]] * 2}),
        ({"inputs/v1": [1, 2, 3, 4, 5]}, "a row of its own: [[1], [2], [3]] in a file", "v1", {"inputs/v1": [[1], [2]]}),
        ({"inputs/v1": {"bits": ["0x3F800000"]}}, "as float24 0x3f0000", "v1", {"inputs/v1": {"bits": ["0x3f0000"]}}),
        ({"inputs/v1": GONE, "inputs/attr1": ROW}, "(did you mean v1?)", "attr1", {}),
        ({"inputs/v1": GONE, "inputs/1": ROW}, "(did you mean v1?)", "1", {}),
        ({"uniforms/c0": GONE, "uniforms/f0": [[0] * 4] * 2}, "(did you mean c0?)", "f0", {}),
        ({"uniforms/c[2]": ROW}, "(did you mean c2?)", "c[2]", {"uniforms/c2": [1, 2, 3, 4]}),
        ({"integers/i0": {"x": 3, "y": 0, "z": 1}}, 'write "i0": [3, 0, 1]', "i0", {"integers/i0": [3, 0, 1]}),
        ({"integers/1": ROW}, 'write "i1": [1, 2, 3]', "1", {"integers/i1": ROW}),
        ({"integers/c3": ROW}, "write it in the table uniforms", "c3", {"uniforms/c3": [1, 2, 3, 4]}),
        ({"uniforms/i0": [3, 0, 1]}, "remove one", "i0", {"integers": GONE, "uniforms/i0": [3, 0, 1]}),
        ({"booleans/0": True}, 'write "b0": true', "0", {"booleans/b0": True}),
        ({"booleans": [True]}, 'write "booleans": {"b0": true', "booleans", {"booleans": {"b0": True}}),
        (
            {"outputs": {"position": "o0"}},
            'write registers as keys: {"o0": "position"}',
            "position",
            {"outputs/o0": "position"},
        ),
        ({"outputs/O1": "color", "outputs/o1.xyz": GONE}, "did you mean o1?", "O1", {}),
        ({"outputs/1": "color", "outputs/o1.xyz": GONE}, "did you mean o1?", "1", {}),
        ({"outputs/o1.rgb": "color", "outputs/o1.xyz": GONE}, "such as o1.xyz", "o1.rgb", {}),
        ({"outputs/o1.xyz": "tex0"}, "did you mean texcoord0?", "o1.xyz", {"outputs/o1.xyz": "texcoord0"}),
        ({"outputs/o1": "view"}, "given twice, as o1.xyz and as o1", "o1", {}),
        ({"attributes": STATE["inputs"], "inputs": GONE}, "did you mean inputs?", "attributes", {}),
        ({"float_uniforms": STATE["uniforms"], "uniforms": GONE}, "did you mean uniforms?", "float_uniforms", {}),
        ({"bools": {}}, "did you mean booleans?", "bools", {}),
        ({"opdescs": []}, 'write the program in a table of its own: "program": {', "opdescs", {}),
        ({"defaults": 0}, "leave it out, and give `--default 0`", "defaults", {}),
    ],
)
def test_a_mistake_and_its_fix(
    values: dict[str, Any], said: str, place: str, fixed: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    data, text = tmp_path / "s.json", written(values)
    data.write_text(text)
    assert main(["run", *RAW, "--data", str(data)]) == 1
    err = capsys.readouterr().err
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith(f'"{place}":')]
    assert said in err
    assert any(f"--> {data}:{line}:" in err for line in lines), err
    assert err.count("error[") == 1, err
    data.write_text(written(fixed))
    assert main(["run", *RAW, "--data", str(data)]) == 0, capsys.readouterr().err


def test_a_key_that_is_there_twice_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = tmp_path / "s.json"
    data.write_text(json.dumps(STATE).replace('"v1": ', '"v0": '))
    assert main(["run", *RAW, "--data", str(data)]) == 1
    assert "error[T001]: the key v0 is there twice in one object" in capsys.readouterr().err


def test_values_at_the_top_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    inputs = {"position": [1, 2, 3], "color": [1, 0, 0], "texcoord": [0, 0]}
    uniforms = {"projection": [[1, 0, 0, 0]] * 4}
    Path("d.json").write_text(json.dumps({**inputs, **uniforms}))
    assert main(["run", str(LIT.with_name("transform.v.pica")), "--data", "d.json"]) == 1
    listed = '{"inputs": {"position": ..., "color": ..., "texcoord": ...}, "uniforms": {"projection": ...}}'
    assert f"help: write {listed}\n" in capsys.readouterr().err
    Path("d.json").write_text(json.dumps({"inputs": inputs, "uniforms": uniforms}))
    assert main(["run", str(LIT.with_name("transform.v.pica")), "--data", "d.json"]) == 0


LIT = Path(__file__).parents[3] / "examples" / "toon.v.pica"
FRAME = {"position.x": [1.0, 4.0], "position.y": [2.0, 5.0], "normal.x": [0.0, 1.0], "normal.y": [1.0, 0.0]}


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("orient", ["records", "columns", "split", "list", "lines", "letters"])
def test_a_data_frame_in_place_of_a_data_file(
    orient: str, wrapped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    pandas: Any = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    frame = pandas.DataFrame(FRAME)
    if orient == "letters":
        frame = pandas.DataFrame({"x": [1.0], "y": [2.0]})
    text = (
        json.dumps(FRAME)
        if orient == "list"
        else frame.to_json(orient={"lines": "records", "letters": "columns"}.get(orient, orient))
    )
    if orient == "lines":
        text = frame.to_json(orient="records", lines=True)
    if wrapped and orient != "lines":
        text = f'{{"inputs": {text}}}'
    Path("d.json").write_text(text)
    assert main(["run", str(LIT), "--data", "d.json", "--default", "0"]) == 1
    err = capsys.readouterr().err
    [call] = re.findall(r"write rows by the names of inputs: `(json.+)`", err)
    assert err.count("error[") == 1, err
    exec(call, {"json": json, "frame": frame, "open": open})
    assert main(["run", str(LIT), "--data", "data.json", "--default", "0"]) == 0, capsys.readouterr().err


def test_paths_are_relative_to_the_data_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    for folder in ("runs", "data"):
        Path(folder).mkdir()
    Path("data/p.csv").write_text("x,y,z\n1,2,3\n")
    given = Path("runs/d.json")
    for text, meant in (("data/p.csv", "../data/p.csv"), ("p.csv:x,y", "../data/p.csv:x,y")):
        given.write_text(json.dumps({"inputs": {"position": text}}))
        assert main(["run", str(LIT), "--data", str(given), "--default", "0"]) == 1
        err = capsys.readouterr().err
        assert f"does not exist: paths are relative to {given}" in err
        assert f'help: write "position": "{meant}", and use --follow\n' in err
        given.write_text(json.dumps({"inputs": {"position": meant}}))
        assert main(["run", str(LIT), "--data", str(given), "--default", "0", "--follow"]) == 0
        assert main(["run", str(LIT), "--data", str(given), "--default", "0"]) == 1
        above = f"help: use --follow, or put an empty lanewise.toml into {Path.cwd().resolve()}\n"
        assert above in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("d.json", '{"vertices": [{"position": [1, 2, 3]}, {"position": [4, 5, 6]}]}', r"`(json\.dump.+)`"),
        ("d.json", '{"inputs": [{"position": [1, 2, 3]}, {"position": [4, 5, 6]}]}', r"`(json\.dump.+)`"),
        ("d.json", '{"inputs": [[1, 2, 3], [4, 5, 6]]}', r"`(json\.dump.+)`"),
    ],
)
def test_rows_in_place_of_inputs(
    name: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    assert main(["run", str(LIT), "--data", name, "--default", "0"]) == 1
    [call] = re.findall(said, capsys.readouterr().err)
    rows = next(iter(json.loads(text).values()))
    exec(call, {"json": json, "rows": rows, "open": open})
    assert main(["run", str(LIT), "--data", "data.json", "--default", "0"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "name", "text", "said"),
    [
        ("--data", "d.yaml", "inputs:\n  a: 1\n", "help: write it as JSON: `json.dump(yaml.safe_load(open('d.yaml'))"),
        (
            "--data",
            "d.npz",
            "PK\x03\x04",
            "help: give each array to an input: `lanewise run PROGRAM --input position=d.npz:position`",
        ),
        ("--uniforms", "d.json", '{"inputs": {"a": 1}}', "help: give it as `--data d.json`"),
        ("--uniforms", "d.txt", "1 2\n", "help: give it to one uniform, `--uniform NAME=d.txt`"),
    ],
)
def test_files_of_other_kinds(
    option: str,
    name: str,
    text: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    assert main(["run", str(LIT), option, name, "--default", "0"]) == 1
    err = capsys.readouterr().err
    assert said in err and err.count("error[") == 1


@pytest.mark.parametrize("name", ["raw.bin", "raw", "saved.txt", "commas.dat"])
def test_numbers_in_place_of_a_data_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    numpy: Any = pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    points = numpy.arange(-3, 3, dtype="f4").reshape(2, 3) / 4
    if name[:3] == "raw":
        points.tofile(name)
    else:
        numpy.savetxt(name, points, delimiter="," if name[0] == "c" else " ", header="of a scan")
    assert main(["run", str(LIT), "--data", name, "--default", "0"]) == 1
    err = capsys.readouterr().err
    for call in re.findall(r"`(numpy\.save.+?)`", err):
        exec(call, {"numpy": numpy})
    [option] = re.findall(r"`lanewise run PROGRAM --input NAME=(.+)`", err)
    assert main(["run", str(LIT), "--input", f"position={option}", "--default", "0"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "said", "fixed"),
    [
        ('{"sun": "0,0,1,4"}', 'write "sun": [0, 0, 1, 4]', '{"sun": [0, 0, 1, 4]}'),
        ('{"sun": {"x": 0, "y": 0, "z": 1}}', 'write "sun": [0, 0, 1]', '{"sun": [0, 0, 1]}'),
        ('{"glossy": "true"}', 'write "glossy": true', '{"glossy": true}'),
        ('[{"sun": [0, 0, 1]}]', "remove the brackets [ and ] around the object", '{"sun": [0, 0, 1]}'),
        ('{"sun": [1/2, 0, 1]}', "write its value", '{"sun": [0.5, 0, 1]}'),
        (
            '{"projection": [1,0,0,0, 0,1,0,0, 0,0,1,0]}',
            "add the last row of the matrix, 0, 0, 0, 1",
            '{"projection": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}',
        ),
    ],
)
def test_a_file_of_uniforms(
    wrong: str, said: str, fixed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("u.json").write_text(wrong)
    assert main(["run", str(LIT), "--uniforms", "u.json", "--default", "0"]) == 1
    assert f"help: {said}" in capsys.readouterr().err
    Path("u.json").write_text(fixed)
    assert main(["run", str(LIT), "--uniforms", "u.json", "--default", "0"]) == 0
