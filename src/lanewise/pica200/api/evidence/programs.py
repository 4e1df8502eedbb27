"""Programs of the kit: a probe, a comparison with the words that the hypotheses give, and the colour of each.

The comparison relies on measured behaviour only: sge of numbers, products and sums of 0 and 1. Pictures are named by their
cell, with `-high` and `-low` for the two of a number that is read out.
"""

from __future__ import annotations

from itertools import product
from math import isnan

import numpy as np

from lanewise.core.cached import cache
from lanewise.core.diagnostics import InputError
from lanewise.core.numbers.floats import float24_from_float, float_from_float24, is_nan
from lanewise.core.record import TYPE_CHECKING, Record
from lanewise.pica200.api.assembling import assemble_sources
from lanewise.pica200.api.file import read_file
from lanewise.pica200.api.pipeline import Pipeline
from lanewise.pica200.container.read import read_shbin
from lanewise.pica200.container.shbin import ConstantEntry, Shbin, write_shbin
from lanewise.pica200.isa.experiments import EXPERIMENTS, GEOMETRY, Experiment
from lanewise.pica200.isa.facts import CHOICES
from lanewise.pica200.sem.profile import HARDWARE, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lanewise.pica200.api.file import ShaderFile

# The colour of the first, second, ... word that hypotheses give; black matches none of them.
COLOURS = ("00FF00", "FF0000", "0000FF", "FFFF00", "FF00FF", "00FFFF", "FFFFFF")
NAMES = {
    "00FF00": "green",
    "FF0000": "red",
    "0000FF": "blue",
    "FFFF00": "yellow",
    "FF00FF": "magenta",
    "00FFFF": "cyan",
    "FFFFFF": "white",
    "000000": "black",
    "404040": "grey",
}
NOTHING, HANG, BLACK = "404040", "hang", "000000"  # the background; no picture at all; no hypothesis
VERTEX_WORDS = 512
_BUDGET = 20_000
_NOP, _END = 0x21, 0x22  # opcodes
_FIRST = 80  # constants of the kit are from c80 on
_CORNERS = np.array([[-1, -1, -0.5, 1], [3, -1, -0.5, 1], [-1, 3, -0.5, 1]], np.float32)
_PASS = ".entry pass\n.out pos position\n.out clr color\n.proc pass\n    mov pos, v0\n    mov clr, v0\n    end\n.end\n"
_TRIANGLES = "".join(
    [f"    mov outpos, v{2 * n}\n    mov outclr, r4\n    setemit {n}{', prim' * (n == 2)}\n    emit\n" for n in range(3)]
)
_DECLARED = ".out outpos position\n.out outclr color\n"


class Picture(Record):
    """A program of the kit that draws one picture."""

    name: str
    "Name of the experiment, with the number of the picture where it has several."
    experiment: Experiment
    "The question that the picture helps to answer."
    sources: Mapping[str, str]
    "Texts by file name."
    data: bytes
    "Bytes of the SHBIN."
    upper: tuple[int, ...] = ()
    "Words that are sent to word 512 and after it."
    shift: int | None = None
    "The first of the mantissa bits that it shows; None for a comparison."
    words: tuple[int, ...] = ()
    "Words that it compares with, in the order of `COLOURS`."

    @property
    def file(self) -> ShaderFile:
        """The program as all hypotheses see it: with the words from 512 on."""
        return _loaded(self.data, self.upper, self.name)


@cache
def pictures() -> tuple[Picture, ...]:
    """All pictures, those that may hang last."""
    found = [picture for experiment in EXPERIMENTS for picture in _pictures(experiment)]
    return tuple(sorted(found, key=lambda picture: bool(picture.experiment.risk)))


@cache
def outcomes(name: str) -> Mapping[tuple[str, ...], str]:
    """The colour of a picture for each combination of the values of its fields, in the order of `Experiment.fields`."""
    picture = next(each for each in pictures() if each.name == name)
    return {values: colour(picture, profile) for values, profile in hypotheses(picture.experiment)}


def hypotheses(experiment: Experiment) -> list[tuple[tuple[str, ...], Profile]]:
    """All combinations of values of the fields of an experiment, and the profile of each; other fields are those of
    `hardware`."""
    fields = experiment.fields
    return [
        (values, HARDWARE.replace(**dict(zip(fields, values, strict=True))))
        for values in product(*[CHOICES[field].answers for field in fields])
    ]


def colour(picture: Picture, profile: Profile) -> str:
    """The colour that the picture has by a profile: six hexadecimal digits, `HANG`, or `NOTHING` where nothing is drawn."""
    file = _file(picture.name)
    if picture.experiment.stage == GEOMETRY:
        drawn = Pipeline(_vertex_file(picture.name).vertex, file.geometry).run(
            {"v0": np.tile(_CORNERS, (2, 1))},
            vertices_per_primitive=3,
            profile=profile,
            keep_faults=True,
            budget=_BUDGET,
            engine="reference",
        )
        if drawn.faults:
            return HANG
        return _hexadecimal(drawn.outputs["color"][-1, -1].tolist()) if drawn.triangles else NOTHING
    result = file.vertex.run({"v0": _CORNERS[:1]}, profile=profile, keep_faults=True, budget=_BUDGET, engine="reference")
    if result.faults or not all(bool(mask.all()) for mask in result.written.values()):
        return HANG  # a console waits for components that are not written (measured)
    return _hexadecimal(result.outputs["color"][0].tolist())


@cache
def _file(name: str) -> ShaderFile:
    return next(each for each in pictures() if each.name == name).file


@cache
def _vertex_file(name: str) -> ShaderFile:
    """The file of a picture as the memory of vertex shaders gets it: libctru sends at most 512 words there."""
    picture = next(each for each in pictures() if each.name == name)
    shbin, _ = read_shbin(picture.data, name)
    if shbin is None:
        raise AssertionError("a program of the kit reads")
    return read_file(write_shbin(shbin._replace(words=shbin.words[:VERTEX_WORDS])), name)


def digits(shown: str) -> tuple[int, int, int]:
    """The three numbers of four bits that the picture of a number shows."""
    first, second, third = [max(0, min(15, round((int(shown[at : at + 2], 16) - 4) / 17))) for at in (0, 2, 4)]
    return first, second, third


def read_word(high: str, low: str, power: int) -> int:
    """The float24 word of a number by its two pictures: twelve bits of the mantissa, then four, and the whole part above
    2^power."""
    first, second, third = digits(high)
    fourth, whole, _ = digits(low)
    mantissa = first << 12 | second << 8 | third << 4 | fourth
    return float24_from_float((whole + mantissa / 65536) * 2.0**power)


def value_word(experiment: Experiment, profile: Profile) -> int:
    """The word that the probe of an experiment leaves in r0.x, by a profile. Under a profile that computes in float32, the
    number in float24."""
    file = _value_file(experiment.name)
    result = file.vertex.run({"v0": _CORNERS[:1]}, profile=profile, keep_faults=True, budget=_BUDGET, engine="reference")
    if result.format == "float24":
        return int(result.bits["color"][0, 0])
    return float24_from_float(float(result.outputs["color"][0, 0]))


@cache
def _value_file(name: str) -> ShaderFile:
    """The probe of an experiment, with r0.x as its colour."""
    experiment = next(each for each in EXPERIMENTS if each.name == name)
    return _loaded(_assembled(experiment, "    mov r4, r0.xxxx\n", {}, vertex_only=True)[1].data, (), name)


def _hexadecimal(values: Sequence[float]) -> str:
    return "".join([f"{int(min(abs(value), 1) * 255 + 0.5):02X}" if not isnan(value) else "FF" for value in values[:3]])


def _pictures(experiment: Experiment) -> list[Picture]:
    if experiment.name == "past-end":
        return [_past_end(experiment)]
    if experiment.name == "emit-slots":
        return [_emit_slots(experiment)]
    if experiment.read is not None:
        return [_reading(experiment, shift) for shift in (0, 12)]
    found = _words_of(experiment)
    tail, constants = _comparison(found)
    sources, shbin = _assembled(experiment, tail, constants)
    return [
        Picture(
            name=experiment.name,
            experiment=experiment,
            sources=sources,
            data=shbin.data,
            upper=shbin.upper,
            shift=None,
            words=found,
        )
    ]


def _words_of(experiment: Experiment) -> tuple[int, ...]:
    """The different words that the hypotheses give, that of `hardware` first; zeros of both signs are one, NaN is none."""
    if experiment.name in _KNOWN:
        return tuple([float24_from_float(value) for value in _KNOWN[experiment.name]])
    found = [value_word(experiment, profile) for _, profile in hypotheses(experiment)]
    words = dict.fromkeys([0 if word == 0x800000 else word for word in found if not is_nan(word)])
    if len(words) > len(COLOURS):
        raise AssertionError(f"{experiment.name} has {len(words)} outcomes: {len(COLOURS)} colours")
    return tuple(words)


# The numbers of programs that are not a vertex shader of their own: what comes of them is in the rows.
_KNOWN = {"gs-registers": (1.0, 0.0), "code-wrap": (1.0, 2.0), "code-high": (2.0, 1.0)}


def _comparison(words: Sequence[int]) -> tuple[str, dict[int, tuple[int, ...]]]:
    """Statements that leave the colour of r0.x in r4, and their constants."""
    lines = ["    mov r4, c80.xxxy"]
    constants: dict[int, tuple[int, ...]] = {}
    unused = float24_from_float(12345.0)
    for part, start in enumerate(range(0, len(words), 4)):
        four = [*words[start : start + 4]]
        place = 81 + 4 * part
        constants[place] = (*four, *[unused] * (4 - len(four)))
        for channel in range(3):
            row = [int(COLOURS[start + n][2 * channel : 2 * channel + 2], 16) // 255 if n < len(four) else 0 for n in range(4)]
            constants[place + 1 + channel] = tuple([float24_from_float(float(each)) for each in row])
        lines += [f"    sge r1, r0.xxxx, c{place}", f"    sge r2, c{place}, r0.xxxx", "    mul r1, r1, r2"]
        for channel, letter in enumerate("xyz"):
            lines += [f"    dp4 r3.x, c{place + 1 + channel}, r1", f"    add r4.{letter}, r4.{letter}, r3.x"]
    return "\n".join(lines) + "\n", constants


def _reading(experiment: Experiment, shift: int) -> Picture:
    """A picture of four-bit digits: three from `shift` on; after the fourth come the whole part and a mark.

    All steps are exact in any format: the number is scaled by a power of two, and what is subtracted is a part of it.
    """
    power = experiment.read or 0
    lines = ["    mul r0.x, c81.x, r0.x", "    flr r1.x, r0.x", "    add r0.x, r0.x, -r1.x"]
    letters = "xyz" if shift == 0 else "x"
    if shift:
        lines += ["    mul r0.x, c81.y, r0.x", "    flr r2.x, r0.x", "    add r0.x, r0.x, -r2.x"] * 3
    for letter in letters:
        lines += ["    mul r0.x, c81.y, r0.x", f"    flr r3.{letter}, r0.x", f"    add r0.x, r0.x, -r3.{letter}"]
    if shift:
        lines += ["    mov r3.y, r1.x", "    mov r3.z, c81.y"]
    # (digit + 1/4) / 15: a step of 17 in a colour of 8 bits, a quarter of a step above it, so that no rounding matters.
    lines += ["    mov r4, c80.xxxy", "    add r3.xyz, c81.z, r3.xyz", "    mul r4.xyz, c81.w, r3.xyz"]
    scale = [2.0**-power, 16.0, 0.25, 1 / 15]
    constants = {81: tuple([float24_from_float(value) for value in scale])}
    sources, shbin = _assembled(experiment, "\n".join(lines) + "\n", constants)
    name = f"{experiment.name}-{'low' if shift else 'high'}"
    sources = {path.replace(experiment.name, name): text for path, text in sources.items()}
    return Picture(name=name, experiment=experiment, sources=sources, data=shbin.data, upper=(), shift=shift)


class _Made(Record):
    data: bytes
    upper: tuple[int, ...] = ()


def _assembled(
    experiment: Experiment, tail: str, constants: Mapping[int, tuple[int, ...]], *, vertex_only: bool = False
) -> tuple[dict[str, str], _Made]:
    """The sources of a program and its SHBIN: the probe, the comparison, and what is sent to the rasterizer."""
    probe = "".join([f"    {line}\n" for line in experiment.probe.strip("\n").split("\n")])
    before = f"{experiment.before}\n" if experiment.before else ""
    title = _title(experiment)
    if experiment.stage == GEOMETRY and not vertex_only:
        code = f"{title}.gsh point c0\n{_DECLARED}{before}.proc main\n{probe}{tail}{_TRIANGLES}    end\n.end\n"
        sources = {f"{experiment.name}.v.pica": _PASS, f"{experiment.name}.g.pica": code}
    else:
        text = (
            f"{title}.out pos position\n.out clr color\n.entry main\n{before}.proc main\n{probe}{tail}    mov pos, v0\n"
            "    mov clr, r4\n    end\n.end\n"
        )
        sources = {f"{experiment.name}.v.pica": text}
    shbin = _linked(sources, experiment.name)
    upper: tuple[int, ...] = ()
    if experiment.upper:
        upper = shbin.words[2:4]  # the procedure `upper`, after `low`
    return sources, _Made(write_shbin(_with_constants(shbin, experiment, constants)), upper)


def _title(experiment: Experiment) -> str:
    """The first lines of a source."""
    return f"; {experiment.evidence}\n; {experiment.question}, {experiment.about}: {experiment.method}\n"


def _linked(sources: Mapping[str, str], name: str) -> Shbin:
    assembly = assemble_sources(list(sources.items()))
    if assembly.data is None:
        raise InputError(assembly.diagnostics)
    shbin, _ = read_shbin(assembly.data, name)
    if shbin is None:
        raise AssertionError("what was assembled reads")
    return shbin


def _with_constants(shbin: Shbin, experiment: Experiment, more: Mapping[int, tuple[int, ...]]) -> Shbin:
    """The constants of the kit in the last shader, as words."""
    found: dict[int, tuple[int, ...]] = {}
    if experiment.table:
        found = {number: (float24_from_float(number + 1.0),) * 4 for number in range(_FIRST)}
    standard = {_FIRST: tuple([float24_from_float(value) for value in (0.0, 1.0, -1.0, 0.5)])}
    found |= {**experiment.constants, **standard, **more}
    entries = [
        ConstantEntry(2, number, b"".join([word.to_bytes(4, "little") for word in words]))
        for number, words in sorted(found.items())
    ]
    *others, last = shbin.dvles
    return shbin._replace(dvles=(*others, last._replace(constants=(*last.constants, *entries))))


def _loaded(data: bytes, upper: tuple[int, ...], name: str) -> ShaderFile:
    if upper:
        shbin, _ = read_shbin(data, name)
        if shbin is None:
            raise AssertionError("a program of the kit reads")
        nops = (_NOP << 26,) * (VERTEX_WORDS - len(shbin.words))
        data = write_shbin(shbin._replace(words=(*shbin.words, *nops, *upper)))
    return read_file(data, name)


def _emit_slots(experiment: Experiment) -> Picture:
    """The triangle of slots 0 to 2 is sent by the emit of slot 3."""
    body = "".join([f"    mov outpos, v{2 * n}\n    mov outclr, c80.xyxy\n    setemit {n}\n    emit\n" for n in range(3)])
    last = "    mov outpos, v4\n    mov outclr, c80.xyxy\n    .word 0xAF800000 ; setemit 3, prim\n    emit\n"
    return _plain_geometry(experiment, f".proc main\n{body}{last}    end\n.end\n")


def _past_end(experiment: Experiment) -> Picture:
    """Green, then no `end` up to the last word; word 0 begins what draws red."""
    red = "".join(
        [
            f"    mov outpos, v{2 * n}\n    mov outclr, c80.yxxy\n    setemit {n}{', prim' * (n == 2)}\n    emit\n"
            for n in range(3)
        ]
    )
    green = red.replace("c80.yxxy", "c80.xyxy")
    picture = _plain_geometry(experiment, f".proc main\n{green}    nop\n    end\n.end\n")
    wrapped = (
        f"; word 0, where a run that passes the last word may go on\n.nodvle\n.proc wrapped\n{_placed(red)}    end\n.end\n"
    )
    sources = {f"{experiment.name}.0.pica": wrapped, **picture.sources}
    shbin = _linked(sources, experiment.name)
    end = max(n for n, word in enumerate(shbin.words) if word >> 26 == _END)
    shbin = shbin._replace(words=(*shbin.words[:end], *(_NOP << 26,) * (experiment.words - end)))
    return picture._replace(sources=sources, data=write_shbin(_with_constants(shbin, experiment, {})))


def _placed(text: str) -> str:
    """Statements of a geometry shader for a library, which has no outputs of its own."""
    return text.replace("outpos", "o0").replace("outclr", "o1")


def _plain_geometry(experiment: Experiment, code: str) -> Picture:
    title = _title(experiment)
    sources = {f"{experiment.name}.v.pica": _PASS, f"{experiment.name}.g.pica": f"{title}.gsh point c0\n{_DECLARED}{code}"}
    shbin = _linked(sources, experiment.name)
    return Picture(
        name=experiment.name, experiment=experiment, sources=sources, data=write_shbin(_with_constants(shbin, experiment, {}))
    )


def exact(word: int) -> str:
    """A word as a number in text."""
    return f"{float_from_float24(word):.9g}"


__all__ = [
    "BLACK",
    "COLOURS",
    "HANG",
    "NAMES",
    "NOTHING",
    "Picture",
    "colour",
    "exact",
    "hypotheses",
    "outcomes",
    "pictures",
    "read_word",
    "value_word",
]
