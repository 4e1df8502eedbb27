/** Draw: the set-up of a recorded draw, its attributes with their sources, its findings; and its registers by topic with what changed. */

import type { Actions } from "../actions";
import { pageFix } from "../fixes";
import { counted } from "../numbers";
import type { Store } from "../state";
import type { DrawPane, RegisterRow } from "../types";
import { clear, empty, h } from "../widgets/dom";

const SOURCES: Record<string, string> = { loaded: "fed", default: "default", missing: "missing" };

export function drawPane(store: Store, actions: Actions): HTMLElement {
  const body = h("div", { class: "scroll draw-pane", tabIndex: 0 });
  store.on(["draw", "edited"], ({ draw, edited }) => {
    if (draw === null) {
      clear(body, empty("No draw", "Open a recorded frame: its draws are in the strip above."));
      return;
    }
    clear(body,
      ...(draw.refused ?? []).map((finding) => h("p", { class: "problem", role: "alert" }, `This draw does not run: ${finding.message}${finding.fix ? ` – ${pageFix(finding.fix).text}` : ""}`)),
      edited.has(draw.number) ? h("div", { class: "bar" }, h("span", { class: "quiet" }, "The shader or a value of this draw is edited."), h("button", { type: "button", onclick: () => { actions.recorded(); } }, "Back to what was recorded")) : null,
      h("h2", {}, `Draw ${String(draw.number)}`),
      h("p", { class: "cost" }, `${draw.topology ?? "unknown topology"} (${draw.kind}), ${counted(draw.vertices, "vertex", "vertices")}, ${draw.different.toLocaleString("en")} different; target ${draw.size === null ? "of unknown size" : draw.size.join(" × ")}; ${draw.where}`),
      h("p", { class: "cost" }, draw.programs.map((program) => `${program.stage} ${program.hash}${program.sources?.[0] === undefined ? "" : ` (${program.sources[0]})`}, ${counted(program.words, "word")}, begins at ${String(program.entry)}`).join("; ")),
      h("p", { class: "cost" }, draw.number === 0 ? "" : draw.changes.length === 0 ? "Nothing changed since the draw before." : `Changed since the draw before: ${draw.changes.join(", ")}`),
      draw.findings.length === 0 ? null : h("h2", {}, "Findings"),
      ...draw.findings.map((finding) => h("p", { class: `draw-finding ${finding.severity}` }, h("b", {}, `${finding.severity} ${finding.code}`), ` ${finding.message}`, finding.fix ? h("span", { class: "quiet" }, ` – ${pageFix(finding.fix).text}`) : null)),
      h("h2", {}, "Attributes"),
      h("table", { class: "plain attributes" }, h("thead", {}, h("tr", {}, ...["input", "source", "type or value", "address", "stride"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...draw.attributes.map((row) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, row.register)), h("td", {}, sourceBadge(SOURCES[row.source] ?? row.source)), ...(row.type === null ? [h("td", { colSpan: 3 }, h("code", {}, row.value))] : [h("td", {}, `${row.type} × ${String(row.elements ?? 0)}`), h("td", {}, row.address === null ? "" : h("code", {}, `0x${row.address.toString(16).toUpperCase().padStart(8, "0")}`)), h("td", { class: "number" }, row.stride === null ? "" : String(row.stride))]))))));
  });
  return body;
}

/** Where a value of a draw comes from, as a word in a colour. */
export function sourceBadge(source: string): HTMLElement {
  const titles: Record<string, string> = { fed: "from a vertex buffer of the recording", default: "a default attribute: the same for every vertex", missing: "nothing feeds it, or it is not in the recording: taken as 0", page: "set on this page", draw: "as the draw has it" };
  return h("span", { class: `source-badge ${source}`, title: titles[source] ?? "" }, source);
}

export function registersPane(store: Store): HTMLElement {
  const list = h("div", { class: "register-topics" });
  const only = h("input", { type: "checkbox", onchange: () => { show(store.value.draw); } });
  const find = h("input", { type: "search", class: "condition", placeholder: "name or number", "aria-label": "find a register", oninput: () => { show(store.value.draw); } });
  const body = h("div", { class: "scroll registers-pane" }, h("div", { class: "bar" }, h("label", {}, only, " only what changed"), find), list);
  const open = new Map<string, boolean>();

  function fields(row: RegisterRow): string {
    return row.fields.map((field) => `${field.name} ${field.value}${row.before !== null && field.before !== field.value ? ` (was ${field.before ?? "?"})` : ""}`).join(", ");
  }

  function show(draw: DrawPane | null): void {
    if (draw === null) {
      clear(list, empty("No registers", "Open a recorded frame to see what its draws are set up with."));
      return;
    }
    const text = find.value.trim().toLowerCase();
    const topics = draw.topics.map((topic) => ({ ...topic, rows: topic.rows.filter((row) => (!only.checked || row.before !== null) && (text === "" || `${row.name} ${row.number}`.toLowerCase().includes(text))) })).filter((topic) => topic.rows.length > 0);
    if (topics.length === 0) {
      clear(list, h("p", { class: "hint" }, text === "" ? "No register has changed since the draw before." : "No register has this name or number."));
      return;
    }
    clear(list, ...topics.map((topic) => {
      const details = h("details", { open: text !== "" || only.checked || (open.get(topic.topic) ?? topic.changed > 0) },
        h("summary", {}, topic.topic, h("span", { class: "badge" }, topic.changed > 0 ? `${String(topic.changed)} changed` : String(topic.rows.length))),
        h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...["register", "value", "before", "fields"].map((name) => h("th", { scope: "col" }, name)))),
          h("tbody", {}, ...topic.rows.map((row) => h("tr", { class: row.before === null ? "" : "changed", title: row.about },
            h("th", { scope: "row" }, h("code", {}, row.name.replace("GPUREG_", "")), row.number === "" ? null : h("span", { class: "register" }, row.number)),
            h("td", {}, h("code", {}, row.value)), h("td", { class: row.before === null ? "" : "before" }, row.before === null ? "" : h("code", {}, row.before)), h("td", { class: "fields" }, fields(row)))))));
      details.ontoggle = () => { open.set(topic.topic, details.open); };
      return details;
    }));
  }
  store.on(["draw"], ({ draw }) => {
    show(draw);
  });
  return body;
}
