// Read-only texts that commands of lanewise print: disassemblies, runs, traces, pages of codes.
import * as path from "node:path";
import * as vscode from "vscode";
import { Addresses } from "./addresses";
import type { Server, Shown } from "./client";
import { folderOf, type Lanewise } from "./lanewise";

export const SCHEME = "lanewise";
export const VIEW = "lanewise.disassembly";

/** What is disposed of with its owner. */
export interface Part {
  dispose(): unknown;
}

interface Asked {
  args: string[];
  /** The file whose change makes the text another one. */
  file?: string;
}

/** A text that is known already. */
interface Given {
  text: string;
}

/** The language of the disassembly of a file. */
const BINARIES: Record<string, string> = { ".shbin": "picasso", ".scb": "shadercore", ".vso": "direct3d9", ".pso": "direct3d9" };

export class Documents implements vscode.TextDocumentContentProvider, vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly addresses = new Addresses<Asked | Given>();
  private readonly parts: Part[];

  constructor(
    private readonly lanewise: Lanewise,
    private readonly server: () => Server,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*.{shbin,scb,vso,pso}");
    this.parts = [
      this.changed,
      watcher,
      watcher.onDidChange((uri) => { this.refresh(uri.fsPath); }),
      vscode.workspace.onDidSaveTextDocument((document) => { this.refresh(document.uri.fsPath); }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => { this.closed(uri); }),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.window.registerCustomEditorProvider(VIEW, this),
    ];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  /** Show what a command prints, beside the editor or in the column that is given. */
  async open(title: string, asked: Asked, language = "plaintext", column: vscode.ViewColumn = vscode.ViewColumn.Beside): Promise<void> {
    await show(addressOf(title, this.addresses.register(JSON.stringify([title, asked]), asked)), language, column);
  }

  /** Show a text that the server gave. */
  async present(shown: Shown): Promise<void> {
    const title = shown.title ?? "lanewise";
    const uri = addressOf(title, this.addresses.register(title, { text: shown.text }));
    this.changed.fire(uri);
    await show(uri, shown.languageId ?? "plaintext", vscode.ViewColumn.Beside);
  }

  /** The text of an address. One that `open` and `present` did not make is of somebody else: it runs nothing, and its text is empty. */
  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const asked = this.addresses.get(uri.query);
    if (asked === undefined) return "";
    if ("text" in asked) return asked.text;
    const file = asked.file === undefined ? undefined : vscode.Uri.file(asked.file);
    if (asked.args[0] === "dis" && file) {
      const answer = await this.server().request<Shown>("lanewise/disassembly", { uri: file.toString() });
      if (answer) return answer.text;
    }
    const ran = await this.lanewise.run(asked.args, { cwd: folderOf(file), token });
    return ran === undefined ? "" : ran.stdout || ran.stderr;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** A binary opens as its disassembly, in an editor of text in the place of this one. */
  async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const file = document.uri.fsPath;
    const column = panel.viewColumn ?? vscode.ViewColumn.Active;
    panel.webview.html = "Disassembling.";
    await this.open(`${path.basename(file)} (disassembly)`, { args: ["dis", file], file }, BINARIES[path.extname(file).toLowerCase()], column);
    panel.dispose();
  }

  private refresh(file: string): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== SCHEME) continue;
      const asked = this.addresses.get(document.uri.query);
      if (asked && "args" in asked && asked.file === file) this.changed.fire(document.uri);
    }
  }

  private closed(uri: vscode.Uri): void {
    const asked = uri.scheme === SCHEME ? this.addresses.get(uri.query) : undefined;
    if (asked && "text" in asked) this.addresses.drop(uri.query);
  }
}

function addressOf(title: string, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: id });
}

async function show(uri: vscode.Uri, language: string, viewColumn: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== language) await vscode.languages.setTextDocumentLanguage(document, language);
  await vscode.window.showTextDocument(document, { viewColumn, preview: true, preserveFocus: viewColumn === vscode.ViewColumn.Beside });
}
