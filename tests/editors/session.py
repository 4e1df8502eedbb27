"""A client of `lanewise lsp` in its own process, as an editor is one, and the texts that it opens."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from lanewise.lsp.positions import Positions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Client:
    """An editor with one server. `encoding` is what it asks for."""

    def __init__(self, client: LanguageClient, encoding: str = "utf-16") -> None:
        self.client, self.encoding = client, encoding
        self.versions: dict[str, int] = {}

    @classmethod
    async def start(
        cls, root: Path, encodings: Sequence[str] = (), options: object = None, editor: str = "visual-studio-code"
    ) -> Client:
        command = [sys.executable, "-m", "lanewise", "lsp"]
        config = ClientServerConfig(server_command=command, server_env=dict(os.environ))
        client: Any = await config.start()

        @client.feature(t.CLIENT_REGISTER_CAPABILITY)
        def _(params: t.RegistrationParams) -> None:
            client.registrations = [*getattr(client, "registrations", []), *params.registrations]

        @client.feature(t.WORKSPACE_CODE_LENS_REFRESH)
        @client.feature(t.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
        @client.feature(t.WORKSPACE_INLAY_HINT_REFRESH)
        def _(_: None) -> None:
            client.refreshed = True

        @client.feature(t.WORKSPACE_APPLY_EDIT)
        def _(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
            client.applied = [*getattr(client, "applied", []), params.edit]
            return t.ApplyWorkspaceEditResult(applied=True)

        converter = client.protocol._converter  # pyright: ignore[reportPrivateUsage]: lsprotocol takes every code action with a command for a command

        def _action(value: Any, _: Any) -> t.CodeAction:
            return converter.structure(value, t.CodeAction)

        converter.register_structure_hook(t.Command | t.CodeAction, _action)
        capabilities = client_capabilities(editor)
        if encodings and capabilities.general is not None:
            capabilities.general.position_encodings = list(encodings)
        result = await client.initialize_session(
            t.InitializeParams(capabilities=capabilities, root_uri=root.as_uri(), initialization_options=options)
        )
        return cls(client, str(getattr(result.capabilities.position_encoding, "value", result.capabilities.position_encoding)))

    async def stop(self) -> None:
        await self.client.shutdown_session()
        await self.client.stop()

    async def open(self, uri: str, text: str, language: str = "") -> Doc:
        self.versions[uri] = 1
        self.client.diagnostics.pop(uri, None)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, language, 1, text)))
        doc = Doc(self, uri, text)
        await doc.settle()
        return doc


class Doc:
    """An open text."""

    def __init__(self, client: Client, uri: str, text: str) -> None:
        self.client, self.uri, self.text = client, uri, text

    @property
    def id(self) -> t.TextDocumentIdentifier:
        return t.TextDocumentIdentifier(self.uri)

    @property
    def positions(self) -> Positions:
        return Positions(self.text, self.client.encoding)

    async def change(self, text: str) -> None:
        """Another text, and wait for its findings."""
        self.text = text
        self.client.versions[self.uri] += 1
        self.send()
        await self.settle()

    def send(self) -> None:
        version = t.VersionedTextDocumentIdentifier(uri=self.uri, version=self.client.versions[self.uri])
        change = t.TextDocumentContentChangeWholeDocument(self.text)
        self.client.client.text_document_did_change(t.DidChangeTextDocumentParams(version, [change]))

    async def settle(self) -> None:
        """Wait until what is asked about the text as it is has been answered: findings were sent before."""
        await self.client.client.text_document_folding_range_async(t.FoldingRangeParams(self.id))

    async def close(self) -> None:
        self.client.client.text_document_did_close(t.DidCloseTextDocumentParams(self.id))

    @property
    def found(self) -> Sequence[t.Diagnostic]:
        return self.client.client.diagnostics.get(self.uri, [])

    def codes(self) -> list[str]:
        return [str(found.code) for found in self.found]

    def at(self, needle: str, part: str = "", number: int = 0) -> t.Position:
        """The position of `part`, its first character, in the occurrence of `needle` with a number."""
        return self.positions.position(self.offset(needle, part, number))

    def offset(self, needle: str, part: str = "", number: int = 0) -> int:
        offset = -1
        for _ in range(number + 1):
            offset = self.text.index(needle, offset + 1)
        return offset + needle.index(part)

    def range(self, needle: str) -> t.Range:
        start = self.offset(needle)
        return self.positions.between(start, start + len(needle))

    @property
    def whole(self) -> t.Range:
        return self.positions.whole

    def read(self, place: t.Range) -> str:
        """The text of a range."""
        return self.text[self.positions.offset_at(place.start) : self.positions.offset_at(place.end)]

    def applied(self, edits: Sequence[Any]) -> str:
        """The text with the edits of a server."""
        pieces = sorted(
            (self.positions.offset_at(edit.range.start), self.positions.offset_at(edit.range.end), edit.new_text)
            for edit in edits
        )
        text, at = "", 0
        for start, end, new in pieces:
            assert start >= at, "edits overlap"
            text += self.text[at:start] + new
            at = end
        return text + self.text[at:]

    def edits(self, edit: t.WorkspaceEdit | None) -> list[Any]:
        """The edits of this text in an edit of several."""
        assert edit is not None
        found: list[Any] = []
        for change in edit.document_changes or ():
            if isinstance(change, t.TextDocumentEdit) and change.text_document.uri == self.uri:
                found += change.edits
        return [*found, *(edit.changes or {}).get(self.uri, ())]


class Shown(NamedTuple):
    """What a command returned."""

    title: str
    language: str
    text: str


async def command(client: Client, name: str, *arguments: object) -> Shown:
    found: Any = await client.client.workspace_execute_command_async(t.ExecuteCommandParams(name, list(arguments)))
    table = cast("dict[str, str]", found if isinstance(found, dict) else found._asdict())
    return Shown(table["title"], table["languageId"], table["text"])


__all__ = ["Client", "Doc", "Shown", "command"]
