// What the extension reads in texts itself. Nothing here needs the editor.

export const LANGUAGES = ["picasso", "nihstro", "shadercore", "direct3d9"];

/** The language of a text whose suffix several languages share (.vsh, .gsh); undefined where the text does not show one. */
export function languageOf(text: string): string | undefined {
  const code = text.replace(/\/\*[^]*?\*\//g, " ").split(/\r?\n/).map((line) => line.trim());
  const first = code.find((line) => line && !/^(?:;|\/\/|#)/.test(line));
  if (first && /^[vp]s[._][1-3][._](?:\d{1,3}|x|sw|a|b)\b/i.test(first)) return "direct3d9";
  if (code.some((line) => /^\.proc\b/.test(line))) return "picasso";
  return undefined;
}

/** A test of a `*.shadertest.toml`: its name and the line of its header, from 0. */
export interface TestPlace {
  name: string;
  line: number;
}

/** The tests of a file as it is being written; `lanewise test --list` has the last word when it is saved. */
export function testsIn(text: string): TestPlace[] {
  const found: TestPlace[] = [];
  let open: TestPlace | undefined;
  for (const [line, row] of text.split(/\r?\n/).entries()) {
    if (/^\s*\[\[\s*test\s*\]\]/.test(row)) {
      open = { name: `test ${found.length + 1}`, line };
      found.push(open);
    } else if (/^\s*\[/.test(row)) {
      open = undefined;
    } else if (open) {
      const name = /^\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(row);
      if (name) open.name = name[2] ?? unescaped(name[1] ?? "");
    }
  }
  return found;
}

/** The programs that a file of shader tests names, before its first table. */
export function programsIn(text: string): string[] {
  const head = text.split(/^\s*\[/m)[0] ?? "";
  const value = /^\s*program\s*=\s*(\[[^\]]*\]|"[^"]*"|'[^']*')/m.exec(head)?.[1] ?? "";
  return [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => match[1] ?? match[2] ?? "");
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", e: "\u001B" };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (_, short?: string, long?: string, letter?: string) => {
    const code = short ?? long;
    return code === undefined ? (ESCAPES[letter ?? ""] ?? letter ?? "") : String.fromCodePoint(parseInt(code, 16));
  });
}

/** A line of an answer in HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The result of a test as `lanewise test --format json` prints it. */
export interface TestResult {
  file: string;
  name: string;
  line: number;
  outcome: "passed" | "failed" | "error";
  message: string;
  seconds: number;
}

/** The results in what the command printed; undefined for anything else. */
export function resultsIn(printed: string): TestResult[] | undefined {
  try {
    const data = JSON.parse(printed) as { tests?: TestResult[] };
    return Array.isArray(data.tests) ? data.tests : undefined;
  } catch {
    return undefined;
  }
}
