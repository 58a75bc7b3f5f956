// Geometry with a colour at each corner: boxes, cylinders, prisms, and triangle meshes from files.
import { floats } from "/web/frames.js";
import { THREE } from "/web/three.js";

export const ROUND = 32; // corners of a circle
const CREASE = Math.cos(0.6); // edges with a smaller angle (rad) are shaded smoothly
const MOST_SMOOTH = 150000; // triangles; larger meshes are shaded flat

export class Builder {
  constructor() { this.positions = []; this.normals = []; this.colours = []; }

  add(geometry, colour, matrix) {
    const plain = geometry.index ? geometry.toNonIndexed() : geometry.clone();
    if (matrix) plain.applyMatrix4(matrix);
    this.positions.push(plain.attributes.position.array);
    this.normals.push(plain.attributes.normal.array);
    const count = plain.attributes.position.count, colours = plain.attributes.color?.array || new Float32Array(count * 3);
    if (!plain.attributes.color) for (let i = 0; i < count; i++) colours.set([colour.r, colour.g, colour.b], i * 3);
    this.colours.push(colours);
    return this;
  }

  get empty() { return !this.positions.length; }

  build() {
    const geometry = new THREE.BufferGeometry();
    const join = (parts) => {
      const all = new Float32Array(parts.reduce((n, part) => n + part.length, 0));
      parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
      return new THREE.BufferAttribute(all, 3);
    };
    geometry.setAttribute("position", join(this.positions));
    geometry.setAttribute("normal", join(this.normals));
    geometry.setAttribute("color", join(this.colours));
    return geometry;
  }
}

export const at = (x, y, z) => new THREE.Matrix4().makeTranslation(x, y, z);
const upright = new THREE.Matrix4().makeRotationX(Math.PI / 2); // three.js cylinders lie along y, ours along z

export function mounted([x, y, z, roll, pitch, yaw]) {
  return new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(roll, pitch, yaw, "ZYX")).setPosition(x, y, z);
}

function prism(points, height) {
  const shape = new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y)));
  const bevel = Math.min(0.015, height / 6);
  return new THREE.ExtrudeGeometry(shape, {
    depth: height - 2 * bevel, bevelEnabled: true, bevelThickness: bevel, bevelSize: 0, bevelSegments: 1, steps: 1,
  }).translate(0, 0, bevel);
}

export function solid(shape, meshes, round = ROUND) { // stands on z = 0
  const made = form(shape, meshes, round);
  return shape.stretch ? made.clone().scale(...shape.stretch) : made;
}

function form(shape, meshes, round) {
  if (shape.kind === "box") return new THREE.BoxGeometry(...shape.size).translate(0, 0, shape.size[2] / 2);
  if (shape.kind === "sphere") return new THREE.SphereGeometry(shape.radius, 24, 16).translate(0, 0, shape.radius);
  if (shape.kind === "prism") return prism(shape.points, shape.height);
  const top = shape.kind === "cone" ? 0 : shape.radius;
  if (shape.kind === "cone" || shape.kind === "cylinder") {
    return new THREE.CylinderGeometry(top, shape.radius, shape.height, round).applyMatrix4(upright).translate(0, 0, shape.height / 2);
  }
  if (shape.kind === "lamp") return lamp(shape);
  const mesh = meshes[shape.mesh];
  return (mesh.geometry ||= triangles(mesh)); // shared by all things with this mesh
}

function lamp({ radius, drop }) { // a bulb at its origin, with a line down to the floor that shows its position
  const builder = new Builder(), white = new THREE.Color("#ffffff");
  builder.add(new THREE.SphereGeometry(radius, 20, 14), white).add(new THREE.CylinderGeometry(0.006, 0.006, drop, 6).applyMatrix4(upright), white, at(0, 0, -drop / 2));
  const made = builder.build();
  made.deleteAttribute("color"); // it has the colour of its light
  return made;
}

export function triangles(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(floats(mesh.corners), 3));
  const colours = floats(mesh.colours), paint = new THREE.Color();
  for (let i = 0; i < colours.length; i += 3) paint.setRGB(colours[i], colours[i + 1], colours[i + 2], THREE.SRGBColorSpace).toArray(colours, i);
  if (colours.length) geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  if (geometry.attributes.position.count <= MOST_SMOOTH * 3) smooth(geometry);
  return geometry;
}

function smooth(geometry) { // corners at the same position share a normal, unless a sharp edge is between them
  const p = geometry.attributes.position.array, flat = geometry.attributes.normal.array, out = new Float32Array(flat.length);
  const places = new Map();
  for (let i = 0; i < p.length; i += 3) {
    const key = `${Math.fround(p[i])} ${Math.fround(p[i + 1])} ${Math.fround(p[i + 2])}`;
    if (places.has(key)) places.get(key).push(i); else places.set(key, [i]);
  }
  for (const corners of places.values()) {
    for (const i of corners) {
      for (const j of corners) {
        if (flat[i] * flat[j] + flat[i + 1] * flat[j + 1] + flat[i + 2] * flat[j + 2] < CREASE) continue;
        for (let k = 0; k < 3; k++) out[i + k] += flat[j + k];
      }
      const long = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
      for (let k = 0; k < 3; k++) out[i + k] /= long;
    }
  }
  geometry.setAttribute("normal", new THREE.BufferAttribute(out, 3));
}
