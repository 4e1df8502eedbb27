/** The language server of `lanewise lsp`, over a socket. */

import { insertCompletionText } from "@codemirror/autocomplete";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import {
  findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, LSPClient, LSPPlugin, renameKeymap, serverCompletion, signatureHelp, type Transport,
} from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";

import type { Options } from "./options";

export const FOLDER = "file:///studio/";
const DELAY = 60; // milliseconds after the last key until the server gets the text

interface Position {
  line: number;
  character: number;
}

interface Range {
  start: Position;
  end: Position;
}

interface ServerFinding {
  range: Range;
  severity?: number;
  message: string;
  code?: string | number;
  source?: string;
  data?: unknown;
}

interface TextEdit {
  range: Range;
  newText: string;
}

interface CodeAction {
  title: string;
  diagnostics?: ServerFinding[];
  edit?: { changes?: Record<string, TextEdit[]>; documentChanges?: { textDocument: { uri: string }; edits: TextEdit[] }[] };
}

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;

/** Tell the server the settings of its user; what is empty is not set. */
export function configure(client: LSPClient, settings: Options): void {
  client.notification("workspace/didChangeConfiguration", { settings: { lanewise: settings } });
}

/** A transport for `LSPClient`, which connects again when the socket is lost; `settings` are those of the moment. */
export function connectLanguageServer(address: () => string, client: LSPClient, settings: () => Options): void {
  let delay = 250;
  const open = (): void => {
    const handlers = new Set<(text: string) => void>();
    const socket = new WebSocket(address());
    const transport: Transport = {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) {
          socket.send(text);
        }
      },
      subscribe: (handler) => handlers.add(handler),
      unsubscribe: (handler) => handlers.delete(handler),
    };
    socket.onopen = () => {
      delay = 250;
      client.connect(transport);
      void client.initializing.then(() => {
        configure(client, settings());
      });
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      for (const handler of [...handlers]) {
        handler(event.data);
      }
    };
    socket.onclose = () => {
      if (client.connected) {
        client.disconnect();
      }
      setTimeout(open, delay);
      delay = Math.min(delay * 2, 8000);
    };
  };
  open();
}

export function languageClient(): LSPClient {
  return new LSPClient({
    rootUri: FOLDER,
    timeout: 10_000,
    sanitizeHTML: sanitized,
    extensions: [
      serverCompletion(),
      hoverTooltips({ hoverTime: 350 }),
      signatureHelp(),
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      {
        clientCapabilities: {
          textDocument: {
            publishDiagnostics: { versionSupport: true, relatedInformation: false },
            codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
          },
        },
        notificationHandlers: { "textDocument/publishDiagnostics": publish },
        editorExtension: prompt,
      },
    ],
  });
}

/** Texts go to the server soon after a change: the pause of the package is half a second. */
const prompt: Extension = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setTimeout> | undefined;

    update(update: ViewUpdate): void {
      if (update.docChanged) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
          LSPPlugin.get(update.view)?.client.sync();
        }, DELAY);
      }
    }

    destroy(): void {
      clearTimeout(this.timer);
    }
  },
);

function publish(client: LSPClient, params: { uri: string; version?: number; diagnostics: ServerFinding[] }): boolean {
  const file = client.workspace.getFile(params.uri);
  const view = file?.getView();
  const plugin = view ? LSPPlugin.get(view) : null;
  if (!file || !view || !plugin || (params.version !== undefined && params.version !== null && params.version !== file.version)) {
    return true;
  }
  show(view, plugin, params.diagnostics, []);
  if (params.diagnostics.length > 0) {
    const end = plugin.toPosition(plugin.syncedDoc.length, plugin.syncedDoc);
    const version = file.version;
    client
      .request<unknown, CodeAction[] | null>("textDocument/codeAction", {
        textDocument: { uri: params.uri },
        range: { start: { line: 0, character: 0 }, end },
        context: { diagnostics: params.diagnostics, only: ["quickfix"] },
      })
      .then((actions) => {
        const now = LSPPlugin.get(view);
        if (actions && now && file.version === version) {
          show(view, now, params.diagnostics, actions);
        }
      })
      .catch(() => {
        // fixes are a comfort; the findings are shown without them
      });
  }
  return true;
}

function show(view: EditorView, plugin: LSPPlugin, findings: readonly ServerFinding[], actions: readonly CodeAction[]): void {
  const place = (position: Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
  const list: Diagnostic[] = findings.map((finding) => {
    const from = place(finding.range.start);
    const fixes = actions.filter((action) => action.edit && (action.diagnostics ?? []).some((other) => other.message === finding.message && same(other.range, finding.range)));
    return {
      from,
      to: Math.max(place(finding.range.end), from),
      severity: SEVERITIES[finding.severity ?? 1] ?? "error",
      message: finding.message,
      source: String(finding.code ?? ""),
      actions: fixes.slice(0, 3).map((action) => ({
        name: action.title,
        apply: (target: EditorView) => {
          fix(target, plugin, action);
        },
      })),
    };
  });
  view.dispatch(setDiagnostics(view.state, list));
}

function same(a: Range, b: Range): boolean {
  return a.start.line === b.start.line && a.start.character === b.start.character && a.end.line === b.end.line && a.end.character === b.end.character;
}

function fix(view: EditorView, plugin: LSPPlugin, action: CodeAction): void {
  const edits = [...(action.edit?.changes?.[plugin.uri] ?? []), ...(action.edit?.documentChanges ?? []).filter((change) => change.textDocument.uri === plugin.uri).flatMap((change) => change.edits)];
  const place = (position: Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
  if (edits.length === 1 && edits[0]) {
    view.dispatch(insertCompletionText(view.state, edits[0].newText, place(edits[0].range.start), place(edits[0].range.end)));
    return;
  }
  view.dispatch({ changes: edits.map((edit) => ({ from: place(edit.range.start), to: place(edit.range.end), insert: edit.newText })), userEvent: "input.fix" });
}

const ALLOWED = new Set(["P", "BR", "CODE", "PRE", "EM", "STRONG", "UL", "OL", "LI", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "H1", "H2", "H3", "H4", "H5", "HR", "SPAN", "BLOCKQUOTE", "DEL", "A"]);

/** The same text with plain elements only, without attributes: no address is followed and nothing is loaded. */
export function sanitized(html: string): string {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const walk = (element: Element): void => {
    for (const child of [...element.children]) {
      walk(child);
      if (!ALLOWED.has(child.tagName) || child.tagName === "A") {
        child.replaceWith(...(["SCRIPT", "STYLE", "TEMPLATE"].includes(child.tagName) ? [] : child.childNodes));
        continue;
      }
      for (const attribute of [...child.attributes]) {
        if (!(attribute.name === "class" && /^[\w -]*$/.test(attribute.value))) {
          child.removeAttribute(attribute.name);
        }
      }
    }
  };
  walk(parsed.body);
  return parsed.body.innerHTML;
}
