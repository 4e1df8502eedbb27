/** What panes ask of the page: one object, made in main.ts. */

import type { Lead } from "./draws";
import type { Camera, State, Value } from "./types";

export interface Actions {
  /** Another state: evaluated soon. */
  change(patch: Partial<State>): void;
  /** Another mesh, which the camera fits. */
  shape(mesh: NonNullable<State["mesh"]>): void;
  /** Another value of a uniform while it is dragged: the fast way. */
  uniform(name: string, value: Value): void;
  camera(camera: Camera): void;
  /** The camera that a mesh begins with: not a change of the user's. */
  fitted(camera: Camera): void;
  pick(vertex: number | null, triangle: number | null): void;
  /** Look at a thread of the stage whose steps are shown. */
  thread(thread: number): void;
  /** Look at a vertex of the vertex shader that the run of a geometry shader takes, and where one of its outputs comes from; null leads back to the run. */
  before(vertex: number | null, place?: string): void;
  /** Show the state after so many steps. */
  seek(step: number): void;
  explain(place: string): void;
  /** Pick a vertex, and show where one of its outputs comes from. */
  origin(vertex: number, place: string): void;
  /** Go to the next step where a query of the debugger holds, such as `changes r0.x`, `nan`, `differs azahar` or `r0.x > 1`. */
  until(query: string, back: boolean): void;
  reveal(file: string | null, line: number | null): void;
  /** Lead to the field of a uniform. */
  field(uniform: string): void;
  ask(what: string, body?: Record<string, unknown>): number;
  /** Files of the user's machine that are not sources: meshes and recorded frames. */
  upload(files: readonly File[]): void;
  cancel(): void;
  say(text: string, error?: boolean, near?: HTMLElement): void;
  load(state: State): void;
  tab(id: string): void;
  /** Look at a draw of the recorded frame, and at what a row about it leads to. */
  draw(number: number, lead?: Lead): void;
  /** Ask for the small picture of a draw. */
  thumbnail(number: number): void;
  /** Put what was recorded in place of the edited draw. */
  recorded(): void;
}
