/** Inside another page: there is something to see without a click, and that page learns when. */

import type { Actions } from "../../page/src/actions";
import type { Store } from "../../page/src/state";

export const READY = "lanewise playground: ready";

/** Pick the first vertex after the first run, so that its values are beside the source; `tell` is called once there is something to see. */
export function embedded(store: Store, actions: Pick<Actions, "pick" | "seek">, tell: () => void): void {
  let told = false;
  const ready = (): void => {
    if (!told) tell();
    told = true;
  };
  store.on(["mesh"], ({ mesh, vertex }) => {
    if (!told && mesh !== null && mesh.head.vertices > 0 && vertex === null) actions.pick(0, null);
  });
  store.on(["time"], ({ time }) => {
    if (!told && time !== null && time.complete !== false) {
      actions.seek(time.steps.length);
      ready();
    }
  });
  store.on(["source"], ({ source }) => {
    if (source !== null && !source.ok) ready();
  });
}
