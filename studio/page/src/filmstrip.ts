/** The draws of a recorded frame: which of them are in view, and what is said of each. */

import { counted } from "./numbers";
import type { ApartPane, ApartRow, FrameDraw, FrameFinding } from "./types";

export const CARD = 144; // pixels from one card to the next
const MORE = 2; // cards beside those in view

/** The first card in view and the one after the last. */
export function inView(left: number, width: number, count: number): [number, number] {
  const first = Math.max(Math.floor(left / CARD) - MORE, 0);
  return [Math.min(first, count), Math.min(Math.ceil((left + width) / CARD) + MORE, count)];
}

/** Where the strip has to be scrolled to so that a card is in view. */
export function scrolledTo(card: number, left: number, width: number): number {
  const start = card * CARD;
  return start < left ? start : start + CARD > left + width ? start + CARD - width : left;
}

/** The next draw without a small picture, of those in view: the nearest to the chosen one. */
export function nextWanted(range: readonly [number, number], has: (draw: number) => boolean, chosen: number): number | null {
  let found: number | null = null;
  for (let draw = range[0]; draw < range[1]; draw += 1) {
    if (!has(draw) && (found === null || Math.abs(draw - chosen) < Math.abs(found - chosen))) {
      found = draw;
    }
  }
  return found;
}

/** What counts of findings say: errors and warnings, and notes. */
export function findingsText(findings: readonly FrameFinding[]): string {
  const notes = findings.filter((finding) => finding.severity === "note").length;
  const wrong = findings.length - notes;
  return [wrong > 0 ? counted(wrong, "finding") : "", notes > 0 ? counted(notes, "note") : ""].filter(Boolean).join(", ");
}

/** The name of a draw, for the strip and for screen readers. */
export function drawLabel(draw: FrameDraw, edited: boolean, apart = ""): string {
  const findings = findingsText(draw.findings);
  return [`draw ${String(draw.number)}, frame ${String(draw.frame)}`, counted(draw.vertices, "vertex", "vertices"), draw.topology ?? "unknown topology", draw.programs.map((program) => `${program.stage} ${program.sources?.[0] ?? program.hash}`).join(" and "), findings === "" ? "no findings" : findings, edited ? "edited" : "", apart].filter(Boolean).join(", ");
}

/** What a comparison of the whole frame says of a draw; empty for one without a difference. */
export function apartText(row: ApartRow | undefined): string {
  const differ = row?.differ ?? 0;
  return differ === 0 ? "" : `${differ.toLocaleString("en")} of ${counted(row?.compared ?? 0, row?.unit ?? "vertex", row?.unit === "corner" ? "corners" : "vertices")} ${differ === 1 ? "differs" : "differ"}`;
}

/** What it says of all draws that are done. */
export function apartSummary({ profiles, draws, total }: ApartPane): string {
  const [one, two] = profiles;
  const differ = draws.filter((row) => (row.differ ?? 0) > 0).length;
  const done = draws.length < total ? `, ${draws.length.toLocaleString("en")} of ${total.toLocaleString("en")} compared` : "";
  return `${one} against ${two}: ${differ === 0 ? "no draw differs" : `${counted(differ, "draw")} ${differ === 1 ? "differs" : "differ"}`}${done}`;
}

/** The draw that a key leads to; null for other keys. */
export function drawAt(key: string, draw: number, count: number, page: number): number | null {
  const moves: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count };
  const move = moves[key];
  return move === undefined || count === 0 ? null : Math.min(Math.max(draw + move, 0), count - 1);
}
