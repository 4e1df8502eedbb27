// The values of a run without a configuration: a list in which each can be changed, kept as a data file of lanewise.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise, settingsFor } from "./lanewise";
import { asArguments, asFile, guessed, type Tables, tablesIn, valueIn, valueText } from "./texts";

const START = "$(debug-start) Start";

export class Values {
  constructor(
    private readonly lanewise: Lanewise,
    private readonly storage: vscode.Uri,
  ) {}

  /** Whether matrices of a program follow a camera around a mesh. */
  async follows(file: vscode.Uri, mesh: vscode.Uri): Promise<boolean> {
    const args = ["debug", asFile(file.fsPath), `--mesh=${mesh.fsPath}`, "--camera", "--default=0", "--values", ...asArguments(settingsFor("debug", file))];
    return (await this.lanewise.run(args, { cwd: folderOf(file) }))?.code === 0;
  }

  /** Ask for the values of a program: the data file that has them. Undefined where the user leaves, empty where it reads none or has errors. */
  async ask(file: vscode.Uri): Promise<string | undefined> {
    const args = ["debug", asFile(file.fsPath), "--default=0", "--values", ...asArguments(settingsFor("debug", file))];
    const read = tablesIn((await this.lanewise.run(args, { cwd: folderOf(file) }))?.stdout ?? "");
    if (!read) return "";
    const place = vscode.Uri.joinPath(this.storage, `${basename(file.fsPath)}.${createHash("sha256").update(file.fsPath).digest("hex").slice(0, 8)}.json`);
    const tables = guessed(read, await before(place));
    if (!(await changed(tables, basename(file.fsPath)))) return undefined;
    await vscode.workspace.fs.createDirectory(this.storage);
    await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(JSON.stringify({ schema: "lanewise/data/1", ...tables })));
    return place.fsPath;
  }
}

/** The values that a program was run on last. */
async function before(place: vscode.Uri): Promise<Tables | undefined> {
  try {
    return tablesIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(place)));
  } catch {
    return undefined; // the first time
  }
}

/** Let the user change values, until all are right; false where the user leaves. */
async function changed(tables: Tables, title: string): Promise<boolean> {
  const names = Object.entries(tables).flatMap(([table, values]) => Object.keys(values).map((name) => ({ table, name })));
  if (!names.length) return true;
  for (;;) {
    const rows = names.map(({ table, name }) => ({ label: name, description: table, detail: valueText(tables[table]?.[name]), table }));
    const picked = await vscode.window.showQuickPick([{ label: START, description: "with these values", table: "" }, ...rows], { title: `Values of ${title}`, placeHolder: "Start, or choose a value to change it", ignoreFocusOut: true });
    if (!picked) return false;
    const values = tables[picked.table];
    if (!values) return true;
    const old = values[picked.label];
    const text = await vscode.window.showInputBox({
      title: picked.label,
      value: valueText(old),
      prompt: "Numbers with commas, rows with semicolons",
      ignoreFocusOut: true,
      validateInput: (entered) => (valueIn(entered, old) === undefined ? `expected a value such as ${valueText(old)}` : null),
    });
    const value = text === undefined ? undefined : valueIn(text, old);
    if (value !== undefined) values[picked.label] = value;
  }
}
