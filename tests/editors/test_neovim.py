"""Neovim with the lines of docs/editors.md: `nox -s neovim`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from corpus import REPOSITORY
from editors.matrix import SAMPLES
from installed import needs

if TYPE_CHECKING:
    from pathlib import Path


OPTIMISED = ("picasso", "nihstro")

# A script with an error would leave Neovim waiting for keys.
RUN = (
    "local ok, why = pcall(dofile, vim.env.LANEWISE_SCRIPT); if not ok then io.stderr:write(tostring(why)); vim.cmd('cquit') "
    "end"
)


def lines() -> str:
    """The lines of the page for Neovim 0.7 to 0.10."""
    page = (REPOSITORY / "docs" / "editors.md").read_text(encoding="utf-8")
    return re.findall(r"```lua\n(.*?)```", page, re.DOTALL)[0]


@needs("nvim")
@pytest.mark.skipif(not os.environ.get("LANEWISE_NEOVIM"), reason="takes seconds; nox -s neovim runs it")
@pytest.mark.parametrize("language", ["picasso", "nihstro", "direct3d9"])
def test_neovim(tmp_path: Path, language: str):
    sample = SAMPLES[language]
    source, config, out = tmp_path / sample.file, tmp_path / "init.lua", tmp_path / "out.json"
    source.write_text(sample.source.replace(*sample.typo))
    command = json.dumps([sys.executable, "-m", "lanewise", "lsp"])[1:-1]
    script = (REPOSITORY / "tests" / "editors" / "neovim.lua").read_text(encoding="utf-8")
    config.write_text(lines().replace('"lanewise", "lsp"', command) + script)
    environment = {
        **os.environ,
        "LANEWISE_SCRIPT": str(config),
        "LANEWISE_SOURCE": str(source),
        "LANEWISE_OUT": str(out),
        "LANEWISE_NAME": sample.name,
        "LANEWISE_OTHER": sample.other,
        "LANEWISE_UNNEEDED": sample.warned.rstrip() if language in OPTIMISED else "",
        "XDG_STATE_HOME": str(tmp_path),
    }
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"lua {RUN}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert out.exists(), done.stdout + done.stderr
    found: Any = json.loads(out.read_text())
    assert found["filetype"] == language
    assert "mull" in found["diagnostics"][0]["message"]
    assert "Change 'mull' to 'mul'" in found["actions"]
    assert "mul" in found["hover"]
    assert sample.other in found["text"]
    assert sample.name not in found["text"]
    assert "mull" not in found["text"]
    assert found["symbols"]
    assert found.get("optimise", "").startswith("Optimise: " if language in OPTIMISED else "")
