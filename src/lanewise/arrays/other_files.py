"""Files that hold no table of numbers where one is expected: what they are, and what to do with them."""

from __future__ import annotations

import re

from lanewise.core.suffixes import suffix_of

_READ = "convert it in Python: `pandas.{reader}({path!r}).to_csv('points.csv', index=False)`"
_PICKLE = "convert it in Python: `numpy.save('points.npy', numpy.load({path!r}, allow_pickle=True))`"
_MESH = (
    "give it as the mesh, `--mesh {path}`, and an input as a property of it, such as `-i position=mesh:position`; "
    "where there is no --mesh, as a table: a .csv with a row of x, y, z for each vertex"
)
_SETTINGS = "give it as a whole, `--data {path}`; a file of uniforms alone is `--uniforms {path}`"
_SAMPLER = "a picture is the value of a sampler, not of an input or uniform"
# By suffix: what the file is, and what to do. `reader` is a function of pandas.
_KINDS = {
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".ods"), ("a workbook of a spreadsheet", "read_excel")),
    ".feather": ("a Feather file", "read_feather"),
    ".orc": ("an ORC file", "read_orc"),
    **dict.fromkeys((".h5", ".hdf5"), ("an HDF5 file", "read_hdf")),
    **dict.fromkeys((".pkl", ".pickle"), ("a pickle of Python", _PICKLE)),
    **dict.fromkeys((".obj", ".ply", ".stl", ".glb", ".gltf"), ("a model", _MESH)),
    **dict.fromkeys((".json", ".toml"), ("a file of values by name", _SETTINGS)),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tga", ".dds"), ("a picture", _SAMPLER)),
}
_PACKED = {b"\x1f\x8b": "gzip -dk", b"BZh": "bzip2 -dk", b"\xfd7zXZ": "xz -dk", b"\x28\xb5\x2f\xfd": "zstd -d"}
_MAGIC = {b"\xd0\xcf\x11\xe0": ".xls", b"ARROW1": ".feather", b"\x89HDF": ".h5", b"\x89PNG": ".png", b"glTF": ".glb"}


def other_kind(path: str, data: bytes) -> str:
    """The sentence about a file that is not a table of numbers, with the fix; empty for others."""
    packed = next((tool for magic, tool in _PACKED.items() if data.startswith(magic)), "")
    if packed:
        return f"{path} is compressed: unpack it, `{packed} {path}`"
    printed = _printed(path, data[:_HEAD])
    if printed:
        return printed
    suffix = next((suffix for magic, suffix in _MAGIC.items() if data.startswith(magic)), suffix_of(path).lower())
    if suffix not in _KINDS:
        return ""
    title, fix = _KINDS[suffix]
    fix = _READ.format(reader=fix, path=path) if fix.startswith("read_") else fix.format(path=path)
    return f"{path} is {title}, expected .npy, .npz, or a table of numbers: {fix}"


def _printed(path: str, head: bytes) -> str:
    """The sentence about lists of rows or records, of JSON or as Python prints them; empty for others."""
    text = head.decode("utf-8", "replace").strip()
    suffix = suffix_of(path).lower()
    if suffix in (".jsonl", ".ndjson") or (text[:1] == "{" and "}\n{" in text):
        how = f"convert it in Python: `pandas.read_json({path!r}, lines=True).to_csv('points.csv', index=False)`"
        return f"{path} has a record in each line, expected a table: {how}"
    if text[:2] == "[[" or text[:3] == "[ [":
        if suffix == ".json" or "," in text:
            how = f"`numpy.save('points.npy', json.load(open({path!r})))`"
            return f"{path} is a list of rows, expected .npy, .npz, or a table of numbers: convert it in Python: {how}"
        how = "`numpy.savetxt('points.csv', values, delimiter=',')`"
        return f"{path} is an array as NumPy prints it, expected a table: save it with {how}"
    if suffix == ".json" and (text.startswith("[{") or _COLUMNS.match(text)):
        return f"{path} is a data frame in JSON, expected a table: {_READ.format(reader='read_json', path=path)}"
    return ""


_HEAD = 4096
_COLUMNS = re.compile(r'\{\s*"[^"]+"\s*:\s*\{\s*"\d+"\s*:')  # of `frame.to_json()`


__all__ = ["other_kind"]
