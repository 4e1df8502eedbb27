// As much of the editor as the parts under test call. `state` is what a test sets and reads.
import { Buffer } from "node:buffer";
export const state = { trusted: false, messages: [], files: {}, compiled: undefined };

class Emitter {
  event = () => ({ dispose() {} });
  fire() {}
  dispose() {}
}
const disposable = () => ({ dispose() {} });

export const EventEmitter = Emitter;
export const FileType = { File: 1 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export class Uri {
  constructor(parts) { Object.assign(this, parts); }
  static from(parts) { return new Uri(parts); }
  static joinPath(uri, up) { return new Uri({ ...uri, path: up === ".." ? uri.path.replace(/\/[^/]*$/, "") : `${uri.path}/${up}` }); }
  static file(path) { return new Uri({ scheme: "file", path, query: "" }); }
  get fsPath() { return this.path; }
  toString() { return `${this.scheme}:${this.path}?${this.query}`; }
}
export const workspace = {
  get isTrusted() { return state.trusted; },
  workspaceFolders: [],
  textDocuments: [],
  getWorkspaceFolder: () => undefined,
  getConfiguration: () => ({ get: (_name, otherwise) => otherwise, inspect: () => ({ defaultValue: false, workspaceValue: state.compiled }) }),
  findFiles: () => Promise.resolve(Object.keys(state.files).map((path) => Uri.file(path))),
  fs: { readFile: ({ path }) => (state.files[path] === null ? Promise.reject(new Error("gone")) : Promise.resolve(Buffer.from(state.files[path]))) },
  createFileSystemWatcher: () => ({ onDidChange: disposable, dispose() {} }),
  onDidSaveTextDocument: disposable,
  onDidCloseTextDocument: disposable,
  registerTextDocumentContentProvider: disposable,
  openTextDocument: (uri) => { state.opened = uri; return { languageId: "plaintext" }; },
};
export const window = {
  createOutputChannel: () => ({ appendLine() {}, append() {}, dispose() {} }),
  registerCustomEditorProvider: disposable,
  showErrorMessage: (message) => { state.messages.push(message); },
  showTextDocument() {},
};
export const languages = {};
export const commands = {};
export const env = {};
export const extensions = { getExtension: () => undefined };
