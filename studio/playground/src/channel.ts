/** The connection to lanewise in a worker, for `Wire`. Work that is cancelled ends with its worker, and another one starts. */

import type { Channel } from "../../page/src/wire";
import type { Loading } from "./protocol";

export function workerChannel(loading: (progress: Loading | null) => void): Channel {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  let ready = false;
  const channel: Channel = {
    send: (text) => {
      if ((JSON.parse(text) as { ask: string }).ask === "cancel") {
        channel.close();
        channel.onclose?.();
      } else {
        worker.postMessage(text);
      }
    },
    close: () => {
      worker.terminate();
    },
    onopen: null,
    onclose: null,
    onmessage: null,
  };
  worker.onmessage = (event: MessageEvent<string | Loading>) => {
    if (typeof event.data !== "string") {
      loading(event.data);
      return;
    }
    if (!ready) {
      ready = true;
      loading(null);
      channel.onopen?.();
    }
    channel.onmessage?.(event.data);
  };
  worker.onerror = (event) => {
    loading({ what: "", done: 0, total: 0, failed: event.message || "the worker cannot be loaded: the folder of the playground is served whole, by any web server" });
  };
  return channel;
}
