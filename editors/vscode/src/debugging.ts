// The debugger: `lanewise dap`, with commands for what the protocol has no requests for.
import * as path from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise, settingsFor, testsText } from "./lanewise";
import { asMessage, FORMS, hasValues, isShader, programsIn, testsIn } from "./texts";
import { Values } from "./values";

const TYPE = "lanewise";
/** Options of a run on zeros. */
const ZEROS = { default: "0" };

export function registerDebugging(lanewise: Lanewise, storage: vscode.Uri): vscode.Disposable[] {
  const provider = new Configurations(new Values(lanewise, vscode.Uri.joinPath(storage, "values")));
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
  constructor(private readonly values: Values) {}

  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: TYPE, request: "launch", name: "lanewise: this shader", program: "${file}" }];
  }

  /** F5 without a launch.json gives an empty configuration. */
  resolveDebugConfiguration(_folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): vscode.DebugConfiguration | undefined {
    const document = vscode.window.activeTextEditor?.document;
    if (configuration.type || configuration.request) return configuration;
    return document?.uri.scheme === "file" && isShader(document.languageId, document.fileName) ? unvalued(document.uri) : undefined;
  }

  /** A program without values asks for them. The settings that serve runs serve sessions too, where the configuration does not say otherwise. Options that a program does not have are left out. */
  async resolveDebugConfigurationWithSubstitutedVariables(folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    const program: unknown = configuration["program"];
    const file = typeof program === "string" ? vscode.Uri.file(path.resolve(folder?.uri.fsPath ?? "", program)) : undefined;
    const chosen = file && !hasValues(configuration) ? await this.choose(file, configuration) : configuration;
    if (!chosen) return undefined;
    const { define, ...settings } = file && chosen["program"] ? settingsFor("debug", file) : {};
    const cwd = folder?.uri.fsPath ?? folderOf(vscode.window.activeTextEditor?.document.uri);
    return { cwd, ...settings, ...(define ? { defines: macros(define) } : {}), ...chosen };
  }

  /** A configuration with values: of a shader test beside the program, of a file, asked for, or zeros. Undefined where the user leaves. */
  private async choose(file: vscode.Uri, configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    const tests = (await testsBeside(file)).map(({ file: test, name }) => ({
      label: name,
      description: vscode.workspace.asRelativePath(test),
      take: () => Promise.resolve<vscode.DebugConfiguration>({ ...configuration, program: undefined, test, testName: name }),
    }));
    const more = [
      {
        label: "Values...",
        description: "all inputs and uniforms, each to be changed",
        take: async () => {
          const data = await this.values.ask(file);
          return data === undefined ? undefined : { ...configuration, ...(data ? { data } : {}) };
        },
      },
      {
        label: "A data file...",
        description: "JSON or TOML",
        take: async () => {
          const [data] = (await vscode.window.showOpenDialog({ filters: { "Data files": ["json", "toml"] }, defaultUri: vscode.Uri.joinPath(file, "..") })) ?? [];
          return data && { ...configuration, data: data.fsPath };
        },
      },
      {
        label: "A mesh...",
        description: "PICA200: its vertices, seen by a camera; the rest is 0",
        take: async () => {
          const [mesh] = (await vscode.window.showOpenDialog({ filters: { Meshes: ["obj", "ply", "stl", "glb"] }, defaultUri: vscode.Uri.joinPath(file, "..") })) ?? [];
          return mesh && { ...configuration, mesh: mesh.fsPath, ...(await this.values.follows(file, mesh) ? { camera: true } : {}), options: ZEROS };
        },
      },
      { label: "Zeros", description: "all inputs and uniforms are 0", take: () => Promise.resolve({ ...configuration, options: ZEROS }) },
    ];
    const picked = await vscode.window.showQuickPick([...tests, ...more], { title: path.basename(file.fsPath), placeHolder: "The values of the run" });
    return picked?.take();
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
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), unvalued(file));
}

/** A launch configuration for a file, which asks for its values when it starts. */
function unvalued(file: vscode.Uri): vscode.DebugConfiguration {
  return { type: TYPE, request: "launch", name: `Debug ${vscode.workspace.asRelativePath(file)}`, program: file.fsPath };
}

/** The shader tests in the folder of a program that name it. */
async function testsBeside(file: vscode.Uri): Promise<{ file: string; name: string }[]> {
  const folder = vscode.Uri.joinPath(file, "..");
  const there = await vscode.workspace.fs.readDirectory(folder).then((rows) => rows, () => []); // of a folder that does not exist the adapter says so
  const names = there.map(([name]) => name).filter((name) => name.endsWith(".shadertest.toml"));
  const found = await Promise.all(
    names.map(async (name) => {
      const uri = vscode.Uri.joinPath(folder, name);
      const text = await testsText(uri);
      return programsIn(text).includes(path.basename(file.fsPath)) ? testsIn(text).map((test) => ({ file: uri.fsPath, name: test.name })) : [];
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
