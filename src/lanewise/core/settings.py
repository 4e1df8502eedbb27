"""TOML and JSON files of settings: what the two readers of Python raise, as one line with the file and the place."""

from __future__ import annotations

from lanewise.core.record import cast
from lanewise.core.service import InputFailure
from lanewise.core.source import decode_text, misplaced


def _instead(kind: str, text: str, error: ValueError) -> str:
    """The end of a sentence about a text that is not of its kind: the text that is meant; empty where that is unknown."""
    if kind == "TOML" and text.lstrip()[:1] == "{":
        return "; this is JSON: write `key = value` on lines, and tables as [name]"
    line = str(error).partition("(at line ")[2].partition(",")[0]
    rows = text.splitlines()
    row = rows[int(line) - 1] if kind == "TOML" and line.isdigit() and int(line) <= len(rows) else ""
    header = row.strip()
    if row.partition("#")[0].count('"') % 2:
        return '; a text ends with `"` in the same line'
    name, colon, rest = (part.strip() for part in row.partition(":"))
    if colon and name.replace("_", "").isalnum() and "=" not in row:
        quoted = rest if rest[:1] in ('"', "'", "[") or rest.replace(".", "", 1).lstrip("-").isdigit() else f'"{rest}"'
        return f"; this is YAML: write `{name} = {quoted}`" if rest else f"; this is YAML: write [{name}], and its keys below"
    if header[:1] == "[" and header[:2] != "[[" and "twice" in str(error):
        return f"; for a list of tables write [{header}] each time, otherwise {header} once" if header[-1:] == "]" else ""
    key, equals, value = (part.strip() for part in row.partition("="))
    plain = equals and key.replace("_", "").isalnum() and value.replace("_", "").replace(".", "").isalnum()
    return f'; texts are in quotes: {key} = "{value}"' if plain and not value[:1].isdigit() else ""


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
        raise InputFailure(f"{path} is not valid {kind}: {error}{_instead(kind, text, error)}") from None
    except ValueError:  # Python converts at most 4,300 digits
        raise InputFailure(f"{path}: an integer has too many digits, expected at most 19") from None
    except RecursionError:
        raise InputFailure(f"{path}: values are nested too deeply, expected {what}") from None
    if not isinstance(found, dict):
        raise InputFailure(f"{path}: expected {what}, found {'a list' if isinstance(found, list) else 'one value'}")
    return cast("dict[str, object]", found)
