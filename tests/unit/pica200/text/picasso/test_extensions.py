"""What lanewise adds to the picasso language: explicit places, pinned descriptors, raw words, numeric targets, symbols,
fields."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.core.text.quoting import quote
from lanewise.pica200.api.assembling import Assembly, assemble_sources
from lanewise.pica200.container.build import interfaces
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.isa.lift import lift_word

MAIN = ".proc main\n\tmov r0, r1\n\tend\n.end\n"


def assemble(text: str) -> Assembly:
    return assemble_sources([("x.v.pica", text)])


def codes(text: str) -> list[str]:
    return [d.code for d in assemble(text).diagnostics if d.is_error]


def uniforms(text: str) -> dict[str, tuple[int, int]]:
    data = assemble(text).data
    assert data is not None
    shbin, _ = read_shbin(data, "x")
    assert shbin is not None
    return {u.name: (u.first, u.last) for u in interfaces(shbin)[0].uniforms}


def test_explicit_places():
    text = ".fvec a, far[4] c10, b[12], near c2\n.ivec n i2\n.bool t b3, u\n" + MAIN
    # a is c0; near and far are where they are told; b goes to the first 12 free ones, behind far.
    assert uniforms(text) == {
        "a": (0x20, 0x20),
        "near": (0x22, 0x22),
        "far": (0x2A, 0x2D),
        "b": (0x2E, 0x39),
        "n": (0x82, 0x82),
        "t": (0x8B, 0x8B),
        "u": (0x88, 0x88),
    }


def test_constants_go_around_explicit_places():
    text = ".fvec top c95\n.constf k(1.0, 2.0, 3.0, 4.0)\n.proc main\n\tmov r0, k\n\tend\n.end\n"
    program = assemble(text).program
    assert program.interfaces[0].constants[0].register == 0x20 + 94


@pytest.mark.parametrize(
    "line",
    [
        ".fvec a[4] c2, b c5",
        ".fvec a c0, b c0",
        ".fvec a c96",
        ".fvec a[4] c94",
        ".fvec a i0",
        ".bool a b16",
        ".constf k(1,1,1,1)\n.fvec a c95",
    ],
)
def test_overlap_and_range_are_errors(line: str):
    assert codes(line + "\n" + MAIN) in (["V029"], ["P050"])


def test_a_uniform_keeps_its_explicit_place_in_every_file():
    first, second = ".fvec a c7\n" + MAIN, ".fvec a\n.nodvle\n.proc lib\n\tmov r0, a\n.end\n"
    result = assemble_sources([("a.pica", first), ("b.pica", second)])
    assert result.data is not None
    assert result.encoded.words[2] >> 12 & 0x7F == 0x27
    moved = assemble_sources([("a.pica", first), ("b.pica", second.replace("a\n", "a c8\n", 1))])
    assert "V029" in [d.code for d in moved.diagnostics]


def test_places_across_files_and_spaces():
    constant = (".constf k(1.0, 2.0, 3.0, 4.0)\n" + MAIN, ".nodvle\n.fvec b c95\n")
    assert "V029" in [d.code for d in assemble_sources([("a.pica", constant[0]), ("b.pica", constant[1])]).diagnostics]
    assert codes(".gsh variable c10 2\n.fvec a c0\n" + MAIN) == ["V029"]
    assert codes(".gsh point c0\n.bool last b15\n" + MAIN) == ["V029"]


def test_compat_drops_what_picasso_drops():
    text = ".fvec far[4] c10\n" + MAIN
    result = assemble_sources([("x.pica", text)], compatible=True)
    assert [(d.code, d.is_error) for d in result.diagnostics] == [("P023", False)]
    assert result.program.interfaces[0].uniforms[0].first == 0x20
    assert assemble_sources([("x.pica", ".fvec far c10\n" + MAIN)], compatible=True).data is None


@pytest.mark.parametrize("symbol", [b"a$b", b"_x", b"\xe9", b"", b"a b", bytes(range(1, 256))])
def test_symbols_are_what_they_say(symbol: bytes):
    data = assemble(f".symbol {quote(symbol)}\n.fvec a\n.symbol {quote(symbol)}\n.in b\n" + MAIN).data
    assert data is not None
    shbin, _ = read_shbin(data, "x")
    assert shbin is not None
    assert shbin.dvles[0].symbols == (symbol + b"\0") * 2


def test_a_symbol_needs_its_declaration():
    assert codes('.symbol "x"\n' + MAIN) == ["P054"]


@pytest.mark.parametrize(
    ("line", "file", "number"),
    [
        ('# 70 "light.glsl"', "light.glsl", 71),
        ('# 3 "C:/x/y.pica"', "C:/x/y.pica", 4),
        ('# 3 "x.pica" 1 3', "x.pica", 4),
        ('#\t9\t"t.pica"', "t.pica", 10),
    ],
)
def test_position_markers(line: str, file: str, number: int):
    result = assemble(f".proc main\n{line}\n\tnop\n\tbogus\n.end\n")
    assert [(d.span.file, d.span.line) for d in result.diagnostics] == [(file, number)]


@pytest.mark.parametrize("line", ["# note: hello", "#", "# x", "#7"])
def test_no_line_with_a_hash_is_refused_in_compat_mode(line: str):
    assert assemble_sources([("x.pica", line + "\n" + MAIN)], compatible=True).data is not None


@pytest.mark.parametrize(
    "line",
    [
        ".fvec a[99999999999]",
        ".constfa a[99999999999]\n.end",
        ".proc p\n\tmov r0, c0[²]\n.end",
        f".proc p\n\tmov r0, c0[{'9' * 5000}]\n.end",
    ],
)
def test_large_and_odd_numbers_are_findings(line: str):
    assert codes(line + "\n" + MAIN)


def test_a_target_past_12_bits_is_an_error():
    text = ".gsh point c0\n.proc main\n" + "\tnop\n" * 4200 + "\tcallu b0, far\n\tend\n.end\n.proc far\n\tnop\n.end\n"
    assert codes(text) == ["V041", "V090"]
    compatible = assemble_sources([("x.pica", text)], compatible=True)
    assert compatible.data is not None
    assert [d.code for d in compatible.diagnostics] == ["V041", "V090"]


def test_pinned_descriptors():
    text = ".opdesc 0 0x0000036F\n.opdesc 1 0x00000ACF\n.proc main\n\tmov r0, r1\n\tmov r0, r1.yyyz @1\n\tend\n.end\n"
    result = assemble(text.replace("yyyz", "yyyy"))
    assert [d.code for d in result.diagnostics] == ["V032"]
    result = assemble(text)
    assert result.data is not None
    assert result.encoded.descriptors == (0x36F, 0xACF)
    assert [word & 0x7F for word in result.encoded.words[:2]] == [0, 1]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (".opdesc 0 0x0000036F\n.proc main\n\tmov r0.x, r1.y\n\tend\n.end\n", "V033"),
        (".opdesc 0 0x36F\n.opdesc 0 0x36F\n" + MAIN, "P056"),
        (".opdesc 4096 0x36F\n" + MAIN, "P055"),
        (".opdesc 0\n" + MAIN, "P010"),
        (".opdesc 0 0x1FFFFFFFF\n" + MAIN, "P055"),
        (".proc main\n\tmov r0, r1 @7\n\tend\n.end\n", "V032"),
        (".proc main\n\tmov r0, r1 @x\n\tend\n.end\n", "P012"),
        (".opdesc 40 0x36F\n.proc main\n\tmad r0, r1, r2, r3 @40\n\tend\n.end\n", "V031"),
    ],
)
def test_wrong_pins(text: str, code: str):
    assert codes(text) == [code]


@pytest.mark.parametrize("path", ["x.pica", "x.vsh"])
@pytest.mark.parametrize(
    ("wrong", "code", "fix"),
    [
        (".opdesc 0x36F 0", "P055", "write .opdesc 0 0x0000036f"),
        (".opdesc 0, 0x36F", "P055", "write .opdesc 0 0x36F"),
        (".opdesc 0 = 0x36F", "P055", "write .opdesc 0 0x36F"),
        (".opdesc 0x36F, 0", "P055", "write .opdesc 0 0x0000036f"),
        (".opdesc 879 0", "P055", "write .opdesc 0 0x0000036f"),
        (".opdesc 0x0000036F 3", "P055", "write .opdesc 3 0x0000036f"),
        (".opdesc 0x8000036F 3", "P055", "write .opdesc 3 0x8000036f"),
        (".opdesc 0 36F", "P055", "write 0x36F"),
        (".opdesc 0 00000879", "P055", "write 0x00000879"),
        (".opdesc 0 0xFFF", "V033", "add the line .opdesc 1 0x0000036f"),
        (".opdesc 1 0xFFF", "V033", "add the line .opdesc 0 0x0000036f"),
        (".word 88000000", "P055", "write 0x88000000, or 0x053ec600 for the decimal number"),
        (".word 8C000000", "P055", "write 0x8C000000"),
        (".word 4E000000", "P055", "write 0x4E000000"),
    ],
)
def test_numbers_exchanged_or_without_0x(wrong: str, code: str, fix: str, path: str):
    """The fix is followed: it replaces the number, the line, or is a line more."""
    pins, word = (wrong, "") if wrong.startswith(".opdesc") else ("", wrong)
    form = "{}\n.proc main\n mov r0, r1\n{}\n end\n.end\n" if path == "x.pica" else "{}\nmain:\nmov r0, r1\n{}\nend\n"
    result = assemble_sources([(path, form.format(pins, word))])
    (finding,) = [d for d in result.diagnostics if d.is_error]
    assert (finding.code, finding.fix) == (code, fix)
    line = fix.partition(",")[0].removeprefix("write ").removeprefix("add the line ")
    if line.startswith("0x"):
        line = f"{wrong.rpartition(' ')[0]} {line}"
    if pins:
        pins = f"{pins}\n{line}" if code == "V033" else line
    else:
        word = line
    after = assemble_sources([(path, form.format(pins, word))]).diagnostics
    assert [d.code for d in after if d.is_error and d.code != "V033"] == []
    if code == "V033":
        assert not [d for d in after if d.is_error]


@pytest.mark.parametrize("separator", [", ", " "])
@pytest.mark.parametrize("path", ["x.pica", "x.vsh"])
def test_several_words_in_a_line(path: str, separator: str):
    """No word is lost where the fix is followed."""
    form = ".proc main\n{}\n end\n.end\n" if path == "x.pica" else "main:\n{}\nend\n"
    words = ("0x4C000000", "0x84000000")
    result = assemble_sources([(path, form.format(f".word {separator.join(words)}"))])
    (finding,) = [d for d in result.diagnostics if d.is_error]
    assert finding.fix == "write a line for each word, the first one .word 0x4C000000"
    lines = "\n".join([f".word {word}" for word in words])
    assert not [d for d in assemble_sources([(path, form.format(lines))]).diagnostics if d.is_error and d.code != "V032"]


def test_words_that_are_decimal_or_beyond_the_reach():
    """What is no instruction in hexadecimal, and lines as they are written for files with more descriptors."""
    made = assemble(".opdesc 0 0x36F\n.opdesc 879 0x00000000\n.proc main\n\tmov r0, r1\n\t.word 2281701376\n\tend\n.end\n")
    assert [d.code for d in made.diagnostics if d.is_error] == []
    assert made.encoded.words[1] == 0x88000000


def test_a_file_may_have_more_descriptors_than_are_reached():
    result = assemble(".opdesc 0 0x36F\n.opdesc 128 0x36E\n" + MAIN)
    assert [(d.code, d.is_error) for d in result.diagnostics] == [("V030", False)]
    assert len(result.encoded.descriptors) == 129


def test_raw_words_and_numeric_targets():
    text = (
        ".proc main\n\t.word 0x40000000\n\tcall 0x10, 3\n\tcallc cmp.x, 0x11, 2\n\tcallu b1, 0x12, 1\n\tjmpc !cmp.y, 0x20\n"
        "\tjmpu !b2, 0x21\n\tifc cmp.x && cmp.y, 0x22, 4\n\tifu b3, 0x23, 0\n\tfor i1, 0x24\n\tend\n.end\n"
    )
    result = assemble(text)
    assert result.data is not None
    assert [f"{word:08x}" for word in result.encoded.words] == [
        "40000000",
        "90004003",
        "97804402",
        "98404801",
        "b2c08000",
        "b4808401",
        "a3408804",
        "9cc08c00",
        "a4409000",
        "88000000",
    ]


def test_nonop_inserts_nothing():
    blocks = ".proc main\n\tifu b0\n\t\tmov r0, r1\n\t.end\n.end\n"
    assert len(assemble(blocks).encoded.words) == 3
    assert len(assemble(".nonop\n" + blocks).encoded.words) == 2
    assert "V040" in [d.code for d in assemble(".nonop\n" + blocks).diagnostics]


def test_symbols_and_fields():
    text = '.symbol "any text\\x3b\\x00"\n.fvec a\n.shbin dvle.version 0x1234\n.shbin dvlp.version 7\n' + MAIN
    data = assemble(text).data
    assert data is not None
    shbin, _ = read_shbin(data, "x")
    assert shbin is not None
    assert shbin.dvles[0].symbols.startswith(b"any text;")
    assert shbin.dvles[0].version == 0x1234
    assert shbin.version == 7


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (".shbin dvle.versoin 1", "P057"),
        (".shbin dvle.version 0x10000", "P057"),
        (".shbin dvle.version", "P010"),
        (".shbin dvle.version x", "P055"),
        (".symbol none", "P054"),
        (".word 5", "P002"),
        (".nonop now", "P011"),
        (".proc p\n\tend @3\n.end", "P012"),
    ],
)
def test_wrong_extensions(line: str, code: str):
    assert codes(line + "\n" + MAIN) == [code]


def test_an_edit_drops_its_pin_and_keeps_the_rest(tmp_path: Path):
    """A program read from a file keeps its words; an edited operation is encoded anew, with a descriptor added if need be."""
    path = tmp_path / "x.shbin"
    path.write_bytes(lw.assemble(MAIN).to_bytes())
    file = lw.load(path)
    operation = lift_word(0x20402000 | 0x10 << 7, [0x0006C36F])._replace(descriptor=-1)
    edited = file.edited(file.program.with_operation(0, operation))
    before, after = file.programs[0], edited.programs[0]
    assert after.words == (0x20402801, before.words[1])
    assert after.descriptors == (*before.descriptors, 0x0006C36F)
    with pytest.raises(IndexError):
        file.program.with_operation(2, operation)


def test_an_edited_mad_does_not_disturb_pinned_descriptors(tmp_path: Path):
    """A mad that finds no descriptor it can reach is refused; words that the file fixes are not renumbered for it."""
    swizzles = ["".join(s) for s in itertools.islice(itertools.product("xyzw", repeat=4), 40)]
    text = ".proc main\n" + "".join(f"\tmov r0, r1.{s}\n" for s in swizzles) + "\tend\n.end\n"
    path = tmp_path / "x.shbin"
    path.write_bytes(lw.assemble(text).to_bytes())
    file = lw.load(path)
    mad = lw.assemble(".proc main\n\tmad r0, -r1, r2, r3\n\tend\n.end\n").program.operations[0]
    with pytest.raises(lw.InputError, match="V031"):
        file.edited(file.program.with_operation(5, mad))
