/** Panes of the server as the page keeps them. */

import { counted, withSignedNumbers } from "./numbers";
import type { CauseGraph, Explained, ExplainNode, Floor, IssuePane, Plain, StopPane, TimePane, TraceStep, WavesPane } from "./types";

interface Numbers {
  values: Plain[];
  bits?: number[];
}

interface ServerStep {
  step: number;
  word: number;
  instruction: string;
  source?: { file: string; line: number } | null;
  operands: ({ register: string; name: string; places: string[]; modifier?: string; note?: string } & Numbers)[];
  writes: { register: string; name: string; components: string; new: Numbers; old: Numbers | null }[];
  decisions: { question: string; answer: string }[];
  notes: string[];
}

export interface ServerTime {
  thread: number;
  subject: string;
  what: string;
  first: number;
  steps: ServerStep[];
  total: number;
  complete: boolean;
  fault: { message: string } | null;
  given: Record<string, { kind: string; name: string; value?: Plain; bits?: number }>;
  results: Record<string, string>;
  sources: { thread: number; title: string }[];
}

export function timeOf(pane: ServerTime, run: number | null): TimePane {
  return {
    subject: pane.subject,
    vertex: pane.thread,
    first: pane.first,
    complete: pane.complete,
    steps: pane.steps.map(stepOf),
    given: Object.fromEntries(Object.entries(pane.given).map(([place, given]) => [place, { kind: given.kind, value: given.value ?? 0, name: given.name }])),
    results: pane.results,
    fault: pane.fault?.message ?? null,
    sources: pane.sources,
    run,
  };
}

function stepOf(step: ServerStep): TraceStep {
  return {
    number: step.step,
    address: step.word,
    instruction: step.instruction,
    file: step.source?.line ? step.source.file : null,
    line: step.source?.line ? step.source.line : null,
    operands: step.operands.map((operand) => ({ register: operand.register, name: operand.name, text: `${operand.modifier ?? ""}${operand.name}${operand.note ? ` (${operand.note})` : ""}`, values: operand.values })),
    writes: step.writes.map((write) => ({ register: write.register, name: write.name, components: write.components, old: write.old?.values ?? [], new: write.new.values })),
    decisions: step.decisions,
    notes: step.notes,
  };
}

export interface ServerNode {
  kind: string;
  place: string;
  name: string;
  value?: Plain;
  step?: number;
  instruction?: string;
  file?: string;
  line?: number;
  column?: number;
  length?: number;
  expression?: string;
  again?: boolean;
  /** The tree ends here, not what the value comes from. */
  cut?: boolean;
  from?: { thread: number; place: string };
  children: ServerNode[];
}

const GIVEN: Record<string, string> = { input: "input", uniform: "uniform", constant: "constant", register: "register at the start", unset: "nothing has written it" };

function explanationOf(node: ServerNode): ExplainNode {
  return {
    place: node.place,
    value: node.value ?? null,
    text: node.kind === "step" ? `${node.instruction ?? ""}${node.again === true ? "  (see above)" : node.cut === true ? "  (goes on: choose this step, then its value)" : ""}` : `${GIVEN[node.kind] ?? node.kind}${node.name === node.place ? "" : ` ${node.name}`}${node.from === undefined ? "" : `: ${node.from.place} of vertex ${String(node.from.thread)}`}`,
    step: node.step ?? null,
    file: node.line ? (node.file ?? null) : null,
    line: node.line ? node.line : null,
    column: node.column ?? 0,
    length: node.length ?? 0,
    ...(node.expression === undefined ? {} : { expression: node.expression }),
    ...(node.from === undefined ? {} : { from: node.from }),
    children: node.children.map(explanationOf),
  };
}

export function explainedOf(pane: { tree: ServerNode; graph: CauseGraph }, place: string): Explained {
  return { place, tree: explanationOf(pane.tree), graph: pane.graph };
}

export function stopOf(pane: { found: boolean; position: number; reason: string }): StopPane {
  return { step: pane.found ? pane.position : null, text: withSignedNumbers(pane.reason) };
}

export interface ServerWave {
  lanes: number[];
  rows: { address: number; instruction: string; file: string; line: number; steps: number[]; writes: number[]; diverges: boolean }[];
  together: boolean;
  what: string;
  one: string;
}

export function wavesOf(pane: ServerWave): WavesPane {
  return {
    lanes: pane.lanes,
    together: pane.together,
    one: pane.one,
    rows: pane.rows.map((row) => ({ address: row.address, text: row.instruction, file: row.line ? row.file : null, line: row.line || null, counts: row.steps, writes: row.writes, diverges: row.diverges })),
  };
}

export interface ServerTimeline {
  reason?: string;
  device?: string;
  cycles?: number;
  run?: number;
  stalls?: number;
  floor?: Floor | null;
  rows?: {
    address: number; instruction: string; file: string; line: number; pipe: string; cycle: number; ready: number; latency: number; interval: number; quads: number[]; end: number; writes: string; stalls: number; why: string | null;
    waits: { kind: string; cycles: number; register: string; address: number }[];
  }[];
}

/** Which instruction issues last, and which waits longest. */
function outstanding(rows: NonNullable<ServerTimeline["rows"]>): string {
  const [first] = rows;
  if (first === undefined) {
    return "";
  }
  const name = (row: typeof first): string => row.instruction + (row.line ? ` (line ${String(row.line)})` : "");
  const last = rows.reduce((a, b) => (b.cycle >= a.cycle ? b : a));
  const longest = rows.reduce((a, b) => (b.stalls > a.stalls ? b : a));
  return `. The last instruction, ${name(last)}, issues in cycle ${String(last.cycle)}; ${longest.stalls === 0 ? "none waits" : `${name(longest)} waits longest, ${counted(longest.stalls, "cycle")}${rows.filter((row) => row.stalls === longest.stalls).length > 1 ? ", the first of those" : ""}`}.`;
}

/** How many of the cycles are stalls; empty where the line of the floor says what is above it. */
function parts({ cycles = 0, stalls = 0, floor = null }: ServerTimeline): string {
  const isSaid = floor !== null && floor.bounds[0]?.name === "issue" && cycles - floor.cycles - stalls >= 0;
  return isSaid ? "" : `, ${String(stalls)} of them stalls`;
}

export function issueOf(pane: ServerTimeline): IssuePane | null {
  if (pane.rows === undefined) {
    return null;
  }
  return {
    cycles: pane.cycles ?? 0,
    floor: pane.floor ?? null,
    text: `${String(pane.cycles ?? 0)} cycles on ${pane.device ?? ""}${parts(pane)}${outstanding(pane.rows)}`,
    rows: pane.rows.map((row) => ({
      address: row.address, text: row.instruction, file: row.line ? row.file : null, line: row.line || null, pipe: row.pipe, issue: row.cycle, stall: row.stalls, quads: row.quads, latency: row.latency, end: row.end,
      writes: row.writes, why: row.why ?? row.waits.map((wait) => `waits ${String(wait.cycles)} cycles for ${wait.kind === "port" ? "the port of " : ""}${wait.register} of word ${String(wait.address)}`).join("; "),
    })),
  };
}
