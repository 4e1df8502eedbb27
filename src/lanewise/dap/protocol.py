"""The messages of the debug adapter protocol that the adapter sends; names and meanings are those of the protocol's
description, version 1.68."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Json = dict[str, object]


class Source(TypedDict):
    """A source: a file by `path`, or a text that the adapter has by `sourceReference`."""

    name: NotRequired[str]
    path: NotRequired[str]
    sourceReference: NotRequired[int]
    presentationHint: NotRequired[Literal["normal", "emphasize", "deemphasize"]]
    origin: NotRequired[str]


class Breakpoint(TypedDict):
    id: NotRequired[int]
    verified: bool
    message: NotRequired[str]
    source: NotRequired[Source]
    line: NotRequired[int]
    column: NotRequired[int]
    instructionReference: NotRequired[str]
    offset: NotRequired[int]
    reason: NotRequired[Literal["pending", "failed"]]


class Breakpoints(TypedDict):
    breakpoints: list[Breakpoint]


class BreakpointLocation(TypedDict):
    line: int
    column: NotRequired[int]
    endColumn: NotRequired[int]


class BreakpointLocations(TypedDict):
    breakpoints: list[BreakpointLocation]


class DataBreakpointInfo(TypedDict):
    dataId: str | None
    description: str
    accessTypes: NotRequired[list[Literal["read", "write", "readWrite"]]]
    canPersist: NotRequired[bool]


class Thread(TypedDict):
    id: int
    name: str


class Threads(TypedDict):
    threads: list[Thread]


class StackFrame(TypedDict):
    id: int
    name: str
    source: NotRequired[Source]
    line: int
    column: int
    endLine: NotRequired[int]
    endColumn: NotRequired[int]
    canRestart: NotRequired[bool]
    instructionPointerReference: NotRequired[str]
    presentationHint: NotRequired[Literal["normal", "label", "subtle"]]


class StackTrace(TypedDict):
    stackFrames: list[StackFrame]
    totalFrames: NotRequired[int]


class Scope(TypedDict):
    name: str
    presentationHint: NotRequired[str]
    variablesReference: int
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    expensive: bool


class Scopes(TypedDict):
    scopes: list[Scope]


class VariableHint(TypedDict):
    kind: NotRequired[str]
    attributes: NotRequired[list[str]]


class Variable(TypedDict):
    name: str
    value: str
    type: NotRequired[str]
    presentationHint: NotRequired[VariableHint]
    evaluateName: NotRequired[str]
    variablesReference: int
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    memoryReference: NotRequired[str]
    declarationLocationReference: NotRequired[int]
    valueLocationReference: NotRequired[int]


class Variables(TypedDict):
    variables: list[Variable]


class SetVariable(TypedDict):
    value: str
    type: NotRequired[str]
    variablesReference: NotRequired[int]


class Evaluation(TypedDict):
    result: str
    type: NotRequired[str]
    presentationHint: NotRequired[VariableHint]
    variablesReference: int
    namedVariables: NotRequired[int]
    indexedVariables: NotRequired[int]
    memoryReference: NotRequired[str]
    valueLocationReference: NotRequired[int]


class Location(TypedDict):
    source: Source
    line: int
    column: NotRequired[int]
    endLine: NotRequired[int]
    endColumn: NotRequired[int]


class Continued(TypedDict):
    allThreadsContinued: NotRequired[bool]


class GotoTarget(TypedDict):
    id: int
    label: str
    line: int
    column: NotRequired[int]
    instructionPointerReference: NotRequired[str]


class GotoTargets(TypedDict):
    targets: list[GotoTarget]


class Instruction(TypedDict):
    address: str
    instructionBytes: NotRequired[str]
    instruction: str
    symbol: NotRequired[str]
    location: NotRequired[Source]
    line: NotRequired[int]
    column: NotRequired[int]
    presentationHint: NotRequired[Literal["normal", "invalid"]]


class Disassembly(TypedDict):
    instructions: list[Instruction]


class SourceText(TypedDict):
    content: str
    mimeType: NotRequired[str]


class Sources(TypedDict):
    sources: list[Source]


class Memory(TypedDict):
    address: str
    unreadableBytes: NotRequired[int]
    data: NotRequired[str]


class Completion(TypedDict):
    label: str
    text: NotRequired[str]
    detail: NotRequired[str]
    type: NotRequired[str]
    start: NotRequired[int]
    length: NotRequired[int]


class Completions(TypedDict):
    targets: list[Completion]


class ExceptionDetails(TypedDict):
    message: NotRequired[str]
    typeName: NotRequired[str]
    evaluateName: NotRequired[str]
    stackTrace: NotRequired[str]


class ExceptionInfo(TypedDict):
    exceptionId: str
    description: NotRequired[str]
    breakMode: Literal["never", "always", "unhandled", "userUnhandled"]
    details: NotRequired[ExceptionDetails]


class ExceptionFilter(TypedDict):
    filter: str
    label: str
    description: NotRequired[str]
    default: NotRequired[bool]
    supportsCondition: NotRequired[bool]
    conditionDescription: NotRequired[str]


class Capabilities(TypedDict):
    """The capabilities of the adapter; a client asks for nothing else."""

    supportsConfigurationDoneRequest: NotRequired[bool]
    supportsFunctionBreakpoints: NotRequired[bool]
    supportsConditionalBreakpoints: NotRequired[bool]
    supportsHitConditionalBreakpoints: NotRequired[bool]
    supportsEvaluateForHovers: NotRequired[bool]
    exceptionBreakpointFilters: NotRequired[list[ExceptionFilter]]
    supportsStepBack: NotRequired[bool]
    supportsSetVariable: NotRequired[bool]
    supportsRestartFrame: NotRequired[bool]
    supportsGotoTargetsRequest: NotRequired[bool]
    supportsCompletionsRequest: NotRequired[bool]
    completionTriggerCharacters: NotRequired[list[str]]
    supportsRestartRequest: NotRequired[bool]
    supportsValueFormattingOptions: NotRequired[bool]
    supportsExceptionInfoRequest: NotRequired[bool]
    supportsExceptionFilterOptions: NotRequired[bool]
    supportTerminateDebuggee: NotRequired[bool]
    supportsDelayedStackTraceLoading: NotRequired[bool]
    supportsLoadedSourcesRequest: NotRequired[bool]
    supportsLogPoints: NotRequired[bool]
    supportsSetExpression: NotRequired[bool]
    supportsTerminateRequest: NotRequired[bool]
    supportsDataBreakpoints: NotRequired[bool]
    supportsReadMemoryRequest: NotRequired[bool]
    supportsDisassembleRequest: NotRequired[bool]
    supportsCancelRequest: NotRequired[bool]
    supportsBreakpointLocationsRequest: NotRequired[bool]
    supportsClipboardContext: NotRequired[bool]
    supportsSteppingGranularity: NotRequired[bool]
    supportsInstructionBreakpoints: NotRequired[bool]
    supportsSingleThreadExecutionRequests: NotRequired[bool]


class ErrorMessage(TypedDict):
    id: int
    format: str
    showUser: NotRequired[bool]


class Failure(TypedDict):
    error: NotRequired[ErrorMessage]


class Stopped(TypedDict):
    reason: str
    description: NotRequired[str]
    threadId: NotRequired[int]
    preserveFocusHint: NotRequired[bool]
    text: NotRequired[str]
    allThreadsStopped: NotRequired[bool]
    hitBreakpointIds: NotRequired[list[int]]


class ContinuedEvent(TypedDict):
    threadId: int
    allThreadsContinued: NotRequired[bool]


class ThreadEvent(TypedDict):
    reason: str
    threadId: int


class Output(TypedDict):
    category: NotRequired[str]
    output: str
    group: NotRequired[Literal["start", "startCollapsed", "end"]]
    variablesReference: NotRequired[int]
    source: NotRequired[Source]
    line: NotRequired[int]
    column: NotRequired[int]


class BreakpointEvent(TypedDict):
    reason: str
    breakpoint: Breakpoint


class Invalidated(TypedDict):
    areas: NotRequired[list[str]]
    threadId: NotRequired[int]


class Exited(TypedDict):
    exitCode: int


class Process(TypedDict):
    name: str
    isLocalProcess: NotRequired[bool]
    startMethod: NotRequired[Literal["launch", "attach", "attachForSuspendedLaunch"]]
    pointerSize: NotRequired[int]


class Empty(TypedDict):
    """The body of an answer that says no more than that it is done."""


# The body of each answer and event, by its name: the tests hold every message against them.
RESPONSES: dict[str, type] = {
    "initialize": Capabilities,
    "setBreakpoints": Breakpoints,
    "setFunctionBreakpoints": Breakpoints,
    "setInstructionBreakpoints": Breakpoints,
    "setDataBreakpoints": Breakpoints,
    "setExceptionBreakpoints": Breakpoints,
    "dataBreakpointInfo": DataBreakpointInfo,
    "breakpointLocations": BreakpointLocations,
    "exceptionInfo": ExceptionInfo,
    "threads": Threads,
    "stackTrace": StackTrace,
    "scopes": Scopes,
    "variables": Variables,
    "setVariable": SetVariable,
    "setExpression": SetVariable,
    "evaluate": Evaluation,
    "locations": Location,
    "continue": Continued,
    "gotoTargets": GotoTargets,
    "disassemble": Disassembly,
    "readMemory": Memory,
    "source": SourceText,
    "loadedSources": Sources,
    "completions": Completions,
}
EVENTS: dict[str, type] = {
    "initialized": Empty,
    "process": Process,
    "stopped": Stopped,
    "continued": ContinuedEvent,
    "thread": ThreadEvent,
    "output": Output,
    "breakpoint": BreakpointEvent,
    "invalidated": Invalidated,
    "exited": Exited,
    "terminated": Empty,
}
