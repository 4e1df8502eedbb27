/** Meshes and recorded frames that were opened on the page: the server has them as long as this tab is connected, and the browser keeps them for a reload, a crash and a second tab. */

import { base64 } from "./link";
import type { Hello, State } from "./types";

export const MOST = 64 * 1024 * 1024; // bytes of all files that are kept: as many as the server takes
const DATABASE = "lanewise.studio";

export interface Entry {
  name: string;
  size: number;
  /** When it was opened, in milliseconds. */
  at: number;
}

/** The files that have to go, the oldest first, so that another one fits; null if it does not fit at all. */
export function makeRoom(entries: readonly Entry[], name: string, size: number, most = MOST): string[] | null {
  if (size > most) {
    return null;
  }
  const others = entries.filter((entry) => entry.name !== name).sort((a, b) => a.at - b.at);
  let rest = others.reduce((sum, entry) => sum + entry.size, size);
  const gone: string[] = [];
  for (const entry of others) {
    if (rest <= most) {
      break;
    }
    rest -= entry.size;
    gone.push(entry.name);
  }
  return gone;
}

/** The files of a state that the server of this connection does not have. */
export function missing(state: State, hello: Pick<Hello, "meshFiles" | "frames">): string[] {
  const mesh = state.mesh !== undefined && "file" in state.mesh ? [state.mesh.file] : [];
  const frame = state.draw === undefined ? [] : [state.draw.file];
  return [...mesh.filter((name) => !(hello.meshFiles ?? []).includes(name)), ...frame.filter((name) => !(hello.frames ?? []).includes(name))];
}

/** The files that the browser keeps: their names and sizes beside their bytes. Each method throws where it keeps nothing. */
export class Files {
  private opened: Promise<IDBDatabase> | undefined;

  async keep(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const database = await this.open();
    const change = database.transaction(["entries", "bytes"], "readwrite");
    const [entries, contents] = [change.objectStore("entries"), change.objectStore("bytes")];
    const gone = makeRoom((await answer(entries.getAll())) as Entry[], name, bytes.length);
    for (const old of gone ?? [name]) { // one that is too large takes an older one of its name with it
      entries.delete(old);
      contents.delete(old);
    }
    if (gone !== null) {
      entries.put({ name, size: bytes.length, at: Date.now() } satisfies Entry, name);
      contents.put(bytes, name);
    }
    await new Promise<void>((resolve, reject) => {
      change.oncomplete = () => { resolve(); };
      change.onabort = () => { reject(change.error ?? new Error("not kept")); };
    });
    return gone !== null;
  }

  async find(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const database = await this.open();
    const found: unknown = await answer(database.transaction("bytes").objectStore("bytes").get(name));
    return found instanceof Uint8Array ? new Uint8Array(found) : null;
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= new Promise((resolve, reject) => {
      const asked = indexedDB.open(DATABASE, 1);
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore("entries");
        asked.result.createObjectStore("bytes");
      };
      asked.onsuccess = () => { resolve(asked.result); };
      asked.onerror = () => { reject(asked.error ?? new Error("no database")); };
      asked.onblocked = () => { reject(new Error("no database")); };
    });
    return this.opened;
  }
}

function answer<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => { resolve(asked.result); };
    asked.onerror = () => { reject(asked.error ?? new Error("no answer")); };
  });
}

export class Uploads {
  private readonly again = new Set<string>();

  constructor(private readonly ask: (name: string, data: string) => void, private readonly say: (text: string, error: boolean) => void, private readonly files: Pick<Files, "keep" | "find"> = new Files()) {}

  /** A file of the user's: to the server, and kept. */
  async send(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.ask(file.name, base64(bytes));
    const size = `${file.name} has ${String(Math.ceil(bytes.length / (1024 * 1024)))} MiB`;
    try {
      if (!(await this.files.keep(file.name, bytes))) {
        this.say(`${size}, and this browser keeps up to ${String(MOST / (1024 * 1024))} MiB for the next visit: open it again after a reload.`, false);
      }
    } catch {
      this.say(`${size}, for which this browser has no room: open it again after a reload.`, false);
    }
  }

  /** A mesh that came with a saved state: to the server, where it changes nothing on the page, and kept. */
  async adopt(name: string, data: string): Promise<void> {
    this.again.add(name);
    this.ask(name, data);
    await this.files.keep(name, Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))).catch(() => false);
  }

  /** Give the server of a new connection what it does not have; the names of those that were not kept. */
  async restore(names: readonly string[]): Promise<string[]> {
    const lost: string[] = [];
    for (const name of names) {
      const bytes = await this.files.find(name).catch(() => null);
      if (bytes === null) {
        lost.push(name);
      } else {
        this.again.add(name);
        this.ask(name, base64(bytes));
      }
    }
    return lost;
  }

  /** Whether the answer about a file is to one that was given again, which changes nothing on the page; asked once. */
  isAgain(name: string): boolean {
    return this.again.delete(name);
  }
}
