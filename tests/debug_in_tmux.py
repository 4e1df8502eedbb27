"""A session of `lanewise debug` in a terminal of tmux: keys are sent, the screen is read back and printed.

    python tests/debug_in_tmux.py

Each key is sent when the screen shows what the one before does, so the session does not depend on time; it fails after a minute
without that.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
NAME = f"lanewise-debug-{os.getpid()}"
COMMAND = [sys.executable, "-m", "lanewise", "debug", "toon.shadertest.toml", "--test", "four bands"]
# Keys, and what the screen shows then.
SESSION: tuple[tuple[list[str], str], ...] = (
    ([], "step 0 of"),
    (["n", "n"], "step 2 of"),
    (["b"], "step 1 of"),
    (["F9"], "breakpoint 1 at"),
    (["c"], "step 19: end"),
    (["r"], "step 1, word 1"),
    ([":"], "a command such as"),
    (["data color.y", "Enter"], "data breakpoint 2 on color.y"),
    (["Escape", "c"], "step 16 writes o1.y"),
    (["Escape", "t"], "values as hex"),
    (["Escape", ":"], "values as hex"),
    (["explain color.y", "Enter"], "given: constant consts.z"),
)


def tmux(*arguments: str) -> str:
    return subprocess.run(["tmux", *arguments], check=True, capture_output=True, text=True).stdout


def screen() -> str:
    return tmux("capture-pane", "-p", "-t", NAME)


def shows(text: str) -> str:
    """The screen, once it has the text. Raises TimeoutError."""
    end = time.monotonic() + 60
    while text not in (found := screen()):
        if time.monotonic() > end:
            raise TimeoutError(f"the screen does not show '{text}':\n{found}")
        time.sleep(0.2)
    return found


def main() -> None:
    environment = f"PYTHONPATH={shlex.quote(os.environ.get('PYTHONPATH', ''))}"
    line = f"cd {shlex.quote(str(EXAMPLES))} && {environment} {shlex.join(COMMAND)}"
    tmux("new-session", "-d", "-s", NAME, "-x", "150", "-y", "46", line)
    try:
        found = ""
        for keys, text in SESSION:
            for key in keys:
                tmux("send-keys", "-t", NAME, key)
                time.sleep(0.5)
            found = shows(text)
        print(found)
        tmux("send-keys", "-t", NAME, "Escape")
        tmux("send-keys", "-t", NAME, "q")
    finally:
        subprocess.run(["tmux", "kill-session", "-t", NAME], check=False, capture_output=True)


if __name__ == "__main__":
    main()
