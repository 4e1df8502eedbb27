"""Work of campaigns in tests: a module of its own, which worker processes can import."""

from __future__ import annotations

import json
import os
import signal
import time
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanewise.distributed import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping


def part(number: int) -> int:
    return int.from_bytes(blake2b(str(number).encode(), digest_size=16).digest())


def resealed(lines: list[bytes]) -> bytes:
    """Lines of a record with checks that fit, as somebody writes them who wants to be believed."""
    found: list[bytes] = []
    first = b""
    for line in lines:
        one = json.loads(line)
        one.pop("check", None)
        seal = blake2b(json.dumps(one, separators=(",", ":")).encode(), key=first, digest_size=8).hexdigest()
        found.append(json.dumps({**one, "check": seal}, separators=(",", ":")).encode() + b"\n")
        first = first or seal.encode()
    return b"".join(found)


def counts(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Counts items. Every `odd`th is a finding."""
    numbers = range(first, first + count)
    odd = options.get("odd", 0)
    found: list[dict[str, Any]] = [{"number": number} for number in numbers if odd and number % odd == odd - 1]
    return Outcome({"items": count, "sum": sum(numbers)}, sum(map(part, numbers)) % (1 << 128), {"even": count // 2}, found)


def fails(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Fails for the piece of item 7."""
    if first <= 7 < first + count:
        raise ArithmeticError("seven")
    return counts(options, first, count)


def dies_once(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Kills its process in the piece of item 40, the first time that is done."""
    place = Path(options["place"])
    if first <= 40 < first + count and not place.exists():
        place.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)
    return counts(options, first, count)


def dies(options: Mapping[str, Any], first: int, count: int) -> Outcome:
    """Kills its process in the piece of item 40, each time."""
    if first <= 40 < first + count:
        os.kill(os.getpid(), signal.SIGKILL)
    return counts(options, first, count)
