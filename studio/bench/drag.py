"""How many pictures a second the server gives while a uniform is dragged: `python studio/bench/drag.py [VERTICES] [--socket]`.

Counted is what a page waits for: controls, run, colours, flags and the packed frame; with `--socket` also the way to a client
in the same process. No time is judged.
"""

from __future__ import annotations

import argparse
import json
import socket
import statistics
import threading
import time
from typing import Any

import uvicorn
from lanewise.core.diagnostics import InputError
from websockets.sync.client import connect
from websockets.typing import Origin

from lanewise_studio.app import Start, application, configuration
from lanewise_studio.asks import Ask, Desk
from lanewise_studio.examples import EXAMPLES
from lanewise_studio.stop import Stop

_FRAMES = 90


def main() -> None:
    parser = argparse.ArgumentParser(description="Pictures a second while a uniform is dragged.")
    parser.add_argument("vertices", type=int, nargs="?", default=100_000)
    parser.add_argument("--socket", action="store_true", help="through a socket, as a page gets them")
    given = parser.parse_args()
    for example in EXAMPLES:
        state = {**example.state, "mesh": {"name": "torus", "detail": given.vertices}}
        try:
            seconds, size, cpu = through_socket(state) if given.socket else direct(state)
        except InputError as error:  # such as GLSL without a compiler
            print(f"{example.name:12} {error}")
            continue
        usual, slow = statistics.median(seconds), sorted(seconds)[int(len(seconds) * 0.95)]
        print(
            f"{example.name:12} {1 / usual:7.1f} a second, {usual * 1e3:6.2f} ms (95 %: {slow * 1e3:.2f} ms), "
            f"{cpu * 1e3:.2f} ms of CPU, {size:,} bytes"
        )


def direct(state: Any) -> tuple[list[float], int, float]:
    """Seconds of each picture, the bytes of one, and the seconds of CPU that one takes."""
    desk, sent = Desk({}), list[Any]()
    desk.answer(Ask(0, "evaluate", {"state": state, "panes": ["data"]}, sent.append, Stop()))
    found: list[float] = []
    began = 0.0
    for number in range(_FRAMES + 5):
        sent.clear()
        started = time.perf_counter()
        desk.answer(Ask(number, "uniforms", {"camera": {"yaw": number * 0.02}}, sent.append, Stop()))
        found.append(time.perf_counter() - started)
        if number == 4:
            began = time.process_time()
    return found[5:], len(sent[0]), (time.process_time() - began) / _FRAMES


def through_socket(state: Any) -> tuple[list[float], int, float]:
    """The same through a server of this machine."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = int(listening.getsockname()[1])
    server = uvicorn.Server(configuration(application(Start(token="bench"), port)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    headers = [("Cookie", f"lanewise-studio-{port}=bench")]
    found: list[float] = []
    began = 0.0
    size = 0
    with connect(
        f"ws://127.0.0.1:{port}/room",
        origin=Origin(f"http://127.0.0.1:{port}"),
        additional_headers=headers,
        max_size=None,
        compression=None,
    ) as page:
        page.recv()
        page.send(json.dumps({"id": 0, "ask": "evaluate", "state": state, "panes": ["data"]}))
        while "done" not in json.loads(page.recv()):
            pass
        for number in range(1, _FRAMES + 6):
            started = time.perf_counter()
            page.send(json.dumps({"id": number, "ask": "uniforms", "camera": {"yaw": number * 0.02}}))
            size = len(page.recv())
            found.append(time.perf_counter() - started)
            if number == 5:
                began = time.process_time()
        cpu = (time.process_time() - began) / _FRAMES
    server.should_exit = True
    thread.join(30)
    return found[5:], size, cpu


if __name__ == "__main__":
    main()
