/** The socket of the room: questions with numbers, their answers, and frames. */

import { readFrame } from "./frames";
import type { Finding, Frame, Hello } from "./types";

/** What carries messages: a WebSocket, or a worker that has lanewise in it. */
export interface Channel {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((data: string | ArrayBuffer) => void) | null;
}

/** The socket of the room. What it says is a large frame is fetched, and what comes meanwhile waits, so that messages keep their order. */
export function webSocketChannel(address: string): Channel {
  const socket = new WebSocket(`${address}?frames=fetched`);
  socket.binaryType = "arraybuffer";
  const early: string[] = []; // what is asked before the socket is open, which cannot send yet
  let last: Promise<void> | null = null;
  const receive = (data: string | ArrayBuffer): void => {
    const name = typeof data === "string" && data.startsWith('{"frame":') ? (JSON.parse(data) as { frame: string }).frame : null;
    if (last === null && name === null) {
      channel.onmessage?.(data);
      return;
    }
    const next: Promise<void> = (last ?? Promise.resolve())
      .then(async () => {
        channel.onmessage?.(name === null ? data : await fetched(name));
      })
      .catch(() => {
        socket.close();
      })
      .finally(() => {
        if (last === next) {
          last = null;
        }
      });
    last = next;
  };
  const channel: Channel = {
    send: (text) => {
      if (socket.readyState === WebSocket.CONNECTING) early.push(text);
      else socket.send(text);
    },
    close: () => {
      socket.close();
    },
    onopen: null,
    onclose: null,
    onmessage: null,
  };
  socket.onopen = () => {
    channel.onopen?.();
    for (const text of early.splice(0)) socket.send(text);
  };
  socket.onclose = () => channel.onclose?.();
  socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
    receive(event.data);
  };
  return channel;
}

/** What runs beside the page, whose own thread a large body would keep busy; a buffer that is handed over is not copied. */
const FETCHER = `onmessage = async ({ data }) => {
  try {
    const response = await fetch(data);
    const buffer = response.ok ? await response.arrayBuffer() : null;
    postMessage(buffer, buffer === null ? [] : [buffer]);
  } catch {
    postMessage(null);
  }
};`;
let fetcher: Worker | null = null;

/** A frame of the server's shelf; one at a time. */
async function fetched(name: string): Promise<ArrayBuffer> {
  fetcher ??= new Worker(URL.createObjectURL(new Blob([FETCHER], { type: "text/javascript" })));
  const worker = fetcher;
  const found = await new Promise<ArrayBuffer | null>((resolve) => {
    worker.onmessage = (event: MessageEvent<ArrayBuffer | null>) => {
      resolve(event.data);
    };
    worker.postMessage(new URL(`/frame/${name}`, location.href).href);
  });
  if (found === null) {
    throw new Error(`the frame ${name} has gone`);
  }
  return found;
}

export interface Answer {
  id: number;
  pane?: string;
  value?: unknown;
  progress?: [number, number];
  what?: string;
  done?: boolean;
  seconds?: number;
  error?: Finding[];
  cancelled?: boolean;
  fault?: string;
}

export interface Listener {
  hello(hello: Hello): void;
  pane(name: string, value: unknown, ask: string, id: number): void;
  frame(frame: Frame, ask: string): void;
  progress(id: number, what: string, done: number, total: number): void;
  ended(id: number, ask: string, how: { error?: Finding[]; fault?: string; cancelled?: boolean }): void;
  connected(is: boolean): void;
}

/** Asks of which only the newest is of interest: answers to older ones are dropped. */
const NEWEST = new Set(["evaluate", "trace", "explain", "compare", "apart", "diff", "opt", "compiled", "wave", "timeline", "why", "paths", "seek", "draw", "frame"]);

export class Wire {
  private channel: Channel | null = null;
  private last = 0;
  private readonly asked = new Map<number, string>();
  private readonly newest = new Map<string, number>();
  private delay = 250;

  constructor(
    private readonly open: () => Channel,
    private readonly listener: Listener,
  ) {}

  connect(): void {
    const channel = this.open();
    this.channel = channel;
    channel.onopen = () => {
      this.delay = 250;
      this.listener.connected(true);
    };
    channel.onmessage = (data) => {
      this.receive(data);
    };
    channel.onclose = () => {
      this.channel = null;
      for (const [id, ask] of [...this.asked]) {
        this.asked.delete(id);
        this.listener.ended(id, ask, { cancelled: true });
      }
      this.listener.connected(false);
      setTimeout(() => {
        this.connect();
      }, this.delay);
      this.delay = Math.min(this.delay * 2, 8000);
    };
  }

  /** Ask something; the number of the question, or 0 without a connection. */
  ask(ask: string, body: Record<string, unknown> = {}): number {
    if (this.channel === null) {
      return 0;
    }
    this.last += 1;
    const id = this.last;
    this.asked.set(id, ask);
    this.newest.set(ask, id);
    this.channel.send(JSON.stringify({ ...body, id, ask }));
    return id;
  }

  cancel(id: number): void {
    if (this.asked.has(id)) {
      this.ask("cancel", { target: id });
    }
  }

  /** Whether a question of this kind has no answer yet. */
  waits(ask: string): boolean {
    return [...this.asked.values()].includes(ask);
  }

  /** Whether every question has its answer. */
  idle(): boolean {
    return this.asked.size === 0;
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const frame = readFrame(data);
      const ask = this.asked.get(frame.head.id);
      if (ask !== undefined && this.current(frame.head.id, ask)) {
        this.listener.frame(frame, ask);
      }
      if (frame.head.done === true && ask !== undefined) {
        this.asked.delete(frame.head.id);
        this.listener.ended(frame.head.id, ask, {});
      }
      return;
    }
    const message = JSON.parse(data) as Answer & { hello?: Hello };
    if (message.hello !== undefined) {
      this.listener.hello(message.hello);
      return;
    }
    const ask = this.asked.get(message.id);
    if (ask === undefined) {
      return;
    }
    const current = this.current(message.id, ask);
    if (message.pane !== undefined && current) {
      this.listener.pane(message.pane, message.value, ask, message.id);
    }
    if (message.progress !== undefined && current) {
      this.listener.progress(message.id, message.what ?? ask, message.progress[0], message.progress[1]);
    }
    if (message.done === true || message.error !== undefined || message.cancelled === true || message.fault !== undefined) {
      this.asked.delete(message.id);
      this.listener.ended(message.id, ask, {
        ...(message.error !== undefined && current ? { error: message.error } : {}),
        ...(message.fault !== undefined ? { fault: message.fault } : {}),
        ...(message.cancelled === true ? { cancelled: true } : {}),
      });
    }
  }

  private current(id: number, ask: string): boolean {
    return !NEWEST.has(ask) || this.newest.get(ask) === id;
  }
}
