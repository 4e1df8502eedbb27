import assert from "node:assert/strict";
import { test } from "node:test";

import { webSocketChannel } from "../src/wire";

/** A socket that opens when it is told to, and like a browser's refuses to send before. */
class Socket {
  static readonly CONNECTING = 0;
  static last: Socket;
  readyState = Socket.CONNECTING;
  binaryType = "";
  onopen: (() => void) | null = null;
  readonly sent: string[] = [];

  constructor(readonly address: string) {
    Socket.last = this;
  }

  send(text: string): void {
    if (this.readyState === Socket.CONNECTING) throw new Error("InvalidStateError");
    this.sent.push(text);
  }
}

test("what is asked while the socket connects is sent when it is open, in its order", () => {
  Object.assign(globalThis, { WebSocket: Socket });
  const channel = webSocketChannel("ws://localhost/room");
  channel.onopen = () => {
    channel.send("at the opening");
  };
  channel.send("first");
  channel.send("second");
  const socket = Socket.last;
  assert.deepEqual(socket.sent, []);
  socket.readyState = 1;
  socket.onopen?.();
  channel.send("later");
  assert.deepEqual(socket.sent, ["at the opening", "first", "second", "later"]);
});
