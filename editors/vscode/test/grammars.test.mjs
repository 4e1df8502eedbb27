// The TextMate grammars give the pieces of the golden files, which are those of the Pygments lexers (tests/unit/test_highlighting.py).
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync("package.json", "utf8")).contributes;
const engine = oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"))).then(() => ({
  createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text) => new oniguruma.OnigString(text),
}));
const registry = new textmate.Registry({
  onigLib: engine,
  loadGrammar: async (scope) => {
    const row = manifest.grammars.find((grammar) => grammar.scopeName === scope);
    return row ? textmate.parseRawGrammar(readFileSync(row.path, "utf8"), row.path) : null;
  },
});

const KINDS = {
  "comment.line": "comment", "comment.block": "block comment", "string.quoted": "string", "constant.numeric": "number", "constant.language": "value",
  "keyword.control.directive": "preprocessor", "storage.type.directive": "directive", "storage.modifier.version": "version", "support.function": "instruction",
  "keyword.control.flow": "flow", "entity.name.function": "procedure", "entity.name.label": "label", "support.constant": "semantic", "variable.language": "register",
  "variable.other.property": "components", "storage.modifier": "modifier", "variable.other": "name", "keyword.operator": "operator", "punctuation.separator": "punctuation",
};

function kindOf(scope) {
  const prefixes = Object.keys(KINDS).filter((prefix) => scope.startsWith(`${prefix}.`));
  return KINDS[prefixes.sort((one, other) => other.length - one.length)[0]];
}

/** The pieces of a source; neighbours of one kind are one piece. */
async function pieces(path, language) {
  const grammar = await registry.loadGrammar(manifest.grammars.find((row) => row.language === language).scopeName);
  const lines = readFileSync(path, "utf8").split("\n");
  let stack = textmate.INITIAL;
  const found = [];
  for (const [number, line] of lines.entries()) {
    const result = grammar.tokenizeLine(line, stack);
    assert.ok(!result.stoppedEarly);
    stack = result.ruleStack;
    let last;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const kind = scopes.length > 1 ? kindOf(scopes.at(-1)) : undefined;
      assert.ok(kind || scopes.length === 1, `a scope without a kind: ${scopes}`);
      const text = line.slice(startIndex, endIndex);
      if (kind && last?.kind === kind) last.text += text;
      else if (kind) found.push((last = { number: number + 1, kind, text }));
      else if (text) last = undefined;
    }
  }
  return found.map(({ number, kind, text }) => `${number}\t${kind}\t${text.trim()}\n`).join("");
}

const sources = [...readdirSync("test/sources").map((name) => `test/sources/${name}`), ...["toon.v.pica", "particles.g.pica", "lanterns.vsh", "transform.sc", "direct3d9/fog.vsa", "direct3d9/spot.vsa"].map((name) => `../../examples/${name}`)];
for (const path of sources) {
  const name = path.replace(/.*\//, "");
  test(`${name} has the pieces of its golden file`, async () => {
    const { id } = manifest.languages.find((row) => row.extensions.some((extension) => name.endsWith(extension)));
    assert.equal(await pieces(path, id), readFileSync(`test/golden/${name}.txt`, "utf8"));
  });
}

test("every golden file has a source", () => {
  assert.deepEqual(readdirSync("test/golden").sort(), sources.map((path) => path.replace(/.*\//, "") + ".txt").sort());
});

test("patterns of language configurations and first lines are those of JavaScript", () => {
  for (const { configuration, firstLine } of manifest.languages.filter((row) => row.configuration)) {
    const { wordPattern, indentationRules } = JSON.parse(readFileSync(configuration, "utf8"));
    assert.equal("mov r0.x, -label_1".match(new RegExp(wordPattern, "g"))[0], "mov");
    for (const rule of Object.values(indentationRules ?? {})) new RegExp(rule.pattern, rule.flags);
    if (firstLine) new RegExp(firstLine);
  }
});
