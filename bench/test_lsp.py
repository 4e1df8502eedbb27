"""The language server: CPU time from a change to its findings on sources of 490 and 5,000 lines, of the whole server process.

Changes are of four kinds in turn: a comment, another register, one more line, a word that is not finished; each is taken back.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, client_capabilities

from measuring import program
from test_assembling import nihstro

CHANGES = 64
ASKS = {490: 50, 5000: 100}  # ms at the 95th percentile, by lines


def shadercore(lines: int) -> str:
    """A source of ShaderCore, whose slots end at 512: each line is one word."""
    names = (
        "mul r{a}.{c}, r{b}.{c}, c0.{c}",
        "mad r{a}.{c}, r{b}.{c}",
        "add r{a}.{c}, v0.{c}, r{b}.{c}",
        "max r{a}.{c}, r{b}.{c}, c1.{c}",
    )
    rows = [".input v0 position", ".output o0 position", ".const c0 (1.0, 2.0, 3.0, 4.0)", ".const c1 (0.5, 0.5, 0.5, 0.5)"]
    rows += [f"mov r{number}.xyzw, v0.xyzw" for number in range(8)]
    for number in range(lines - 14):
        rows.append(names[(0, 2, 3)[number % 3]].format(a=number % 8, b=(number + 3) % 8, c="xyzw"[number % 4]))
    return "\n".join([*rows, "mov o0.xyzw, r0.xyzw", "end", ""])


def direct3d9(lines: int) -> str:
    rows = [
        "vs_3_0",
        "dcl_position v0",
        "dcl_position o0",
        "def c0, 1, 2, 3, 4",
        *[f"mov r{number}, v0" for number in range(8)],
    ]
    names = ("mul", "add", "max", "dp4")
    rows += [f"{names[n % 4]} r{n % 8}, r{(n + 3) % 8}, {('c0', 'v0')[n % 2]}" for n in range(lines - 13)]
    return "\n".join([*rows, "mov o0, r0", ""])


def commented(text: str, lines: int) -> str:
    """A source with so many lines more, which are comments."""
    rows = text.split("\n")
    each, more = divmod(lines, len(rows) - 2)
    return "\n".join([rows[0], *[f"{row}\n" + "; why\n" * (each + (n < more)) for n, row in enumerate(rows[1:-1])]])


def geometry(instructions: int) -> str:
    """A geometry shader, which has room for 4,096 words."""
    text = program(instructions).replace(".out pos", ".gsh point c0\n.out pos")
    return text.replace("\tend\n", "\tsetemit 0, prim\n\temit\n\tend\n")


SOURCES = {
    "picasso": ("a.v.pica", program(490)),
    "nihstro": ("a.vsh", nihstro(490)),
    "shadercore": ("a.sc", shadercore(480)),
    "direct3d9": ("a.vsa", direct3d9(490)),
}
LONG = {
    "picasso": ("a.g.pica", commented(geometry(3990), 1000)),
    "nihstro": ("a.vsh", commented(nihstro(490), 4500)),
    "shadercore": ("a.sc", commented(shadercore(480), 4500)),
    "direct3d9": ("a.vsa", direct3d9(5000)),
}


def cpu(process: int) -> float:
    """Seconds of CPU time that all threads of a process have had, of Linux."""
    return sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{process}/task").glob("*/schedstat")) / 1e9


def changed(text: str, number: int) -> str:
    """A text after the change of a number, which an even number takes back."""
    if not number % 2:
        return text
    lines = text.split("\n")
    at = 20 + number * 7 % (len(lines) - 30)
    while "," not in lines[at]:
        at += 1
    line = lines[at]
    kinds = [f"{line} ; typed"], [line.replace("r1", "r2").replace("r3", "r4")], ["", line], ["ad", line]
    return "\n".join([*lines[:at], *kinds[number // 2 % 4], *lines[at + 1 :]])


async def measure(language: str, source: tuple[str, str]) -> list[float]:
    """The CPU time of each of many changes."""
    name, text = source
    config = ClientServerConfig(server_command=[sys.executable, "-m", "lanewise", "lsp"], server_env=dict(os.environ))
    client: Any = await config.start()
    await client.initialize_session(
        t.InitializeParams(capabilities=client_capabilities("visual-studio-code"), root_uri="file:///")
    )
    process = client._server.pid
    uri = f"file:///{name}"
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, language, 1, text)))
    await client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    found: list[float] = []
    for number in range(CHANGES):
        before = cpu(process)
        client.text_document_did_change(
            t.DidChangeTextDocumentParams(
                t.VersionedTextDocumentIdentifier(uri=uri, version=number + 2),
                [t.TextDocumentContentChangeWholeDocument(changed(text, number))],
            )
        )
        await client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        found.append(cpu(process) - before)
    await client.shutdown_session()
    await client.stop()
    return found


@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the CPU time of another process is read from /proc of Linux"
)
@pytest.mark.parametrize("language", SOURCES)
@pytest.mark.parametrize("lines", ASKS)
def test_change_to_findings(language: str, lines: int):
    source = (SOURCES if lines < 1000 else LONG)[language]
    found = sorted(asyncio.run(measure(language, source)))
    median, high = found[len(found) // 2], found[len(found) * 95 // 100]
    shown = source[1].count("\n")
    print(f"\n{language}, {shown} lines: median {median * 1e3:.1f} ms, p95 {high * 1e3:.1f} ms of CPU; ask {ASKS[lines]} ms")
