// Solids as triangles, collected into one indexed geometry with colour, gloss and wheel at each corner.
import { floats } from "/web/frames.js";
import { MATERIALS, linear } from "/web/palette.js";
import { THREE } from "/web/three.js";

export const ROUND = 24; // corners of a circle
const CREASE = Math.cos(0.6); // edges with a smaller angle (rad) are shaded smoothly
const MOST_SMOOTH = 150000; // triangles; larger meshes are shaded flat
const PARTS = { position: 3, normal: 3, colour: 3, trait: 2, axle: 3, wheel: 3 }; // attribute -> numbers per corner

export const at = (x, y, z) => new THREE.Matrix4().makeTranslation(x, y, z);

export function mounted([x, y, z, roll, pitch, yaw]) {
  return new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(roll, pitch, yaw, "ZYX")).setPosition(x, y, z);
}

// trait: share of the robot's own colour, gloss; wheel: radius (0: does not turn), steered, angle of rollers; axle: its middle
export class Corners {
  constructor() { this.index = []; this.count = 0; this.open = false; for (const name in PARTS) this[name] = []; }

  get empty() { return !this.count; }

  add(geometry, { colour = [1, 1, 1], trait = [0, 0], axle = [0, 0, 0], wheel = [0, 0, 0], place } = {}) {
    const { position, normal, color } = geometry.attributes, v = new THREE.Vector3(), turn = place && new THREE.Matrix3().getNormalMatrix(place), before = this.count;
    for (let i = 0; i < (geometry.index || position).count; i++) this.index.push(before + (geometry.index ? geometry.index.getX(i) : i));
    if (place && place.determinant() < 0) for (let i = this.index.length - 3 * Math.floor((geometry.index || position).count / 3); i < this.index.length; i += 3) [this.index[i], this.index[i + 1]] = [this.index[i + 1], this.index[i]];
    for (let i = 0; i < position.count; i++) {
      v.fromBufferAttribute(position, i);
      if (place) v.applyMatrix4(place);
      this.position.push(v.x, v.y, v.z);
      v.fromBufferAttribute(normal, i);
      if (place) v.applyMatrix3(turn).normalize();
      this.normal.push(v.x, v.y, v.z);
      if (color) this.colour.push(color.getX(i), color.getY(i), color.getZ(i)); else this.colour.push(...colour);
      if (color) this.trait.push(0, trait[1]); else this.trait.push(...trait);
      this.axle.push(...axle);
      this.wheel.push(...wheel);
    }
    this.count += position.count;
    this.open ||= geometry.userData.open;
    return this;
  }

  build(names = Object.keys(PARTS)) {
    const made = new THREE.BufferGeometry();
    for (const name of names) made.setAttribute(name, new THREE.Float32BufferAttribute(this[name], PARTS[name]));
    made.userData.open = this.open;
    return made.setIndex(this.index);
  }
}

export const sideOf = (geometry) => (geometry.userData.open ? THREE.DoubleSide : THREE.FrontSide);

// ---- solids, standing on z = 0

function shared(geometry) { // equal corners only once: software GL pays for each
  const { position, normal } = geometry.attributes, seen = new Map(), index = [], p = [], n = [];
  for (let i = 0; i < position.count; i++) {
    const six = [position.getX(i), position.getY(i), position.getZ(i), normal.getX(i), normal.getY(i), normal.getZ(i)], key = six.map((value) => Math.round(value * 1e5)).join();
    if (!seen.has(key)) { seen.set(key, p.length / 3); p.push(...six.slice(0, 3)); n.push(...six.slice(3)); }
    index.push(seen.get(key));
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(p, 3)).setAttribute("normal", new THREE.Float32BufferAttribute(n, 3)).setIndex(index);
}

function flat(positions) {
  const made = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  made.computeVertexNormals();
  return shared(made);
}

function prism(given, height, bevel) { // counter-clockwise outline; a bevel needs a convex one
  const clockwise = given.reduce((sum, [x, y], i) => { const [a, b] = given[(i + 1) % given.length]; return sum + x * b - a * y; }, 0) < 0, points = clockwise ? [...given].reverse() : given;
  const mx = points.reduce((s, p) => s + p[0], 0) / points.length, my = points.reduce((s, p) => s + p[1], 0) / points.length;
  const shrunk = points.map(([x, y]) => { const far = Math.hypot(x - mx, y - my) || 1; return [x - ((x - mx) / far) * bevel, y - ((y - my) / far) * bevel]; });
  const rings = bevel ? [[shrunk, 0], [points, bevel], [points, height - bevel], [shrunk, height]] : [[points, 0], [points, height]], positions = [];
  for (let k = 1; k < rings.length; k++) points.forEach((_, i) => {
    const j = (i + 1) % points.length, [[low, a], [high, b]] = [rings[k - 1], rings[k]], corner = (ring, n, z) => [ring[n][0], ring[n][1], z];
    positions.push(...corner(low, i, a), ...corner(low, j, a), ...corner(high, j, b), ...corner(low, i, a), ...corner(high, j, b), ...corner(high, i, b));
  });
  const top = rings.at(-1)[0], faces = THREE.ShapeUtils.triangulateShape(top.map(([x, y]) => new THREE.Vector2(x, y)), []);
  for (const [a, b, c] of faces) positions.push(...top[a], height, ...top[b], height, ...top[c], height, ...top[a], 0, ...top[c], 0, ...top[b], 0);
  return flat(positions);
}

function box([a, b, c], r) {
  if (!r) return new THREE.BoxGeometry(a, b, c).translate(0, 0, c / 2);
  const [x, y] = [a / 2, b / 2];
  return prism([[x - r, -y], [x, r - y], [x, y - r], [x - r, y], [r - x, y], [-x, y - r], [-x, r - y], [r - x, -y]], c, r);
}

function turned(profile, round) { // pairs of rings (radius, height); smooth around, sharp along
  const positions = [], normals = [];
  for (let k = 0; k < profile.length; k += 2) {
    const [[ra, za], [rb, zb]] = [profile[k], profile[k + 1]], long = Math.hypot(rb - ra, zb - za) || 1, nr = (zb - za) / long, nz = -(rb - ra) / long;
    for (let i = 0; i < round; i++) {
      const [s, t] = [i, i + 1].map((n) => (n / round) * 2 * Math.PI), corner = (r, z, w) => { positions.push(r * Math.cos(w), r * Math.sin(w), z); normals.push(nr * Math.cos(w), nr * Math.sin(w), nz); };
      if (ra) { corner(ra, za, s); corner(ra, za, t); corner(rb, zb, t); }
      if (rb) { corner(ra, za, s); corner(rb, zb, t); corner(rb, zb, s); }
    }
  }
  const made = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  return shared(made.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3)));
}

function cylinder(radius, height, r, round) {
  if (!r) return turned([[0, 0], [radius, 0], [radius, 0], [radius, height], [radius, height], [0, height]], round);
  return turned([[0, 0], [radius - r, 0], [radius - r, 0], [radius, r], [radius, r], [radius, height - r], [radius, height - r], [radius - r, height], [radius - r, height], [0, height]], round);
}

function lamp({ radius, drop }) { // a bulb at its origin, with a line down to the floor that shows its position
  const bulb = new Corners().add(new THREE.SphereGeometry(radius, 20, 14)).add(cylinder(0.006, drop, 0, 6), { place: at(0, 0, -drop) });
  return bulb.build(["position", "normal"]);
}

export function solid(shape, meshes, round = ROUND) {
  const made = form(shape, meshes, round);
  return shape.stretch ? made.clone().scale(...shape.stretch) : made;
}

function form(shape, meshes, round) {
  const bevel = shape.round || 0;
  if (shape.kind === "box") return box(shape.size, Math.min(bevel, ...shape.size.map((side) => side * 0.45)));
  if (shape.kind === "prism") return prism(shape.points, shape.height, Math.min(bevel, shape.height * 0.45));
  if (shape.kind === "sphere") return new THREE.SphereGeometry(shape.radius, round, Math.max(4, round >> 1)).rotateX(Math.PI / 2).translate(0, 0, shape.radius);
  if (shape.kind === "cone") return turned([[0, 0], [shape.radius, 0], [shape.radius, 0], [0, shape.height]], round);
  if (shape.kind === "cylinder") return cylinder(shape.radius, shape.height, Math.min(bevel, shape.height * 0.45, shape.radius * 0.9), round);
  if (shape.kind === "lamp") return lamp(shape);
  const mesh = meshes[shape.mesh];
  return (mesh.geometry ||= triangles(mesh)); // shared by all things with this mesh
}

export function extent({ size, radius = 0, height = 0, points }) { // the longest side (m)
  return Math.max(...(size || [0]), 2 * radius, height, ...(points || []).flat().map((value) => 2 * Math.abs(value)));
}

// ---- figures: solids at many places, as the catalogue of looks has them

function boxed(shape) { // what is left of a solid far away
  if (shape.kind !== "prism") return { ...shape, round: 0 };
  const [x, y] = [0, 1].map((k) => shape.points.map((p) => p[k])), low = Math.min(...x), high = Math.max(...x), wide = Math.max(...y);
  return { kind: "prism", height: shape.height, points: [[high, -wide * 0.6], [high, wide * 0.6], [low, wide], [low, -wide]] };
}


// level: least (leave out what is smaller, m), round (corners of a circle), plain (no bevels), far (only the parts named in the figure's `far`)
export function addFigure(into, figure, { level, before = new THREE.Matrix4(), own = true, wheels, meshes, keep = () => true }) {
  for (const part of figure.parts) {
    if (!keep(part) || (level.far && figure.far.length ? !figure.far.includes(part.name) : extent(part.shape) < level.least)) continue;
    const shape = level.far ? boxed(part.shape) : level.plain ? { ...part.shape, round: 0 } : part.shape;
    const small = extent(shape) < 0.25 * figure.reach, geometry = solid(shape, meshes, small ? Math.min(10, level.round) : level.round);
    const wheel = part.wheel ? wheels?.[part.wheel] : null;
    const trait = [part.colour ? 0 : own ? 1 : 0, MATERIALS[part.material] ?? 0], colour = part.colour ? linear(part.colour) : linear(figure.colour || "#b08040");
    for (const mount of part.mounts) into.add(geometry, { colour, trait, place: before.clone().multiply(mounted(mount)), ...(wheel ? { axle: wheel.axle, wheel: wheel.turn } : {}) });
  }
  return into;
}

// ---- triangle meshes from files

export function triangles(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.userData.open = true; // files may have holes and inverted faces, so both sides are drawn
  geometry.setAttribute("position", new THREE.BufferAttribute(floats(mesh.corners), 3));
  const colours = floats(mesh.colours), paint = new THREE.Color();
  for (let i = 0; i < colours.length; i += 3) paint.setRGB(colours[i], colours[i + 1], colours[i + 2], THREE.SRGBColorSpace).toArray(colours, i);
  if (colours.length) geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  if (geometry.attributes.position.count <= MOST_SMOOTH * 3) smooth(geometry);
  return geometry;
}

function smooth(geometry) { // corners at the same position share a normal, unless a sharp edge is between them
  const p = geometry.attributes.position.array, flatly = geometry.attributes.normal.array, out = new Float32Array(flatly.length);
  const places = new Map();
  for (let i = 0; i < p.length; i += 3) {
    const key = `${Math.fround(p[i])} ${Math.fround(p[i + 1])} ${Math.fround(p[i + 2])}`;
    if (places.has(key)) places.get(key).push(i); else places.set(key, [i]);
  }
  for (const corners of places.values()) {
    for (const i of corners) {
      for (const j of corners) {
        if (flatly[i] * flatly[j] + flatly[i + 1] * flatly[j + 1] + flatly[i + 2] * flatly[j + 2] < CREASE) continue;
        for (let k = 0; k < 3; k++) out[i + k] += flatly[j + k];
      }
      const long = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
      for (let k = 0; k < 3; k++) out[i + k] /= long;
    }
  }
  geometry.setAttribute("normal", new THREE.BufferAttribute(out, 3));
}
