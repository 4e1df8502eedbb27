/** What lanewise finds, under the text of an editor, with a button for each fix. */

import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Text, type Extension } from "@codemirror/state";
import { ViewPlugin, type EditorView } from "@codemirror/view";

import type { Store } from "../../page/src/state";
import type { Finding, Span } from "../../page/src/types";

/** A finding with the edits that remove it. */
export interface Fixable extends Finding {
  notes?: string[];
  edits?: { span: Span; text: string }[];
}

export function squiggles(store: Store, file: string): Extension {
  return ViewPlugin.define((view) => {
    let gone = false;
    const off = store.on(["source"], ({ source }) => {
      const own = (source?.diagnostics ?? []).filter((finding) => finding.span?.file === file);
      queueMicrotask(() => {
        if (!gone) {
          view.dispatch(setDiagnostics(view.state, own.map((finding) => marked(finding, view.state.doc))));
        }
      });
    });
    return {
      destroy: () => {
        gone = true;
        off();
      },
    };
  });
}

function marked(finding: Fixable, doc: Text): Diagnostic {
  const { from, to } = place(finding.span, doc);
  const edits = finding.edits ?? [];
  return {
    from,
    to,
    severity: finding.severity === "note" ? "info" : finding.severity === "warning" ? "warning" : "error",
    message: [finding.message, ...(finding.notes ?? []), ...(finding.fix ? [`help: ${finding.fix}`] : [])].join("\n"),
    source: finding.code,
    ...(edits.length > 0 ? { actions: [{ name: "Fix", apply: (view: EditorView) => { fix(view, edits); } }] } : {}),
  };
}

function fix(view: EditorView, edits: readonly { span: Span; text: string }[]): void {
  view.dispatch({ changes: edits.map((edit) => ({ ...place(edit.span, view.state.doc, true), insert: edit.text })), userEvent: "input.fix" });
}

/** A text after edits. */
export function edited(text: string, edits: readonly { span: Span; text: string }[]): string {
  const doc = Text.of(text.split("\n"));
  const places = edits.map((edit) => ({ ...place(edit.span, doc, true), insert: edit.text })).sort((a, b) => b.from - a.from);
  return places.reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
}

/** The characters of a place: lanewise counts those of Unicode, editors units of UTF-16. A place of no length is a line that is marked whole, unless it is `exact`. */
export function place(span: Span | null, doc: Text, exact = false): { from: number; to: number } {
  if (span === null || !(span.line >= 1)) {
    return { from: 0, to: 0 };
  }
  const line = doc.line(Math.min(span.line, doc.lines));
  const characters = [...line.text];
  const units = (count: number): number => characters.slice(0, Math.max(count, 0)).join("").length;
  const from = line.from + units(span.column - 1);
  const length = span.length ?? 0;
  if (length === 0 && !exact) {
    return { from: line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0), to: line.to };
  }
  return { from, to: Math.min(line.from + units(span.column - 1 + length), line.to) };
}
