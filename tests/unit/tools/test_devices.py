"""Devices on the command line: names, settings, TOML files, and what is refused."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from lanewise.shadercore.isa.devices import DOCUMENT, RTL
from lanewise.tools.console import InputFailure, UsageError, make_parser
from lanewise.tools.devices import add_device, device_of


def options(*argv: str) -> Namespace:
    parser = make_parser("x", "", "")
    add_device(parser)
    return parser.parse_args(argv)


def test_names_and_settings():
    assert device_of(options()) is RTL
    assert device_of(options("--device", "document")) is DOCUMENT
    made = device_of(options("--set", "rsq=exact", "--set", "rsq_gate=fixed,issue_interval=5"))
    assert made.differences(RTL) == {"rsq": "exact", "rsq_gate": "fixed", "issue_interval": "5"}


@pytest.mark.parametrize(
    "argv", [("--device", "rtll"), ("--set", "rsq=exact"), ("--set", "issue_interval=2"), ("--set", "add")]
)
def test_wrong_usage(argv: tuple[str, ...]):
    with pytest.raises(UsageError):
        device_of(options(*argv))


def test_a_file_makes_a_device(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "document"\n[set]\nissue_interval = 5\nspecial_interval = 6\nu32 = "zero"\n')
    made = device_of(options("--device", str(path), "--set", "issue_interval=6"))
    assert made.name == "mine"
    assert made.differences(DOCUMENT) == {"issue_interval": "6", "special_interval": "6", "u32": "zero"}
    path.write_text('name = "other"')
    assert device_of(options("--device", str(path)))._replace(name="rtl") == RTL


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base = ", "is no TOML"),
        ('base = "gpu"', "there is no device 'gpu'"),
        ("base = 3", "base and name are texts"),
        ("issue_interval = 4", "there is no key 'issue_interval'"),
        ("[set]\nissue_interval = 1.5", "neither text nor whole number"),
        ("[set]\nissue_interval = true", "neither text nor whole number"),
        ("[set]\nissue_interval = 3", "cannot be '3'"),
        ('[set]\nrcp = "exact"', "rcp_sigma=fixed"),
    ],
)
def test_files_that_make_none(tmp_path: Path, text: str, message: str):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputFailure) as caught:
        device_of(options("--device", str(path)))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(InputFailure, match="cannot read"):
        device_of(options("--device", str(tmp_path / "none.toml")))
