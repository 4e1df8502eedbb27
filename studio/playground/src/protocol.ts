/** What travels between the page and its worker besides the messages of the studio's protocol. */

import type { Hello } from "../../page/src/types";

/** How far the worker is before it can answer; `failed` says why it never will. */
export interface Loading {
  what: string;
  done: number;
  total: number;
  failed?: string;
}

/** The folder's table of contents: manifest.json. */
export interface Manifest {
  version: string;
  /** Of the files that are loaded: those of two builds do not go together. */
  build: string;
  /** What Python imports that is not in the memory. */
  archive: string;
  /** Bytes of the memory that Python begins with. */
  memory: number;
  /** Of everything that is loaded. */
  bytes: number;
}

/** A message that an answer was made of when the page was built: recorded/NAME.json has a list of them. */
export interface Recorded {
  pane: string;
  value: unknown;
}

export interface PlaygroundHello extends Hello {
  lanewise: string;
  limits: [string, string][];
  mostVertices: number;
}

export interface RunPane {
  command?: string;
  /** Why there are no results. */
  reason?: string;
  diagnostics: import("../../page/src/types").Finding[];
  lanes?: number;
  engine?: string;
  variant?: string;
  format?: string;
  outputs?: Record<string, { register: string; components: string; values: (number | "NaN" | "Infinity" | "-Infinity")[][] }>;
  faults?: { message?: string }[];
}

export interface ConvertPane {
  to: string;
  title: string;
  sources: { name: string; text: string }[];
  remarks: string[];
}

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "fixed"; text: string }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "items"; points: [string, string][] };

export interface ReferenceIndex {
  sets: { isa: string; title: string; names: string[] }[];
  codes: { title: string; rows: { code: string; title: string }[] }[];
}

export interface ReferencePage {
  isa: string;
  name: string;
  blocks: Block[];
}
