// The program `lanewise`: found once, asked for its version, and run for commands.
import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { candidates, INSTALL, missing, older, outdated, type Place, versionIn } from "./locate";
import { asMessage, LANGUAGES, type Options, optionsFor } from "./texts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

const MOST_OUTPUT = 64 << 20;
const MOST_TESTS = 16 << 20;

export class Lanewise implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("lanewise", { log: true });
  private found: Promise<string | undefined> | undefined;

  /** `needed` is the version of the extension, which is that of the package that it was built with. */
  constructor(private readonly needed: string) {}

  dispose(): void {
    this.output.dispose();
  }

  /** Look again the next time: a setting or an environment has changed. */
  forget(): void {
    this.found = undefined;
  }

  /** The path of the program; undefined if there is none, which the user is told once. */
  program(): Promise<string | undefined> {
    this.found ??= this.look();
    return this.found;
  }

  private async look(): Promise<string | undefined> {
    const place = await here();
    for (const candidate of candidates(place)) {
      if (!(await executable(candidate))) continue;
      const ran = await execute(candidate, ["--version"], os.tmpdir());
      const version = versionIn(ran.stdout);
      this.output.appendLine(`${candidate}: ${ran.code === 0 ? `lanewise ${version}` : ran.stderr.trim()}`);
      if (ran.code !== 0) continue;
      if (!version || older(version, this.needed)) void this.tell(outdated(candidate, version, this.needed));
      return candidate;
    }
    this.output.appendLine("lanewise was not found");
    void this.tell(missing(place));
    return undefined;
  }

  /** Show a sentence, with what can be done about it. */
  async tell(sentence: string): Promise<void> {
    const [copy, settings, output] = ["Copy the Command", "Open the Setting", "Show Output"];
    const choice = await vscode.window.showErrorMessage(asMessage(sentence), copy, settings, output);
    if (choice === copy) await vscode.env.clipboard.writeText(INSTALL);
    if (choice === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "lanewise.path");
    if (choice === output) this.output.show();
  }

  /** Run a command; undefined if there is no program, or in Restricted Mode: there only the language server runs. */
  async run(args: string[], options: { cwd?: string; input?: string; token?: vscode.CancellationToken } = {}): Promise<Ran | undefined> {
    if (!vscode.workspace.isTrusted) {
      void askForTrust(args[0] ?? "");
      return undefined;
    }
    const program = await this.program();
    if (program === undefined) return undefined;
    this.output.appendLine(`${program} ${args.join(" ")}`);
    const ran = await execute(program, args, options.cwd ?? folderOf(undefined), options.input, options.token);
    if (ran.stderr) this.output.append(ran.stderr);
    return ran;
  }
}

async function askForTrust(command: string): Promise<void> {
  const manage = "Manage Workspace Trust";
  const choice = await vscode.window.showErrorMessage(`In Restricted Mode only the language server of lanewise runs: trust this workspace to run \`lanewise ${command}\`.`, manage);
  if (choice === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}

/** The folder in which commands on a file run: that of its workspace, or its own. */
export function folderOf(uri: vscode.Uri | undefined): string {
  const folder = uri ? vscode.workspace.getWorkspaceFolder(uri) : vscode.workspace.workspaceFolders?.[0];
  if (folder) return folder.uri.fsPath;
  return uri?.scheme === "file" ? path.dirname(uri.fsPath) : os.homedir();
}

/** The text of a file of shader tests; empty for what is not a file of that size, such as a FIFO, which would never end. */
export async function testsText(uri: vscode.Uri): Promise<string> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if (!(type & vscode.FileType.File) || size > MOST_TESTS) return "";
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** The language of a source; "plaintext" for other files. */
export function languageOfFile(file: vscode.Uri): string {
  const language = vscode.workspace.textDocuments.find((open) => open.uri.toString() === file.toString())?.languageId ?? "";
  return LANGUAGES.includes(language) ? language : "plaintext";
}

/** The settings that are options of a command on a source. */
export function settingsFor(command: string, file: vscode.Uri): Options {
  return optionsFor(command, languageOfFile(file), file.fsPath, vscode.workspace.getConfiguration("lanewise", file) as Options);
}

async function here(): Promise<Place> {
  const trusted = vscode.workspace.isTrusted;
  return {
    setting: vscode.workspace.getConfiguration("lanewise").get("path", ""),
    folders: trusted ? (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) : [],
    interpreter: trusted ? await interpreter() : "",
    search: process.env["PATH"] ?? "",
    home: os.homedir(),
    windows: process.platform === "win32",
  };
}

/** The interpreter that the Python extension has chosen; empty without that extension. */
async function interpreter(): Promise<string> {
  interface Environments {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  }
  const python = vscode.extensions.getExtension<{ environments?: Environments }>("ms-python.python");
  try {
    const environments = python?.isActive ? python.exports.environments : undefined;
    const environment = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath());
    return environment?.executable.uri?.fsPath ?? "";
  } catch {
    return ""; // another extension's failure is not ours
  }
}

async function executable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function execute(program: string, args: string[], cwd: string, input?: string, token?: vscode.CancellationToken): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, maxBuffer: MOST_OUTPUT, windowsHide: true }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === "number" ? error.code : -1) : 0;
      resolve({ code, stdout, stderr: stderr || (code === -1 && error ? error.message : "") });
    });
    const cancelled = token?.onCancellationRequested(() => child.kill());
    child.on("exit", () => { cancelled?.dispose(); });
    child.stdin?.on("error", () => undefined); // a program that does not read its input
    child.stdin?.end(input ?? "");
  });
}
