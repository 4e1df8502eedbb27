"""Files of raw words."""

import pytest

from lanewise.api.findings import findings as codes
from lanewise.core.diagnostics import Diagnostic
from lanewise.pica200.container.raw import read_descriptors, read_words, write_descriptors, write_words

CODES = codes()


def places(found: list[Diagnostic]) -> list[tuple[str, int]]:
    for diagnostic in found:
        assert diagnostic.code in CODES
        assert diagnostic.message
        assert diagnostic.fix
    return [(diagnostic.code, diagnostic.span.offset) for diagnostic in found]


def test_words_are_little_endian():
    assert read_words(b"\x01\x02\x03\x04\0\0\0\x88", "code.bin") == ((0x04030201, 0x88000000), [])
    assert write_words((0x04030201, 0x88000000)) == b"\x01\x02\x03\x04\0\0\0\x88"


@pytest.mark.parametrize("extra", [1, 2, 3])
def test_c013_bytes_left_over(extra: int):
    words, found = read_words(bytes(8 + extra), "code.bin")
    assert words is None
    assert places(found) == [("C013", 8)]
    words, found = read_descriptors(bytes(8 + extra), "code.bin")
    assert words is None
    assert places(found) == [("C013", 8)]


def test_c014_too_many():
    assert places(read_words(bytes(4 * 4096), "")[1]) == []
    assert places(read_words(bytes(4 * 4097), "")[1]) == [("C014", 0)]
    assert places(read_descriptors(b"\1\0\0\0" * 128, "")[1]) == []
    assert places(read_descriptors(b"\1\0\0\0" * 129, "")[1]) == [("C014", 0)]
    assert places(read_descriptors(b"\1\0\0\0\0\0\0\0" * 128, "")[1]) == []


def test_descriptors_alone_or_in_pairs():
    pairs = write_descriptors((0x36F, 0x1B), pairs=True)
    assert pairs == write_words((0x36F, 0, 0x1B, 0))
    assert read_descriptors(pairs, "")[0] == (0x36F, 0x1B)
    assert read_descriptors(pairs, "", pairs=False)[0] == (0x36F, 0, 0x1B, 0)
    for single in ((0x36F,), (0x36F, 0x1B), (0x36F, 0, 0x1B)):
        assert read_descriptors(write_descriptors(single), "")[0] == single
    assert read_descriptors(write_words((1, 2, 3, 4)), "", pairs=True)[0] == (1, 3)
    words, found = read_descriptors(write_words((1, 2, 3)), "", pairs=True)
    assert words is None
    assert places(found) == [("C013", 8)]


@pytest.mark.parametrize("word", [-1, 1 << 32])
def test_a_word_has_32_bits(word: int):
    with pytest.raises(ValueError, match="not a 32-bit word"):
        write_words((0, word))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0x4C000000 zzzz", "code: 'zzzz' is not a 32-bit word in hexadecimal digits"),
        ("4C000000\n8800000G\n", "code: '8800000G' is not a 32-bit word in hexadecimal digits"),
        ('{"isa": "pica200", "x": 1}\n', "code: a JSON object, not an array of words"),
        ('["0x88000000",\n""]', 'code: item 1 of the array is not a 32-bit word: ""'),
        ("", "code: the file has no words"),
        ("# words\n\n", "code: the file has no words"),
    ],
)
def test_a_text_with_a_typo_is_not_read_as_bytes(text: str, message: str):
    words, [finding] = read_words(text.encode(), "code.txt")
    assert (words, finding.code, finding.message) == (None, "C013", message)
    assert read_words(b"{\0\0}", "code.bin")[0] == (0x7D00007B,)


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        ("8010022200000000", "has 16 digits: bytes, as `xxd -p`", "`xxd -r -p code.txt OUT`"),
        ("80 10 02 22", "groups of 2 digits are bytes", "`xxd -r -p code.txt OUT`"),
        ("8010 0222", "", ""),
        ("8010 0222 0000 004c", "groups of 4 digits are bytes", "`xxd -r -p code.txt OUT`"),
        (
            "0x80, 0x10, 0x02, 0x22",
            "the numbers are bytes",
            "write four bytes as a word, the first one lowest: 0x22021080 for 0x80 0x10",
        ),
        ("u32 code[] = { 0x22021080 };", "'u32' is not a word", "such as 0x22021080: `grep -o '0[xX][0-9A-Fa-f]*' code.txt >"),
        ("0x22021080u, 0x4c000000u", "'0x22021080u' is not a word", "`grep -o '0[xX][0-9A-Fa-f]*' code.txt >"),
        ("{0x22021080, 0x4c000000}", "'{' is not a word", "`grep -o"),
        ("const C: [u32; 2] = [0x22021080, 0x4c000000];", "'const' is not a word", "`grep -o"),
        ("00100010000000100001000010000000", "has 32 binary digits", "write 0x22021080, and so for the others"),
        ("$22021080, $4c000000", "begins with $", "write 0x22021080: `tr '$,' '  ' < code.txt"),
        ("#22021080", "# begins a comment", "`sed 's/#/0x/' code.txt"),
        ("000: 22021080  mul r0", "a listing, in which '000:' is an address", "such as 22021080: `awk '{print $2}' code.txt"),
        ("0x2202 0x1080\n0x4C00 0x0000", "the numbers are halves of words", "such as 0x22021080 for 0x2202 0x1080"),
        ("22021080h", "'22021080h' ends in h", "write 0x22021080, and so for"),
        ("@0000\n22021080", "an address of $readmemh", "`grep -v @ code.txt >"),
        (":0400000022021080", "a record of Intel HEX", "`objcopy -I ihex -O binary code.txt OUT`"),
        ("['0x22021080']", "single quotes, as Python prints lists", "`json.dumps(words)`"),
        ('["0x22021080", ]', "invalid JSON array", "remove the comma that no word follows"),
    ],
)
def test_words_in_the_form_of_another_tool(text: str, message: str, fix: str):
    words, findings = read_words(text.encode(), "code.txt")
    assert (words is None) is bool(message)
    assert not message or (message in findings[0].message and fix in findings[0].fix)
    assert "each word has 8 bytes" in read_words(bytes([1, 0, 0, 0, 0, 0, 0, 0] * 3), "c")[1][0].message
    assert read_words(b"036E 036F 0000 0001", "d", "descriptors")[0] == (0x36E, 0x36F, 0, 1)


@pytest.mark.parametrize(
    ("text", "line", "fix"),
    [
        ("0x88000000\n2281701376\n", 2, "write 0x88000000 if it is a decimal number"),
        ("0x88000000\n22\n", 2, "write 0x22, or 0x16 if it is a decimal number"),
        ('["0x88000000",\n"2281701376"]', 2, "write 0x88000000 if it is a decimal number"),
        ("0x88000000\nhello\n", 2, "write words as 0x4C201000, or as little-endian bytes"),
    ],
)
def test_decimal_words_are_recognised(text: str, line: int, fix: str):
    words, [finding] = read_words(text.encode(), "code.txt")
    assert (words, finding.span.line, finding.fix) == (None, line, fix)


def test_a_word_of_digits_is_hexadecimal_where_no_word_has_a_prefix():
    assert read_words(b"88000000 00000022", "code.txt") == ((0x88000000, 0x22), [])
    assert read_words(b"0x88000000 0 00000000", "code.txt") == ((0x88000000, 0, 0), [])


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "fix"),
    [
        ("[0x6C36F, 0x36E]", 1, 2, "JSON has no hexadecimal numbers: 0x6C36F", 'write "0x6C36F", in quotes'),
        ("[1,\n 2 3]", 2, 4, "expecting ',' delimiter", "write words as 0x4C201000"),
        ("[1, -1879048191]", 1, 0, "is not a 32-bit word: -1879048191", "write 2415919105 (0x90000001)"),
        ('[1, "-1879048191"]', 1, 0, "is not a 32-bit word", "write 2415919105 (0x90000001)"),
        ("000000 22021080 4c000000\n000008 88000000\n00000c\n", 1, 0, "the first column (000000, 000008, 00000c)", "od -A n"),
        ("0000000 22021080 4c000000\n0000010 88000000\n", 1, 0, "first column (0000000, 0000010)", "od -A n"),
        ('{"0": "0x6C36F", "1": "0x36E"}', 0, 0, "a JSON object", 'as an array: ["0x6C36F", "0x36E"]'),
        ('{"schema": "x", "code": []}', 0, 0, "a JSON object", "as --data, without --words"),
        ('00000000: 8010 0222 0000 004c 0100 0090 0100 214c  ..."...L......!L\n', 1, 0, "a hex dump", "`xxd -r code.txt OUT`"),
        ('00000000  80 10 02 22 00 00 00 4c  |..."...L|\n00000008\n', 1, 0, "a hex dump", "`cut -c 9-60 code.txt"),
        (
            "# x\n20: 22021080 4c000000\n22: 22021080 4c000000\n24: 88000000",
            2,
            0,
            "first column (20:, 22:, 24:)",
            "cut -d: -f2",
        ),
    ],
)
def test_habits_of_other_forms_are_named(text: str, line: int, column: int, message: str, fix: str):
    words, [finding] = read_words(text.encode(), "code.txt")
    assert (words, finding.span.line, finding.span.column) == (None, line, column)
    assert message in finding.message
    assert fix in finding.fix


@pytest.mark.parametrize(
    "text",
    [
        "00000000 22021080\n00000005 88000000",
        "00000000 22021080 4c000000 88000000",
        "00000010 22021080\n00000014 88000000",
        "443247\n878000",
        "6C36F\n878",
        "0x443247\n0x878",
        "00443247\n0878",
        "1\n22",
    ],
)
def test_words_that_only_resemble_other_forms_have_no_finding(text: str):
    words, found = read_words(text.encode(), "code.txt", "descriptors")
    assert words
    assert found == []


def test_decimal_descriptors_have_a_warning():
    words, [finding] = read_descriptors(b"# two\n443247\n878\n", "descriptors.txt")
    assert words == (0x443247, 0x878)
    assert (finding.code, finding.severity, finding.span.line) == ("C013", "warning", 2)
    assert "443247 is 0x443247, as a decimal number it is 0x6c36f" in finding.message


def test_a_list_that_is_nested_too_deeply_is_not_words():
    words, found = read_words(b"[" * 100_000 + b"]" * 100_000, "code.json")
    assert words is None
    assert [finding.message for finding in found] == ["code: invalid JSON array: its values are nested too deeply"]
