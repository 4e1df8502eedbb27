// Read-only texts that commands of lanewise print: disassemblies, runs, traces, pages of codes.
import * as path from "node:path";
import * as vscode from "vscode";
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

/** The language of the disassembly of a file. */
const BINARIES: Record<string, string> = { ".shbin": "picasso", ".scb": "shadercore", ".vso": "direct3d9", ".pso": "direct3d9" };

export class Documents implements vscode.TextDocumentContentProvider, vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly given = new Map<string, string>();
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
      vscode.workspace.onDidCloseTextDocument((document) => this.given.delete(document.uri.toString())),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.window.registerCustomEditorProvider(VIEW, this),
    ];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  /** Show what a command prints, beside the editor or in the column that is given. */
  async open(title: string, asked: Asked, language = "plaintext", column: vscode.ViewColumn = vscode.ViewColumn.Beside): Promise<void> {
    await show(vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: JSON.stringify(asked) }), language, column);
  }

  /** Show a text that the server gave. */
  async present(shown: Shown): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${shown.title ?? "lanewise"}`, query: "{}" });
    this.given.set(uri.toString(), shown.text);
    this.changed.fire(uri);
    await show(uri, shown.languageId ?? "plaintext", vscode.ViewColumn.Beside);
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const given = this.given.get(uri.toString());
    if (given !== undefined) return given;
    const asked = JSON.parse(uri.query) as Partial<Asked>;
    if (!asked.args) return "";
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
      const asked = JSON.parse(document.uri.query || "{}") as Partial<Asked>;
      if (asked.file === file) this.changed.fire(document.uri);
    }
  }
}

async function show(uri: vscode.Uri, language: string, viewColumn: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.languageId !== language) await vscode.languages.setTextDocumentLanguage(document, language);
  await vscode.window.showTextDocument(document, { viewColumn, preview: true, preserveFocus: viewColumn === vscode.ViewColumn.Beside });
}
