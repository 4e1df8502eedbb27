"""The requests of the protocol: each waits for a view and asks another module for the answer."""

from __future__ import annotations

import asyncio
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as t
from pygls.uris import to_fs_path

from lanewise.core.service import UsageError
from lanewise.lsp import findings, lenses, names, optimising, outline, writing
from lanewise.lsp.commands import Shown
from lanewise.lsp.documents import path_of, unquoted
from lanewise.lsp.positions import Positions
from lanewise.packages import languages, packages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanewise.core.document import Block
    from lanewise.lsp.documents import View
    from lanewise.lsp.server import Server

DISASSEMBLY = "lanewise/disassembly"
_TRIGGERS = [".", ",", " ", "_", "[", "-", "$"]
_MOST_FILES = 400  # of a folder in which symbols are looked for
_KEPT_LISTS = 8


def wire(server: Server) -> None:
    """Register everything that the server answers."""
    _lifecycle(server)
    _texts(server)
    _names(server)
    _writing(server)
    _outline(server)
    _remarks(server)
    _commands(server)


def _lifecycle(server: Server) -> None:
    @server.feature(t.INITIALIZE)
    def initialize(params: t.InitializeParams) -> None:
        server.start(params)

    @server.feature(t.INITIALIZED)
    async def initialized(_: t.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            rows = [row for package in packages() for row in (*package.languages, *package.containers)]
            suffixes = sorted({suffix for row in rows for suffix in row.suffixes})
            files = ("lanewise.toml", "pyproject.toml", "*.shadertest.toml", *(f"*{suffix}" for suffix in suffixes))
            server.register_watchers("lanewise-files", [f"**/{file}" for file in files])
        await server.configure()

    @server.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: t.DidChangeConfigurationParams) -> None:
        server.set(params.settings)
        await server.configure()

    @server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: t.DidChangeWatchedFilesParams) -> None:
        server.changed([to_fs_path(change.uri) or "" for change in params.changes])


def _texts(server: Server) -> None:
    # The texts are kept by the server itself: pygls ends lines at form feeds and other characters at which no editor ends them.
    @server.feature(t.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: t.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.put(document.uri, document.text, document.version, str(document.language_id))

    @server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: t.DidChangeTextDocumentParams) -> None:
        if params.content_changes:
            server.put(params.text_document.uri, params.content_changes[-1].text, params.text_document.version)

    @server.feature(t.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: t.DidSaveTextDocumentParams) -> None:
        server.beside.forget(path_of(params.text_document.uri))

    @server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: t.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _names(server: Server) -> None:
    documents = server.documents

    @server.feature(t.TEXT_DOCUMENT_DEFINITION)
    @server.guarded
    async def definition(params: t.DefinitionParams) -> list[t.Location]:
        view = await server.fresh(params.text_document.uri)
        return names.definitions(documents, view, view.positions.offset_at(params.position)) if view is not None else []

    @server.feature(t.TEXT_DOCUMENT_REFERENCES)
    @server.guarded
    async def references(params: t.ReferenceParams) -> list[t.Location]:
        view = await server.fresh(params.text_document.uri)
        if view is None:
            return []
        offset = view.positions.offset_at(params.position)
        return names.references(documents, view, offset, declared=params.context.include_declaration)

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    @server.guarded
    async def highlight(params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
        view = await server.part(params.text_document.uri)
        return names.highlights(view, view.positions.offset_at(params.position)) if view is not None else []

    @server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    @server.guarded
    async def prepare(params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder | None:
        view = await server.fresh(params.text_document.uri)
        return names.renamable(view, view.positions.offset_at(params.position)) if view is not None else None

    @server.feature(t.TEXT_DOCUMENT_RENAME)
    @server.guarded
    async def rename(params: t.RenameParams) -> t.WorkspaceEdit | None:
        view = await server.fresh(params.text_document.uri)
        if view is None:
            return None
        offset = view.positions.offset_at(params.position)
        edits = await server.aside(names.renamed, documents, view, offset, params.new_name)
        return findings.workspace_edit(documents, view, edits, server.shows)

    @server.feature(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    @server.guarded
    async def calls(params: t.CallHierarchyPrepareParams) -> list[t.CallHierarchyItem]:
        view = await server.part(params.text_document.uri)
        return names.callables(documents, view, view.positions.offset_at(params.position)) if view is not None else []

    @server.feature(t.CALL_HIERARCHY_INCOMING_CALLS)
    @server.guarded
    async def incoming(params: t.CallHierarchyIncomingCallsParams) -> list[t.CallHierarchyIncomingCall]:
        view, symbol = await _called(server, params.item)
        return names.incoming(server.documents, view, symbol) if view is not None else []

    @server.feature(t.CALL_HIERARCHY_OUTGOING_CALLS)
    @server.guarded
    async def outgoing(params: t.CallHierarchyOutgoingCallsParams) -> list[t.CallHierarchyOutgoingCall]:
        view, symbol = await _called(server, params.item)
        return names.outgoing(server.documents, view, symbol) if view is not None else []


async def _called(server: Server, item: t.CallHierarchyItem) -> tuple[View | None, str]:
    data: Any = item.data or {}
    known: dict[str, Any] = data if isinstance(data, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    return await server.fresh(str(known.get("uri", item.uri))), str(known.get("symbol", ""))


def _writing(server: Server) -> None:
    lists: dict[int, Sequence[Any]] = {}  # the pages of the last completions

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    @server.guarded
    async def hover(params: t.HoverParams) -> t.Hover | None:
        view = await server.part(params.text_document.uri)
        if view is None:
            return None
        offset = view.positions.offset_at(params.position)
        # a trace may take a while: other requests go on meanwhile
        return await server.aside(writing.hover, view, offset, partial(server.beside.last, view))

    @server.feature(t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=_TRIGGERS, resolve_provider=True))
    @server.guarded
    async def completion(params: t.CompletionParams) -> t.CompletionList | None:
        uri = params.text_document.uri
        view, text = await server.latest(uri), server.documents.texts.get(unquoted(uri))
        if view is None or text is None:
            return None
        places = Positions(text.text, server.documents.encoding)
        document = server.client_capabilities.text_document
        item = document.completion.completion_item if document is not None and document.completion is not None else None
        number = max(lists, default=0) + 1
        found = writing.completions(
            view,
            text.text,
            places,
            places.offset_at(params.position),
            snippets=bool(item and item.snippet_support),
            list_id=number,
        )
        lists[number] = found.pages
        lists.pop(number - _KEPT_LISTS, None)
        return t.CompletionList(is_incomplete=False, items=found.items)

    @server.feature(t.COMPLETION_ITEM_RESOLVE)
    @server.guarded
    async def resolve(item: t.CompletionItem) -> t.CompletionItem:
        given: Any = item.data
        data = cast("dict[str, object]", given) if isinstance(given, dict) else {}
        chosen, number = data.get("list"), data.get("item")
        pages = lists.get(chosen, ()) if isinstance(chosen, int) else ()
        page = pages[number] if isinstance(number, int) and 0 <= number < len(pages) else None
        if page is not None:
            blocks: Sequence[Block] = page()
            item.documentation = t.MarkupContent(t.MarkupKind.Markdown, writing.as_markdown(blocks))
        return item

    @server.feature(t.TEXT_DOCUMENT_SIGNATURE_HELP, t.SignatureHelpOptions(trigger_characters=[" ", ","]))
    @server.guarded
    async def operands(params: t.SignatureHelpParams) -> t.SignatureHelp | None:
        uri = params.text_document.uri
        view, text = await server.latest(uri), server.documents.texts.get(unquoted(uri))
        if view is None or text is None:
            return None
        places = Positions(text.text, server.documents.encoding)
        return writing.signature(view, text.text, places, places.offset_at(params.position))

    @server.feature(t.TEXT_DOCUMENT_FORMATTING)
    @server.guarded
    async def formatting(params: t.DocumentFormattingParams) -> list[t.TextEdit]:
        view = await server.fresh(params.text_document.uri)
        return writing.formatted(server.documents, view, params.options) if view is not None else []

    @server.feature(t.TEXT_DOCUMENT_RANGE_FORMATTING)
    @server.guarded
    async def range_formatting(params: t.DocumentRangeFormattingParams) -> list[t.TextEdit]:
        view = await server.fresh(params.text_document.uri)
        return writing.formatted(server.documents, view, params.options, params.range) if view is not None else []

    @server.feature(t.TEXT_DOCUMENT_ON_TYPE_FORMATTING, t.DocumentOnTypeFormattingOptions("\n"))
    @server.guarded
    async def typed(params: t.DocumentOnTypeFormattingParams) -> list[t.TextEdit]:
        uri = params.text_document.uri
        view, text = await server.latest(uri), server.documents.texts.get(unquoted(uri))
        if view is None or text is None:
            return []
        places = Positions(text.text, server.documents.encoding)
        return writing.finished(server.documents, view, text.text, places, params.position.line - 1, params.options)


def _outline(server: Server) -> None:
    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @server.guarded
    async def symbols(params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
        view = await server.part(params.text_document.uri)
        return outline.symbols(view) if view is not None else []

    @server.feature(t.WORKSPACE_SYMBOL)
    @server.guarded
    async def workspace_symbols(params: t.WorkspaceSymbolParams) -> list[t.WorkspaceSymbol]:
        folders = [folder for each in server.workspace.folders.values() if (folder := path_of(each.uri))]
        if not folders and server.workspace.root_path:
            folders = [server.workspace.root_path]
        return await server.aside(_in_folders, server, folders, params.query)

    @server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    @server.guarded
    async def folds(params: t.FoldingRangeParams) -> list[t.FoldingRange]:
        view = await server.fresh(params.text_document.uri)
        return outline.folds(view) if view is not None else []

    @server.feature(t.TEXT_DOCUMENT_SELECTION_RANGE)
    @server.guarded
    async def selection(params: t.SelectionRangeParams) -> list[t.SelectionRange] | None:
        view = await server.fresh(params.text_document.uri)
        if view is None:
            return None
        return [outline.selection(view, view.positions.offset_at(position)) for position in params.positions]

    @server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, outline.LEGEND)
    @server.guarded
    async def tokens(params: t.SemanticTokensParams) -> t.SemanticTokens | None:
        view = await server.part(params.text_document.uri)
        return outline.tokens(view) if view is not None else None

    @server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, outline.LEGEND)
    @server.guarded
    async def some_tokens(params: t.SemanticTokensRangeParams) -> t.SemanticTokens | None:
        view = await server.part(params.text_document.uri)
        return outline.tokens(view, params.range.start.line, params.range.end.line) if view is not None else None


def _in_folders(server: Server, folders: Sequence[str], query: str) -> list[t.WorkspaceSymbol]:
    """The symbols of the open texts, and of the sources in folders."""
    views = {view.uri: view for view in [*server.documents.views.values()]}
    paths = [path for folder in folders for path in server.host.sources(folder)]
    for path in paths[:_MOST_FILES]:
        view = server.documents.view_of_file(path)
        if view is not None:
            views.setdefault(view.uri, view)
    return outline.workspace_symbols(views.values(), query)


def _remarks(server: Server) -> None:
    kinds = [t.CodeActionKind.QuickFix, findings.FIX_ALL, findings.DISASSEMBLE, optimising.KIND]

    @server.feature(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions(code_action_kinds=kinds))
    @server.guarded
    async def actions(params: t.CodeActionParams) -> list[t.CodeAction]:
        view = await server.fresh(params.text_document.uri)
        if view is None:
            return []
        start, end = view.positions.offset_at(params.range.start), view.positions.offset_at(params.range.end)
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        return findings.actions(server.documents, view, start, end, only, server.shows)

    @server.feature(t.TEXT_DOCUMENT_CODE_LENS)
    @server.guarded
    async def code_lens(params: t.CodeLensParams) -> list[t.CodeLens]:
        view = await server.fresh(params.text_document.uri)
        if view is None or not server.settings.code_lens:
            return []
        return lenses.lenses(view, len(await server.aside(server.beside.tests, view.path)))

    @server.feature(t.TEXT_DOCUMENT_INLAY_HINT)
    @server.guarded
    async def inlay_hints(params: t.InlayHintParams) -> list[t.InlayHint]:
        view = await server.part(params.text_document.uri)
        if view is None:
            return []
        wanted = lenses.kinds(view, server.settings.inlay_hints)
        start, end = view.positions.offset_at(params.range.start), view.positions.offset_at(params.range.end)
        return lenses.hints(view, wanted, start, end)


def _commands(server: Server) -> None:
    suffixes = {language.name: language.suffixes[0] for _, language in languages() if language.suffixes}

    async def show(found: Shown) -> dict[str, str]:
        """The text for an editor that shows it, or a file that the editor opens."""
        if not server.settings.shows_texts:
            window = server.client_capabilities.window
            if window is not None and window.show_document is not None and window.show_document.support:
                uri = server.texts.write(found, suffixes)
                asyncio.get_running_loop().create_task(_opened(server, uri))
            else:
                server.say(found.text)
        return found.to_json()

    def register(name: str, work: Callable[..., Shown]) -> None:
        @server.command(name)
        @server.guarded
        async def run(*arguments: Any) -> dict[str, str]:
            _check(name, work, arguments)
            await server.fresh(str(arguments[0]))
            return await show(await server.aside(work, *arguments))

    for name, work in server.commands.table.items():
        register(name, work)

    @server.command(optimising.COMMAND)
    @server.guarded
    async def optimise(*arguments: Any) -> None:
        _check(optimising.COMMAND, optimising.arguments, arguments)
        uri, constants = optimising.arguments(*arguments)
        view = await server.fresh(uri)
        if view is None:
            raise UsageError("the text is not open, or its language is not known")
        found = await server.aside(optimising.smaller, server.documents, view, constants)
        if server.documents.view(uri) is not view:
            raise UsageError("the text has changed in the meantime: try again")
        if found.text:
            edit = findings.whole_edit(server.documents, view, writing.changes(view, found.text), server.shows)
            await server.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(edit, "Optimise"))
        about = found.about if found.text else f"nothing to remove: {found.about}"
        server.say(about)

    @server.feature(DISASSEMBLY)
    @server.guarded
    async def disassembly(params: Any) -> dict[str, str]:
        uri = getattr(params, "uri", None)
        if not isinstance(uri, str):
            raise UsageError(f"{DISASSEMBLY}: params is an object with a text uri")
        found = await server.aside(server.commands.disassemble, uri)
        return found.to_json()


def _check(name: str, work: Callable[..., object], arguments: Sequence[object]) -> None:
    """Raise UsageError for arguments that a command does not take: a client sends what it likes."""
    rows = signature(work)
    try:
        given = rows.bind(*arguments).arguments
    except TypeError as error:
        raise UsageError(f"{name}: {error}") from None
    for key, value in given.items():
        kind = rows.parameters[key].annotation
        if type(value).__name__ != kind:
            raise UsageError(f"{name}: {key} is of type {type(value).__name__}, expected {kind}")


async def _opened(server: Server, uri: str) -> None:
    await server.window_show_document_async(t.ShowDocumentParams(uri, take_focus=True))


__all__ = ["DISASSEMBLY", "wire"]
