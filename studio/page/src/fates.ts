/** What becomes of triangles, in words. */

const FATES: Record<string, string> = {
  stopped: "stopped without end", nan: "have a position that is not a number", infinite: "have a position that is infinite", behind: "are behind the viewer (w is 0 or less)",
  degenerate: "have no area", corners: "are outside with all corners", culled: "show the side that is left out (cull)", limits: "are outside of the near and far planes", small: "are smaller than a pixel", near: "are nearer than the near plane", far: "are beyond the far plane",
  left: "are to the left of the screen", right: "are to the right of it", top: "are above it", bottom: "are below it",
  transparent: "are transparent", hidden: "are behind others",
};

/** Why a whole draw is not visible, as short as a card has room for. */
export const LOST: Record<string, string> = {
  stopped: "the program does not end", nan: "NaN positions", infinite: "infinite positions", behind: "behind the viewer: w\u00a0≤\u00a00", degenerate: "triangles without area", corners: "outside of the screen", left: "left of the screen", right: "right of the screen", top: "above the screen", bottom: "below the screen", near: "nearer than the near plane", far: "beyond the far plane",
  culled: "all faces culled", limits: "outside of near and far", small: "smaller than a pixel", transparent: "transparent: alpha\u00a0is\u00a00", hidden: "behind others", "no-triangles": "no triangles",
};

/** What becomes of triangles, as short as a cell of a table has room for. */
export const BRIEF: Record<string, string> = {
  culled: "culled", transparent: "transparent", limits: "cut off", small: "tiny", hidden: "hidden", degenerate: "no area", corners: "outside", stopped: "stopped", nan: "NaN", infinite: "infinite", behind: "w\u00a0≤\u00a00",
};

/** What becomes of triangles, in words: the most frequent first. */
export function counts(numbers: Readonly<Record<string, number>>): string {
  const rows = Object.entries(numbers).filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  return `Of the triangles ${rows.map(([name, count]) => `${count.toLocaleString("en")} ${FATES[name] ?? `are left out (${name})`}`).join(", ")}.`;
}
