"""Completion of command lines: the scripts are run by the shells themselves, where they are installed."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from installed import needs
from lanewise.tools import completions
from lanewise.tools.cli import COMMANDS, main
from lanewise.tools.completions import SHELLS
from lanewise.tools.interfaces import interfaces, text


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, found = tmp_path_factory.mktemp("completions"), interfaces()
    made = {shell: folder / f"_lanewise.{shell}" for shell in SHELLS}
    for shell, path in made.items():
        path.write_text({"bash": completions.bash, "zsh": completions.zsh, "fish": completions.fish}[shell](found))
    return made


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    listed = " ".join(map(shlex.quote, ["lanewise", *words]))
    run = (
        f'source {shlex.quote(str(script))}; COMP_WORDS=({listed}); COMP_CWORD={len(words)}; _lanewise; printf "%s\\n" '
        f'"${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "--norc", "-c", run], capture_output=True, text=True, check=True, cwd=script.parent)
    assert not done.stderr
    return sorted(done.stdout.split("\n")[:-1])


@needs("bash")
def test_bash(scripts: dict[str, Path]):
    script = scripts["bash"]
    (script.parent / "a file.pica").write_text("")
    assert completed(script, "ch") == ["check"]
    assert completed(script, "c") == ["cache", "check", "compile", "completions", "convert"]
    assert "--indent" in completed(script, "fmt", "--")
    assert completed(script, "fmt", "--ind") == ["--indent"]
    assert completed(script, "check", "--dialect", "ni") == ["nihstro"]
    assert completed(script, "check", "--dialect", "=", "ni") == ["nihstro"]
    assert completed(script, "check", "--dialect", "=") == ["direct3d9", "nihstro", "picasso", "shadercore"]
    assert completed(script, "run", "x.vsa", "--rule", "d") == ["d3d9", "document"]
    assert completed(script, "check", "--explain", "V07")[0] == "V070"
    assert completed(script, "check", "a") == completed(script, "asm", "-o", "a") == ["a file.pica"]
    assert completed(script, "run", "--count", "1") == [""]  # a number: there is nothing to offer
    assert completed(script, "isa", "pi") == ["pica200"]
    assert completed(script, "help", "gr") == ["graph"]
    assert completed(script, "completions", "") == ["bash", "fish", "zsh"]


@needs("zsh")
def test_zsh(scripts: dict[str, Path]):
    assert subprocess.run(["zsh", "-n", str(scripts["zsh"])], capture_output=True, check=True).stderr == b""


@needs("fish")
def test_fish(scripts: dict[str, Path]):
    assert subprocess.run(["fish", "-n", str(scripts["fish"])], capture_output=True, check=True).stderr == b""
    run = f"source {scripts['fish']}; complete -C 'lanewise check --dialect ni'"
    done = subprocess.run(["fish", "-N", "-c", run], capture_output=True, text=True, check=True)
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == ["nihstro"]  # fish writes the help after a tab


def test_every_command_and_option_is_there(scripts: dict[str, Path]):
    found = {interface.name: interface for interface in interfaces()}
    assert [*found] == [*[command.name for command in COMMANDS], "help"]
    texts = {shell: path.read_text() for shell, path in scripts.items()}
    for interface in found.values():
        assert interface.rows or interface.name == "help"
        for name in [name for row in interface.rows for name in row.names]:
            assert name in texts["bash"]
            assert name in texts["zsh"]
            assert (f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}") in texts["fish"]


@pytest.mark.parametrize("shell", SHELLS)
def test_it_is_printed(shell: str, scripts: dict[str, Path], capsys: pytest.CaptureFixture[str]):
    assert main(["completions", shell]) == 0
    assert capsys.readouterr().out == scripts[shell].read_text()


def test_the_file_of_the_package_is_up_to_date():
    written = Path(completions.__file__).with_name(completions.FILE).read_text(encoding="utf-8")
    assert written == text(interfaces()), "run python -m lanewise.tools.pages"


def test_a_help_with_a_separator_is_refused():
    with pytest.raises(ValueError, match="separator"):
        text([completions.Interface("asm", "with a\ttab", ())])


def test_another_shell(capsys: pytest.CaptureFixture[str]):
    assert main(["completions", "tcsh"]) == 2
    assert "choose from" in capsys.readouterr().err
