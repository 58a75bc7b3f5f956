// Colours, materials and the one light, as data. Everything is lit once per corner, never per pixel.
import { THREE } from "/web/three.js";

export const PALETTE = {
  light: { sky: "#e8edf0", haze: "#f4f2ec", ground: "#c9c9c4", label: "#1b2026", paper: "rgba(255,255,255,.86)" },
  dark: { sky: "#171b21", haze: "#232a32", ground: "#2a3037", label: "#f0f3f6", paper: "rgba(16,20,26,.82)" },
};
export const INK = {
  floor: "#d9d2c5", joint: "#c3baa9", fleck: "#cfc7b8", shade: [58, 46, 34],
  wall: "#ece3d2", wallTop: "#fffaf0", edge: "#6b6152", skirting: "#8d7f6c",
  chosen: "#ffb000", hit: "#0a5fd0", lost: "#c2185b", mark: "#8844bb", alarm: "#ee2211",
};
export const PLAIN_WALL = "#7a7a7a"; // colour of walls that have none in their file: drawn as plaster
export const PLAIN_GROUND = "#d8d4cc"; // colour of a ground that has none in its file: drawn as tiles

// how much of the sky a material mirrors; below zero: it glows
export const MATERIALS = { matt: 0, plaster: 0, carpet: 0, cardboard: 0, wood: 0.1, rubber: 0.12, lino: 0.3, gloss: 0.75, metal: 0.9, glow: -1 };

export const SUN = new THREE.Vector3(-0.45, -0.62, 1.0).normalize(); // towards the sun
const SUN_LIGHT = [0.62, 0.58, 0.50], SKY_LIGHT = [0.60, 0.63, 0.68], GROUND_LIGHT = [0.40, 0.365, 0.32]; // linear

export const linear = (colour) => new THREE.Color(colour).toArray(); // three.js keeps colours linear
export const screen = (colour) => linear(colour).map((value) => value ** (1 / 2.2)); // as shaders without conversion need them

// a corner's colour on the screen; shade: its share of the open sky
export function lit([r, g, b], nx, ny, nz, shade = 1) {
  const sun = Math.max(0, nx * SUN.x + ny * SUN.y + nz * SUN.z), up = 0.5 + 0.5 * nz;
  const bright = (k) => SUN_LIGHT[k] * sun + (GROUND_LIGHT[k] * (1 - up) + SKY_LIGHT[k] * up) * shade;
  return [r * bright(0), g * bright(1), b * bright(2)].map((value) => Math.min(1, value) ** (1 / 2.2));
}

const glsl = (v) => `vec3(${v.map((x) => x.toFixed(4)).join(",")})`;
export const LIGHT_GLSL = `
vec3 lit(vec3 colour, vec3 n, vec3 eye, float gloss, float shade) {
  if (gloss < 0.0) return pow(colour, vec3(0.4545));
  vec3 sunward = ${glsl(SUN.toArray())};
  float up = 0.5 + 0.5 * n.z;
  vec3 light = ${glsl(SUN_LIGHT)} * max(0.0, dot(n, sunward)) + mix(${glsl(GROUND_LIGHT)}, ${glsl(SKY_LIGHT)}, up) * shade;
  float rim = 1.0 - max(0.0, dot(n, eye));
  float spot = pow(max(0.0, dot(n, normalize(sunward + eye))), 24.0);
  vec3 mirror = vec3(0.9, 0.95, 1.0) * gloss * (0.5 * spot + 0.35 * rim * rim * rim * up);
  return pow(min(colour * light + mirror, vec3(1.0)), vec3(0.4545));
}`;

// colours are those of the screen: no light, no conversion, next to nothing per pixel
export const RAW_FRAGMENT = "varying vec3 c; void main() { gl_FragColor = vec4(c, 1.0); }";
export const FLAT_FRAGMENT = "uniform vec3 ink; void main() { gl_FragColor = vec4(ink, 1.0); }";
