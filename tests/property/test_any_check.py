"""Whatever is checked, findings come out: texts, damaged programs, any words under any table."""

from __future__ import annotations

import random

from hypothesis import example, given
from hypothesis import strategies as st

from corpus import REPOSITORY
from effort import examples
from lanewise.api.findings import findings as codes
from lanewise.core.source import decode_text
from lanewise.pica200.api.checking import Reading, Report, check_shbin, check_sources, check_words
from lanewise.pica200.isa.codec import decode, encode
from lanewise.pica200.isa.table import OPS
from lanewise.tools.check_report import FORMATS, written

CODES = codes()

NIHSTRO = (REPOSITORY / "tests" / "golden" / "nihstro_hazards.vsh").read_text()
PROGRAM = (
    ".fvec m[4]\n.ivec n\n.constf k(0.1, 1.0, 0.5, 2.0)\n.consti t(3, 0, 1, 0)\n.in p\n.out o position\n.proc sub\n"
    "\tmova a0.x, p\n\tbreakc cmp.x\n"
    "\tnop\n.end\n.proc main\n\tdp4 o.x, m[0], p\n\tifu b0\n\t\tfor n\n\t\t\tmov r0, m[aL+1]\n\t\t\tcall sub\n\t\t.end\n"
    "\t.else\n\t\tfor t\n"
    "\t\t\tcmp p, lt, ge, r0\n\t\t\tjmpc cmp.y, away\n\t\t.end\n\t.end\naway:\n\tmov o.yzw, r0\n\tend\n.end\n"
)


class Screen:
    """A stream that is no terminal."""

    def isatty(self) -> bool:
        return False


def sound(report: Report) -> None:
    for finding in (*report.findings, *report.ignored):
        assert finding.code in CODES
        assert finding.message
    for style in FORMATS:
        written([report], style, stats=True, stream=Screen())  # type: ignore[arg-type]


@examples(24, 1000)
@given(st.text(max_size=200))
@example("; lanewise: ignore[")
@example("\x00 lanewise:")
def test_any_text(text: str):
    for name in ("x.pica", "x.vsh"):
        sound(check_sources([(name, text)]))


@examples(30, 750)
@given(st.integers(0, 2**32), st.integers(0, 4))
def test_damaged_programs(seed: int, damage: int):
    rng = random.Random(seed)
    for name, program in (("x.pica", PROGRAM), ("x.vsh", NIHSTRO)):
        text = list(program)
        for _ in range(damage):
            text[rng.randrange(len(text))] = rng.choice(' \n\t.,;:#[]()-+!@0123456789abcorvxyzw$_"\\')
        sound(check_sources([(name, "".join(text))], Reading(compatible=bool(seed & 1), padding=bool(seed & 2)), stats=True))


@examples(36, 600)
@given(st.binary(max_size=300), st.sampled_from(["x.pica", "x.vsh", "x"]))
def test_any_bytes(data: bytes, name: str):
    sound(check_sources([(name, decode_text(data))]))
    sound(check_shbin(data, name))
    sound(check_shbin(b"DVLB" + data, name))


@examples(30, 750)
@given(
    st.lists(st.integers(0, 2**32 - 1), max_size=24),
    st.lists(st.integers(0, 2**32 - 1), max_size=8),
    st.integers(0, 23),
    st.booleans(),
)
def test_any_words(words: list[int], descriptors: list[int], entry: int, geometry: bool):
    sound(check_words(words, descriptors, "x", entry=entry, geometry=geometry, stats=True))
    sound(check_words(words, None, "x", entry=entry, geometry=geometry, stats=True))


@examples(30, 750)
@given(st.integers(0, 2**32), st.integers(1, 20), st.booleans())
def test_words_that_lead_to_each_other(seed: int, count: int, geometry: bool):
    """Instructions whose targets lie in the program, so that rings fill, entries are left behind and blocks end anywhere."""
    rng = random.Random(seed)
    words: list[int] = []
    for _ in range(count):
        op = rng.choice(OPS)
        inst = decode(rng.getrandbits(32) & ~op.match[0] | op.match[1])
        if inst.has("num"):
            inst = inst.replace(dst=rng.randrange(count + 2), num=rng.randrange(5))
        if inst.has("desc"):
            inst = inst.replace(desc=rng.randrange(4))
        words.append(encode(inst))
    sound(check_words(words, [rng.getrandbits(31) for _ in range(4)], "x", geometry=geometry, stats=True))
