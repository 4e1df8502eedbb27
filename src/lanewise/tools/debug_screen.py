"""The screen of `lanewise debug`: source, words, registers, stack, timeline, command line. It needs textual."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, RichLog, Static

from lanewise.debugger.commands import COMMANDS, Commands
from lanewise.debugger.forms import FORMS, shown

if TYPE_CHECKING:
    from typing import ClassVar

    from textual import events
    from textual.app import ComposeResult
    from textual.reactive import Reactive

    from lanewise.debugger.session import Session

_KEYS = (
    ("f10,n", "over", "Over"),
    ("f11,s", "step", "Step"),
    ("shift+f11,o", "out", "Out"),
    ("f5,c", "continue", "Continue"),
    ("shift+f10,N", "over-back", "Over back"),
    ("f7,b", "back", "Back"),
    ("O", "out-back", "Out back"),
    ("f6,r", "reverse", "Reverse"),
)

LOW = 30
"Rows of a terminal below which the words are left out: `d` shows them."
LIGHT = frozenset({"7", "15"})
"Backgrounds of `COLORFGBG` that are light."
TITLES = {"#source_scroll": "source", "#words": "words", "#registers_scroll": "registers", "#stack": "stack", "#log": "log"}


class Timeline(Static):
    """The steps of a thread as a bar: a click goes to one."""

    def __init__(self, screen_app: Screen) -> None:
        super().__init__(id="timeline")
        self._app = screen_app

    def on_click(self, event: events.Click) -> None:
        """Go to the step under the mouse."""
        session = self._app.session
        total = len(session.recording(session.selected))
        width = max(1, self.bar().plain.index(" ") - 1)  # what comes after it is its number
        self._app.command(f"goto {min(total, event.x * total // width)}")

    def bar(self) -> Text:
        """Done steps, the cursor, and where the steps that are known end."""
        session = self._app.session
        recording = session.recording(session.selected)
        step, total = session.stop(session.selected).step, max(1, len(recording))
        label = f" step {step} of {total}{'' if recording.ended else '+'}"
        width = max(10, self.size.width - len(label))
        at = min(width - 1, step * width // total)
        text = Text("=" * at, style=self._app.ink("success"))
        text.append("|", style="bold reverse")
        text.append("-" * (width - 1 - at), style="dim")
        text.append(label)
        return text


class Source(Static):
    """The source, or the disassembly: a click sets or removes a breakpoint."""

    def __init__(self, screen_app: Screen) -> None:
        super().__init__(id="source")
        self._app = screen_app

    def on_click(self, event: events.Click) -> None:
        """Set or remove a breakpoint in the line under the mouse."""
        self._app.toggle(event.y)


class Registers(VerticalScroll):
    """The panel of registers, which shows others first where it has another size."""

    def __init__(self, screen_app: Screen) -> None:
        super().__init__(id="registers_scroll")
        self._app = screen_app

    def on_resize(self) -> None:
        self._app.show_registers()


class Screen(App[int]):
    """The debugger on a terminal."""

    commands: Commands
    title: Reactive[str]

    CSS: ClassVar[str] = """
    #left { width: 3fr; } #right { width: 2fr; }
    #source, #words { text-wrap: nowrap; text-overflow: ellipsis; }
    #source { height: auto; } #source_scroll { height: 2fr; border: round $primary; }
    #words { height: 1fr; border: round $primary; }
    #registers_scroll { height: 3fr; border: round $primary; } #registers { height: auto; }
    #stack { height: 1fr; border: round $primary; }
    #log { height: 8; border: round $primary; }
    #timeline { height: 1; }
    .low #words { display: none; } .low #log { height: 6; } .low #stack { height: 4; }
    """
    BINDINGS = [  # noqa: RUF012 - textual's own way
        *[Binding(keys, f"command('{command}')", title) for keys, command, title in _KEYS],
        Binding("f9", "breakpoint", "Breakpoint"),
        Binding("t", "toggle_form", "Form"),
        Binding("tab", "thread", "Thread"),
        Binding("d", "toggle_words", "Words"),
        Binding("colon,slash", "focus_line", "Command"),
        Binding("escape", "leave_line", "Keys", show=False),
        Binding("f1,question_mark", "help", "Help"),
        Binding("q", "quit", "Quit"),
    ]
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.commands = Commands(session)
        if os.environ.get("COLORFGBG", "").rpartition(";")[2] in LIGHT and "TEXTUAL_THEME" not in os.environ:
            self.theme = "textual-light"

    def show(self) -> int:
        """Run until the user quits; the exit code."""
        self.run()
        return self.return_code or 0

    def compose(self) -> ComposeResult:
        yield Timeline(self)
        with Horizontal():
            with Vertical(id="left"):
                with VerticalScroll(id="source_scroll"):
                    yield Source(self)
                yield Static(id="words")
            with Vertical(id="right"):
                with Registers(self):
                    yield Static(id="registers")
                yield Static(id="stack")
        yield RichLog(id="log", wrap=True)
        yield Input(placeholder="a command such as break 12 if r0.x > 1, explain position.x, help", id="line", compact=True)
        yield Footer()

    def on_mount(self) -> None:
        """Show the start."""
        self.title = self.session.debuggee.name
        for panel, name in TITLES.items():
            self.query_one(panel).border_title = name
        for remark in self.session.launch.remarks:
            self.query_one("#log", RichLog).write(remark)
        self.query_one("#source_scroll").focus()
        self.refresh_all()

    def on_resize(self) -> None:
        self.screen.set_class(self.size.height < LOW, "low")
        self.refresh_all()

    def ink(self, name: str) -> str:
        """The colour of a text of the theme: `success`, `warning`, `error` or `accent`."""
        return self.theme_variables[f"text-{name}"]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do a command of the command line."""
        event.input.value = ""
        self.command(event.value.lstrip(":"))

    def command(self, line: str) -> None:
        """Do a command, and show what it answers."""
        done = self.commands.do(line)
        log = self.query_one("#log", RichLog)
        first = len(log.lines)
        if done.command.strip():
            log.write(Text(f"> {done.command}", style="bold"), scroll_end=False)
        for text in done.lines:
            log.write(Text(text, style=self.ink("error") if done.error is not None else ""), scroll_end=False)
        # a long answer is read from its beginning
        log.scroll_to(y=min(first, max(0, len(log.lines) - log.size.height)), animate=False)
        if self.commands.quitting:
            self.exit(0)
        self.refresh_all()

    def action_command(self, command: str) -> None:
        self.command(command)

    def action_breakpoint(self) -> None:
        """Set or remove a breakpoint at the next instruction."""
        span = self.session.at(self.session.selected).span
        if span is not None:
            self.toggle(span.line - 1)
        else:
            self.command(f"break @{self.session.at(self.session.selected).address}")

    def action_toggle_form(self) -> None:
        """The next form of values."""
        self.commands.form = FORMS[(FORMS.index(self.commands.form) + 1) % len(FORMS)]
        self.query_one("#log", RichLog).write(f"values as {self.commands.form}")
        self.refresh_all()

    def action_thread(self) -> None:
        """The next thread."""
        numbers = [thread.number for thread in self.session.threads]
        following = numbers[(numbers.index(self.session.selected) + 1) % len(numbers)]
        self.command(f"thread {following}")

    def action_toggle_words(self) -> None:
        """Show or hide the words."""
        words = self.query_one("#words", Static)
        words.styles.display = "none" if words.styles.display == "block" and words.region.height > 0 else "block"

    def action_focus_line(self) -> None:
        self.query_one("#line", Input).focus()

    def action_leave_line(self) -> None:
        self.query_one("#source_scroll").focus()

    def action_help(self) -> None:
        """The keys, and the commands."""
        log = self.query_one("#log", RichLog)
        for keys, command, _ in _KEYS:
            log.write(f"{keys:14} {command}")
        log.write(
            "F9, a click: breakpoint   t: form of values   Tab: thread   d: words   : command line   Esc: back to the keys   "
            "q: quit"
        )
        log.write(f"commands: {', '.join([command.names[0] for command in COMMANDS])}; help explains them")

    def toggle(self, row: int) -> None:
        """Set or remove a breakpoint in a line of the source, counted from 0."""
        span = self.session.at(self.session.selected).span
        file = span.file if span is not None else ""
        there = [
            number
            for number, point in self.session.breakpoints.items()
            if getattr(point, "line", 0) == row + 1 and getattr(point, "file", "") == file
        ]
        self.command(f"delete {there[0]}" if there else f"break {file}:{row + 1}" if file else f"break {row + 1}")

    # What is shown

    def refresh_all(self) -> None:
        """Show the state where the thread is."""
        self.query_one(Timeline).update(self.query_one(Timeline).bar())
        self._show_source()
        self.query_one("#words", Static).update(Text("\n".join(self.commands.words(""))))
        self.show_registers()
        self.query_one("#stack", Static).update(Text("\n".join([*self.commands.where("")[1:], *self.commands.threads("")])))

    def _show_source(self) -> None:
        source = self.query_one(Source)
        at = self.session.at(self.session.selected)
        span = at.span or self._last_span()
        if span is None:
            source.update(Text("\n".join(self.commands.words(""))))
            return
        points = self.session.lines_with_breakpoints(span.file)
        text = Text()  # a line is a row by the style sheet: for the place that is scrolled to, and for clicks
        for number, line in enumerate(self.session.launch.lines(span.file), 1):
            here = number == span.line and not at.ended
            mark = "*" if number in points else " "
            style = "bold reverse" if here else self.ink("error") if number in points else ""
            text.append(f"{mark}{'>' if here else ' '}{number:4}  {line}\n", style=style)
        source.update(text)
        scroll = self.query_one("#source_scroll", VerticalScroll)
        scroll.scroll_to(y=max(0, span.line - 1 - scroll.size.height // 2), animate=False)

    def _last_span(self):
        step = self.session.last_step(self.session.selected)
        return step.span if step is not None else None

    def show_registers(self) -> None:
        """Show the registers where the thread is."""
        self.query_one("#registers", Static).update(self._registers())

    def _registers(self) -> Text:
        """All registers; the components that the last step has changed stand out. Where not all fit, those that the last step
        and the next one are about are first."""
        thread = self.session.selected
        changed = {each.place for each in self.session.changes(thread)}
        groups = [group for group in self.session.scopes(thread) if group.registers]
        rows = sum([len(group.registers) + 1 for group in groups]) + len(self.session.watches)
        if rows > self.query_one("#registers_scroll").size.height:
            first = self.session.touched(thread)
            groups = [group for group in (*first, *groups[groups[0].name == first[0].name :]) if group.registers]
        text = Text()
        for group in groups:
            text.append(f"{group.name}\n", style="bold underline")
            for register in group.registers:
                own = f" ({register.name})" if register.label != register.name else ""
                text.append(f"  {register.label}{own} = ")
                if all(value is None for value in register.values):
                    text.append(f"{register.missing}\n", style="dim")
                    continue
                for number, (place, value) in enumerate(zip(register.places, register.values, strict=True)):
                    text.append(", " if number else "")
                    text.append(
                        shown(value, register.format, self.commands.form) if value is not None else register.missing,
                        style=f"bold {self.ink('warning')}" if place in changed else "",
                    )
                text.append("\n")
        for watched in self.session.watches:
            text.append(f"{watched} = {self.commands.print_value(watched)[0].partition(' = ')[2]}\n", style=self.ink("accent"))
        return text
