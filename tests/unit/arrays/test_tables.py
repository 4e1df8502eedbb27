"""Tables of spreadsheets that are not read as they are: what is said, and that the file is read once it is followed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanewise.arrays.values import read_value
from lanewise.core.service import InputFailure
from lanewise.tools.console import DiskFiles

pandas: Any = pytest.importorskip("pandas")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def value(text: str) -> Any:
    found = read_value(text, "--input position", DiskFiles(), by_name="position")
    return np.asarray(found).tolist()


# What a file has, what is said, and what is read after the conversion that is said.
CONVERTED = [
    ("x;y;z\n0,5;1,25;0\n1,0;0,0;2,75\n", "a decimal comma, expected a point", [[0.5, 1.25, 0], [1, 0, 2.75]]),
    ("x;y;z\n1.200,5;2,5;3\n1.000.000,5;0;1\n", "a decimal comma", [[1200.5, 2.5, 3], [1000000.5, 0, 1]]),
    ('x,y,z\n"1,200",5,1\n', "signs between thousands", [[1200, 5, 1]]),
    ('x,y,z\n"0,5",5,1\n', "a decimal comma", [[0.5, 5, 1]]),
    ("x\ty\tz\n1'200\t2\t3\n", "signs between thousands", [[1200, 2, 3]]),
    ("x y z\n1,5 2 3\n", "a decimal comma", [[1.5, 2, 3]]),
    ('Scan 12,,\nx,y,z\n[mm],[mm],[mm]\n"1,234.5",2,3\n4,5,6\n', "lines 1 and 3 have neither", [[1234.5, 2, 3], [4, 5, 6]]),
    ("Scan 12\n\nx,y,z\n1,2,3\n", r"t\.csv:3: the names are x, y, z, and line 1 has neither", [[1, 2, 3]]),
    ("x,y,z\nm,m,m\n1,2,3\n", "line 2 has neither names nor numbers", [[1, 2, 3]]),
    (",0,1\nposition.x,1,4\nposition.y,2,5\n", "has its columns as rows", [[1, 2], [4, 5]]),
    ("x|y|z\n1|2|3\n", "columns are between", [[1, 2, 3]]),
    ("sep=;\nx;y;z\n1,5;2;3\n", "line 1 has neither", [[1.5, 2, 3]]),
    ("v,c,value\n0,x,1\n0,y,2\n1,x,3\n1,y,4\n", "component is in column 'c'", [[1, 2], [3, 4]]),
]


@pytest.mark.parametrize(("text", "said", "read"), CONVERTED)
def test_a_table_of_another_country(text: str, said: str, read: Any, here: Path) -> None:
    (here / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputFailure, match=said) as caught:
        value("t.csv")
    [call] = re.findall(r"`(pandas\..+)`", str(caught.value))
    exec(call, {"pandas": pandas})
    assert value("points.csv") == read


# Cells, columns and values that are not read, and what is written instead.
WRITTEN = [
    ("x,y,z\n1,2,\n4,5,6\n", "t.csv", "empty cell in .* nan, or remove such rows", "x,y,z\n1,2,nan\n4,5,6\n", "t.csv"),
    ("x,y,z\n1,2,#DIV/0!\n", "t.csv", "or nan, or remove such rows", "x,y,z\n1,2,nan\n", "t.csv"),
    ("x,y,z\n1,2,3mm\n", "t.csv", "is not a number: write 3$", "x,y,z\n1,2,3\n", "t.csv"),
    ("x,y,z\n50%,1/2,0x3f\n", "t.csv", "'50%' in column 'x' is not a number: write 0.5$", "x,y,z\n0.5,0.5,63\n", "t.csv"),
    ("x,y,z\n2024-01-02,2,3\n", "t.csv", "write a number, such as seconds", "x,y,z\n0,2,3\n", "t.csv"),
    ('p\n"[1, 2]"\n', "t.csv", r"in a column, such as position\.x", "position.x,position.y\n1,2\n", "t.csv"),
    ("x,y,z\n1,2,3,\n", "t.csv", "remove what is after the last number of each row$", "x,y,z\n1,2,3\n", "t.csv"),
    ("index,px,py\n0,1,2\n", "t.csv", r"choose columns, such as t\.csv:px,py$", "index,px,py\n0,1,2\n", "t.csv:px,py"),
    ("a.x,a.y,b.x\n1,2,3\n", "t.csv:a", r"write t\.csv:a\.x,a\.y$", "a.x,a.y,b.x\n1,2,3\n", "t.csv:a.x,a.y"),
    ("x,y,z\n1,2,3\n", "t.csv:0,1", r"write t\.csv:x,y$", "x,y,z\n1,2,3\n", "t.csv:x,y"),
    ("x,y,z\n1,2,3\n", "t.csv[x, y]", r"write .*t\.csv:x,y$", "x,y,z\n1,2,3\n", "t.csv:x,y"),
    ("x,y,z\n1,2,3\n", "file://t.csv", r"write .*=t\.csv$", "x,y,z\n1,2,3\n", "t.csv"),
    ("", "identity", "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1", "", "1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1"),
    ("x,y,z\n$1.50,2,3\n", "t.csv", "write 1.50$", "x,y,z\n1.50,2,3\n", "t.csv"),
    ("x,y,z\n1,2,3\n", "t.csv:X,Y,Z", r"no column 'X': write t.csv:x,y,z$", "x,y,z\n1,2,3\n", "t.csv:x,y,z"),
    ("pos x,pos y\n1,2\n", "t.csv:x,y", r"write 't.csv:pos x,pos y'$", "pos x,pos y\n1,2\n", "t.csv:pos x,pos y"),
    ("x,y,z\n1,2,3\nTotal,2,3\n", "t.csv", "is not a number: write a number, or remove the row$", "x,y,z\n1,2,3\n", "t.csv"),
    ("x,y,z\n1,2,3\n4,5\n", "t.csv", "expected 3 as in line 1: give 3 numbers, or remove the", "x,y,z\n1,2,3\n", "t.csv"),
    ("// x,y\n1,2\n", "t.csv", "a comment begins with #, names with nothing: write x,y$", "x,y\n1,2\n", "t.csv"),
    ("x [m],y [m]\n1,2\n", "t.csv", r"such as 't\.csv:x \[m\],y \[m\]'$", "x [m],y [m]\n1,2\n", "t.csv:x [m],y [m]"),
    ("x0,y0,x1,y1,x2\n1,2,3,4,5\n", "t.csv", r"such as t\.csv:x0,y0$", "x0,y0,x1,y1,x2\n1,2,3,4,5\n", "t.csv:x0,y0"),
    *[
        ("x,y,z\n1,2,3\n", f"t.csv:{given}", r"write t\.csv:x,y,z$", "x,y,z\n1,2,3\n", "t.csv:x,y,z")
        for given in ("x:z", "x-z", "0:3", "x;y;z")
    ],
    ("", "np.zeros(3)", "write --input position=0,0,0$", "", "0,0,0"),
    ("", "np.array([1, 2, 3])", "write --input position=1,2,3$", "", "1,2,3"),
    ("", "pi,-pi/2,0", r"write --input position=3\.14159265,-1\.57079633,0$", "", "3.14159265,-1.57079633,0"),
    ("", "1,,3", "write --input position=1,0,3$", "", "1,0,3"),
    ("", "0,5;1,25;0", r"write 0\.5,1\.25,0 if these are decimal ones$", "", "0.5,1.25,0"),
    ("", "1.5,2,3;1,2", "`;` begins the next vertex, give 3 numbers for each$", "", "1.5,2,3;1,2,3"),
]


@pytest.mark.parametrize(("text", "given", "said", "corrected", "then"), WRITTEN)
def test_what_is_written_instead(text: str, given: str, said: str, corrected: str, then: str, here: Path) -> None:
    (here / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputFailure, match=said):
        value(given)
    (here / "t.csv").write_text(corrected, encoding="utf-8")
    assert value(then)


def test_encodings(here: Path) -> None:
    text = "Länge\ty\n1\t2\n"
    (here / "t.csv").write_bytes(text.encode("utf-16"))  # as spreadsheets save "Unicode text"
    assert value("t.csv:y") == [[2]]
    (here / "t.csv").write_bytes(text.encode("utf-16-le"))
    with pytest.raises(InputFailure, match=r"`iconv -f UTF-16LE -t UTF-8 t\.csv > utf8-t\.csv`$"):
        value("t.csv")
    (here / "t.csv").write_bytes(text.encode("cp1252"))
    with pytest.raises(InputFailure, match=r"t\.csv:1: a character is not in UTF-8: `iconv -f WINDOWS-1252 -t UTF-8 t"):
        value("t.csv")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("p.xlsx", b"PK\x03\x04", r"a workbook of a spreadsheet, .*`pandas\.read_excel\('p\.xlsx'\)\.to_csv"),
        ("p.csv", b"\xd0\xcf\x11\xe0", r"`pandas\.read_excel\('p\.csv'\)"),
        ("p.csv.gz", b"\x1f\x8b\x08", r"is compressed: unpack it, `gzip -dk p\.csv\.gz`$"),
        ("p.obj", b"v 1 2 3\n", r"`--mesh p\.obj`, .*`-i position=mesh:position`"),
        ("p.json", b"{}", r"`--data p\.json`"),
        ("p.json", b"[[0, 1], [2, 3]]", r"`numpy\.save\('points\.npy', json\.load\(open\('p\.json'\)\)\)`$"),
        ("p.json", b'[{"x": 1}]', r"`pandas\.read_json\('p\.json'\)\.to_csv\('points\.csv', index=False\)`$"),
        ("p.json", b'{"x":{"0":1.0}}', r"`pandas\.read_json\('p\.json'\)\.to_csv\('points\.csv', index=False\)`$"),
        ("p.jsonl", b'{"x": 1}\n{"x": 2}\n', r"`pandas\.read_json\('p\.jsonl', lines=True\)\.to_csv"),
        ("p.txt", b"[[0. 1.]\n [2. 3.]]\n", r"as NumPy prints it, .*`numpy\.savetxt\('points\.csv', values, delimiter=','\)`$"),
        ("p.txt", b"   x  y\n0  0  0\n1  1  2\n", r"as pandas prints it, .*`frame\.to_csv\('points\.csv', index=False\)`$"),
        ("p.png", b"\x89PNG", "the value of a sampler"),
    ],
)
def test_files_of_other_kinds(name: str, data: bytes, said: str, here: Path) -> None:
    (here / name).write_bytes(data)
    with pytest.raises(InputFailure, match=said):
        value(name)


def test_vectors_in_cells(here: Path) -> None:
    pytest.importorskip("pyarrow.parquet", exc_type=ImportError)
    frame = pandas.DataFrame({"position": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "name": ["a", "b"]})
    frame.to_parquet("t.parquet")
    assert value("t.parquet") == [[1, 2, 3], [4, 5, 6]]
    frame[["name"]].to_parquet("names.parquet")
    with pytest.raises(InputFailure, match=r"the column 'name' has \w*string, expected numbers: convert it"):
        value("names.parquet")
    with pytest.raises(InputFailure, match=r"choose columns, such as t\.parquet:position\.x,position\.y,position\.z$"):
        value("t.parquet:name")
    frame.iloc[0, 0] = [1.0]
    frame[["position"]].to_parquet("t.parquet")
    with pytest.raises(InputFailure, match="give 1 to 4 numbers in each row"):
        value("t.parquet")
