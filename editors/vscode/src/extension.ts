// The extension: what is registered, and the commands on a source.
import * as path from "node:path";
import * as vscode from "vscode";
import { Server } from "./client";
import { onConfiguration } from "./compiled";
import { registerDebugging } from "./debugging";
import { Frames } from "./frames";
import { Documents } from "./documents";
import { Lanewise, languageOfFile, settingsFor } from "./lanewise";
import { INSTALL } from "./locate";
import { openLine, Panels } from "./panels";
import { registerTasks } from "./tasks";
import { Tests } from "./testing";
import { asArguments, codeIn, isShader, languageOf } from "./texts";

export function activate(context: vscode.ExtensionContext): void {
  const { version } = context.extension.packageJSON as { version: string };
  const lanewise = new Lanewise(version);
  const documents = new Documents(lanewise, () => server);
  const server: Server = new Server(lanewise, (shown) => documents.present(shown));
  const panels = new Panels(lanewise);
  const frames = new Frames(lanewise);
  const again = async (): Promise<void> => {
    lanewise.forget();
    await server.restart();
  };
  context.subscriptions.push(
    lanewise,
    documents,
    server,
    panels,
    frames,
    registerTasks(lanewise),
    ...registerDebugging(lanewise, context.globalStorageUri),
    command("showDisassembly", (file) => disassembly(documents, file)),
    command("showGraph", (file) => panels.show("graph", file)),
    command("showTiming", (file) => panels.show("time", file)),
    command("runFile", (file) => run(documents, server, file, false)),
    command("traceFile", (file) => run(documents, server, file, true)),
    vscode.commands.registerCommand("lanewise.explainCode", (code?: unknown) => explain(documents, server, code)),
    vscode.commands.registerCommand("lanewise.copyInstall", () => vscode.env.clipboard.writeText(INSTALL)),
    vscode.commands.registerCommand("lanewise.showOutput", () => { lanewise.output.show(); }),
    vscode.commands.registerCommand("lanewise.restartServer", again),
    vscode.commands.registerCommand("lanewise.openLine", openLine),
    vscode.commands.registerCommand("lanewise.openDraw", () => frames.choose()),
    vscode.workspace.onDidOpenTextDocument(recognise),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("lanewise.path") || event.affectsConfiguration("lanewise.compiled")) void again();
      else if (event.affectsConfiguration("lanewise")) void server.configure();
    }),
    onConfiguration(() => { void server.reconfigure(); }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      context.subscriptions.push(new Tests(lanewise));
      void again();
    }),
  );
  if (vscode.workspace.isTrusted) context.subscriptions.push(new Tests(lanewise));
  vscode.workspace.textDocuments.forEach(recognise);
  void server.restart();
}

/** A command on the file that is open, or that a menu names. */
function command(name: string, action: (file: vscode.Uri) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(`lanewise.${name}`, async (given?: unknown) => {
    const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri?.toString());
    if (uri?.scheme !== "file") {
      void vscode.window.showErrorMessage("Open a shader of the disk, or save this one, first.");
      return;
    }
    if (document?.isDirty) await document.save();
    await action(uri);
  });
}

async function disassembly(documents: Documents, file: vscode.Uri): Promise<void> {
  const language = languageOfFile(file);
  const args = !isShader(language, file.fsPath) ? ["dis", file.fsPath] : ["inspect", "--listing", file.fsPath, ...asArguments(settingsFor("inspect", file))];
  await documents.open(`${path.basename(file.fsPath)} (disassembly)`, { args, file: file.fsPath }, language);
}

/** Run a source, or trace its first vertex: by the server, which knows the shader test beside it, else on zeros. */
async function run(documents: Documents, server: Server, file: vscode.Uri, trace: boolean): Promise<void> {
  const shown = await server.execute(trace ? "lanewise.trace" : "lanewise.run", [file.toString()]);
  if (shown) {
    await documents.present(shown);
    return;
  }
  const args = ["run", file.fsPath, "--default", "0", ...(trace ? ["--trace", "0"] : []), ...asArguments(settingsFor("run", file))];
  await documents.open(`${path.basename(file.fsPath)} (${trace ? "trace" : "run"})`, { args, file: file.fsPath });
}

async function explain(documents: Documents, server: Server, given: unknown): Promise<void> {
  const wanted = given ?? codeAtCursor() ?? (await vscode.window.showInputBox({ prompt: "The code of a finding", placeHolder: "V070" }));
  if (wanted === undefined) return;
  const code = codeIn(wanted);
  if (code === undefined) {
    void vscode.window.showErrorMessage("This is not the code of a finding, such as V070.");
    return;
  }
  const shown = await server.execute("lanewise.explain", [code]);
  if (shown) await documents.present(shown);
  else await documents.open(code, { args: ["check", "--explain", code] });
}

/** The code of the finding at the cursor. */
function codeAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const found = editor && vscode.languages.getDiagnostics(editor.document.uri).find(({ range }) => range.contains(editor.selection.active));
  const code = typeof found?.code === "object" ? found.code.value : found?.code;
  return code === undefined ? undefined : String(code);
}

/** Several languages share .vsh and .gsh: the content decides. */
function recognise(document: vscode.TextDocument): void {
  if (document.languageId !== "nihstro") return;
  const language = languageOf(document.getText());
  if (language) void vscode.languages.setTextDocumentLanguage(document, language);
}
