// The page of the studio and the playground in a real Firefox, which `nox -s firefox` starts. PLAYGROUND is the folder that is built, if it is.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { launch, opened as openedIn, PLAYGROUND, PYTHON, resized, studio, type, until } from "./browser.mjs";

const EXAMPLE = join(import.meta.dirname, "../../../examples/toon.v.pica");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" }; // what servers of any age know
let browser;

before(async () => {
  browser = await launch();
  console.log(await browser.version());
});

after(() => browser?.close());

const opened = (t, address) => openedIn(browser, t, address);

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
