"""Options that choose a ShaderCore device, for every command whose answer depends on one."""

from __future__ import annotations

import tomllib
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from lanewise.shadercore.isa.devices import RTL, find_device
from lanewise.tools.console import InputFailure, UsageError, read_bytes

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
        help="what if: one answer of the device, such as issue_interval=4; commas between several",
    )


def device_of(options: argparse.Namespace) -> Device:
    """The device of the command line. Raises UsageError, InputFailure for a file that cannot be read."""
    name: str = options.device
    settings: list[str] = options.set
    device = read_device(name) if name.lower().endswith(".toml") else None
    try:
        device = device or find_device(name)
        return device.set(",".join(settings)) if settings else device
    except ValueError as error:
        raise UsageError(str(error)) from None


def read_device(path: str) -> Device:
    """A device from a TOML file: `base` names a device, the table `set` has fields that differ. Raises InputFailure."""
    try:
        data = tomllib.loads(read_bytes(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputFailure(f"{path} is no TOML: {error}") from None
    try:
        extra = sorted(data.keys() - {"base", "name", "set"})
        if extra:
            raise ValueError(f"there is no key '{extra[0]}': a device has base, name and a table set")
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
