"""The server as a whole: encodings, several files, configuration, failures, order of messages."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from editors.matrix import DONE, FEATURES, SAMPLES, prepare, refusal, results
from editors.session import Client, Doc, command
from lanewise.compile.outside.compilers import COMPILERS

if TYPE_CHECKING:
    from pathlib import Path

PICASSO = SAMPLES["picasso"]


WORDS = "; \U0001f600 \f \u2028 \x85\n"  # characters of several units, and some that end lines elsewhere, but in no editor


async def positions(client: Client, tmp_path: Path) -> None:
    """Names after characters beyond the 16 bits of a unit, in the middle of a line."""
    text = (
        f"{WORDS}vs_2_0\n#define \u00e9 1 /* \U0001f600 */\ndef c0, 1, 1, 1, 1 // \U0001f600\ndcl_position v0\n"
        "/* \U0001f600\U0001f600 */ mull r0, v0, c0\nmov oPos, r0\n"
    )
    doc = await client.open((tmp_path / "a.vsa").as_uri(), text)
    found = [each for each in doc.found if "mull" in each.message]
    assert [doc.read(each.range) for each in found] == ["mull"]
    marks = await client.client.text_document_document_highlight_async(
        t.DocumentHighlightParams(doc.id, doc.at("*/ mull r0", "r0"))
    )
    assert marks
    assert {doc.read(each.range) for each in marks} == {"r0"}
    actions = await client.client.text_document_code_action_async(
        t.CodeActionParams(doc.id, found[0].range, t.CodeActionContext(found))
    )
    fix: Any = next(action for action in actions or () if getattr(action, "is_preferred", False))
    assert doc.applied(doc.edits(fix.edit)) == text.replace("mull", "mul")


async def included_files(client: Client, tmp_path: Path) -> None:
    """The open text of an included file counts, its findings are those of the program, and renames go through both."""
    part, whole = tmp_path / "part.inc", tmp_path / "whole.vsh"
    part.write_text(".alias scale c0\n")
    source = (
        '.include "part.inc"\n.alias position v0\n.alias pos o0 as position\nmain:\n    mul pos, scale, position\n    end\n'
    )
    whole.write_text(source)

    program = await client.open(whole.as_uri(), source, "nihstro")
    assert program.codes() == []
    place = program.at("mul pos, scale", "scale")
    found = await client.client.text_document_definition_async(t.DefinitionParams(program.id, place))
    assert isinstance(found, list)
    assert [each.uri for each in found if isinstance(each, t.Location)] == [part.as_uri()]
    included = await client.open(part.as_uri(), ".alias scale c0\n", "nihstro")
    assert included.codes() == []  # it is no program, and nobody says so
    edit = await client.client.text_document_rename_async(t.RenameParams(included.id, included.at("scale"), "factor"))
    assert included.applied(included.edits(edit)) == ".alias factor c0\n"
    assert program.applied(program.edits(edit)) == source.replace("scale", "factor")
    shown = await client.client.text_document_hover_async(t.HoverParams(included.id, included.at("scale")))
    assert shown is not None
    assert "**read**: line 5" in str(shown.contents), "as the program reads it"
    symbols = await client.client.text_document_document_symbol_async(t.DocumentSymbolParams(included.id))
    assert [(symbol.name, getattr(symbol, "detail", "")) for symbol in symbols or ()] == [("scale", "c0")]
    await included.change(".alias scale c0\nhelp:\n    mul r0, ")
    await program.settle()
    end = included.positions.position(len(included.text))
    offered = await client.client.text_document_completion_async(t.CompletionParams(included.id, end))
    items = offered.items if isinstance(offered, t.CompletionList) else offered or ()
    assert {"scale", "position"} <= {item.label for item in items}, "names of the program too"
    signed = await client.client.text_document_signature_help_async(t.SignatureHelpParams(included.id, end))
    assert signed is not None
    assert signed.signatures[0].label == "mul DST, SRC1, SRC2"
    await included.change(".alias other c0\n")
    await program.settle()
    assert [program.read(each.range) for each in program.found] == ["scale"]
    await included.change(".alias scale c0\n.alias broken c999\n")
    await program.settle()
    assert [included.read(each.range) for each in included.found] != []
    await included.close()
    part.write_text(".alias moved c0\n")
    changed = t.FileEvent(part.as_uri(), t.FileChangeType.Changed)
    client.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([changed]))
    await program.settle()
    assert program.codes()
    watched = [each for each in client.client.registrations if each.id.startswith("lanewise-included")]  # type: ignore[attr-defined]
    assert watched


async def the_configuration_counts(client: Client, tmp_path: Path) -> None:
    config = tmp_path / "lanewise.toml"
    config.write_text('ignore = ["V096"]\nindent = 2\n')
    source = PICASSO.source.replace(PICASSO.before, PICASSO.warned + PICASSO.before)

    doc = await client.open((tmp_path / PICASSO.file).as_uri(), source)
    assert "V096" not in doc.codes()
    edits = await client.client.text_document_formatting_async(t.DocumentFormattingParams(doc.id, t.FormattingOptions(8, True)))
    assert "\n  mul r0" in doc.applied(list(edits or ()))
    config.write_text("")
    await told(client, config, doc)
    assert "V096" in doc.codes()
    config.write_text("nonsense = 1\n")
    await told(client, config, doc)
    await doc.settle()
    assert [message.message for message in client.client.messages if "unknown key 'nonsense'" in message.message]


async def told(client: Client, path: Path, doc: Doc) -> None:
    event = t.FileEvent(path.as_uri(), t.FileChangeType.Changed)
    client.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([event]))
    await doc.settle()


async def the_last_of_many_changes_counts(client: Client, tmp_path: Path) -> None:
    """Keys that come faster than analyses: the findings at the end are those of the last text. A question that is taken back
    has an answer."""
    doc = await client.open((tmp_path / PICASSO.file).as_uri(), PICASSO.source)
    for number in range(12):
        doc.text = PICASSO.source.replace(*PICASSO.typo) if number % 2 == 0 else PICASSO.source
        client.versions[doc.uri] += 1
        doc.send()
    question = t.HoverParams(doc.id, doc.at("mul r0"))
    answer = asyncio.ensure_future(
        client.client.protocol.send_request_async(t.TEXT_DOCUMENT_HOVER, question, msg_id="taken back")
    )
    await asyncio.sleep(0)
    client.client.cancel_request(t.CancelParams("taken back"))
    try:
        assert await answer is not None  # it was quicker
    except JsonRpcException as error:
        assert "canceled" in str(error)
    await doc.settle()
    assert doc.codes() == []
    await doc.close()


async def commands_say_in_a_sentence_what_is_wrong(client: Client, tmp_path: Path) -> None:
    doc = await client.open((tmp_path / PICASSO.file).as_uri(), PICASSO.source.replace(*PICASSO.typo))
    assert "unknown instruction" in await refusal(command(client, "lanewise.run", doc.uri))
    assert "has no `lanewise time`" in await refusal(command(client, "lanewise.time", (await fixed(doc)).uri))
    assert "unknown code X1" in await refusal(command(client, "lanewise.explain", "X1"))
    assert "missing a required argument" in await refusal(command(client, "lanewise.explain"))
    assert "not open" in await refusal(command(client, "lanewise.run", "file:///nowhere.pica"))
    binary = tmp_path / "bad.shbin"
    binary.write_bytes(b"DVLB")
    assert "program has errors" in await refusal(command(client, "lanewise.disassemble", binary.as_uri()))
    assert "cannot read" in await refusal(command(client, "lanewise.disassemble", (tmp_path / "none.shbin").as_uri()))
    assert [message.message for message in client.client.messages if "internal" in message.message] == []


async def fixed(doc: Doc) -> Doc:
    await doc.change(PICASSO.source)
    return doc


async def other_texts_are_left_alone(client: Client, tmp_path: Path) -> None:
    """A GLSL shader with a suffix of ours, of which only a missing compiler is reported, and a text of no language."""

    for name, text in (("a.txt", "hello"), ("b.vsh", "#version 300 es\nin vec4 a;\nvoid main() { gl_Position = a; }\n")):
        doc = await client.open((tmp_path / name).as_uri(), text, "plaintext")
        compiled = any(row.find(row.programs) for row in COMPILERS)
        assert doc.codes() == ([] if name == "a.txt" or compiled else ["L900"])
        whole = t.Range(t.Position(0, 0), t.Position(9, 0))
        hints = await client.client.text_document_inlay_hint_async(t.InlayHintParams(doc.id, whole))
        shown = [(hint.position.line, hint.label, hint.tooltip) for hint in hints or ()]
        assert shown == ([(2, "1 word", "word 0x000")] if name == "b.vsh" and compiled else [])
        found = await client.client.text_document_hover_async(t.HoverParams(doc.id, t.Position(0, 1)))
        assert found is None


WORKS = (
    positions,
    included_files,
    the_configuration_counts,
    the_last_of_many_changes_counts,
    commands_say_in_a_sentence_what_is_wrong,
    other_texts_are_left_alone,
)
# What a language does not have, in the words of the table.
LACKING = {
    ("rename, same words", "shadercore"): "no names of the source",
    ("workspace symbols", "shadercore"): "no names of the source",
    ("call hierarchy", "shadercore"): "no calls",
    ("call hierarchy", "direct3d9"): "no calls",
    ("optimise the program", "direct3d9"): "not what a macro writes",
}


def test_every_feature_in_every_language(tmp_path: Path):
    """One server for all, because it takes longer to start than to do it."""
    sources, files = tmp_path / "sources", tmp_path / "files"
    sources.mkdir()
    prepare(sources)
    failed: list[str] = []

    async def run() -> dict[tuple[str, str], str]:
        client = await Client.start(sources, options={"showsTexts": True})
        found = await results(sources, client)
        assert [message.message for message in client.client.messages] == []
        for work in WORKS:
            own = files / work.__name__
            own.mkdir(parents=True)
            client.client.messages.clear()
            try:
                await work(client, own)
            except Exception:
                failed.append(f"{work.__name__}:\n{traceback.format_exc()}")
        await client.stop()
        return found

    found = asyncio.run(run())
    failed += [f"{feature}, {language}:\n{text}" for (feature, language), text in found.items() if "\n" in text]
    assert not failed, "\n\n".join(failed)
    assert found == {
        (feature, language): LACKING.get((feature, language), DONE) for feature in FEATURES for language in SAMPLES
    }
