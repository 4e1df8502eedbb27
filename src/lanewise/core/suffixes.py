"""Forms of files that are written, by the suffix of their names: what one command or method writes, another refuses for its
`-o` or path."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanewise.core.service import Value

# The suffixes of all that lanewise writes. What is written has to have a form for them; a suffix that is not here is free to
# choose. tests/unit/tools/test_suffixes.py compares them with the rows of the commands.
KNOWN_SUFFIXES = frozenset(
    (
        ".bin",
        ".c",
        ".cc",
        ".coe",
        ".cpp",
        ".csv",
        ".ctf",
        ".cxx",
        ".dot",
        ".frag",
        ".fxb",
        ".fxo",
        ".geom",
        ".glsl",
        ".gsh",
        ".gv",
        ".h",
        ".hex",
        ".hh",
        ".hpp",
        ".html",
        ".json",
        ".jsonl",
        ".mem",
        ".mgfx",
        ".mgfxo",
        ".mif",
        ".npy",
        ".npz",
        ".obj",
        ".parquet",
        ".pica",
        ".ply",
        ".png",
        ".psa",
        ".pso",
        ".sc",
        ".scb",
        ".scbin",
        ".shbin",
        ".shlist",
        ".spv",
        ".stl",
        ".svg",
        ".toml",
        ".txt",
        ".v",
        ".vcd",
        ".vert",
        ".vhd",
        ".vhdl",
        ".vkch",
        ".vsa",
        ".vsh",
        ".vso",
        ".wgsl",
    )
)


def suffix_of(path: str) -> str:
    """The suffix of a file's name in small letters, `.pica` of `light.v.pica`; empty for standard output, a folder, or a name
    without one."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return "." + name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""


_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip", ".7z")


def refused(path: str, suffixes: Iterable[str]) -> str:
    """Why a file of this name cannot have one of the forms that these suffixes stand for; empty if it can."""
    suffix, possible = suffix_of(path), tuple(suffixes)
    if path.lower().endswith(_COMPRESSED) and suffix not in possible:
        plain = path.rpartition(".")[0]
        return f"{path}: the file is not compressed: write {plain}, and then compress it, `gzip {plain}`"
    if suffix not in KNOWN_SUFFIXES or suffix in possible:
        return ""
    example = f", such as {stem_of(path)}{possible[0]}" if possible else ""
    return f"{path}: {suffix} is not a form of this output: use {', '.join(possible)}{example}"


def stem_of(path: str) -> str:
    """A path without its suffix, or the two of a source such as `light.v.pica`."""
    stem = path[: len(path) - len(suffix_of(path))]
    head, point, kind = stem.rpartition(".")
    return head if point and kind in ("v", "g", "shadertest") and suffix_of(path) != ".v" else stem


def take_form(values: dict[str, Value], forms: Mapping[str, str]) -> str:
    """Set the option that the suffix of `output` stands for, unless it is given; the remark about a suffix that stands for
    none, or empty. Raises UsageError for a form that is not among `forms`.

    `forms` are as in `Manual`; without any, every suffix is taken.
    """
    output = values.get("output")
    if not forms or not isinstance(output, str):
        return ""
    message = refused(output, forms)
    if message:
        raise UsageError(f"-o {message}")
    suffix = suffix_of(output)
    key, _, value = forms.get(suffix, "").partition("=")
    if key:
        values.setdefault(key, value or True)
    usual = next((name for name, option in forms.items() if not option), "")
    chosen = any(option and option.partition("=")[0] in values for option in forms.values())
    if not suffix or suffix in forms or chosen or not usual:
        return ""
    return f"{output}: {suffix} is an unknown suffix, so the form is that of {usual}; known suffixes are {', '.join(forms)}"
