"""Fixes in nihstro for findings of lower layers, whose fixes are picasso's."""

from __future__ import annotations

FIXES = {  # `{fix}` is that of picasso
    "V025": "end the calls before the other block begins",
    "V043": "write a label `main:` and instructions",
    "V070": "put another instruction between them, or write both components with one `mova`",
    "V071": "put it between `loop` and its `endloop`",
    "V076": "write `loop i0` and `endloop` around what is repeated",
    "V079": "write `end` after the last instruction of the program",
    "V080": "remove it, or add a `nop`",
    "V082": "assemble with `-g`, or remove it",
    "V083": "write it before `end`, or leave the components out of the alias: .alias NAME o0.xyz as PROPERTY",
    "V084": "{fix}; sources have as many letters as what is written",
    "V085": "declare `.alias NAME oN as PROPERTY`, or remove the write",
    "V087": "declare `.alias NAME o0 as position`",
    "V130": "remove it: a call returns at its until label",
    "V097": "remove it, or use it",
    "V135": "read what lcnt selects inside its own loop, before another loop counts in it: mov it to a temporary",
    "V133": "name another boolean uniform: `.alias NAME b0`",
    "V134": "number the outputs of the vertex shader, o0 and on, in the order in which the geometry shader takes them",
}
