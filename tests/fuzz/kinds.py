"""Kinds of files: what lanewise reads, with seeds and the commands that read it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fuzz.commands import (
    D3D,
    D3D_RUN,
    D3D_STREAM,
    DATA,
    FILE,
    FOLDER,
    GIVEN,
    LOG_FORMAT,
    NIHSTRO,
    OUT,
    PASS_FILE,
    PICA_RUN,
    PICASSO,
    PROGRAM,
    SC,
    SC_FORMS,
    SHBIN,
    TRACED,
    UNIT_FILE,
    VALUES,
    WORDS,
    ZEROS,
)
from fuzz.exchanged import answers, mutate_answers, mutate_record, records
from fuzz.hlsl import hlsl, is_compiled, mutate_hlsl
from fuzz.mutation import Seed, mutate_bytes, mutate_text
from fuzz.seeds import (
    CONFIGURATIONS,
    DEVICE_TEXTS,
    ENTITY_TEXTS,
    EXAMPLES,
    LOGS,
    PASS,
    POINTS,
    PROFILE_TEXTS,
    UNIT_TEXTS,
    archives,
    arrays,
    caches,
    data_files,
    direct3d9,
    effects,
    frames,
    functions,
    meshes,
    mutate_any,
    mutate_archive,
    mutate_glb,
    nihstro,
    packed,
    picasso,
    preamble,
    programs,
    raw_words,
    seeds_of,
    shader_tests,
    shadercore,
    shbins,
    sidecar,
    spirv,
    streams,
    tables,
    texts_of,
)
from fuzz.servers import SERVERS
from fuzz.servers import seeds as talks
from fuzz.spirv import mutate_spirv

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Kind(NamedTuple):
    """A kind of file.

    `commands` are chosen from at random; `name` is the mutant's, with the suffix of its seed for `*`. `beside` are files in its
    folder. `weight` is its share where all kinds are asked for.
    """

    name: str
    file: str
    seeds: Callable[[], Sequence[Seed]]
    mutate: Callable[[random.Random, Seed, Sequence[Seed]], bytes]
    commands: tuple[tuple[str, ...], ...]
    beside: Mapping[str, bytes] = {}
    weight: int = 4


KINDS: tuple[Kind, ...] = (
    Kind("picasso", "fuzzed.v.pica", picasso, mutate_text, PICASSO, weight=8),
    Kind("nihstro", "fuzzed.vsh", nihstro, mutate_text, NIHSTRO, weight=6),
    Kind("shadercore", "fuzzed.sc", shadercore, mutate_text, SC, weight=5),
    Kind("direct3d9", "fuzzed.vsa", direct3d9, mutate_text, D3D, weight=6),
    Kind(
        "included",
        "fuzzed.inc",
        lambda: [*nihstro(), *direct3d9()],
        mutate_text,
        (
            ("asm", DATA + "/including.vsh", "-o", OUT),
            ("check", DATA + "/including.vsh"),
            ("asm", DATA + "/including.vsa", "-o", OUT),
            ("compile", DATA + "/including.vsa", "-o", OUT),
            ("fmt", "--check", DATA + "/including.vsh"),
            ("convert", DATA + "/including.vsh", "--to", "picasso", "-o", OUT),
            ("run", DATA + "/including.vsa", *D3D_RUN),
        ),
        weight=1,
    ),
    Kind("shbin", "fuzzed.shbin", shbins, mutate_bytes, SHBIN, weight=10),
    Kind(
        "spirv",
        "fuzzed.spv",
        spirv,
        mutate_spirv,
        (
            ("compile", FILE, "-o", OUT, "--header", OUT + ".h"),
            ("compile", FILE, "--check", "--report", "--format", "json"),
            ("compile", FILE, "--stage", "spirv"),
            ("check", FILE),
            ("compile", FILE, "--stage", "vector"),
            ("compile", FILE, "-o", OUT + ".v.pica"),
            ("run", FILE, "--budget", "3000", *ZEROS),
            ("graph", FILE),
            ("inspect", FILE),
        ),
        weight=3,
    ),
    *[  # with the compiler outside: without it every mutant is refused
        Kind(
            "hlsl",
            "fuzzed.*",
            hlsl,
            mutate_hlsl,
            (
                ("compile", FILE, "--language", "hlsl", "--entry-point", "main", "--check", "--format", "json"),
                ("compile", FILE, "--language", "hlsl", "--entry-point", "main", "-o", OUT, "--header", OUT + ".h"),
                ("compile", FILE, "--language", "hlsl", "--entry-point", "main", "--report", "-o", OUT + ".v.pica"),
                ("compile", FILE, "--language", "hlsl", "--entry-point", "main", "--target", "shadercore", "-o", OUT),
                ("check", FILE, "--entry-point", "main"),
                ("run", FILE, "--entry-point", "main", "--count", "1", "--budget", "3000", *ZEROS),
            ),
            weight=2,
        )
        for _ in range(1)
        if is_compiled()
    ],
    Kind(
        "ssa",
        "fuzzed.ssa",
        functions,
        mutate_text,
        (
            ("compile", FILE, "--check"),
            ("compile", FILE, "--target", "shadercore", "--check", "--bound", "turns=3"),
            ("compile", FILE, "--stage", "ssa"),
        ),
    ),
    Kind("words", "fuzzed.bin", raw_words, mutate_bytes, WORDS, weight=8),
    Kind("program", "fuzzed.*", programs, mutate_any, SC_FORMS, weight=5),
    Kind("stream", "fuzzed.*", streams, mutate_any, D3D_STREAM, weight=8),
    Kind(
        "effect",
        "fuzzed.*",
        effects,
        mutate_bytes,
        (
            ("inspect", FILE),
            ("inspect", FILE, "--format", "json"),
            ("dis", FILE),
            ("dis", FILE, "-o", FOLDER),
            ("check", FILE),
            ("dis", FILE + ":Water/P0/pixel"),
            ("inspect", FILE + ":1"),
            ("run", FILE + ":pixel", "--count", "1", "--sampler", "0=1,0,0,1", *ZEROS),
            ("compile", FILE + ":0", "-o", OUT),
            ("run", FILE, "--program", "Glow/P1/pixel", "--sampler", "0=1,0,0,1", *ZEROS),
        ),
        weight=3,
    ),
    Kind(
        "packed",
        "fuzzed.bin",
        packed,
        mutate_bytes,
        (
            ("inspect", "--scan", FILE),
            ("inspect", "--scan", FILE, "--extract", FOLDER),
            ("inspect", "--scan", FILE, "--format", "json"),
            ("inspect", FILE),
            ("dis", FILE),
        ),
        weight=1,
    ),
    Kind("npy", "fuzzed.npy", arrays, mutate_bytes, VALUES, weight=3),
    Kind("npz", "fuzzed.npz", archives, mutate_archive, VALUES, weight=3),
    Kind(
        "table",
        "fuzzed.csv",
        tables,
        mutate_text,
        (*VALUES, ("run", PASS_FILE, "-i", "position=" + FILE + ":x,y", *GIVEN)),
        weight=3,
    ),
    Kind(
        "mesh",
        "fuzzed.*",
        meshes,
        mutate_glb,
        (
            ("run", PASS_FILE, "--mesh", FILE, "-u", "scale=1,1,1,1"),
            ("run", PASS_FILE, "--mesh", FILE, "-i", "color=mesh:normal", "-u", "scale=1,1,1,1", "-o", OUT + ".npz"),
            (
                "run",
                DATA + "/vertex.v.pica",
                DATA + "/geometry.g.pica",
                "--mesh",
                FILE,
                "-i",
                "color=1",
                *PICA_RUN[1:],
                "--indices",
                "all",
            ),
        ),
        weight=4,
    ),
    Kind(
        "json",
        "fuzzed.json",
        seeds_of("u.json", '{"scale": [1, 2, 3, 4]}', '{"scale": [[1, 2], [3, 4]], "c5": 1, "b0": true, "i0": [1, 2, 3]}'),
        mutate_text,
        (("run", PASS_FILE, "-i", "position=1", "-i", "color=1", "--uniforms", FILE),),
        weight=2,
    ),
    Kind(
        "toml",
        "fuzzed.toml",
        seeds_of("u.toml", "scale = [1, 2, 3, 4]\n", "scale = [[1, 2.5], [-3e4, inf]]\nc5 = 1\nb0 = true\ni0 = [1, 2, 3]\n"),
        mutate_text,
        (("run", PASS_FILE, "-i", "position=1", "-i", "color=1", "--uniforms", FILE),),
        weight=2,
    ),
    Kind(
        "data",
        "fuzzed.json",
        data_files,
        mutate_text,
        (
            ("run", PASS_FILE, "--data", FILE, "--budget", "3000"),
            ("run", DATA + "/transform.sc", "--data", FILE, *ZEROS),
            ("run", DATA + "/lit.vsa", "--data", FILE, "--turns", "60", *ZEROS),
            ("run", "--data", FILE, "--budget", "3000", *ZEROS),
            ("check", "--data", FILE),
            ("dis", "--data", FILE),
            ("graph", "--data", FILE),
            ("inspect", "--data", FILE),
        ),
        weight=3,
    ),
    Kind(
        "shadertest",
        "fuzzed.shadertest.toml",
        shader_tests,
        mutate_text,
        (("shadertest", FILE),),
        {
            "pass.v.pica": PASS.encode(),
            **{
                path.name: path.read_bytes()
                for pattern in ("*.pica", "*.sc", "*.psa")
                for path in sorted(EXAMPLES.glob(pattern))
            },
        },
        weight=4,
    ),
    Kind(
        "device",
        "fuzzed.toml",
        seeds_of("device.toml", *DEVICE_TEXTS),
        mutate_text,
        (
            ("time", DATA + "/transform.sc", "--device", FILE),
            ("run", DATA + "/transform.sc", "-i", "v0=1", "--device", FILE, *ZEROS),
            ("check", DATA + "/transform.sc", "--device", FILE),
            ("isa", "shadercore", "--device", FILE),
            ("compile", DATA + "/lit.vsa", "--device", FILE, "-o", OUT),
            ("run", DATA + "/lit.vsa", "-i", "v0=1", "--device", FILE, *ZEROS),
        ),
        weight=2,
    ),
    Kind(
        "entity",
        "fuzzed.toml",
        seeds_of("entity.toml", *ENTITY_TEXTS),
        mutate_text,
        tuple(
            ("rtl", DATA + "/transform.sc", "--entity", FILE, "--language", language, "--bench", FOLDER, *ZEROS)
            for language in ("vhdl", "verilog", "cocotb")
        ),
        weight=1,
    ),
    Kind(
        "frame",
        "fuzzed.*",
        frames,
        mutate_bytes,
        (
            ("frame", FILE),
            ("frame", FILE, "--format", "json"),
            ("frame", "convert", FILE, "-o", OUT),
            ("frame", "convert", FILE, "--only", "0", "-o", OUT),
            ("frame", f"{FILE}:0", "--save", f"{OUT}.shadertest.toml"),
            ("frame", FILE, "--against", "azahar"),
            ("run", f"{FILE}:0/target", "--draw", f"{OUT}.svg", "--default", "0", "--budget", "2000"),
            ("diff", f"{FILE}:0", f"{FILE}:1", "--searches", "0", "--old-exit-codes"),
            ("inspect", FILE),
            ("check", FILE),
            ("dis", f"{FILE}:0"),
            ("check", f"{FILE}:1"),
            ("inspect", f"{FILE}:0"),
            ("run", f"{FILE}:0", "--engine", "reference", "--budget", "2000"),
            ("run", f"{FILE}:1/0", "--default", "0", "--why", "--budget", "2000"),
        ),
    ),
    Kind(
        "cache",
        "fuzzed.*",
        caches,
        mutate_bytes,
        (
            ("inspect", FILE),
            ("inspect", FILE, "--format", "json"),
            ("check", FILE),
            ("dis", FILE),
            ("dis", FILE + ":0"),
            ("run", FILE + ":0", "-i", "v0=1", "--budget", "3000", *ZEROS),
        ),
        weight=3,
    ),
    Kind(
        "evidence",
        "fuzzed.txt",
        seeds_of(
            "results.txt",
            "lanewise-evidence 1\nkit 00\nbegin max-zero-neg-inf\ncell max-zero-neg-inf 00FF00\ncell rcp-0-high 00FF00\n",
        ),
        mutate_text,
        (("evidence", "import", FILE), ("evidence", "import", FILE, "-o", OUT + ".toml")),
        weight=1,
    ),
    Kind(
        "picture",
        "fuzzed.png",
        lambda: texts_of("examples/*.png"),
        mutate_bytes,
        (("run", DATA + "/cutout.psa", "-i", "texcoord0=0.5,0.5", "--sampler", "0=" + FILE),),
        weight=2,
    ),
    Kind(
        "profile",
        "fuzzed.toml",
        seeds_of("profile.toml", *PROFILE_TEXTS),
        mutate_text,
        (("run", PASS_FILE, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--profile", FILE),),
        weight=2,
    ),
    Kind(
        "log",
        "fuzzed.log",
        seeds_of("emulator.log", *LOGS),
        mutate_text,
        (
            (*TRACED, "--against", FILE),
            (*TRACED, "--against", FILE, "--log-format", LOG_FORMAT),
            (*TRACED, "--against", FILE, "--log-format", "{pc}: {_} {dst} {x}", "--profile", "azahar", "--format", "json"),
        ),
        weight=2,
    ),
    Kind(
        "configuration",
        "fuzzed.toml",
        seeds_of("lanewise.toml", *CONFIGURATIONS),
        mutate_text,
        (
            ("check", PASS_FILE, "--config", FILE),
            ("fmt", "--check", PASS_FILE, "--config", FILE),
            ("run", PASS_FILE, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--config", FILE),
        ),
        weight=2,
    ),
    Kind(
        "units",
        "lanewise.toml",
        seeds_of("lanewise.toml", *UNIT_TEXTS),
        mutate_text,
        (
            ("check", UNIT_FILE),
            ("build", "--config", FILE, "--check"),
            ("inspect", UNIT_FILE),
            ("opt", UNIT_FILE),
            ("run", UNIT_FILE, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--indices", "0,0,0"),
        ),
        {"pass.v.pica": PASS.encode(), "points.g.pica": POINTS.encode()},
        weight=1,
    ),
    Kind(
        "script",
        "fuzzed.debug",
        lambda: texts_of("examples/*.debug"),
        mutate_text,
        (("debug", PASS_FILE, "-i", "position=1", "-i", "color=1", "-u", "scale=1,1,1,1", "--headless", FILE),),
        weight=2,
    ),
    Kind(
        "list",
        "fuzzed.shlist",
        seeds_of("light.shlist", "pass.v.pica\n", "pass.v.pica pass.v.pica"),
        mutate_text,
        (("asm", FILE, "-o", OUT), ("check", FILE)),
        {"pass.v.pica": PASS.encode()},
        weight=1,
    ),
    Kind(
        "sidecar",
        "program.json",
        lambda: [Seed("program.json", sidecar()[1]), Seed("program.json", preamble()[1])],
        mutate_text,
        (
            ("run", PROGRAM, "-i", "position=1,2,3", *ZEROS),
            ("run", PROGRAM, "-i", "v0=1,2,3", "-c", "c0=1", *ZEROS, "-o", OUT + ".npz"),
            ("inspect", PROGRAM),
            ("run", PROGRAM.replace(".scb", ".shbin"), "--count", "1", *ZEROS),
        ),
        {"program.scb": sidecar()[0], "program.shbin": preamble()[0]},
        weight=2,
    ),
    Kind(
        "buffer",
        "fuzzed.bin",
        lambda: [Seed("buffer.bin", (EXAMPLES / "triangle.bin").read_bytes())],
        mutate_bytes,
        (
            (
                "run",
                PASS_FILE,
                "--attribute",
                "position=float*3",
                "--attribute",
                "color=ubyte*4",
                "--buffer",
                FILE,
                "-u",
                "scale=1,1,1,1",
            ),
            (
                "run",
                PASS_FILE,
                "--attribute",
                "position=short*3",
                "--buffer",
                FILE + ":2:8",
                "-i",
                "color=1",
                "-u",
                "scale=1,1,1,1",
                "--count",
                "2",
            ),
            ("run", DATA + "/transform.sc", "--stream", "v0=float3:" + FILE, *ZEROS),
            ("run", DATA + "/transform.sc", "--stream", "v0=d3dcolor:" + FILE + ":1:2", *ZEROS),
            ("time", DATA + "/transform.sc", "--stream", "v0=float3:" + FILE),
        ),
        weight=1,
    ),
    Kind(
        "indices",
        "fuzzed.idx",
        lambda: [Seed("list.idx", b"\0\0\1\0\2\0\0\0\2\0\1\0")],
        mutate_bytes,
        (
            ("run", DATA + "/transform.sc", "-i", "v0=1,2;3,4;5,6", "--indices", FILE, *ZEROS),
            ("run", DATA + "/transform.sc", "--stream", "v0=float3:" + DATA + "/triangle.bin", "--indices", FILE, *ZEROS),
        ),
        weight=1,
    ),
    Kind(
        "record",
        "fuzzed.record",
        lambda: records(PASS.encode()),
        mutate_record,
        (
            ("fuzz", "--record", FILE, "--resume", "--minutes", "0.001", "-o", FOLDER),
            ("fuzz", "--record", FILE, "--resume", "--minutes", "0.001", "-o", FOLDER, "--format", "json"),
            ("opt", "--record", FILE, "--resume", "-o", FOLDER),
            ("opt", "--record", FILE, "--resume", "--format", "json"),
        ),
        {"pass.v.pica": PASS.encode()},
        weight=2,
    ),
    Kind(
        "answers",
        "fuzzed.*",
        answers,
        mutate_answers,
        (
            ("vectors", "--report", FILE, "--cases", DATA + "/suite.lwv"),
            ("vectors", "--report", FILE, "--cases", DATA + "/suite.lwv", "--format", "json", "--ulp", "1", "--ignore-nan"),
            ("vectors", "--report", DATA + "/answers.lwv", "--cases", FILE),
        ),
        weight=2,
    ),
    *[
        Kind(name, "fuzzed.jsonl", partial(talks, name), mutate_text, (("serve", name, FILE, DATA),), weight=2)
        for name in SERVERS
    ],
)
BY_NAME = {kind.name: kind for kind in KINDS}


def wanted(names: Iterable[str]) -> list[Kind]:
    """The kinds of a list of names; all for none. Raises KeyError."""
    return [BY_NAME[name] for name in names] or list(KINDS)
