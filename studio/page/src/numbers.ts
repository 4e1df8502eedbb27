/** Numbers as text: short, with a digit after the point, so that columns can be read. */

import type { Plain } from "./types";

/** A float32 in so many digits; what is not finite by its name. */
export function short(value: Plain | null | undefined, digits = 6): string {
  if (value === null || value === undefined) {
    return "";
  }
  if (typeof value !== "number") {
    return value === "Infinity" ? "∞" : value === "-Infinity" ? "−∞" : String(value);
  }
  if (Number.isNaN(value)) {
    return "NaN";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? "∞" : "−∞";
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
  return text.replaceAll("-", "−");
}

/** Shortest decimal number that is the same float32. */
export function exact(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) {
      return String(Number(text));
    }
  }
  return String(value);
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
