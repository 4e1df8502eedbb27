/** What lanewise answered when the page was built: it is shown until Python has come. */

import type { State } from "../../page/src/types";
import type { PlaygroundHello, Recorded } from "./protocol";

/** What the page is told first; null where the folder has none. */
export async function recordedHello(): Promise<PlaygroundHello | null> {
  return (await messages<{ hello: PlaygroundHello }>("hello"))[0]?.hello ?? null;
}

/** The panes of a state, if it is an example as it was. */
export async function recordedPanes(hello: PlaygroundHello, state: State): Promise<Recorded[]> {
  const text = JSON.stringify(state);
  const example = hello.examples.find((one) => JSON.stringify(one.state) === text);
  return example === undefined ? [] : messages<Recorded>(example.name);
}

async function messages<Message>(name: string): Promise<Message[]> {
  try {
    const response = await fetch(new URL(`../recorded/${name}.json`, import.meta.url));
    return response.ok ? ((await response.json()) as Message[]) : [];
  } catch {
    return []; // the worker says what is wrong with the folder
  }
}
