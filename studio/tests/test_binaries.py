"""Binaries: shown as their disassembly, to which every pane leads."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lanewise as lw
import pytest
from lanewise.core.diagnostics import InputError

from lanewise_studio.asks import Ask
from lanewise_studio.panes.compiled import compiled
from lanewise_studio.panes.proofs import opt
from lanewise_studio.state import file_of, plain_state, read_state
from lanewise_studio.stop import Stop
from test_steps import STATES, Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
KINDS = {
    "picasso": ("shbin", "picasso", "light.v.pica"),
    "shadercore": ("bin", "shadercore", "transform.sc"),
    "direct3d9": ("vso", "direct3d9", "light.vsa"),
}


def binary(name: str, folder: Path) -> dict[str, Any]:
    """The state of an example with its program as a binary."""
    file = STATES[name]["files"][0]
    source = folder / str(file["name"])
    source.write_text(str(file["text"]))
    path = folder / f"{source.name.partition('.')[0]}.{KINDS[name][0]}"
    lw.load(source).save(path)
    return {**STATES[name], "files": [file_of(path.name, path.read_bytes()).plain()]}


def whole(asked: Asked, state: Mapping[str, object]) -> dict[str, Any]:
    sent: list[Any] = []
    asked.desk.answer(Ask(1, "evaluate", {"state": state, "panes": ["source", "words", "data", "graph"]}, sent.append, Stop()))
    return {message["pane"]: message["value"] for message in sent}


@pytest.mark.parametrize("name", KINDS)
def test_each_pane_leads_to_a_line_of_the_disassembly(name: str, tmp_path: Path) -> None:
    state = binary(name, tmp_path)
    asked = Asked(state)
    panes = whole(asked, state)
    listing = panes["source"]["listing"]
    file, lines = listing["file"], listing["text"].split("\n")
    assert panes["source"]["languages"] == {file: KINDS[name][1]} and listing["source"] == KINDS[name][2]
    texts = {row["address"]: row["instruction"] for row in panes["words"]["rows"] if row["instruction"]}
    placed = {row["address"]: row["line"] for row in panes["words"]["rows"]}
    assert all(lines[placed[address] - 1].split()[0] == text.split()[0] for address, text in texts.items())
    steps = asked.ask("trace", thread=5)["steps"]
    assert steps and all(step["source"]["file"] == file and step["source"]["line"] == placed[step["word"]] for step in steps)
    sought = asked.ask("seek", thread=5, position=0, line=steps[2]["source"]["line"])
    assert sought["found"] and steps[sought["position"]]["source"]["line"] == steps[2]["source"]["line"]
    assert {row["file"] for row in asked.ask("wave", thread=0)["rows"]} == {file}
    assert {line["file"] for graph in panes["graph"]["graphs"] for node in graph["nodes"] for line in node["lines"]} == {file}


@pytest.mark.parametrize("name", KINDS)
def test_a_binary_gives_what_its_source_gives(name: str, tmp_path: Path) -> None:
    state = binary(name, tmp_path)
    asked = Asked(state)
    before = Asked(STATES[name]).evaluation.result.outputs
    if name != "shadercore":  # there c0 to c3 have no names, and the colour has its own default
        for output, array in asked.evaluation.result.outputs.items():
            assert array.tobytes() == before[output].tobytes()
    edited = {
        **state,
        "files": [{"name": KINDS[name][2], "text": asked.ask("evaluate", state=state, panes=["source"])["listing"]["text"]}],
    }
    sent: list[Any] = []
    asked.desk.answer(Ask(1, "compare", {"other": edited}, sent.append, Stop()))
    assert sent[-1]["value"]["differ"] == 0
    assert list(Asked(edited).evaluation.loaded.words) == list(asked.evaluation.loaded.words)


def test_a_link_and_a_saved_state_carry_the_binary(tmp_path: Path) -> None:
    state = read_state(binary("picasso", tmp_path))
    assert read_state(plain_state(state)) == state and state.files[0].data[:4] == b"DVLB"
    asked = Asked(plain_state(state))
    saved = asked.ask("save")
    assert asked.ask("open", text=saved["text"])["state"] == plain_state(state)
    with pytest.raises(InputError, match=r"the data of a\.shbin is not base64"):
        read_state({"files": [{"name": "a.shbin", "data": "#"}]})


def test_compiled_code_of_a_binary_has_lines_of_its_disassembly(tmp_path: Path) -> None:
    found: Any = compiled(read_state(binary("direct3d9", tmp_path)), {}, "shadercore", Stop())
    text = {row["line"]: row["text"] for row in found["left"]["rows"]}
    lines = {row["line"] for row in found["right"]["rows"]} - {None}
    assert any("m4x4" in text[line] for line in lines)


def test_a_module_of_spirv_is_shown_as_the_program_that_it_becomes() -> None:
    content = (EXAMPLES / "glsl" / "toon.spv").read_bytes()
    state = {"files": [file_of("toon.spv", content).plain()]}
    asked = Asked(state)
    panes = whole(asked, state)
    listing = panes["source"]["listing"]
    assert panes["source"]["compiled"] and listing["source"] == "toon.v.pica" and ".proc main" in listing["text"]
    assert {step["source"]["file"] for step in asked.ask("trace", thread=0)["steps"]} == {"toon.spv"}
    found: Any = compiled(read_state(state), {}, "pica200", Stop())
    text = {row["line"]: row["text"] for row in found["left"]["rows"]}
    assert found["left"]["name"] == "toon.vert" and any("normalize" in line for line in text.values())
    assert {row["line"] for row in found["right"]["rows"]} <= {None, *text}


def test_the_steps_of_the_optimiser_are_lines_of_the_disassembly(tmp_path: Path) -> None:
    state = binary("picasso", tmp_path)
    found: Any = opt(read_state(state), {}, Stop())
    assert found["before"] > found["after"]
    assert all(step["lines"] and step["before"] for step in found["steps"]) and ".proc main" in found["source"]


def test_the_shaders_of_an_effect_are_chosen_by_name() -> None:
    state = {"files": [file_of("water.fxb", (EXAMPLES / "water.fxb").read_bytes()).plain()]}
    source = whole(Asked(state), state)["source"]
    assert source["ok"] and source["entry"] == source["entries"][0] == "Water/P0/vertex"
    pixel = {**state, "entry": "Water/P0/pixel"}
    panes = whole(Asked(pixel), pixel)
    assert panes["source"]["stage"] == "pixel" and panes["data"]["table"]["rows"]


def test_a_damaged_binary_is_a_finding() -> None:
    state = {"files": [{"name": "a.shbin", "data": base64.b64encode(b"DVLB\1\0\0\0\xff\0\0\0").decode()}]}
    asked = Asked(STATES["picasso"])
    source = whole(asked, state)["source"]
    assert not source["ok"] and source["diagnostics"] and "listing" not in source


def test_the_first_of_several_vertex_shaders_is_shown_until_another_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "both.shbin"
    other = tmp_path / "other.v.pica"
    other.write_text((EXAMPLES / "toon.v.pica").read_text().replace(".proc main", ".entry other\n.proc other"))
    lw.assemble([EXAMPLES / "transform.v.pica", other]).save(path)
    state = {"files": [file_of(path.name, path.read_bytes()).plain()], "mesh": {"name": "cube"}}
    outputs: list[list[str]] = []
    for entry in ("", "dvle1"):
        chosen = {**state, "entry": entry}
        asked = Asked(chosen)
        panes = whole(asked, chosen)
        assert panes["source"]["entries"] == ["dvle0", "dvle1"]
        assert panes["source"]["entry"] == (entry or "dvle0")
        assert len(panes["graph"]["graphs"]) == 1
        head, _ = asked.ask("evaluate", state=chosen, panes=["mesh"])
        outputs.append([row["name"] for row in head["outputs"]])
        assert asked.ask("trace", thread=0)["steps"]
    assert outputs == [["position", "color", "texcoord0"], ["position", "color"]]
