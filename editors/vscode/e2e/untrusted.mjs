// A folder that somebody made to do harm, in Restricted Mode. The program of the user's setting writes down how it is started: as `--version` and `lsp`, and as nothing else.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const address = (args) => `lanewise:/x?${encodeURIComponent(JSON.stringify({ args }))}`;
const WRITE = address(["asm", "toon.v.pica", "-o", "../written"]);
const command = (name, ...args) => `command:${name}${args.length ? `?${encodeURIComponent(JSON.stringify(args))}` : ""}`;
const LINKS = {
  address: WRITE,
  graph: command("lanewise.showGraph"),
  explain: command("lanewise.explainCode", "--list=../written"),
  line: command("lanewise.openLine", "/etc/hostname", 1),
  run: command("lanewise.run", "file:///etc/hostname"),
};
const TERMINAL = command("workbench.action.terminal.new"); // VS Code asks for trust: the question is the sign that it ran
const PROGRAM = "#!/bin/sh\necho started > \"$(dirname \"$0\")/../../../written\"\necho lanewise 99.0\n";
const TASK = { type: "lanewise", command: "asm", file: "toon.v.pica", args: ["-o", "../written"] };

function hostile(toon, binary, frame) {
  return {
    "toon.v.pica": toon,
    "toon.shbin": binary,
    "damaged.shbin": "DVLB",
    "frame.ctf": frame,
    "test.ctf": "CiTr",
    "schema.json": JSON.stringify({ $schema: WRITE, a: 1 }),
    "command.json": JSON.stringify({ $schema: TERMINAL, a: 1 }),
    "links.md": Object.entries(LINKS).map(([name, link]) => `[${name}](${link})\n\n![${name}](${link})\n`).join("\n"),
    "hover.vsa": '#include "fence.inc"\nvs_2_0\ndcl_position v0\nmov oPos, FOO\n',
    "fence.inc": `#define FOO v0 // \`\`\` [go](${TERMINAL}) ![t](https://127.0.0.1/x) <img src=x>\n`,
    "include.v.pica": '.include "/etc/hostname"\n.include "command:workbench.action.terminal.new"\n.proc main\n end\n.end\n',
    "test.shadertest.toml": 'program = "toon.v.pica"\n[[test]]\nname = "--output=../written"\n',
    "sub/lanewise.toml": `"[open](${TERMINAL})" = 1\n`,
    "sub/told.v.pica": toon,
    ".venv/bin/lanewise": PROGRAM,
    "venv/bin/lanewise": PROGRAM,
    ".vscode/settings.json": JSON.stringify({
      "lanewise.path": "${workspaceFolder}/.venv/bin/lanewise", "lanewise.docs": TERMINAL, "lanewise.device": "../written", "lanewise.rule": "--output=../written",
      "lanewise.profile": "--output=../written", "lanewise.define": ["A=1"], "lanewise.include": ["/"], "lanewise.semantic": ["a=b"], "lanewise.showsTexts": false,
      "task.allowAutomaticTasks": "on", "security.workspace.trust.enabled": false,
    }),
    ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [{ ...TASK, label: "harm", runOptions: { runOn: "folderOpen" } }] }),
    ".vscode/launch.json": JSON.stringify({
      version: "0.2.0", configurations: [{ type: "lanewise", request: "launch", name: "harm", program: "toon.v.pica", preLaunchTask: "harm", options: { default: "0" } }],
    }),
  };
}

/** Open the folder, do in it what a person does, and compare what was started. `start` opens a workbench. */
export async function untrusted(start, { lanewise, toon, binary, frame, settings }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "lanewise-recorder-"));
  const [recorder, log] = [path.join(folder, "lanewise"), path.join(folder, "log")];
  writeFileSync(recorder, `#!/bin/sh\nprintf '<%s>' "$@" >> "${log}"\necho >> "${log}"\nexec "${lanewise}" "$@"\n`, { mode: 0o755 });
  const vs = await start({ files: hostile(toon, binary, frame), settings: { ...settings, "lanewise.path": recorder } });
  try {
    await visit(vs);
    assert.deepEqual([...new Set(readFileSync(log, "utf8").trim().split("\n"))].sort(), ["<--version>", "<lsp>"]);
    assert.ok(!existsSync(path.join(vs.workspace, "../written")), "a program of the folder was started, or a file was written");
    assert.equal(await vs.page.locator(".terminal-wrapper").count(), 0, "a terminal was opened");
  } catch (error) {
    await vs.page.screenshot({ path: path.join(os.tmpdir(), "lanewise-failed-untrusted.png") });
    throw error;
  } finally {
    await vs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function visit(vs) {
  const { page } = vs;
  const settle = () => page.waitForTimeout(700); // what must not happen has the time to
  await vs.open("toon.v.pica");
  await vs.until("the server runs", async () => (await vs.status()).includes("picasso"));
  for (const name of ["schema.json", "command.json"]) {
    await vs.open(name);
    assert.equal(await page.locator(".monaco-dialog-box").count(), 0, "a schema became a command");
    await vs.command("View: Close All Editors");
  }

  for (const [number, name] of Object.keys(LINKS).entries()) {
    await vs.open("links.md");
    await vs.go(4 * number + 1, name.length + 6);
    await vs.command("Open Link");
    await settle();
    await vs.command("View: Close All Editors");
  }
  await vs.open("links.md");
  await vs.command("Markdown: Open Preview to the Side");
  const preview = await vs.panel((frame) => frame.locator(".markdown-body p").count());
  for (const name of Object.keys(LINKS)) {
    await preview.locator(".markdown-body").getByText(name, { exact: true }).first().click();
    await settle();
  }
  await vs.command("View: Close All Editors");

  await vs.open("hover.vsa");
  await vs.go(4, 12);
  await vs.command("Show or Focus Hover");
  const hover = page.locator(".monaco-hover-content .rendered-markdown", { hasText: "#define FOO" }).first();
  await hover.waitFor();
  assert.equal(await hover.locator("a, img").count(), 0, "an included file put a link into a hover");
  await page.keyboard.press("Escape");

  await vs.open("include.v.pica");
  await vs.until("the include is refused", async () => (await page.locator(".squiggly-error").count()) >= 1);
  await vs.command("Problems: Focus on Problems View");
  const code = page.locator(".markers-panel a").first(); // `lanewise.docs` of the workspace would be its address
  await code.click({ modifiers: ["Control"] });
  await settle();
  assert.equal(await page.locator(".monaco-dialog-box").count(), 0, "a setting of the workspace became a command");
  await vs.closePanel();

  await vs.open("told.v.pica");
  const message = page.locator(".notification-list-item", { hasText: "open" }).first();
  await message.waitFor();
  assert.equal(await message.locator(".notification-list-item-message a").count(), 0, "a name became a link of a message");
  await vs.command("Notifications: Clear All Notifications");

  await vs.quickOpen("toon.shbin");
  await page.locator(".tab.active", { hasText: "toon.shbin (disassembly)" }).waitFor();
  await vs.until("the disassembly is shown", async () => /\.proc main|\.out/.test(await vs.text()));
  await vs.quickOpen("damaged.shbin");
  await settle();
  for (const name of ["frame.ctf", "test.ctf"]) {
    await vs.quickOpen(name);
    await vs.panel((shown) => shown.getByText("This workspace is not trusted").count());
    await vs.command("View: Close All Editors");
  }

  for (const title of ["Show Control-Flow Graph", "Run (Values", "Trace Vertex 0", "Debug This Shader", "Show Disassembly Beside"]) {
    await vs.open("toon.v.pica");
    await vs.command(`lanewise: ${title}`);
    await settle();
    await vs.declineTrust();
  }
  for (const title of ["Tasks: Run Build Task", "Debug: Start Debugging"]) {
    await vs.command(title);
    await settle();
    await vs.declineTrust();
  }
  await page.locator(".statusbar", { hasText: "Restricted Mode" }).waitFor();
}
