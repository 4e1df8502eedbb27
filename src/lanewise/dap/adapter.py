"""The adapter: requests of a client, answered on a session of the debugger.

An adapter knows no instruction set and no transport. `handle` answers one message, and does the move that it asks for. During a
move it takes the messages that have come, such as `pause`, and answers those that can be answered then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lanewise.core.diagnostics import InputError, visible
from lanewise.core.document import as_message
from lanewise.core.elsewhere import elsewhere
from lanewise.core.missing import MISSING
from lanewise.core.service import InputFailure, UsageError
from lanewise.dap import breakpoints, extras, looking, running, sources
from lanewise.dap.arguments import Arguments, Refusal
from lanewise.dap.context import Client, Context
from lanewise.dap.framing import Malformed
from lanewise.dap.launch import launched, read_launch
from lanewise.dap.stops import announce, finding_output, put_out
from lanewise.debugger.given import zeros
from lanewise.debugger.session import PAUSE
from lanewise.packages import fault_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from lanewise.core.diagnostics import Diagnostic
    from lanewise.dap.framing import Message
    from lanewise.dap.launch import Launch
    from lanewise.dap.protocol import Capabilities, Empty
    from lanewise.dap.server import Poll, Send
    from lanewise.debugger.session import Session

    class Open(Protocol):
        """Makes a session of what a client launches. Raises InputError, InputFailure, UsageError."""

        def __call__(self, launch: Launch) -> Session: ...


CAPABILITIES: Capabilities = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "exceptionBreakpointFilters": breakpoints.FILTERS,
    "supportsStepBack": True,
    "supportsSetVariable": True,
    "supportsRestartFrame": True,
    "supportsGotoTargetsRequest": True,
    "supportsCompletionsRequest": True,
    "completionTriggerCharacters": ["."],
    "supportsRestartRequest": True,
    "supportsValueFormattingOptions": True,
    "supportsExceptionInfoRequest": True,
    "supportsExceptionFilterOptions": True,
    "supportsDelayedStackTraceLoading": True,
    "supportsLoadedSourcesRequest": True,
    "supportsLogPoints": True,
    "supportsSetExpression": True,
    "supportsTerminateRequest": True,
    "supportsDataBreakpoints": True,
    "supportsDisassembleRequest": True,
    "supportsCancelRequest": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsClipboardContext": True,
    "supportsSteppingGranularity": True,
    "supportsInstructionBreakpoints": True,
    "supportsSingleThreadExecutionRequests": True,
}
# Requests about a launched program, by module.
_HANDLERS: dict[str, Callable[[Context, Arguments], object]] = {
    **breakpoints.HANDLERS,
    **running.HANDLERS,
    **looking.HANDLERS,
    **sources.HANDLERS,
    **extras.HANDLERS,
}
_VALUES = (
    'give values in the launch configuration: "inputs": {"NAME": [1, 2, 3]}, "uniforms": {...}, a "data" file, a "mesh", or a '
    '"test"; with "options": {"default": "0"} they are zeros\n'
)
_UNSHOWN, _SHOWN, _INTERNAL = 1, 2, 3  # the numbers of errors


class Adapter:
    """A client's session. `send` sends it a message, `poll` gives one of its messages if it has come."""

    ended: bool

    def __init__(self, send: Send, poll: Poll, open: Open) -> None:
        self._send, self._poll, self._open = send, poll, open
        self._sent = 0
        self._client: Client | None = None
        self._launched: Launch | None = None
        self._configured = False
        self._context: Context | None = None
        self._after: list[Callable[[], None]] = []
        self.ended = False

    def handle(self, message: Message | Malformed) -> None:
        """Answer one message of the client."""
        if isinstance(message, Malformed):
            self._answer({}, Refusal(message.reason))
            return
        if message.get("type") != "request":
            if message.get("type") not in ("response", "event"):  # the adapter sends no requests
                self._answer(message, Refusal("the message has no type 'request'"))
            return
        try:
            body = self._do(message)
        except Exception as error:
            self._after.clear()
            self._answer(message, _reason(error))
        else:
            self._answer(message, body)
        tasks, self._after = self._after, []
        for task in tasks:
            self._guarded(task)
        if self._context is not None and self._context.left and not self._context.running:
            self._context = None

    def refuse(self, message: Message) -> None:
        """Answer a request that the client has cancelled before it was handled."""
        self._answer(message, Refusal("the request was cancelled", short="cancelled"))

    def _guarded(self, task: Callable[[], None]) -> None:
        """Do what follows an answer. An error ends the move, and the client learns of it."""
        try:
            task()
        except ConnectionError:
            raise
        except Exception as error:
            self._event("output", {"category": "important", "output": f"the move was ended: {_reason(error).message}\n"})
            context = self._context
            if context is not None and not context.left:
                announce(context, context.session.stop(context.thread)._replace(reason=PAUSE, hits=()))

    def _interrupted(self, context: Context) -> bool:
        """Answer the messages that have come during a move; whether it is to stop."""
        while not (context.pausing or context.left or self.ended):
            message = self._poll()
            if message is None:
                break
            self.handle(message)
        put_out(context)
        return context.pausing or context.left or self.ended

    def _do(self, message: Message) -> object:
        number, command = message.get("seq"), message.get("command")
        if not isinstance(number, int) or isinstance(number, bool):
            raise Refusal("the request has no number 'seq'")
        if not isinstance(command, str):
            raise Refusal("the request has no 'command'")
        arguments = Arguments(command, message.get("arguments"))
        own = getattr(self, f"_on_{command}", None) if command.isidentifier() else None
        if own is not None:
            return cast("Callable[[Arguments], object]", own)(arguments)
        handler = _HANDLERS.get(command)
        if handler is None:
            raise Refusal(f"unknown request '{command[:60]}'")
        if self._client is None:
            raise Refusal(f"{command}: the first request is 'initialize'")
        if self._context is None:
            raise Refusal(f"{command}: no program is launched; send 'launch'")
        if self._context.running:
            if command not in running.DURING_RUNS:
                raise Refusal(f"{command}: the program runs; send 'pause'", short="notStopped")
            self._context.changed = self._context.changed or command.startswith("set")
        return handler(self._context, arguments)

    # the life of a session

    def _on_initialize(self, arguments: Arguments) -> Capabilities:
        if self._client is not None:
            raise Refusal("initialize: the session is initialized already")
        path_format = arguments.text("pathFormat", "path")
        if path_format not in ("path", "uri"):
            raise Refusal(f"initialize: pathFormat is '{path_format[:60]}': use path or uri")
        self._client = Client(
            first_line=int(arguments.flag("linesStartAt1", True)),
            first_column=int(arguments.flag("columnsStartAt1", True)),
            uris=path_format == "uri",
            invalidates=arguments.flag("supportsInvalidatedEvent"),
            memory=arguments.flag("supportsMemoryReferences"),
            types=arguments.flag("supportsVariableType"),
        )
        return CAPABILITIES

    def _on_launch(self, arguments: Arguments) -> Empty:
        if self._client is None:
            raise Refusal("launch: the first request is 'initialize'")
        if self._context is not None:
            raise Refusal("launch: a program is launched already; send 'restart'")
        self._begin(read_launch(arguments))
        self._after.append(lambda: self._event("initialized"))
        return {}

    def _on_attach(self, arguments: Arguments) -> Empty:
        raise Refusal(
            'attach: there is no running program to attach to, shaders run inside lanewise: use "request": "launch"', shown=True
        )

    def _on_configurationDone(self, arguments: Arguments) -> Empty:  # noqa: N802
        context = self._active("configurationDone")
        if self._configured:
            raise Refusal("configurationDone: the session is configured already")
        self._configured = True
        self._after.append(lambda: running.begin(context))
        return {}

    def _on_restart(self, arguments: Arguments) -> Empty:
        context = self._active("restart")
        assert self._launched is not None
        launch = read_launch(arguments.inner("arguments")) if arguments.has("arguments") else self._launched
        now = self._begin(launch, context)
        context.left = True  # a move of the session before ends
        if self._configured:
            self._after.append(lambda: running.begin(now))
        return {}

    def _on_terminate(self, arguments: Arguments) -> Empty:
        self._after.append(self._active("terminate").terminate)
        return {}

    def _on_disconnect(self, arguments: Arguments) -> Empty:
        if self._context is not None:
            self._context.left = True
        self.ended = True
        return {}

    def _on_cancel(self, arguments: Arguments) -> Empty:
        # The loop has left out the request if it was not handled yet; a move is ended by `pause`.
        return {}

    def _active(self, command: str) -> Context:
        if self._context is None:
            raise Refusal(f"{command}: no program is launched; send 'launch'")
        return self._context

    def _begin(self, launch: Launch, before: Context | None = None) -> Context:
        """Open a session. The breakpoints of the one before are kept. Raises Refusal where the program has errors."""
        assert self._client is not None
        try:
            session = self._open(launch)
        except InputError as error:
            for finding in error.diagnostics:
                self._finding(finding)
            if {finding.code for finding in error.diagnostics if finding.is_error} <= set(MISSING):
                self._event("output", {"category": "console", "output": _VALUES})
            raise Refusal(_summary(error.diagnostics), shown=True) from None
        context = Context(session, launch, self._client, self._event, self._after_answer, self._interrupted)
        if before is not None:
            breakpoints.take_over(context, before)
        self._context, self._launched = context, launch
        for finding in session.debuggee.diagnostics:
            self._finding(finding)
        remarks = session.launch.remarks
        zero = zeros(session) if launch.zeros else []
        for remark in [*remarks, *([f"no values, so that they are 0: {', '.join(zero)}"] if zero else [])]:
            context.output(remark)
        return context

    def _after_answer(self, task: Callable[[], None]) -> None:
        self._after.append(task)

    def _finding(self, finding: Diagnostic) -> None:
        assert self._client is not None
        self._event("output", finding_output(finding, self._client))

    # messages to the client

    def _event(self, name: str, body: Mapping[str, object] | None = None) -> None:
        self._sent += 1
        if name == "output" and body is not None:  # a debug console obeys control sequences
            body = {**body, "output": visible(str(body["output"]))}
        self._send({"seq": self._sent, "type": "event", "event": name, **({} if body is None else {"body": body})})

    def _answer(self, request: Message, result: object) -> None:
        self._sent += 1
        number, command = request.get("seq"), request.get("command")
        head: dict[str, object] = {
            "seq": self._sent,
            "type": "response",
            "request_seq": number if isinstance(number, int) and not isinstance(number, bool) else 0,
            "command": command if isinstance(command, str) else "",
            "success": not isinstance(result, Refusal),
        }
        if isinstance(result, Refusal):
            error = {"id": _SHOWN if result.shown else _UNSHOWN, "format": as_message(result.message), "showUser": result.shown}
            self._send({**head, "message": as_message(result.short), "body": {"error": error}})
        else:
            self._send({**head, "body": result})


def requests() -> list[str]:
    """The names of all requests that are answered."""
    own = [name.removeprefix("_on_") for name in vars(Adapter) if name.startswith("_on_")]
    return [*own, *_HANDLERS]


def _reason(error: Exception) -> Refusal:
    """The message to a client about an error."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, InputError):
        return Refusal(_summary(error.diagnostics))
    if isinstance(error, (UsageError, InputFailure)):
        return Refusal(elsewhere(str(error), launched), shown=True)
    if isinstance(error, OSError):
        return Refusal(f"cannot read or write: {error.strerror or error}", shown=True)
    fault = fault_of(error)
    if fault is not None:
        return Refusal(f"{fault.message}; {fault.fix}", shown=True)
    return Refusal(f"internal error ({type(error).__name__}: {error}): please report it, with the program", shown=True)


def _summary(findings: tuple[Diagnostic, ...]) -> str:
    """The first error in a sentence, and how many there are."""
    errors = [finding for finding in findings if finding.is_error] or list(findings)
    if not errors:
        return "the program has errors"
    first = errors[0]
    place = f"{first.span}: " if first.span.file else ""
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{place}{first.message} [{first.code}]" + (f"; {elsewhere(first.fix, launched)}" if first.fix else "") + more


__all__ = ["CAPABILITIES", "Adapter", "requests"]
