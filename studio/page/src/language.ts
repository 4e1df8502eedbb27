/** How sources are coloured: by the rules that lanewise makes from the tables of a language. */

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StreamParser, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

import type { Lexicon } from "./types";

/** The kinds of pieces (lanewise.core.lexicon.KINDS), each with a tag of the editor. */
const TAGS: Record<string, string> = {
  comment: "comment",
  "block comment": "comment",
  string: "string",
  number: "number",
  value: "atom",
  preprocessor: "meta",
  directive: "definitionKeyword",
  version: "meta",
  instruction: "keyword",
  flow: "controlKeyword",
  procedure: "labelName",
  label: "labelName",
  semantic: "attributeName",
  register: "variableName.special",
  components: "propertyName",
  modifier: "modifier",
  operator: "operator",
  punctuation: "punctuation",
};

interface Compiled {
  pattern: RegExp;
  kinds: readonly string[];
  end: RegExp | null;
}

/** The rules as regular expressions that match at one place; those that this browser cannot read are left out. */
export function compiledRules(lexicon: Lexicon): Compiled[] {
  const rules: Compiled[] = [];
  for (const rule of lexicon.rules) {
    try {
      rules.push({ pattern: new RegExp(rule.pattern, "ymd"), kinds: rule.kinds, end: rule.end === "" ? null : new RegExp(rule.end, "y") });
    } catch {
      // an older browser: this rule gives no colours
    }
  }
  return rules;
}

/** The pieces of a line: where each ends, and its kind. `open` is the rule whose end is not found yet. */
export function pieces(rules: readonly Compiled[], line: string, open: Compiled | null): { pieces: [number, string][]; open: Compiled | null } {
  const found: [number, string][] = [];
  let at = 0;
  while (at < line.length) {
    if (open?.end) {
      let close = at;
      let done = false;
      while (close < line.length && !done) {
        open.end.lastIndex = close;
        const match = open.end.exec(line);
        if (match === null) {
          close += 1;
        } else {
          close += match[0].length;
          done = true;
        }
      }
      found.push([close, open.kinds[0] ?? "text"]);
      at = close;
      if (done) {
        open = null;
      }
      continue;
    }
    let next: number | null = null;
    for (const rule of rules) {
      rule.pattern.lastIndex = at;
      const match = rule.pattern.exec(line);
      if (match === null || match[0].length === 0) {
        continue;
      }
      next = at + match[0].length;
      if (rule.kinds.length > 1) {
        const places = (match as RegExpExecArray & { indices?: ([number, number] | undefined)[] }).indices ?? [];
        rule.kinds.forEach((kind, index) => {
          const place = places[index + 1];
          if (place !== undefined && place[1] > place[0]) {
            found.push([place[1], kind]);
          }
        });
      } else {
        found.push([next, rule.kinds[0] ?? "text"]);
      }
      if (rule.end !== null) {
        open = rule;
      }
      break;
    }
    at = next ?? at + 1;
    if (next === null) {
      found.push([at, "text"]);
    }
  }
  return { pieces: found, open };
}

interface Inside {
  open: Compiled | null;
  line: [number, string][];
  text: string;
}

export function languageOf(name: string, lexicon: Lexicon | undefined): LanguageSupport {
  const rules = lexicon === undefined ? GENERAL : compiledRules(lexicon);
  const parser: StreamParser<Inside> = {
    name,
    startState: () => ({ open: null, line: [], text: "" }),
    copyState: (state) => ({ open: state.open, line: [...state.line], text: state.text }),
    token: (stream: StringStream, state: Inside) => {
      if (stream.sol()) {
        const { pieces: line, open } = pieces(rules, stream.string, state.open);
        state.line = line;
        state.open = open;
      }
      let piece = state.line[0];
      while (piece !== undefined && piece[0] <= stream.pos) {
        state.line.shift();
        piece = state.line[0];
      }
      if (piece === undefined) {
        stream.skipToEnd();
        return null;
      }
      stream.pos = piece[0];
      return TAGS[piece[1]] ?? null;
    },
    languageData: { commentTokens: { line: lexicon?.comment ?? "//" } },
  };
  return new LanguageSupport(StreamLanguage.define(parser));
}

/** For languages without rules, such as GLSL and HLSL. */
const GENERAL = compiledRules({
  rules: [
    { pattern: String.raw`//[^\n]*`, kinds: ["comment"], end: "" },
    { pattern: String.raw`/\*`, kinds: ["comment"], end: String.raw`\*/` },
    { pattern: String.raw`^[ \t]*#[^\n]*`, kinds: ["preprocessor"], end: "" },
    { pattern: String.raw`(?<!\w)(?:if|else|for|while|do|return|break|continue|discard|switch|case|default)(?!\w)`, kinds: ["flow"], end: "" },
    {
      pattern: String.raw`(?<!\w)(?:void|bool|u?int|float|half|double|[biu]?vec[234]|mat[234](?:x[234])?|float[1-4](?:x[1-4])?|sampler\w+|struct|const|uniform|in|out|inout|layout|attribute|varying|precision|highp|mediump|lowp|flat|smooth)(?!\w)`,
      kinds: ["directive"],
      end: "",
    },
    { pattern: String.raw`(?<!\w)[A-Za-z_]\w*(?=\s*\()`, kinds: ["procedure"], end: "" },
    { pattern: String.raw`(?<!\w)gl_\w+`, kinds: ["register"], end: "" },
    { pattern: String.raw`(?<![\w.])(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)[fFuU]?`, kinds: ["number"], end: "" },
    { pattern: String.raw`[A-Za-z_]\w*`, kinds: ["name"], end: "" },
  ],
});

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, class: "tok-comment" },
    { tag: tags.string, class: "tok-string" },
    { tag: [tags.number, tags.atom], class: "tok-number" },
    { tag: [tags.definitionKeyword, tags.meta], class: "tok-directive" },
    { tag: tags.keyword, class: "tok-instruction" },
    { tag: tags.controlKeyword, class: "tok-flow" },
    { tag: tags.labelName, class: "tok-label" },
    { tag: [tags.special(tags.variableName), tags.attributeName], class: "tok-register" },
    { tag: [tags.propertyName, tags.modifier], class: "tok-components" },
    { tag: [tags.operator, tags.punctuation], class: "tok-operator" },
  ]),
);
