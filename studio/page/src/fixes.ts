/** Fixes name options of the command line; on the page they are controls. */

import type { OptionRow } from "./options";
import type { State } from "./types";

export interface PageFix {
  text: string;
  /** What does it at once. */
  label?: string;
  patch?: Partial<State>;
}

const CULLED: Record<string, string> = { none: "cull nothing", front: "cull front", back: "cull back" };

/** Other options that are controls, by name. */
const PLACES: Record<string, string> = {
  "--entry": "the choice of the program at the top", "--input": "under Data", "--default": "under Data", "--uniform": "under Data", "--mesh": "the choice below the picture", "--screen": "the choice above the picture",
  "--profile": "the choice at the top", "--device": "the choice at the top",
};

/** A fix as the page has it; `options` are those of the line above the source. */
export function pageFix(fix: string, options: readonly OptionRow[] = []): PageFix {
  const cull = /\(?`?--cull (none|front|back)`?\)?/.exec(fix);
  if (cull !== null) {
    const [whole, name = "none"] = cull;
    const control = CULLED[name] ?? name;
    return { text: fix.replace(whole, whole.startsWith("(") ? `(here: ${control})` : `${control} here`), label: control.charAt(0).toUpperCase() + control.slice(1), patch: { cull: name } };
  }
  const places = [...new Set([...fix.matchAll(/(?<![\w-])--?[A-Za-z][\w-]*/g)].map(([name]) => PLACES[name] ?? (options.some((row) => row.names.includes(name)) ? "under Options, above the source" : "")).filter((place) => place !== ""))];
  return { text: places.length === 0 ? fix : `${fix} (${places.join("; ")})` };
}
