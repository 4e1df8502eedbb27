import assert from "node:assert/strict";
import { test } from "node:test";

import { makeRoom, missing, MOST, Uploads } from "../src/uploads";

const entry = (name: string, size: number, at: number) => ({ name, size, at });

test("the oldest files make room, and one that is too large takes none with it", () => {
  const entries = [entry("b", 40, 2), entry("a", 30, 1), entry("c", 20, 3)];
  assert.deepEqual(makeRoom(entries, "d", 10, 100), []);
  assert.deepEqual(makeRoom(entries, "d", 11, 100), ["a"]);
  assert.deepEqual(makeRoom(entries, "d", 45, 100), ["a", "b"]);
  assert.deepEqual(makeRoom(entries, "b", 50, 100), [], "its older content goes");
  assert.equal(makeRoom(entries, "d", 101, 100), null);
});

test("a state names the files that its connection lacks", () => {
  const state = { files: [], mesh: { file: "m.obj" }, draw: { file: "a.ctf", number: 3 } };
  assert.deepEqual(missing(state, {}), ["m.obj", "a.ctf"]);
  assert.deepEqual(missing(state, { meshFiles: ["m.obj"], frames: ["a.ctf"] }), []);
  assert.deepEqual(missing({ files: [], mesh: { name: "cube" } }, {}), []);
});

test("what the browser does not keep is said once, and what it keeps is sent again", async () => {
  const [sent, said, kept]: [string[], string[], Map<string, Uint8Array<ArrayBuffer>>] = [[], [], new Map()];
  const files = {
    keep: (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      if (name === "full.ctf") return Promise.reject(new Error("quota"));
      if (name === "large.ctf") return Promise.resolve(false);
      kept.set(name, bytes);
      return Promise.resolve(true);
    },
    find: (name: string) => Promise.resolve(kept.get(name) ?? null),
  };
  const uploads = new Uploads((name) => { sent.push(name); }, (text) => { said.push(text); }, files);
  for (const name of ["a.ctf", "large.ctf", "full.ctf"]) await uploads.send(new File([new Uint8Array([1, 2])], name));
  assert.deepEqual(sent, ["a.ctf", "large.ctf", "full.ctf"], "the server has them all");
  assert.equal(said.length, 2);
  assert.match(said[0] ?? "", new RegExp(`large.ctf .*${String(MOST / 1024 / 1024)} MiB.*open it again`));
  assert.match(said[1] ?? "", /full.ctf .*no room/);
  assert.deepEqual(await uploads.restore(["a.ctf", "large.ctf"]), ["large.ctf"]);
  await uploads.adopt("saved.obj", btoa("v 0"));
  assert.deepEqual([sent.pop(), [...(kept.get("saved.obj") ?? [])], uploads.isAgain("saved.obj")], ["saved.obj", [118, 32, 48], true], "a mesh of a saved state");
  assert.deepEqual([sent.at(-1), uploads.isAgain("a.ctf"), uploads.isAgain("a.ctf")], ["a.ctf", true, false]);
});
