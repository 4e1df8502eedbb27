"""Lines that GitHub Actions shows beside a source, of `lanewise check` and `lanewise test`."""

from __future__ import annotations

from lanewise.core.diagnostics import visible
from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def workflow_command(kind: str, fields: Mapping[str, str], text: str) -> str:
    """A workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions."""
    return (
        f"::{kind} {','.join(f'{name}={_escaped(value, property_=True)}' for name, value in fields.items())}::{_escaped(text)}"
    )


def _escaped(text: str, *, property_: bool = False) -> str:
    escaped = visible(text, "" if property_ else "\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace(":", "%3A").replace(",", "%2C") if property_ else escaped
