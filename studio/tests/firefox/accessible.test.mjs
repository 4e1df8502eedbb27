// What a screen reader gets from the page of the studio in a real Firefox: its accessibility tree by at-spi is that of tree.txt, and what is said is what happened.
// `nox -s firefox` runs it inside a D-Bus session with a screen; READER is a Python with `gi`. LANEWISE_TREE=1 records tree.txt again.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { launch, opened, resized, studio, type, until } from "./browser.mjs";

const { READER = "python3", LANEWISE_TREE } = process.env;
const EXAMPLE = join(import.meta.dirname, "../../../examples/toon.v.pica");
const TREE = join(import.meta.dirname, "tree.txt");
const PAUSE = 700; // milliseconds after which what is said has been said
let browser, reader, answers;

async function ask(command) {
  reader.stdin.write(`${command}\n`);
  return JSON.parse((await answers.next()).value);
}

before(async () => {
  reader = spawn(READER, [join(import.meta.dirname, "accessible.py")], { stdio: ["pipe", "pipe", "inherit"] });
  answers = createInterface({ input: reader.stdout })[Symbol.asyncIterator]();
  await ask("said"); // it listens before Firefox starts
  browser = await launch();
});

after(async () => {
  await browser?.close();
  reader?.stdin.end();
});

async function settled(page) {
  await until(page, "lanewise.quiet()");
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  await until(page, "document.querySelector('.app > .unseen').textContent === ''");
}

/** A studio in a browser profile of its own. */
async function alone(t) {
  const context = await browser.createBrowserContext();
  return opened(context, t, await studio(t, EXAMPLE), [1280, 800]);
}

/** The part of the tree that begins with a line. */
function partOf(lines, first) {
  const start = lines.findIndex((line) => line.trim().startsWith(first));
  if (start < 0) return [`no ${first}`];
  const depth = (line) => line.search(/\S/);
  const length = lines.slice(start + 1).findIndex((line) => depth(line) <= depth(lines[start]));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).map((line) => line.slice(depth(lines[start])));
}

const load = (index) => async (page) => {
  await page.evaluate((at) => lanewise.actions.load(lanewise.store.value.hello.examples[at].state), index);
  await until(page, "lanewise.store.value.mesh !== null");
};
const tab = (name, holds = "true") => async (page) => {
  await page.click(`[data-tab=${name}]`);
  await until(page, holds);
};
const press = (selector) => (page) => page.evaluate((name) => { const button = document.querySelector(name); button.focus(); button.click(); }, selector);
const [VALUES, PROGRAM, SOURCE] = ["landmark (region) 'vertices and time'", "landmark (region) 'program'", "landmark (region) 'source'"];

/** The states of the page, in order: what leads there, and the part of the tree that is another. */
const STATES = [
  ["source, data and picture", [], "document web"],
  ["time", [(page) => page.evaluate("lanewise.actions.pick(9, null)"), tab("time", "lanewise.store.value.time?.vertex === 9"), (page) => page.evaluate("lanewise.actions.seek(12)")], VALUES],
  ["where a value comes from", [(page) => page.evaluate("lanewise.actions.explain('r0.x')"), (page) => until(page, "lanewise.store.value.explain !== null")], "tree"],
  ["the same as a graph", [press(".explain-head .toggle")], "panel (group) 'graph of"],
  ["lanes that are alike", [tab("wave", "lanewise.store.value.waves !== null")], "scroll pane (tabpanel) 'Wave'"],
  ["every lane", [press(".alike button")], "scroll pane (tabpanel) 'Wave'"],
  ["a comparison", [tab("compare"), (page) => page.select("[aria-label='another profile or device']", "azahar"), (page) => until(page, "lanewise.store.value.compare !== null")], "scroll pane (tabpanel) 'Compare'"],
  ["the flow graph", [tab("graph", "lanewise.store.value.graph !== null")], "scroll pane (tabpanel) 'Graph'"],
  ["the optimiser", [tab("optimiser"), press(".optimiser button"), (page) => until(page, "lanewise.store.value.opt !== null")], "scroll pane (tabpanel) 'Optimiser'"],
  ["an error", [(page) => type(page, "q"), (page) => until(page, "document.querySelector('.cm-lintRange-error') !== null && lanewise.store.value.stale")], SOURCE],
  ["the options", [(page) => page.keyboard.press("Backspace"), (page) => until(page, "!lanewise.store.value.stale"), press(".source-pane [aria-expanded]")], SOURCE],
  ["the keys", [(page) => page.evaluate("document.activeElement.blur()"), (page) => page.keyboard.press("?")], "dialog"],
  ["saving", [press("dialog button"), (page) => page.keyboard.down("Control"), (page) => page.keyboard.press("s"), (page) => page.keyboard.up("Control")], "dialog"],
  ["compiled code", [(page) => page.keyboard.press("Escape"), load(1), tab("compiled", "lanewise.store.value.compiled !== null")], "scroll pane (tabpanel) 'Compiled'"],
  ["cycles", [load(2), tab("issue", "lanewise.store.value.issue !== null")], "scroll pane (tabpanel) 'Cycles'"],
  ["a phone", [(page) => resized(page, 390, 844), press("[data-pane=picture]")], "document web"],
  ["the menu of a phone", [press(".menu-button")], "landmark (banner)"],
];

test("the accessibility tree is the recorded one", async (t) => {
  const page = await alone(t);
  const found = [];
  for (const [name, actions, part] of STATES) {
    for (const act of actions) await act(page);
    await settled(page);
    const lines = partOf(await ask("tree"), part).map((line) => line.replace(/in \/\S+:/, "in FOLDER:").replace(/(?<='|in )\/[^']*examples(?=')/, "FOLDER"));
    found.push(`== ${name}`, ...lines, "");
  }
  if (LANEWISE_TREE) writeFileSync(TREE, found.join("\n"));
  assert.deepEqual(found, readFileSync(TREE, "utf8").split("\n"));
  const nameless = /^ *(push button|toggle button|check box|combo box|entry|slider|page tab|image|table|list box|dialog)( \([a-z]+\))?( (focusable|selected|collapsed|expanded|pressed|checked|disabled|described).*)?$/;
  assert.deepEqual(found.filter((line) => nameless.test(line)), []);
});

/** What is done, and what is said of it: the focus by its role and name, and texts. */
const SAID = [
  ["a tab is chosen", [tab("time", "lanewise.store.value.time !== null")], ["focus: page tab (tab) 'Time'"]],
  ["the slider goes on: it says its value itself", [(page) => page.focus(".scrubber"), (page) => page.keyboard.press("ArrowRight")], ["focus: slider 'steps done'"]],
  ["a row of the steps is chosen: it says itself", [(page) => page.focus(".time [role=grid]"), (page) => page.keyboard.press("ArrowDown")],
    ["focus: table row (row) '0 000 dp4 outpos.x, projection[0], position outpos.x = −0.6892'", "focus: table row (row) '1 001 dp4 outpos.y, projection[1], position outpos.y = 0.7265'"]],
  ["many steps at once: the last is said", [press("[aria-label='stop where']"), (page) => page.evaluate("for (const step of [3, 4, 5, 6]) lanewise.actions.seek(step);")],
    ["focus: entry 'stop where'", "says: vertex 0; step 5 done, max r0, zeros, r0: r0 = all 0.7306; step 6 next, min r0, below_one, r0"]],
  ["what is searched for is not there", [(page) => page.keyboard.type("changes r9.x"), (page) => page.keyboard.press("Enter"), (page) => until(page, "lanewise.store.value.stop !== null")], ["says: not after this step: changes r9.x"]],
  ["what is searched for is there", [(page) => page.evaluate("document.activeElement.select()"), (page) => page.keyboard.type("changes r2.x"), (page) => page.keyboard.press("Enter"), (page) => until(page, "lanewise.store.value.stop.step !== null")], ["says: vertex 0; step 10 done, rcp r2, r2: r2 = all ∞; step 11 next, mul r1, r1, r2"]],
  ["a comparison", [tab("compare"), (page) => page.select("[aria-label='another profile or device']", "azahar"), (page) => until(page, "lanewise.store.value.compare !== null")],
    ["focus: page tab (tab) 'Compare'", "says: hardware against azahar: 1,200 of 1,200 vertices differ"]],
  ["an optimiser's result, where the button was", [tab("optimiser"), press(".optimiser button"), (page) => until(page, "lanewise.store.value.opt !== null")],
    ["focus: page tab (tab) 'Optimiser'", "focus: push button 'Find smaller programs'", "focus: scroll pane (tabpanel) 'Optimiser'", "says: 21 to 19 words, 10 descriptors: proved equal"]],
  ["a choice of which the row is drawn again keeps the focus", [(page) => page.focus("[aria-label='source of projection']"), (page) => page.select("[aria-label='source of projection']", "viewprojection"), (page) => until(page, "lanewise.store.value.data.uniforms[0].camera === 'viewprojection'")],
    ["focus: combo box 'source of projection'", "focus: combo box 'source of projection'"]],
  ["a value is dragged", [tab("vertices"), async (page) => { for (let k = 0; k < 10; k += 1) await page.evaluate((at) => lanewise.actions.uniform("sun", [[Math.sin(at / 10), 0.5, 0.7, 0]]), k); }], ["focus: page tab (tab) 'Vertices , 1,200'"]],
  ["vertices in the picture", [(page) => page.focus(".stage canvas"), (page) => page.keyboard.press("n")],
    ["focus: embedded (application) 'the mesh'", "says: vertex 1 at (−0.7439, 0.5847, −0.09772, 2.38); 1,009 triangles of 2,254 visible, 1,200 vertices"]],
  ["an error", [(page) => type(page, "q"), (page) => until(page, "document.querySelector('.cm-lintRange-error') !== null && lanewise.store.value.stale")],
    ["focus: entry (textbox) 'source of toon.v.pica'", "says: 1 error: the panes show the last version that ran", "says: line 48: unknown register 'onesq'"]],
  ["no error", [(page) => page.keyboard.press("Backspace"), (page) => until(page, "document.querySelector('.cm-lintRange-error') === null && !lanewise.store.value.stale")], ["says: 21 words · 1,200 vertices"]],
];

test("what happens is said, once", async (t) => {
  const page = await alone(t);
  await settled(page);
  await ask("said");
  for (const [what, actions, expected] of SAID) {
    for (const act of actions) await act(page);
    await settled(page);
    const said = (await ask("said")).map((line) => line.replace(/^(focus: [^']*(?:'[^']*')?).*/, "$1").trim());
    const order = [...said.filter((line) => line.startsWith("focus")), ...said.filter((line) => line.startsWith("says")).sort()];
    assert.deepEqual(order, expected, what);
  }
});
