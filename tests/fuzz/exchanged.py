"""Files that one run of lanewise writes and another reads: records of campaigns, and answers to test vectors."""

from __future__ import annotations

import json
import re
import tempfile
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzz.mutation import Seed, mutate_bytes, mutate_text
from lanewise.core.vectors import flat, lines
from lanewise.core.vectors.model import Suite
from lanewise.distributed.campaign import Done, Outcome
from lanewise.distributed.fuzzing import fuzz_campaign
from lanewise.distributed.optimising import campaign_of
from lanewise.distributed.record import RecordFile
from lanewise.packages import package_of
from lanewise.tools.vectors_suites import make_suite

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

_CASES = 12
_LARGEST_PIECE = 2  # programs: what a record leaves out is run


@cache
def records(program: bytes) -> list[Seed]:
    """Records of `lanewise fuzz`, and of `lanewise opt` for a program beside them; whole, and without the last piece."""
    difference: dict[str, Any] = {"program": 3, "where": "o0", "reference": "1", "compiled": "2", "budget": 9}
    kept: dict[str, Any] = {"number": 0, "name": "pass.v.pica", "moves": {"x": 1}, "binary": "RFZMQg=="}
    kept |= {key: {"before": 7, "after": 6} for key in ("words", "descriptors", "constants")}
    counts = {"programs": 2, "compiled": 2, "vertices": 3, "ended": 3, "differences": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pass.v.pica")
        path.write_bytes(program)
        found: list[Seed] = []
        for campaign, outcomes in (
            (
                fuzz_campaign("pica200", 1, 0, 4, size=2),
                [Outcome(counts, 5, {"budget": 1}, [difference]), Outcome(counts, 6, {}, [])],
            ),
            (
                campaign_of([[str(path)]], {}, "", record=f"{folder}/x"),
                [Outcome({"programs": 1, "before": 7, "after": 6, "errors": 0}, 7, {}, [kept])],
            ),
        ):
            place = Path(folder, f"{campaign.work}.record")
            with RecordFile.create(place, campaign) as record:
                for piece, outcome in enumerate(reversed(outcomes)):
                    record.add(
                        Done(piece=len(outcomes) - 1 - piece, outcome=outcome, worker="this process", seconds=1.5, busy=1.25)
                    )
            data = place.read_bytes()
            found += [Seed("x.record", data), Seed("x.record", data[: data.rindex(b"\n", 0, -1) + 1])]
    return found


def mutate_record(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """A record with a few edits; two in three have the checks of what they say then."""
    data = mutate_text(rng, seed, seeds)
    if rng.random() < 1 / 3:
        return data
    key, sealed = b"", list[bytes]()
    for line in data.split(b"\n"):
        try:
            found: Any = json.loads(line)
            found.pop("check", None)
            if not sealed and isinstance(found.get("size"), int):
                found["size"] = min(found["size"], _LARGEST_PIECE)
            text = json.dumps(found, separators=(",", ":")).encode()
        except (AttributeError, TypeError, ValueError, RecursionError):
            sealed.append(line)
            continue
        check = blake2b(text, key=key, digest_size=8).hexdigest()
        key = key or check.encode()
        sealed.append(json.dumps({**found, "check": check}, separators=(",", ":")).encode())
    return b"\n".join(sealed)


@cache
def suite() -> Suite:
    """A few cases of each shape."""
    package = package_of("pica200")
    if package.vectors is None:
        raise AssertionError("the PICA200 has test vectors")
    whole = make_suite(package.vectors(), ("state",), 1, "hardware")
    some = [
        case._replace(job=case.job._replace(number=n))
        for n, case in enumerate(whole.cases[:: max(1, len(whole.cases) // _CASES)][:_CASES])
    ]
    identity = flat.read(flat.suite_bytes(Suite(whole.identity, tuple(some)))).identity
    return Suite(identity, tuple(some))


@cache
def answers() -> list[Seed]:
    """Answers to the suite, right and wrong ones, as words and as lines."""
    made = suite()
    right = {case.job.number: case.expected for case in made.cases}
    wrong = {number: made.cases[-1 - number].expected for number in right}
    found: list[Seed] = []
    for given in (right, wrong):
        words = b"".join([flat.answer_bytes(number, outcome) for number, outcome in given.items()])
        found.append(Seed("answers.lwv", flat.header_bytes(made.identity) + words + flat.record(flat.END, ())))
        found.append(Seed("answers.jsonl", lines.answer_text(made.identity, given).encode()))
    return found


def mutate_answers(rng: random.Random, seed: Seed, seeds: Sequence[Seed]) -> bytes:
    """Answers of one form; the header is left alone in half of them, as nothing is read with another one."""
    alike = [other for other in seeds if other.name == seed.name]
    text = seed.name.endswith("jsonl")
    mutate = mutate_text if text else mutate_bytes
    if rng.random() < 0.5:
        return mutate(rng, seed, alike)
    header = seed.data.find(b"\n") + 1 if text else _header(seed.data)
    return seed.data[:header] + mutate(rng, seed._replace(data=seed.data[header:]), alike)


def _header(data: bytes) -> int:
    """Where the answers begin: after the texts."""
    place = re.search(rb"variant=[^\n]*\n\0*", data)
    return place.end() if place is not None else 0


__all__ = ["answers", "mutate_answers", "mutate_record", "records", "suite"]
