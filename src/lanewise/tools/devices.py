"""The device of `--device` and `--set` for commands that use argparse."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.api.services.devices import device_named
from lanewise.tools.console import DiskFiles

if TYPE_CHECKING:
    import argparse

    from lanewise.shadercore.isa.devices import Device


def device_of(options: argparse.Namespace) -> Device:
    """The device of a command line. Raises UsageError, InputFailure for a file that cannot be read."""
    return device_named(options.device, options.set, DiskFiles())
