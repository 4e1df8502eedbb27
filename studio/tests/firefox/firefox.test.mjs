// The page of the studio and the playground in a real Firefox, which `nox -s firefox` starts. FIREFOX names it, PYTHON the interpreter that runs lanewise, PLAYGROUND the folder that is
// built, if it is. Without a screen Firefox has no WebGL: then the page says so, and everything else works.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";

const { FIREFOX, PYTHON = "python", PLAYGROUND, DISPLAY } = process.env;
const EXAMPLE = join(import.meta.dirname, "../../../examples/toon.v.pica");
const PATIENCE = 60_000;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" }; // what servers of any age know
let browser;

before(async () => {
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: DISPLAY === undefined,
    extraPrefsFirefox: { "webgl.force-enabled": true },
  });
  console.log(await browser.version());
});

after(() => browser?.close());

/** Another size of the view. Firefox ESR 140 has no command for the orientation of the screen, which is sent beside it. */
async function resized(page, width, height) {
  await page.setViewport({ width, height }).catch((error) => {
    if (!error.message.includes("setScreenOrientationOverride")) throw error;
  });
  await until(page, `innerWidth === ${width} && innerHeight === ${height}`);
}

/** A tab with an address, which must not fail, and must ask for nothing that is not on this machine. */
async function opened(t, address) {
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("WebGL")) {
      faults.push(message.text());
    }
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && !["127.0.0.1", "localhost"].includes(hostname)) {
      faults.push(`asked for ${request.url()}`);
    }
  });
  await resized(page, 1600, 900);
  await page.goto(address);
  await until(page, "lanewise.store.value.mesh !== null");
  await until(page, "lanewise.quiet()");
  t.after(async () => {
    await page.close();
    assert.deepEqual(faults, []);
  });
  return page;
}

/** Wait until an expression of the page is true. That `waitForFunction` of puppeteer 24 ended with 'Waiting failed' in Firefox ESR 140. */
async function until(page, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(`(() => { try { return !!(${condition}); } catch { return false; } })()`).catch(() => false))) {
    if (Date.now() > end) throw new Error(`${condition} did not become true`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Type at the end of the last `mov` of the source. */
async function type(page, keys) {
  await page.evaluate(() => {
    const { name, text } = lanewise.store.value.state.files[0];
    lanewise.actions.reveal(name, text.split("\n").findLastIndex((line) => /^\s+mov /.test(line)) + 1);
  });
  await page.focus(".cm-content");
  await page.keyboard.press("End");
  await page.keyboard.type(keys);
}

async function mistake(page) {
  await type(page, "q");
  await until(page, "document.querySelector('.cm-lintRange-error') !== null");
  await page.keyboard.press("Backspace");
  await until(page, "document.querySelector('.cm-lintRange-error') === null && lanewise.quiet()");
}

/** The steps of a vertex, in both directions. */
async function steps(page) {
  await page.evaluate("lanewise.actions.pick(9)");
  await until(page, "lanewise.store.value.time !== null && lanewise.quiet()");
  await page.click("[data-tab=time]");
  for (const step of [5, 4]) {
    await page.evaluate((to) => lanewise.actions.seek(to), step);
    await until(page, `lanewise.store.value.step === ${step}`);
  }
  await page.click("[data-tab=graph]");
  assert.ok(await page.$(".drawing"));
}

/** The link of a studio with a file. */
async function studio(t, file) {
  const server = spawn(PYTHON, ["-u", "-m", "lanewise", "studio", "--no-browser", file], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => server.kill("SIGINT"));
  return new Promise((resolve, reject) => {
    server.stdout.on("data", (said) => resolve(String(said).split("\n")[0]));
    server.on("exit", (code) => reject(new Error(`lanewise studio ended with ${code}`)));
  });
}

// A triangle on which profiles agree, and one on which they do not.
const FRAME = `
import sys
from pica200_frames import IDENTITY, triangle
recorder = triangle().uniforms([(1 / 3, 1 / 3, 1 / 3, 0.0), *IDENTITY[1:]], wide=True)
recorder.vertices([(0.1, 0.7, -0.9), (0.0, 0.0, -0.5), (0.3, 0.6, -0.7)]).arrays(3).submit()
open(sys.argv[1], "wb").write(recorder.citrace())
`;

test("a recorded frame", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lanewise-frame-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.ctf");
  const tests = join(import.meta.dirname, "../../../tests");
  execFileSync(PYTHON, ["-c", FRAME, file], { env: { ...process.env, PYTHONPATH: [process.env.PYTHONPATH, tests].filter(Boolean).join(delimiter) } });
  const page = await opened(t, await studio(t, file));
  await until(page, "lanewise.store.value.thumbnails.size === 2 && [...lanewise.store.value.thumbnails.values()].every((each) => each.pixels && !each.empty)");
  await page.keyboard.down("Alt");
  await page.keyboard.press("PageDown");
  await page.keyboard.up("Alt");
  await until(page, "lanewise.store.value.draw.number === 1 && lanewise.store.value.mesh !== null && lanewise.quiet()");
  await page.click("[data-tab=registers]");
  assert.match(await page.$eval(".register-topics tr.changed", (row) => row.textContent), /^c0/);
  await page.click("[data-tab=compare]");
  await page.select("[aria-label='another profile for the whole frame']", "azahar");
  await until(page, "lanewise.store.value.apart?.draws.length === 2");
  assert.equal(await page.$eval(".film-apart", (button) => button.textContent), "hardware against azahar: 1 draw differs");
  await page.focus("[aria-label='draws that differ']");
  await page.keyboard.press("ArrowDown");
  await until(page, "lanewise.store.value.vertex === 0 && lanewise.store.value.compare?.list.length === 2 && lanewise.quiet()");
  await page.evaluate(() => {
    const [file] = lanewise.store.value.state.files;
    lanewise.actions.change({ files: [{ ...file, text: file.text.replace("c0", "c1") }] });
  });
  await until(page, "lanewise.store.value.edited.has(1) && lanewise.quiet()");
  await resized(page, 390, 844);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test("the studio", async (t) => {
  const page = await opened(t, await studio(t, EXAMPLE));
  await mistake(page);
  await steps(page);
  await page.evaluate("lanewise.actions.load({ ...lanewise.store.value.state, mesh: { name: 'torus', detail: 100000 } })");
  await until(page, "lanewise.store.value.mesh.head.vertices === 99904 && lanewise.quiet()");
  const drawn = await page.evaluate("lanewise.view !== null && lanewise.view !== undefined");
  assert.equal(drawn, (await page.$(".stage canvas")) !== null);
  if (!drawn) {
    t.diagnostic("no WebGL: nothing is drawn (a screen is needed, xvfb-run for one)");
    return;
  }
  const rate = await page.evaluate(async () => {
    const { view, actions } = lanewise;
    view.blind = true; // and hidden: what then is measured is the way of the arrays alone
    document.body.style.visibility = "hidden";
    const from = view.uploads;
    const start = performance.now();
    for (let k = 0; performance.now() - start < 3000; k += 1) {
      actions.uniform("sun", [[Math.sin(k / 10), 0.5, 0.7, 0]]);
      await new Promise((resolve) => setTimeout(resolve, 16));
    }
    view.blind = false;
    document.body.style.visibility = "";
    return ((view.uploads - from) * 1000) / (performance.now() - start);
  });
  t.diagnostic(`99,904 vertices to the buffer: ${rate.toFixed(1)} frames a second`);
  assert.ok(rate > 0);
});

test("the playground", { skip: PLAYGROUND === undefined && "it is not built" }, async (t) => {
  const server = createServer(async (request, response) => {
    const name = normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html");
    try {
      const body = await readFile(join(PLAYGROUND, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const page = await opened(t, `http://127.0.0.1:${server.address().port}/`);
  assert.ok((await page.evaluate("lanewise.store.value.mesh.head.vertices")) > 0);
  await mistake(page);
  await steps(page);
});
