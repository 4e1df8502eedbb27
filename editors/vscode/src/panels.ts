// Panels with a picture: the control-flow graph, the cycles. They follow the source when it is saved.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise } from "./lanewise";
import { escaped } from "./texts";

export type Kind = "graph" | "time";

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
      panel = vscode.window.createWebviewPanel(`lanewise.${kind}`, title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableFindWidget: true });
      panel.onDidDispose(() => this.open.delete(key));
      this.open.set(key, { panel, kind, file });
    }
    await this.fill(panel, kind, file);
  }

  private async fill(panel: vscode.WebviewPanel, kind: Kind, file: vscode.Uri): Promise<void> {
    const folder = await mkdtemp(path.join(os.tmpdir(), "lanewise-"));
    try {
      const picture = path.join(folder, "picture.svg");
      const device = vscode.workspace.getConfiguration("lanewise", file).get<string>("device", "");
      const cwd = folderOf(file);
      const name = path.relative(cwd, file.fsPath); // as the picture calls it
      const args = kind === "graph" ? ["graph", name, "-o", picture] : ["time", name, "--svg", picture, ...(device ? ["--device", device] : [])];
      const ran = await this.lanewise.run(args, { cwd });
      if (ran === undefined) return;
      const svg = await readFile(picture, "utf8").catch(() => "");
      panel.webview.html = page(kind, svg, svg ? ran.stdout : ran.stderr || ran.stdout);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** The page of a panel: the picture, then what the command printed. It has no scripts. */
export function page(kind: Kind, svg: string, text: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>figure { margin: 0; overflow: auto; } svg { max-width: 100%; min-width: ${MIN_WIDTHS[kind]}; height: auto; } pre { overflow: auto; font-family: var(--vscode-editor-font-family); }</style>
</head><body><figure>${svg}</figure>${text ? `<pre>${escaped(text)}</pre>` : ""}</body></html>`;
}
