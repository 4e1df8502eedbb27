"""TOML and JSON files of settings: what the two readers of Python raise, as one line with the file and the place."""

from __future__ import annotations

from lanewise.core.record import cast
from lanewise.core.service import InputFailure
from lanewise.core.source import decode_text, misplaced


def _wrong(kind: str, text: str, error: ValueError) -> str:
    """The fault of a text that is not of its kind, and where the text that is meant is known, what to write."""
    if kind == "JSON":
        return str(error)
    if text.lstrip()[:1] == "{":
        return f"{error}; this is JSON: write `key = value` on lines, and tables as [name]"
    from lanewise.core.toml_meant import meant

    found = meant(text, str(error))
    return str(error) if found is None else f"{found.why} (at line {found.line}): {found.fix}"


def read_table(data: bytes, path: str, kind: str, what: str) -> dict[str, object]:
    """The table of a TOML file, or the object of a JSON file: `kind` is `TOML` or `JSON`; `what` is what it should hold. Raises
    InputFailure."""
    import json
    import tomllib

    from lanewise.core.nesting import json_value

    wrong = misplaced(data)
    if wrong is not None:
        raise InputFailure(f"{path}: {wrong}; expected {what} as {kind}")
    text = decode_text(data)
    try:
        found: object = tomllib.loads(text) if kind == "TOML" else json_value(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        from lanewise.core.foreign import instead

        other = instead(path, data) if not path.lower().endswith((".toml", ".json")) else None
        if other is not None:
            raise InputFailure(f"{path} is {other.title}; expected {what} as {kind}") from None
        raise InputFailure(f"{path} is not valid {kind}: {_wrong(kind, text, error)}") from None
    except ValueError:  # Python converts at most 4,300 digits
        raise InputFailure(f"{path}: an integer has too many digits, expected at most 19") from None
    except RecursionError:
        raise InputFailure(f"{path}: values are nested too deeply, expected {what}") from None
    if not isinstance(found, dict):
        raise InputFailure(f"{path}: expected {what}, found {'a list' if isinstance(found, list) else 'one value'}")
    return cast("dict[str, object]", found)
