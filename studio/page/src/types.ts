/** What travels between the server and the page: the shapes of its messages. Python decides what they mean. */

import type { OptionRow, Options } from "./options";

export interface Source {
  name: string;
  text: string;
  /** The bytes of a binary, in base64; its text is empty. */
  data?: string;
}

/** A binary as text. */
export interface Listing {
  file: string;
  text: string;
  /** The name of the text as a source; empty where it cannot be assembled. */
  source: string;
}

export interface Camera {
  yaw: number;
  pitch: number;
  distance: number;
  target: [number, number, number];
  fov: number;
  near: number;
  far: number;
  model: [number, number, number];
}

export type Bound = { camera: string };
export type Value = boolean | number | number[] | number[][] | Bound;

/** Source and data: what a link holds, and what is evaluated. What is missing has a default of the server's. */
export interface State {
  files: Source[];
  entry?: string;
  profile?: string;
  set?: string;
  mesh?: { name: string; detail?: number } | { file: string };
  inputs?: Record<string, string | number[] | number[][]>;
  uniforms?: Record<string, Value>;
  camera?: Camera;
  screen?: string;
  cull?: string;
  topology?: string;
  /** How many vertices a primitive of a geometry shader has; 0 for as many as it takes. */
  primitive?: number;
  /** The range of depth in which the program is drawn; missing for that of the target. */
  depth?: "" | "opengl" | "direct3d";
  color?: string;
  options?: Options;
  /** The draw of a recorded frame whose data the program runs with. */
  draw?: { file: string; number: number };
}

export interface FrameFinding {
  code: string;
  severity: string;
  message: string;
  fix?: string;
}

/** A draw in the list of a recorded frame. */
export interface FrameDraw {
  number: number;
  frame: number;
  inFrame: number;
  kind: string;
  topology: string | null;
  vertices: number;
  different: number;
  size: [number, number] | null;
  programs: { stage: string; hash: string; entry: number; words: number; /** The sources that are assembled to it, if they are known. */ sources?: string[] }[];
  changed: string[];
  findings: FrameFinding[];
}

export interface FramePane {
  file: string;
  layout: string;
  frames: number;
  /** Parts of the file that are missing, each with the reason. */
  missing: Record<string, string>;
  /** How many draws the file has; a list of very many is cut. */
  total: number;
  draws: FrameDraw[];
  findings: Finding[];
}

export interface RegisterRow {
  name: string;
  number: string;
  value: string;
  /** What it was in the draw before; null where it is the same. */
  before: string | null;
  about: string;
  fields: { name: string; value: string; before: string | null }[];
}

/** A draw with its set-up, and the state in which its shaders run. */
export interface DrawPane extends FrameDraw {
  file: string;
  where: string;
  changes: string[];
  attributes: { attribute: number; register: string; source: string; type: string | null; elements: number | null; address: number | null; stride: number | null; value: string }[];
  topics: { topic: string; changed: number; rows: RegisterRow[] }[];
  /** Null for a draw that cannot be run: then `refused` says why. */
  state: State | null;
  refused?: Finding[];
}

/** A draw under two profiles. */
export interface ApartRow {
  number: number;
  /** Why it cannot be run; what follows is missing then. */
  refused?: string;
  /** What is compared: vertices, or corners of the triangles of a geometry shader. */
  unit?: "vertex" | "corner";
  compared?: number;
  counts?: [number, number];
  differ?: number;
  furthest?: Plain;
  first?: { row: number; vertex: number | null; output: string; first: string; second: string } | null;
  stopped?: [number, number];
}

/** The draws of a frame under two profiles; `draws` has those that are done. */
export interface ApartPane {
  file: string;
  profiles: [string, string];
  total: number;
  draws: ApartRow[];
}

export interface Thumbnail {
  width: number;
  height: number;
  pixels?: Uint8Array;
  empty?: boolean;
  /** What most triangles of an empty picture are lost to: a code of the server's. */
  lost?: string | undefined;
  reason?: string;
}

export interface Span {
  file: string;
  line: number;
  column: number;
  length?: number;
  text?: string;
}

export interface Finding {
  code: string;
  severity: string;
  message: string;
  span: Span | null;
  fix?: string;
}

export interface MeshChoice {
  name: string;
  title?: string;
  vertices: number;
  triangles: number;
  properties?: string[];
}

export interface Lexicon {
  comment?: string;
  rules: { pattern: string; kinds: string[]; end: string }[];
}

/** A state that was saved, or a test of a file of shader tests. */
export interface Preset {
  name: string;
  test: string;
  programs: string[];
}

/** What became of a state that was to be saved: the text to download, or the folder in which it is now. */
export interface Saved {
  name: string;
  text?: string;
  folder?: string;
  remarks?: string[];
}

/** A profile, device or rule; `title` is what it is called for those who do not know the name. */
export interface Variant {
  name: string;
  summary: string;
  evidence?: string;
  title?: string;
}

export interface Hello {
  version: string;
  files: Source[];
  meshFiles?: string[];
  /** Recorded frames that the server has, and the draw that is shown first; `mark` is another one for another content of the file. */
  frames?: string[];
  draw?: { file: string; name: string; mark: string };
  meshes: MeshChoice[];
  languages: { isa: string; name: string; title?: string; suffixes: string[] }[];
  variants: Record<string, ({ option: string } & Variant)[]>;
  examples: { name: string; title: string; state: State }[];
  presets?: Preset[];
  /** The folder in which presets are saved; empty or missing where they are only downloaded. */
  folder?: string;
  /** The address of the public playground; missing where the project has none. */
  playground?: string;
  lexicons?: Record<string, Lexicon>;
  /** Options that a state may have; missing where there are none. */
  options?: OptionRow[];
  state?: State;
}

export interface SourcePane {
  ok: boolean;
  isa: string;
  title: string;
  language: string;
  stage: string;
  entry: string;
  entries: string[];
  variant: string;
  variants: Variant[];
  option: string;
  diagnostics: Finding[];
  stale: boolean;
  languages?: Record<string, string>;
  /** Whether a geometry shader makes the triangles. */
  emits?: boolean;
  /** Whether reading the file compiles it. */
  compiled?: boolean;
  /** What the page may ask about the program; without it everything. */
  offers?: string[];
  listing?: Listing;
  /** With what the source was read besides the options of the state: a sentence for each, and the options. */
  remarks?: string[];
  implied?: Options;
}

export interface WordRow {
  address: number;
  bits: string;
  instruction: string;
  encoding?: string;
  file: string | null;
  line: number | null;
  column?: number | null;
  length?: number | null;
}

export interface DescriptorRow {
  number: number;
  bits: string;
  text: string;
  words: number[];
}

export interface WordsPane {
  what: string;
  digits: number;
  rows: WordRow[];
  descriptors: DescriptorRow[];
  cost: string;
}

/** The graph of a program. */
export interface FlowGraph {
  title: string;
  svg: string;
  nodes: { id: string | number; label: string; kind: string; lines: { file: string; line: number }[]; words: number[] }[];
  edges: { source: string | number; target: string | number; label: string; kind: string }[];
}

/** A graph of each stage that runs, or why there is none. */
export interface GraphPane {
  graphs?: FlowGraph[];
  reason?: string;
}

export interface InputRow {
  name: string;
  register: string;
  components: number;
  binding: string | number[] | number[][] | null;
  rows?: number;
  default?: boolean;
}

export type Kind = "matrix" | "colour" | "vector" | "boolean" | "integer" | "array";

export interface UniformRow {
  name: string;
  register: string;
  registers: number;
  /** How many components the source has, where they are fewer than four. */
  components?: number;
  kind: Kind;
  value: boolean | Plain[] | Plain[][];
  known?: boolean;
  /** Of a draw: `draw`, `missing`, or `page` for a value in its place. */
  source?: string;
  /** Of a draw with two stages: the one that has it, and its name there. */
  stage?: string;
  label?: string;
  /** What of the camera it is bound to; empty for numbers. */
  camera: string;
  least?: number | null;
  greatest?: number | null;
  help?: string;
}

export interface DataPane {
  inputs: InputRow[];
  uniforms: UniformRow[];
  /** `placed`: it is moved to fill the screen, because nothing in the program follows the camera. */
  mesh: { name: string; vertices: number; triangles: number; properties: string[]; placed?: boolean } | null;
  /** The primitives of a geometry shader, and whether their size may be chosen. */
  primitives?: { vertices: number; chosen: boolean; counted: boolean } | null;
  engine?: string;
  variant?: string;
  faults: { vertex: number; code: string; message: string }[];
  diagnostics: Finding[];
}

export interface Screen {
  name: string;
  width: number;
  height: number;
}

export interface Volume {
  nearest: number;
  farthest: number;
  front: string;
  turn: boolean;
  screens: Screen[];
}

export interface Reason {
  code: string;
  message: string;
  fix: string;
  triangles: number;
  share: number;
  vertex: number | null;
  suspected?: boolean;
  blame: { instruction: string | null; word: number | null; source: Span | null; message: string } | null;
}

export interface WhyPane {
  triangles: number;
  vertices: number;
  visible: number;
  lost: Record<string, number>;
  shares: Record<string, number>;
  reasons: Reason[];
}

export interface ArrayHead {
  name: string;
  type: "f32" | "u32" | "u16" | "u8";
  shape: number[];
  offset: number;
}

export interface FrameHead {
  id: number;
  pane: string;
  arrays: ArrayHead[];
  stale?: boolean;
  hot?: boolean;
  done?: boolean;
  seconds?: number;
  /** Arrays that are as in the frame before, and are not sent again. */
  kept?: string[];
}

export interface MeshHead extends FrameHead {
  vertices: number;
  triangles: number;
  whole: boolean;
  lanes?: number;
  outputs: { name: string; register: string; components: string }[];
  volume: Volume;
  screen: Screen;
  fates: string[];
  counts: Record<string, number>;
  visible: number;
  shares?: Record<string, number>;
  constant?: Record<string, number[]>;
  bounds?: [number[], number[]];
  frustum?: number[][] | null;
  /** Why there is nothing to draw. */
  reason?: string;
}

export type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

export interface Frame {
  head: FrameHead;
  arrays: Map<string, { shape: number[]; data: Numbers }>;
}

/** A number in JSON: what is not finite is a word. */
export type Plain = number | "NaN" | "Infinity" | "-Infinity" | boolean;

export interface TraceOperand {
  register: string;
  name: string;
  text?: string;
  values: Plain[];
}

export interface TraceWrite {
  register: string;
  name: string;
  components: string;
  old: Plain[];
  new: Plain[];
  bits?: string[];
}

export interface TraceStep {
  number: number;
  address: number;
  instruction: string;
  file: string | null;
  line: number | null;
  operands: TraceOperand[];
  writes: TraceWrite[];
  decisions: { question: string; answer: string }[];
  notes: string[];
}

export interface TimePane {
  subject: string;
  vertex: number;
  first?: number;
  complete?: boolean;
  steps: TraceStep[];
  given: Record<string, { kind: string; value: Plain; name: string }>;
  results: Record<string, string>;
  fault?: string | null;
  /** The vertices that a run of a geometry shader takes. */
  sources: { thread: number; title: string }[];
  /** The run that took the vertex, where the steps are those of the vertex shader before it. */
  run: number | null;
}

export interface ExplainNode {
  text: string;
  value: Plain | null;
  place?: string;
  step: number | null;
  file: string | null;
  line: number | null;
  /** The expression of the source that the step computes, and where it is in the line; 0: not known. */
  expression?: string;
  column: number;
  length: number;
  again?: number;
  /** The output of a vertex that a run of a geometry shader was given here. */
  from?: { thread: number; place: string };
  children: ExplainNode[];
}

/** Where a value comes from as a small graph: its drawing, and its nodes in the order of the boxes. */
export interface CauseGraph {
  svg: string;
  nodes: { kind: string; text: string; values: { name: string; value: Plain | null }[]; heading: string; place: string; steps: number[]; file: string; line: number; column: number; length: number }[];
}

export interface Explained {
  place: string;
  tree: ExplainNode;
  graph: CauseGraph;
}

export interface StopPane {
  step: number | null;
  text: string;
}

export interface WavesPane {
  /** The numbers of the vertices or lanes, one for each column. */
  lanes: number[];
  /** They run together, as a wave; otherwise they are shown side by side. */
  together: boolean;
  one: string;
  rows: { address: number; text: string; file: string | null; line: number | null; counts: number[]; writes: number[]; diverges: boolean }[];
}

/** The least cycles of the instructions of a program in any order, and of the fetch of the mesh. */
export interface Floor {
  cycles: number;
  verdict: string;
  bounds: { name: string; cycles: number; text: string; slots: number[] }[];
  memory: string;
}

export interface IssuePane {
  cycles: number;
  text: string;
  floor: Floor | null;
  rows: {
    address: number; text: string; file: string | null; line: number | null; pipe: string; issue: number; stall: number; quads: number[]; latency: number; end: number; writes: string; why: string;
  }[];
}

export interface CompiledPane {
  /** Why there is nothing to show. */
  reason?: string;
  targets?: string[];
  target?: string;
  left: { name: string; language: string; rows: { line: number; text: string; words: number; cycles: number | null }[] };
  right: { name: string; isa: string; rows: { address: number; text: string; line: number | null; cycles: number | null; takes: number | null }[] };
  cost: { text: string };
}

export interface OptPane {
  reason?: string;
  before: number;
  after: number;
  unit: string;
  /** Every size, the first too: slots and cycles, or words and descriptors. */
  sizes: { unit: string; before: number; after: number }[];
  /** The number rules, or the device, of the proofs. */
  rules: string[];
  remarks: string[];
  steps: { title: string; saved: number; /** By unit, where the optimiser says so. */ savings: Record<string, number>; text: string; fix: string; lines: number[]; before: string[] }[];
  /** Lines of the source that differ: a sign and the text. */
  changes: [string, string][];
  source: string | null;
  file?: string;
  /** What the command prints. */
  text?: string;
}

export interface CompareSide {
  text: string;
  file: string | null;
  line: number | null;
  value: Plain | null;
}

export interface ComparePane {
  text: string;
  /** What the two are called. */
  names: string[];
  /** Outputs that only one of them has. */
  only: string[];
  vertices: number;
  differ: number;
  first: { vertex: number; step: number | null; left: CompareSide; right: CompareSide } | null;
  outputs: { name: string; component: string; vertices: number; largest: Plain }[];
  /** The first vertices that differ, each with the first output that does. */
  list?: { vertex: number; place: string; components: number; left: Plain; right: Plain }[];
  /** The cycles of a wave in both, where both have a timing. */
  cycles?: [number, number] | null;
  /** On a screen of so many pixels: how far a vertex moves, in pixels, and how much a colour changes, in steps of 1/255. */
  seen?: { width: number; height: number; pixels: Plain; colour: Plain } | null;
  /** Open questions of the hardware that two profiles answer differently, and whose answer alone changes an output. */
  because?: { key: string; topic: string; left: string; right: string; known: string; best: string; source: string }[];
  verdict: { kind: "equal" | "different" | "unknown"; text: string; counterexample?: string } | null;
}
