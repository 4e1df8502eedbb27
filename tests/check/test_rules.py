"""Rules of `lanewise check` beyond their golden files: found where they are, silent where they are not, bounded on odd
programs."""

from __future__ import annotations

import re
from typing import cast

import pytest

from lanewise.core.diagnostics import NOTE, Diagnostic
from lanewise.core.editing import edited
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.checking import AS_NAMED, Reading, check_shbin, check_sources, check_words
from lanewise.pica200.check.cost import _counted  # pyright: ignore[reportPrivateUsage]
from lanewise.pica200.ir.graph import Edge
from lanewise.pica200.sem.flow import CounterIsZero
from together import together


def serious(text: str, reading: Reading = AS_NAMED) -> list[Diagnostic]:
    return [d for d in check_sources([("x.pica", text)], reading).findings if d.severity != NOTE]


def findings(text: str, reading: Reading = AS_NAMED) -> list[tuple[str, int]]:
    return [(d.code, d.span.line) for d in serious(text, reading)]


def test_the_assembler_leaves_the_hardware_to_the_check():
    text = ".in p\n.out o position\n.proc main\n\tmova a0.x, p\n\tmova a0.y, p\n\tmov o, p\n\tbreak\n\tend\n.end\n"
    assert assemble_sources([("x.pica", text)]).diagnostics == ()
    assert findings(text) == [("V070", 5), ("V071", 7)]


def test_the_assembler_warns_where_nothing_ends():
    text = ".in p\n.out o position\n.proc main\n\tmov o, p\n.end\n"
    (found,) = assemble_sources([("x.pica", text)]).diagnostics
    assert (found.code, found.span.line, found.message) == (
        "V079",
        4,
        "the program has no `end`: execution continues past its last word",
    )
    assert not assemble_sources([("x.pica", text)], compatible=True).diagnostics
    assert not assemble_sources([("x.pica", text.replace("mov o, p", ".word 0x88000000"))]).diagnostics
    assert findings(text) == [("V079", 4)]


def procedures(*bodies: str) -> str:
    return (
        "".join(f".proc p{n}\n{body}\n\tnop\n.end\n" for n, body in enumerate(bodies)) + ".proc main\n\tcall p0\n\tend\n.end\n"
    )


@pytest.mark.parametrize(("depth", "found"), [(4, False), (5, True)])
def test_calls_nest_four_deep(depth: int, found: bool):
    text = procedures(*[f"\tcall p{n + 1}" for n in range(depth - 1)], "\tnop")
    assert ("V075" in [code for code, _ in findings(text)]) is found


def test_recursion_is_found_once_and_ends():
    text = procedures("\tcall p1", "\tcall p0")
    assert [code for code, _ in findings(text)].count("V076") == 1
    assert "V104" not in [code for code, _ in findings(text)]


def test_a_long_chain_of_calls_is_no_trouble():
    count = 2000
    text = ".gsh point c0\n" + procedures(*[f"\tcall p{n + 1}" for n in range(count - 1)], "\tnop")
    assert "V075" in [code for code, _ in findings(text)]


def test_a_right_program_is_not_reported():
    text = (
        ".ivec n\n.bool b\n.in p\n.in q\n.out o position\n.out c color\n.proc sub\n\tmov r1, q\n.end\n.proc main\n"
        "\tmova a0.x, p\n"
        "\tmov r0, p\n\tmova a0.y, p\n\tmov r1, q\n\tcmp p, lt, lt, r0\n\tfor n\n\t\tadd r0, r0, r1\n\t\tbreakc cmp.x\n"
        "\t\tnop\n\t.end\n\tifu b\n\t\tcall sub\n\t\tnop\n\t.end\n"
        "\tifu b\n\t\tmov o.xy, r0\n\t.else\n\t\tmov o.xy, r1\n\t.end\n\tmov o.zw, r0\n\tmov c, r1\n\tend\n.end\n"
    )
    assert findings(text) == []


def test_mova_in_both_arms_is_not_in_a_row():
    arms = ".bool b\n.in p\n.proc main\n\tifu b\n\t\tmova a0.x, p\n\t.else\n\t\tmova a0.x, p.y\n\t.end\n\tend\n.end\n"
    assert "V070" not in [code for code, _ in findings(arms)]
    assert ("V070", 6) in findings(arms.replace("\t.else\n", ""))


def test_break_in_a_procedure_that_a_loop_calls():
    text = (
        ".ivec n\n.proc leave\n\tbreakc cmp.x\n\tnop\n.end\n.proc main\n\tfor n\n\t\tcall leave\n\t\tnop\n\t.end\n\tend\n.end\n"
    )
    assert ("V072", 3) in findings(text)
    assert ("V071", 3) in findings(text.replace("\tfor n\n", "\tifu b0\n"))


def test_both_arms_may_write_an_output():
    text = (
        ".bool b\n.in p\n.out o position\n.proc main\n\tifu b\n\t\tmov o, p\n\t.else\n\t\tmov o, p.yxzw\n\t.end\n\tend\n.end\n"
    )
    assert findings(text) == []


def test_limits_of_memory():
    vertex = ".proc main\n" + "\tnop\n" * 512 + "\tend\n.end\n"
    assert ("V041", 514) in findings(vertex)
    geometry = ".gsh point c0\n" + vertex.replace("\tnop\n" * 512, "\tnop\n" * 4096)
    assert [code for code, _ in findings(geometry)] == ["V041"]
    assert assemble_sources([("x.g.pica", geometry)]).data is None
    assert assemble_sources([("x.g.pica", ".nonop\n" + geometry)]).data is not None  # words as they stand in a file
    assert assemble_sources([("x.v.pica", vertex)]).data is None


PAIR = (
    ".in p\n.out o position\n.fvec c[4]\n.proc main\n\tmova a0.x, p\n\tmova a0.y, p\n\tmov r0, c[a0.x]\n"
    "\tadd o, c[a0.y], r0\n\tend\n.end\n"
)


def test_an_shbin_is_placed_by_its_bytes_and_shows_the_word():
    data = assemble_sources([("x.pica", PAIR)]).data
    assert data is not None
    (found,) = [d for d in check_shbin(data, "x.shbin").findings if d.severity != NOTE]
    assert found.code == "V070"
    assert data[found.span.offset : found.span.offset + 4] == assemble_sources([("x.pica", PAIR)]).encoded.words[1].to_bytes(
        4, "little"
    )
    assert found.notes[0] == "word 0x1: mova a0.y, v0"


def test_raw_words_know_no_wiring_and_perhaps_no_masks():
    made = assemble_sources([("x.pica", PAIR.replace("\tadd o, c[a0.y], r0", "\tadd o, r3, r0"))])
    words, descriptors = made.encoded
    with_masks = check_words(words, descriptors, "code.bin").findings
    assert [(d.code, d.span.offset) for d in with_masks] == [("V070", 4), ("V096", 4), ("V095", 12)]
    without = check_words(words, None, "code.bin").findings
    assert [(d.code, d.span.offset) for d in without] == [("V070", 4)]
    assert check_words((), (), "code.bin").findings == ()


def test_booleans_are_followed_one_setting_at_a_time():
    """Two conditionals on one boolean are both taken or both not; four booleans are followed so, five are not."""

    def text(count: int) -> str:
        others = "".join(f"\tifu b[{n}]\n\t\tadd r0, p, r0\n\t.end\n" for n in range(1, count))
        return (
            f".bool b[{count}]\n.in p\n.out o position\n.proc main\n\tmov r0, p\n\tifu b[0]\n\t\tmov r1, p\n\t.end\n{others}"
            "\tifu b[0]\n\t\tadd r0, r1, r0\n\t.end\n\tmov o, r0\n\tend\n.end\n"
        )

    def found(count: int) -> list[tuple[str, str]]:
        return [(d.code, d.severity) for d in check_sources([("x.pica", text(count))]).findings]

    assert found(4) == []
    assert found(5) == [("V095", NOTE)]  # the second conditional may hold only where the first one does


def test_a_note_says_where_it_happens():
    text = (
        ".bool lit\n.in p\n.out o position\n.proc main\n\tcmp p, lt, lt, p\n\tifu lit\n\t\tmov r0, p\n\t.end\n\tifc cmp.x\n"
        "\t\tmov r1, p\n"
        "\t.end\n\tmul r0, r1, r0\n\tmov o, r0\n\tend\n.end\n"
    )
    assert [(d.message, d.notes) for d in serious(text)] == [
        ("r0 is read before anything has written it", ("when lit is false",)),
        (
            "r1 is read here but not written on every path",
            ("for example when the condition in line 9 is false",),
        ),
    ]


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("a0", ("line 6 writes a0.x only: `mova a0.xy` writes both",)),
        ("a0.x", ("line 6 writes a0.x only: `mova a0.xy` writes both",)),
        ("a0.xy", None),
    ],
)
def test_an_index_register_that_mova_leaves_out(written: str, note: tuple[str, ...] | None):
    text = ".fvec c[4]\n.in p\n.in q\n.out o position\n.proc main\n\tmova WRITTEN, p\n\tnop\n\tmov o, c[a0.y]\n\tend\n.end\n"
    found = [each.notes for each in serious(text.replace("WRITTEN", written)) if each.code == "V095"]
    assert found == ([note] if note else [])


def test_what_needs_no_graph_is_found_without_one():
    jumps = "".join("\tifc cmp.x\n\t\tjmpc cmp.y, start\n\t\tnop\n\t.end\n" for _ in range(16))
    text = f".in p\n.out o position\n.proc main\n\tmov o.xyz, p\nstart:\n{jumps}\tmov r0, v3\n\tmov o5, r0\n\tend\n.end\n"
    codes = [code for code, _ in findings(text)]
    assert codes.count("V104") == 1
    assert {"V083", "V085", "V077"} <= set(codes)
    assert "V095" not in codes


def test_a_library_is_no_program_and_no_error():
    library = ".nodvle\n.proc helper\n\tcall elsewhere\n\tnop\n.end\n"
    assert findings(library) == []
    assert findings(library + ".proc x\n\tmull r0, r1, r2\n.end\n") == [("P001", 7)]


def test_uniforms_are_used_if_any_shader_of_the_link_uses_them():
    first = ".fvec shared, idle\n.in p\n.out o position\n.proc main\n\tmov o, p\n\tend\n.end\n"
    second = ".fvec shared\n.in p\n.out o position\n.entry other\n.proc other\n\tmul o, shared, p\n\tend\n.end\n"
    report = check_sources([("a.pica", first), ("b.pica", second)])
    assert [(d.code, d.span.file, d.span.column) for d in report.findings] == [("V097", "a.pica", 15)]


def test_comments_keep_findings_quiet_but_no_errors():
    quiet = PAIR.replace("\tmova a0.y, p", "\tmova a0.y, p ; no console here; lanewise: ignore[V070]")
    report = check_sources([("x.pica", quiet)])
    assert report.findings == ()
    assert [d.code for d in report.ignored] == ["V070"]
    for comment in ("lanewise: ignore", "lanewise:ignore [ v070 , V001 ]", "x lanewise: ignore[V07]"):
        codes = [
            d.code
            for d in check_sources([("x.pica", quiet.replace("no console here; lanewise: ignore[V070]", comment))]).findings
        ]
        assert "V070" not in codes, comment
    wrong = "\tmull r0, p, p ; lanewise: ignore[P001]\n"
    report = check_sources([("x.pica", PAIR.replace("\tend\n", wrong + "\tend\n"))])
    assert [d.code for d in report.findings if d.severity != NOTE] == ["V070", "P001"]


def test_costs_count_instructions_on_the_way():
    text = (
        ".consti n(2, 0, 1, 0)\n.bool b\n.in p\n.out o position\n.proc main\n\tmov r0, p\n\tfor n\n\t\tadd r0, p, r0\n"
        "\t\tfor n\n\t\t\tadd r0, p, r0\n"
        "\t\t.end\n\t\tnop\n\t.end\n\tifu b\n\t\tadd r0, p, r0\n\t\tadd r0, p, r0\n\t.end\n\tmov o, r0\n\tend\n.end\n"
    )
    (cost,) = check_sources([("x.pica", text)], stats=True).stats
    around = 1 + 1 + 3 * (1 + 1 + 3 * 1 + 1) + 1 + 2
    assert (cost.data["shortest"], cost.data["longest"]) == (1 + 1 + (1 + 1 + 1 + 1) + 1 + 2, around + 2)
    assert cost.data["rounds"] == []
    (cost,) = check_sources([("x.pica", text.replace(".consti n(2, 0, 1, 0)", ".ivec n"))], stats=True).stats
    assert re.findall(r"over (i\d), .* at most (\d+) more", cost.text) == [("i0", "1"), ("i0", "4")]
    used = {name: int(count) for name, count in re.findall(r"^  (\w+) +(\d+) +\d+ +\d+$", cost.text, re.MULTILINE)}
    assert used == {
        "words": 11,
        "descriptors": 1,
        "inputs": 1,
        "outputs": 1,
        "temporaries": 1,
        "floats": 0,
        "integers": 1,
        "booleans": 1,
    }


def test_no_bound_and_no_end():
    back = ".in p\n.out o position\n.proc main\n\tmov o, p\nagain:\n\tcmp p, lt, lt, p\n\tjmpc cmp.x, again\n\tend\n.end\n"
    (cost,) = check_sources([("x.pica", back)], stats=True).stats
    assert (cost.data["shortest"], cost.data["longest"]) == (4, None)
    (cost,) = check_sources([("x.pica", back.replace("\tend\n", ""))], stats=True).stats
    assert (cost.data["shortest"], cost.data["longest"]) == (None, None)


def test_odd_constants_of_a_file():
    """picasso's own conversion makes these patterns; in its file they are found without the source."""
    text = ".in p\n.out o position\n.constf k(2.0e19, 1.0e-19, 1.5e-19, inf)\n.proc main\n\tmul o, k.yyyy, p\n\tend\n.end\n"
    made = assemble_sources([("x.pica", text)], compatible=True)
    assert made.data is not None
    found = [(d.code, d.message) for d in check_shbin(made.data, "x.shbin").findings]
    assert found == [
        ("V061", "c95.x holds 0x7f158e, the pattern of a NaN"),
        ("V062", "c95.z holds 0x00622d, a subnormal, which arithmetic treats as 0"),
    ]
    assert [d.code for d in serious(text, Reading(compatible=True))] == ["V068", "V061", "V062"]


FED = (
    ".constf half(0.5, 0.5, 0.5, 0.5)\n.in p\n.in c\n.out pos position\n.out other position\n.out clr color\n.proc main\n"
    "\tmov r0.xyz, p\n"
    "\tmov pos.xyz, r0\n\tmov other, p.wzyx\n\tmul clr, half, r0\n\tend\n.end\n"
)
FOLLOWER = (
    ".gsh point c0\n.in a v0\n.in b v1\n.in k v2\n.out pos position\n.out clr color\n.entry gmain\n.proc gmain\n\tsetemit 0\n"
    "\tmov pos, a.xyzz\n\tmov r1.xyz, b\n\tmov clr, k.xyzz\n\temit\n\tsetemit 1, prim\n\tmov pos, r1.xyzz\n\tmov clr, v5.xyzz\n"
    "\temit\n\tend\n.end\n"
)


def linked(vertex: str, geometry: str = FOLLOWER) -> list[tuple[str, int]]:
    report = check_sources([("a.v.pica", vertex), ("b.g.pica", geometry)])
    return [(d.code, d.span.line) for d in report.findings if d.severity != NOTE]


def test_a_vertex_shader_before_a_geometry_shader_has_no_semantics():
    """What counts of its outputs is what the geometry shader reads: of v0 to v2 and v3 to v5, two vertices with three
    outputs."""
    assert linked(FED) == []
    assert ("V039", 5) in findings(FED)
    assert linked(FED, FOLLOWER.replace("a.xyzz", "a")) == [("V083", 4)]
    (found,) = [
        d
        for d in check_sources([("a.v.pica", FED), ("b.g.pica", FOLLOWER.replace("a.xyzz", "a"))]).findings
        if d.severity != NOTE
    ]
    assert found.message == "w of 'pos' is never written: the geometry shader reads it"
    assert linked(FED, FOLLOWER.replace("v5.xyzz", "v5")) == [("V095", 11)]
    assert linked(FED, FOLLOWER.replace("v5.xyzz", "v3.xyzw")) == [("V083", 4)]


@together(
    ("mode", "source", "found"),
    [
        ("fixed c40 c8 2", "c8.xyzz", []),
        ("fixed c40 c8 2", "c8", ["V083"]),
        ("fixed c40 c8 2", "c11", ["V083"]),
        ("fixed c40 c8 2", "c12", []),
        ("fixed c40 c8 2", "c14", []),
        ("fixed c40 c8 2", "c8[a0.x]", ["V083"]),
        ("variable c60 2", "c1", ["V083"]),
        ("variable c60 2", "c2[a0.x]", []),
        ("variable c60 2", "c0", []),
    ],
)
def test_outputs_that_arrive_in_uniforms(mode: str, source: str, found: list[str]):
    geometry = (
        f".gsh {mode}\n.out pos position\n.entry gmain\n.proc gmain\n\tmova a0.x, c0.x\n\tsetemit 0, prim\n"
        f"\tmov pos, {source}\n\temit\n\tend\n.end\n"
    )
    assert [code for code, _ in linked(FED, geometry)] == found


def test_a_geometry_shader_with_dummy_outputs_shares_the_semantics():
    merging = FOLLOWER.replace(".entry gmain\n", ".out rest dummy\n.entry gmain\n").replace(
        "\temit\n", "\tmov rest, k\n\temit\n"
    )
    assert ("V039", 5) in linked(FED, merging)


def test_a_vertex_shader_without_outputs_before_a_geometry_shader():
    nothing = ".in p\n.proc main\n\tadd r0, p, r1\n\tend\n.end\n"
    assert linked(nothing) == [("V122", 10)]


def test_a_shader_says_how_much_there_is():
    """The limits of the hardware, and that a loop ring with fewer counters than an edge asks for decides nothing."""
    text = ".in p\n.out o position\n.proc main\n\tmov o, p\n\tend\n.end\n"
    (cost,) = check_sources([("x.pica", text)], stats=True).stats
    limits = {
        "words": 512,
        "descriptors": 128,
        "inputs": 16,
        "outputs": 16,
        "temporaries": 16,
        "floats": 96,
        "integers": 4,
        "booleans": 16,
    }
    assert {name: use["of"] for name, use in cast("dict[str, dict[str, int]]", cost.data["uses"]).items()} == limits
    edge = Edge(0, 1, ((CounterIsZero(1), True),))
    assert _counted(edge, (0,), {}) == (0,)
    assert _counted(edge, (0, 2), {}) is None
    assert _counted(edge, (0, 0), {}) == (0, 0)


@pytest.mark.parametrize(
    ("damage", "silent"),
    [("", False), (".in q\n.proc sub\n\tadd r1, q\n.end\n", False), (".constf bad(1, 2)\n", True), (".in\n", True)],
)
def test_what_damaged_declarations_silence(damage: str, silent: bool):
    """Findings about declared constants need all declarations; a damaged instruction leaves them."""
    text = (
        f"{damage}.consti n(255, 0, 1, 0)\n.in p\n.out o position\n.proc main\n\tfor n\n\t\tnop\n\t.end\n\tmov o, p\n\tend\n"
        ".end\n"
    )
    assert ("V101" in [code for code, _ in findings(text)]) is not silent


@pytest.mark.parametrize(("operands", "column", "length"), [("r1,  nothing", 28, 7), ("unknown, r1", 23, 7)])
def test_the_place_of_an_argument_behind_labels(operands: str, column: int, length: int):
    """Columns count the label and the blanks behind it."""
    text = f".in p\n.out o position\n.proc main\n\tmov o, p\nhere:   there:  mov   {operands}\n\tend\n.end\n"
    (found,) = [d for d in check_sources([("x.pica", text)]).findings if d.is_error]
    assert (found.span.line, found.span.column, found.span.length) == (5, column, length)


@pytest.mark.parametrize("after", ["", "\tnop\n", "\tnop\n\tnop\n"])
def test_an_end_that_is_missing_precedes_the_padding(after: str):
    text = f".in p\n.out o position\n.proc main\n\tmov o, p\n{after}.end\n"
    (found,) = serious(text)
    assert found.code == "V079"
    fixed = edited(text, found.edits)
    assert fixed == text.replace("\tmov o, p\n", "\tmov o, p\n\tend\n")
    assert not serious(fixed)


def test_an_end_that_is_missing_follows_the_last_vertex():
    body = "\tsetemit 0\n\tmov o, v0\n\temit\n\tsetemit 1\n\tmov o, v1\n\temit\n\tsetemit 2, prim\n\tmov o, v2\n\temit\n"
    text = f".gsh point c0\n.entry g\n.out o position\n.proc g\n{body}\tnop\n.end\n"
    found = next(each for each in serious(text) if each.code == "V079")
    assert edited(text, found.edits) == text.replace(body, f"{body}\tend\n")


def test_an_end_that_is_missing_follows_a_nop_that_is_jumped_to():
    text = ".bool b\n.in p\n.out o position\n.proc main\n\tmov o, p\n\tjmpu b, l\n\tmov r0, p\nl:\n\tnop\n.end\n"
    found = next(each for each in serious(text) if each.code == "V079")
    assert edited(text, found.edits).endswith("l:\n\tnop\n\tend\n.end\n")
