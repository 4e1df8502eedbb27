"""What `lanewise lsp` does in each language: a check for each feature. `python -m editors.matrix` in `tests` prints the
table."""

from __future__ import annotations

import asyncio
import tempfile
import traceback
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types as t

from editors.session import Client, Doc, command
from lanewise.lsp.outline import LEGEND

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

DONE = "yes"


class Sample(NamedTuple):
    """A source of a language and what is in it.

    `typo` is a (text, wrong text) whose finding has an edit that restores the text; `warned` a statement that, put before
    `before`, has the finding `code`. `name` is a name that the source declares, in a statement that uses it, with another that
    it may have; empty in a language without them. `register` is a name that has a register.
    """

    file: str
    source: str
    typo: tuple[str, str]
    warned: str
    before: str
    code: str
    use: str
    name: str
    other: str
    instruction: str
    begin: str
    completed: str
    signed: str
    active: str
    symbol: str
    expects: str
    called: str = ""
    binary: str = ""


SAMPLES = {
    "picasso": Sample(
        "light.v.pica",
        "; a shader\n; with two lines of comment\n.fvec scale\n.in position v0\n.out pos position\n.alias twice r1\n\n"
        ".proc double\n    add twice, r0, r0\n.end\n\n.proc main\n"
        "    mul r0, scale, position\n    call double\n    mov pos, twice\n    end\n.end\n",
        ("mul r0, scale", "mull r0, scale"),
        "    mov r5, r0\n",
        "    call double",
        "V096",
        "    mov pos, twice",
        "twice",
        "two_times",
        "mul r0",
        "    mu",
        "mul",
        "    mul r0, ",
        "2",
        "main",
        "position = [2, 4, 6, 2]",
        "double",
        ".shbin",
    ),
    "nihstro": Sample(
        "light.vsh",
        "// a shader\n// with two lines of comment\n.alias scale c0\n.alias position v0\n.alias pos o0 as position\n\nmain:\n"
        "    mul r0, scale, position\n    call double until done\n"
        "    mov pos, r1\n    end\n\ndouble:\n    add r1, r0, r0\ndone:\n    nop\n",
        ("mul r0, scale", "mull r0, scale"),
        "    mov r5, r0\n",
        "    call double",
        "V096",
        "mul r0, scale",
        "scale",
        "factor",
        "mul r0",
        "    mu",
        "mul",
        "    mul r0, ",
        "2",
        "main",
        "position = [2, 4, 6, 2]",
        "double",
        ".shbin",
    ),
    "shadercore": Sample(
        "light.sc",
        "; a shader\n; with two lines of comment\n.input v0 position\n.output o0 position\n.const c0 (2.0, 2.0, 2.0, 2.0)\n"
        "mul r0.xyzw, v0.xyzw, c0.xyzw\n"
        "mov o0.xyzw, r0.xyzw\nend\n",
        ("mul r0", "mull r0"),
        "mov NULL, r0.x\n",
        "end",
        "V224",
        "mov o0.xyzw, r0.xyzw",
        "",
        "",
        "mul r0",
        "mu",
        "mul",
        "mul r0.x, ",
        "1",
        "c0",
        "position = [2, 4, 6, 2]",
        "",
        ".scb",
    ),
    "direct3d9": Sample(
        "light.vsa",
        "vs_2_0\n; a shader\n; with two lines of comment\n#define SCALE c0\ndef c1, 1, 1, 1, 1\ndcl_position v0\n"
        "mul r0, v0, SCALE\nmov oPos, r0\nmov oD0, c1\n",
        ("mul r0", "mull r0"),
        "dcl_position v0\n",
        "mul r0",
        "V352",
        "mul r0, v0, SCALE",
        "SCALE",
        "FACTOR",
        "mul r0",
        "mu",
        "mul",
        "mul r0, ",
        "1",
        "SCALE",
        "position = [2, 4, 6, 2]",
        "",
        ".vso",
    ),
}

_TEST = {
    "picasso": (
        '[[test]]\nname = "doubled"\n[test.inputs]\nposition = [1, 2, 3, 1]\n[test.uniforms]\nscale = [1, 1, 1, 1]\n'
        "[test.outputs]\n"
    ),
    "nihstro": (
        '[[test]]\nname = "doubled"\n[test.inputs]\nposition = [1, 2, 3, 1]\n[test.uniforms]\nscale = [1, 1, 1, 1]\n'
        "[test.outputs]\n"
    ),
    "shadercore": '[[test]]\nname = "doubled"\n[test.inputs]\nposition = [1, 2, 3, 1]\n[test.outputs]\n',
    "direct3d9": (
        '[[test]]\nname = "doubled"\n[test.inputs]\nposition = [1, 2, 3, 1]\n[test.uniforms]\nc0 = [2, 2, 2, 2]\n'
        "[test.outputs]\n"
    ),
}


class Case(NamedTuple):
    """A language while its features are tried: the text is as it was before and after each."""

    client: Client
    language: str
    sample: Sample
    doc: Doc
    folder: Path

    @property
    def api(self) -> Any:
        return self.client.client


async def diagnostics(case: Case) -> str:
    sample = case.sample
    assert case.doc.codes() == [], case.doc.codes()
    await case.doc.change(sample.source.replace(*sample.typo))
    assert [found.severity for found in case.doc.found][:1] == [t.DiagnosticSeverity.Error]
    assert case.doc.read(case.doc.found[0].range) == sample.typo[1].split()[0]
    assert case.doc.found[0].code_description is not None
    return DONE


async def checks_go_on(case: Case) -> str:
    """A typo does not silence the rules."""
    sample = case.sample
    await case.doc.change(warned(sample))
    assert sample.code in case.doc.codes(), case.doc.codes()
    await case.doc.change(warned(sample).replace(*sample.typo))
    assert sample.code in case.doc.codes(), case.doc.codes()
    return DONE


async def hover(case: Case) -> str:
    """The page of an instruction."""
    found = await case.api.text_document_hover_async(t.HoverParams(case.doc.id, case.doc.at(case.sample.instruction)))
    assert found is not None
    assert "mul" in found.contents.value
    assert len(found.contents.value) > 200
    assert case.doc.read(found.range) == "mul"
    return DONE


async def hover_value(case: Case) -> str:
    """The last value of a register in the shader test beside the file."""
    use = "r0"
    place = case.doc.at(case.sample.instruction, use)
    found = await case.api.text_document_hover_async(t.HoverParams(case.doc.id, place))
    assert found is not None
    assert "shader test 'doubled'" in found.contents.value, found.contents.value
    assert "y = " in found.contents.value
    return DONE


async def completion(case: Case) -> str:
    sample = case.sample
    await case.doc.change(sample.source.replace(sample.before, f"{sample.begin}\n{sample.before}", 1))
    place = case.doc.positions.position(case.doc.offset(f"{sample.begin}\n") + len(sample.begin))
    found = await case.api.text_document_completion_async(t.CompletionParams(case.doc.id, place))
    assert found is not None
    item = next(item for item in found.items if item.label == sample.completed)
    new = item.text_edit.new_text.split()[0]
    assert (
        case.doc.applied([t.TextEdit(item.text_edit.range, new)]).count("    mul\n" if sample.begin[0] == " " else "\nmul\n")
        == 1
    )
    assert item.insert_text_format == t.InsertTextFormat.Snippet
    resolved = await case.api.completion_item_resolve_async(item)
    assert "mul" in resolved.documentation.value
    return DONE


async def signature(case: Case) -> str:
    sample = case.sample
    line = f"{sample.signed}r0, " if sample.active == "2" else sample.signed
    await case.doc.change(sample.source.replace(sample.before, f"{line}\n{sample.before}", 1))
    place = case.doc.positions.position(case.doc.offset(f"{line}\n") + len(line))
    found = await case.api.text_document_signature_help_async(t.SignatureHelpParams(case.doc.id, place))
    assert found is not None
    assert len(found.signatures[0].parameters) == 3
    assert str(found.active_parameter) == sample.active
    return DONE


async def definition(case: Case) -> str:
    name = case.sample.name or "v0"
    use = case.sample.use if case.sample.name else "v0.xyzw"
    found = await case.api.text_document_definition_async(t.DefinitionParams(case.doc.id, case.doc.at(use, name)))
    assert [case.doc.read(place.range) for place in found] == [name]
    assert found[0].range.start.line < case.doc.at(use).line
    return DONE


async def references(case: Case) -> str:
    name = case.sample.name or "v0"
    use = case.sample.use if case.sample.name else "v0.xyzw"
    place = case.doc.at(use, name)
    found = await case.api.text_document_references_async(t.ReferenceParams(t.ReferenceContext(True), case.doc.id, place))
    assert {case.doc.read(place.range) for place in found} == {name}
    assert len(found) == case.doc.text.count(name)
    uses = await case.api.text_document_references_async(t.ReferenceParams(t.ReferenceContext(False), case.doc.id, place))
    assert len(uses) == len(found) - 1
    return DONE


async def highlight(case: Case) -> str:
    place = case.doc.at(case.sample.instruction, "r0")
    found = await case.api.text_document_document_highlight_async(t.DocumentHighlightParams(case.doc.id, place))
    assert {case.doc.read(each.range) for each in found} == {"r0"}
    assert {each.kind for each in found} == {t.DocumentHighlightKind.Read, t.DocumentHighlightKind.Write}
    return DONE


async def rename(case: Case) -> str:
    sample = case.sample
    if not sample.name:
        return "no names of the source"
    place = case.doc.at(sample.use, sample.name)
    prepared = await case.api.text_document_prepare_rename_async(t.PrepareRenameParams(case.doc.id, place))
    assert prepared.placeholder == sample.name
    words = (await command(case.client, "lanewise.disassemble", case.doc.uri)).text
    edit = await case.api.text_document_rename_async(t.RenameParams(case.doc.id, place, sample.other))
    after = case.doc.applied(case.doc.edits(edit))
    assert after == sample.source.replace(sample.name, sample.other)
    await case.doc.change(after)
    assert case.doc.codes() == []
    again = (await command(case.client, "lanewise.disassemble", case.doc.uri)).text
    assert again.replace(sample.other, sample.name) == words  # the names of uniforms are in the file
    return DONE


async def rename_refused(case: Case) -> str:
    """An instruction cannot be renamed, and no name may be empty; both are said in a sentence."""
    place = case.doc.at(case.sample.instruction)
    said = await refusal(case.api.text_document_prepare_rename_async(t.PrepareRenameParams(case.doc.id, place)))
    assert "only names that the source declares" in said
    if case.sample.name:
        place = case.doc.at(case.sample.use, case.sample.name)
        assert "not a name" in await refusal(case.api.text_document_rename_async(t.RenameParams(case.doc.id, place, " ")))
    return DONE


async def refusal(answer: Awaitable[object]) -> str:
    try:
        found = await answer
    except Exception as error:
        return str(error)
    raise AssertionError(f"not refused: {found}")


async def symbols(case: Case) -> str:
    found = await case.api.text_document_document_symbol_async(t.DocumentSymbolParams(case.doc.id))
    names = {each.name: each for each in flat(found)}
    assert case.sample.symbol in names
    assert case.doc.read(names[case.sample.symbol].selection_range) == case.sample.symbol
    assert all(each.detail for each in names.values()), "each says what it is"
    return DONE


def flat(found: Any) -> list[Any]:
    return [each for symbol in found for each in (symbol, *flat(symbol.children or ()))]


async def workspace_symbols(case: Case) -> str:
    name = case.sample.symbol if case.sample.name else ""
    found = await case.api.workspace_symbol_async(t.WorkspaceSymbolParams(name))
    here = [each for each in found if each.location.uri == case.doc.uri]
    if not name:
        assert here == []  # registers are not symbols of a workspace
        return "no names of the source"
    assert here
    assert [each.name for each in here] == [name]
    other = await case.api.workspace_symbol_async(t.WorkspaceSymbolParams("closed"))
    assert [each.name for each in other] == ["closed_one"]  # of a file that is not open
    return DONE


async def folding(case: Case) -> str:
    found = await case.api.text_document_folding_range_async(t.FoldingRangeParams(case.doc.id))
    first = case.doc.positions.place(case.doc.offset("a shader"))[0] - 1
    comment = next(each for each in found if each.kind == t.FoldingRangeKind.Comment)
    assert (comment.start_line, comment.end_line) == (first, first + 1)
    if case.language in ("picasso", "nihstro"):
        assert any(each.start_line == case.doc.at("main").line for each in found)
    return DONE


async def selection(case: Case) -> str:
    place = case.doc.at(case.sample.instruction, "r0")
    found = (await case.api.text_document_selection_range_async(t.SelectionRangeParams(case.doc.id, [place])))[0]
    texts: list[str] = []
    while found is not None:
        texts.append(case.doc.read(found.range))
        found = found.parent
    assert texts[0] == "r0"
    assert texts[-1] == case.doc.text
    assert any(text.startswith("mul r0") and "\n" not in text for text in texts)
    assert all(small in large for small, large in pairwise(texts))
    return DONE


async def tokens(case: Case) -> str:
    found = decoded(
        case.doc, (await case.api.text_document_semantic_tokens_full_async(t.SemanticTokensParams(case.doc.id))).data
    )
    kinds = dict(found)
    assert kinds["mul"] == "keyword"
    assert kinds["r0"] == "variable"
    line = case.doc.at(case.sample.instruction).line
    place = t.Range(t.Position(line, 0), t.Position(line, 5))
    some = await case.api.text_document_semantic_tokens_range_async(t.SemanticTokensRangeParams(case.doc.id, place))
    part = decoded(case.doc, some.data)
    assert part
    assert all(pair in found for pair in part)
    assert len(part) < len(found)
    return DONE


def decoded(doc: Doc, data: Any) -> list[tuple[str, str]]:
    line = column = 0
    found: list[tuple[str, str]] = []
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right if down else column + right
        place = t.Range(t.Position(line, column), t.Position(line, column + length))
        found.append((doc.read(place), str(LEGEND.token_types[kind])))
    return found


async def formatting(case: Case) -> str:
    sample = case.sample
    await case.doc.change(
        sample.source.replace("mul r0", "mul   r0").replace("mov o", "mov    o").replace("mov pos", "mov    pos")
    )
    options = t.FormattingOptions(4, True)
    edits = await case.api.text_document_formatting_async(t.DocumentFormattingParams(case.doc.id, options))
    assert case.doc.applied(edits) == sample.source
    line = case.doc.at("mul   r0").line
    place = t.Range(t.Position(line, 0), t.Position(line, 3))
    some = await case.api.text_document_range_formatting_async(t.DocumentRangeFormattingParams(case.doc.id, place, options))
    assert [edit.range.start.line for edit in some] == [line]
    head, tail = sample.source[: sample.source.index("mul r0")], sample.source[sample.source.index("mul r0") :]
    broken = f"{head.rstrip(' ')}mul   r0{tail.removeprefix('mul r0')}".replace("\n", "\n  nonsense ,\n", 1)
    await case.doc.change(broken)  # a line is ended while others are not written yet
    line = case.doc.at("mul   r0").line
    for pressed, wanted in ((0, broken), (line, broken), (line + 1, broken.replace("mul   r0", "mul r0"))):
        typed = t.DocumentOnTypeFormattingParams(case.doc.id, t.Position(pressed, 0), "\n", options)
        changes: list[t.TextEdit] = await case.api.text_document_on_type_formatting_async(typed) or []
        assert _without_margin(case.doc.applied(changes)) == _without_margin(wanted), pressed
        assert all(edit.range.start.line == edit.range.end.line == pressed - 1 for edit in changes)
    return DONE


def _without_margin(text: str) -> str:
    return "\n".join([row.strip() for row in text.split("\n")])


async def quick_fix(case: Case) -> str:
    sample = case.sample
    await case.doc.change(sample.source.replace(*sample.typo))
    found = await actions(case, case.doc.found[0].range)
    fix = next(action for action in found if action.edit is not None and action.is_preferred)
    assert fix.title == "Change 'mull' to 'mul'"
    await case.doc.change(case.doc.applied(case.doc.edits(fix.edit)))
    assert case.doc.text == sample.source
    return DONE


async def fix_all(case: Case) -> str:
    sample = case.sample
    line = next(line for line in sample.source.split("\n") if sample.typo[0] in line)
    twice = sample.source.replace(line, f"{line}\n{line}").replace(*sample.typo)
    await case.doc.change(twice)
    found = await actions(case, case.doc.found[0].range)
    alike = next(action for action in found if action.title.startswith("Fix all 2 findings of "))
    assert "mull" not in case.doc.applied(case.doc.edits(alike.edit))
    every = await actions(case, case.doc.whole, t.CodeActionKind.SourceFixAll)
    assert [action.kind for action in every] == ["source.fixAll.lanewise"]
    assert "mull" not in case.doc.applied(case.doc.edits(every[0].edit))
    return DONE


async def ignore(case: Case) -> str:
    sample = case.sample
    await case.doc.change(warned(sample))
    place = next(found.range for found in case.doc.found if found.code == sample.code)
    found = await actions(case, place)
    edit = next(action.edit for action in found if action.title == f"Ignore {sample.code} on this line")
    await case.doc.change(case.doc.applied(case.doc.edits(edit)))
    assert sample.code not in case.doc.codes()
    assert f"lanewise: ignore[{sample.code}]" in case.doc.text
    return DONE


async def explain(case: Case) -> str:
    sample = case.sample
    await case.doc.change(warned(sample))
    place = next(found.range for found in case.doc.found if found.code == sample.code)
    action = next(action for action in await actions(case, place) if action.title == f"Explain {sample.code}")
    shown = await command(case.client, action.command.command, *action.command.arguments)
    assert shown.language == "markdown"
    assert shown.text.startswith(f"# {sample.code}\n")
    return DONE


async def actions(case: Case, place: t.Range, only: Any = None) -> list[Any]:
    context = t.CodeActionContext(list(case.doc.found), [only] if only else None)
    return await case.api.text_document_code_action_async(t.CodeActionParams(case.doc.id, place, context))


async def disassemble(case: Case) -> str:
    """What the text assembles to, and a binary beside it."""
    shown = await command(case.client, "lanewise.disassemble", case.doc.uri)
    assert "mul" in shown.text
    binary = next(case.folder.glob(f"light*{case.sample.binary}"))
    found: Any = await case.api.protocol.send_request_async("lanewise/disassembly", {"uri": binary.as_uri()})
    assert "mul" in found.text
    assert found.languageId
    return DONE


async def optimise(case: Case) -> str:
    """The whole optimiser, asked for as an editor does; comments and names stay."""
    sample = case.sample
    await case.doc.change(warned(sample))
    found = [
        one for one in await actions(case, case.doc.whole, "source.lanewise.optimise") if one.title.startswith("Optimise: ")
    ]
    if not found:
        return "no optimiser"
    again = t.ExecuteCommandParams(found[0].command.command, list(found[0].command.arguments))
    await case.api.workspace_execute_command_async(again)
    if case.api.messages[-1].message.startswith("nothing to remove"):
        assert "come from a macro" in case.api.messages.pop().message
        return "not what a macro writes"
    text = case.doc.applied(case.doc.edits(case.api.applied[-1]))
    assert sample.warned not in text
    assert "with two lines of comment" in text
    assert sample.name in text
    message = case.api.messages.pop().message
    assert "words before" in message or "slots" in message
    await case.doc.change(text)
    assert case.doc.codes() == []
    await case.api.workspace_execute_command_async(again)
    assert case.api.messages.pop().message.startswith("nothing to remove")
    return DONE


async def lens(case: Case) -> str:
    found = await case.api.text_document_code_lens_async(t.CodeLensParams(case.doc.id))
    titles = [each.command.title for each in found]
    assert "words" in titles[0] or "slots" in titles[0], titles
    assert titles[1:] == ["run", "trace vertex 0", "1 test"]
    texts = [(await command(case.client, each.command.command, *each.command.arguments)).text for each in found[1:]]
    assert "2  4  6  2" in texts[0]
    assert "mul" in texts[1]
    assert texts[2].startswith("1 passed, 0 failed")
    return DONE


async def calls(case: Case) -> str:
    name = case.sample.called
    if not name:
        return "no calls"
    items = await case.api.text_document_prepare_call_hierarchy_async(
        t.CallHierarchyPrepareParams(case.doc.id, case.doc.at(f"call {name}", name))
    )
    assert [item.name for item in items] == [name]
    incoming = await case.api.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(items[0]))
    assert [call.from_.name for call in incoming] == ["main"]
    outgoing = await case.api.call_hierarchy_outgoing_calls_async(t.CallHierarchyOutgoingCallsParams(incoming[0].from_))
    assert name in [call.to.name for call in outgoing]
    return DONE


async def inlay(case: Case) -> str:
    parameters = t.InlayHintParams(case.doc.id, case.doc.whole)
    found = await case.api.text_document_inlay_hint_async(parameters)
    line = case.doc.at(case.sample.instruction).line
    assert [each for each in found if each.position.line == line]
    case.api.workspace_did_change_configuration(
        t.DidChangeConfigurationParams({"lanewise": {"inlayHints": {"address": False}}})
    )
    fewer = await case.api.text_document_inlay_hint_async(parameters)
    case.api.workspace_did_change_configuration(t.DidChangeConfigurationParams({"lanewise": {"inlayHints": True}}))
    assert 0 < len(fewer) < len(found)
    return DONE


async def untitled(case: Case) -> str:
    doc = await case.client.open(
        f"untitled:Untitled-{case.language}", case.sample.source.replace(*case.sample.typo), case.language
    )
    assert [found.severity for found in doc.found][:1] == [t.DiagnosticSeverity.Error]
    await doc.change(case.sample.source)
    assert doc.codes() == []
    await doc.close()
    return DONE


async def half_written(case: Case) -> str:
    """Every line of the text as the last one, and the requests that an editor then makes."""
    lines = case.sample.source.split("\n")
    for count in range(0, len(lines), 3):
        await case.doc.change("\n".join([*lines[:count], lines[count][: len(lines[count]) // 2]]))
        place = case.doc.positions.position(len(case.doc.text))
        await case.api.text_document_completion_async(t.CompletionParams(case.doc.id, place))
        await case.api.text_document_signature_help_async(t.SignatureHelpParams(case.doc.id, place))
        await case.api.text_document_hover_async(t.HoverParams(case.doc.id, place))
    assert "U005" not in case.doc.codes()
    return DONE


def warned(sample: Sample) -> str:
    return sample.source.replace(sample.before, sample.warned + sample.before, 1)


FEATURES: Mapping[str, Callable[[Case], Awaitable[str]]] = {
    "diagnostics, links": diagnostics,
    "rules beside errors": checks_go_on,
    "hover: instruction": hover,
    "hover: value in the shader test": hover_value,
    "completion, resolve": completion,
    "signature help": signature,
    "definition": definition,
    "references": references,
    "highlight": highlight,
    "rename, same words": rename,
    "rename refused": rename_refused,
    "document symbols": symbols,
    "workspace symbols": workspace_symbols,
    "folding": folding,
    "selection": selection,
    "semantic tokens": tokens,
    "formatting, range": formatting,
    "quick fix": quick_fix,
    "fix all": fix_all,
    "ignore on this line": ignore,
    "explain": explain,
    "disassemble": disassemble,
    "optimise the program": optimise,
    "code lenses: words, run, trace, tests": lens,
    "call hierarchy": calls,
    "inlay hints, switched off": inlay,
    "untitled": untitled,
    "half-written": half_written,
}


def prepare(folder: Path) -> None:
    """The files of all languages: a source, its binary, a shader test, and another source that stays closed."""
    from lanewise.tools.cli import main

    for language, sample in SAMPLES.items():
        own = folder / language
        own.mkdir()
        path = own / sample.file
        path.write_text(sample.source)
        assert main(["asm", str(path), "-o", str(own / f"light{sample.binary}")]) == 0
        (own / "light.shadertest.toml").write_text(f'program = "{sample.file}"\n{_TEST[language]}{sample.expects}\n')
        if sample.name:
            (own / f"closed_{sample.file}").write_text(sample.source)
    closed = "\n.alias closed_one r2\n"
    (folder / "other.v.pica").write_text(closed + SAMPLES["picasso"].source)


async def results(folder: Path, client: Client) -> dict[tuple[str, str], str]:
    """By feature and language: `yes`, the reason why a language has nothing of the kind, or the failure."""
    found: dict[tuple[str, str], str] = {}
    for language, sample in SAMPLES.items():
        path = folder / language / sample.file
        doc = await client.open(path.as_uri(), sample.source, language)
        case = Case(client, language, sample, doc, folder / language)
        for feature, check in FEATURES.items():
            try:
                found[feature, language] = await check(case)
            except Exception:
                found[feature, language] = traceback.format_exc()
            if doc.text != sample.source:
                await doc.change(sample.source)
        await doc.close()
    return found


async def alone(folder: Path) -> dict[tuple[str, str], str]:
    """The results with a server of their own."""
    prepare(folder)
    client = await Client.start(folder, options={"showsTexts": True})
    try:
        return await results(folder, client)
    finally:
        await client.stop()


def table(found: Mapping[tuple[str, str], str]) -> str:
    """The table, as Markdown."""
    lines = [f"| feature | {' | '.join(SAMPLES)} |", f"|---|{'---|' * len(SAMPLES)}"]
    for feature in FEATURES:
        cells = [found[feature, language] for language in SAMPLES]
        lines.append(f"| {feature} | {' | '.join(['**fails**' if chr(10) in cell else cell for cell in cells])} |")
    return "\n".join(lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        made = asyncio.run(alone(Path(name)))
    print(table(made))
    for (row, column), text in made.items():
        if "\n" in text:
            print(f"\n{row}, {column}:\n{text}")
