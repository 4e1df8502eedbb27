/** The picture of a mesh: WebGL buffers are the arrays of the server, and nothing is computed from them but where they are drawn. */

import {
  BackSide, BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, FrontSide, GLSL3, LineBasicMaterial, LineLoop, LineSegments, Matrix4, Mesh as ThreeMesh, OrthographicCamera, Points, RawShaderMaterial,
  Scene, Vector3, WebGLRenderer, WebGLRenderTarget, type Material, type Object3D,
} from "three";

import { columns, IDENTITY, look, multiply, perspective, transform, upright, type Matrix, type Orbit } from "./camera";
import { byFate, categoryColour, flagCategories, NEUTRAL, oneColour, PALETTE, range, VISIBLE, visibleColour } from "./colours";
import { pick, type Picked } from "./picking";
import type { Mesh } from "./state";
import type { Numbers } from "./types";

export type Space = "object" | "clip" | "screen";

export interface Look {
  space: Space;
  colouring: string;
  wireframe: boolean;
  cull: string;
  /** The screen as it is built in, without turning the picture upright. */
  raw: boolean;
  dark: boolean;
  vertex: number | null;
  triangle: number | null;
  differs: Numbers | null;
}

const PLACE = /* glsl */ `
uniform mat4 first; // clip space to that of WebGL
uniform mat4 then;  // the page's own camera
uniform int space;
vec4 placed(vec4 place) {
  if (space == 2) return first * place;
  if (space == 1) {
    vec4 clip = first * place;
    return then * vec4(clip.xy / clip.w, -clip.z / clip.w, 1.0);
  }
  return then * vec4(place.xyz, 1.0);
}
`;

const VERTEX = /* glsl */ `precision highp float;
in vec4 place;
in vec4 shown;
in float category;
out vec4 colour;
out float behind;
out vec3 where;
uniform int mode;
uniform vec3 low;
uniform vec3 high;
uniform vec3 flatColour;
uniform vec3 palette[8];
uniform int components;
${PLACE}
void main() {
  gl_Position = placed(place);
  where = space == 0 ? place.xyz : place.xyw;
  behind = space == 1 && !(place.w > 0.0) ? 1.0 : 0.0;
  if (mode == 0) colour = vec4(shown.rgb, 1.0);
  else if (mode == 1) {
    vec3 value = (shown.xyz - low) / (high - low);
    colour = vec4(components == 1 ? value.xxx : components == 2 ? vec3(value.xy, 0.0) : value, 1.0);
  } else if (mode == 2) {
    int at = int(category + 0.5);
    colour = vec4(palette[at < 8 ? at : 1 + (at - 1) % 7], 1.0);
  } else colour = vec4(flatColour, 1.0);
}
`;

const FRAGMENT = /* glsl */ `precision highp float;
in vec4 colour;
in float behind;
in vec3 where;
out vec4 result;
uniform float shade;
void main() {
  if (behind > 0.0) discard;
  vec3 side = normalize(cross(dFdx(where), dFdy(where)));
  float light = mix(1.0, 0.45 + 0.55 * abs(dot(side, normalize(vec3(0.35, 0.55, 0.76)))), shade);
  result = vec4(clamp(colour.rgb, 0.0, 1.0) * light, 1.0);
}
`;

const MARK_VERTEX = /* glsl */ `precision highp float;
in vec4 position;
uniform float size;
${PLACE}
void main() {
  gl_Position = placed(position);
  gl_Position.z = -gl_Position.w * 0.9999;
  gl_PointSize = size;
}
`;

const MARK_FRAGMENT = /* glsl */ `precision highp float;
out vec4 result;
uniform vec3 flatColour;
uniform int round;
void main() {
  if (round == 1) {
    float r = length(gl_PointCoord - 0.5) * 2.0;
    if (r > 1.0) discard;
    result = r > 0.62 ? vec4(1.0) : vec4(flatColour, 1.0);
    return;
  }
  result = vec4(flatColour, 1.0);
}
`;

const EDGES = [0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4, 0, 4, 1, 5, 2, 6, 3, 7];

export class MeshView {
  readonly canvas: HTMLCanvasElement;
  /** So many frames of arrays are in buffers of the graphics card. */
  uploads = 0;
  /** Fill buffers and leave the canvas as it is: what then is measured is the way of the arrays alone. */
  blind = false;
  orbits: Record<"object" | "clip", Orbit> = {
    object: { yaw: 1.25, pitch: 0.45, distance: 4, target: [0, 0, 0] },
    clip: { yaw: 0.5, pitch: 0.35, distance: 6.2, target: [0, 0, 0] },
  };

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();
  private geometry = new BufferGeometry();
  private readonly mesh: ThreeMesh;
  private readonly lines: LineSegments;
  private readonly point: Points;
  private readonly outline: LineLoop;
  private readonly shared = { first: { value: new Matrix4() }, then: { value: new Matrix4() }, space: { value: 2 } };
  private data: Mesh | null = null;
  private how: Look = { space: "screen", colouring: "", wireframe: false, cull: "back", raw: false, dark: false, vertex: null, triangle: null, differs: null };
  private waiting = false;
  private filled: { data: Mesh; key: string } | null = null;
  private framed = "";
  private readonly nowhere = new WebGLRenderTarget(1, 1);

  constructor() {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.mesh = new ThreeMesh(this.geometry, []);
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
    this.point = new Points(new BufferGeometry(), this.mark(1));
    this.outline = new LineLoop(new BufferGeometry(), this.mark(0));
    this.lines.material = this.mark(0);
    for (const thing of [this.mesh, this.lines, this.point, this.outline] as Object3D[]) {
      thing.frustumCulled = false;
      this.scene.add(thing);
    }
    this.outline.renderOrder = 2;
    this.point.renderOrder = 3;
    new ResizeObserver(() => {
      this.request();
    }).observe(this.canvas);
  }

  show(data: Mesh | null, how: Look): void {
    this.data = data;
    this.how = how;
    if (this.blind) {
      this.load();
    } else {
      this.request();
    }
  }

  request(): void {
    if (!this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.draw();
      });
    }
  }

  /** The part of the canvas that is the screen or the whole view, in CSS pixels from the upper left. */
  area(): { x: number; y: number; width: number; height: number } {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.how.space !== "screen" || this.data === null) {
      return { x: 0, y: 0, width, height };
    }
    const screen = this.data.head.screen;
    const turned = this.how.raw && this.data.head.volume.turn;
    const aspect = turned ? screen.height / screen.width : screen.width / screen.height;
    const margin = Math.min(12, 0.05 * height);
    const [w, h] = [Math.max(width - 2 * margin, 1), Math.max(height - 2 * margin, 1)];
    const [aw, ah] = w / h > aspect ? [h * aspect, h] : [w, w / aspect];
    // whole pixels, as the viewport has them: what is picked is what is drawn there
    const [wide, high] = [Math.round(aw), Math.round(ah)];
    return { x: Math.round((width - wide) / 2), y: Math.round((height - high) / 2), width: wide, height: high };
  }

  /** From the positions of the shown space to the clip space of WebGL. */
  matrix(): Matrix {
    if (this.data === null) {
      return IDENTITY;
    }
    if (this.how.space === "screen") {
      return this.first();
    }
    const { width, height } = this.area();
    const orbit = this.orbits[this.how.space];
    return multiply(perspective(35, width / Math.max(height, 1), orbit.distance / 50, orbit.distance * 50), look(orbit));
  }

  private first(): Matrix {
    const volume = this.data?.head.volume;
    return volume === undefined ? IDENTITY : upright(this.how.raw ? { ...volume, turn: false } : volume);
  }

  /** What is at a place of the canvas, in CSS pixels from the upper left. */
  pickAt(x: number, y: number): Picked | null {
    const source = this.places();
    const index = this.data?.arrays.get("index");
    if (source === null || index === undefined) {
      return null;
    }
    const area = this.area();
    const u = ((x - area.x) / area.width) * 2 - 1;
    const v = 1 - ((y - area.y) / area.height) * 2;
    if (Math.abs(u) > 1 || Math.abs(v) > 1) {
      return null;
    }
    if (this.how.space === "clip") {
      const divided = this.divided(source.data);
      const behind = (triangle: number): boolean => [0, 1, 2].some((k) => !((source.data[(index.data[triangle * 3 + k] ?? 0) * 4 + 3] ?? 0) > 0));
      return pick(divided, 3, index.data, this.matrix(), u, v, 0, behind);
    }
    const cull = this.how.space === "screen" ? this.culledSign() : 0;
    return pick(source.data, source.size, index.data, this.matrix(), u, v, cull);
  }

  /** The place of a vertex on the canvas, in CSS pixels; null where it has none. */
  project(vertex: number): [number, number] | null {
    const source = this.places();
    if (source === null) {
      return null;
    }
    let place = [...source.data.subarray(vertex * source.size, (vertex + 1) * source.size)];
    if (this.how.space === "clip") {
      place = [...this.divided(source.data.subarray(vertex * 4, vertex * 4 + 4))];
    }
    if (place.length === 3) {
      place.push(1);
    }
    const [px, py, , pw] = transform(this.matrix(), place);
    if (!(pw > 0)) {
      return null;
    }
    const area = this.area();
    return [area.x + ((px / pw + 1) / 2) * area.width, area.y + ((1 - py / pw) / 2) * area.height];
  }

  private divided(positions: Numbers): Float32Array {
    const first = this.first();
    const found = new Float32Array((positions.length / 4) * 3);
    for (let at = 0; at * 4 < positions.length; at += 1) {
      const [x, y, z, w] = transform(first, [...positions.subarray(at * 4, at * 4 + 4)]);
      found.set([x / w, y / w, -z / w], at * 3);
    }
    return found;
  }

  /** The sign of the area of triangles that are not drawn; counterclockwise is positive. */
  private culledSign(): number {
    if (this.how.cull === "none") {
      return 0;
    }
    const front = this.data?.head.volume.front === "clockwise" ? -1 : 1;
    return this.how.cull === "front" ? front : -front;
  }

  private places(): { data: Numbers; size: number } | null {
    const name = this.how.space === "object" ? "object" : "position";
    const found = this.data?.arrays.get(name);
    return found === undefined ? null : { data: found.data, size: found.shape[1] ?? 3 };
  }

  private mark(round: number): RawShaderMaterial {
    return new RawShaderMaterial({
      vertexShader: MARK_VERTEX, fragmentShader: MARK_FRAGMENT, depthTest: false, transparent: true, glslVersion: GLSL3,
      uniforms: { ...this.shared, size: { value: 12 }, flatColour: { value: new Vector3() }, round: { value: round } },
    });
  }

  private material(): RawShaderMaterial {
    return new RawShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, glslVersion: GLSL3,
      uniforms: {
        ...this.shared, mode: { value: 0 }, low: { value: new Vector3() }, high: { value: new Vector3(1, 1, 1) }, flatColour: { value: new Vector3() },
        palette: { value: PALETTE.map((colour) => new Vector3(...colour)) }, components: { value: 3 }, shade: { value: 0 },
      },
    });
  }

  /** An attribute with these numbers: the buffer of before, filled again, where its size is the same. */
  private put(name: string, data: Float32Array, size: number): void {
    const old = this.geometry.getAttribute(name) as BufferAttribute | undefined;
    if (old?.array === data) {
      return;
    }
    if (old?.array.length === data.length && old.itemSize === size) {
      old.array = data;
      old.needsUpdate = true;
      return;
    }
    if (old !== undefined) {
      this.geometry.deleteAttribute(name);
    }
    const attribute = new BufferAttribute(data, size);
    attribute.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute(name, attribute);
  }

  private renew(): void {
    const next = new BufferGeometry();
    this.geometry.dispose();
    this.geometry = next;
    this.mesh.geometry = next;
  }

  private fill(data: Mesh): void {
    const how = this.how;
    const source = this.places();
    if (source === null) {
      return;
    }
    const key = `${how.space} ${how.colouring} ${String(how.differs !== null)}`;
    if (this.filled?.data === data && this.filled.key === key) {
      return;
    }
    if (this.filled?.key !== key || this.filled.data.head.vertices !== data.head.vertices || this.filled.data.arrays.get("index")?.data !== data.arrays.get("index")?.data) {
      this.renew();
    }
    this.put("place", source.data as Float32Array, source.size);
    const uniforms = { mode: 3, low: [0, 0, 0], high: [1, 1, 1], components: 3, shade: 0.6 };
    const output = how.colouring.startsWith("output:") ? data.arrays.get(how.colouring) : undefined;
    let category: Float32Array | null = null;
    const index = data.arrays.get("index")?.data ?? new Uint32Array();
    let groups: { fate: number; start: number; count: number }[] = [{ fate: VISIBLE, start: 0, count: index.length }];
    let sorted = index as Uint32Array;
    const own = how.colouring === "" ? data.arrays.get("color") : undefined;
    const plain = own === undefined ? NEUTRAL : oneColour(own.data);
    if (own !== undefined && plain === null) {
      this.put("shown", own.data as Float32Array, 4);
      uniforms.mode = 0;
    } else if (output !== undefined) {
      const size = output.shape[1] ?? 4;
      const { low, high } = range(output.data, size);
      this.put("shown", output.data as Float32Array, size);
      Object.assign(uniforms, { mode: 1, low: [...low, 0, 0], high: [...high, 1, 1], components: size, shade: 0 });
    } else if (how.colouring === "flags") {
      category = flagCategories(data.arrays.get("flags")?.data ?? new Uint8Array());
    } else if (how.colouring === "path") {
      category = Float32Array.from(data.arrays.get("path")?.data ?? []);
    } else if (how.colouring === "differs" && how.differs !== null) {
      category = Float32Array.from(how.differs);
    } else if (how.colouring === "fate") {
      ({ indices: sorted, groups } = byFate(index, data.arrays.get("fate")?.data ?? new Uint8Array()));
    }
    if (category !== null && category.length === data.head.vertices) {
      this.put("category", category, 1);
      uniforms.mode = 2;
    }
    if (this.geometry.index === null || how.colouring === "fate") {
      this.geometry.setIndex(new BufferAttribute(sorted, 1));
    }
    this.geometry.clearGroups();
    const materials = this.mesh.material as RawShaderMaterial[];
    groups.forEach((group, number) => {
      this.geometry.addGroup(group.start, group.count, number);
      const material = materials[number] ?? this.material();
      materials[number] = material;
      const colour = how.colouring === "fate" ? categoryColour(group.fate === VISIBLE ? 0 : group.fate + 1) : visibleColour(plain ?? NEUTRAL);
      material.uniforms["mode"]!.value = uniforms.mode;
      material.uniforms["shade"]!.value = uniforms.mode === 0 ? 0 : uniforms.shade;
      material.uniforms["components"]!.value = uniforms.components;
      (material.uniforms["low"]!.value as Vector3).fromArray(uniforms.low);
      (material.uniforms["high"]!.value as Vector3).fromArray(uniforms.high);
      (material.uniforms["flatColour"]!.value as Vector3).fromArray(colour);
    });
    this.mesh.material = materials.slice(0, groups.length);
    this.filled = { data, key };
    this.uploads += 1;
  }

  /** Fill the buffers, and draw nothing. */
  private load(): void {
    if (this.data !== null && this.places() !== null) {
      this.fill(this.data);
      this.geometry.setDrawRange(0, 0);
      this.renderer.setRenderTarget(this.nowhere);
      this.renderer.render(this.scene, this.camera);
      this.renderer.setRenderTarget(null);
    }
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) {
      return;
    }
    const ratio = Math.min(window.devicePixelRatio, 2);
    const size = `${String(width)} ${String(height)} ${String(ratio)}`;
    if (size !== this.framed) {
      this.framed = size;
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
    }
    const data = this.data;
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    if (data === null || this.places() === null) {
      return;
    }
    this.fill(data);
    const how = this.how;
    const area = this.area();
    this.shared.first.value.fromArray(columns(this.first()));
    this.shared.then.value.fromArray(columns(how.space === "screen" ? IDENTITY : this.matrix()));
    this.shared.space.value = how.space === "screen" ? 2 : how.space === "clip" ? 1 : 0;
    const sign = how.space === "screen" ? this.culledSign() : 0;
    for (const material of this.mesh.material as RawShaderMaterial[]) {
      material.side = sign === 0 ? DoubleSide : sign < 0 ? FrontSide : BackSide;
      material.wireframe = how.wireframe;
    }
    this.geometry.setDrawRange(0, Infinity);
    this.marks(data);
    this.renderer.setViewport(area.x, height - area.y - area.height, area.width, area.height);
    if (how.space === "screen") {
      this.renderer.setScissor(area.x, height - area.y - area.height, area.width, area.height);
      this.renderer.setScissorTest(true);
      this.renderer.setClearColor(how.dark ? 0x0b0d10 : 0x22262d, 1);
      this.renderer.clear();
    }
    this.renderer.render(this.scene, this.camera);
  }

  private marks(data: Mesh): void {
    const { how } = this;
    const source = this.places();
    const accent = how.dark ? [0.55, 0.74, 1] : [0.16, 0.4, 0.86];
    const set = (thing: Object3D & { geometry: BufferGeometry; material: Material | Material[] }, values: number[] | null, colour: number[]): void => {
      thing.visible = values !== null;
      if (values !== null) {
        thing.geometry.dispose();
        thing.geometry = new BufferGeometry();
        thing.geometry.setAttribute("position", new BufferAttribute(new Float32Array(values), 4));
        ((thing.material as RawShaderMaterial).uniforms["flatColour"]!.value as Vector3).fromArray(colour);
      }
    };
    const at = (vertex: number): number[] => {
      const found = source === null ? [] : [...source.data.subarray(vertex * source.size, (vertex + 1) * source.size)];
      return found.length === 3 ? [...found, 1] : found;
    };
    const valid = (vertex: number | null): vertex is number => vertex !== null && vertex < data.head.vertices && source !== null;
    set(this.point, valid(how.vertex) ? at(how.vertex) : null, [0.95, 0.35, 0.1]);
    const index = data.arrays.get("index")?.data;
    const corners = how.triangle !== null && index !== undefined && how.triangle * 3 + 2 < index.length ? [0, 1, 2].map((k) => index[(how.triangle ?? 0) * 3 + k] ?? 0) : null;
    set(this.outline, corners?.flatMap(at) ?? null, [1, 0.55, 0.2]);
    // the volume: a box in clip space, the frustum in object space
    let box: number[][] | null = null;
    if (how.space === "clip") {
      const { nearest, farthest } = data.head.volume;
      box = [nearest, farthest].flatMap((z) => [[-1, -1, z], [1, -1, z], [1, 1, z], [-1, 1, z]]);
    } else if (how.space === "object") {
      box = data.head.frustum ?? null;
    }
    set(this.lines, box === null ? null : EDGES.flatMap((corner) => [...(box[corner] ?? [0, 0, 0]), 1]), accent);
  }
}

