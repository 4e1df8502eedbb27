"""Devices in Python: `device`, by which everything that takes one finds it."""

from __future__ import annotations

from lanewise.core import files
from lanewise.core.objects import checked
from lanewise.core.record import TYPE_CHECKING
from lanewise.core.service import InputFailure, NoFiles, UsageError
from lanewise.shadercore.isa.devices import DEVICES, RTL, Device

if TYPE_CHECKING:
    from lanewise.core.service import Files


class _Disk(NoFiles):
    """The files of this machine. Errors are those of the operating system."""

    def read(self, path: str) -> bytes:
        return files.read(path, files.kind_of(path))


@checked
def device(named: str | Device = RTL.name) -> Device:
    """Return a ShaderCore: a `Device` unchanged, or the one of a name or TOML file with settings after commas:
    `rtl`, `rtl,issue_interval=4`, `mine.toml`.

    Names are `document`, `rtl` and those of installed devices. Raises ValueError for one that does not exist and for settings
    that cannot be, OSError for a file that cannot be read.
    """
    return found(named, _Disk())


def found(named: str | Device, files: Files) -> Device:
    """`device` with the files that it may read. Raises ValueError."""
    if isinstance(named, Device):
        return named
    if named in DEVICES:
        return DEVICES[named]
    from lanewise.shadercore.api.services.devices import device_named

    try:
        return device_named(named, (), files)
    except (UsageError, InputFailure) as error:
        raise ValueError(str(error)) from None


__all__ = ["Device", "device", "found"]
