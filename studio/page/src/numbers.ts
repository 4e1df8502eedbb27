/** Numbers as text: short, with a digit after the point, so that columns can be read. */

import type { Plain } from "./types";

/** A float32 in so many digits; what is not finite by its name. `short` of numbers.py writes the same in drawings. */
export function short(value: Plain | null | undefined, digits = 6): string {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return named(value);
  }
  if (value === 0) {
    return Object.is(value, -0) ? "−0.0" : "0.0";
  }
  const size = Math.abs(value);
  let text: string;
  if (size >= 1e6 || size < 1e-4) {
    text = value.toExponential(3).replace("e+", "e");
  } else {
    text = value.toPrecision(digits);
    if (text.includes("e")) {
      text = value.toFixed(0);
    }
    if (text.includes(".")) {
      text = text.replace(/0+$/, "");
      if (text.endsWith(".")) {
        text += "0";
      }
    } else {
      text += ".0";
    }
  }
  return withSigns(text);
}

/** The same in as many digits as it has. */
export function exact(value: Plain | null | undefined): string {
  return typeof value === "number" && Number.isFinite(value) ? withSigns(typed(value)) : named(value);
}

/** Shortest decimal number that is the same float32, as it is typed: what a field holds. */
export function typed(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) {
      return Object.is(value, -0) ? "-0" : String(Number(text));
    }
  }
  return String(value);
}

/** What was typed into a field, or copied from where numbers are shown; NaN where it is not a number. */
export function numberIn(text: string): number {
  return text.trim() === "" ? NaN : Number(asTyped(text).replace(",", "."));
}

/** A text with the signs of a keyboard. */
export function asTyped(text: string): string {
  return text.replaceAll("−", "-");
}

/** A number with signs that are as wide as its digits. */
export function withSigns(text: string): string {
  return text.replaceAll("-", "−");
}

/** The same of the numbers of a sentence, which has hyphens too. */
export function withSignedNumbers(sentence: string): string {
  return sentence.replace(/(?<![\w)\]])-(?=[\d.]|inf)/g, withSigns);
}

/** What is not a finite number. */
function named(value: Plain | null | undefined): string {
  return value === null || value === undefined ? "" : String(value).replace("Infinity", "∞").replace("-", "−");
}

/** The bits of a float32 in hexadecimal. */
export function bits(value: number): string {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint32(0).toString(16).padStart(8, "0");
}

export function counted(count: number, what: string, many = `${what}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? what : many}`;
}

export function numberOf(value: Plain): number {
  return typeof value === "boolean" ? Number(value) : Number(value);
}

/** A profile, device or rule as a choice names it: a title that newcomers know, and its name. */
export function variantText({ name, title = "" }: { name: string; title?: string }): string {
  return title === "" ? name : `${title} (${name})`;
}
