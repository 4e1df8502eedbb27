"""Conversations with the servers, in this process: the language server, the debug adapter, a room of the studio.

A file has a message on each line. What a server sends is printed as JSON. A request without an answer raises `Silent`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from fuzz.mutation import Seed
from pica200_frames import triangle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Message = dict[str, Any]

DATA = b"{data}"  # in a message: the folder with the files of `kinds.support`
_SHADER = (
    "; lanewise\n.out place position\n.in position\n.fvec scale\n.proc main\n    mul place, scale, position\n    end\n.end\n"
)


class Server(NamedTuple):
    """A server: what talks to it, and conversations to begin with. `packages` have to be installed."""

    talk: Callable[[Sequence[bytes]], list[Any]]
    conversations: Callable[[], Sequence[Sequence[Message]]]
    packages: tuple[str, ...] = ()


def serve(name: str, path: str, data: str) -> int:
    """Hold the conversation of a file, and print what the server says."""
    for message in SERVERS[name].talk(_lines(path, data)):
        print(json.dumps(message), file=sys.stderr)
    return 0


def framed(path: str, data: str) -> bytes:
    """The conversation of a file as an editor sends it."""
    return b"".join([b"Content-Length: %d\r\n\r\n%b" % (len(line), line) for line in _lines(path, data)])


def _lines(path: str, data: str) -> list[bytes]:
    lines = Path(path).read_bytes().replace(DATA, json.dumps(data)[1:-1].encode()).split(b"\n")
    return [line for line in lines if line.strip()]


def seeds(name: str) -> list[Seed]:
    """The conversations of a server as files."""
    return [
        Seed("talk.jsonl", "\n".join([json.dumps(message) for message in talk]).encode())
        for talk in SERVERS[name].conversations()
    ]


def _read(line: bytes) -> Message:
    """A message, if a line is one."""
    with suppress(ValueError, RecursionError):
        found: object = json.loads(line.decode("utf-8", "replace"))
        if isinstance(found, dict):
            return cast("Message", found)
    return {}


class Silent(Exception):
    """A server has not answered."""


def _expect(asked: Mapping[int, str], answered: set[object]) -> None:
    left = [kind for number, kind in asked.items() if number not in answered]
    if left:
        raise Silent(f"no answer to {left[0][:40]!r}")


# The language server


def _language_server(lines: Sequence[bytes]) -> list[Any]:
    import logging

    from lanewise.lsp.server import NoSentences
    from lsp_messages import talk

    log = logging.StreamHandler(sys.stderr)
    log.addFilter(NoSentences())
    logging.basicConfig(level=logging.ERROR, handlers=[log], force=True)  # as `lanewise lsp` does
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs what it answers with an error
    texts = [line.decode("utf-8", "replace") for line in lines if _read(line).get("method") != "exit"]
    sent = talk(texts)
    messages = [_read(line) for line in lines]
    asked = {m["id"]: m["method"] for m in messages if type(m.get("id")) is int and isinstance(m.get("method"), str)}
    asked.pop(next((m["id"] for m in messages if m.get("method") == "shutdown" and m.get("id") in asked), None), None)
    _expect(asked, {each.get("id") for each in sent if "method" not in each})
    return sent


def _editor() -> list[list[Message]]:
    found: list[list[Message]] = []
    for name, text in (
        ("a.v.pica", _SHADER),
        ("a.sc", "mov r0.xyzw, v0.xyzw\nmov o0.xyzw, r0.xyzw\nend\n"),
        ("a.vsa", "vs_2_0\ndcl_position v0\nmul r0, v0, c0\nmov oPos, r0\n"),
    ):
        document = {"uri": f"file:///{name}"}
        at: Message = {"textDocument": document, "position": {"line": 1, "character": 5}}
        span = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 3}}
        within = {"textDocument": document, "range": span}
        style = {"tabSize": 4, "insertSpaces": True}
        asks: list[tuple[str, Message]] = [
            ("hover", at),
            ("definition", at),
            ("references", {**at, "context": {"includeDeclaration": True}}),
            ("documentHighlight", at),
            ("prepareRename", at),
            ("rename", {**at, "newName": "other"}),
            ("completion", {**at, "context": {"triggerKind": 1}}),
            ("signatureHelp", at),
            ("formatting", {"textDocument": document, "options": style}),
            ("rangeFormatting", {**within, "options": style}),
            ("documentSymbol", {"textDocument": document}),
            ("foldingRange", {"textDocument": document}),
            ("selectionRange", {"textDocument": document, "positions": [at["position"]]}),
            ("semanticTokens/full", {"textDocument": document}),
            ("semanticTokens/range", within),
            ("codeAction", {**within, "context": {"diagnostics": []}}),
            ("codeLens", {"textDocument": document}),
            ("inlayHint", within),
        ]
        opened = {"textDocument": {**document, "languageId": name.rpartition(".")[2], "version": 1, "text": text}}
        changed = {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": text + "nop\n"}]}
        commands = [
            ("lanewise.explain", ["V096"]),
            ("lanewise.isa", [document["uri"], "mov"]),
            ("lanewise.optimise", [document["uri"], False]),
        ]
        commands += [("lanewise.disassemble", [document["uri"]]), ("lanewise.graph", [document["uri"], "", "svg"])]
        begin = _begin("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 0)
        start = [begin, _begin("initialized", {}), _begin("textDocument/didOpen", opened)]
        requests = [(f"textDocument/{kind}", given) for kind, given in asks]
        requests += [("workspace/symbol", {"query": "a"}), ("lanewise/disassembly", document)]
        requests += [("workspace/executeCommand", {"command": command, "arguments": given}) for command, given in commands]
        changes = [_begin("textDocument/didChange", changed), _begin("textDocument/didClose", {"textDocument": document})]
        for part in range(0, len(requests), 5):
            asked = [_begin(method, given, number) for number, (method, given) in enumerate(requests[part : part + 5], 1)]
            found.append([*start, *asked[:3], changes[0], *asked[3:], *changes[1:]])
    return found


def _begin(method: str, params: Message, number: int | None = None) -> Message:
    return {"jsonrpc": "2.0", **({} if number is None else {"id": number}), "method": method, "params": params}


# The debug adapter


def _debug_adapter(lines: Sequence[bytes]) -> list[Any]:
    import io

    from lanewise.dap import framing
    from lanewise.dap.adapter import Adapter
    from lanewise.tools.dap import open_session

    sent: list[Any] = []
    folder = Path.cwd()
    adapter = Adapter(sent.append, lambda: None, open_session)
    asked: dict[int, str] = {}
    try:
        for line in lines:
            message = framing.read(io.BytesIO(b"Content-Length: %d\r\n\r\n" % len(line) + line))
            if message is None or adapter.ended:
                break
            if isinstance(message, dict) and message.get("type") == "request" and type(number := message.get("seq")) is int:
                asked[number] = str(message.get("command"))
            adapter.handle(message)
    finally:
        os.chdir(folder)
    _expect(asked, {each.get("request_seq") for each in sent})
    return sent


def _debugger() -> list[list[Message]]:
    source = {"path": "{data}/pass.v.pica"}
    launch: Message = {
        "program": "{data}/pass.v.pica",
        "inputs": {"position": [[1, 2, 3, 4]], "color": [[1, 1, 1, 1]]},
        "uniforms": {"scale": [1, 2, 3, 4]},
        "stopOnEntry": True,
    }
    looks: list[tuple[str, Message]] = [
        ("threads", {}),
        ("stackTrace", {"threadId": 1}),
        ("scopes", {"frameId": 1}),
        ("variables", {"variablesReference": 1}),
        ("evaluate", {"expression": "r0.x + 1", "frameId": 1, "context": "watch"}),
        ("next", {"threadId": 1}),
        ("stepBack", {"threadId": 1}),
        ("setVariable", {"variablesReference": 1, "name": "r0.x", "value": "2"}),
        ("disassemble", {"memoryReference": "0", "instructionCount": 4}),
        ("completions", {"text": "r", "column": 2, "frameId": 1}),
        ("source", {"source": source, "sourceReference": 0}),
        ("loadedSources", {}),
        ("gotoTargets", {"source": source, "line": 7}),
        ("dataBreakpointInfo", {"name": "r0", "variablesReference": 1}),
        ("exceptionInfo", {"threadId": 1}),
        ("modules", {}),
        ("readMemory", {"memoryReference": "0", "count": 4}),
        ("continue", {"threadId": 1}),
        ("reverseContinue", {"threadId": 1}),
        ("lanewise/timeline", {}),
        ("restart", {}),
        ("disconnect", {}),
    ]
    begin: list[tuple[str, Message]] = [
        ("initialize", {"adapterID": "lanewise", "linesStartAt1": True}),
        ("launch", launch),
        ("setBreakpoints", {"source": source, "breakpoints": [{"line": 7}, {"line": 8, "condition": "r0.x > 1"}]}),
        ("setExceptionBreakpoints", {"filters": ["nan", "end"]}),
        (
            "setExceptionBreakpoints",
            {"filters": ["end"], "filterOptions": [{"filterId": "query", "condition": "changes r0.x"}]},
        ),
        ("lanewise/causes", {"threadId": 1, "name": "position.x"}),
        ("lanewise/until", {"threadId": 1, "query": "differs azahar"}),
        ("lanewise/untilBack", {"threadId": 1, "query": "nan"}),
        ("configurationDone", {}),
    ]
    return [_numbered([*begin, *looks[part : part + 5], looks[5]]) for part in range(0, len(looks), 4)]


def _numbered(rows: Sequence[tuple[str, Message]]) -> list[Message]:
    return [
        {"seq": number, "type": "request", "command": command, "arguments": given}
        for number, (command, given) in enumerate(rows, 1)
    ]


# A room of the studio


def _room(lines: Sequence[bytes]) -> list[Any]:
    desk: Any = import_module("lanewise_studio.asks").Desk
    room: Any = import_module("lanewise_studio.rooms").Room
    sent: list[Any] = []

    async def hold() -> None:
        arrived: asyncio.Queue[Message] = asyncio.Queue()
        answered = asyncio.Event()

        class Socket:
            """The socket of a page."""

            async def accept(self) -> None:
                pass

            async def receive(self) -> Message:
                return await arrived.get()

            async def send_text(self, text: str) -> None:
                sent.append(json.loads(text))
                if not {"progress", "hello"} & sent[-1].keys():
                    answered.set()

            async def send_bytes(self, data: bytes) -> None:
                answered.set()

        serving: asyncio.Task[None] = asyncio.create_task(room(Socket(), {}, desk({"a.ctf": triangle().citrace()})).serve())
        for line in lines:
            answered.clear()
            arrived.put_nowait({"type": "websocket.receive", "text": line.decode("utf-8", "replace")})
            await answered.wait()
        arrived.put_nowait({"type": "websocket.disconnect"})
        await serving

    asyncio.run(hold())
    return [each for each in sent if "internal error" in str(each.get("fault", ""))]


def _page() -> list[list[Message]]:
    state: Message = {
        "files": [{"name": "a.v.pica", "text": _SHADER}],
        "mesh": {"name": "cube"},
        "entry": "",
        "profile": "hardware",
        "set": "",
        "inputs": {"position": [1, 2, 3]},
        "uniforms": {"scale": [1, 1, 1, 1]},
        "screen": "",
        "cull": "back",
        "topology": "triangles",
        "options": {},
        "camera": {"yaw": 0.5, "target": [0, 0, 0], "fov": 50, "near": 0.1, "far": 100},
        "color": "",
    }
    asks: list[tuple[str, Message]] = [
        ("rows", {"first": 0, "count": 20}),
        ("upload", {"name": "a.obj", "data": "diAwIDAgMAp2IDEgMCAwCnYgMCAxIDAKZiAxIDIgMwo="}),
        ("why", {}),
        ("pick", {"pixel": [100, 100]}),
        ("pick", {"triangle": 3}),
        ("paths", {}),
        ("trace", {"thread": 0, "first": 0, "stage": ""}),
        ("step", {"thread": 0, "position": 1}),
        ("seek", {"thread": 0, "position": 0, "back": False, "place": "place.x"}),
        ("explain", {"thread": 0, "position": 1, "place": "place.x"}),
        ("wave", {"thread": 0, "stage": ""}),
        ("compare", {"other": state}),
        ("compiled", {"target": "pica200"}),
        ("diff", {"other": state}),
        ("open", {"text": "# studio: abc"}),
        ("presets", {}),
        ("timeline", {}),
        ("frame", {"file": "a.ctf"}),
        ("draw", {"file": "a.ctf", "number": 0, "name": ""}),
        ("thumbnail", {"file": "a.ctf", "number": 0}),
        ("thumbnail", {"file": "a.ctf", "number": 0, "state": {**state, "draw": {"file": "a.ctf", "number": 0}}}),
        ("compare", {"other": {**state, "draw": {"file": "a.ctf", "number": 0}}}),
        ("apart", {"file": "a.ctf", "profile": "hardware", "set": "", "against": "azahar"}),
    ]
    first = ("evaluate", {"state": state, "panes": ["source", "words", "data"]})
    found = [[first, *asks[part : part + 3]] for part in range(0, len(asks), 3)]
    return [[{"id": number, "ask": kind, **given} for number, (kind, given) in enumerate(rows, 1)] for rows in found]


_SERVERS = {
    "lsp": Server(_language_server, _editor, ("pygls",)),
    "dap": Server(_debug_adapter, _debugger),
    "room": Server(_room, _page, ("lanewise_studio", "starlette")),
}


@cache
def _installed(packages: tuple[str, ...]) -> bool:
    return all(find_spec(package) is not None for package in packages)


SERVERS = {name: server for name, server in _SERVERS.items() if _installed(server.packages)}

__all__ = ["DATA", "SERVERS", "Server", "Silent", "framed", "seeds", "serve"]
