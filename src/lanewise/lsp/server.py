"""The server: when texts are analysed, what is published, and what happens when something fails. `features` answers the
requests."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from lanewise.core.diagnostics import InputError
from lanewise.core.document import as_message
from lanewise.core.elsewhere import elsewhere
from lanewise.core.service import InputFailure, UsageError
from lanewise.lsp import findings
from lanewise.lsp.beside import ShaderTestsBeside
from lanewise.lsp.client import SECTION, Settings, Texts, client_of, setting
from lanewise.lsp.collecting import PAUSES, settle
from lanewise.lsp.commands import Commands
from lanewise.lsp.documents import Documents, Rules, View, normal, unquoted
from lanewise.lsp.names import Refused
from lanewise.lsp.protocol import Protocol
from lanewise.packages import fault_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from cattrs import Converter

    from lanewise.lsp.documents import Text
    from lanewise.lsp.findings import Client

    Result = TypeVar("Result")

_log = logging.getLogger(__name__)
FAILED = -32803  # RequestFailed of the protocol


class Sentence(JsonRpcException):
    """A request that cannot be done, in a sentence for the user."""

    CODE = FAILED

    def __init__(self, text: str) -> None:
        super().__init__(as_message(text))


class NoSentences(logging.Filter):
    """Keeps out of the log what the user has been told."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.exc_info is None or not isinstance(record.exc_info[1], Sentence)


class Host:
    """The parts of the command that a server uses: the configuration, and the sources of a folder. `disk`: whether it reads
    files that are not open."""

    disk = True

    def surface(self, key: str, value: str) -> str:
        """The option of a command as an editor has it; empty where it has none."""
        return setting(key, value)

    def rules(self, path: str) -> Rules:
        """The configuration of a file. Raises UsageError."""
        return Rules()

    def forget(self) -> None:
        """The configuration has changed."""

    def sources(self, folder: str) -> Iterable[str]:
        """The paths of the sources of a folder."""
        return ()


@cache
def _converter() -> Converter:
    """The reader of messages. Making one takes longer than most talks, and what it generates is never freed."""
    return default_converter()


class Server(LanguageServer):
    """A language server. Analyses run on one thread, one at a time; what a newer text makes useless is dropped."""

    documents: Documents
    beside: ShaderTestsBeside
    commands: Commands
    settings: Settings
    texts: Texts
    shows: Client

    def __init__(self, host: Host, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]: pygls leaves some open
            "lanewise", version, t.TextDocumentSyncKind.Full, protocol_cls=Protocol, converter_factory=_converter
        )
        self.host = host
        self.documents = Documents(host.rules, disk=host.disk, surface=host.surface)
        self.beside = ShaderTestsBeside(disk=host.disk)
        self.commands = Commands(self.documents, self.beside)
        self.settings, self.texts = Settings(), Texts()
        self.shows = findings.Client()
        self._worker = ThreadPoolExecutor(1, "analysis")
        self._other = ThreadPoolExecutor(1, "command")
        self._changes: dict[str, int] = {}  # how often a text has changed, by its key
        self._running: dict[str, asyncio.Task[None]] = {}
        self._published: dict[
            str, dict[str, list[t.Diagnostic]]
        ] = {}  # by the key of the text that they are of, then by resource
        self._told: set[str] = set()
        self._settled: set[str] = set()
        self._watched: set[str] = set()

    # Texts

    def start(self, params: t.InitializeParams) -> None:
        """An editor has connected."""
        self.documents.encoding = str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        self.settings.update(params.initialization_options)
        self.documents.options = self.settings.options
        self.shows = client_of(params, self.settings)

    def put(self, uri: str, text: str, version: int | None, language_id: str = "") -> None:
        """A text was opened or changed: analyse it, and those that include it."""
        found = self.documents.put(uri, text, version, language_id)
        self.renew([unquoted(uri), *self.documents.dependents(found.path)])

    def close(self, uri: str) -> None:
        key, text = unquoted(uri), self.documents.texts.get(unquoted(uri))
        self.documents.close(uri)
        self._changes.pop(key, None)
        self._publish(key, {})
        if text is not None:
            self.renew(self.documents.dependents(text.path))

    def renew(self, keys: Iterable[str]) -> None:
        """Analyse open texts again."""
        for key in dict.fromkeys(keys):
            if key in self.documents.texts:
                self._changes[key] = self._changes.get(key, 0) + 1
                if key not in self._running:
                    self._running[key] = asyncio.get_running_loop().create_task(self._analyse(key))

    async def _analyse(self, key: str) -> None:
        try:
            while key in self.documents.texts:
                change, text = self._changes[key], self.documents.texts[key]
                with PAUSES.pause():
                    view = await self._viewed(text)
                    if self._changes.get(key) == change:  # else a key came in between: its text counts
                        self._take(key, view)
                        return
        finally:
            self._running.pop(key, None)

    async def _viewed(self, text: Text) -> View | None:
        """The analysis of a text; None where there is none, which is said."""
        try:
            view = await asyncio.get_running_loop().run_in_executor(self._worker, self.documents.view_of, text)
            if view is not None and view.language not in self._settled:
                self._settled.add(view.language)
                settle()
        except UsageError as error:  # of the configuration
            self.tell(str(error), t.MessageType.Warning)
        except Exception as error:
            self._fault(error)
        else:
            return view
        return None

    def _take(self, key: str, view: View | None) -> None:
        """The analysis of a text is done."""
        if view is None:
            self.documents.views.pop(key, None)
            self._publish(key, {})
            return
        before = self.documents.views.get(key)
        self.documents.views[key] = view
        if view.failure is not None:
            self._fault(view.failure)
        try:
            self._publish(key, findings.by_resource(self.documents, view, self.shows))
        except UsageError as error:
            self.tell(str(error), t.MessageType.Warning)
        known = before.depends if before is not None else frozenset[str]()
        if known != view.depends:
            self._watch(view.depends)
            for text in [*self.documents.texts.values()]:  # what is included says nothing of its own, what is not any more does
                if text.path and normal(text.path) in known ^ view.depends:
                    self._show(text.uri)

    async def fresh(self, uri: str) -> View | None:
        """The view of a text as it is now."""
        key = unquoted(uri)
        while key in self._running:
            await asyncio.shield(self._running[key])
        return self.documents.views.get(key)

    async def part(self, uri: str) -> View | None:
        """The view of a text as it is now; of an included one, what an open program that includes it makes of it."""
        view, text = await self.fresh(uri), self.documents.texts.get(unquoted(uri))
        if text is None:
            return view
        for key in self.documents.dependents(text.path):
            await self.fresh(key)
        return self.documents.included(text) or view

    async def latest(self, uri: str) -> View | None:
        """The last view of a text, which may be older than it, of an included one as `part`: for answers that cannot wait."""
        text = self.documents.texts.get(unquoted(uri))
        part = self.documents.included(text) if text is not None else None
        return part or self.documents.views.get(unquoted(uri)) or await self.fresh(uri)

    def _publish(self, key: str, found: dict[str, list[t.Diagnostic]]) -> None:
        """Show the findings of an analysis, together with those that other programs have in the same files."""
        before = self._published.pop(key, {})
        if found:
            self._published[key] = found
        for uri in dict.fromkeys([*found, *before]):
            self._show(uri)

    def _show(self, uri: str) -> None:
        """Send the diagnostics of a resource."""
        text = self.documents.texts.get(unquoted(uri))
        version = text.version if text is not None else None
        self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, list(self._said(uri)), version))

    def _said(self, uri: str) -> Iterable[t.Diagnostic]:
        """The diagnostics of a resource: of the programs that include it, or else its own."""
        key = unquoted(uri)
        text = self.documents.texts.get(key)
        including = self.documents.dependents(text.path) if text is not None else []
        programs = [other for other in self._published if other != key or not including]
        seen: list[t.Diagnostic] = []
        for program in programs:
            for name, listed in self._published[program].items():
                seen += [each for each in listed if unquoted(name) == key and each not in seen]
        return seen

    # Files

    def changed(self, paths: Iterable[str]) -> None:
        """Files have changed on the disk."""
        changed = [normal(path) for path in paths if path]
        names = [path.replace("\\", "/").rpartition("/")[2] for path in changed]
        if any(name.endswith(".toml") for name in names):
            self.host.forget()
            self.beside.forget()
            self._told.clear()
            self.renew([*self.documents.texts])
            self.refresh()
            return
        for path in changed:
            self.beside.forget(path)
            self.renew(self.documents.dependents(path))

    def _watch(self, paths: Iterable[str]) -> None:
        """Ask the editor to say when an included file changes, whatever it is called."""
        workspace = self.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        more = [path for path in paths if path not in self._watched]
        if watched is None or not watched.dynamic_registration or not more:
            return
        self._watched.update(more)
        self.register_watchers(f"lanewise-included-{len(self._watched)}", [path.replace("\\", "/") for path in more])

    def register_watchers(self, name: str, patterns: Iterable[str]) -> None:
        watchers = [t.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
        options = t.DidChangeWatchedFilesRegistrationOptions(watchers)
        self.client_register_capability(
            t.RegistrationParams([t.Registration(name, t.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)])
        )

    async def configure(self) -> None:
        """Ask the editor for the settings of its user."""
        workspace = self.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return
        try:
            found = await self.workspace_configuration_async(t.ConfigurationParams([t.ConfigurationItem(section=SECTION)]))
        except Exception as error:
            _log.info("the editor has no settings: %s", error)
            return
        if found:
            self.set(found[0])

    def set(self, values: object) -> None:
        """Take settings of the user."""
        if not self.settings.update(values):
            return
        if self.settings.options != self.documents.options:
            self.documents.options = self.settings.options
            self.renew([*self.documents.texts])
        self.refresh()

    def refresh(self) -> None:
        """Ask the editor for remarks and colours again."""
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return
        if workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if workspace.semantic_tokens is not None and workspace.semantic_tokens.refresh_support:
            self.workspace_semantic_tokens_refresh(None)

    # Commands and failures

    async def aside(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Run something long next to the analyses."""
        return await asyncio.get_running_loop().run_in_executor(self._other, work, *arguments)

    def tell(self, text: str, kind: t.MessageType = t.MessageType.Error) -> None:
        """Show a sentence, once."""
        if text not in self._told:
            self._told.add(text)
            self.say(text, kind)

    def say(self, text: str, kind: t.MessageType = t.MessageType.Info) -> None:
        """Show a text."""
        self.window_show_message(t.ShowMessageParams(kind, as_message(text)))

    def _fault(self, error: Exception) -> None:
        """Something is wrong with the server itself: the log has all of it, the user gets a sentence, once."""
        _log.error("internal error", exc_info=error)
        self.tell(internal(error))

    def guarded(self, answer: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A handler whose failures are sentences."""

        @wraps(answer)
        async def run(*arguments: Any) -> Any:
            try:
                return await answer(*arguments)
            except (Refused, UsageError, InputFailure) as error:
                raise Sentence(elsewhere(str(error), self.documents.surface)) from error
            except InputError as error:
                first = [finding.message for finding in error.diagnostics if finding.is_error] or [str(error)]
                more = f", and {len(first) - 1} more errors" if len(first) > 1 else ""
                raise Sentence(f"the program has errors: {first[0]}{more}") from error
            except OSError as error:
                raise Sentence(f"cannot read or write: {error.strerror or error}") from error
            except (JsonRpcException, asyncio.CancelledError):
                raise
            except Exception as error:
                self._fault(error)
                raise Sentence(internal(error)) from error

        return run

    def report_server_error(self, error: Exception, source: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]: of any source
        """Faults of handlers without an answer, and of messages: logged, and told once. Those with an answer have told it."""
        if source is JsonRpcException and isinstance(error, (ValueError, RecursionError)):  # of a message that is not JSON
            cast("Protocol", self.protocol).refuse(None, t.ErrorCodes.ParseError, f"the message is not JSON: {error}")
        elif not isinstance(error, JsonRpcException):
            self._fault(error)

    def shutdown(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._other.shutdown(wait=False, cancel_futures=True)
        self.texts.remove()
        super().shutdown()


def internal(error: Exception) -> str:
    fault = fault_of(error)
    if fault is not None:
        return f"lanewise: {fault.message}"
    return f"lanewise: internal error ({type(error).__name__}: {error}): please report it, with the source"


__all__ = ["Host", "NoSentences", "Sentence", "Server", "internal"]
