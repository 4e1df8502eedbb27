// What the extension reads in texts itself. Nothing here needs the editor.
import * as path from "node:path";

export const LANGUAGES = ["picasso", "nihstro", "shadercore", "direct3d9"];

/** Suffixes of sources in GLSL, HLSL and Slang, which `lanewise compile` reads. */
export const COMPILED = [".vert", ".glsl", ".hlsl", ".fx", ".cgfx", ".cg", ".slang"];

/** Documents, by language or by their place. */
export interface Filter {
  scheme: string;
  language?: string;
  pattern?: string | { baseUri: string; pattern: string };
}

/** The documents that the server is told of: sources in assembly, and files that are compiled: all, none, or those in folders. */
export function selector(compiled: boolean | readonly string[]): Filter[] {
  const assembly = LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme })));
  const pattern = `**/*{${COMPILED.join(",")}}`;
  if (typeof compiled === "boolean") return compiled ? [...assembly, { scheme: "file", pattern }] : assembly;
  return [...assembly, ...compiled.map((baseUri) => ({ scheme: "file", pattern: { baseUri, pattern } }))];
}

/** Whether a configuration, lanewise.toml or pyproject.toml, has settings for files that are compiled. */
export function configuresCompile(name: string, text: string): boolean {
  const table = name === "pyproject.toml" ? String.raw`tool\.lanewise\.compile` : "compile";
  return new RegExp(String.raw`^[ \t]*\[[ \t]*${table}(?:\.[\w.-]+)?[ \t]*\]`, "m").test(text) || (name !== "pyproject.toml" && /^[ \t]*compile[ \t]*[.=]/m.test(text.split(/^[ \t]*\[/m)[0] ?? ""));
}

/** The tasks for a file: the command and its arguments, before those of the settings. */
export function tasksFor(language: string, file: string): { command: string; args: string[] }[] {
  if (LANGUAGES.includes(language)) return [{ command: "asm", args: [] }, { command: "check", args: [] }];
  return COMPILED.includes(path.extname(file).toLowerCase()) ? [{ command: "compile", args: ["--check"] }] : [];
}

/** Whether a file can be run and debugged: a source in assembly, or one that is compiled. */
export function isShader(language: string, file: string): boolean {
  return LANGUAGES.includes(language) || COMPILED.includes(path.extname(file).toLowerCase());
}

/** The forms of values, as the debugger calls them. */
export const FORMS = ["number", "hex", "float24", "float32", "fraction"];

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

/** The settings that are options of commands. */
export interface Options {
  profile?: string;
  device?: string;
  rule?: string;
  include?: string[];
  define?: string[];
}

/** The settings that the server reads. What else is below `lanewise` in somebody's settings is not given to it. */
export const SERVER_SETTINGS = ["profile", "device", "rule", "include", "define", "semantic", "inlayHints", "codeLens"];

const SOURCE_COMMANDS = ["asm", "check", "debug", "graph", "inspect", "run"];

/** Which commands have the option of a setting, for sources of which languages. */
export const OPTIONS: Record<keyof Options, { languages: string[]; commands: string[] }> = {
  profile: { languages: ["picasso", "nihstro"], commands: ["debug", "graph", "run"] },
  device: { languages: ["shadercore"], commands: ["check", "debug", "graph", "run", "time"] },
  rule: { languages: ["direct3d9"], commands: ["debug", "run"] },
  include: { languages: ["direct3d9"], commands: SOURCE_COMMANDS },
  define: { languages: ["direct3d9"], commands: SOURCE_COMMANDS },
};

/** The settings that a command on a source has options for. Folders are relative to the source. */
export function optionsFor(command: string, language: string, file: string, settings: Options): Options {
  const has = (name: keyof Options): boolean => OPTIONS[name].languages.includes(language) && OPTIONS[name].commands.includes(command);
  const given = Object.fromEntries((Object.keys(OPTIONS) as (keyof Options)[]).filter((name) => has(name) && settings[name]?.length).map((name) => [name, settings[name]])) as Options;
  return given.include ? { ...given, include: given.include.map((folder) => path.resolve(path.dirname(file), folder)) } : given;
}

/** Options as a command line has them: in one piece, so that a value which begins with a dash is a value. */
export function asArguments(options: Options): string[] {
  return Object.entries(options as Record<string, string | string[]>).flatMap(([name, value]) => [value].flat().map((each) => `--${name}=${each}`));
}

/** A file as an argument: a name that begins with a dash would be an option. */
export function asFile(name: string): string {
  return name.startsWith("-") ? `.${path.sep}${name}` : name;
}

/** A sentence as a message of the editor, which makes links of `[text](command:...)`: names of files and of shaders can have that form. */
export function asMessage(sentence: string): string {
  return sentence.replaceAll("](", "] (");
}

/** The code of a finding, such as V070; undefined for every other value. */
export function codeIn(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z]\d{3}$/.test(value) ? value.toUpperCase() : undefined;
}

/** A picture whose links to lines, such as `light.v.pica#L12`, call a command with the file and the line. `folder` is where the names begin. */
export function linesLinked(svg: string, folder: string, command: string): string {
  return svg.replace(/<a href="([^"]*)#L(\d+)">/g, (_, name: string, line: string) => {
    const given = encodeURIComponent(JSON.stringify([path.resolve(folder, decodeURIComponent(name)), Number(line)]));
    return `<a href="${escaped(`command:${command}?${given}`)}">`;
  });
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

/** A value of a data file: a number or truth, components, or a row for each register. */
export type Value = number | boolean | string | Value[];

/** The values of a run by table and name, as a data file of lanewise has them. */
export type Tables = Record<string, Record<string, Value>>;

/** The tables of a data file; undefined for another text. */
export function tablesIn(json: string): Tables | undefined {
  try {
    const { schema, ...tables } = JSON.parse(json) as Record<string, unknown>;
    return schema === "lanewise/data/1" ? (tables as Tables) : undefined;
  } catch {
    return undefined;
  }
}

/** A value as it is written: `1, 2, 3`, rows with semicolons. */
export function valueText(value: Value | undefined): string {
  if (!Array.isArray(value)) return String(value ?? "");
  return value.map(valueText).join(value.some(Array.isArray) ? "; " : ", ");
}

/** The value that a text writes, of the form of another: as many rows, each of as many components, or one number for all; undefined for any other text. */
export function valueIn(text: string, like: Value | undefined): Value | undefined {
  if (typeof like === "boolean") return { true: true, false: false, 1: true, 0: false }[text.trim().toLowerCase()];
  if (!Array.isArray(like)) return numberIn(text);
  const parts = text.split(like.some(Array.isArray) ? ";" : ",");
  if (parts.length !== like.length) return undefined;
  const found = parts.map((part, place) => valueIn(part, like[place]));
  return found.every((each) => each !== undefined) ? found : undefined;
}

function numberIn(text: string): number | undefined {
  const number = Number(text);
  return text.trim() && Number.isFinite(number) ? number : undefined;
}

/** The values to begin with: those of before that still fit, and for others what their names let expect, such as 1 in the diagonal of a matrix. */
export function guessed(read: Tables, before: Tables | undefined): Tables {
  const first = (table: string, name: string, zero: Value): Value => {
    const last = before?.[table]?.[name];
    if (last !== undefined && valueIn(valueText(last), zero) !== undefined) return last;
    if (!Array.isArray(zero)) return zero;
    if (zero.length === 4 && zero.every((row) => Array.isArray(row) && row.length === 4)) return zero.map((_, row) => [0, 1, 2, 3].map((column) => Number(row === column)));
    if (table === "inputs" && zero.length === 4) return [0, 0, Number(/normal/i.test(name)), 1];
    return zero;
  };
  return Object.fromEntries(Object.entries(read).map(([table, values]) => [table, Object.fromEntries(Object.entries(values).map(([name, zero]) => [name, first(table, name, zero)]))]));
}

/** Whether a launch configuration says what a program runs on. */
export function hasValues(configuration: Record<string, unknown>): boolean {
  return ["test", "inputs", "uniforms", "data", "mesh", "camera", "options"].some((key) => configuration[key] !== undefined);
}

/** The link that a studio prints first: an address of this machine; undefined before its line has ended. */
export function linkIn(said: string): string | undefined {
  return /^(http:\/\/127\.0\.0\.1:\d+\/\S*)\r?\n/.exec(said)?.[1];
}

/** A draw in the JSON of `lanewise frame`. */
export interface Drawn {
  number: number;
  frame: number;
  topology: string | null;
  vertices: number;
  programs: { stage: string; hash: string }[];
  changed: string[];
  findings: string[];
}

/** The draws of `lanewise frame --format json`; none for another text. */
export function drawsIn(json: string): Drawn[] {
  try {
    const { draws } = (JSON.parse(json) as { frame: { draws: Drawn[] } }).frame;
    return Array.isArray(draws) ? draws.filter(({ number }) => Number.isSafeInteger(number) && number >= 0) : [];
  } catch {
    return [];
  }
}

/** What a row has about a draw, after its number. */
export function cellsOf(draw: Drawn): string[] {
  const programs = draw.programs.map((program) => `${program.stage} ${program.hash}`).join(", ");
  return [String(draw.frame), String(draw.vertices), draw.topology ?? "?", programs, draw.findings.join(" "), draw.changed.join(", ")];
}

/** The draws as a table. */
export function drawTable(draws: readonly Drawn[]): string {
  const heads = ["draw", "frame", "vertices", "primitives", "programs", "findings", "changed"].map((name) => `<th scope="col">${name}</th>`);
  const rows = draws.map((draw) => `<tr>${[String(draw.number), ...cellsOf(draw)].map((text) => `<td>${escaped(text)}</td>`).join("")}</tr>`);
  return `<table><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
