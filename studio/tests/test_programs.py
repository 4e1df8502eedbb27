"""Compiled code, the optimiser's steps, proofs, comparisons, and states in files."""

from __future__ import annotations

import json
import multiprocessing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from lanewise.core.diagnostics import InputError
from lanewise.tools.cli import main

from lanewise_studio.asks import Ask
from lanewise_studio.background import Job, run
from lanewise_studio.frames import unpack
from lanewise_studio.panes.compiled import compiled
from lanewise_studio.panes.proofs import diff, opt
from lanewise_studio.state import plain_state, read_state
from lanewise_studio.stop import Cancelled, Stop
from test_steps import SMALL, STATES, Asked

if TYPE_CHECKING:
    from pathlib import Path

    from pages import Page


def changed(name: str, old: str, new: str) -> dict[str, Any]:
    state = json.loads(json.dumps(STATES[name]))
    assert old in state["files"][0]["text"]
    state["files"][0]["text"] = state["files"][0]["text"].replace(old, new)
    return state


@pytest.mark.parametrize(
    ("name", "target"), [("glsl", "pica200"), ("glsl", "shadercore"), ("direct3d9", "shadercore"), ("direct3d9", "pica200")]
)
def test_compiled_code_has_lines_of_its_source(name: str, target: str) -> None:
    state = read_state(STATES[name])
    try:
        found: Any = compiled(state, {}, target, Stop())
    except InputError as error:
        pytest.skip(error.diagnostics[0].message)  # no compiler of GLSL is here
    assert found["target"] == target and found["right"]["rows"] and found["cost"]["text"]
    lines = {row["line"] for row in found["right"]["rows"]} - {None}
    text = state.files[0].text.split("\n")
    named = "gl_Position" if name == "glsl" else "m4x4"
    assert any(named in text[line - 1] for line in lines)
    assert all(row["text"] for row in found["right"]["rows"])
    left: list[dict[str, Any]] = found["left"]["rows"]
    linked = [row for row in found["right"]["rows"] if row["line"] is not None]
    assert sum(row["words"] for row in left) == len(linked) > 0
    assert sum(row["cycles"] or 0 for row in left) == sum(row["takes"] or 0 for row in linked)
    assert any(row["cycles"] for row in left) == (target == "shadercore")
    if name == "direct3d9" and target == "shadercore":
        rows: list[dict[str, Any]] = found["right"]["rows"]
        assert {text[int(row["line"]) - 1].split()[0] for row in rows if "v1." in str(row["text"])} == {"dp3"}
    if target == "shadercore":
        cycles = [row["cycles"] for row in found["right"]["rows"]]
        assert cycles == sorted(cycles)


def test_a_preamble_is_an_option_of_a_state() -> None:
    """It says what it would save and what it does; its registers are not the user's, and the picture is the same."""
    plain = changed("glsl", "mat3(modelview) * normal", "transpose(inverse(mat3(modelview))) * normal")
    prepared = {**plain, "options": {"preamble": True}}
    try:
        found: list[Any] = [compiled(read_state(state), {}, "pica200", Stop()) for state in (plain, prepared)]
    except InputError as error:
        pytest.skip(error.diagnostics[0].message)  # no compiler of GLSL is here
    texts = [each["cost"]["text"] for each in found]
    assert [len(each["right"]["rows"]) for each in found] == [each["cost"]["words"] for each in found]
    assert "depend on uniforms only" in texts[0]
    assert "registers computed before the draw, in float32" in texts[1]
    assert "depend on" not in texts[1]
    before, after = (Asked(state).evaluation for state in (plain, prepared))
    assert [row.name for row in after.subject.uniforms] == [row.name for row in before.subject.uniforms]
    for name, values in before.result.outputs.items():
        np.testing.assert_allclose(after.result.outputs[name], values, rtol=1e-2, atol=1e-2)


def test_what_is_not_compiled_says_so() -> None:
    found = compiled(read_state(SMALL), {}, "", Stop())
    assert "nothing to compile" in str(found["reason"])


def test_the_optimiser_gives_its_steps_and_a_source_that_is_equal(page: Page) -> None:
    state = STATES["picasso"]
    page.ask("evaluate", state=state, panes=["source"])
    found = page.ask("opt").panes["opt"]
    assert found["before"] - found["after"] == sum(step["saved"] for step in found["steps"]) > 0
    assert all(step["lines"] and step["text"] and step["fix"] for step in found["steps"])
    old, new = (text.split("\n") for text in (state["files"][0]["text"], found["source"]))
    signs = {sign: [text for each, text in found["changes"] if each == sign] for sign in "-+"}
    assert len(signs["-"]) - len(signs["+"]) == len(old) - len(new) > 0
    assert {*signs["-"]} <= {line.strip() for line in old} and {*signs["+"]} <= {line.strip() for line in new}
    smaller = {**state, "files": [{"name": "light.v.pica", "text": found["source"]}]}
    proof = page.ask("diff", other=smaller).panes["diff"]
    assert proof["kind"] == "equal", proof
    assert page.ask("compare", other=smaller).panes["compare"]["differ"] == 0


SHADERS = {
    "a.vsa": "vs_2_0 ; a vertex\ndcl_position v0\nmov r0, v0 ; a copy\nadd oPos, r0, c0\n",
    "a.sc": ".input v0 position\n.output o0 position\nmov r0.x, v0.x ; a copy\nadd o0.x, r0.x, v0.y\nend\n",
}


@pytest.mark.parametrize("name", SHADERS)
def test_the_optimiser_of_other_instruction_sets(name: str) -> None:
    """Slots, and cycles where the device has some, with what each step saves; the rest of the source stays."""
    found: Any = opt(read_state({"files": [{"name": name, "text": SHADERS[name]}]}), {}, Stop())
    units = ["slots", *(["cycles"] if name == "a.sc" else [])]
    assert [size["unit"] for size in found["sizes"]] == units
    for size in found["sizes"]:
        assert size["before"] - size["after"] == sum(step["savings"][size["unit"]] for step in found["steps"]) > 0
    assert found["rules"] and found["unit"] == "slots" and found["steps"][0]["lines"] == [3, 4]
    assert "; a copy" in found["source"] and "r0" not in found["source"]


def test_a_comparison_names_its_two_sides(page: Page) -> None:
    state = STATES["picasso"]
    page.ask("evaluate", state=state, panes=["source"])
    assert page.ask("compare", other={**state, "profile": "azahar"}).panes["compare"]["names"] == ["hardware", "azahar"]
    assert page.ask("compare", other=state).panes["compare"]["names"] == ["this version", "kept version"]


def test_a_comparison_of_profiles_says_which_open_questions_change_a_value(page: Page) -> None:
    state = STATES["picasso"]
    page.ask("evaluate", state=state, panes=["source"])
    because = page.ask("compare", other={**state, "profile": "azahar"}).panes["compare"]["because"]
    assert because[0]["key"] == "rounding"
    seen = page.ask("compare", other={**state, "profile": "azahar"}).panes["compare"]["seen"]
    assert (seen["width"], seen["height"]) == (400, 240) and 0 < seen["pixels"] < 0.1 and 0 < seen["colour"] < 0.1
    darker = page.ask("compare", other={**state, "uniforms": {**state.get("uniforms", {}), "ambient": [[0, 0, 0, 1]]}})
    assert darker.panes["compare"]["seen"]["pixels"] == 0 and darker.panes["compare"]["seen"]["colour"] > 30
    assert because[0]["left"].startswith("toward zero") and because[0]["right"].startswith("not to float24")
    assert because[0]["known"] == "unknown" and because[0]["source"]
    one = page.ask("compare", other={**state, "set": "rounding=nearest"}).panes["compare"]["because"]
    assert [row["key"] for row in one] == ["rounding"]
    assert page.ask("compare", other=state).panes["compare"]["because"] == []  # nothing differs
    other = changed("picasso", "max r2.x, zero, r2.x", "max r2.x, one, r2.x")
    assert page.ask("compare", other={**other, "profile": "azahar"}).panes["compare"]["because"] == []  # another program


def test_a_counter_example() -> None:
    first, second = (
        read_state(state)
        for state in (STATES["shadercore"], changed("shadercore", "r1.xyz, v0.xyz, c1.xyz", "r1.xyz, v0.xyz, c2.xyz"))
    )
    found = diff(first, second, {}, Stop())
    assert found["kind"] == "different" and found["example"] and "o0.y" in str(found["counterexample"])


def test_long_work_is_cancelled_and_leaves_no_process(page: Page) -> None:
    page.ask("evaluate", state=STATES["picasso"], panes=["source"])
    number = page.send("diff", other=STATES["picasso"])
    page.send("cancel", target=number)
    assert page.wait(number).last.get("cancelled")
    assert page.ask("evaluate", state=STATES["picasso"], panes=["source"]).last["done"]


def test_a_job_ends_with_its_question() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        run(Job("diff", {"other": STATES["picasso"]}, STATES["picasso"], {}), stop)
    assert not multiprocessing.active_children()
    with pytest.raises(InputError):
        run(Job("opt", {}, {"files": [{"name": "a.v.pica", "text": "mull"}]}, {}), Stop())


def test_the_first_step_that_differs_between_two_versions(page: Page) -> None:
    state = STATES["picasso"]
    page.ask("evaluate", state=state, panes=["source"])
    answer = page.ask("compare", other=changed("picasso", "max r2.x, zero, r2.x", "max r2.x, one, r2.x"))
    found = answer.panes["compare"]
    differs = answer.frames[0][1]["differs"]
    assert found["differ"] == int(differs.sum()) == found["vertices"]
    assert {row["name"] for row in found["outputs"]} == {"color"}
    assert found["first"]["left"]["value"] != found["first"]["right"]["value"]
    lines = state["files"][0]["text"].split("\n")
    assert "max r2.x" in lines[found["first"]["left"]["line"] - 1]
    assert (found["first"]["left"]["text"], found["first"]["right"]["text"]) == ("max r2.x, zero, r2", "max r2.x, one, r2")


def test_the_first_step_that_differs_between_two_profiles() -> None:
    asked = Asked(STATES["picasso"])
    sent: list[Any] = []
    asked.desk.answer(Ask(1, "compare", {"other": {**STATES["picasso"], "profile": "azahar"}}, sent.append, Stop()))
    found = sent[-1]["value"]
    step = found["first"]["step"]
    one, two = (
        asked.ask("trace", thread=found["first"]["vertex"]),
        Asked({**STATES["picasso"], "profile": "azahar"}).ask("trace", thread=found["first"]["vertex"]),
    )
    for number in range(step):
        assert [write["new"]["values"] for write in one["steps"][number]["writes"]] == [
            write["new"]["values"] for write in two["steps"][number]["writes"]
        ]
    assert one["steps"][step]["writes"][0]["new"]["values"] != two["steps"][step]["writes"][0]["new"]["values"]


def test_two_devices_of_shadercore_differ_in_numbers_and_cycles() -> None:
    """`rtl` truncates products where `document` rounds them."""
    states = {device: {**STATES["shadercore"], "profile": device} for device in ("rtl", "document")}
    asked = {device: Asked(state) for device, state in states.items()}
    sent: list[Any] = []
    asked["rtl"].desk.answer(Ask(1, "compare", {"other": states["document"]}, sent.append, Stop()))
    [frame, pane] = sent
    found, differs = pane["value"], unpack(frame)[1]["differs"]
    one, two = (each.evaluation.result.outputs for each in asked.values())
    expected = np.zeros(found["vertices"], bool)
    for name in one:
        expected |= (np.asarray(one[name]).view(np.uint32) != np.asarray(two[name]).view(np.uint32)).any(axis=1)
    assert np.array_equal(differs.astype(bool), expected) and 0 < found["differ"] == int(expected.sum())
    assert {row["name"] for row in found["outputs"]} == {"position"}
    assert [name.rpartition(", ")[2] for name in found["names"]] == ["rtl", "document"]
    assert found["cycles"] == [asked[device].ask("timeline")["cycles"] for device in states]
    first = found["first"]
    step = [asked[device].ask("trace", thread=first["vertex"])["steps"][first["step"]] for device in states]
    assert [each["writes"][0]["new"]["values"][0] for each in step] == [first["left"]["value"], first["right"]["value"]]
    assert first["left"]["text"] == first["right"]["text"] and first["left"]["value"] != first["right"]["value"]


def test_states_without_a_comparison() -> None:
    asked = Asked(STATES["picasso"])
    with pytest.raises(InputError, match="1200 and 24 vertices"):
        asked.ask("compare", other={**STATES["picasso"], "mesh": {"name": "cube"}})


@pytest.mark.parametrize("name", ["picasso", "shadercore", "direct3d9"])
def test_a_saved_state_is_a_test_and_comes_back(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state: dict[str, Any] = {**STATES[name], "camera": {"yaw": 1.0}}
    asked = Asked(state)
    saved = asked.ask("save")
    assert json.dumps(asked.ask("open", text=saved["text"])["state"]) == json.dumps(plain_state(read_state(state)))
    (tmp_path / saved["name"]).write_text(saved["text"])
    file = state["files"][0]
    (tmp_path / file["name"]).write_text(file["text"])
    assert main(["test", str(tmp_path / saved["name"])]) == 0, capsys.readouterr()
    with pytest.raises(InputError, match="no state"):
        asked.ask("open", text='program = "a.sc"\n')
    with pytest.raises(InputError, match="damaged"):
        asked.ask("open", text="# studio: AAAA\n")


def test_fates_while_a_camera_is_dragged(page: Page) -> None:
    page.ask("evaluate", state=STATES["picasso"])
    near = {"distance": 1.2}
    hot = page.ask("uniforms", camera=near, arrays=["fate", "screen", "output:color"])
    head, whole = page.ask("evaluate", state={**STATES["picasso"], "camera": near}).mesh
    first = page.ask("evaluate", state=STATES["picasso"]).mesh[0]
    fate = hot.mesh[1]["fate"]
    names = [*first["fates"], *["?"] * 255]
    assert [names[number] for number in fate.tolist()].count("near") == head["counts"].get("near", 0)
    assert int((fate == 255).sum()) == head["visible"]
    assert np.array_equal(hot.mesh[1]["screen"], whole["screen"], equal_nan=True)
    assert hot.mesh[1]["output:color"].tobytes() == whole["output:color"].tobytes()


def test_descriptors_say_what_they_do(page: Page) -> None:
    shown: Any = page.ask("evaluate", state=STATES["picasso"], panes=["words"]).panes["words"]
    by_word = {address: row["text"] for row in shown["descriptors"] for address in row["words"]}
    text = [row["instruction"] for row in shown["rows"]]
    assert by_word[text.index("dp4 r0.x, modelview[0], position")] == ".x, xyzw, xyzw"
    assert by_word[text.index("mov r0.w, one")] == ".w, xyzy, xyzx"  # shared with a dp4 of .w: mov uses the y in the place of w


def test_glsl_includes_only_files_of_the_page(tmp_path: Path) -> None:
    secret = tmp_path / "secret.glsl"
    secret.write_text("a secret of the machine\n")
    state = changed("glsl", "void main", f'#include "{secret}"\n#include "own.glsl"\nvoid main')
    state["files"].append({"name": "own.glsl", "text": "void own() { return 1.0; }\n"})
    with pytest.raises(InputError) as raised:
        compiled(read_state(state), {}, "pica200", Stop())
    found = {each.code: each for each in raised.value.diagnostics}
    if "L900" in found:
        pytest.skip(found["L900"].message)
    assert found["L905"].message == f"'{secret}' is not included: no such file as {secret}"
    assert found["L901"].span.file == "own.glsl"
    assert "a secret" not in str(raised.value.diagnostics)
