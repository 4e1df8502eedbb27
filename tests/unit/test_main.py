"""The end of a command that is a process: nothing is lost by not taking the interpreter apart."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from corpus import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
    "PYTHONPATH": str(REPOSITORY / "src"),
}


def python(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def finished(before: str, code: int = 3) -> subprocess.CompletedProcess[str]:
    return python("-c", f"import sys\nfrom lanewise.__main__ import finish\n{before}\nfinish({code})")


def test_the_output_and_the_exit_code_arrive():
    run = finished("print('x' * 100_000)\nprint('y' * 100_000, file=sys.stderr)")
    assert (run.returncode, len(run.stdout.strip()), len(run.stderr.strip())) == (3, 100_000, 100_000)


def test_the_interpreter_is_not_taken_apart():
    run = finished("class Last:\n    def __del__(self): print('taken apart')\nlast = Last()")
    assert (run.returncode, run.stdout) == (3, "")


def test_exit_functions_run_once():
    run = finished("import atexit\natexit.register(print, 'exit function')")
    assert (run.returncode, run.stdout) == (3, "exit function\n")


def test_a_running_thread_ends_first():
    """It waits for the main thread, so it runs after `finish` was called."""
    thread = "threading.main_thread().join(), print('thread')"
    run = finished(f"import threading\nthreading.Thread(target=lambda: ({thread})).start()")
    assert (run.returncode, run.stdout) == (3, "thread\n")


def test_a_thread_that_nothing_waits_for_is_not_waited_for():
    """Nor is the interpreter taken apart for it: a tenth of a second where Dask has such threads, which is a second on a busy
    machine."""
    last = "class Last:\n    def __del__(self): print('taken apart')\nlast = Last()"
    run = finished(f"import threading\n{last}\nthreading.Thread(target=threading.Event().wait, daemon=True).start()")
    assert (run.returncode, run.stdout) == (3, "")


def test_a_profile_is_printed():
    run = python("-m", "cProfile", "-m", "lanewise", "--version")
    assert run.returncode == 0
    assert "function calls" in run.stdout


def test_closed_output_is_reported_by_the_interpreter():
    run = finished("print('lost')\nimport os\nos.close(1)", 0)
    assert run.returncode == 120
    assert "OSError" in run.stderr


def test_commands_as_processes(tmp_path: Path):
    (tmp_path / "bad.v.pica").write_text(".proc main\n  nonsense\n.end\n")
    run = python("-m", "lanewise", "asm", "bad.v.pica", folder=tmp_path)
    assert run.returncode == 1
    assert "nonsense" in run.stderr
    run = python("-c", "from lanewise.__main__ import picasso; picasso()", "--version")
    assert run.returncode == 0
    assert run.stdout.startswith("lanewise-picasso ")


def test_the_scripts_are_those_of_this_module():
    import tomllib

    scripts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"lanewise": "lanewise.__main__:lanewise", "lanewise-picasso": "lanewise.__main__:picasso"}


def test_ctrl_c_while_a_command_is_imported():
    interrupting = """import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "lanewise.tools.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from lanewise.__main__ import lanewise
lanewise()
"""
    run = python("-c", interrupting)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "lanewise: error: interrupted\n")


def test_a_link_named_picasso_is_the_drop_in():
    """Makefiles of devkitPro call `picasso`."""
    start = "import sys\nfrom lanewise.__main__ import lanewise\nsys.argv = ['/opt/bin/{}', '-v']\nlanewise()"
    assert python("-c", start.format("picasso")).stdout.startswith("lanewise-picasso ")
    assert not python("-c", start.format("lanewise")).stdout.startswith("lanewise-picasso ")
