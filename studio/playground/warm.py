"""What Python of the playground has done before its memory is kept. `memory.mjs` runs it in Pyodide, twice.

The first Python answers everything that a page asks, which says what it imports. The second imports only that, already
compiled, and answers the examples: its memory has hardly anything that was freed again.
"""

from __future__ import annotations

import gc
import json
import sys
import zipfile
import zipimport
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from answers import Desk

_BROKEN = {"files": [{"name": "broken.v.pica", "text": ".proc main\n  moov outpos, v0\nend\n.end\n"}]}
_UNCHECKED_HASH = (1).to_bytes(4, "little") + bytes(8)  # a compiled file that is never compared with its source


def first(examples: Sequence[Mapping[str, Any]]) -> str:
    """The modules that the answers need, and the answers to the examples: JSON, lists of messages by name."""
    before = {*sys.modules}
    answers = import_module("answers")
    desk = answers.Desk(examples)
    recorded = {"hello": [json.loads(desk.hello())]}
    for example in examples:
        recorded[example["name"]] = answered(desk, example["state"])
        _other(desk, example["state"])
    for name in ("", "mad", "V012"):
        _asked(desk, "reference", isa="", name=name)
    _asked(desk, "evaluate", state=_BROKEN)
    return json.dumps({"modules": [name for name in sys.modules if name not in before], "recorded": recorded})


def second(examples: Sequence[Mapping[str, Any]], modules: Sequence[str]) -> Desk:
    """A desk that has read nothing yet, in a Python that has answered the examples."""
    for name in modules:
        import_module(name)
    answers = import_module("answers")
    desk = answers.Desk(examples)
    desk.hello()
    for example in examples:
        answered(desk, example["state"])
    desk = answers.Desk(examples)
    gc.collect()
    return desk


def answered(desk: Desk, state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a page shows of a program: its panes, and the steps of its first vertex."""
    return _asked(desk, "evaluate", state=state) + _asked(desk, "trace", thread=0, first=0)


def _other(desk: Desk, state: Mapping[str, Any]) -> None:
    """Whatever else can be asked of the program that was read last."""
    for steps in _asked(desk, "trace", thread=0, first=0):
        for place in [*steps["value"]["results"].values()][:1]:
            _asked(desk, "explain", thread=0, position=2, place=place)
    _asked(desk, "seek", thread=0, position=0, query="nan")
    source = next(message["value"] for message in _asked(desk, "evaluate", state=state) if message["pane"] == "source")
    for offer in source["offers"]:
        ask, _, to = offer.partition(" ")
        _asked(desk, ask, to=to, file=state["files"][0]["name"])
    for answer in _asked(desk, "assemble"):
        _asked(desk, "open", name=answer["value"]["name"], data=answer["value"]["data"])


def _asked(desk: Desk, ask: str, **more: object) -> list[dict[str, Any]]:
    """The panes of an answer."""
    messages = [json.loads(text) for text in desk.answer(json.dumps({"id": 0, "ask": ask, **more}))]
    return [message for message in messages if "pane" in message]


def compiled(path: str, target: str) -> None:
    """Write an archive as another one, with its modules compiled."""
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w") as out:
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith(".py"):
                code = compile(content, f"{path}/{name}", "exec", dont_inherit=True)
                out.writestr(f"{name}c", MAGIC_NUMBER + _UNCHECKED_HASH + dumps(code))
            else:
                out.writestr(name, content)


def loaded() -> str:
    """The files of the modules that are there, as they are in archives: JSON. What is known of archives is forgotten: they
    will be others, of what is not loaded."""
    files = [str(getattr(module, "__file__", None) or "") for module in sys.modules.values()]
    zipimport._zip_directory_cache.clear()  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage, reportUnknownMemberType]
    sys.path_importer_cache.clear()
    return json.dumps(sorted({name.partition(".zip/")[2].removesuffix("c") for name in files if ".zip/" in name}))


__all__ = ["answered", "compiled", "first", "loaded", "second"]
