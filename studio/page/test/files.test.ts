import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOf, isMesh, textOf, withText } from "../src/files";

const LISTING = { file: "a.shbin", text: "; a program\n", source: "a.v.pica" };

test("a file with a zero byte is a binary", () => {
  assert.deepEqual(fileOf("a.v.pica", new TextEncoder().encode("; größe\n")), { name: "a.v.pica", text: "; größe\n" });
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
  const file = fileOf("a.shbin", bytes);
  assert.equal(file.text, "");
  assert.deepEqual([...Buffer.from(file.data ?? "", "base64")], [...bytes]);
});

test("a binary is shown as its own disassembly only", () => {
  assert.equal(textOf({ name: "a.v.pica", text: "end" }, LISTING), "end");
  assert.equal(textOf({ name: "a.shbin", text: "", data: "AA==" }, LISTING), LISTING.text);
  assert.equal(textOf({ name: "b.shbin", text: "", data: "AA==" }, LISTING), "");
  assert.equal(textOf({ name: "a.shbin", text: "", data: "AA==" }, undefined), "");
});

test("a text takes the place of a binary under the name of a source", () => {
  const files = [{ name: "a.shbin", text: "", data: "AA==" }];
  assert.deepEqual(withText(files, "a.shbin", "end", LISTING), { files: [{ name: "a.v.pica", text: "end" }], entry: "" });
  assert.deepEqual(withText([{ name: "a.sc", text: "" }, { name: "b.sc", text: "x" }], "a.sc", "end", LISTING), { files: [{ name: "a.sc", text: "end" }, { name: "b.sc", text: "x" }] });
});

test("meshes are known by their suffix", () => {
  assert.ok(isMesh("Ship.OBJ") && !isMesh("ship.obj.shbin"));
});
