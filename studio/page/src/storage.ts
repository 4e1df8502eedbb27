/** What the browser keeps for a page: how things are shown, and what was on it; nothing of it leaves the browser.
 *
 * Other servers of this machine have had the same address, users may have changed it, and a browser may keep nothing at all: what does not fit is left out, with a sentence.
 */

const VERSION = 1;
const MOST = 64 * 1024; // characters of an entry

export class Keeper {
  /** A sentence for the user if something that was kept could not be used. */
  problem = "";

  /** `page` begins the names of all entries. `open` gives the storage, and may throw where site data is blocked. */
  constructor(private readonly page: string, private readonly open: () => Pick<Storage, "getItem" | "setItem" | "removeItem"> = () => localStorage) {}

  /** The value of an entry as `check` reads it; null where there is none, or none that fits. */
  read<T>(name: string, check: (value: unknown) => T | null, most = MOST): T | null {
    const key = this.key(name);
    try {
      const storage = this.open();
      const text = storage.getItem(key);
      if (text === null) {
        return null;
      }
      const value = text.length <= most ? parsed(text, check) : null;
      if (value === null) {
        this.problem = "What this browser kept of the last visit is damaged or of another version: the page begins afresh.";
        storage.removeItem(key);
      }
      return value;
    } catch {
      return null; // a browser that keeps nothing
    }
  }

  /** Whether it fits; a browser that keeps nothing at all is no fault. */
  write(name: string, value: unknown, most = MOST): boolean {
    const text = JSON.stringify({ version: VERSION, value });
    try {
      if (text.length > most) return false;
      this.open().setItem(this.key(name), text);
    } catch (error) {
      return !(error instanceof DOMException && error.name === "QuotaExceededError");
    }
    return true;
  }

  private key(name: string): string {
    return `lanewise.${this.page}.${name}`;
  }
}

function parsed<T>(text: string, check: (value: unknown) => T | null): T | null {
  try {
    const entry = record(JSON.parse(text));
    return entry?.["version"] === VERSION ? check(entry["value"]) : null;
  } catch {
    return null;
  }
}

/** An object of JSON; null for other values. */
export function record(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

/** One of some texts. */
export function oneOf<T extends string>(...choices: readonly T[]): (value: unknown) => T | null {
  return (value) => choices.find((choice) => choice === value) ?? null;
}

/** The values of an object that `each` reads, at most 64; null if one does not fit. */
export function recordOf<T>(each: (value: unknown) => T | null): (value: unknown) => Record<string, T> | null {
  return (value) => {
    const entries = Object.entries(record(value) ?? { "": null });
    const found = entries.map(([key, given]) => [key, each(given)] as const);
    return entries.length <= 64 && found.every(([, read]) => read !== null) ? (Object.fromEntries(found) as Record<string, T>) : null;
  };
}
