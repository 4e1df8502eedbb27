"""The language server: CPU time from a change to its findings on a source of 500 lines, of the whole server process.

The ask is 60 ms at the 95th percentile; this repository's machine of reference is 1.65 times slower than that of the ask.
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

CHANGES = 60
LIMIT = 0.060 * 1.65


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


SOURCES = {
    "picasso": ("a.v.pica", program(490)),
    "nihstro": ("a.vsh", nihstro(490)),
    "shadercore": ("a.sc", shadercore(480)),
    "direct3d9": ("a.vsa", direct3d9(490)),
}


def cpu(process: int) -> float:
    """Seconds of CPU time that all threads of a process have had, of Linux."""
    return sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{process}/task").glob("*/schedstat")) / 1e9


async def measure(language: str) -> list[float]:
    """The CPU time of each of many changes: a character is typed into a comment, and taken away."""
    name, text = SOURCES[language]
    config = ClientServerConfig(server_command=[sys.executable, "-m", "lanewise", "lsp"], server_env=dict(os.environ))
    client: Any = await config.start()
    await client.initialize_session(
        t.InitializeParams(capabilities=client_capabilities("visual-studio-code"), root_uri="file:///")
    )
    process = client._server.pid
    uri = f"file:///{name}"
    client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, language, 1, text)))
    await client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    lines = text.split("\n")
    found: list[float] = []
    for number in range(CHANGES):
        at = 20 + number * 7 % (len(lines) - 30)
        changed = "\n".join([*lines[:at], lines[at] + " ; typed", *lines[at + 1 :]]) if number % 2 else text
        before = cpu(process)
        client.text_document_did_change(
            t.DidChangeTextDocumentParams(
                t.VersionedTextDocumentIdentifier(uri=uri, version=number + 2),
                [t.TextDocumentContentChangeWholeDocument(changed)],
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
def test_change_to_findings(language: str):
    found = sorted(asyncio.run(measure(language)))
    median, high = found[len(found) // 2], found[len(found) * 95 // 100]
    lines = SOURCES[language][1].count("\n")
    print(
        f"\n{language}, {lines} lines: median {median * 1e3:.1f} ms, p95 {high * 1e3:.1f} ms of CPU; ask {LIMIT * 1e3:.0f} ms"
    )
