"""The options `--device` and `--set` for commands that use argparse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.api.services.devices import device_named
from lanewise.shadercore.isa.devices import RTL
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    import argparse

    from lanewise.shadercore.isa.devices import Device


def add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        metavar="NAME",
        default=RTL.name,
        help="document, rtl (default), or a TOML file that begins with one of them",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="another value for a device parameter, such as issue_interval=4; commas between several",
    )


def device_of(options: argparse.Namespace) -> Device:
    """The device of a command line. Raises UsageError, InputFailure for a file that cannot be read."""
    return device_named(options.device, options.set, DiskFiles())
