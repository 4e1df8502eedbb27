"""Checking ShaderCore programs for `lanewise check`."""

from __future__ import annotations

from lanewise.core.record import TYPE_CHECKING
from lanewise.shadercore.api.checking import check_shadercore
from lanewise.shadercore.api.services.devices import device_of

if TYPE_CHECKING:
    from lanewise.core.service import Report, Request


def checked(request: Request, data: bytes, name: str, form: str | None) -> Report:
    """The findings about a file on the device of the request. Raises UsageError, InputFailure for a device that does not
    exist."""
    return check_shadercore(data, name, device_of(request), form, stats=request.flag("stats"))
