"""Commands of other debuggers: each is answered with one that does what is meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanewise.debugger.commands import BY_NAME
from lanewise.debugger.elsewhere import ELSEWHERE
from lanewise.tools.cli import main

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_each_word_is_for_a_command_that_exists():
    assert not ELSEWHERE.keys() & BY_NAME.keys()
    assert {name for meant in ELSEWHERE.values() for name in meant.split(" or ")} <= set(BY_NAME)


@pytest.mark.parametrize(
    ("commands", "said", "fixed"),
    [
        (["next"], "did you mean over?", ["over"]),
        (["Finish"], "did you mean out?", ["step"]),
        (["info"], "did you mean registers or breakpoints?", ["registers"]),
        (["info reg"], "write registers", ["registers"]),
        (["info b"], "write breakpoints", ["breakpoints"]),
        (["x/4f r0"], "write print r0", ["print r0"]),
        (["p/x $r0"], "write print r0 hex", ["print r0 hex"]),
        (["x/3i $pc"], "write words", ["words"]),
        (["break *0x1"], "use @0x1 for a word", ["break @0x1"]),
        (["b *0x1"], "write break @0x1", ["break @0x1"]),
        (["b main", "break mine"], "write break main", ["break main", "to main"]),
        (["print $r0"], "did you mean r0?", ["print r0"]),
        (["until 4"], "until takes a query, not the place 4; write to 4", ["to 4"]),
        (["thread backtrace"], "write where", ["where"]),
        (["watch r0", "cond 1 r0.x > 1"], "write break PLACE if r0.x > 1", ["break @1 if r0.x > 1"]),
        (["bt"], "did you mean where?", ["where"]),
        (["break 0x1", "continue"], "use @0x1 for a word", ["break @0x1", "continue"]),
        (["b 4"], "", ["back 4"]),
        (["b @1"], "b is back, by a number of steps, not '@1'; write break @1", ["break @1"]),
    ],
)
def test_a_command_of_another_debugger(
    commands: Sequence[str],
    said: str,
    fixed: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    Path("a.v.pica").write_text(".in p\n.out o position\n.proc main\n\tmov r0, p\n\tmov o, r0\n\tend\n.end\n")
    for lines, message in ((commands, said), (fixed, "")):
        Path("s").write_text("\n".join(lines) + "\n")
        code = main(["debug", "a.v.pica", "-i", "p=1,2,3", "--headless", "s"])
        assert code == int(bool(message))
        assert message in capsys.readouterr().out
