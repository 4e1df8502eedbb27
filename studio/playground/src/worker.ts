/** The worker: Pyodide with lanewise, which answers the messages of the page one after the other. */

import type { loadPyodide as Load } from "pyodide";

import type { Loading, Manifest } from "./protocol";

interface Scope {
  onmessage: ((event: MessageEvent<string>) => void) | null;
  postMessage(message: string | Loading): void;
  fetch: typeof fetch;
}

interface Growing {
  growMemory(bytes: number): void;
}

type Create = NonNullable<NonNullable<Parameters<typeof Load>[0]>["createPyodideModule"]>;

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

/** Python does not begin here: it goes on with the memory that it had when the page was built (memory.mjs). */
async function start(): Promise<Desk> {
  const manifest = (await (await fetched("manifest.json", { cache: "no-cache" })).json()) as Manifest;
  let done = 0;
  const report = (what: string): void => {
    scope.postMessage({ what, done, total: manifest.bytes });
  };
  report("loading Python");
  counting(manifest.build, (bytes) => {
    done += bytes;
    report("loading Python");
  });
  const indexURL = new URL("pyodide/", root).href;
  const memory = new Uint8Array(manifest.memory);
  const filled = unpacked("pyodide/memory.packed", memory);
  const archive = fetched(manifest.archive).then((response) => response.arrayBuffer());
  const [{ loadPyodide }, { default: create }] = (await Promise.all([import(`${indexURL}pyodide.js?${manifest.build}`), import(`${indexURL}pyodide.asm.js?${manifest.build}`)])) as [{ loadPyodide: typeof Load }, { default: Create }];
  const python = await loadPyodide({
    indexURL,
    _loadSnapshot: memory, // filled before it is read: its download and that of the machine code go on together
    createPyodideModule: async (settings) => {
      const made = await create(settings);
      (made as unknown as Growing).growMemory(memory.length); // Pyodide 314 does not: github.com/pyodide/pyodide/issues/6254
      await filled;
      return made;
    },
  });
  report("starting lanewise");
  python.FS.writeFile(`/${manifest.archive}`, new Uint8Array(await archive));
  return python.globals.get("desk") as Desk;
}

/** Fill an array with a file that is packed. */
async function unpacked(name: string, target: Uint8Array): Promise<void> {
  let at = 0;
  for (const reader = unpacking((await fetched(name)).body).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    target.set(value, at);
    at += value.byteLength;
  }
}

function unpacking(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  if (body === null) throw new Error("the server has sent nothing");
  return body.pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
}

async function fetched(name: string, options?: RequestInit): Promise<Response> {
  const response = await fetch(new URL(name, root), options);
  if (!response.ok) {
    throw new Error(`${name} cannot be loaded: ${String(response.status)} ${response.statusText}. The folder of the playground is served whole, by any web server.`);
  }
  return response;
}

/**
 * Tell of the bytes of everything that is fetched from now on, which is that of this build, also where the browser has kept another one. Machine code is packed here, and said to be what it is,
 * which not every server knows.
 */
function counting(build: string, report: (bytes: number) => void): void {
  const fetching = scope.fetch.bind(self);
  scope.fetch = async (request, options) => {
    const address = request instanceof Request ? request.url : String(request);
    const code = address.endsWith(".wasm");
    const response = await fetching(`${address}${code ? ".packed" : ""}?${build}`, options);
    if (response.body === null || !response.ok) {
      return response;
    }
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        report(chunk.byteLength);
        controller.enqueue(chunk);
      },
    });
    const body = response.body.pipeThrough(counter);
    return code ? new Response(unpacking(body), { headers: { "content-type": "application/wasm" } }) : new Response(body, { status: response.status, headers: response.headers });
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
