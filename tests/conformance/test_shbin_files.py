"""SHBIN files that picasso 2.7.1 and nihstro made, and their counts in the manifests (shared/conformance/README.md)."""

import json
import random
from pathlib import Path
from typing import NamedTuple

import pytest

from effort import times
from lanewise.core.diagnostics import has_errors
from lanewise.pica200.container.build import build, entry_of_tool, interfaces
from lanewise.pica200.container.flat import apply, flatten
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.scan import scan
from lanewise.pica200.container.shbin import AS_LAID_OUT, Shbin, sections, write_shbin
from lanewise.pica200.isa.program import Program

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "conformance"
DIRECTORIES = {"picasso/hand": 82, "picasso/gen": 300, "picasso/bad": 78, "nihstro/hand": 33, "nihstro/bad": 34}

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"the recorded files are not at {CORPUS}")


class File(NamedTuple):
    """A recorded file with its row of the manifest."""

    path: Path
    data: bytes
    dvles: int
    words: int
    opdescs: int


def files(directory: str) -> list[File]:
    rows = json.loads((CORPUS / directory / "manifest.json").read_text())
    found = [(CORPUS / directory / row["shbin"], row) for row in rows if "shbin" in row]
    return [File(path, path.read_bytes(), row["dvles"], row["words"], row["opdescs"]) for path, row in found]


def read(file: File) -> Shbin:
    shbin, diagnostics = read_shbin(file.data, file.path.name)
    assert shbin is not None, diagnostics
    return shbin


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_files_read_and_write_back_to_their_bytes(directory: str):
    recorded = files(directory)
    assert len(recorded) == DIRECTORIES[directory]
    for file in recorded:
        shbin, diagnostics = read_shbin(file.data, file.path.name)
        assert shbin is not None, file.path
        assert not has_errors(diagnostics)
        assert write_shbin(shbin) == file.data, file.path
        assert (len(shbin.dvles), len(shbin.words), len(shbin.descriptors)) == (file.dvles, file.words, file.opdescs), file.path


@pytest.mark.parametrize("directory", DIRECTORIES)
def test_the_named_layouts_say_all_about_the_tools_files(directory: str):
    """No gap and no offset of its own; every byte belongs to a section or its padding."""
    for file in files(directory):
        shbin = read(file)
        assert shbin.layout == directory.partition("/")[0], file.path
        assert not shbin.after, file.path
        assert not shbin.offsets, file.path
        assert shbin.unknown18 == AS_LAID_OUT, file.path
        assert sum(section.size + section.padding for section in sections(shbin)) == len(file.data), file.path


@pytest.mark.parametrize("directory", ["picasso/hand", "picasso/gen", "picasso/bad"])
def test_picasso_files_are_built_whole_from_their_interfaces(directory: str):
    for file in files(directory):
        shbin = read(file)
        program = Program(operations=(), interfaces=interfaces(shbin), labels={})
        assert build(program, shbin.words, shbin.descriptors) == shbin, file.path
        assert write_shbin(build(program, shbin.words, shbin.descriptors)) == file.data, file.path


def test_nihstro_files_are_built_whole_from_their_interfaces_and_labels():
    differing: list[str] = []
    for directory in ("nihstro/hand", "nihstro/bad"):
        for file in files(directory):
            shbin = read(file)
            (dvle,) = shbin.dvles
            labels = {
                dvle.symbols[label.symbol : dvle.symbols.index(b"\0", label.symbol)].decode(): label.word
                for label in dvle.labels
            }
            (shader,) = interfaces(shbin)
            # nihstro's entry is the offset of a name; the label it names says where the program starts, and `build` writes
            # that.
            starts = {label.symbol: label.word for label in dvle.labels}
            shader = shader._replace(entry=starts[shader.entry])
            program = Program(operations=(), interfaces=(shader,), labels=labels)
            assert entry_of_tool(program, shader, "nihstro") == dvle.main, file.path
            built = build(program, shbin.words, shbin.descriptors, "nihstro")
            assert built.dvles[0].main == shader.entry
            if write_shbin(built._replace(dvles=(built.dvles[0]._replace(main=dvle.main),))) != file.data:
                differing.append(file.path.stem)
    assert differing == ["alias_range_reversed"], "its uniform has its registers in the wrong order: no Interface can say that"


def test_the_pairs_that_differ_turn_one_file_into_another():
    everything = [file for directory in DIRECTORIES for file in files(directory)]
    rng = random.Random(11)
    for _ in range(times(200, 600)):
        first, second = rng.choice(everything), rng.choice(everything)
        a, b = read(first), read(second)
        before = flatten(a)
        changes = {key: value for key, value in flatten(b).items() if before.get(key) != value}
        result = apply(a._replace(words=b.words, descriptors=b.descriptors), changes)
        assert write_shbin(result) == second.data, (first.path, second.path)


def test_shaders_are_found_among_random_bytes():
    rng = random.Random(12)
    everything = [file for directory in DIRECTORIES for file in files(directory)]
    rng.shuffle(everything)
    data = bytearray()
    places: list[tuple[int, int]] = []
    for file in everything:
        data += rng.randbytes(rng.randrange(300))
        places.append((len(data), len(file.data)))
        data += file.data
    found = scan(bytes(data), "archive.bin")
    assert [(shader.offset, shader.size) for shader in found] == places
    assert [write_shbin(shader.shbin) for shader in found] == [file.data for file in everything]
