import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { asArguments, candidates, drawsIn, drawTable, escaped, guessed, hasValues, isShader, languageOf, linesLinked, linkIn, missing, older, optionsFor, programsIn, resultsIn, tablesIn, testsIn, valueIn, valueText, versionIn } from "../dist/pure.mjs";

const PLACE = { setting: "", folders: ["/home/me/game"], interpreter: "", search: "/usr/bin:/bin", home: "/home/me", windows: false };

test("settings are options of the commands that have them", () => {
  const settings = { profile: "azahar", device: "rtl", rule: "ieee", include: ["common", "/lib"], define: ["A=1", "B"] };
  const line = (command, language) => asArguments(optionsFor(command, language, "/home/shaders/x", settings)).join(" ");
  const sources = "--include=/home/shaders/common --include=/lib --define=A=1 --define=B";
  assert.equal(line("graph", "direct3d9"), sources);
  assert.equal(line("run", "direct3d9"), `--rule=ieee ${sources}`);
  assert.equal(line("time", "shadercore"), "--device=rtl");
  assert.equal(line("run", "nihstro"), "--profile=azahar");
  assert.equal(line("check", "picasso"), "");
  assert.equal(line("inspect", "plaintext"), "");
  assert.deepEqual(optionsFor("run", "picasso", "/x", { profile: "", include: [] }), {});
});

test("instructions of a picture open their lines", () => {
  const linked = linesLinked('<a href="a%20%26%20b.sc#L3"><text>mul</text></a>', "/home", "lanewise.openLine");
  const [, given] = /^<a href="command:lanewise\.openLine\?([^"]*)"><text>mul/.exec(linked);
  assert.deepEqual(JSON.parse(decodeURIComponent(given.replaceAll("&#39;", "'"))), ["/home/a & b.sc", 3]);
});

test("lanewise is looked for in the workspace, beside the interpreter, on PATH", () => {
  assert.deepEqual(candidates({ ...PLACE, interpreter: "/opt/py/bin/python" }), [
    "/home/me/game/.venv/bin/lanewise", "/home/me/game/venv/bin/lanewise", "/opt/py/bin/lanewise", "/usr/bin/lanewise", "/bin/lanewise",
  ]);
  assert.deepEqual(candidates({ ...PLACE, windows: true, folders: ["C:\\game"], search: "C:\\bin;D:\\x" }), [
    "C:\\game\\.venv\\Scripts\\lanewise.exe", "C:\\game\\venv\\Scripts\\lanewise.exe", "C:\\bin\\lanewise.exe", "D:\\x\\lanewise.exe",
  ]);
});

test("a setting excludes other places", () => {
  assert.deepEqual(candidates({ ...PLACE, setting: "~/bin/lanewise" }), ["/home/me/bin/lanewise"]);
  assert.deepEqual(candidates({ ...PLACE, setting: "tools/lanewise" }), ["/home/me/game/tools/lanewise"]);
  assert.deepEqual(candidates({ ...PLACE, setting: "lanewise-dev" }), ["/usr/bin/lanewise-dev", "/bin/lanewise-dev"]);
  assert.match(missing({ ...PLACE, setting: "x" }), /lanewise\.path is x/);
});

test("without folders, as in Restricted Mode, nothing of the workspace is run", () => {
  assert.deepEqual(candidates({ ...PLACE, folders: [], search: "/usr/bin:.:tools" }), ["/usr/bin/lanewise"]);
  assert.deepEqual(candidates({ ...PLACE, folders: [], setting: "tools/lanewise" }), []);
  assert.match(missing(PLACE), /pip install/);
});

test("versions", () => {
  assert.equal(versionIn("lanewise 0.10.2\n"), "0.10.2");
  assert.equal(versionIn("something else 1.2"), "");
  assert.ok(older("0.9", "0.10.0"));
  assert.ok(older("0.1", "0.1.1"));
  assert.ok(!older("0.1.0", "0.1"));
  assert.ok(!older("1.0", "0.9.9"));
});

test("the language of a suffix that several have", () => {
  assert.equal(languageOf("; a\n.fvec x\n.proc main\n"), "picasso");
  assert.equal(languageOf("// a\n/* vs */ vs_2_0\n"), "direct3d9");
  assert.equal(languageOf("ps.1.4\n"), "direct3d9");
  assert.equal(languageOf("// nihstro\nmain:\n  mov r0, r1\n"), undefined);
  assert.equal(languageOf("vs_2_0x: mov r0, r1"), undefined);
  assert.equal(languageOf(readFileSync("../../examples/lanterns.vsh", "utf8")), undefined);
});

test("shader tests of a file", () => {
  assert.deepEqual(testsIn(readFileSync("../../examples/toon.shadertest.toml", "utf8")).map(({ name }) => name), [
    "four bands", "the highlight of a glossy surface", "three bands are not exact",
  ]);
  assert.deepEqual(testsIn("name = \"file\"\n[[test]]\n[test.inputs]\nname = \"input\"\n[[ test ]]\nname = 'it''s'\n[[test]]\nname = \"a \\\"b\\\" \\u00e9\"\n"), [
    { name: "test 1", line: 1 }, { name: "it", line: 4 }, { name: 'a "b" \u00e9', line: 6 },
  ]);
});

test("results and texts", () => {
  assert.equal(resultsIn('{"tests": [{"name": "a"}]}')[0].name, "a");
  assert.equal(resultsIn("lanewise test: error"), undefined);
  assert.equal(resultsIn('{"tests": 1}'), undefined);
  assert.equal(escaped('<a href="x">&'), "&#60;a href=&#34;x&#34;&#62;&#38;");
});

test("the programs of a file of tests", () => {
  assert.deepEqual(programsIn(readFileSync("../../examples/toon.shadertest.toml", "utf8")), ["toon.v.pica"]);
  assert.deepEqual(programsIn("program = [\n  \"a.pica\",\n  'b.pica',\n]\n[[test]]\nprogram = \"c\"\n"), ["a.pica", "b.pica"]);
  assert.deepEqual(programsIn("[[test]]\nprogram = \"c\"\n"), []);
});

test("the draws of a frame are a table whose texts are no elements", () => {
  const draw = { number: 3, frame: 1, topology: null, vertices: 24, programs: [{ stage: "vertex", hash: "902d1be7" }], changed: ["<img src=x>"], findings: ["F004"] };
  const table = drawTable(drawsIn(JSON.stringify({ frame: { draws: [draw, { ...draw, number: '"><script>' }, { ...draw, number: -1 }] } })));
  assert.match(table, /<tr><td>3<\/td><td>1<\/td><td>24<\/td><td>\?<\/td><td>vertex 902d1be7<\/td><td>F004<\/td>/);
  assert.equal(table.split("<tr>").length, 3);
  assert.ok(!table.includes("<img"));
  for (const text of ["", "{", "{}", "null", '{"frame": {"draws": 3}}']) assert.deepEqual(drawsIn(text), []);
});

test("only links of this machine are opened", () => {
  assert.equal(linkIn("http://127.0.0.1:41873/enter?key=a\n"), "http://127.0.0.1:41873/enter?key=a");
  for (const said of ["http://127.0.0.1:41873/enter?ke", "https://example.org/\n", "http://127.0.0.1.example.org:1/\n", ""]) assert.equal(linkIn(said), undefined);
});

test("values are read in the form that they have", () => {
  const rows = [[1, 0, -2.5], [0, 1, 0]];
  assert.equal(valueText(rows), "1, 0, -2.5; 0, 1, 0");
  assert.deepEqual(valueIn(valueText(rows), rows), rows);
  assert.deepEqual(valueIn(" 1e2,2 ,-.5", [0, 0, 0]), [100, 2, -0.5]);
  assert.equal(valueIn("1", false), true);
  assert.equal(valueIn("3", 0), 3);
  for (const [text, like] of [["1, 2", [0, 0, 0]], ["1, , 3", [0, 0, 0]], ["1, x, 3", [0, 0, 0]], ["", 0], ["yes", false], ["1; 2", rows], ["NaN", 0]]) assert.equal(valueIn(text, like), undefined, text);
});

test("values begin with those of before, or with what names let expect", () => {
  const zero = [0, 0, 0, 0];
  const read = { inputs: { position: zero, normal: zero, uv: [0, 0] }, uniforms: { projection: [zero, zero, zero, zero], sun: zero, bones: [zero, zero] }, booleans: { glossy: false } };
  const first = guessed(read, undefined);
  assert.deepEqual(first.inputs, { position: [0, 0, 0, 1], normal: [0, 0, 1, 1], uv: [0, 0] });
  assert.deepEqual(first.uniforms.projection, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);
  assert.deepEqual([first.uniforms.sun, first.uniforms.bones, first.booleans.glossy], [zero, [zero, zero], false]);
  const again = guessed(read, { inputs: { position: [1, 2, 3, 4], uv: [7, 7, 7], gone: [1] }, booleans: { glossy: true } });
  assert.deepEqual(again.inputs, { position: [1, 2, 3, 4], normal: [0, 0, 1, 1], uv: [0, 0] });
  assert.equal(again.booleans.glossy, true);
  assert.deepEqual(tablesIn(JSON.stringify({ schema: "lanewise/data/1", ...first })), first);
  assert.equal(tablesIn("error: no"), undefined);
});

test("a configuration without values asks for them", () => {
  assert.equal(hasValues({ program: "a", profile: "azahar" }), false);
  for (const key of ["test", "inputs", "uniforms", "data", "mesh", "options"]) assert.equal(hasValues({ program: "a", [key]: {} }), true);
  assert.deepEqual([["picasso", "a"], ["glsl", "/x/a.vert"], ["plaintext", "/x/a.VERT"], ["plaintext", "/x/a.txt"]].map(([language, file]) => isShader(language, file)), [true, true, true, false]);
});
