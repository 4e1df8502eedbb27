"""Options of commands that take a device and read their command line with argparse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.shadercore.api.services.devices import device_named
from lanewise.shadercore.api.services.manuals import DEVICE
from lanewise.shadercore.isa.devices import RTL
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    import argparse

    from lanewise.shadercore.isa.devices import Device


def add_device(parser: argparse.ArgumentParser) -> None:
    device, settings = DEVICE
    parser.add_argument(*device.names, metavar=device.metavar, default=RTL.name, help=device.help)
    parser.add_argument(*settings.names, metavar=settings.metavar, action="append", default=[], help=settings.help)


def device_of(options: argparse.Namespace) -> Device:
    """The device of a command line. Raises UsageError, InputFailure for a file that cannot be read."""
    return device_named(options.device, options.set, DiskFiles())
