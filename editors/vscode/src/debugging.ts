// The debugger: `lanewise dap`, with commands for what the protocol has no requests for.
import { basename } from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise, settingsFor, testsText } from "./lanewise";
import { asMessage, FORMS, LANGUAGES, programsIn, testsIn } from "./texts";

const TYPE = "lanewise";
/** Options of a run on zeros. */
const ZEROS = { default: "0" };

export function registerDebugging(lanewise: Lanewise): vscode.Disposable[] {
  const provider = new Configurations();
  return [
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      async createDebugAdapterDescriptor(session) {
        const program = await lanewise.program();
        if (program === undefined) throw new Error("lanewise is not installed");
        return new vscode.DebugAdapterExecutable(program, ["dap"], { cwd: session.workspaceFolder?.uri.fsPath ?? folderOf(undefined) });
      },
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, provider),
    vscode.debug.registerDebugConfigurationProvider(TYPE, provider, vscode.DebugConfigurationProviderTriggerKind.Dynamic),
    vscode.commands.registerCommand("lanewise.debugFile", (uri?: unknown) => debugFile(uri instanceof vscode.Uri ? uri : undefined)),
    vscode.commands.registerCommand("lanewise.reverseNext", () => step("lanewise/reverseNext")),
    vscode.commands.registerCommand("lanewise.reverseStepOut", () => step("lanewise/reverseStepOut")),
    vscode.commands.registerCommand("lanewise.runToCursorBack", runToCursorBack),
    vscode.commands.registerCommand("lanewise.addThread", addThread),
    vscode.commands.registerCommand("lanewise.numberForm", chooseForm),
  ];
}

/** Launch configurations without a launch.json: the source that is open, and its settings. */
class Configurations implements vscode.DebugConfigurationProvider {
  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: TYPE, request: "launch", name: "lanewise: this shader on zeros", program: "${file}", options: ZEROS }];
  }

  /** F5 without a launch.json gives an empty configuration. */
  async resolveDebugConfiguration(_folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (configuration.type || configuration.request) return configuration;
    return document?.uri.scheme === "file" && LANGUAGES.includes(document.languageId) ? launch(document.uri) : undefined;
  }

  /** The settings that serve runs serve sessions too, where the configuration does not say otherwise. Options that a program does not have are left out. */
  resolveDebugConfigurationWithSubstitutedVariables(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
    const program: unknown = configuration["program"];
    const { define, ...settings } = typeof program === "string" ? settingsFor("debug", vscode.Uri.file(program)) : {};
    const cwd = folder?.uri.fsPath ?? folderOf(vscode.window.activeTextEditor?.document.uri);
    return { cwd, ...settings, ...(define ? { defines: macros(define) } : {}), ...configuration };
  }
}

/** Macros as a launch configuration has them, of `NAME` and `NAME=TEXT`. */
function macros(given: string[]): Record<string, string> {
  return Object.fromEntries(given.map((text) => [text.replace(/=.*/s, ""), /=(.*)/s.exec(text)?.[1] ?? "1"]));
}

async function debugFile(uri: vscode.Uri | undefined): Promise<void> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== "file") {
    void vscode.window.showErrorMessage("Save the shader to a file, then debug it.");
    return;
  }
  const configuration = await launch(file);
  if (configuration) await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
}

/** A launch configuration for a file without one: a shader test beside it, which the user chooses, or zeros for all values. */
async function launch(file: vscode.Uri): Promise<vscode.DebugConfiguration | undefined> {
  const common = { type: TYPE, request: "launch", name: `Debug ${vscode.workspace.asRelativePath(file)}` };
  const zeros = { label: "Zeros", description: "all inputs and uniforms are 0", configuration: { ...common, program: file.fsPath, options: ZEROS } };
  const tests = await testsBeside(file);
  if (!tests.length) return zeros.configuration;
  const choices = tests.map(({ path, name }) => ({ label: name, description: vscode.workspace.asRelativePath(path), configuration: { ...common, test: path, testName: name } }));
  return (await vscode.window.showQuickPick([...choices, zeros], { placeHolder: "The values of the run: a shader test, or zeros" }))?.configuration;
}

/** The shader tests in the folder of a program that name it. */
async function testsBeside(file: vscode.Uri): Promise<{ path: string; name: string }[]> {
  const folder = vscode.Uri.joinPath(file, "..");
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).filter((name) => name.endsWith(".shadertest.toml"));
  const found = await Promise.all(
    names.map(async (name) => {
      const uri = vscode.Uri.joinPath(folder, name);
      const text = await testsText(uri);
      return programsIn(text).includes(basename(file.fsPath)) ? testsIn(text).map((test) => ({ path: uri.fsPath, name: test.name })) : [];
    }),
  );
  return found.flat();
}

/** A request of ours to the adapter, for the thread that is chosen. */
async function step(request: string, more: object = {}): Promise<void> {
  const item = vscode.debug.activeStackItem;
  const session = item?.session ?? vscode.debug.activeDebugSession;
  if (session?.type !== TYPE || !item) {
    void vscode.window.showErrorMessage("Choose a stopped thread of a lanewise session first.");
    return;
  }
  await ask(session, request, { threadId: item.threadId, ...more });
}

async function ask(session: vscode.DebugSession, request: string, args: object): Promise<unknown> {
  try {
    return (await session.customRequest(request, args)) as unknown;
  } catch (error) {
    void vscode.window.showErrorMessage(asMessage(error instanceof Error ? error.message : String(error)));
    return undefined;
  }
}

async function runToCursorBack(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { uri } = editor.document;
  const reference = /[?&]ref=(\d+)/.exec(uri.query)?.[1]; // a text that the adapter gave
  const source = uri.scheme === "debug" && reference ? { sourceReference: Number(reference) } : { path: uri.fsPath };
  await step("lanewise/runToCursorBack", { source, line: editor.selection.active.line + 1 });
}

async function addThread(): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  const text = await vscode.window.showInputBox({ prompt: "The number of a vertex or lane", validateInput: (value) => (/^\d+$/.test(value) ? null : "expected a number from 0") });
  if (session && text) await ask(session, "lanewise/addThread", { vertex: Number(text) });
}

async function chooseForm(): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  const form = await vscode.window.showQuickPick(FORMS, { placeHolder: "How values are shown" });
  if (session && form) await ask(session, "lanewise/numberForm", { form });
}
