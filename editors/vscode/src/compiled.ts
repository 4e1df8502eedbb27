// Which files that are compiled the server looks at as they are written.
import * as vscode from "vscode";
import { configuresCompile } from "./texts";

const CONFIGURATIONS = "**/{lanewise,pyproject}.toml";
const MOST = 200;

/** All, none, or the folders whose configuration has settings for them: then they are for lanewise, and not for another GPU. A compiler is run for them, which needs trust. */
export async function compiledFiles(): Promise<boolean | string[]> {
  if (!vscode.workspace.isTrusted) return false;
  const given = vscode.workspace.getConfiguration("lanewise").inspect<boolean>("compiled");
  const chosen = given?.workspaceFolderValue ?? given?.workspaceValue ?? given?.globalValue;
  if (chosen !== undefined) return chosen;
  const found = await vscode.workspace.findFiles(CONFIGURATIONS, "**/node_modules/**", MOST);
  const folders = await Promise.all(found.map(async (file) => ((await configures(file)) ? [vscode.Uri.joinPath(file, "..").toString()] : [])));
  return folders.flat().sort();
}

async function configures(file: vscode.Uri): Promise<boolean> {
  try {
    return configuresCompile(file.path.split("/").at(-1) ?? "", new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  } catch {
    return false; // it is gone
  }
}

/** Call when a configuration is written, made or removed. */
export function onConfiguration(changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(CONFIGURATIONS);
  return vscode.Disposable.from(watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed));
}
