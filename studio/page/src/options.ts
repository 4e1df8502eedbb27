/** Options of commands that a state has, as people type them. The server says which there are. */

export type Options = Record<string, string | boolean | string[]>;

/** An option: the key that it has in a state, and what is typed, `-D` or `--define`. */
export interface OptionRow {
  key: string;
  names: string[];
  kind: "flag" | "text" | "texts" | "optional";
  help: string;
}

/** The options of a line such as `--semantic glow=color -D LAMPS=2`; a sentence where it is wrong. */
export function readOptions(line: string, rows: readonly OptionRow[]): Options | string {
  const found: Options = {};
  const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map((match) => match[0].replaceAll('"', ""));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, name = word, joined] = /^(--[^=]+)=(.*)$/.exec(word) ?? /^(-[A-Za-z])(.+)$/.exec(word) ?? [];
    const row = rows.find((each) => each.names.includes(name));
    if (row === undefined || (row.kind === "flag" && joined !== undefined)) {
      return `unknown option ${word}: use ${rows.flatMap((each) => each.names).join(", ")}`;
    }
    if (row.kind === "flag") {
      found[row.key] = true;
      continue;
    }
    const next = words[at + 1];
    if (row.kind === "optional" && joined === undefined && (next === undefined || next.startsWith("-"))) {
      found[row.key] = true;
      continue;
    }
    const value = joined ?? words[(at += 1)];
    if (value === undefined || value === "") {
      return `${name} has no value`;
    }
    const before = found[row.key];
    found[row.key] = row.kind !== "texts" ? value : [...(Array.isArray(before) ? before : []), value];
  }
  return found;
}

/** The line of some options: what `readOptions` reads as the same. */
export function writeOptions(options: Options, rows: readonly OptionRow[]): string {
  const name = (key: string): string => rows.find((each) => each.key === key)?.names[0] ?? `--${key}`;
  const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);
  return Object.entries(options)
    .flatMap(([key, value]) => (value === true ? [name(key)] : value === false ? [] : (Array.isArray(value) ? value : [value]).map((each) => `${name(key)} ${quoted(each)}`)))
    .join(" ");
}

/** The value of an option that is not given. */
export function absent(row: OptionRow): string | boolean | string[] {
  return row.kind === "texts" ? [] : row.kind === "text" ? "" : false;
}
