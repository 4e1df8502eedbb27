"""Options in fixes, as places that have no command line call them."""

from __future__ import annotations

import pytest

from lanewise.core.diagnostics import ERROR, Alternative, Diagnostic
from lanewise.core.elsewhere import elsewhere, placed
from lanewise.core.missing import input_missing
from lanewise.core.source import Span
from lanewise.dap.launch import KEYS, launched
from lanewise.lsp.client import setting
from lanewise.packages import packages

PLACE = Span(file="a.v.pica", line=1)


def everything(key: str, value: str) -> str:
    return f"<{key} {value}>"


@pytest.mark.parametrize(
    ("fix", "there"),
    [
        ("give `--input a=...` (inputs={'a': ...}): 4 numbers", "give <input a=...>: 4 numbers"),
        ("give it by `--int` (integers=)", "give it by <int >"),
        ("or `--count N` (`count=N`): there is one", "or <count N>: there is one"),
        ("name its folder with `-I`", "name its folder with <include >"),
        ("leave out --direct3d8: it has vs_1_0", "leave out <direct3d8 >: it has vs_1_0"),
        ("use --dialect picasso, or name it .v.pica", "use <dialect picasso>, or name it .v.pica"),
        ("use --set sincos=series", "use <set sincos=series>"),
        ("--int i0=4, or an upper bound, --bound i0=8", "<int i0=4>, or an upper bound, <bound i0=8>"),
        ("correct --entry, which counts words", "correct <entry >, which counts words"),
        ('`--input "texcoord3=0;1;2"`', "<input texcoord3=0;1;2>"),
        ("set the state to none (--cull none)", "set the state to none (<cull none>)"),
        ("`lanewise run FILE --input a=1` or lanewise inspect --scan FILE", None),
        ("write `a -b` - or --, `nop`; x--y", None),
    ],
)
def test_options_are_what_a_surface_calls_them(fix: str, there: str | None) -> None:
    assert elsewhere(fix, everything) == (there or fix)
    assert elsewhere(fix, lambda _key, _value: "") == fix


def test_fixes_and_their_alternatives_are_those_of_the_surface() -> None:
    other = Alternative("use `--entry main`", ())
    finding = Diagnostic(code="X", severity=ERROR, message="m", span=PLACE, fix="use `-D A=1`", alternatives=(other,))
    assert placed(finding, everything).fix == "use <define A=1>"
    assert placed(finding, everything).alternatives[0].fix == "use <entry main>"
    assert placed(finding._replace(fix="", alternatives=()), everything) == finding._replace(fix="", alternatives=())


def test_a_missing_input_in_an_editor_and_a_debugger() -> None:
    finding = input_missing("color (v1)", "color", "vertex", "shader", PLACE)
    rest = ": a row of 1 to 4 numbers for each vertex, or one for all; or use "
    where = "in `inputs` of the launch configuration"
    zeros = '`"default": "0"` in `options` of the launch configuration for zeros'
    assert placed(finding, launched).fix == f"give `color=...` {where}{rest}{zeros}"
    assert "--" not in placed(finding, setting).fix


def test_every_option_of_a_debug_session_has_a_place_in_a_launch_configuration() -> None:
    for option in [option for package in packages() for option in package.manual("debug").options]:
        assert "launch configuration" in launched(option.key, "1"), option.key
    assert launched("entry", "main") == '`"entry": "main"` in the launch configuration' and "entry" in KEYS
    assert launched("scan", "") == setting("scan", "") == ""


def test_settings_of_editors_are_options_of_check() -> None:
    keys = {option.key for package in packages() for option in package.manual("check").options}
    assert {key for key in keys if "setting" in setting(key, "")} >= {"define", "include", "semantic", "direct3d8", "strict"}
    assert setting("semantic", "a=color") == "`a=color` in the setting `lanewise.semantic`"
