"""Messages that do not fit: an error for an answer, never silence, and never a fault of the server."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, cast

import pytest

from effort import times
from lsp_messages import INITIALIZE, message, talk
from odd_messages import damaged

if TYPE_CHECKING:
    Message = dict[str, Any]

URI = "file:///a.sc"
TEXT = "mov r0.xyzw, v0.xyzw\nmov o0.xyzw, r0.xyzw\nend\n"
DOCUMENT, PLACE = {"uri": URI}, {"line": 1, "character": 5}
RANGE = {"start": {"line": 0, "character": 0}, "end": PLACE}
AT = {"textDocument": DOCUMENT, "position": PLACE}
OPENED = {"textDocument": {"uri": URI, "languageId": "shadercore", "version": 1, "text": TEXT}}
# Requests as editors send them: the method and the parameters.
REQUESTS: tuple[tuple[str, Message], ...] = (
    ("initialize", INITIALIZE),
    ("textDocument/hover", AT),
    ("textDocument/definition", AT),
    ("textDocument/references", {**AT, "context": {"includeDeclaration": True}}),
    ("textDocument/documentHighlight", AT),
    ("textDocument/prepareRename", AT),
    ("textDocument/rename", {**AT, "newName": "other"}),
    ("textDocument/completion", {**AT, "context": {"triggerKind": 1}}),
    ("completionItem/resolve", {"label": "mov", "data": {"list": 1, "item": 0}}),
    ("textDocument/signatureHelp", AT),
    ("textDocument/formatting", {"textDocument": DOCUMENT, "options": {"tabSize": 4, "insertSpaces": True}}),
    (
        "textDocument/rangeFormatting",
        {"textDocument": DOCUMENT, "range": RANGE, "options": {"tabSize": 4, "insertSpaces": True}},
    ),
    ("textDocument/documentSymbol", {"textDocument": DOCUMENT}),
    ("workspace/symbol", {"query": "a"}),
    ("textDocument/foldingRange", {"textDocument": DOCUMENT}),
    ("textDocument/selectionRange", {"textDocument": DOCUMENT, "positions": [PLACE]}),
    ("textDocument/semanticTokens/full", {"textDocument": DOCUMENT}),
    ("textDocument/semanticTokens/range", {"textDocument": DOCUMENT, "range": RANGE}),
    ("textDocument/codeAction", {"textDocument": DOCUMENT, "range": RANGE, "context": {"diagnostics": []}}),
    ("textDocument/codeLens", {"textDocument": DOCUMENT}),
    ("textDocument/inlayHint", {"textDocument": DOCUMENT, "range": RANGE}),
    ("workspace/executeCommand", {"command": "lanewise.explain", "arguments": ["V096"]}),
    ("workspace/executeCommand", {"command": "lanewise.isa", "arguments": [URI, "mov"]}),
    ("workspace/executeCommand", {"command": "lanewise.disassemble", "arguments": [URI]}),
    ("workspace/executeCommand", {"command": "lanewise.trace", "arguments": [URI, "", 0]}),
    ("workspace/executeCommand", {"command": "lanewise.graph", "arguments": [URI, "", "svg"]}),
    ("workspace/executeCommand", {"command": "lanewise.optimise", "arguments": [URI, False]}),
    ("lanewise/disassembly", {"uri": URI}),
    ("nobody/knows", {"x": 1}),
)
NOTIFICATIONS: dict[str, Message] = {
    "textDocument/didOpen": OPENED,
    "textDocument/didChange": {"textDocument": {**DOCUMENT, "version": 2}, "contentChanges": [{"text": TEXT}]},
    "textDocument/didSave": {"textDocument": DOCUMENT},
    "workspace/didChangeConfiguration": {"settings": {"lanewise": {"codeLens": False}}},
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": URI, "type": 2}]},
}
ODD: tuple[Any, ...] = cast(
    "Any",
    (
        None,
        True,
        -1,
        2**31,
        2**70,
        1e300,
        "",
        "\ud800",
        "x" * 3000,
        "file:///",
        "file://host/x",
        "untitled:1",
        [],
        {},
        [[]],
        [{}],
        {"a": {}},
        [None],
    ),
)


BEGIN = (message("initialize", INITIALIZE, 0), message("initialized", {}), message("textDocument/didOpen", OPENED))


@pytest.mark.parametrize(
    ("method", "params", "code", "text"),
    [
        ("textDocument/hover", {}, -32602, "required field missing"),
        ("textDocument/hover", None, -32602, "textDocument/hover"),
        ("textDocument/hover", {"textDocument": 3, "position": {"line": "a"}}, -32602, "expected int"),
        ("lanewise/disassembly", {}, -32803, "a text uri"),
        ("nobody/knows", None, -32601, "nobody/knows"),
        ("shutdown", [1], None, ""),
    ],
)
def test_parameters_that_do_not_fit_are_answered(method: str, params: object, code: int | None, text: str) -> None:
    [answer] = [sent for sent in talk([*BEGIN, message(method, params, 5)]) if sent.get("id") == 5]
    found = answer.get("error", {})
    assert found.get("code") == code and text in found.get("message", "")


def test_requests_before_initialize_are_refused() -> None:
    """As the protocol says: the server knows nothing of the client then."""
    early = [message("workspace/executeCommand", {"command": "lanewise.explain", "arguments": ["V096"]}, 7)]
    early.append(message("textDocument/didOpen", OPENED))
    sent = talk([*early, message("initialize", {"processId": "x"}, 8), *early, *BEGIN])
    assert [(each["id"], each["error"]["code"]) for each in sent if "error" in each] == [(7, -32002), (8, -32602), (7, -32002)]
    assert [each for each in sent if each.get("id") == 0 and "result" in each]


@pytest.mark.parametrize(
    "text",
    ["[", "[" * 100_000, "[]", "3", "{}", '{"jsonrpc": "2.0"}', '{"jsonrpc": "2.0", "id": [1], "method": "x"}', '"\\ud800"'],
)
def test_what_is_no_message_is_answered_without_a_number(text: str) -> None:
    sent = talk([text, *BEGIN])
    assert sent[0]["id"] is None and sent[0]["error"]["code"] in {-32700, -32600}
    assert [each for each in sent if each.get("id") == 0 and "result" in each]


def test_a_request_after_the_end_is_refused() -> None:
    answers = {
        sent["id"]: sent
        for sent in talk([*BEGIN, message("shutdown", None, 1), message("textDocument/hover", AT, 2)])
        if "id" in sent
    }
    assert answers[2]["error"]["code"] == -32600


def test_an_answer_that_does_not_fit_ends_what_waits_for_it() -> None:
    """The server asks for the settings, and goes on without them: this test ends."""
    answers: Any = (3, {"a": 1}, None, [[]], [{"codeLens": 3}])
    for answer in answers:
        sent = talk([*BEGIN, message("textDocument/hover", AT, 7)], answer)
        assert "workspace/configuration" in [each.get("method") for each in sent]
        assert [each for each in sent if each.get("id") == 7]
        assert "internal error" not in json.dumps(sent)


def test_a_notification_with_a_number_is_answered() -> None:
    sent = talk([*BEGIN, message("textDocument/didClose", {"textDocument": DOCUMENT}, 5)])
    assert [each["error"]["code"] for each in sent if each.get("id") == 5] == [-32600]


def test_an_answer_to_nobody_leaves_requests_as_they_are() -> None:
    """Also with the number of one that is being answered."""
    for answer in ({"result": 1}, {"kethod": "x"}, {"error": {"code": 1, "message": "no"}}):
        sent = talk(
            [
                *BEGIN,
                message("textDocument/codeLens", {"textDocument": DOCUMENT}, 7),
                json.dumps({"jsonrpc": "2.0", "id": 7, **answer}),
            ]
        )
        assert [each["result"] for each in sent if each.get("id") == 7]
        assert "internal error" not in json.dumps(sent)


def test_every_damaged_request_is_answered_and_none_is_a_fault() -> None:
    source = random.Random(7)
    messages = [*BEGIN]
    for number in range(1, times(300, 20_000)):
        method, params = source.choice(REQUESTS)
        given = damaged(source, params, ODD) if source.randrange(20) else source.choice(ODD)
        messages.append(message(method, given, number))
        if not number % 5:
            method = source.choice([*NOTIFICATIONS])
            messages.append(message(method, damaged(source, NOTIFICATIONS[method], ODD)))
    sent = talk(messages)
    answered = {each["id"] for each in sent if "method" not in each and "id" in each}
    assert answered >= {*range(len([each for each in messages if '"id"' in each]))}
    assert "internal error" not in json.dumps(sent)
