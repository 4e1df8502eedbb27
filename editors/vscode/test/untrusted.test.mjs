// What others write starts nothing: addresses, settings of a workspace, arguments of commands, names in messages.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { Addresses, asFile, asMessage, codeIn, OPTIONS, SERVER_SETTINGS } from "../dist/pure.mjs";

mkdirSync("dist/test", { recursive: true });
await build({
  stdin: { contents: 'export { Documents } from "./documents"; export { Lanewise } from "./lanewise"; export { compiledFiles } from "./compiled"; export { state, Uri } from "vscode";', resolveDir: "src" },
  alias: { vscode: "./test/vscode.mjs" }, bundle: true, platform: "node", format: "esm", outfile: "dist/test/parts.mjs", logLevel: "warning",
});
const { compiledFiles, Documents, Lanewise, state, Uri } = await import("../dist/test/parts.mjs");

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const source = readdirSync("src").map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
const properties = manifest.contributes.configuration.properties;

/** Documents whose program records how it is called. */
function recording() {
  const calls = [];
  const program = { run: (args) => { calls.push(args); return Promise.resolve({ code: 0, stdout: args.join(" "), stderr: "" }); } };
  return { calls, documents: new Documents(program, () => ({ request: () => Promise.resolve(undefined) })) };
}

test("an address that others wrote runs nothing", async () => {
  const { calls, documents } = recording();
  const args = ["asm", "toon.v.pica", "-o", "../out.shbin"];
  await documents.open("V070", { args: ["check", "--explain", "V070"] }); // what is registered is not reached by what it says
  const queries = [{ args }, { args: ["check", "--explain", "V070"] }, { args, file: "/x" }, {}].map((asked) => JSON.stringify(asked));
  for (const query of [...queries, "", "{", "0", "constructor", "__proto__", "00000000-0000-4000-8000-000000000000"]) {
    assert.equal(await documents.provideTextDocumentContent(Uri.from({ scheme: "lanewise", path: "/V070", query })), "", query);
  }
  assert.deepEqual(calls, []);
});

test("an address that was opened has its text, and its id says nothing of it", async () => {
  const { calls, documents } = recording();
  await documents.open("a (run)", { args: ["run", "a"], file: "/a" });
  const { opened } = state;
  assert.match(opened.query, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(await documents.provideTextDocumentContent(opened), "run a");
  assert.deepEqual(calls, [["run", "a"]]);
  await documents.open("a (run)", { args: ["run", "a"], file: "/a" });
  assert.equal(state.opened.query, opened.query); // the same editor
  await documents.present({ title: "V070", text: "page" });
  assert.equal(await documents.provideTextDocumentContent(state.opened), "page");
  assert.equal(calls.length, 1);
});

test("ids are of one session", () => {
  const [one, other] = [new Addresses(), new Addresses()];
  const id = one.register("a", 1);
  assert.equal(one.get(id), 1);
  assert.equal(other.get(id), undefined);
  assert.notEqual(other.register("a", 1), id);
  one.drop(id);
  assert.equal(one.get(id), undefined);
  assert.equal(one.register("a", 2), id);
});

test("in Restricted Mode no command runs, and the user is told", async () => {
  const lanewise = new Lanewise("0.0.0");
  lanewise.found = Promise.resolve("/nowhere/lanewise"); // a program that would fail with a message of the system
  state.trusted = false;
  assert.equal(await lanewise.run(["graph", "x"]), undefined);
  assert.match(state.messages.at(-1), /Restricted Mode.*lanewise graph/);
  state.trusted = true;
  assert.equal((await lanewise.run(["graph", "x"])).code, -1);
});

test("programs start in a few places, with words of ours in front", () => {
  const starts = [...source.matchAll(/(?<![.\w])(?:spawn|execFile|exec|fork)\((.*)|new vscode\.(?:ProcessExecution|ShellExecution|DebugAdapterExecutable)\((.*)/g)].map(([, one, other]) => (one ?? other).replace(/, \{.*/, ""));
  assert.deepEqual(starts.sort(), [
    'program, ["dap"]', // of a debug session, which the editor asks trust for
    'program, ["lsp"]',
    "program, [definition.command, asFile(file), ...(definition.args ?? [])]", // of a task, likewise
    'program, ["studio", "--no-browser", member]', // of a frame, where the workspace is trusted
    "program, args", // Lanewise.run, and --version
  ].sort());
});

test("settings of a workspace that is not trusted are no arguments, and never the program", () => {
  const texts = Object.keys(properties).filter((name) => properties[name].type !== "boolean" && name !== "lanewise.trace.server");
  assert.deepEqual([...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort(), texts.sort());
  assert.equal(properties["lanewise.path"].scope, "machine");
  const known = new Set(Object.keys(properties).map((name) => name.split(".")[1]));
  assert.deepEqual([...SERVER_SETTINGS, "compiled", "path", "trace"].sort(), [...known].sort()); // what is not declared is not passed on
  for (const name of Object.keys(OPTIONS)) assert.ok(SERVER_SETTINGS.includes(name), name);
});

test("texts of the server are not trusted, and panels have no scripts", () => {
  assert.match(source, /markdown: \{ isTrusted: false, supportHtml: false \}/);
  assert.doesNotMatch(source, /isTrusted: true|isTrusted = |supportHtml: true|enableScripts|registerUriHandler/);
  assert.deepEqual([...source.matchAll(/enableCommandUris: (.*?) \}/g)].map((match) => match[1]), ["[OPEN_LINE]"]);
});

test("names are not options, links or codes", () => {
  assert.deepEqual(["a.sc", "-o.sc", "--output=x"].map(asFile), ["a.sc", "./-o.sc", "./--output=x"]);
  assert.equal(asMessage("no [output](command:workbench.action.quit) here"), "no [output] (command:workbench.action.quit) here");
  assert.deepEqual(["V070", "p001", "V0700", "--fix", "V070 --fix", "", undefined, ["V070"], { toUpperCase: 1 }].map(codeIn), ["V070", "P001", ...Array(7).fill(undefined)]);
});

test("a compiler runs for files whose configuration says so, where the workspace is trusted and the setting does not say otherwise", async () => {
  state.files = { "/a/lanewise.toml": "[compile]\n", "/b/lanewise.toml": "[build]\n", "/c/pyproject.toml": "[tool.lanewise.compile]\n", "/d/lanewise.toml": null };
  state.trusted = false;
  assert.equal(await compiledFiles(), false);
  state.trusted = true;
  try {
    assert.deepEqual((await compiledFiles()).map((folder) => /\/\w/.exec(folder)[0]), ["/a", "/c"]);
    for (const chosen of [false, true]) {
      state.compiled = chosen;
      assert.equal(await compiledFiles(), chosen);
    }
    state.trusted = false;
    assert.equal(await compiledFiles(), false);
  } finally {
    Object.assign(state, { trusted: false, compiled: undefined, files: {} });
  }
});
