"""Command lines of authors of emulators with one mistake each: what is said, and that the command works once it is followed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

import lanewise as lw
from corpus import REPOSITORY
from lanewise.tools.cli import main

RUN = "run --data dump/state.json --words dump/code.txt --descriptors dump/descriptors.json --entry 1"
FORMAT = "--log-format|{pc}: {dst} = {x} {y} {z}"
# Answers in JSON lines what the suite of two cases expects, which is all it can do.
PEER = """
import json, sys
for line in sys.stdin:
    data = json.loads(line)
    if "job" in data:
        lanes = data["job"]["lanes"]
        outputs = {n: [[0, 0, 0, 0]] * lanes for n in data["job"]["outputs"]}
        print(json.dumps({"case": data["case"], "status": ["ended"] * lanes, "outputs": outputs}), flush=True)
"""
AGAINST = f"fuzz --against|{sys.executable} -S -E peer.py|--form jsonl --profile azahar --programs 2 --seed 1"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(REPOSITORY / "examples" / "dump", "dump")
    shutil.copy(REPOSITORY / "examples" / "black.ctf", ".")
    shutil.copy(REPOSITORY / "examples" / "black.v.pica", ".")
    Path("peer.py").write_text(PEER)
    Path("zeros.bin").write_bytes(bytes(16))
    shbin = lw.load("black.v.pica").to_bytes()
    for name, pin in (("part", "0x36F"), ("cut", "0 0x0000036f")):
        Path(f"{name}.vsh").write_text(
            f".alias outpos o0 as position\n.opdesc {pin}\nmain:\n.word 0x4C000000\n.word 0x88000000\n"
        )
    Path("cut.shbin").write_bytes(shbin)
    Path("part.shbin").write_bytes(shbin[shbin.index(b"DVLP") :])
    Path("dump/gs.txt").write_text("0xAC000000 0x4C000000 0xA8000000 0xAE802000 0x4C002000 0xA8000000 0x88000000")
    Path("until.debug").write_text("# to the first difference\nuntil differs azahar\nstate\n")
    Path("emulator.log").write_text("1: o0 = 1 2 3\n0: r0 = 0.5 2 6\n3: o1 = 0.5 2 6\n")
    state = json.loads(Path("dump/state.json").read_text())
    words = json.dumps(Path("dump/code.txt").read_text().split()[-5:])
    descriptors = Path("dump/descriptors.json").read_text()
    Path("bare.json").write_text(json.dumps(state)[:-1] + f', "words": {words}, "descriptors": {descriptors}, "entry": 1}}')
    for name, words_at in (("near", "dump/code.txt"), ("all", "code.txt")):
        files = json.dumps({"words": words_at, "descriptors": "descriptors.json", "entry": 1})
        Path(f"dump/{name}.json").write_text(json.dumps(state)[:-1] + f', "isa": "pica200", "program": {files}}}')
    program = f'{{"words": {words}, "descriptors": {descriptors}, "entry": 1}}'
    Path("whole.json").write_text(json.dumps(state)[:-1] + f', "isa": "pica200", "program": {program}}}')
    return tmp_path


def arguments(line: str) -> list[str]:
    """The arguments of a command line: words, or what is between bars."""
    parts = line.split("|")
    return [each for n, part in enumerate(parts) for each in (part.split() if n % 2 == 0 else [part])]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "said", "wrong", "right"),
    [
        (f"{RUN} --set dot_order=pairwise", "use left, from-zero, pairs or once (did you mean pairs?)", "pairwise", "pairs"),
        (
            f"{RUN} --set|dot_order=pairs stack_check=nested",
            "is 2 settings: write commas between them, dot_order=pairs,stack_check=nested",
            "pairs stack",
            "pairs,stack",
        ),
        (f"{RUN} --set dot_order:pairs", "FIELD=VALUE, such as dot_order=pairs, not 'dot_order:pairs'", "order:", "order="),
        (f"{RUN} --profile citra", "use azahar, the profile of its successor Azahar", "citra", "azahar"),
        (f"{RUN} --profile azahar,dot_order=pairs", "write --profile azahar --set dot_order=pairs", ",dot", " --set dot"),
        (f"{RUN} --rounding float32", "write --set rounding=VALUE", "--rounding ", "--set rounding="),
        (f"{RUN} --dot-order=pairs", "write --set dot_order=VALUE", "--dot-order", "--set dot_order"),
        (f"{RUN} --set float32", "such as rounding=float32, not 'float32'", "float32", "rounding=float32"),
        (f"{RUN} --set azahar", "a preset is given by --profile azahar", "--set", "--profile"),
        (f"{RUN} --isa pica", "(did you mean pica200?)", "pica", "pica200"),
        (
            f"{RUN} --against emulator.log {FORMAT}",
            "the number of the vertex that the log is of: --trace 0 is the first",
            "--against",
            "--trace 0 --against",
        ),
        (f"{RUN.replace('dump/state', 'state')} --bits", "did you mean dump/state.json?", "--data state", "--data dump/state"),
        (
            "run bare.json",
            'write "isa": "pica200" and "program": {"words": [...], "descriptors": [...]',
            "bare",
            "--data whole",
        ),
        (
            "frame convert black.ctf:0 black.ctf:1 -o two.ctf",
            "write lanewise frame convert black.ctf --only 0,1 -o two.ctf",
            "black.ctf:0 black.ctf:1",
            "black.ctf --only 0,1",
        ),
        ("frame convert black.ctf --only 0-1 -o two.ctf", "there are no ranges: write --only 0,1", "0-1", "0,1"),
        ("frame convert black.ctf --only 0..9 -o two.ctf", "write --only 0,1,2", "0..9", "0,1,2"),
        ("frame convert black.ctf --only 0/1:2 -o two.ctf", "write --only 0/1,0/2", "0/1:2", "0/1,0/2"),
        ("frame convert black.ctf --only 3 -o two.ctf", "write --only 2 for the last of 3", "3", "2"),
        ("frame convert black.ctf --only 9 -o two.ctf", "write --only 0; it has 0, 1", "9", "1"),
        ("frame convert black.ctf --only all -o two.ctf", "leave out --only", "--only all", ""),
        ("frame convert black.ctf --only draw1 -o two.ctf", "write --only 1", "draw1", "1"),
        ("frame convert black.ctf --only black.ctf:1 -o two.ctf", "write --only 1", "black.ctf:1", "1"),
        (
            "frame convert black.ctf:0 black.ctf:1 -o two.ctf",
            "convert black.ctf --only 0,1",
            "black.ctf:0 black.ctf:1",
            "black.ctf --only 0,1",
        ),
        ("frame black.ctf:0-1", "write black.ctf:0: one draw is named", "0-1", "0"),
        (
            "run black.ctf --draw 1 --why",
            "a draw is named after its file: write black.ctf:1 --why",
            "black.ctf --draw 1",
            "black.ctf:1",
        ),
        (
            "run black.ctf --draw 0/1",
            "write black.ctf:0/1 --draw 0_1.png",
            "black.ctf --draw 0/1",
            "black.ctf:0/1 --draw 0_1.png",
        ),
        ("dis black.ctf", "write black.ctf:0; it has 0, 1, 2", "black.ctf", "black.ctf:0"),
        ("dis black.ctf:#2", "write black.ctf:2", "#2", "2"),
        ("dis black.ctf:3", "write black.ctf:2 for the last of 3, as the first is 0", ":3", ":2"),
        (
            "run black.ctf:1 --default 0 --input position=1,2,3",
            "use a register that the program reads, v0 or v1",
            "position=",
            "v0=",
        ),
        (
            "frame black.ctf:2 --profile azahar --against ./peer.py",
            "`lanewise fuzz --against ./peer.py`",
            "./peer.py",
            "panda3ds",
        ),
        ("run black.ctf:0 --default 0 --trace 5", "index 5 of the draw is vertex 3, --trace 3", "5", "3"),
        ("run black.ctf:2/0", "write black.ctf:0/2: draw 2 of frame 0", "2/0", "0/2"),
        ("frame black.ctf:2 --against azahr", "unknown profile 'azahr': did you mean azahar?", "azahr", "azahar"),
        (
            "run black.ctf:1 --default 0 --sources black.v.pica --trace 0",
            "a file, not a folder: --source black.v.pica gives one source",
            "--sources",
            "--source",
        ),
        ("vectors pica200 --suite state -o state.lwv", "a folder is named, in which the suite", "state.lwv", "state"),
        ("vectors pica200 --suite state -o state.jsonl", "-o state", ".jsonl", ""),
        ("translate black.v.pica --to c++", "(did you mean cpp?)", "c++", "cpp"),
        ("translate black.v.pica --to rust", "use c, cpp, glsl or wgsl: Rust calls C, write --to c", "rust", "c"),
        (
            "frame --list zeros.bin@0x14000010",
            "0x14000010 is a virtual address, of linear memory: write zeros.bin@0x20000010",
            "0x14000010",
            "0x20000010",
        ),
        (
            "frame --list zeros.bin@0x20000000 --memory zeros.bin@0x1F000000",
            "0x1F000000 is a virtual address, of VRAM: write zeros.bin@0x18000000",
            "0x1F000000",
            "0x18000000",
        ),
        (
            "run black.v.pica --default 0 --input position=0x3F0000,0,0,0x3F0000",
            "write --input position=words:0x3F0000,0,0,0x3F0000",
            "=0x",
            "=words:0x",
        ),
        ("run --data dump/near.json", 'write "code.txt": the name is relative to the data file', "near", "all"),
        ("asm part.vsh -o a.shbin", "0 to 127, and its word", "part", "cut"),
        ("inspect part.shbin", "cut the file from DVLB on", "part", "cut"),
        (
            f"{AGAINST} --only mov --set stack_check=nested stack_depth=unlimited",
            "write --set stack_check=nested --set stack_depth=unlimited",
            " stack_depth",
            " --set stack_depth",
        ),
        (
            "run --words dump/gs.txt --descriptors dump/descriptors.json --geometry point --input|v0=0,0;1,0;0,1",
            "add --vertices-per-primitive 3",
            "--geometry point",
            "--geometry point --vertices-per-primitive 3",
        ),
        (f"{AGAINST} --only mov --ulp 1e-4", "839 places of float32, 7 of float24", "1e-4", "839"),
        (f"{AGAINST} --without if,loop,alu --only mov", "write --without ifu,ifc,for,arithmetic", "if,loop,alu", "ifu,ifc,for"),
        (f"{AGAINST} --without adds --only mov", "unknown instruction 'adds': did you mean add?", "adds", "add"),
    ],
)
def test_a_mistake_and_its_fix(line: str, said: str, wrong: str, right: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments(line)) in (1, 2)
    err = capsys.readouterr().err
    assert said in err
    at = line.rindex(wrong)
    code = main(arguments(line[:at] + right + line[at + len(wrong) :]))
    captured = capsys.readouterr()
    assert code == (1 if "fuzz" in line else 0), captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("frame emulator.log", "not a recorded frame but a log of a run"),
        ("frame a.lwv", "a file of test vectors"),
        (
            "frame black.ctf --against black.ctf",
            "two recordings are compared draw by draw: lanewise diff black.ctf:0 black.ctf:0",
        ),
        (
            "diff dump/code.txt dump/code.txt",
            "`lanewise dis --words dump/code.txt --descriptors DESC --entry N -o dump/code.v.pica`",
        ),
        ("diff dump/all.json dump/all.json", "`lanewise dis --data dump/all.json -o dump/all.v.pica`, and give that"),
        ("frame black.v.pica", "`lanewise asm black.v.pica -o shader.shbin` assembles it"),
        ("frame dump/state.json", "`lanewise run PROGRAM --data dump/state.json`"),
        ("vectors --report a.shbin", "this is an SHBIN, a compiled program, not answers or a suite"),
        ("vectors --report emulator.log", "this is a log of a run, not answers or a suite"),
        ("vectors --report dump/state.json", "this is the data of a run, not answers or a suite"),
        ("inspect a.lwv", "this is a file of test vectors, not a program"),
        ("frame a.cst", "not a recorded frame but a saved state of Citra or Azahar"),
        ("inspect --scan a.gz", "This is a gzip archive: unpack it, `gzip -dk a.gz`"),
        ("inspect --scan a.lz", "probably a file packed by LZ11, of 200 bytes unpacked"),
        ("dis front.shbin", "an SHBIN without its beginning, as DVLP at 0x4 shows"),
        ("dis after.shbin", "an SHBIN begins at 0x3: `tail -c +4 after.shbin > shader.shbin` writes it"),
        ("run emulator.log", "this is a log of a run, not a program"),
        ("diff emulator.log emulator.log", "--against emulator.log --log-format '{pc}: {dst} = {x} {y} {z}'`"),
        ("dis until.debug", "this is a script of the debugger, not a program"),
        ("debug black.v.pica --headless|until differs azahar", "a file of commands is named, one a line"),
        ("dis --words emulator.log", "give words: this is a log of a run"),
        ("dis --words black.v.pica", "give words: this is a source of a shader"),
        (f"{RUN.replace('dump/state.json', 'a.shbin')}", "this is an SHBIN, a compiled program, expected a table of inputs"),
        (f"{RUN.replace('dump/state.json', 'emulator.log')}", "this is a log of a run, expected a table of inputs"),
        (f"{RUN} --trace 0 --against azahar", "`until differs azahar` in lanewise debug goes to the first step"),
        (f"{RUN} --trace 0x3", "the number of one vertex or lane, not an address: --trace 0 shows"),
        (f"{RUN} --trace all", "the number of one vertex or lane, counted from 0: --trace 0 shows"),
        *[
            (f"{RUN} --trace 0 --against emulator.log --log-format|{form}", said)
            for form, said in (
                ("$pc: $dst = $x $y $z", "fields are in braces: '{pc}: {dst} = {x} {y} {z}'"),
                ("<pc>: <dst> = <x> <y> <z>", "fields are in braces: '{pc}: {dst} = {x} {y} {z}'"),
                ("pc: dst = x y z", "fields are in braces: '{pc}: {dst} = {x} {y} {z}'"),
                ("{}: {} = {} {} {}", "fields have names: '{pc}: {dst} = {x} {y} {z}'"),
                ("{pc}: {dst} = {xyz}", "write {x} {y} {z}"),
            )
        ],
        (f"{RUN} --trace 0 --against comma.jsonl", "a comma at the end of the line"),
        (f"{RUN} --trace 0 --against python.jsonl", "a dict as Python prints it"),
        (f"{RUN} --trace 0 --against headed.csv", "--log-format '{pc},{dst},{x},{y},{z}'"),
        (f"{RUN} --trace 0 --against emulator.log --log-format" + '|{"pc":{pc},"dst":"{dst}"}', "is one of JSON: leave --log"),
        ("compile black.v.pica --target glsl -o x.glsl", "`lanewise translate FILE --to glsl` writes a program as GLSL"),
        ("fuzz peer", "`lanewise fuzz --against ./peer` compares a unit"),
        ("fuzz --against qemu -L /usr/arm ./peer --form flat", 'write --against "qemu -L /usr/arm ./peer"'),
        ("fuzz --against ./peer --ignore-denormals", "--set subnormal_arithmetic=flush"),
        ("fuzz --against ./peer --tolerance 1e-5", "--ulp N"),
        ("fuzz --against build/peer --seed 1 --programs 9", "(did you mean ./peer?)"),
        ("fuzz --against qemu-aarch640 --seed 1 --programs 9", "no program qemu-aarch640 in PATH"),
        *[
            (f"fuzz --against|{command}| --seed 1 --programs 9", said)
            for command, said in (
                ("./peer < /dev/null", "standard input has the jobs: leave `< /dev/null` out"),
                ("./peer > x", "standard output is for answers: leave `> x` out"),
                ("cd build; ./peer", "write --against \"sh -c 'cd build; ./peer'\""),
                ("./peer 2> x", "sh -c './peer 2> x'"),
                ("A=1 ./peer", 'write --against "env A=1 ./peer"'),
                ("http://localhost:80", "nothing is asked over a network"),
                ("azahar", "--profile azahar says whose answers are expected"),
            )
        ],
        ("run --code dump/code.txt", "did you mean --words CODE?"),
        ("run --words dump/code.txt --opdescs dump/descriptors.json", "did you mean --descriptors DESC?"),
        ("opt --words dump/code.txt", "make a source of the words, `lanewise dis --words CODE --descriptors DESC -o x.v.pica`"),
        ("dis --words 0x22021080,0x88000000", "a file is named: write the words to words.txt, and --words words.txt"),
        (
            "run dump/code.txt dump/descriptors.json --entry 1",
            "--entry goes with --words: write --words dump/code.txt --descriptors dump/descriptors.json",
        ),
        ("vectors pica200 --suite state --supervise|./peer && true", "sh -c './peer && true'"),
        ("vectors pica200 --supervise ./peer -o x", "-o is the folder of a suite that is written"),
        ("vectors pica200 --suite flow state -o x", "write --suite flow,state"),
        ("vectors pica200 --suite all -o x", "(did you mean full?)"),
        ("vectors a.lwv", "--report a.lwv judges answers, --cases a.lwv"),
        ("vectors --report empty.lwv", "run the program that writes it again"),
        ("vectors pica200 --suite state --supervise ./peer --answer-timeout 10s", "above 0, --answer-timeout 10"),
        ("fuzz --against ./peer --only add --without add", "leave no instruction"),
        ("fuzz --against ./peer --only|add mov;mul", "write --only add,mov,mul"),
        ("fuzz --against ./peer --only=add mov", "write --only add,mov"),
        ("fuzz --against ./peer --timeout 500ms", "use a number, --timeout 0.5"),
        ("fuzz --against ./peer --minutes 1h", "use a number, --minutes 60"),
        ("fuzz --against ./peer --workers 4", "without --against: start this one several times"),
        ("fuzz --against ./peer -p azahar", "did you mean --profile NAME?"),
        ("fuzz --against ./peer --set profile=azahar", "a preset is given by --profile NAME"),
        ("fuzz --against build/peer --seed 1 --programs 9 --timeout 5000", "--timeout 5 is 5000 milliseconds"),
        ("fuzz --against build/peer --format junit", "use text or json; `lanewise test --format junit` reports shader tests"),
        ("vectors --header a.h", "write `lanewise vectors --header > a.h`"),
        ("vectors --report converted.lwv", "write *.lwv binary to .gitattributes"),
        ("test suites", "suites/a.lwv is a suite of test vectors, for a unit of your own"),
        ("vectors pica200 --suite flows -o x", "(did you mean flow?)"),
        ("dis -d cut.shbin", "leave it out: all of a file is disassembled"),
        ("dis -EL cut.shbin", "words of a binary are little-endian"),
        ("inspect --headers cut.shbin", "leave it out: headers, tables and names are all shown"),
        ("debug cut.shbin -x until.debug", "given by --headless FILE"),
        ("debug cut.shbin --break 0x4", "type `break 0x4` there"),
        ("frame black.ctf --eid 3", "a draw is FILE:N"),
        ("frame black.ctf --pixel 1,2", "`lanewise run FILE:N --draw OUT.png`"),
        ("frame dump black.ctf", "`lanewise frame black.ctf` lists its draws"),
        ("trim black.ctf", "did you mean frame convert FILE --only N -o OUT.ctf?"),
        ("vectors pica200 run ./peer", "--supervise COMMAND asks a program"),
        ("vectors pica200 --bits 32", "32 bits for azahar"),
        ("fuzz --against ./peer --fail-fast", "--findings N goes on to N"),
        ("fuzz --against ./peer --corpus x", "made of --seed S alone"),
        ("fuzz --against ./peer --endian big", "exchange their bytes in the peer"),
    ],
)
def test_a_file_of_another_kind_is_named(line: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]):
    (here / "a.lwv").write_bytes(b"LWVECTOR" + bytes(60))
    (here / "converted.lwv").write_bytes(b"LWVECTOR\r\n" + bytes(60))
    (here / "comma.jsonl").write_text('{"pc": 1, "dst": "o0"},\n')
    (here / "python.jsonl").write_text("{'pc': 1, 'dst': 'o0'}\n")
    (here / "headed.csv").write_text("pc,dst,x,y,z\n1,o0,1,2,3\n0,r0,0.5,2,6\n")
    (here / "empty.lwv").touch()
    (here / "suites").mkdir()
    (here / "a.cst").write_bytes(b"CST\x1b" + bytes(60))
    (here / "a.gz").write_bytes(b"\x1f\x8b\x08" + bytes(60))
    (here / "a.lz").write_bytes(b"\x11\xc8\0\0" + bytes(60))
    whole = (here / "cut.shbin").read_bytes()
    (here / "front.shbin").write_bytes(whole[8:])
    (here / "after.shbin").write_bytes(b"abc" + whole)
    (here / "suites" / "a.lwv").touch()
    (here / "peer").touch()
    (here / "a.shbin").write_bytes(b"DVLB" + bytes([255]) * 60)
    assert main(arguments(line)) in (1, 2)
    err = capsys.readouterr().err
    assert said in err
    assert err.count("error") <= 2, err


COPY = ".fvec k\n.out o position\n.out c color\n.in p\n.proc main\nmov o, p\nmul c, k, p\nend\n.end\n"


@pytest.mark.parametrize(
    ("head", "values", "outcome", "said"),
    [
        ("", ("0.1", "1", "{ bits = [0x3B999A] }"), "1 failed", "not to the nearest; write 0x3B9999 for that"),
        ("", ("0.1", "1", "{ bits = [0x3B9999] }"), "1 passed", ""),
        ("", ("0", "1", "-0.0"), "1 passed", "-0 equals 0 here: { bits = [0x800000] } tests the sign"),
        ("", ("0", "1", "0.0"), "1 passed", ""),
        ('profile = "azahar"', ("0.1", "1", "0.1000001"), "1 passed", "{ bits = [0x3DCCCCDA] } tests all of it"),
        ('profile = "azahar"', ("0.1", "1", "{ bits = [0x3DCCCCCD] }"), "1 passed", ""),
        ('profile = "azahar"', ("0.1", "1", "{ bits = [0x3DCCCCDA] }"), "1 failed", "[3dcccccd]"),
        ('profile = "azahar"', ("-0", "1", "-0.0"), "1 passed", "-0 equals 0 here: { bits = [0x80000000] } tests the sign"),
        ("", ("0.5", "1", "{ bits = [0x3F000000] }"), "1 error", "is 0.5 as float32, as float24 it is 0x3e0000; words"),
        ('profile = "azahar"', ("0.5", "1", "{ bits = [0x3F000000] }"), "1 passed", ""),
        ('profile = "azahar"', ("0.1", "1", "0.1"), "1 passed", ""),
        ("", ("0", '"Infinity"', '"NaN"'), "1 failed", "note  0 times infinity is 0, as measured on consoles"),
        (
            'profile = { base = "azahar" }',
            ("0", "1", "0"),
            "1 error",
            'a preset is given by --profile NAME, in a table by preset = "NAME"',
        ),
        (
            'profile = { preset = "azahar", set = "dot_order=pairs,al_width=s8" }',
            ("0", "1", "0"),
            "1 error",
            'fields are keys of the table: write dot_order = "pairs", al_width = "s8"',
        ),
        ('profile = { preset = "azahar", rounding = "rne" }', ("0", "1", "0"), "1 error", "(did you mean nearest?)"),
    ],
)
def test_expectations_of_bits(
    head: str, values: tuple[str, str, str], outcome: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "n.v.pica").write_text(COPY)
    p, k, expected = values
    test = f'[[test]]\ninputs = {{ p = {p} }}\nuniforms = {{ k = [{k}, 1, 1, 1] }}\noutputs = {{ "c.x" = {expected} }}\n'
    (tmp_path / "n.shadertest.toml").write_text(f'program = "n.v.pica"\n{head}\n{test}')
    assert main(["test", str(tmp_path)]) == int("passed" not in outcome)
    out = capsys.readouterr().out
    assert outcome in out and said in out
    assert said or len(out.splitlines()) == 3


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("color", "0", 'color: y and z are not tested: give 3 numbers, or write "color.x" to leave them out'),
        ("position", "[0, 0, 0]", 'position: w is not tested: give 4 numbers, or write "position.xyz"'),
        ("color", "{ bits = [0] }", 'write "color.x"'),
        ("color", "[0, 0, 0]", ""),
        ('"color.x"', "[[0]]", ""),
        ("color", "{ bits = [0, 0, 0] }", ""),
    ],
)
def test_components_that_are_left_out(key: str, value: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "n.v.pica").write_text(COPY)
    test = f"[[test]]\ninputs = {{ p = [0, 0, 0] }}\nuniforms = {{ k = [1, 1, 1, 1] }}\noutputs = {{ {key} = {value} }}\n"
    (tmp_path / "n.shadertest.toml").write_text(f'program = "n.v.pica"\n{test}')
    assert main(["test", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert said in out and ("not tested" in out) is bool(said)


@pytest.mark.usefixtures("here")
def test_lists_that_are_given_twice_are_one(capsys: pytest.CaptureFixture[str]):
    main(arguments(f"{AGAINST} --only add --only mul -o found"))
    assert "--only add,mul" in next(Path("found").glob("*.v.pica")).read_text()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("fuzz --peer ./peer", "unknown option --peer: the command that answers is given with --against COMMAND"),
        ("fuzz --profile azahar", "--profile goes with --against COMMAND"),
        ("run black.ctf:0/target", "a target is drawn, with all draws to it: add --draw out.png"),
        (
            f"fuzz --profile azahar --against|{sys.executable} -S -E -c 'print(1)'|--programs 1 --seed 1",
            "ended with exit code 0 after the text '1\\n' on standard output",
        ),
    ],
)
def test_an_option_or_a_command_that_is_another(line: str, said: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments(line)) == 2
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_what_steps_let_through_is_counted(capsys: pytest.CaptureFixture[str]):
    main(arguments(f"{AGAINST} --only mov --ignore-nan --ulp {1 << 31}"))
    captured = capsys.readouterr()
    assert "equal by --ulp only, which is for all instructions" in captured.out
    assert "8388608 places of float32 are a factor of 2, so that faults pass" in captured.err


@pytest.mark.usefixtures("here")
def test_a_difference_as_large_as_colours_is_said(capsys: pytest.CaptureFixture[str]):
    for given, said in (("1.0", True), ("0.5", True), ("1", False), ("0.001", False)):
        main(["frame", "black.ctf:0", "--profile", "hardware", "--against", "azahar", "--tolerance", given])
        assert ("--tolerance 1 is one step of the format" in capsys.readouterr().err) == said


@pytest.mark.usefixtures("here")
def test_zeros_that_nothing_gives_are_blamed(capsys: pytest.CaptureFixture[str]):
    said = "gives 0 for v1.w = 0: v1 has no data, 0 is of --default 0: give --input v1=..."
    for against in ("hardware", "azahar"):
        assert main(["frame", "black.ctf:2", "--against", against]) == 0
        assert ("compare with --against azahar or panda3ds" in capsys.readouterr().err) is (against == "hardware")
    for more, told in ((("--default", "0"), True), (("--input", "v1=1,1,1,0"), False)):
        assert main(["run", "black.ctf:0", *more, "--why"]) == 0
        assert (said in capsys.readouterr().out) is told
        assert main(["run", "black.ctf:0", *more]) == 0
        assert ("default attribute 1 was never written in the recording" in capsys.readouterr().err) is told


@pytest.mark.usefixtures("here")
def test_a_table_of_a_command_in_a_configuration(capsys: pytest.CaptureFixture[str]):
    Path("lanewise.toml").write_text('[fuzz]\nagainst = "./peer"\nonly = ["add", "mov"]\nignore-nan = true\n')
    for command in (["fuzz", "--programs", "1"], ["vectors", "pica200", "--list"]):
        assert main(command) == 2
        assert "`lanewise fuzz --against ./peer --only add,mov --ignore-nan`" in capsys.readouterr().err


def test_a_finding_runs_under_its_profile(here: Path, capsys: pytest.CaptureFixture[str]):
    main(arguments(f"{AGAINST} --only add,mov --findings 1 -o found"))
    assert "its rules: lanewise isa pica200 " in capsys.readouterr().out
    source = next((here / "found").glob("*.v.pica"))
    for options, told in (((), True), (("--profile", "azahar"), False), (("--profile", "hardware"), False)):
        assert main(["run", str(source), "--default", "0", *options]) == 0
        assert ("is a finding under the profile azahar: --profile azahar" in capsys.readouterr().err) is told


def test_groups_of_instructions(here: Path):
    from lanewise.pica200.isa.table import BY_NAME
    from lanewise.pica200.vectors.random_jobs import GROUPS, MNEMONICS

    assert set(GROUPS["flow"]) == {"ifc", "ifu", "for", "call", "callc", "callu", "jmpc", "jmpu", "break", "breakc"}
    assert {"cmp", "mova", "mad"} <= set(GROUPS["arithmetic"]) <= set(MNEMONICS)
    assert not {"end", "emit", "setemit", *GROUPS["flow"]} & set(GROUPS["arithmetic"])
    assert set(MNEMONICS) <= set(BY_NAME)
    assert main([*arguments(f"{AGAINST} --without flow -o found")]) == 1
    sources = [path.read_text() for path in (here / "found").glob("*.v.pica")]
    assert sources


@pytest.mark.usefixtures("here")
def test_a_tolerance_of_a_whole_number_says_that_it_is_steps(capsys: pytest.CaptureFixture[str]):
    for tolerance, said in (
        ("1", "up to 1 step of their format apart are equal; --tolerance 1.0 is a difference."),
        ("1.0", "up to 1 apart"),
        ("0.5", "up to 0.5 apart"),
    ):
        assert main(["frame", "black.ctf", "--against", "azahar", "--tolerance", tolerance]) == 0
        assert said in " ".join(capsys.readouterr().out.split())


def test_a_profile_with_fields_is_a_table_in_a_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    shutil.copy(REPOSITORY / "examples" / "toon.v.pica", tmp_path)
    text = (REPOSITORY / "examples" / "toon.shadertest.toml").read_text()
    for line, code in (('"azahar,rounding=nearest"', 1), ('{ preset = "azahar", rounding = "nearest" }', 0)):
        path = tmp_path / "toon.shadertest.toml"
        path.write_text(f"profile = {line}\n{text}")
        assert main(["test", str(path)]) == code
        captured = capsys.readouterr()
        assert ('help: write profile = { preset = "azahar", rounding = "nearest" }' in captured.out + captured.err) == code


# Answers each job in the flat form with a row for one lane.
ONE_ROW = """
import struct, sys
take = sys.stdin.buffer.read
take(struct.unpack("<8s2I", take(16))[2] - 16)
while head := take(8):
    kind, count = struct.unpack("<2I", head)
    words = struct.unpack(f"<{count}I", take(4 * count))
    answer = [words[0], 16, words[3], *[0] * words[3], 17, 5, 0, 0, 0, 0, 0]
    sys.stdout.buffer.write(struct.pack(f"<{len(answer) + 2}I", 2, len(answer), *answer))
    sys.stdout.buffer.flush()
"""


def test_an_answer_of_one_lane_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "one.py").write_text(ONE_ROW)
    command = f"{sys.executable} -S -E {tmp_path}/one.py"
    line = ["--profile", "azahar", "--only", "add,mov,mul", "--ignore-nan", "--programs", "9", "--seed", "1"]
    assert main(["fuzz", "--against", command, *line, "-o", str(tmp_path / "found")]) == 2
    assert "answer a row for each of job.lanes, in every register" in capsys.readouterr().err
    assert not [*(tmp_path / "found").glob("*")]


@pytest.mark.usefixtures("here")
def test_an_answer_that_lacks_outputs_names_them(capsys: pytest.CaptureFixture[str]):
    Path("peer.py").write_text(PEER.replace('in data["job"]["outputs"]', 'in data["job"]["outputs"][1:]'))
    assert main(arguments(AGAINST)) == 2
    said = capsys.readouterr().err
    lacking, asked = (said.partition(word)[2].partition(": ")[0] for word in ("the answer lacks ", "job.outputs are "))
    assert lacking and lacking == asked.partition(", ")[0]


def test_the_help_that_an_option_of_against_points_to_is_shown(capsys: pytest.CaptureFixture[str]):
    assert main(["fuzz", "--against", "./peer", "--timeout", "500ms"]) == 2
    said = capsys.readouterr().err.strip().rpartition("; see lanewise ")[2]
    with pytest.raises(SystemExit, match="0"):
        main(said.split())
    assert "--timeout" in capsys.readouterr().out


def test_inputs_in_another_order_than_the_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "black.v.pica"
    text = (REPOSITORY / "examples" / "black.v.pica").read_text()
    run = ["run", f"{REPOSITORY / 'examples' / 'black.ctf'}:2", "--source", str(source), "--cull", "none"]
    exchanged = text.replace(".in position\n.in color\n", ".in color\n.in position\n")
    for written, seen in ((exchanged, 0), (text.replace("mov outclr, color", "mov outclr, color.zyxw"), 2)):
        source.write_text(written)
        assert main([*run, "--draw", str(tmp_path / "a.svg")]) == 0
        captured = capsys.readouterr()
        assert f"{seen} of 2 triangles" in captured.out and ("computes position from v0" in captured.err) == (not seen)
    source.write_text(exchanged)
    assert main([*run, "--why"]) == 0
    fix = capsys.readouterr().err.partition(": write `")[2].partition("\n")[0].rstrip("`").split("` and `")
    for line in fix:
        exchanged = exchanged.replace(f"{line.rpartition(' ')[0]}\n", f"{line}\n")
    source.write_text(exchanged)
    assert main([*run, "--draw", str(tmp_path / "a.svg")]) == 0
    captured = capsys.readouterr()
    assert "2 of 2 triangles" in captured.out and "the draw has" not in captured.err
