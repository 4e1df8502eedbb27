"""Edits in sequence: what is kept from one analysis to the next changes nothing of what an editor gets."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from effort import times
from lanewise.core.text.keeping import Store
from lanewise.direct3d9.text import notes as direct3d9
from lanewise.lsp.documents import Documents, Rules
from lanewise.pica200.text import naming as pica200
from lanewise.shadercore.text import notes as shadercore

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanewise.lsp.documents import View

PICASSO = """\
.alias scale c4.xyyy
.alias pair r3.xy
.fvec table[4], matrix[4]
.constf half(0.5, 0.5, 1.0, 0.0)
.in place v0
.out pos position
.proc helper
    mul r1, scale, r2
    max r1.xy, pair, r2
    .end
.proc main
    mov r2, place ; lanewise: ignore[V096]
    dp4 r2.x, matrix[0], place
    dp4 r2.y, matrix[1], place
    add r2, table, r2
    max r2, table, r2
    cmp r2, gt, gt, half
    ifc cmp.x
        call helper
    .else
        mul r1, half.xyzz, r2
    .end
    mov r5, r1
    mova a0.x, r5
    mov r6, table[a0.x]
    mov pos, r1
    end
.end
"""
NIHSTRO = """\
.alias place v0 as position
.alias pos o0 as position
.alias scale c4
.alias table c8 - c11
.alias half c20 as (0.5, 0.5, 1.0, 0.0)
main:
    mov r2, place // lanewise: ignore[V096]
    dp4 r2.x, scale, place
    mul r1, scale.xyzw, r2
    add r1.xy, table[1].xy, r2.yx
    max r2, r1, table[2]
    cmp half.xy, r2.xy, gt, gt
    if cc.x
        call helper
    else
        mul r1, half, r2
    endif
    mov r5, r1
    mova a0, r5.x
    mov r6, table[a0]
    mov pos, r1
    end
helper:
    mul r1, r1, r2
    nop
    ret
"""
SHADERCORE = """\
.input v0 position
.output o0 position
.const c0 (1.0, 0.5, 2.0, -1.0)
mov r0.xyzw, v0.xyzw
mul r1.xyz, c0.xyz, r0.x ; lanewise: ignore[V210]
mad r1.xy, r0.yx, c0.zw
add_sat r2.x, -r1.y, abs(r0.z)
rcp r3.x, r0.w
max r4.xyzw, r5.xyzw, c0.w
mov o0.xyzw, r1.xyzw
end
"""
DIRECT3D9 = """\
vs_3_0
#define HALF c4.x
dcl_position v0
dcl_position o0
dcl_texcoord o1.xy
def c0, 1, 2, 3, 4
mov r0, v0
mul r1.xyz, c0, r0.x ; lanewise: ignore[V310]
mad r1.xy, r0.yx, c0.zw, -r1_abs
add_sat r2.x, -r1.y, HALF /* a
comment */ rcp r3.x, r0.w
call l0
mova a0.x, r1.x
mov r4, c[a0.x + 3]
mul r0, r1,
    r2
mov o0, r1
mov o1.xy, r4
ret
label l0
mul r1, r1, r0
ret
"""
DIRECT3D9_PLAIN = DIRECT3D9.replace("#define HALF c4.x\n", "").replace("HALF", "c4.x")
SOURCES = {
    "picasso": ("edited.v.pica", PICASSO, pica200),
    "nihstro": ("edited.vsh", NIHSTRO, pica200),
    "shadercore": ("edited.sc", SHADERCORE, shadercore),
    "direct3d9": ("edited.vsa", DIRECT3D9_PLAIN, direct3d9),
    "direct3d9 with a macro": ("edited.vsa", DIRECT3D9, direct3d9),
}
SNIPPETS = (
    "",
    " ",
    "; typed",
    "\tadd r1, r2, c4",
    ".alias half r4",
    "l1:",
    "#define r1 r2",
    "/*",
    "\tad",
    "[",
    ".else",
    '# 7 "other.pica"',
    "\tmov r2, table",
)


def changed(text: str, choose: random.Random) -> str:
    """A text after a change such as an editor sends: a line less, more, moved or doubled, or a few characters."""
    lines = text.split("\n")
    at = choose.randrange(len(lines))
    line = lines[at]
    column = choose.randrange(len(line) + 1)
    changes: tuple[Callable[[], None], ...] = (
        lambda: lines.__delitem__(at),
        lambda: lines.insert(at, choose.choice(SNIPPETS)),
        lambda: lines.insert(at, choose.choice(lines)),
        lambda: lines.append(lines.pop(at)),
        lambda: lines.__setitem__(at, f"{line} ; a comment, r1"),
        lambda: lines.__setitem__(at, line[:column] + choose.choice("0123rcxyzw.,;[]- ") + line[column + 1 :]),
        lambda: lines.__setitem__(at, line[:column]),
    )
    choose.choice(changes)()
    return "\n".join(lines)


def said(view: View | None) -> tuple[object, ...]:
    assert view is not None
    assert view.failure is None
    found = view.analysis
    return found.findings, found.ignored, tuple(found.occurrences), found.placed, found.entries


@pytest.mark.parametrize("language", SOURCES)
def test_an_edited_text_is_analysed_as_a_new_one(language: str, monkeypatch: pytest.MonkeyPatch):
    """A text goes through many changes, now and then back to one that it was before."""
    name, text, module = SOURCES[language]
    choose = random.Random(name)
    documents = Documents(lambda _: Rules(), disk=False)
    kept, texts = Store(module.moved), [text]
    for _ in range(times(40, 3000)):
        texts.append(changed(choose.choice(texts[-8:]), choose) if choose.randrange(12) else text)
        document = documents.put(f"file:///{name}", texts[-1], None, language.partition(" ")[0])
        monkeypatch.setattr(module, "STORE", kept)
        found = said(documents.view_of(document))
        monkeypatch.setattr(module, "STORE", Store(module.moved))
        assert said(documents.view_of(document)) == found, texts[-1]
