// A real Firefox with the pages of the studio and the playground. FIREFOX names it, PYTHON the interpreter that runs lanewise.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import puppeteer from "puppeteer-core";

export const { FIREFOX, PYTHON = "python", PLAYGROUND, DISPLAY } = process.env;
const PATIENCE = 60_000;

/** Without a screen Firefox has no WebGL: then the page says so, and everything else works. */
export function launch() {
  const accessible = { "accessibility.force_disabled": -1 };
  return puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: DISPLAY === undefined, extraPrefsFirefox: { "webgl.force-enabled": true, ...accessible } });
}

/** Another size of the view. Firefox ESR 140 has no command for the orientation of the screen, which is sent beside it. */
export async function resized(page, width, height) {
  await page.setViewport({ width, height }).catch((error) => {
    if (!error.message.includes("setScreenOrientationOverride")) throw error;
  });
  await until(page, `innerWidth === ${width} && innerHeight === ${height}`);
}

/** A tab with an address, which must not fail, and must ask for nothing that is not on this machine. */
export async function opened(browser, t, address, [width, height] = [1600, 900]) {
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
  await resized(page, width, height);
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
export async function until(page, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(`(() => { try { return !!(${condition}); } catch { return false; } })()`).catch(() => false))) {
    if (Date.now() > end) throw new Error(`${condition} did not become true`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Type at the end of the last `mov` of the source. */
export async function type(page, keys) {
  await page.evaluate(() => {
    const { name, text } = lanewise.store.value.state.files[0];
    lanewise.actions.reveal(name, text.split("\n").findLastIndex((line) => /^\s+mov /.test(line)) + 1);
  });
  await page.focus(".cm-content");
  await page.keyboard.press("End");
  await page.keyboard.type(keys);
}

/** The link of a studio with a file. */
export async function studio(t, file) {
  const server = spawn(PYTHON, ["-u", "-m", "lanewise", "studio", "--no-browser", file], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => server.kill("SIGINT"));
  return new Promise((resolve, reject) => {
    server.stdout.on("data", (said) => resolve(String(said).split("\n")[0]));
    server.on("exit", (code) => reject(new Error(`lanewise studio ended with ${code}`)));
  });
}
