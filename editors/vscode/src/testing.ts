// Files of shader tests in the test explorer.
import * as vscode from "vscode";
import type { Part } from "./documents";
import { folderOf, type Lanewise, testsText } from "./lanewise";
import { resultsIn, type TestResult, testsIn } from "./texts";

const PATTERN = "**/*.shadertest.toml";

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("lanewise", "Shader tests");
  private readonly parts: Part[] = [this.controller];

  constructor(private readonly lanewise: Lanewise) {
    const { Run, Debug } = vscode.TestRunProfileKind;
    this.controller.createRunProfile("Run", Run, (request, token) => this.run(request, token), true);
    this.controller.createRunProfile("Debug", Debug, (request) => this.debug(request), true);
    this.controller.resolveHandler = (item) => (item ? undefined : this.discover());
    this.controller.refreshHandler = () => this.discover();
    const watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
    const read = (uri: vscode.Uri): void => void this.read(uri);
    this.parts.push(
      watcher,
      watcher.onDidCreate(read),
      watcher.onDidChange(read),
      watcher.onDidDelete((uri) => { this.controller.items.delete(uri.toString()); }),
      vscode.workspace.onDidOpenTextDocument((document) => { this.opened(document); }),
      vscode.workspace.onDidChangeTextDocument((event) => { this.opened(event.document); }),
    );
    void this.discover();
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  private async discover(): Promise<void> {
    await Promise.all((await vscode.workspace.findFiles(PATTERN)).map((uri) => this.read(uri)));
  }

  private async read(uri: vscode.Uri): Promise<void> {
    this.fill(uri, await testsText(uri));
  }

  private opened(document: vscode.TextDocument): void {
    if (document.uri.scheme === "file" && document.fileName.endsWith(".shadertest.toml")) this.fill(document.uri, document.getText());
  }

  private fill(uri: vscode.Uri, text: string): void {
    const file = this.controller.items.get(uri.toString()) ?? this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    file.children.replace(
      testsIn(text).map(({ name, line }) => {
        const item = this.controller.createTestItem(`${uri.toString()}#${name}`, name, uri);
        item.range = new vscode.Range(line, 0, line, 0);
        return item;
      }),
    );
    this.controller.items.add(file);
  }

  /** The tests that a request names, by file. */
  private chosen(request: vscode.TestRunRequest): Map<vscode.TestItem, vscode.TestItem[]> {
    const found = new Map<vscode.TestItem, vscode.TestItem[]>();
    const excluded = new Set(request.exclude ?? []);
    const add = (item: vscode.TestItem): void => {
      if (excluded.has(item)) return;
      if (item.parent) found.set(item.parent, [...(found.get(item.parent) ?? []), item]);
      else item.children.forEach(add);
    };
    if (request.include) request.include.forEach(add);
    else this.controller.items.forEach(add);
    return found;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    for (const [file, items] of this.chosen(request)) {
      if (cancelled(token) || !file.uri) break;
      for (const item of items) run.started(item);
      await vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.id)?.save();
      const names = items.length === file.children.size ? [] : items.flatMap((item) => ["--name", item.label]);
      const ran = await this.lanewise.run(["test", file.uri.fsPath, ...names, "--format", "json"], { cwd: folderOf(file.uri), token });
      if (cancelled(token)) break;
      const results = new Map(resultsIn(ran?.stdout ?? "")?.map((result) => [result.name, result]));
      for (const item of items) report(run, item, results.get(item.label) ?? results.get(""), ran?.stderr || ran?.stdout || "lanewise is not installed");
    }
    run.end();
  }

  /** Debug the tests one after the other: a session stops at the instruction that wrote the first wrong component. */
  private async debug(request: vscode.TestRunRequest): Promise<void> {
    for (const [file, items] of this.chosen(request)) {
      for (const item of items) {
        if (!file.uri) continue;
        const configuration = { type: "lanewise", request: "launch", name: item.label, test: file.uri.fsPath, testName: item.label };
        await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file.uri), configuration);
      }
    }
  }
}

/** Whether it is by now: the compiler takes the answer of before an await for the one after it. */
function cancelled(token: vscode.CancellationToken): boolean {
  return token.isCancellationRequested;
}

function report(run: vscode.TestRun, item: vscode.TestItem, result: TestResult | undefined, otherwise: string): void {
  if (result?.outcome === "passed") {
    run.passed(item, result.seconds * 1000);
    return;
  }
  const text = result?.message ?? otherwise;
  const message = new vscode.TestMessage(text);
  if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
  run.appendOutput(text.replace(/\r?\n/g, "\r\n") + "\r\n", undefined, item);
  if (result?.outcome === "failed") run.failed(item, message, result.seconds * 1000);
  else run.errored(item, message);
}
