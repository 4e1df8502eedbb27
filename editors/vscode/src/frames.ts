// Recorded frames: a list of their draws, each of which opens the studio in the browser.
import { spawn, type ChildProcess } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise } from "./lanewise";
import { asFile, cellsOf, type Drawn, drawsIn, drawTable, escaped, linkIn } from "./texts";

export const FRAME = "lanewise.frame";

interface Opened {
  file: vscode.Uri;
  draws: Drawn[];
  panel: vscode.WebviewPanel;
}

export class Frames implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  private readonly studios = new Set<ChildProcess>();
  private readonly registered = vscode.window.registerCustomEditorProvider(FRAME, this);
  private shown: Opened | undefined;

  constructor(private readonly lanewise: Lanewise) {}

  dispose(): void {
    this.registered.dispose();
    for (const studio of this.studios) studio.kill();
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** The draws as a table without scripts, and the choice of one. */
  async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const file = document.uri;
    panel.webview.html = page("", "Reading the draws.");
    const ran = await this.lanewise.run(["frame", "--format", "json", asFile(file.fsPath)], { cwd: folderOf(file) });
    const draws = drawsIn(ran?.stdout ?? "");
    panel.webview.html = page(draws.length === 0 ? "" : drawTable(draws), ran === undefined ? "This workspace is not trusted, or lanewise is missing." : ran.stderr);
    const opened = { file, draws, panel };
    this.shown = opened;
    panel.onDidChangeViewState(() => { if (panel.active) this.shown = opened; });
    panel.onDidDispose(() => { if (this.shown === opened) this.shown = undefined; });
    if (draws.length > 0) void this.choose();
  }

  /** Ask which draw of the frame that is shown opens in the studio. */
  async choose(): Promise<void> {
    const shown = this.shown;
    if (shown === undefined || shown.draws.length === 0) {
      void vscode.window.showInformationMessage("Open a recorded frame (.ctf) that has draws.");
      return;
    }
    const items = shown.draws.map((draw) => {
      const [frame, vertices, topology, programs, findings, changed] = cellsOf(draw);
      return { label: `draw ${String(draw.number)}`, description: `frame ${frame ?? ""}, ${vertices ?? ""} vertices, ${topology ?? ""}, ${programs ?? ""}`, detail: [findings, changed].filter(Boolean).join("; "), number: draw.number };
    });
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Open a draw in the studio", matchOnDescription: true });
    if (chosen !== undefined) await this.open(shown.file, chosen.number, shown.panel);
  }

  /** Open the studio at a draw. */
  async open(file: vscode.Uri, draw: number, owner?: vscode.WebviewPanel): Promise<void> {
    const program = vscode.workspace.isTrusted ? await this.lanewise.program() : undefined;
    if (program === undefined) {
      void vscode.window.showErrorMessage("Trust this workspace to open the studio.");
      return;
    }
    const member = `${asFile(file.fsPath)}:${String(draw)}`;
    this.lanewise.output.appendLine(`${program} studio --no-browser ${member}`);
    const studio = spawn(program, ["studio", "--no-browser", member], { cwd: folderOf(file), stdio: ["ignore", "pipe", "pipe"] });
    this.studios.add(studio);
    owner?.onDidDispose(() => studio.kill());
    let said = "", opened = false;
    studio.stdout.on("data", (part: Buffer) => {
      said += part.toString();
      const link = linkIn(said);
      if (link !== undefined && !opened) {
        opened = true;
        void vscode.env.openExternal(vscode.Uri.parse(link));
      }
    });
    studio.stderr.on("data", (part: Buffer) => { this.lanewise.output.append(part.toString()); });
    studio.on("error", (error) => { void this.lanewise.tell(error.message); });
    studio.on("exit", () => {
      this.studios.delete(studio);
      if (!opened) void this.lanewise.tell(`lanewise studio did not start for ${path.basename(file.fsPath)}: the output says why.`);
    });
  }
}

/** A page with the table. */
function page(table: string, text: string): string {
  const note = text === "" ? "" : `<pre>${escaped(text)}</pre>`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Draws</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>table { border-collapse: collapse; } th, td { text-align: left; padding: 2px 12px 2px 0; vertical-align: top; } pre { white-space: pre-wrap; }</style>
</head><body>${table}${note}</body></html>`;
}
