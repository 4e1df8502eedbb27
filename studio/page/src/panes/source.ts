/** The source: an editor for each file, with what a language server says, machine words in the gutter and values in the margin. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldEffect, foldKeymap } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState, RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, WidgetType, type DecorationSet,
} from "@codemirror/view";

import { colours, languageOf } from "../language";
import { textOf, withText } from "../files";
import { replaced } from "../history";
import { short } from "../numbers";
import { lastOnLines, outdated, rounds } from "../replay";
import type { Store } from "../state";
import type { Source, State, TimePane, TraceStep, WordsPane } from "../types";
import { beforePaint, button, clear, h, write } from "../widgets/dom";

/** What the other panes know of the lines of the file in the editor. */
interface Margin {
  words: Map<number, string>;
  /** The value that a line has left: of the step just done, and of an earlier round of a loop than the one that goes on. */
  values: Map<number, { text: string; fresh: boolean; old: boolean }>;
  /** There are steps: each line keeps room for its value. */
  traced: boolean;
  /** The lines of the next step and of the one before it, which has just been done; 0: none. */
  step: number;
  done: number;
  /** Lines that another pane points at, and the part of a line. */
  linked: ReadonlySet<number>;
  part: { line: number; column: number; length: number } | null;
  stale: boolean;
}

const PART = Decoration.mark({ class: "cm-part" });
const NOTHING: Margin = { words: new Map(), values: new Map(), traced: false, step: 0, done: 0, linked: new Set(), part: null, stale: false };
const setMargin = StateEffect.define<Margin>();

const margin = StateField.define<Margin>({
  create: () => NOTHING,
  update: (value, transaction) => {
    for (const effect of transaction.effects) {
      if (effect.is(setMargin)) {
        return effect.value;
      }
    }
    return value;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => (view) => decorations(view, value)),
    EditorView.editorAttributes.from(field, (value): Record<string, string> => ({ class: `${value.stale ? "cm-stale" : ""} ${value.words.size === 0 ? "cm-wordless" : ""} ${value.traced ? "cm-traced" : ""}` })),
  ],
});

class Values extends WidgetType {
  constructor(
    readonly text: string,
    readonly fresh: boolean,
    readonly old: boolean,
    readonly before: number,
  ) {
    super();
  }

  override eq(other: Values): boolean {
    return other.text === this.text && other.fresh === this.fresh && other.old === this.old && other.before === this.before;
  }

  override toDOM(): HTMLElement {
    const value = h("span", { class: "cm-values" });
    this.updateDOM(value);
    return value;
  }

  /** Another value in the element that is there. */
  override updateDOM(value: HTMLElement): boolean {
    value.classList.toggle("fresh", this.fresh);
    value.classList.toggle("old", this.old);
    if (value.title !== this.text) {
      value.title = this.text;
      value.setAttribute("aria-label", `value ${this.text}`);
      value.style.setProperty("--length", String(this.text.length));
      write(value, this.text);
    }
    value.style.setProperty("--before", String(this.before)); // characters of the line, which it does not cover
    return true;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function decorations(view: EditorView, value: Margin): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const hang = hanging(line.text);
      if (hang > 0) builder.add(line.from, line.from, Decoration.line({ attributes: { style: `--hang: ${String(hang)}ch` } }));
      const classes = [value.step === line.number ? "cm-step" : "", value.done === line.number ? "cm-done" : "", value.linked.has(line.number) ? "cm-linked" : ""].filter(Boolean).join(" ");
      if (classes !== "") {
        builder.add(line.from, line.from, Decoration.line({ class: classes }));
      }
      const part = value.part?.line === line.number ? value.part : null;
      const begin = line.from + (part?.column ?? 1) - 1;
      const end = Math.min(begin + (part?.length ?? 0), line.to);
      if (end > begin) {
        builder.add(begin, end, PART);
      }
      const found = value.values.get(line.number);
      if (found !== undefined) {
        builder.add(line.to, line.to, Decoration.widget({ widget: new Values(found.text, found.fresh, found.old, line.length), side: 1 }));
      }
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const TIGHT = 500; // pixels of an editor below which the lines have the room of the machine words, which are in a pane beside it
const FITS = 30; // characters that no pane is too narrow for
const MOST_HANG = 24;

/** How far the rest of a line that does not fit is moved in, in characters: below its comment, or behind its beginning. */
export function hanging(line: string): number {
  if (line.length <= FITS || line.length > 2000) return 0;
  const columns = (text: string): number => [...text].reduce((sum, letter) => (letter === "\t" ? sum + 4 - (sum % 4) : sum + 1), 0);
  const comment = /^[^"';#/]*\S\s+(?=;|#|\/\/)/.exec(line)?.[0];
  const below = comment === undefined ? MOST_HANG + 1 : columns(comment) + 2;
  return below <= MOST_HANG ? below : columns(/^\s*/.exec(line)?.[0] ?? "") + 4;
}

class Word extends GutterMarker {
  constructor(readonly text: string) {
    super();
  }

  override eq(other: Word): boolean {
    return other.text === this.text;
  }

  override toDOM(): Text {
    return document.createTextNode(this.text);
  }
}

const wordGutter = gutter({
  class: "cm-words",
  lineMarker: (view, line) => {
    const text = view.state.field(margin).words.get(view.state.doc.lineAt(line.from).number);
    return text === undefined ? null : new Word(text);
  },
  lineMarkerChange: (update) => update.startState.field(margin).words !== update.state.field(margin).words || update.docChanged,
  initialSpacer: () => new Word("00000000"),
});

export interface SourcePaneView {
  element: HTMLElement;
  focus(): void;
}

/** `assistance`: what the editor of a file in a language has besides, such as a language server. */
export function sourcePane(store: Store, assistance: (name: string, language: string) => Extension, change: (patch: Partial<State>) => void, options?: { button: HTMLElement; row: HTMLElement }): SourcePaneView {
  const fileTabs = h("div", { class: "file-tabs", role: "tablist", "aria-label": "files" });
  const tools = h("span", { class: "file-tools" });
  const host = h("div", { class: "editor" });
  const here = h("p", { class: "finding-here", role: "status" });
  const element = h("section", { class: "pane source-pane", "aria-label": "source" }, h("div", { class: "pane-head" }, fileTabs, tools, options?.button), options?.row, host, here);
  const language = new Compartment();
  const states = new Map<string, EditorState>();
  let shown = "";
  let languageKey = "";

  const extensions = (file: Source): Extension => [
    lineNumbers(),
    wordGutter,
    lintGutter(),
    highlightSpecialChars(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    bracketMatching(),
    EditorView.lineWrapping,
    codeFolding({ placeholderText: "…", preparePlaceholder: (state, range) => `${String(state.doc.lineAt(range.to).number - state.doc.lineAt(range.from).number + 1)} lines of numbers`, placeholderDOM: (_view, onclick, text: string) => h("button", { type: "button", class: "cm-foldPlaceholder", onclick, "aria-label": `show ${text}` }, text) }),
    closeBrackets(),
    autocompletion({ addToOptions: [{ position: 60, render: ({ detail }) => (detail === undefined ? null : h("span", { class: "unseen" }, ", ")) }] }),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...completionKeymap, ...foldKeymap, ...lintKeymap]),
    language.of(languageExtension(file.name)),
    colours,
    margin,
    EditorState.tabSize.of(4),
    EditorState.readOnly.of(file.data !== undefined),
    EditorView.contentAttributes.of({ "aria-label": `source of ${file.name}`, spellcheck: "false", tabindex: "0" }),
    assistance(file.name, languageId(file.name)),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && file.data === undefined) {
        const text = update.state.doc.toString();
        const { files } = store.value.state;
        // what the page put into the editor is not a change by the user
        if (files.find((other) => other.name === file.name)?.text !== text) change(withText(files, file.name, text, undefined));
      }
      if (update.geometryChanged) view.requestMeasure(widths);
      if (update.selectionSet || update.docChanged || update.transactions.some((transaction) => transaction.effects.length > 0)) findingsHere(update.state);
      if (update.selectionSet && view.hasFocus) {
        const line = update.state.doc.lineAt(update.state.selection.main.head).number;
        store.set({ hover: { file: file.name, line } });
      }
    }),
    EditorView.domEventHandlers({
      mousemove: (event, target) => {
        const at = target.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at !== null) {
          point(file.name, target.state.doc.lineAt(at).number);
        }
      },
      mouseleave: () => {
        store.set({ hover: null });
      },
    }),
  ];

  /** How wide the editor and its gutters are, for the values beside lines: no query of a container, in which each change is styled and laid out twice. */
  let wasTight = false;
  const widths = {
    read: (now: EditorView) => ({ width: now.scrollDOM.clientWidth, gutters: now.scrollDOM.querySelector<HTMLElement>(".cm-gutters")?.offsetWidth ?? 0 }),
    write: (read: { width: number; gutters: number }, now: EditorView) => {
      const tight = read.width < TIGHT;
      host.classList.toggle("tight", tight);
      if (tight !== wasTight) requestAnimationFrame(() => { now.requestMeasure(); }); // lines begin elsewhere: they wrap, and are numbered, again
      wasTight = tight;
      for (const [name, size] of Object.entries(read)) now.dom.style.setProperty(`--${name}`, `${String(size)}px`);
    },
  };

  /** The findings of the line of the cursor, in words: what the marks beside and below it stand for. */
  const findingsHere = (state: EditorState): void => {
    const line = state.doc.lineAt(state.selection.main.head);
    const found: string[] = [];
    forEachDiagnostic(state, (finding, from, to) => {
      if (from <= line.to && to >= line.from) found.push(finding.message.split("\n")[0] ?? "");
    });
    if (found.length === 0) {
      marksOf(state);
      return;
    }
    const text = `line ${String(line.number)}: ${[...new Set(found)].join("; ")}`;
    if (text === here.textContent) return;
    here.setAttribute("aria-live", "polite");
    here.textContent = here.title = text;
  };

  /** Where the cursor is on no finding: what the marks are, and the lines that have them. */
  const marksOf = (state: EditorState): void => {
    const lines = new Set<number>();
    forEachDiagnostic(state, (_, from) => { lines.add(state.doc.lineAt(Math.min(from, state.doc.length)).number); });
    const all = [...lines].sort((a, b) => a - b);
    const text = all.length === 0 ? "" : `Findings (marked ▪ and underlined): ${all.slice(0, 4).map((each) => `line ${String(each)}`).join(", ")}${all.length > 4 ? ", …" : ""}`;
    if (text === here.textContent) return;
    here.setAttribute("aria-live", "off"); // it comes back with every move of the cursor
    here.title = "";
    clear(here, ...(all.length === 0 ? [] : ["Findings (marked ▪ and underlined): ", ...all.slice(0, 4).flatMap((each, at) => [at > 0 ? ", " : "", button(`what is found in line ${String(each)}`, `line ${String(each)}`, () => { scrollTo(shown, each, true); view.focus(); }, { class: "link" })]), all.length > 4 ? ", …" : ""]));
  };

  const point = (file: string, line: number): void => {
    const now = store.value.hover;
    if (now?.file !== file || now.line !== line) {
      store.set({ hover: { file, line } });
    }
  };

  const languageId = (name: string): string => {
    const source = store.value.source;
    return source?.languages?.[name] ?? store.value.hello?.languages.find((entry) => entry.suffixes.some((suffix) => name.endsWith(suffix)))?.name ?? "plaintext";
  };

  const languageExtension = (name: string): Extension => {
    const id = languageId(name);
    return languageOf(id, store.value.hello?.lexicons?.[id]);
  };

  const view = new EditorView({ parent: host });
  const shownText = (file: Source): string => textOf(file, store.value.source?.listing);

  const show = (file: Source): void => {
    if (shown !== "") {
      states.set(shown, view.state);
    }
    shown = file.name;
    const kept = states.get(file.name);
    const text = shownText(file);
    view.setState(kept?.doc.toString() === text && kept.readOnly === (file.data !== undefined) ? kept : EditorState.create({ doc: text, extensions: extensions(file) }));
    findingsHere(view.state);
    languageKey = languageId(file.name);
    const blocks = kept?.doc.toString() === text ? [] : commentBlocks(text);
    if (blocks.length > 0) view.dispatch({ effects: blocks.map((block) => foldEffect.of(block)) });
    refresh();
  };

  let turned: { of: TimePane; rounds: number[] | null; outdated: number[]; first: number } | null = null;
  /** The rounds of the steps that are shown; counted once for them. */
  const turnsOf = (time: TimePane): NonNullable<typeof turned> => {
    if (turned?.of !== time) turned = { of: time, rounds: rounds(time.steps), outdated: outdated(time.steps), first: time.steps[0]?.number ?? 0 };
    return turned;
  };
  let marked: { of: WordsPane | null; file: string; words: Map<number, string> } | null = null;
  /** The words beside the lines of a file; the same map as long as the program is the same. */
  const words = (of: WordsPane | null, file: string): Map<number, string> => {
    if (marked?.of !== of || marked.file !== file) marked = { of, file, words: wordsOf(of, file) };
    return marked.words;
  };
  const refresh = (): void => {
    const app = store.value;
    const file = app.state.files[app.active];
    if (file === undefined) {
      return;
    }
    const pointed = app.hover !== null && app.hover.file === file.name && !view.hasFocus ? app.hover : null;
    const next: Margin = {
      words: words(app.words, file.name),
      values: new Map(),
      traced: app.time !== null,
      step: 0,
      done: 0,
      linked: pointed === null ? new Set() : new Set([pointed.line]),
      part: pointed === null ? null : { line: pointed.line, column: pointed.column ?? 0, length: pointed.column ? (pointed.length ?? 0) : 0 },
      stale: app.stale,
    };
    if (app.time !== null) {
      const done = lastOnLines(app.time.steps, file.name, app.step);
      const last = app.time.steps[app.step - 1];
      const turns = turnsOf(app.time);
      for (const [line, step] of done) {
        const text = valueText(step);
        if (text !== "") {
          const old = (turns.outdated[step.number - turns.first] ?? Infinity) < app.step;
          const round = turns.rounds?.[step.number - turns.first] ?? 0;
          next.values.set(line, { text: old ? `round ${String(round)}: ${text}` : text, fresh: step === last, old });
        }
      }
      const lineOf = (step: TraceStep | undefined): number => (step?.file === file.name ? (step.line ?? 0) : 0);
      next.step = lineOf(app.time.steps[app.step]);
      next.done = lineOf(last);
    }
    const before = view.state.field(margin, false);
    if (before?.words !== next.words || before.traced !== next.traced) view.requestMeasure(widths);
    view.dispatch({ effects: setMargin.of(next) });
  };

  let drawn: { files: readonly Source[]; active: number } | null = null;
  store.on(["state", "active"], (app) => {
    if (drawn?.files === app.state.files && drawn.active === app.active) {
      return; // other data of the same source
    }
    drawn = { files: app.state.files, active: app.active };
    const file = app.state.files[app.active] ?? app.state.files[0];
    drawTabs();
    if (file === undefined) {
      return;
    }
    if (file.name !== shown) {
      show(file);
    } else if (view.state.readOnly !== (file.data !== undefined)) {
      show(file);
    } else if (file.data === undefined && view.state.doc.toString() !== file.text) {
      view.dispatch({ changes: replaced(view.state.doc.toString(), file.text) });
    }
  });
  store.on(["words", "time", "hover", "stale"], () => {
    refresh();
  });
  store.on(["step"], () => {
    beforePaint(host, refresh); // the editor lays the page out
  });
  store.on(["time", "step"], (app) => {
    const at = app.time?.steps[app.step - 1]; // the one that was chosen: it has been done
    if (at?.file !== null && at?.line) {
      const { file, line } = at;
      if (file === app.state.files[app.active]?.name) beforePaint(view, () => { scrollTo(file, line, false); });
      else scrollTo(file, line, false);
    }
  });
  store.on(["reveal"], (app) => {
    if (app.reveal !== null) {
      scrollTo(app.reveal.file, app.reveal.line, true);
    }
  });
  store.on(["hello", "source"], () => {
    const file = store.value.state.files[store.value.active];
    if (file?.data !== undefined && view.state.doc.toString() !== shownText(file)) {
      show(file);
      drawTabs();
    } else if (file !== undefined && shown === file.name && (languageKey !== languageId(file.name) || store.value.hello !== null)) {
      languageKey = languageId(file.name);
      view.dispatch({ effects: language.reconfigure(languageExtension(file.name)) });
    }
  });

  function scrollTo(file: string, number: number, select: boolean): void {
    const files = store.value.state.files;
    const index = files.findIndex((entry) => entry.name === file);
    const entry = files[index];
    if (entry === undefined) {
      return;
    }
    const switched = index !== store.value.active;
    if (switched) {
      if (!select && view.hasFocus) {
        return;
      }
      store.set({ active: index });
      show(entry); // listeners of a change within a change come later
    }
    if (number < 1 || number > view.state.doc.lines) {
      return;
    }
    const line = view.state.doc.line(number);
    const block = view.lineBlockAt(line.from);
    const top = view.scrollDOM.scrollTop; // heights of a file that has just been opened are estimates
    const hidden = switched || block.top < top + 10 || block.bottom > top + view.scrollDOM.clientHeight - 10;
    if (!select && !hidden) {
      return;
    }
    view.dispatch({
      ...(select ? { selection: EditorSelection.cursor(line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0)) } : {}),
      ...(hidden ? { effects: EditorView.scrollIntoView(line.from, { y: "center" }) } : {}),
    });
  }

  function drawTabs(): void {
    const { state, active } = store.value;
    clear(
      fileTabs,
      ...state.files.map((file, index) => {
        const tab = h("button", { type: "button", class: "tab", role: "tab", "aria-selected": String(index === active), tabIndex: index === active ? 0 : -1, title: file.name.length > 24 ? file.name : "" }, file.name);
        tab.onclick = () => {
          store.set({ active: index });
        };
        tab.onkeydown = (event) => {
          const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (move !== undefined && state.files[index + move] !== undefined) {
            store.set({ active: index + move });
            (fileTabs.children[index + move] as HTMLElement | undefined)?.focus();
          }
        };
        return tab;
      }),
    );
    clear(tools, ...binary(state.files[active]));
  }

  /** What a binary is shown as, and the way to change it. */
  function binary(file: Source | undefined): (HTMLElement | null)[] {
    if (file?.data === undefined) {
      return [];
    }
    const listing = store.value.source?.listing;
    const edit = listing?.file === file.name && listing.source !== ""
      ? button(`put ${listing.source}, its disassembly, in place of the binary`, "Edit as source", () => { change(withText(store.value.state.files, file.name, listing.text, listing)); })
      : null;
    return [h("span", { class: "quiet" }, "disassembly"), edit];
  }

  return {
    element,
    focus: () => {
      view.focus();
    },
  };
}

/** Comments of effects that are data, `.comment 0x42415443, ...` over at least four lines: the numbers of each. */
export function commentBlocks(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/^[ \t]*\.comment\b(?=[^\n]*(?:\n[ \t]+0x[^\n]*){3})[^\n]*(?:\n[ \t]+0x[^\n]*)*/gm)].map((match) => {
    const to = match.index + match[0].length;
    return { from: match.index + match[0].indexOf(".comment") + ".comment".length, to };
  });
}

/** For each line of a file its words: the first, and how many more there are. */
export function wordsOf(words: WordsPane | null, file: string): Map<number, string> {
  const lines = new Map<number, string[]>();
  for (const row of words?.rows ?? []) {
    if (row.file === file && row.line !== null) {
      lines.set(row.line, [...(lines.get(row.line) ?? []), row.bits]);
    }
  }
  return new Map([...lines].map(([line, bits]) => [line, `${bits[0] ?? ""}${bits.length > 1 ? ` +${String(bits.length - 1)}` : ""}`]));
}

/** What a step wrote, as the margin shows it. */
export function valueText(step: TraceStep): string {
  const parts = step.writes.map((write, index) => {
    const [first = "", ...others] = write.new.map((value) => short(value, 4));
    const name = index === 0 ? "" : `${write.name || write.register} = `; // the first is what the line names
    return name + (others.length === 0 ? first : others.every((other) => other === first) ? `all ${first}` : `(${[first, ...others].join(", ")})`);
  });
  return [...parts, ...step.decisions.map((decision) => `${decision.question} ${decision.answer}`)].join("  ");
}

