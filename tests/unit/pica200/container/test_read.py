"""Every C0xx code that reading an SHBIN can give: its place, its text, and that nothing else is said."""

import struct

import pytest

from lanewise.api.findings import findings as codes
from lanewise.core.diagnostics import ERROR, WARNING
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.review import MOST_WARNINGS
from lanewise.pica200.container.shbin import ConstantEntry, Dvle, LabelEntry, OutputEntry, Shbin, UniformEntry, write_shbin
from lanewise.pica200.container.survey import MOST_ERRORS
from together import together

CODES = codes()

DVLP = 12
CODE = DVLP + 0x28
OBJECT = CODE + 2 * 4 + 8
SAMPLE = Shbin(
    words=(0x4C201000, 0x88000000),
    descriptors=(0x36F,),
    dvles=(
        Dvle(
            constants=(ConstantEntry(2, 95),),
            outputs=(OutputEntry(0, 0, 15),),
            uniforms=(UniformEntry(0, 0, 0),),
            symbols=b"a\0",
        ),
    ),
)
GOOD = write_shbin(SAMPLE)


def patched(offset: int, value: int, data: bytes = GOOD) -> bytes:
    return data[:offset] + struct.pack("<I", value) + data[offset + 4 :]


def found(data: bytes) -> list[tuple[str, str, int]]:
    """(code, severity, offset) of every finding, after checking that each says something and is registered."""
    shbin, diagnostics = read_shbin(data, "light.shbin")
    for diagnostic in diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.message
        assert diagnostic.fix
        assert diagnostic.span.file == "light.shbin"
        assert diagnostic.span.line == 0
    assert (shbin is None) == any(diagnostic.severity == ERROR for diagnostic in diagnostics)
    return [(diagnostic.code, diagnostic.severity, diagnostic.span.offset) for diagnostic in diagnostics]


def test_a_sound_file_has_no_findings():
    assert found(GOOD) == []
    assert read_shbin(GOOD, "")[0] == SAMPLE
    assert read_shbin(memoryview(b"junk" + GOOD)[4:], "")[0] == SAMPLE


@pytest.mark.parametrize("data", [b"", b"DVL", b"DVLP" + GOOD[4:], b"\x7fELF"])
def test_c001_not_an_shbin(data: bytes):
    assert found(data) == [("C001", ERROR, 0)]
    assert ("is empty" if not data else "begins with") in read_shbin(data, "")[1][0].message


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (GOOD[:7], 0),
        (GOOD[: DVLP + 0x1B], 4),
        (patched(4, 0xFFFFFFFF), 4),
        (patched(4, len(GOOD) // 4), 4),
    ],
)
def test_c002_cut_short(data: bytes, offset: int):
    assert found(data) == [("C002", ERROR, offset)]


def test_c003_no_dvlp():
    assert found(patched(DVLP, 0)) == [("C003", ERROR, DVLP)]


def test_c004_no_dvle():
    assert found(patched(OBJECT, 0)) == [("C004", ERROR, OBJECT)]


@together(
    "field",
    [
        8,
        *(DVLP + at for at in (0x08, 0x0C, 0x10, 0x14, 0x24)),
        *(OBJECT + at for at in (0x18, 0x1C, 0x28, 0x2C, 0x30, 0x34, 0x38, 0x3C)),
    ],
)
def test_c005_outside_the_file(field: int):
    """The span is at the offset field, whether it or the count beside it is wrong."""
    pair = field if field < DVLP or (field - (DVLP if field < OBJECT else OBJECT)) % 8 == 0 else field - 4
    assert found(patched(field, 0xFFFFFFFF)) == [("C005", ERROR, pair)]


def test_c005_has_everything_that_is_wrong():
    data = patched(DVLP + 8, 0x7FFFFFFF, patched(OBJECT + 0x3C, 0x7FFFFFFF, patched(OBJECT + 0x1C, 0x0CCCCCCD)))
    assert found(data) == [("C005", ERROR, DVLP + 8), ("C005", ERROR, OBJECT + 0x18), ("C005", ERROR, OBJECT + 0x38)]


@pytest.mark.parametrize("size", [CODE + 4, CODE + 8, OBJECT - 1])
def test_c002_a_transfer_that_stopped_is_one_finding(size: int):
    assert found(GOOD[:size]) == [("C002", ERROR, size)]
    message = read_shbin(GOOD[:size], "")[1][0].message
    assert f"it ends at {size:#x}, its sections at {OBJECT + 0x40:#x} or later" in message


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_c001_a_binary_saved_as_text_is_one_finding(encoding: str):
    assert GOOD.isascii() is False
    assert found(patched(8, 0xFFFF)) == [("C005", ERROR, 8)]  # a wrong offset is not a text
    data = GOOD.replace(b"\x88", b"\xd8").decode(encoding).encode()
    first = next(at for at, byte in enumerate(data) if byte >= 0x80)
    assert found(data) == [("C001", ERROR, first)]
    assert "saved as text" in read_shbin(data, "")[1][0].message
    assert found(patched(CODE, 0x9F9E9D9C).decode("utf-8", "replace").encode()) == [("C001", ERROR, CODE)]


def test_c006_overlap():
    assert found(patched(DVLP + 0x10, 0x2C)) == [("C006", ERROR, DVLP + 0x10)]
    twice = struct.pack("<4sIII", b"DVLB", 2, OBJECT + 4, OBJECT + 4) + GOOD[12:]
    codes = [code for code, _, _ in found(twice)]
    assert codes == ["C006"] * 5, "the second object and its tables lie on the first"


def test_c007_misaligned():
    data = write_shbin(SAMPLE._replace(after={"dvlp": b"?"}))
    assert [code for code, _, _ in found(data)] == ["C007"] * 6
    assert found(data)[0] == ("C007", WARNING, CODE + 1)


@pytest.mark.parametrize(
    ("symbols", "offset"),
    [(b"a\0", 2), (b"a\0", 0xFFFFFFFF), (b"abcd", 0), (b"a b\0", 0), (b"\0", 0), (b"\xc3\xa9\0", 0), (b"1\0", 0)],
)
def test_c008_no_usable_name(symbols: bytes, offset: int):
    uniforms = Dvle(uniforms=(UniformEntry(offset, 0, 0),), symbols=symbols)
    assert found(write_shbin(SAMPLE._replace(dvles=(uniforms,)))) == [("C008", WARNING, OBJECT + 0x40)]
    labels = Dvle(labels=(LabelEntry(), LabelEntry(symbol=offset + 2)), symbols=b"a\0" + symbols) if offset < 8 else uniforms
    assert found(write_shbin(SAMPLE._replace(dvles=(labels,))))[-1][0] == "C008"


@pytest.mark.parametrize(
    ("first", "last"), [(1, 0), (0, 16), (0x6F, 0x70), (0x74, 0x74), (0x77, 0x78), (0x88, 0x88), (0xFFFF, 0xFFFF)]
)
def test_c009_no_registers(first: int, last: int):
    dvle = Dvle(uniforms=(UniformEntry(0, 0, 15), UniformEntry(0, first, last)), symbols=b"a\0")
    assert found(write_shbin(SAMPLE._replace(dvles=(dvle,)))) == [("C009", WARNING, OBJECT + 0x48)]


@pytest.mark.parametrize(("kind", "register"), [(3, 0), (0, 16), (1, 4), (2, 96), (0xFFFF, 0xFFFF)])
def test_c010_no_register_for_a_constant(kind: int, register: int):
    dvle = Dvle(constants=(ConstantEntry(0, 15), ConstantEntry(kind, register)))
    assert found(write_shbin(SAMPLE._replace(dvles=(dvle,)))) == [("C010", WARNING, OBJECT + 0x40 + 0x14)]


@pytest.mark.parametrize("entry", [OutputEntry(10, 0, 1), OutputEntry(0, 16, 1), OutputEntry(0, 0, 0), OutputEntry(0, 0, 0x10)])
def test_c011_no_register_for_an_output(entry: OutputEntry):
    dvle = Dvle(outputs=(OutputEntry(9, 15, 15), entry))
    assert found(write_shbin(SAMPLE._replace(dvles=(dvle,)))) == [("C011", WARNING, OBJECT + 0x48)]


def test_c012_entry_outside_the_code():
    assert found(patched(OBJECT + 8, 1)) == []
    assert found(patched(OBJECT + 8, 2)) == [("C012", WARNING, OBJECT + 8)]


def test_c014_more_than_a_unit_holds():
    assert found(write_shbin(SAMPLE._replace(words=(0,) * 4096, descriptors=(0,) * 128))) == []
    large = SAMPLE._replace(words=(0,) * 4097, descriptors=(0,) * 129)
    assert found(write_shbin(large)) == [("C014", WARNING, CODE), ("C014", WARNING, CODE + 4 * 4097)]


def test_noise_does_not_flood():
    objects = 1000
    data = struct.pack(f"<4sI{objects}I", b"DVLB", objects, *(0xFFFFFF00,) * objects) + GOOD[DVLP : DVLP + 0x28]
    assert len(found(data)) == MOST_ERRORS
    outputs = Dvle(outputs=(OutputEntry(10, 0, 1),) * 1000)
    assert len(found(write_shbin(SAMPLE._replace(dvles=(outputs,))))) == MOST_WARNINGS


def test_a_wild_count_takes_no_memory():
    """An allocation of what the counts ask for (64 GiB) would raise MemoryError or time out."""
    for field in (4, DVLP + 0x0C, DVLP + 0x14, OBJECT + 0x1C, OBJECT + 0x24, OBJECT + 0x2C, OBJECT + 0x34, OBJECT + 0x3C):
        assert read_shbin(patched(field, 0xFFFFFFFF), "")[0] is None


@pytest.mark.parametrize("offset", [0, 1, 0x41, 0xFFFFFFFF])
def test_an_empty_table_may_lie_anywhere(offset: int):
    data = patched(OBJECT + 0x20, offset)
    assert found(data) == []
    shbin, _ = read_shbin(data, "")
    assert shbin is not None
    assert shbin.offsets == {"dvle0.labels": offset}
    assert write_shbin(shbin) == data


def test_gaps_trailing_bytes_and_unknown_fields_survive():
    data = patched(DVLP + 4, 0xABCD, patched(DVLP + 0x18, 7, patched(DVLP + 0x1C, 9, GOOD + b"tail")))
    shbin, _ = read_shbin(data, "")
    assert shbin is not None
    assert (shbin.layout, shbin.version, shbin.unknown18, shbin.unknown1c) == ("picasso", 0xABCD, 7, 9)
    assert shbin.after == {"dvle0.symbols": b"tail"}
    assert write_shbin(shbin) == data


def test_empty_tables_where_others_begin_need_no_offset_of_their_own():
    order = "files code descriptors dvle0 dvle0.outputs dvle0.constants dvle0.labels dvle0.uniforms dvle0.symbols"
    dvle = Dvle(constants=(ConstantEntry(),), symbols=b"a\0")
    shbin, _ = read_shbin(write_shbin(SAMPLE._replace(dvles=(dvle,), layout=order)), "")
    assert shbin is not None
    assert (shbin.layout, shbin.offsets) == (order, {})


def test_padding_that_is_not_zero_makes_a_layout_of_its_own():
    data = GOOD[:-2] + b"XY"
    shbin, _ = read_shbin(data, "")
    assert shbin is not None
    assert shbin.layout.split()[:2] == ["files", "code"]
    assert shbin.after == {"dvle0.symbols": b"XY"}
    assert write_shbin(shbin) == data
