// Tasks: assemble, check or compile the open source, with its findings in the list of problems.
import * as path from "node:path";
import * as vscode from "vscode";
import { folderOf, type Lanewise, settingsFor } from "./lanewise";
import { asArguments, asFile, tasksFor } from "./texts";

const COMMANDS = ["asm", "check", "compile"];
// Not $lanewise, which looks in two places for each file: VS Code drops the findings that it has not looked up 100 ms after the end.
const MATCHERS = ["$lanewise-absolute", "$lanewise-relative"];

interface Definition extends vscode.TaskDefinition {
  command: string;
  file: string;
  args?: string[];
}

export function registerTasks(lanewise: Lanewise): vscode.Disposable {
  return vscode.tasks.registerTaskProvider("lanewise", {
    async provideTasks() {
      const document = vscode.window.activeTextEditor?.document;
      const program = await lanewise.program();
      if (!program || document?.uri.scheme !== "file") return [];
      return tasksFor(document.languageId, document.uri.fsPath).map(({ command, args: first }) => {
        const args = [...first, ...asArguments(settingsFor(command, document.uri))];
        return task(program, { type: "lanewise", command, file: "${file}", ...(args.length ? { args } : {}) }, folderOf(document.uri));
      });
    },
    async resolveTask(given) {
      const program = await lanewise.program();
      const definition = given.definition as Definition;
      return program && COMMANDS.includes(definition.command) ? task(program, definition, folderOf(undefined), given.scope) : undefined;
    },
  });
}

function task(program: string, definition: Definition, cwd: string, scope?: vscode.Task["scope"]): vscode.Task {
  const where = scope ?? vscode.TaskScope.Workspace;
  const file = definition.file.startsWith("${") ? definition.file : path.resolve(cwd, definition.file); // findings name it whole
  const execution = new vscode.ProcessExecution(program, [definition.command, asFile(file), ...(definition.args ?? [])], { cwd });
  const made = new vscode.Task(definition, where, `${definition.command} ${definition.file}`, "lanewise", execution, MATCHERS);
  if (definition.command === "asm") made.group = vscode.TaskGroup.Build;
  return made;
}
