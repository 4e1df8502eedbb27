"""Devices by name, TOML file and settings, and the variants of `--device`."""

from __future__ import annotations

from lanewise.core import events
from lanewise.core.diagnostics import ERROR, Diagnostic, visible
from lanewise.core.evidence import CLASSES
from lanewise.core.package import Variant
from lanewise.core.record import TYPE_CHECKING, cast
from lanewise.core.service import InputFailure, UsageError
from lanewise.core.source import Span
from lanewise.shadercore.isa.devices import DEVICES, DOCUMENT, PARAMETERS, RTL, find_device
from lanewise.shadercore.isa.parameters import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lanewise.core.service import Files, Request
    from lanewise.shadercore.api.interface import Beside
    from lanewise.shadercore.isa.devices import Device
    from lanewise.shadercore.isa.program import Program
    from lanewise.shadercore.isa.table import Op


def device_of(request: Request) -> Device:
    """The device of `--device` and `--set`. Raises UsageError, InputFailure for a file that cannot be read."""
    return device_named(request.text("device", RTL.name), request.texts("set"), request.files)


def compiled_for(request: Request, beside: Beside | None, device: Device) -> tuple[str, ...]:
    """A remark about a program that was compiled for another device than the usual one, where the request names none."""
    compiled = beside.device if beside is not None else ""
    if not compiled or compiled == device.describe() or request.has("device") or request.has("set"):
        return ()
    name, _, rest = compiled.partition(", ")
    settings = [each for each in rest.split(", ") if "=" in each]
    options = [f"--device {name}"] if name != RTL.name else []
    options += [f"--set {','.join(settings)}"] if settings else []
    if len(settings) < len(rest.split(", ") if rest else []):
        options = ["the --device FILE of `lanewise compile`"]
    fix = f"add {' '.join(options)}" if options else "name that device"
    return (f"{request.name} was compiled for {compiled}, and this is {device.describe()}: {fix}",)


def device_named(name: str, settings: Sequence[str], files: Files) -> Device:
    """A device by its name or TOML file, with settings, which may also follow the name after commas: `rtl,issue_interval=4`.
    Raises UsageError, InputFailure for a file that cannot be read."""
    name, comma, first = name.partition(",")
    name, settings = name.strip(), (*([first] if comma else []), *settings)
    device = read_device(name, files) if name.lower().endswith(".toml") else None
    if device is None and name not in DEVICES:
        device = _installed(name)
    if device is None and name not in DEVICES and name and files.exists(f"{name}.toml"):
        raise UsageError(f"unknown device '{name}': write {name}.toml, which is a file here")
    try:
        device = device or find_device(name)
        device = device.set(",".join(settings)) if settings else device
        return in_lanes(device) if device.added else device
    except ValueError as error:
        raise UsageError(str(error)) from None


def in_lanes(device: Device) -> Device:
    """The device. Raises ValueError where an instruction that it adds would read other lanes."""
    from lanewise.shadercore.sem.expressions import expression
    from lanewise.shadercore.sem.functions import is_opaque

    for op in device.added:
        if is_opaque(op):
            continue
        for operation, key in (("rcp", "rcp_sigma"), ("rsq", "rsq_gate")):
            if operation in expression(op.operation).operations and device.value(key) == "stale":
                raise ValueError(
                    f"instructions.{op.name}: the meaning uses {operation}, which reads other lanes on this device "
                    f"({key}=stale): set {key}=fixed"
                )
    return device


def _installed(name: str) -> Device | None:
    """The device of that name of another distribution: an entry point of the group `lanewise.devices`, the text of a device
    file, or a pair of such a text and the functions that are meanings of instructions (`sem.functions`).

    None where there is none; raises UsageError for one that cannot be used."""
    from lanewise.core.entry_points import SafePath, colon_of, origins, raised
    from lanewise.shadercore.api.services import device_files
    from lanewise.shadercore.sem.functions import GROUP

    for origin in origins(GROUP):
        if origin.entry.name != name:
            continue
        text = ""
        functions: Mapping[str, object] = {}
        with SafePath():
            try:
                first, functions = _parts(origin.entry.load())
                text = first if isinstance(first, str) else ""
                reason = "" if text else f"expected the text of a device file, found {type(first).__name__}"
                if hasattr(first, "read_text"):  # as of pathlib
                    reason += ": write `.read_text()` behind the path, and let the wheel have the file, or give the text itself"
            except (Exception, SystemExit) as error:  # code of others
                reason = raised(error)
                meant = colon_of(origin.entry)
                if meant:
                    raise UsageError(
                        f"the device '{visible(name)}' of {visible(origin.distribution)} cannot be used: a colon is between "
                        f"the module and the object: write `{visible(meant)}` in its pyproject.toml, and install it again"
                    ) from None
        try:
            if not reason:
                device = device_files.read_device(text.encode(), name, functions)
                events.info(events.PLUGINS, "the device %s of %s is there", visible(name), visible(origin.distribution))
                return device
        except InputFailure as error:
            reason = str(error)
        who = visible(origin.distribution)
        fix = f"report it to the authors of {who}, or uninstall it"
        raise UsageError(f"the device '{visible(name)}' of {who} cannot be used: {visible(reason)}; {fix}")
    return None


def _parts(loaded: object) -> tuple[object, Mapping[str, object]]:
    """The text and the functions of the object of an entry point."""
    if not isinstance(loaded, tuple):
        return loaded, {}
    parts = cast("tuple[object, ...]", loaded)
    return parts[0], cast("Mapping[str, object]", parts[-1])


def read_device(path: str, files: Files) -> Device:
    """A device from a TOML file (`device_files`). Raises InputFailure."""
    from lanewise.shadercore.api.services import device_files

    return device_files.read_device(files.read(path), path)


def beyond(
    request: Request, program: Program | None, name: str, places: Callable[[], Sequence[Span | None]]
) -> list[Diagnostic]:
    """The errors of a program that goes beyond the sizes of the device of a request. Raises UsageError, InputFailure."""
    from lanewise.shadercore.isa.program import lacking

    shortened = request.command == "opt"  # which says what is left
    found = lacking(program.insts, device_of(request), shortened=shortened) if program is not None else []
    spans = places() if found else ()
    return [
        Diagnostic(
            code="V225",
            severity=ERROR,
            message=message,
            span=(spans[slot] if slot < len(spans) else None) or Span(file=name),
            fix=fix,
        )
        for slot, message, fix in found
    ]


def added_of(request: Request) -> tuple[Op, ...]:
    """The instructions that the device of a request adds to the table. Raises UsageError, InputFailure."""
    return device_of(request).added if request.has("device") and request.text("device") not in DEVICES else ()


def variants() -> tuple[Variant, ...]:
    """The devices, each with how well its parameters are known."""
    return (
        Variant("--device", DOCUMENT.name, "the device of the specification", _counted([t.kind for t in PARAMETERS], KINDS)),
        Variant("--device", RTL.name, "the public hardware description", _counted([t.known for t in PARAMETERS], CLASSES)),
    )


def _counted(values: Sequence[str], kinds: Sequence[str]) -> str:
    """How many device parameters are known how well: `31 measured, 4 inferred`."""
    return ", ".join([f"{values.count(kind)} {kind}" for kind in kinds if kind in values])
