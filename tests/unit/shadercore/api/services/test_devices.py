"""Devices of a request: names, settings, TOML files, what is refused, and how well they are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.core.service import InputFailure, Request, UsageError
from lanewise.shadercore.api.services.devices import device_of, variants
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, PARAMETERS, RTL
from lanewise.tools.console import DiskFiles


def options(*argv: str) -> Request:
    """The request of a command line of `--device` and `--set`."""
    given = list(zip(argv[::2], argv[1::2], strict=True))
    device = dict(given).get("--device", "rtl")
    settings = tuple(value for name, value in given if name == "--set")
    return Request("run", (), {"device": device, "set": settings}, files=DiskFiles())


def test_the_devices_are_listed_with_their_evidence():
    rows = variants()
    assert [row.name for row in rows] == list(DEVICES)
    for row in rows:
        counts = [int(part.split()[0]) for part in row.evidence.split(", ")]
        assert sum(counts) == len(PARAMETERS)
    assert "measured" in rows[1].evidence
    assert "stated" in rows[0].evidence


def test_names_and_settings():
    assert device_of(options()) is RTL
    assert device_of(Request("run", (), {})) is RTL
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
        ("base = ", "is not valid TOML"),
        ('base = "gpu"', "unknown device 'gpu'"),
        ("base = 3", "base and name are texts"),
        ("issue_interval = 4", "issue_interval is a device parameter: write it under [set]"),
        ("[set]\nissue_interval = 5.5", "it is a whole number: write 6"),
        ("[set]\nissue_interval = true", "it is a whole number, or one of the texts"),
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
