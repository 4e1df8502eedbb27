"""Values of `lanewise run`: numbers in place, arrays, tables, settings; and files that are none of them."""

import io
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.arrays.values import read_array, read_settings, read_value
from lanewise.tools.cli import main
from lanewise.tools.console import DiskFiles, InputFailure
from together import together

DISK = DiskFiles()


def value(text: str) -> Any:
    found = read_value(text, "--input a", DISK)
    assert isinstance(found, np.ndarray)
    return found.tolist()


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@together(
    ("text", "expected"),
    [
        ("1", [1.0]),
        ("1,2.5,-3e2", [1, 2.5, -300]),
        ("1 2 3", [1, 2, 3]),
        ("1, 2, 3", [1, 2, 3]),
        ("1,2;3,4", [[1, 2], [3, 4]]),
        ("1;2;3;", [[1], [2], [3]]),
        ("true", [1]),
        ("on,OFF,yes,false", [1, 0, 1, 0]),
        ("inf,-inf", [float("inf"), float("-inf")]),
    ],
)
def test_numbers_in_place(text: str, expected: Any):
    assert value(text) == expected


def test_a_nan_in_place():
    assert np.isnan(value("nan,1")[0])


@pytest.mark.parametrize("text", ["1,2;3", "1;2,3", "1,x", "1,,2", "1_0", ";", "no such file.npy", "x" * 5000, "a:b:c"])
def test_what_is_no_value(text: str, here: Path):
    with pytest.raises(InputFailure, match="--input a"):
        value(text)


def test_uneven_rows_are_counted():
    with pytest.raises(InputFailure, match="row 2 has 1 number, row 1 has 2"):
        value("1,2;3")


def test_raw_words(here: Path):
    for text in ("words:0x3F0000,4128768", "words:w.npy", "words:w.csv"):
        (here / "w.npy").write_bytes(npy(np.array([[0x3F0000, 0x3F0000]], np.uint32)))
        (here / "w.csv").write_text("4128768,4128768\n")
        found = read_value(text, "--input a", DISK)
        assert isinstance(found, lw.Words)
        assert found.array.reshape(-1).tolist() == [0x3F0000, 0x3F0000]
    (here / "f.npy").write_bytes(npy(np.array([0.5])))
    with pytest.raises(InputFailure, match="integers"):
        read_value("words:f.npy", "--input a", DISK)
    with pytest.raises(InputFailure):
        read_value("words:1.5", "--input a", DISK)


def test_arrays_in_files(here: Path):
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    (here / "a.npy").write_bytes(npy(array))
    (here / "one.npz").write_bytes(npz(x=array))
    (here / "two.npz").write_bytes(npz(x=array, y=array + 1))
    assert value("a.npy") == value("one.npz") == value("two.npz:x") == value(f"{here}/one.npz:x") == array.tolist()
    assert value("two.npz:y") == (array + 1).tolist()
    assert read_array("a.npy", DISK).dtype == np.float32
    for text, says in (
        ("two.npz", "has 2 arrays, x, y: write two.npz:x"),
        ("two.npz:z", "no array 'z'"),
        ("a.npy:x", "leave out"),
    ):
        with pytest.raises(InputFailure, match=says):
            value(text)


def test_a_file_with_a_colon_in_its_name(here: Path):
    (here / "a:b.npy").write_bytes(npy(np.array([3.0])))
    assert value("a:b.npy") == [3]


def test_arrays_that_are_refused_before_they_are_read(here: Path):
    good = npy(np.arange(6.0))
    huge = good.replace(b"(6,)", b"(9999999999999,)").replace(b" " * 12 + b"\n", b"\n")
    huge = huge[:8] + (len(huge) - 10 - 48).to_bytes(2, "little") + huge[10:]
    cases = {
        "pickle.npy": (npy(np.array([{"a": 1}], object)), "expected numbers"),
        "text.npy": (npy(np.array(["a"])), "expected numbers"),
        "record.npy": (npy(np.zeros(2, "f4,i4")), "expected numbers"),
        "complex.npy": (npy(np.array([1j])), "expected numbers"),
        "short.npy": (good[:-8], "promises 48 bytes, there are 40"),
        "long.npy": (good + b"x", "promises 48 bytes, there are 49"),
        "huge.npy": (huge, "claims 9999999999999 numbers"),
        "head.npy": (good[:20], "not a valid .npy"),
        "empty.npy": (b"", "is empty, as numpy.save leaves it"),
        "code.npy": (good.replace(b"(6,)", b"f(),"), "not a valid .npy"),
    }
    for name, (data, says) in cases.items():
        (here / name).write_bytes(data)
        with pytest.raises(InputFailure, match=says) as error:
            read_array(name, DISK)
        assert name in str(error.value)
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("x.npy", data)
        (here / "x.npz").write_bytes(stream.getvalue())
        with pytest.raises(InputFailure, match=says):
            read_array("x.npz", DISK, "x")


def test_archives_that_are_broken(here: Path):
    good = npz(x=np.arange(1000.0))
    rng = random.Random(3)
    (here / "bad.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(InputFailure, match=r"bad\.npz"):
        read_array("bad.npz", DISK)
    refused = 0
    for _ in range(200):
        data = bytearray(good)
        for _ in range(3):
            data[rng.randrange(len(data))] = rng.randrange(256)
        (here / "bad.npz").write_bytes(data[: rng.choice((len(data), rng.randrange(len(data))))])
        try:
            read_array("bad.npz", DISK)
        except InputFailure:
            refused += 1
    assert refused > 100


TABLES = {
    "x,y,z\n1,2,3\n4,5,6\n": "a header",
    "1,2,3\n4,5,6\n": "none",
    "\ufeffx,y,z\r\n1,2,3\r\n\r\n4,5,6": "a byte order mark, DOS lines, an empty line",
    "# made by hand\nx;y;z\n1;2;3\n4;5;6\n": "a comment, semicolons",
    "x\ty\tz\n1\t2\t3\n4\t5\t6\n": "tabs",
    "1 2  3\n4 5 6\n": "blanks",
    '"x","y","z"\n"1","2","3"\n 4 , 5,6\n': "quotes and blanks",
}


@pytest.mark.parametrize("text", TABLES, ids=TABLES.values())
def test_tables(text: str, here: Path):
    (here / "t.csv").write_text(text, encoding="utf-8", newline="")
    assert value("t.csv") == [[1, 2, 3], [4, 5, 6]]
    names = "z,x" if "z" in text else "2,0"
    assert value(f"t.csv:{names}") == [[3, 1], [6, 4]]


@pytest.mark.parametrize(
    ("data", "key", "says"),
    [
        (b"1,2\n3\n", "", r"t\.csv:2: 1 column, expected 2"),
        (b"x,y\n1,2\n3,4,5\n", "", r"t\.csv:3: 3 columns, expected 2"),
        (
            b"x,y\n1,abc\n",
            "",
            r"t\.csv:2: 'abc' in column 'y' is not a number: write a number, or remove the row$",
        ),
        (b"x,y\n1,\n", "", r"t\.csv:2: the empty cell in column 'y' is not a number"),
        (b"x;y\n1,5;2\n", "", r"t\.csv:2: '1,5' in column 'x' has a decimal comma, expected a point"),
        (b"x,y\n1,2\n", "x,q", "no column 'q': it has x, y"),
        (b"1,2\n", "x", "no column 'x': it has 0, 1"),
        (b"", "", "no rows"),
        (b"x,y\n", "", "no rows"),
        (b"\0\1\2", "", "is not text"),
        (b"\xff\xfe\xfd", "", "is not text"),
        (b"\0\0\x80\x3f" * 3, "", r"numpy\.float32\)\.reshape"),
        (b"a,b\n1," + b"9" * 200_000, "", r"t\.csv:2: field larger"),
    ],
)
def test_tables_that_do_not_fit(data: bytes, key: str, says: str, here: Path):
    (here / "t.csv").write_bytes(data)
    with pytest.raises(InputFailure, match=says):
        read_array("t.csv", DISK, key)


def test_a_folder_is_no_file(here: Path):
    (here / "d.csv").mkdir()
    with pytest.raises(InputFailure, match=r"d\.csv"):
        value("d.csv")


def test_columns_that_are_not_chosen_may_be_text(here: Path):
    (here / "t.csv").write_text("name,x,y,z,red\nfoo,1,2,3,0\nbar,4,5,6,\n")
    assert value("t.csv:x,y,z") == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(InputFailure, match=r"t\.csv:2: 'foo' in column 'name' is not a number: .*, such as t\.csv:x,y,z"):
        value("t.csv")
    said = r"t\.csv:3: the empty cell in column 'red' is not a number: .*, such as t\.csv:x,y,z"
    with pytest.raises(InputFailure, match=said):
        value("t.csv:x,red")


def test_rows_of_different_lengths_name_the_option(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "a.v.pica").write_text(".in a\n.out o position\n.proc main\nmov o, a\nend\n.end\n")
    assert main(["run", "a.v.pica", "-i", "a=1,2;3"]) == 1
    assert "--input a: row 2 has 1 number, row 1 has 2" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_called_so(here: Path):
    (here / "points.csv").write_text("1,2\n")
    with pytest.raises(InputFailure, match=r"--input a: cannot read points\.cvs: .* \(did you mean points\.csv\?\)"):
        value("points.cvs")
    with pytest.raises(InputFailure, match=r"--input a: 'four' is neither numbers \(1,2,3;4,5,6\), true or false, nor a file"):
        value("four")
    for text, meant in (
        ("0 0 0, 1 0 0", '"a=0,0,0;1,0,0"'),
        ("(0, 1), (2, 3.5f)", '"a=0,1;2,3.5"'),
        ("vec3(1, 2, 3)", "a=1,2,3"),
        ("{1 2 3}", "a=1,2,3"),
        ("0.5f,1,1", "a=0.5,1,1"),
        ("1/4,50%", "a=0.25,0.5"),
        ("#ff8000", "a=1,0.502,0"),
        ("rgb(255, 0, 51)", "a=1,0,0.2"),
        ("orange", "a=1,0.5,0"),
        *((text, '"a=0,0,0;1,0,0"') for text in ("0,0,0 1,0,0", "0, 0, 0  1, 0, 0", "0,0,0|1,0,0", "0,0,0],[1,0,0")),
        *((text, '"a=0,0,0;1,0,0"') for text in ("0,0,0:1,0,0", "0,0,0/1,0,0", "0,0,0;;1,0,0", "0,0,0\\n1,0,0", "0 0 0|1 0 0")),
        ("1,2 3", "a=1,2,3"),
    ):
        with pytest.raises(InputFailure, match=f"nor a file that exists: write --input {meant}$"):
            value(text)
    for text, each in (
        ("1,2,3,b=4,5", "a=1,2,3 --input b=4,5"),
        ("1 b=points.csv", "a=1 --input b=points.csv"),
        ("points.csv,b=1;2", 'a=points.csv --input "b=1;2"'),
    ):
        with pytest.raises(InputFailure, match=f"is several values: write --input {each}$"):
            value(text)


def test_rows_as_other_programs_print_them():
    for text in (
        "0 1 2\n3 4 5",
        "0,1,2\n3,4,5\n",
        "[0 1 2; 3 4 5]",
        "[0,1,2] [3,4,5]",
        "[[0 1 2]\n [3 4 5]]",
        "[[0,1,\n2],\n[3,4,5]]",
    ):
        assert value(text) == [[0, 1, 2], [3, 4, 5]], text
    assert value("[1 2 3]") == value("[1,\n2, 3]") == [1, 2, 3]


def test_a_value_without_an_equals_sign(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "a.v.pica").write_text(".in a\n.out o position\n.proc main\nmov o, a\nend\n.end\n")
    for text, fix in (("a:1,2", "a=1,2"), ("a 1,2;3,4", '--input "a=1,2;3,4"'), ("a: 1 2", '--input "a=1 2"')):
        assert main(["run", "a.v.pica", "-i", text]) == 2
        assert capsys.readouterr().err.endswith(f"--input {text}: write {fix}\n")
        assert main(["run", "a.v.pica", "-i", fix.removeprefix("--input ").strip('"')]) == 0
        capsys.readouterr()


def test_a_file_without_the_name_of_an_input(here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "points.csv").write_text("1,2\n")
    assert main(["run", str(Path(__file__).parents[3] / "examples" / "transform.v.pica"), "-i", "points.csv"]) == 2
    assert "say which input the file is for: --input NAME=points.csv" in capsys.readouterr().err


def test_settings(here: Path):
    (here / "s.json").write_text('{"a": [1, 2.5], "m": [[1, 2], [3, 4]], "on": true, "n": 3}')
    (here / "s.toml").write_text("a = [1, 2.5]\nm = [[1, 2], [3, 4]]\non = true\nn = 3\n")
    for name in ("s.json", "s.toml"):
        found = {key: array.tolist() for key, array in read_settings(name, DISK, {}).items()}
        assert found == {"a": [1, 2.5], "m": [[1, 2], [3, 4]], "on": True, "n": 3}


def test_settings_that_json_cannot_write_are_texts_as_in_data_files(here: Path):
    (here / "s.json").write_text('{"m": [["NaN", 1], ["Infinity", "-Infinity"]]}')
    found = read_settings("s.json", DISK, {})["m"]
    np.testing.assert_array_equal(found, [[np.nan, 1], [np.inf, -np.inf]])


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.json", "{", r"invalid JSON(.|\n)*s\.json:1:2"),
        ("s.toml", "= 3", r"invalid TOML(.|\n)*s\.toml:1:1"),
        ("s.json", "[1, 2]", "found a list, expected a table of uniforms with their values"),
        ("s.json", '{"a": "text"}', "a is a text, expected a number"),
        ("s.json", '{"a": [[1, 2], [3]]}', "a has rows of different lengths: row 2 has 1 number, row 1 has 2 numbers"),
        ("s.json", '{"a": [1, [3]]}', "a has rows of different lengths: row 2 has 1 number, row 1 has a single number"),
        ("s.json", '{"a": ["1"]}', "a has the text '1' in a list of numbers: numbers have no quotes"),
        ("s.json", '{"a": null}', "a is null, expected a number"),
        ("s.json", '{"a": {"b": 1}}', "a is a table, expected a number"),
        ("s.json", '{"a": 1' + "0" * 400 + "}", "a is not a number"),
        ("s.toml", "a = 2020-01-01", "a is not a number"),
        ("s.json", "\xff", "is not text in UTF-8: byte 0xFF in line 1, column 1"),
    ],
)
def test_settings_that_do_not_fit(name: str, text: str, says: str, here: Path):
    (here / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(lw.InputError, match=says):
        read_settings(name, DISK, {})
