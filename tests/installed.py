"""Programs that tests need beside Python, and the packages of Debian and Ubuntu that have them."""

from __future__ import annotations

import shutil

import pytest

PACKAGES = {
    "bash": "bash",
    "cc": "gcc",
    "chromium": "chromium",
    "clang": "clang",
    "cmake": "cmake",
    "cocotb-config": "cocotb (from pip)",
    "dot": "graphviz",
    "fish": "fish",
    "fst2vcd": "gtkwave",
    "g++": "g++",
    "gcc": "gcc",
    "ghdl": "ghdl",
    "git": "git",
    "glslangValidator": "glslang-tools",
    "glslc": "glslc",
    "groff": "groff",
    "iverilog": "iverilog",
    "make": "make",
    "nvim": "neovim",
    "vcd2fst": "gtkwave",
    "verilator": "verilator",
    "zsh": "zsh",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "aarch64-linux-gnu-ld": "binutils-aarch64-linux-gnu",
    "qemu-aarch64": "qemu-user",
}


def missing(*programs: str) -> str:
    """Which of the programs are not here, and how to install them; empty if all are."""
    names = [name for name in programs if shutil.which(name) is None]
    verb = "is" if len(names) == 1 else "are"
    packages = " ".join(dict.fromkeys([PACKAGES[name] for name in names]))
    return f"{' and '.join(names)} {verb} not installed: apt-get install {packages}" if names else ""


def needs(*programs: str) -> pytest.MarkDecorator:
    """The mark of a test that runs these programs."""
    reason = missing(*programs)
    return pytest.mark.skipif(bool(reason), reason=reason)
