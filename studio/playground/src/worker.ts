/** The worker: Pyodide with lanewise, which answers the messages of the page one after the other. */

import type { loadPyodide as Load } from "pyodide";

import type { Loading, Manifest } from "./protocol";

interface Scope {
  onmessage: ((event: MessageEvent<string>) => void) | null;
  postMessage(message: string | Loading): void;
  fetch: typeof fetch;
}

interface Desk {
  hello(): string;
  answer(text: string): Iterable<string> & { close(): void; destroy(): void };
}

const scope = self as unknown as Scope;
const root = new URL("../", import.meta.url);
const waiting: string[] = [];
let desk: Desk | null = null;
let working = false;

scope.onmessage = (event) => {
  waiting.push(event.data);
  void work();
};

start().then(
  (made) => {
    desk = made;
    scope.postMessage(made.hello());
    void work();
  },
  (error: unknown) => {
    scope.postMessage({ what: "", done: 0, total: 0, failed: error instanceof Error ? error.message : String(error) });
  },
);

async function start(): Promise<Desk> {
  const manifest = (await (await fetched("manifest.json")).json()) as Manifest;
  let done = 0;
  const report = (what: string): void => {
    scope.postMessage({ what, done, total: manifest.bytes });
  };
  report("loading Python");
  counting((bytes) => {
    done += bytes;
    report("loading Python");
  });
  const { loadPyodide } = (await import(new URL("pyodide/pyodide.js", root).href)) as { loadPyodide: typeof Load };
  const archives = manifest.archives.map(async (name) => ({ name, bytes: await (await fetched(name)).arrayBuffer() }));
  const examples = (await fetched("examples.json")).text();
  const python = await loadPyodide({ indexURL: new URL("pyodide/", root).href });
  report("unpacking lanewise");
  for (const archive of archives) {
    const { bytes } = await archive;
    python.unpackArchive(bytes, "zip", { extractDir: "/lanewise" });
  }
  report("starting lanewise");
  python.globals.set("EXAMPLES", await examples);
  return python.runPython("import sys; sys.path.insert(0, '/lanewise'); import json; from answers import Desk; Desk(json.loads(EXAMPLES))") as Desk;
}

async function fetched(name: string): Promise<Response> {
  const response = await fetch(new URL(name, root));
  if (!response.ok) {
    throw new Error(`${name} cannot be loaded: ${String(response.status)} ${response.statusText}. The folder of the playground is served whole, by any web server.`);
  }
  return response;
}

/** Tell of the bytes of everything that is fetched from now on, and say of machine code that it is, which not every server knows. */
function counting(report: (bytes: number) => void): void {
  const fetching = scope.fetch.bind(self);
  scope.fetch = async (...request) => {
    const response = await fetching(...request);
    if (response.body === null || !response.ok) {
      return response;
    }
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        report(chunk.byteLength);
        controller.enqueue(chunk);
      },
    });
    const headers = new Headers(response.headers);
    if (response.url.endsWith(".wasm")) {
      headers.set("content-type", "application/wasm");
    }
    return new Response(response.body.pipeThrough(counter), { status: response.status, headers });
  };
}

/** Answer what waits. Of evaluations only the newest is done, and one that runs ends when another comes. */
async function work(): Promise<void> {
  if (working || desk === null) {
    return;
  }
  working = true;
  for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
    const { id, ask } = JSON.parse(text) as { id: number; ask: string };
    const answer = desk.answer(text);
    for (const message of answer) {
      scope.postMessage(message);
      await turn();
      if (ask === "evaluate" && waiting.some((other) => (JSON.parse(other) as { ask: string }).ask === "evaluate")) {
        answer.close();
        scope.postMessage(JSON.stringify({ id, cancelled: true }));
        break;
      }
    }
    answer.destroy();
  }
  working = false;
}

/** Let messages come in. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
