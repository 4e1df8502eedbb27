// Panels with a picture: the control-flow graph, the cycles. They follow the source when it is saved.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise, settingsFor } from "./lanewise";
import { asArguments, asFile, escaped, linesLinked } from "./texts";

const OPEN_LINE = "lanewise.openLine";

type Kind = "graph" | "time";

/** A picture is as wide as the panel, but no smaller than this: then the panel scrolls. */
const MIN_WIDTHS: Record<Kind, string> = { graph: "28em", time: "70em" };
const TITLES: Record<Kind, string> = { graph: "Graph", time: "Timing" };

export class Panels implements vscode.Disposable {
  private readonly open = new Map<string, { panel: vscode.WebviewPanel; kind: Kind; file: vscode.Uri }>();
  private readonly saved = vscode.workspace.onDidSaveTextDocument((document) => {
    for (const { panel, kind, file } of this.open.values()) if (file.fsPath === document.uri.fsPath) void this.fill(panel, kind, file);
  });

  constructor(private readonly lanewise: Lanewise) {}

  dispose(): void {
    this.saved.dispose();
    for (const { panel } of this.open.values()) panel.dispose();
  }

  async show(kind: Kind, file: vscode.Uri): Promise<void> {
    const key = `${kind} ${file.fsPath}`;
    let panel = this.open.get(key)?.panel;
    if (panel) {
      panel.reveal(undefined, true);
    } else {
      const title = `${TITLES[kind]}: ${path.basename(file.fsPath)}`;
      panel = vscode.window.createWebviewPanel(`lanewise.${kind}`, title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableFindWidget: true, enableCommandUris: [OPEN_LINE] });
      panel.onDidDispose(() => this.open.delete(key));
      this.open.set(key, { panel, kind, file });
    }
    await this.fill(panel, kind, file);
  }

  private async fill(panel: vscode.WebviewPanel, kind: Kind, file: vscode.Uri): Promise<void> {
    const folder = await mkdtemp(path.join(os.tmpdir(), "lanewise-"));
    try {
      const picture = path.join(folder, "picture.svg");
      const cwd = folderOf(file);
      const name = asFile(path.relative(cwd, file.fsPath)); // as the picture calls it
      const args = [kind, name, kind === "graph" ? "-o" : "--svg", picture, ...asArguments(settingsFor(kind, file))];
      const ran = await this.lanewise.run(args, { cwd });
      if (ran === undefined) return;
      const svg = await readFile(picture, "utf8").catch(() => "");
      panel.webview.html = page(kind, linesLinked(svg, cwd, OPEN_LINE), svg ? ran.stdout : ran.stderr || ran.stdout);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Open a line of a source, where the source is open or else in the first column: the command of the links in a picture. */
export async function openLine(file: unknown, line: unknown): Promise<void> {
  if (typeof file !== "string" || typeof line !== "number" || !path.isAbsolute(file)) return;
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file);
  const viewColumn = editor?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn, selection: new vscode.Range(at, at) });
}

/** The page of a panel: the picture, then what the command printed. It has no scripts. */
function page(kind: Kind, svg: string, text: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>figure { margin: 0; overflow: auto; } a { cursor: pointer; } a:hover text { text-decoration: underline; } svg { max-width: 100%; min-width: ${MIN_WIDTHS[kind]}; height: auto; } pre { overflow: auto; font-family: var(--vscode-editor-font-family); }</style>
</head><body><figure>${svg}</figure>${text ? `<pre>${escaped(text)}</pre>` : ""}</body></html>`;
}
