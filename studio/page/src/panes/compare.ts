/** Compare: with a version that was kept, with another profile or device, and all draws of a frame under two profiles. */

import type { Actions } from "../actions";
import { apartSummary } from "../filmstrip";
import { named } from "../history";
import { exact, short, variantText, withSigns } from "../numbers";
import type { Store } from "../state";
import type { ApartPane, ApartRow, ComparePane, State } from "../types";
import { announce, clear, empty, h } from "../widgets/dom";
import { grid, HEIGHT } from "../widgets/grid";

/** Whether a difference can be seen, in pixels and in steps of a colour; empty where nothing is drawn. */
export function seenText({ seen }: Pick<ComparePane, "seen">): string {
  if (seen === undefined || seen === null || typeof seen.pixels !== "number" || typeof seen.colour !== "number") return "";
  const can = seen.pixels >= 0.5 || seen.colour >= 1 ? "It can be seen" : "It can hardly be seen";
  return `${can}: on the ${String(seen.width)}×${String(seen.height)} screen a vertex moves by ${short(seen.pixels, 2)} pixels at most, a colour changes by ${short(seen.colour, 2)} of 255 at most.`;
}

export function comparePane(store: Store, actions: Actions): HTMLElement {
  let kept: State | null = null;
  let keptAt = "";
  const body = h("div", { class: "scroll compare" });
  const result = h("div", { class: "compare-result" });
  const frameResult = h("div", { class: "frame-result" });
  const keep = h("button", { type: "button", onclick: () => {
    kept = structuredClone(store.value.state) as State;
    keptAt = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    draw();
    actions.say("This version is kept: change the source or the data, then compare.");
  } }, "Keep this version");
  const against = h("button", { type: "button", class: "primary", title: "compare with the kept version", onclick: () => { other = ""; if (kept !== null) ask({ ...kept }, "since it was kept"); } }, "Compare with the kept version");
  const keptText = h("span", { class: "quiet", hidden: true });
  let changed = ""; // what the two states differ in, in words
  let other = ""; // the profile of the comparison that is shown
  const variants = h("select", { "aria-label": "another profile or device", onchange: () => {
    other = variants.value;
    if (other !== "") ask({ ...store.value.state, profile: other });
  } });
  const own = h("span");
  const pair = h("label", { class: "pair" }, own, variants);
  let wholeOther = "";
  const whole = h("select", { "aria-label": "another profile for the whole frame", title: "run every draw as it was recorded under both profiles", onchange: () => {
    const { frame, state, source } = store.value;
    wholeOther = whole.value;
    if (wholeOther !== "" && frame !== null) {
      store.set({ apart: null });
      actions.ask("apart", { file: frame.file, profile: source?.variant ?? state.profile ?? "", set: state.set ?? "", against: wholeOther });
    }
  } });
  const prove = h("button", { type: "button", title: "are the two programs equal for all inputs?", onclick: () => { if (kept !== null) actions.ask("diff", { other: kept }); } }, "Prove or refute");

  body.append(h("div", { class: "bar" }, pair, whole, keep, keptText, against, prove), frameResult, result);

  function ask(other: State, since = ""): void {
    const what = since === "" ? "" : named(other, store.value.state);
    changed = what === "" ? "" : `Changed ${since}: ${what}.`;
    actions.ask("compare", { other });
  }

  function draw(): void {
    const { source, compare } = store.value;
    const names = (source?.variants ?? []).filter((variant) => variant.name !== source?.variant);
    if (compare === null || !names.some((variant) => variant.name === other)) other = "";
    clear(variants, h("option", { value: "" }, `another ${source?.option ?? "profile"}…`), ...names.map((variant) => h("option", { value: variant.name, title: variant.summary, selected: variant.name === other }, variantText(variant))));
    pair.hidden = names.length === 0;
    const now = source?.variants.find((variant) => variant.name === source.variant);
    own.textContent = `compare ${now === undefined ? "it" : variantText(now)} with `;
    const { frame, hello } = store.value;
    const profiles = frame === null ? [] : (hello?.variants["pica200"] ?? []).filter((variant) => variant.name !== (source?.variant ?? "hardware"));
    clear(whole, h("option", { value: "" }, "compare the whole frame with another profile…"), ...profiles.map((variant) => h("option", { value: variant.name, title: variant.summary, selected: variant.name === wholeOther }, variantText(variant))));
    whole.hidden = profiles.length === 0;
    against.hidden = prove.hidden = kept === null;
    if (compare === null) {
      clear(result, empty("Two versions, side by side", `The ${source?.option ?? "profile"} at the top is the one of the picture and of all panes. One that is chosen here runs beside it, for this comparison only. Or keep this version, change something, and compare.`));
    } else {
      const { first, verdict } = compare;
      const [one = "this version", two = "the other"] = compare.names;
      const called = (name: string): string => variantText(source?.variants.find((variant) => variant.name === name) ?? { name });
      clear(result,
        compare.text === "" ? null : h("p", { class: "cost compared" }, h("b", {}, `${called(one)} against ${called(two)}`), `: ${compare.text}`),
        seenText(compare) === "" ? null : h("p", { class: "cost seen" }, seenText(compare)),
        why(compare, one, two),
        compare.only.length === 0 ? null : h("p", { class: "cost" }, `in one of them only: ${compare.only.join(", ")}`),
        compare.cycles ? h("p", { class: "cost cycles-of-both" }, `a wave takes ${String(compare.cycles[0])} cycles in ${one}, ${String(compare.cycles[1])} in ${two}`) : null,
        h("div", { class: "compare-columns" },
          compare.differ > 0 ? h("div", {},
            h("table", { class: "plain", "aria-label": "outputs that differ" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "output"), h("th", { scope: "col", class: "number" }, "vertices"), h("th", { scope: "col", class: "number" }, "largest difference"))),
              h("tbody", {}, ...compare.outputs.map((row) => h("tr", {}, h("td", {}, h("code", {}, `${row.name}.${row.component}`)), h("td", { class: "number" }, row.vertices.toLocaleString("en")), h("td", { class: "number" }, short(row.largest)))))),
            h("button", { type: "button", onclick: () => { store.set({ colouring: "differs" }); } }, "Mark them in the mesh view")) : null,
          first ? h("div", { class: "first" }, h("h2", {}, `First difference: vertex ${String(first.vertex)}${first.step === null ? "" : `, step ${String(first.step)}`}`),
            h("table", { class: "plain", "aria-label": "the first difference" }, h("tbody", {}, ...[[one, first.left] as const, [two, first.right] as const].map(([name, side]) =>
              h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, h("b", { class: "exact" }, exact(side.value))), h("td", {}, h("code", {}, side.text)))))),
            h("button", { type: "button", class: "primary", onclick: () => { actions.pick(first.vertex, null); if (first.step !== null) actions.seek(first.step + 1); actions.tab("time"); } }, "Open this step")) : null),
        (compare.list ?? []).length === 0 ? null : h("h2", {}, `Vertices that differ${(compare.list ?? []).length < compare.differ ? `: the first ${(compare.list ?? []).length.toLocaleString("en")} of ${compare.differ.toLocaleString("en")}` : ""}`),
        (compare.list ?? []).length === 0 ? null : differing(compare, one, two),
        verdict ? h("div", { class: `verdict ${verdict.kind}` }, h("h2", {}, { equal: "Equal", different: "Different", unknown: "Not decided" }[verdict.kind]), h("pre", {}, verdict.text)) : null);
    }
    keptText.hidden = kept === null;
    keptText.textContent = `kept at ${keptAt}`;
  }

  /** Why values differ: the open questions that the two profiles answer differently, or what was changed. */
  function why(compare: ComparePane, one: string, two: string): HTMLElement | null {
    const rows = compare.because ?? [];
    if (rows.length === 0) {
      return compare.differ > 0 && changed !== "" ? h("p", { class: "cost because" }, changed) : null;
    }
    const certainty = (known: string): string => ({ measured: "measured on hardware", inferred: "inferred, not measured" }[known] ?? "the best known answer, not measured");
    const plain = (topic: string): string => topic.replace(/ \([A-Z]\d+\)$/, ""); // without the number of the question, which the evidence has
    const [first] = rows;
    const head = rows.length === 1 && first !== undefined ? [h("p", {}, h("b", {}, "Why they differ: "), `${plain(first.topic)}.`), ...[[one, first.left], [two, first.right]].map(([name, text]) => h("p", {}, "In ", h("code", {}, name ?? ""), ` this is: ${text ?? ""}.`))]
      : [h("p", {}, h("b", {}, `Why they differ: ${String(rows.length)} rules. `), `Each of them alone changes a value: ${rows.slice(0, 3).map((row) => plain(row.topic)).join("; ")}${rows.length > 3 ? "; …" : ""}.`)];
    return h("div", { class: "because" }, ...head,
      h("details", {}, h("summary", {}, "evidence"), ...rows.flatMap((row) => [
        h("p", {}, h("b", {}, row.topic)), h("p", {}, `${one}: ${row.left}`), h("p", {}, `${two}: ${row.right}`), h("p", { class: "quiet" }, `"${row.best}" is ${certainty(row.known)}. ${row.source}`)])));
  }

  /** The draws of the frame that differ; a row leads to the draw, its first such vertex, and the list of the others. */
  function drawFrame(pane: ApartPane | null): void {
    if (pane === null) {
      clear(frameResult);
      return;
    }
    const [one, two] = pane.profiles;
    const rows = pane.draws.filter((row) => (row.differ ?? 0) > 0);
    const refused = pane.draws.filter((row) => row.refused !== undefined);
    const table = grid("draws that differ", (index) => {
      const row = rows[index];
      if (row !== undefined) actions.draw(row.number, { vertex: row.first?.row ?? null, against: two.split(",")[0] ?? two });
    });
    table.element.classList.add("differing");
    table.element.style.height = `${String((Math.min(rows.length, 8) + 1) * HEIGHT + 2)}px`;
    clear(frameResult, h("h2", {}, apartSummary(pane)),
      refused.length === 0 ? null : h("p", { class: "cost" }, `${refused.length === 1 ? "1 draw does" : `${refused.length.toLocaleString("en")} draws do`} not run: ${refused.slice(0, 20).map((row) => String(row.number)).join(", ")}${refused.length > 20 ? ", …" : ""}`),
      rows.length === 0 ? null : table.element);
    const at = (index: number): ApartRow | undefined => rows[index];
    table.fill([
      { label: "draw", width: 6, text: (index) => String(at(index)?.number ?? "") },
      { label: "differ", width: 8, text: (index) => at(index)?.differ?.toLocaleString("en") ?? "" },
      { label: "of", width: 8, text: (index) => at(index)?.compared?.toLocaleString("en") ?? "", hint: "vertices, or corners of the triangles of a geometry shader" },
      { label: "furthest", width: 12, text: (index) => short(at(index)?.furthest) },
      { label: "first", width: 8, text: (index) => at(index)?.first?.row.toString() ?? "" },
      { label: "output", width: 14, kind: "text", text: (index) => at(index)?.first?.output ?? "" },
      { label: one, width: 24, kind: "text", text: (index) => withSigns(at(index)?.first?.first ?? "") },
      { label: two, width: 24, kind: "text", text: (index) => withSigns(at(index)?.first?.second ?? "") },
    ], rows.length);
  }

  /** The list that leads to each vertex. */
  function differing(compare: ComparePane, one: string, two: string): HTMLElement {
    const list = compare.list ?? [];
    const table = grid("vertices that differ", (row) => {
      const found = list[row];
      if (found !== undefined) actions.pick(found.vertex, null);
    });
    table.element.classList.add("differing");
    table.element.style.height = `${String((Math.min(list.length, 12) + 1) * HEIGHT + 2)}px`;
    const at = (row: number): NonNullable<ComparePane["list"]>[number] | undefined => list[row];
    const widest = (side: "left" | "right", label: string): number => list.reduce((most, row) => Math.max(most, exact(row[side]).length), label.length + 1);
    table.fill([
      { label: "vertex", width: 6, text: (row) => String(at(row)?.vertex ?? "") },
      { label: "output", width: 16, kind: "text", text: (row) => `${at(row)?.place ?? ""}${(at(row)?.components ?? 1) > 1 ? ` and ${String((at(row)?.components ?? 1) - 1)} more` : ""}`, hint: "the first component that differs, and how many more do" },
      { label: one, width: widest("left", one), text: (row) => exact(at(row)?.left) },
      { label: two, width: widest("right", two), text: (row) => exact(at(row)?.right) },
    ], list.length);
    return table.element;
  }

  store.on(["compare", "source", "frame"], draw);
  let told = "";
  store.on(["compare"], ({ compare }) => { // a comparison that is done again after a change is said where its result is another
    const text = compare === null ? "" : compare.verdict?.text.split("\n")[0] ?? result.querySelector(".compared")?.textContent ?? "";
    if (text !== told && text !== "" && !body.hidden) announce(text);
    told = text;
  });
  let compared: unknown = null; // the picture whose comparison is shown
  store.on(["mesh"], ({ mesh, compare, state }) => { // what is chosen is compared again after each change
    const now = mesh?.head.hot === true ? compared : mesh?.head.id;
    if (now !== compared && compare !== null && other !== "" && body.offsetParent !== null) ask({ ...state, profile: other });
    compared = now;
  });
  store.on(["apart"], ({ apart }) => {
    drawFrame(apart);
  });
  return body;
}
