// The language client: `lanewise lsp` for the open sources.
import { spawn } from "node:child_process";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, type ServerOptions, State } from "vscode-languageclient/node";
import { folderOf, type Lanewise } from "./lanewise";
import { compiledFiles } from "./compiled";
import { SERVER_SETTINGS, selector } from "./texts";

const LAST_WORDS = 2000;

/** A text that a command of the server gives. */
export interface Shown {
  text: string;
  languageId?: string;
  title?: string;
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private restarts = Promise.resolve();
  /** The files that are compiled, of which the server is told. */
  private compiled: boolean | string[] = false;
  /** What a server wrote to its standard error before it ended. */
  private ended: Promise<string> | undefined;

  /** `show` opens a text that a command of the server gives. */
  constructor(
    private readonly lanewise: Lanewise,
    private readonly show: (shown: Shown) => Promise<void>,
  ) {}

  dispose(): void {
    void this.stop();
  }

  /** Stop the server if it runs, and start it. One restart waits for the one before: a client that starts has registered its commands. */
  restart(): Promise<void> {
    this.restarts = this.restarts.then(() => this.start());
    return this.restarts;
  }

  private async start(): Promise<void> {
    await this.stop();
    const program = await this.lanewise.program();
    if (program === undefined) return;
    this.compiled = await compiledFiles();
    const client = new LanguageClient("lanewise", "lanewise", this.command(program), this.options());
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      const said = (await this.ended)?.trim().split("\n").at(-1);
      void this.lanewise.tell(said || `The language server of lanewise does not start: ${String(error)}`);
    }
  }

  /** Start again if a configuration names other files that are compiled. */
  async reconfigure(): Promise<void> {
    await this.restarts;
    if (this.client !== undefined && JSON.stringify(await compiledFiles()) !== JSON.stringify(this.compiled)) await this.restart();
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.state === State.Running) await client.stop();
  }

  /** Ask the server, when it has started; undefined if it does not run or does not know the request. */
  async request<T>(method: string, parameters: unknown): Promise<T | undefined> {
    await this.restarts;
    if (this.client?.state !== State.Running) return undefined;
    try {
      return await this.client.sendRequest<T>(method, parameters);
    } catch {
      return undefined;
    }
  }

  /** Run a command of the server; undefined if it cannot. Its failures are shown by the server. */
  async execute(command: string, args: unknown[]): Promise<Shown | undefined> {
    const answer = await this.request<Shown | null>("workspace/executeCommand", { command, arguments: args });
    return typeof answer?.text === "string" ? answer : undefined;
  }

  /** Tell the server what the settings are now. */
  async configure(): Promise<void> {
    if (this.client?.state === State.Running) await this.client.sendNotification("workspace/didChangeConfiguration", { settings: { lanewise: settings() } });
  }

  private command(program: string): ServerOptions {
    return () => {
      const child = spawn(program, ["lsp"], { cwd: folderOf(undefined), windowsHide: true });
      let said = "";
      child.stderr.on("data", (data: Buffer) => {
        said = (said + data.toString()).slice(-LAST_WORDS);
      });
      this.ended = new Promise((resolve) => {
        child.once("close", () => { resolve(said); });
        child.once("error", (error) => { resolve(error.message); });
      });
      return Promise.resolve(child);
    };
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: selector(this.compiled),
      outputChannel: this.lanewise.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: settings(),
      markdown: { isTrusted: false, supportHtml: false }, // hovers have texts of the sources
      middleware: {
        workspace: { configuration: ({ items }) => items.map(() => settings()) },
        executeCommand: async (command, args, next) => {
          const answer = (await next(command, args)) as Shown | null | undefined;
          if (typeof answer?.text === "string") await this.show(answer);
          return answer;
        },
      },
    };
  }
}

/** The settings as the server reads them; this editor shows the texts that commands return. */
function settings(): object {
  const given = vscode.workspace.getConfiguration("lanewise");
  const read = Object.fromEntries(SERVER_SETTINGS.map((name) => [name, given.get(name)]));
  return { ...(JSON.parse(JSON.stringify(read)) as object), showsTexts: true };
}
