// Where the program `lanewise` may be, and whether it is new enough. Nothing here needs the editor.
import * as path from "node:path";

/** What is known of the place where the editor runs. */
export interface Place {
  /** The setting `lanewise.path`. */
  setting: string;
  /** The folders of the workspace; none in Restricted Mode, whose environments are not to be trusted. */
  folders: string[];
  /** The interpreter that the Python extension has chosen. */
  interpreter: string;
  /** `PATH`. */
  search: string;
  home: string;
  windows: boolean;
}

const ENVIRONMENTS = [".venv", "venv"];

/** Where to look, in order. A setting excludes all others. */
export function candidates(place: Place): string[] {
  const at = place.windows ? path.win32 : path.posix;
  const name = place.windows ? "lanewise.exe" : "lanewise";
  const scripts = place.windows ? "Scripts" : "bin";
  const setting = place.setting.trim().replace(/^~(?=[/\\]|$)/, () => place.home);
  if (setting && !/[/\\]/.test(setting)) return inPath(place, setting);
  if (setting) return at.isAbsolute(setting) ? [setting] : place.folders.map((folder) => at.join(folder, setting));
  const found = place.folders.flatMap((folder) => ENVIRONMENTS.map((environment) => at.join(folder, environment, scripts, name)));
  if (place.interpreter) found.push(at.join(at.dirname(place.interpreter), name));
  return [...found, ...inPath(place, name)];
}

function inPath(place: Place, name: string): string[] {
  const at = place.windows ? path.win32 : path.posix;
  const file = place.windows && !/\.\w+$/.test(name) ? `${name}.exe` : name;
  // a folder of PATH that is relative would be one of the workspace
  return place.search.split(at.delimiter).filter((folder) => at.isAbsolute(folder)).map((folder) => at.join(folder, file));
}

/** The version in what `lanewise --version` prints; empty for anything else. */
export function versionIn(printed: string): string {
  return /^lanewise (\d+(?:\.\d+)*)/m.exec(printed)?.[1] ?? "";
}

/** Whether a version is before another: 0.9 before 0.10. */
export function older(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split(".").map(Number));
  for (let n = 0; n < Math.max(one?.length ?? 0, other?.length ?? 0); n++) {
    const difference = (one?.[n] ?? 0) - (other?.[n] ?? 0);
    if (difference) return difference < 0;
  }
  return false;
}

/** Run in a checkout of lanewise, which is not in a package index. */
export const INSTALL = "pip install --upgrade '.[editor]'";

/** What to tell when no program was found. */
export function missing(place: Place): string {
  const setting = place.setting.trim();
  if (setting) return `The setting lanewise.path is ${setting}, which is not a program: set it to lanewise, or remove it.`;
  return `lanewise is not installed: in a checkout of lanewise, run \`${INSTALL}\` with the environment of this workspace, or set lanewise.path.`;
}

/** What to tell of a program that is too old for this extension. */
export function outdated(program: string, version: string, needed: string): string {
  return `${program} is lanewise ${version || "of an unknown version"}, and this extension needs ${needed}: in a checkout of lanewise, run \`${INSTALL}\`.`;
}
