"""`lanewise studio` as a process: what starts a browser, and Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pages import Page, Running

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[2]
# A browser that says what it is started with, and work that never ends.
_STUDIO = """
import sys
import threading
from lanewise.tools.cli import main
from lanewise_studio import app, asks
app.webbrowser.open = lambda address: print(address, flush=True)
def busy(desk, ask):
    ask.pane("begun", 1)
    threading.Event().wait()
asks.Desk.answer = busy
sys.exit(main(["studio", *sys.argv[1:]]))
"""


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    import lanewise

    import lanewise_studio

    folders = [str(Path(str(package.__file__)).parents[1]) for package in (lanewise_studio, lanewise)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    with subprocess.Popen(
        [sys.executable, "-c", _STUDIO, str(REPOSITORY / "examples" / "transform.v.pica"), "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as found:
        yield found
        found.kill()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent to a process: POSIX only")
def test_a_browser_is_started_without_a_key_and_ctrl_c_ends_what_works(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None and process.stderr is not None
    link, started = process.stdout.readline().strip(), process.stdout.readline().strip()
    port = int(link.split(":")[2].partition("/")[0])
    assert started.startswith("file:") and "key" not in started
    file = Path(started.removeprefix("file://"))
    key = re.findall(r'value="([\w-]+)"', file.read_text())[0]
    assert f'action="http://127.0.0.1:{port}/enter"' in file.read_text() and key not in link
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/enter", f"key={key}", {"Origin": "null"})
    cookie = str(connection.getresponse().getheader("set-cookie")).partition(";")[0]
    page = Page(Running(port, cookie.partition("=")[2], None))
    page.send("rows")
    assert "begun" in str(page.socket.recv(timeout=60))
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert "Traceback" not in process.stderr.read()
    assert not file.parent.exists()


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent to a process: POSIX only")
def test_ctrl_c_before_the_server_runs_ends_it() -> None:
    """While the link is shown, and thus before there is an event loop, in which the interrupt would come up anywhere."""
    from lanewise_studio.app import Start, serve

    before = signal.getsignal(signal.SIGINT)
    shown: list[str] = []

    def announce(link: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        shown.append(link)

    serve(Start(port=0, browser=False), announce)
    assert len(shown) == 1
    assert signal.getsignal(signal.SIGINT) == before


def test_the_usual_port_is_taken_first_and_a_free_one_else() -> None:
    """So that a browser finds the session of the last visit, which belongs to the port."""
    from lanewise_studio.app import USUAL_PORT, bind

    with socket.socket() as first, socket.socket() as second:
        bind(first, 0)
        first.listen()
        bind(second, 0)
        ports = [int(each.getsockname()[1]) for each in (first, second)]
        assert ports[1] not in (0, USUAL_PORT, ports[0])
        with pytest.raises(OSError, match="use"), socket.socket() as third:
            bind(third, ports[0])
