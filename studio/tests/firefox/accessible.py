"""What a screen reader gets from Firefox: its accessibility tree by at-spi, what gets the focus, and what live regions say.

Runs inside a D-Bus session, on a Python that has `gi` (python3-gi and gir1.2-atspi-2.0 of Debian). Commands are lines of
standard input, answers lines of JSON:

    tree      the lines of the document that is shown
    said      what got the focus and what live regions have said since the last command
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402 - the version first

if TYPE_CHECKING:
    from collections.abc import Iterator

_STATES = {
    Atspi.StateType.SELECTED: "selected",
    Atspi.StateType.CHECKED: "checked",
    Atspi.StateType.PRESSED: "pressed",
    Atspi.StateType.EXPANDED: "expanded",
    Atspi.StateType.INVALID_ENTRY: "invalid",
    Atspi.StateType.BUSY: "busy",
    Atspi.StateType.MODAL: "modal",
    Atspi.StateType.FOCUSABLE: "focusable",
}
_RELATIONS = {
    Atspi.RelationType.LABELLED_BY: "labelled by",
    Atspi.RelationType.DESCRIBED_BY: "described by",
    Atspi.RelationType.CONTROLLER_FOR: "controls",
    Atspi.RelationType.ERROR_MESSAGE: "error",
}
_ATTRIBUTES = ("live", "atomic", "level", "roledescription", "sort", "current", "keyshortcuts", "placeholder-text")
_VALUES = ("slider", "spin button", "progress bar", "separator")
_MANY = ("table row", "list item", "image", "toggle button", "tree item", "section", "menu item")
_FEW = 3  # of a run of children with one of these roles that are shown
_SILENT = ("section", "static")  # roles that say nothing by themselves
_LONGEST = 160


def _children(node: Atspi.Accessible) -> Iterator[Atspi.Accessible]:
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield child


def _document(node: Atspi.Accessible) -> Atspi.Accessible | None:
    if node.get_role() == Atspi.Role.DOCUMENT_WEB:
        return node if node.get_state_set().contains(Atspi.StateType.SHOWING) else None
    return next(filter(None, map(_document, _children(node))), None)


def _role(node: Atspi.Accessible) -> str:
    role, more = node.get_role_name(), node.get_attributes().get("xml-roles", "")
    return role if more in ("", role) else f"{role} ({more})"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def _text(node: Atspi.Accessible) -> str:
    """The text of a node, without what is in its children."""
    if "Text" not in node.get_interfaces():
        return ""
    return str(Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))).replace("\ufffc", "").strip()


def _line(node: Atspi.Accessible) -> str:
    """A node as a reader would say it: role, name, text, value, states, properties, description, relations."""
    name, text, role = node.get_name(), _text(node), node.get_role_name()
    parts = [_role(node), *([_cut(name)] if name else [])]
    if text and text not in name:
        parts.append(f"text {_cut(text)}")
    if role in _VALUES and "Value" in node.get_interfaces():
        value = Atspi.Value.get_current_value(node)
        parts.append(f"value {value:g} of {Atspi.Value.get_minimum_value(node):g} to {Atspi.Value.get_maximum_value(node):g}")
    attributes, states = node.get_attributes(), node.get_state_set()
    spoken = attributes.get("valuetext", "")
    if not spoken.replace(".", "").replace("-", "").isdigit() and spoken:
        parts.append(f"said as {_cut(spoken)}")
    parts += [word for state, word in _STATES.items() if states.contains(state)]
    if states.contains(Atspi.StateType.EXPANDABLE) and not states.contains(Atspi.StateType.EXPANDED):
        parts.append("collapsed")
    if not states.contains(Atspi.StateType.ENABLED) and role != "menu":
        parts.append("disabled")
    parts += [f"{key} {attributes[key]}" for key in _ATTRIBUTES if attributes.get(key)]
    if node.get_description():
        parts.append(f"described as {_cut(node.get_description())}")
    for relation in node.get_relation_set() or ():
        kind = _RELATIONS.get(relation.get_relation_type())
        targets = [relation.get_target(index) for index in range(relation.get_n_targets())]
        named = [f"{each.get_role_name()} {_cut(each.get_name())}" for each in targets if each.get_name() not in ("", name)]
        if kind and named:
            parts.append(f"{kind} {', '.join(named)}")
    return " ".join(parts)


def _lines(node: Atspi.Accessible, depth: int = 0) -> Iterator[str]:
    line = _line(node)
    shown = line not in _SILENT
    if shown:
        yield "  " * depth + line
    run, before = 0, ""
    for child in () if node.get_role_name() in (*_VALUES, "entry") else _children(node):
        role = child.get_role_name()
        run = run + 1 if role == before else 1
        before = role
        if role in _MANY and run > _FEW:
            if run == _FEW + 1:
                yield "  " * (depth + shown) + "…"
            continue
        yield from _lines(child, depth + shown)


class Reader:
    """Answers commands, and hears events between them."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._listener = Atspi.EventListener.new(self._heard)
        for kind in ("object:state-changed:focused", "object:text-changed:insert"):
            self._listener.register(kind)

    def _heard(self, event: Atspi.Event) -> None:
        try:
            if event.type.startswith("object:state-changed:focused"):
                if event.detail1:
                    self._said.append(f"focus: {_line(event.source)}")
            elif (event.source.get_attributes() or {}).get("container-live", "off") != "off":
                text = str(event.any_data).replace("\ufffc", "").strip()
                if text:
                    self._said.append(f"says: {text}")
        except GLib.Error:
            pass  # what it is about is gone

    def answer(self, _channel: GLib.IOChannel, _condition: GLib.IOCondition) -> bool:
        command = sys.stdin.readline().strip()
        result: list[str] | None = None
        if command == "tree":
            desktop = Atspi.get_desktop(0)
            for browser in _children(desktop):
                browser.clear_cache()
                document = _document(browser)
                result = list(_lines(document)) if document else result
        elif command == "said":
            result, self._said = self._said, []
        else:
            Atspi.event_quit()
            return False
        print(json.dumps(result), flush=True)
        return True


def main() -> None:
    Atspi.init()
    reader = Reader()
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.IO_IN | GLib.IO_HUP, reader.answer)
    Atspi.event_main()


main()
