"""Entities as TOML files: the template is one, contradictions are refused with both places, and benches print what they say.

`tests/conformance/test_entity_benches.py` runs benches in simulators.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.small_core import ENTITY, OUTSIDE_ENTITY, SOURCE
from corpus import REPOSITORY
from lanewise.core.service import InputFailure
from lanewise.shadercore.api.entity import FIELDS, ROW_WIDTHS, Memory
from lanewise.shadercore.api.entity_languages import LANGUAGES
from lanewise.shadercore.api.services.entity_files import TEMPLATE, read_entity
from lanewise.shadercore.api.services.manuals import manual
from lanewise.shadercore.api.testbench_vhdl import PORTS
from lanewise.tools import cli
from together import together


def test_the_template_is_an_entity():
    entity = read_entity(TEMPLATE.encode(), "core.toml")
    assert (entity.name, entity.program.width, entity.registers.order) == (
        "my_core",
        64,
        ("component", "number", "file", "quad"),
    )
    assert len(entity.ports()) == 14
    assert entity.idle()["rst"] == 0
    small = read_entity(ENTITY.encode(), "core.toml")
    assert {name: small.idle()[name] for name in ("rw_n", "rst_n", "pw", "mode")} == {"rw_n": 1, "rst_n": 1, "pw": 0, "mode": 1}
    assert "busy" not in small.idle()
    assert small.ports()["mode"] == (False, 2)


def test_the_public_entity_is_an_example():
    """All its inputs, with their bits and directions; `tests/conformance/test_shadercore_rtl.py` runs it."""
    entity = read_entity((REPOSITORY / "examples" / "public_core.toml").read_bytes(), "public_core.toml")
    known = {name: (output, bits) for name, output, bits in PORTS}
    assert entity.ports().items() <= known.items()
    assert {name for name, (output, _) in known.items() if not output} == {entity.clock, *entity.idle(), *entity.driven} - {
        *entity.signals()
    }
    assert [part.entity for part in entity.parts] == ["FloatALU"] * 4
    assert [memory.name for memory in entity.outside] == ["program", "constants", "registers"]


def test_addresses_name_each_register_once():
    for width, part in ROW_WIDTHS.items():
        order = tuple(field for field in reversed(FIELDS) if field not in ("lane", "quad") or field == part)
        memory = Memory(name="registers", address="a", address_width=11, data="d", width=width, order=order, files="or")
        lanes = {("r", 7, 3): list(range(16)), ("o", 0, 1): [16 + n for n in range(16)]}
        rows = list(memory.rows(lanes))
        assert len({address for address, _, _ in rows}) == len(rows) == 2 * 512 // width
        assert max(address for address, _, _ in rows) < 1 << memory.needed
        assert [row & 0xFFFFFFFF for _, row, _ in rows][-1] == 32 - width // 32
    memory = Memory(
        name="r", address="a", address_width=9, data="d", width=128, order=("quad", "component", "number", "file"), files="vo"
    )
    assert memory.address_of(("o", 5, 2), 3) == 3 | 2 << 2 | 5 << 4 | 1 << 7


def changed(*pairs: tuple[str, str]) -> bytes:
    text = TEMPLATE
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text.encode()


@together(
    ("data", "words"),
    [
        (b"entity = ", "is not valid TOML"),
        (b"entity = 'a'\n", "[clock] is missing: `lanewise rtl --template` writes a whole file"),
        (changed(("limit", "limits")), "the file: unknown key 'limits': did you mean limit?"),
        (changed(("edge =", "edges =")), "clock: unknown key 'edges': did you mean edge?"),
        (changed(('"rising"', '"up"')), "clock.edge cannot be 'up': it is rising or falling"),
        (changed(("period = 10", "period = 5")), "clock.period: 5 ns have no half"),
        (changed(('"my_core"', '"my core"')), "entity: 'my core' is not a name"),
        (changed(('"clk"', '"signal"')), "clock.port: signal is a reserved word"),
        (changed(('"clk"', '"negedge"')), "clock.port: negedge is a reserved word"),
        (changed(('"clk"', '"load_program"')), "clock.port: load_program is a name of the bench"),
        (changed(("width = 64", "width = 48")), "program.width cannot be 48: it is 32, 64, 128 or 256 bits"),
        (changed(("address_width = 9", "address_width = 12")), "program.address_width is 12, but 512 slots are 512 rows"),
        (changed(('"prog_we"', '"start"')), "start.port and program.enable are one port, start: give each its own"),
        (changed(('"done"', '"rst"')), "reset.port and done.port are one port, rst, which cannot be input and output"),
        (
            changed(('"const_data"', '"prog_data"')),
            "program.data and constants.data are one port, prog_data, of 64 and 32 bits",
        ),
        (changed(('"dbg_data"', '"reg_data"')), "registers.data and results.data are one port, reg_data, which cannot be"),
        (
            changed(("width = 128  # 32", "width = 32  # 32")),
            "registers.order has quad, but registers.width is that of rows with a lane",
        ),
        (
            changed(('"file", "quad"]  #', '"file"]  #')),
            "registers.order lacks quad: it has each field of an address once",
        ),
        (changed(('files = "vorx"  #', 'files = "rox"  #')), 'results.files has v, but registers.files "rox" has not'),
        (changed(('files = "vorx"  #', 'files = "vv"  #')), "registers.files cannot be 'vv'"),
        (
            changed(('"reg_addr"\naddress_width = 9', '"reg_addr"\naddress_width = 8')),
            "registers.address_width is 8, but registers.order and registers.files need 9 bits",
        ),
        (
            changed(("# mode = { width = 2, value = 1 }", "mode = { width = 2, value = 4 }")),
            "inputs.mode: value 4 does not fit",
        ),
        (changed(("# mode = { width = 2, value = 1 }", "done = {}")), "done.port and inputs.done are one port, done"),
        (changed(("# state = 3", "state = 9999")), "outputs.state cannot be 9999: it is a whole number from 0 to 1024"),
        (changed(("overhead = 0", "overhead = true")), "done.overhead cannot be True"),
    ],
)
def test_what_is_refused(data: bytes, words: str):
    with pytest.raises(InputFailure) as raised:
        read_entity(data, "core.toml")
    assert str(raised.value).startswith("core.toml")
    assert words in str(raised.value)


@together(
    ("old", "new", "words"),
    [
        ("latency = 2", "latency = 9", "program.latency cannot be 9: it is a whole number from 1 to 8"),
        ('reads = [{ address = "ia", data = "id" }]', "reads = []", "program.reads is a list of 1 to 64 tables"),
        ('address = "ia"', "address = []", "program.reads.address is a list of outputs, the lowest first"),
        ('address = "ia"', 'address = "ib"', "program.reads.address: ib is missing in [outputs]: write `ib = BITS` there"),
        ('data = "id"', 'data = "ia"', "program.reads.data: ia is missing in [inputs]"),
        ('data = "id"', 'data = "cd"', "program.reads.data: cd has 32 bits in [inputs], and needs 64, as program.width is 64"),
        ('enable = "fetch"', 'enable = "cc"', "registers.reads.enable: cc has 2 bits in [outputs], and needs 0"),
        ('address = "ia"', 'address = "fetch"', "program.reads.address: fetch has 0 bits in [outputs], and needs at least 1"),
        ('address = "wa"', 'address = "cn"', "registers: addresses have 7 and 8 bits: use one size, at most 16"),
        ('data = "bd"', 'data = "ad"', "registers.reads and registers.reads drive one port, ad: give each its own"),
        ('r = "xy"', 'r = "bd"', "registers.reads and the part either drive one port, bd"),
        ('r = "xy"', 'r = "x"', "parts.outputs.r: x is missing in [inputs]: write `x = { width = BITS }` there"),
        ('a = "x"', 'a = "go"', "parts.inputs.a: go is missing in [outputs]: write `go = BITS` there"),
        ("wake = 1", "wake = 2", "setup.wake cannot be 2: it is a whole number from 0 to 1"),
        ("wake = 1", "id = 1", "setup and program.reads drive one port, id: leave it out of setup"),
        ("wake = 1", "sleep = 1", "setup: sleep is missing in [inputs]: write `sleep = { width = BITS }` there"),
        ("[start]", "[results]\nwidth = 32\n[start]", "registers.reads and [results] contradict each other"),
        ('port = "issued"', 'port = "over"', "done.port and issue.port are one port, over"),
        ("ia = 9", "ia = 10", "program.address_width is 10, but 512 slots are 512 rows"),
        ('latency = 2\nreads = [{ address = "ia"', 'latency = 2\nread = [{ address = "ia"', "program: unknown key 'latency'"),
    ],
)
def test_what_is_refused_of_surroundings(old: str, new: str, words: str):
    assert old in OUTSIDE_ENTITY
    with pytest.raises(InputFailure) as raised:
        read_entity(OUTSIDE_ENTITY.replace(old, new, 1).encode(), "core.toml")
    assert words in str(raised.value)


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("a.sc").write_text(SOURCE)
    assert cli.main(["rtl", "--template"]) == 0
    template = capsys.readouterr().out
    assert template == TEMPLATE
    Path("core.toml").write_text(template)
    data = ["-i", "position=1,2,3,4", "-u", "c1=1,2,3,4"]
    for language in LANGUAGES:
        command = ["rtl", "a.sc", "--bench", "sim", "--entity", "core.toml", "--language", language.name, *data]
        assert cli.main(command) == 0
        text = (tmp_path / "sim" / language.file).read_text()
        assert "written by lanewise rtl" in text[:400]
        assert text.count("wave 0: o0.x, lanes 0 to 3") == 1
        assert max(map(len, text.splitlines())) < 400
        capsys.readouterr()
        assert cli.main([*command, "--format", "json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert (shown["language"], shown["comparisons"], shown["cycles"]) == (language.name, 513, 59)
    choices = next(option.choices for option in manual("rtl").options if option.key == "language")
    assert choices == tuple(language.name for language in LANGUAGES)
    capsys.readouterr()
    for argv, code, words in (
        (["--language", "verilog", *data], 2, "name your core with --entity FILE"),
        (["--language", "ada", *data], 2, "ada"),
        (["--entity", "my_core", *data], 1, "cannot read my_core: No such file or directory; --entity takes a file with"),
        (["--entity", "my_core", *data], 1, "`lanewise rtl --template > core.toml` writes one, for --entity core.toml"),
        (["--entity", "narrow.toml", *data], 2, "program.address_width 2 has room for 4"),
        (["--entity", "bare.toml", *data], 2, "the entity has no table [constants]"),
    ):
        Path("narrow.toml").write_bytes(changed(("address_width = 9", "address_width = 2")))
        start, end = TEMPLATE.index("[constants]"), TEMPLATE.index("[registers]")
        Path("bare.toml").write_text(TEMPLATE[:start] + TEMPLATE[end:])
        assert cli.main(["rtl", "a.sc", "--bench", "other", *argv]) == code, argv
        assert words in capsys.readouterr().err
    for argv, words in (
        (["a.sc", "--template"], "--template takes the place of FILE: leave out a.sc"),
        (["a.sc", "--language", "verilog"], "name your core with --entity FILE"),
        (["a.sc", "--entity", "core.toml"], "add --bench sim, a folder for the files"),
        (["--entity", "core.toml"], "name a FILE"),
        ([], "name a FILE"),
        (["a.sc", "a.sc"], "name one FILE, found 2"),
    ):
        assert cli.main(["rtl", *argv]) == 2
        assert words in capsys.readouterr().err
    assert not Path("other").exists()
