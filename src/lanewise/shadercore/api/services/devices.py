"""Devices by name, TOML file and settings, and the variants of `--device`."""

from __future__ import annotations

from pathlib import PurePath

from lanewise.core.evidence import CLASSES
from lanewise.core.package import Variant
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.settings import read_table
from lanewise.shadercore.isa.devices import DOCUMENT, PARAMETERS, RTL, find_device
from lanewise.shadercore.isa.parameters import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.core.service import Files, Request
    from lanewise.shadercore.isa.devices import Device


def device_of(request: Request) -> Device:
    """The device of `--device` and `--set`. Raises UsageError, InputFailure for a file that cannot be read."""
    return device_named(request.text("device", RTL.name), request.texts("set"), request.files)


def device_named(name: str, settings: Sequence[str], files: Files) -> Device:
    """A device by its name or TOML file, with settings. Raises UsageError, InputFailure for a file that cannot be read."""
    device = read_device(name, files) if name.lower().endswith(".toml") else None
    try:
        device = device or find_device(name)
        return device.set(",".join(settings)) if settings else device
    except ValueError as error:
        raise UsageError(str(error)) from None


def read_device(path: str, files: Files) -> Device:
    """A device from a TOML file: `base` names a device, the table `set` has fields that differ. Raises InputFailure."""
    data = read_table(files.read(path), path, "TOML", "a device: base, name and a table set")
    try:
        extra = sorted(data.keys() - {"base", "name", "set"})
        if extra:
            raise ValueError(f"unknown key '{extra[0]}': a device has base, name and a table set")
        base, name, changes = data.get("base", RTL.name), data.get("name", PurePath(path).stem), data.get("set", {})
        if not isinstance(base, str) or not isinstance(name, str) or not isinstance(changes, dict):
            raise ValueError("base and name are texts, set is a table")
        texts: dict[str, str] = {}
        for key, value in cast("dict[str, object]", changes).items():
            if isinstance(value, bool) or not isinstance(value, (int, str)):
                raise ValueError(f"{key} is neither text nor whole number")
            texts[key] = str(value)
        return find_device(base).replace(texts)._replace(name=name)
    except ValueError as error:
        raise InputFailure(f"{path}: {error}") from None


def variants() -> tuple[Variant, ...]:
    """The devices, each with how well its parameters are known."""
    return (
        Variant("--device", DOCUMENT.name, "the device of the specification", _counted([t.kind for t in PARAMETERS], KINDS)),
        Variant("--device", RTL.name, "the public hardware description", _counted([t.known for t in PARAMETERS], CLASSES)),
    )


def _counted(values: Sequence[str], kinds: Sequence[str]) -> str:
    """How many device parameters are known how well: `31 measured, 4 inferred`."""
    return ", ".join([f"{values.count(kind)} {kind}" for kind in kinds if kind in values])
