"""Commands of other debuggers: each is answered with one that does what is meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanewise.debugger.commands import BY_NAME, ELSEWHERE
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
        (["info registers"], "did you mean registers or breakpoints?", ["registers"]),
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
