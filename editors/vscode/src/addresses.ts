// What addresses of texts stand for. Anybody can write an address: links, `$schema` of a JSON file. Only what this session has registered has a text.
import { randomUUID } from "node:crypto";

/** Values under random ids. */
export class Addresses<T> {
  private readonly ids = new Map<string, string>();
  private readonly values = new Map<string, T>();

  /** The id of what a key names, the same while the session lasts; `value` replaces what it stood for. */
  register(key: string, value: T): string {
    const id = this.ids.get(key) ?? randomUUID();
    this.ids.set(key, id);
    this.values.set(id, value);
    return id;
  }

  /** What was registered under an id; undefined for every other text. */
  get(id: string): T | undefined {
    return this.values.get(id);
  }

  /** Forget a value; its key keeps the id. */
  drop(id: string): void {
    this.values.delete(id);
  }
}
