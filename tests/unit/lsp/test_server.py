"""Failures of the server itself: a sentence, once, and an answer to every request."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import converters
from lsprotocol import types as t

from lanewise.core.service import UsageError
from lanewise.lsp.documents import Rules
from lanewise.lsp.features import wire
from lanewise.lsp.server import Host, NoSentences, Sentence, Server

if TYPE_CHECKING:
    from collections.abc import Sequence

URI = "file:///a.sc"


class Wire:
    """What the server writes."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        pass

    def said(self) -> list[str]:
        return [sent["params"]["message"] for sent in self.sent if sent.get("method") == "window/showMessage"]


class Wrong(Host):
    def rules(self, path: str) -> Rules:
        raise UsageError("lanewise.toml: unknown key 'x'")


def talk(messages: Sequence[Any], host: Host | None = None, capabilities: t.ClientCapabilities | None = None) -> Wire:
    """Send messages one after the other, each after the texts have settled."""
    converter, wires = converters.get_converter(), Wire()

    async def run() -> None:
        server = Server(host or Host(), "1")
        wire(server)
        server.protocol.set_writer(wires)  # pyright: ignore[reportUnknownMemberType]
        start = t.InitializeRequest(0, t.InitializeParams(capabilities=capabilities or t.ClientCapabilities()))
        for message in (start, *messages):
            data = json.dumps(converter.unstructure(message))
            server.protocol.handle_message(json.loads(data, object_hook=server.protocol.structure_message))  # pyright: ignore[reportUnknownMemberType]
            for uri in [*server.documents.texts]:
                await server.fresh(uri)
            await asyncio.sleep(0.01)
        server.shutdown()

    asyncio.run(run())
    return wires


def opened(text: str = "end\n") -> t.DidOpenTextDocumentNotification:
    return t.DidOpenTextDocumentNotification(t.DidOpenTextDocumentParams(t.TextDocumentItem(URI, "shadercore", 1, text)))


def changed(version: int) -> t.DidChangeTextDocumentNotification:
    document = t.VersionedTextDocumentIdentifier(uri=URI, version=version)
    return t.DidChangeTextDocumentNotification(
        t.DidChangeTextDocumentParams(document, [t.TextDocumentContentChangeWholeDocument("end\n")])
    )


class Linked(Host):
    def rules(self, path: str) -> Rules:
        raise UsageError("[open](command:workbench.action.quit).toml: unknown key\x1b[2J")


def test_messages_have_no_links_and_no_control_characters():
    (text,) = talk([opened()], Linked()).said()
    assert "[open] (command:workbench.action.quit).toml: unknown key\\x1b[2J" in text
    assert str(Sentence("the label [a](command:b)")) == "the label [a] (command:b)"


def test_a_fault_is_told_once(monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("lanewise.lsp.documents.analysed", broken)
    wires = talk([opened(), changed(2), changed(3)])
    assert len(wires.said()) == 1
    assert "ZeroDivisionError: oops" in wires.said()[0]
    assert "Traceback" not in json.dumps(wires.sent)


def test_a_request_that_fails_has_a_sentence_for_an_answer(monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("lanewise.lsp.outline.folds", broken)
    ask = t.FoldingRangeRequest(5, t.FoldingRangeParams(t.TextDocumentIdentifier(URI)))
    wires = talk([opened(), ask, ask])
    answers = [sent for sent in wires.sent if sent.get("id") == 5]
    assert all("internal error (KeyError" in answer["error"]["message"] for answer in answers)
    assert len(wires.said()) == 1
    assert "Traceback" not in json.dumps(wires.sent)


def test_an_unknown_form_of_a_graph_is_answered_with_the_forms():
    server = Server(Host(), "1")
    server.documents.put(URI, "end\n", 1, "shadercore")
    view = server.documents.analyse(URI)
    assert view is not None
    server.documents.views[URI] = view
    with pytest.raises(UsageError, match="unknown form of a graph 'gif': use svg, text, dot"):
        server.commands.graph(URI, "", "gif")
    assert server.commands.graph(URI, "", "text").text


def test_a_wrong_configuration_is_told_once():
    wires = talk([opened(), changed(2)], Wrong())
    assert wires.said() == ["lanewise.toml: unknown key 'x'"]


def test_what_the_user_was_told_is_not_logged():
    def record(error: Exception | None) -> logging.LogRecord:
        return logging.LogRecord("x", logging.ERROR, "f", 1, "m", (), (type(error), error, None) if error is not None else None)

    keep = NoSentences()
    assert [keep.filter(record(error)) for error in (None, KeyError("a"), Sentence("b"))] == [True, True, False]


@pytest.mark.parametrize(
    ("asked", "chosen", "column"),
    [(None, "utf-16", 6), (["utf-32", "utf-16"], "utf-32", 5), (["utf-8"], "utf-8", 8), (["utf-7", "utf-16"], "utf-16", 6)],
)
def test_positions_are_in_the_units_of_the_editor(asked: list[Any] | None, chosen: str, column: int):
    text = "vs_2_0\n; \f\u2028\n/*\U0001f600*/mull r0, v0, v0\n"
    document = t.DidOpenTextDocumentParams(t.TextDocumentItem("file:///a.vsa", "direct3d9", 1, text))
    wires = talk(
        [
            t.DidOpenTextDocumentNotification(document),
            t.FoldingRangeRequest(5, t.FoldingRangeParams(t.TextDocumentIdentifier("file:///a.vsa"))),
        ],
        capabilities=t.ClientCapabilities(general=t.GeneralClientCapabilities(position_encodings=asked)),
    )
    start = next(sent for sent in wires.sent if sent.get("id") == 0)
    assert start["result"]["capabilities"]["positionEncoding"] == chosen
    found = [
        each
        for sent in wires.sent
        if sent.get("method") == "textDocument/publishDiagnostics"
        for each in sent["params"]["diagnostics"]
        if "mull" in each["message"]
    ]
    assert [each["range"]["start"] for each in found] == [{"line": 2, "character": column}]


def test_an_editor_that_shows_no_texts_opens_files():
    ask = t.ExecuteCommandRequest(5, t.ExecuteCommandParams("lanewise.explain", ["V096"]))
    able = t.ClientCapabilities(window=t.WindowClientCapabilities(show_document=t.ShowDocumentClientCapabilities(support=True)))
    wires = talk([ask, opened(), changed(2)], capabilities=able)
    assert [sent["params"]["uri"].rpartition("/")[2] for sent in wires.sent if sent.get("method") == "window/showDocument"] == [
        "V096.md"
    ]
    plain = talk([ask, opened(), changed(2)])
    assert plain.said()[0].startswith("# V096\n")
