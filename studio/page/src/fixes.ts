/** Fixes name the culled faces as an option of the command line; on the page they are a control, and a button beside the fix. */

import type { State } from "./types";

export interface PageFix {
  text: string;
  /** What does it at once. */
  label?: string;
  patch?: Partial<State>;
}

const CULLED: Record<string, string> = { none: "cull nothing", front: "cull front", back: "cull back" };

/** A fix as the page has it; the server has named the controls of other options. */
export function pageFix(fix: string): PageFix {
  const cull = /\(?`?--cull (none|front|back)`?\)?/.exec(fix);
  if (cull === null) return { text: fix };
  const [whole, name = "none"] = cull;
  const control = CULLED[name] ?? name;
  return { text: fix.replace(whole, whole.startsWith("(") ? `(here: ${control})` : `${control} here`), label: control.charAt(0).toUpperCase() + control.slice(1), patch: { cull: name } };
}
