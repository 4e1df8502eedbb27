"""What the process of `lanewise fuzz` does in tests: a module of its own, which a process that is started can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from lanewise.core.fuzzing import Compared, Difference, Reduced
from lanewise.pica200.api.services.fuzz_case import case_source
from lanewise.pica200.engine.differential import ROOM
from lanewise.pica200.engine.random_programs import case
from lanewise.pica200.engine.reduce import reduced
from lanewise.pica200.isa.codec import decode

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

WRONG = Difference("o1 of vertex 0", "000000 000000 000000 000000", "3F0000 000000 000000 000000", ROOM)


def finds(connection: Connection, seed: int, first: int, last: int, level: str) -> None:
    """Pretends that the second program differs."""
    for number in range(first, last):
        one = case(seed, number)
        wrong = number == first + 1
        connection.send(
            Compared(
                number=number,
                reason="because of 0x12 reasons (many)" if not wrong else "",
                lanes=one.lanes,
                ended=1,
                difference=WRONG if wrong else None,
            )
        )
        if wrong:
            small = reduced(one, lambda candidate: any(decode(word).op.base == "mov" for word in candidate.words))
            command = f"lanewise fuzz --seed {seed} --first {number} --programs 1"
            source = case_source(small, WRONG, f"fuzz-{seed}-{number}", command)
            connection.send(Reduced(source, ".v.pica", len(small.words), WRONG))


def dies(connection: Connection, seed: int, first: int, last: int, level: str) -> None:
    if first == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    for number in range(first, last):
        connection.send(Compared(number=number, reason="", lanes=1, ended=1, difference=None))
    time.sleep(60)


def dies_once(connection: Connection, seed: int, first: int, last: int, level: str) -> None:
    """Is ended from outside in its second program, the first time."""
    place = Path(os.environ["FUZZ_TEST"])
    for number in range(first, last):
        if number == 1 and not place.exists():
            place.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        connection.send(Compared(number=number, reason="", lanes=1, ended=1, difference=None))
    time.sleep(60)


def interrupts(connection: Connection, seed: int, first: int, last: int, level: str) -> None:
    """Sends the signal to the process that asks, once it listens: a pipe has no room for so much that nobody reads."""
    for number in range(first, first + 5000):
        connection.send(Compared(number=number, reason="", lanes=1, ended=1, difference=None))
    os.kill(os.getppid(), int(os.environ["FUZZ_TEST"]))
    time.sleep(60)
