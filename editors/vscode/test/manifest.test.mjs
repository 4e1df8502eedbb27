// package.json and the source name the same things.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { COMPILED, configuresCompile, FORMS, LANGUAGES, OPTIONS, selector, tasksFor } from "../dist/pure.mjs";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const source = readdirSync("src").map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
const declared = manifest.contributes.commands.map(({ command }) => command);

test("every command is declared and registered", () => {
  const registered = [...source.matchAll(/registerCommand\("([\w.]+)"/g)].map((match) => match[1]);
  const ours = [...source.matchAll(/^ {4}command\("(\w+)"/gm)].map((match) => `lanewise.${match[1]}`);
  assert.deepEqual([...registered, ...ours].sort(), [...declared].sort());
});

test("menus and keys use declared commands", () => {
  const used = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings].map(({ command }) => command);
  for (const command of used) assert.ok(declared.includes(command) || command.startsWith("workbench."), command);
});

test("every setting that the source reads is declared", () => {
  const read = [...source.matchAll(/(?:settings|getConfiguration\("lanewise"(?:, \w+)?\))\s*\.get(?:<[^>]*>)?\("(\w+)"/g)].map((match) => match[1]);
  assert.ok(read.includes("path"));
  for (const name of [...read, ...Object.keys(OPTIONS)]) assert.ok(`lanewise.${name}` in manifest.contributes.configuration.properties, name);
});

test("languages and forms of values are those of the tables", () => {
  const { languages, debuggers, breakpoints } = manifest.contributes;
  const [own, compiled] = [languages.filter((row) => row.configuration), languages.filter((row) => !row.configuration)];
  assert.deepEqual(LANGUAGES, own.map(({ id }) => id));
  assert.deepEqual([...compiled.flatMap(({ extensions }) => extensions), ".hlsl", ".fx"].sort(), [...COMPILED].sort()); // two are known to the editor
  assert.deepEqual(debuggers[0].languages, languages.map(({ id }) => id));
  assert.deepEqual(breakpoints.map(({ language }) => language), debuggers[0].languages);
  assert.deepEqual(FORMS, manifest.contributes.debuggers[0].configurationAttributes.launch.properties.numberForm.enum);
});

test("no configuration that is offered runs on zeros in silence", () => {
  const { initialConfigurations, configurationSnippets } = manifest.contributes.debuggers[0];
  for (const row of [...initialConfigurations, ...configurationSnippets.map(({ body }) => body)]) assert.equal(row.options?.default, undefined, row.name);
});

test("what decides which program runs is restricted", () => {
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
  assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
});

test("files that are named exist", () => {
  const { grammars, languages, walkthroughs } = manifest.contributes;
  const pages = walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown).filter(Boolean));
  for (const path of [manifest.icon, ...grammars.map((row) => row.path), ...languages.map((row) => row.configuration).filter(Boolean), ...pages]) assert.ok(existsSync(path), path);
  for (const { media } of walkthroughs.flatMap(({ steps }) => steps)) {
    if (media.image) assert.ok(existsSync(`../../docs/pictures/vscode-${media.image.replace("media/", "")}`), media.image);
  }
});

test("the problem matcher reads what lanewise prints", () => {
  const [{ pattern }] = manifest.contributes.problemMatchers;
  const [first, second] = pattern.map(({ regexp }) => new RegExp(regexp));
  assert.deepEqual(first.exec("error[P010]: mul has 3 operands, found 2").slice(1), ["error", "P010", "mul has 3 operands, found 2"]);
  assert.deepEqual(second.exec("  --> C:/x/bad.v.pica:2:12").slice(1), ["C:/x/bad.v.pica", "2", "12"]);
  assert.deepEqual(second.exec("  --> C:/x/toon.vert:3").slice(1), ["C:/x/toon.vert", "3", undefined]); // compilers name no column
});

test("each finding of a task is of one matcher, and none asks for files", () => {
  const [, absolute, relative] = manifest.contributes.problemMatchers;
  assert.deepEqual([absolute.fileLocation, relative.fileLocation], ["absolute", ["relative", "${workspaceFolder}"]]);
  const found = ({ pattern }, line) => new RegExp(pattern[1].regexp).test(line);
  for (const file of ["/x/a.v.pica", "C:\\x\\a.v.pica", "c:/x/a.v.pica", "\\\\host\\x\\a.v.pica"]) {
    assert.deepEqual([absolute, relative].map((each) => found(each, `  --> ${file}:2:12`)), [true, false], file);
  }
  for (const file of ["a.v.pica", "common/a.inc", "../a.inc"]) assert.deepEqual([absolute, relative].map((each) => found(each, `  --> ${file}:2`)), [false, true], file);
  assert.match(readFileSync("src/tasks.ts", "utf8"), /\["\$lanewise-absolute", "\$lanewise-relative"\]/);
});

test("the tasks of a file are those that are declared", () => {
  const commands = (language, file) => tasksFor(language, file).map(({ command, args }) => [command, ...args].join(" "));
  assert.deepEqual(commands("picasso", "/x/a.v.pica"), ["asm", "check"]);
  assert.deepEqual(commands("glsl", "/x/a.VERT"), ["compile --check"]);
  assert.deepEqual(commands("hlsl", "/x/a.fx"), ["compile --check"]);
  assert.deepEqual(commands("plaintext", "/x/vert"), []);
  const declared = manifest.contributes.taskDefinitions[0].properties.command.enum;
  assert.deepEqual(declared, ["asm", "check", "compile"]);
});

test("files that are compiled are the server's where it is asked for, and trust is", () => {
  assert.deepEqual(selector(false).filter(({ pattern }) => pattern), []);
  assert.deepEqual(selector(true).filter(({ pattern }) => pattern), [{ scheme: "file", pattern: "**/*{.vert,.glsl,.hlsl,.fx,.cgfx,.cg,.slang}" }]);
  assert.equal(manifest.contributes.configuration.properties["lanewise.compiled"].default, false);
  assert.match(source, /if \(!vscode\.workspace\.isTrusted\) return false;/);
  const pattern = "**/*{.vert,.glsl,.hlsl,.fx,.cgfx,.cg,.slang}";
  assert.deepEqual(selector(["file:///a"]).filter((row) => row.pattern), [{ scheme: "file", pattern: { baseUri: "file:///a", pattern } }]);
  assert.deepEqual(selector([]), selector(false));
  for (const language of ["glsl", "hlsl", "slang"]) assert.ok(manifest.activationEvents.includes(`onLanguage:${language}`));
});

test("a configuration says that files are compiled for lanewise", () => {
  const own = (text) => configuresCompile("lanewise.toml", text);
  for (const text of ["[compile]\nstrict = true\n", 'profile = "azahar"\n  [ compile ] # of GLSL\n', "[compile.semantics]\na = 'color'\n", "compile = {strict = true}\n", "compile.strict = true\n"]) assert.ok(own(text), text);
  for (const text of ["", "# [compile]\n", "[build]\ncompile = 1\n", "[compiler]\n", 'dialect = "[compile]"\n']) assert.ok(!own(text), text);
  assert.ok(configuresCompile("pyproject.toml", "[tool.lanewise.compile]\n"));
  assert.ok(!configuresCompile("pyproject.toml", "[compile]\n"));
});

test("the engine is the one that the types describe", () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"]}`);
});
