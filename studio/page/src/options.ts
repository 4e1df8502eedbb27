/** Options of commands that a state has, as people type them. */

export type Options = Record<string, string | boolean | string[]>;

const LISTS = new Map([["-D", "define"], ["--define", "define"], ["--semantic", "semantic"], ["--constant", "constant"]]);
const TEXTS = new Map([["--entry-point", "entry-point"], ["--glsl-compiler", "glsl-compiler"]]);
const FLAGS = new Map([["--output-locations", "output-locations"], ["--picasso-compat", "picasso-compat"], ["--direct3d8", "direct3d8"]]);
export const NAMES: readonly string[] = [...LISTS.keys(), ...TEXTS.keys(), ...FLAGS.keys()];

/** The options of a line such as `--semantic glow=color -D LAMPS=2`; a sentence where it is wrong. */
export function readOptions(line: string): Options | string {
  const found: Options = {};
  const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map((match) => match[0].replaceAll('"', ""));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const short = /^-D(.+)$/.exec(word);
    const long = /^(--[^=]+)=(.*)$/.exec(word);
    const name = short !== null ? "-D" : (long?.[1] ?? word);
    const flag = FLAGS.get(name);
    if (flag !== undefined && long === null) {
      found[flag] = true;
      continue;
    }
    const list = LISTS.get(name);
    const text = TEXTS.get(name);
    if (list === undefined && text === undefined) {
      return `unknown option ${word}: use ${NAMES.join(", ")}`;
    }
    const value = short?.[1] ?? long?.[2] ?? words[(at += 1)];
    if (value === undefined || value === "") {
      return `${name} has no value`;
    }
    if (list !== undefined) {
      const before = found[list];
      found[list] = [...(Array.isArray(before) ? before : []), value];
    } else if (text !== undefined) {
      found[text] = value;
    }
  }
  return found;
}

/** The line of some options: what `readOptions` reads as the same. */
export function writeOptions(options: Options): string {
  const name = (key: string): string => (key === "define" ? "-D" : `--${key}`);
  const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);
  return Object.entries(options)
    .flatMap(([key, value]) => (value === true ? [name(key)] : value === false ? [] : (Array.isArray(value) ? value : [value]).map((each) => `${name(key)} ${quoted(each)}`)))
    .join(" ");
}
