// What stands still: ground, walls, objects. A few draw calls, with the light already in the colours of the corners.
import { floorPicture, hull } from "/web/bake3d.js";
import { DOLL_HOUSE_M } from "/web/camera3d.js";
import { Corners, addFigure, mounted, sideOf, solid, triangles } from "/web/forms3d.js";
import { floats } from "/web/frames.js";
import { FLAT_FRAGMENT, INK, MATERIALS, PLAIN_GROUND, PLAIN_WALL, RAW_FRAGMENT, linear, lit, screen } from "/web/palette.js";
import { THREE } from "/web/three.js";

const FINE = { least: 0, round: 16 };
const SKIRTING_M = 0.09, LOW_M = 0.12; // m left of a wall that is cut away
const TALL_M = 0.5; // lower things are not cut away
const MANY_PIECES = 1500; // walls of so many pieces have no skirting and no lines
const SOLE_M = 0.002; // below the floor lies the ground around it

// what is in the way of the camera (cut) is lowered: walls lose their upper part, things become flat; all walls in a doll's house end at its ceiling
const SINK = `
attribute vec3 rise; attribute float cut; uniform float ceiling, cutting;
vec3 sunk(vec3 p) {
  float top = min(rise.x, ceiling);
  p.z = rise.z > 0.5 ? min(p.z, mix(top, min(rise.y, top), cut * cutting)) : p.z * mix(1.0, rise.y / rise.x, cut * cutting);
  return p;
}`;
const SUNK_VERTEX = `${SINK} attribute vec3 colour; varying vec3 c; void main() { c = colour; gl_Position = projectionMatrix * modelViewMatrix * vec4(sunk(position), 1.0); }`;
const LINE_VERTEX = `${SINK} void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(sunk(position), 1.0); }`;
const BAKED_VERTEX = "attribute vec3 colour; varying vec3 c; void main() { c = colour; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }";

function bake(geometry, shadeOf) { // light into the colours
  const { position: p, normal: n, colour: c, trait: t } = geometry.attributes;
  for (let i = 0; i < p.count; i++) {
    const own = [c.getX(i), c.getY(i), c.getZ(i)];
    c.setXYZ(i, ...(t && t.getY(i) < 0 ? own.map((value) => value ** (1 / 2.2)) : lit(own, n.getX(i), n.getY(i), n.getZ(i), shadeOf(p.getX(i), p.getY(i), p.getZ(i), n.getZ(i)))));
  }
  return geometry;
}

export class Room {
  constructor(scene, prints, step) {
    const [ax, ay, bx, by] = scene.bounds;
    this.size = Math.max(bx - ax, by - ay, 0.1);
    this.group = new THREE.Group();
    this.ceiling = { value: 1e6 };
    this.cutting = { value: 1 }; // 0: this pane shows everything at its height
    this.pieces = []; // what can hide a robot: {name, edges, high, flat, ranges, cut, wanted}
    this.pictures = new Map();
    this.thick = Math.min(0.07, Math.max(0.01, 0.004 * this.size)); // drawn thickness of walls that have none (m)
    this.walls(scene.walls.filter((wall) => !wall.textures));
    this.things(scene, prints);
    for (const wall of scene.walls) if (wall.textures) this.printed(wall, prints).userData.wall = true;
    this.ground = this.floor(scene, prints, step);
    this.group.add(this.ground, ...this.around(scene));
  }

  // ---- walls

  walls(list) {
    const all = new Corners(), lines = [], rises = [], lineRises = [], bits = list.flatMap((wall) => segments(wall).map((ends) => ({ wall, ends })));
    const plain = bits.length > MANY_PIECES, near = plain ? null : new Ends(bits.map((bit) => bit.ends), this.size / 40);
    for (const bit of bits) this.piece(bit, all, lines, rises, lineRises, plain, near);
    if (all.empty) return;
    const tall = Math.max(...list.map((wall) => wall.height));
    const geometry = bake(all.build(["position", "normal", "colour"]), (x, y, z, nz) => (nz > 0.5 ? 1 : 1 - 0.42 * Math.exp(-z / (0.16 * Math.min(tall, 2.5)))));
    this.wallMesh = this.sinking(THREE.Mesh, geometry, rises, { vertexShader: SUNK_VERTEX, fragmentShader: RAW_FRAGMENT, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 }); // lines lie before it
    const ink = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(lines, 3));
    this.lineMesh = this.sinking(THREE.LineSegments, ink, lineRises, { vertexShader: LINE_VERTEX, fragmentShader: FLAT_FRAGMENT, uniforms: { ink: { value: screen(INK.edge) } } });
  }

  sinking(kind, geometry, rises, { uniforms, ...shader }) {
    geometry.setAttribute("rise", new THREE.Float32BufferAttribute(rises, 3));
    geometry.setAttribute("cut", new THREE.BufferAttribute(new Float32Array(rises.length / 3), 1).setUsage(THREE.DynamicDrawUsage));
    const mesh = new kind(geometry, new THREE.ShaderMaterial({ ...shader, uniforms: { ...uniforms, ceiling: this.ceiling, cutting: this.cutting } }));
    this.group.add(mesh);
    return mesh;
  }

  piece({ wall, ends }, all, lines, rises, lineRises, plain, near) {
    const [ax, ay, bx, by] = ends, thick = Math.max(wall.thickness, this.thick), high = wall.height, low = Math.min(LOW_M, 0.3 * high);
    const long = Math.hypot(bx - ax, by - ay) + thick - 0.004, from = all.count, lineFrom = lines.length / 3; // not quite as far as the other wall's face
    const place = new THREE.Matrix4().makeRotationZ(Math.atan2(by - ay, bx - ax)).setPosition((ax + bx) / 2, (ay + by) / 2, 0);
    const plaster = wall.colour === PLAIN_WALL, paint = linear(plaster ? INK.wall : wall.colour), skirting = linear(plaster ? INK.skirting : new THREE.Color(wall.colour).multiplyScalar(0.5));
    const top = plaster ? linear(INK.wallTop) : linear(new THREE.Color(wall.colour).lerp(new THREE.Color("#ffffff"), 0.45));
    const skirted = high > 0.5 && !plain, levels = skirted ? [0, SKIRTING_M, 0.3, 0.8, high].filter((z) => z <= high) : [0, high]; // closer together where it darkens
    for (let k = 1; k < levels.length; k++) all.add(band(long, thick, levels[k - 1], levels[k]), { colour: k === 1 && skirted ? skirting : paint, place });
    all.add(new THREE.PlaneGeometry(long, thick).translate(0, 0, high), { colour: top, place });
    if (!plain) this.rim(place, long, thick, high, [near.within(ax, ay, ends), near.within(bx, by, ends)], lines);
    for (let i = from; i < all.count; i++) rises.push(high, low, 1);
    for (let i = lineFrom; i < lines.length / 3; i++) lineRises.push(high, low, 1);
    const [x, y] = [long / 2, thick / 2], foot = [[-x, -y], [x, -y], [x, y], [-x, y]].map(([u, v]) => { const p = new THREE.Vector3(u, v, 0).applyMatrix4(place); return [p.x, p.y]; });
    this.pieces.push({ name: wall.name, wall: true, foot, base: 0, top: Math.min(high, DOLL_HOUSE_M), high, flat: true, edges: [[[ax, ay], [bx, by]]], ranges: [["wallMesh", from, all.count], ["lineMesh", lineFrom, lines.length / 3]], cut: 0, wanted: 0 });
  }

  rim(place, long, thick, high, joined, lines) { // its edges, except where it goes on in another wall
    const [x, y] = [long / 2, thick / 2], corners = [[-x, -y], [x, -y], [x, y], [-x, y]].map(([u, v]) => new THREE.Vector3(u, v, 0).applyMatrix4(place));
    corners.forEach((p, i) => {
      const q = corners[(i + 1) % 4], end = i === 0 || i === 3 ? 0 : 1;
      if (!(i % 2 && joined[i === 3 ? 0 : 1])) lines.push(p.x, p.y, high, q.x, q.y, high);
      if (!joined[end]) lines.push(p.x, p.y, 0, p.x, p.y, high);
    });
  }

  // ---- objects

  things(scene, prints) {
    const all = new Corners(), rises = [];
    for (const thing of scene.fixed) {
      if (thing.textures) { this.printed(thing, prints); continue; }
      const own = thingForm(thing, scene, prints.meshes, FINE), from = all.count;
      all.add(own, { place: mounted(thing.pose) });
      for (let i = 0; i < own.attributes.trait.count; i++) all.trait[(from + i) * 2 + 1] = own.attributes.trait.getY(i);
      const { outline, foot, base, top } = standing(own, mounted(thing.pose)), low = base + 0.1 * Math.min(1, top - base);
      for (let i = from; i < all.count; i++) rises.push(top, low, 0);
      const edges = outline.map((p, i) => [p, outline[(i + 1) % outline.length]]), light = thing.what === "light";
      this.pieces.push({ name: thing.name, foot, outline, base, top, high: light || top - base < TALL_M ? 0 : top, shadow: !light, open: Boolean(scene.figures[thing.figure]?.open), edges, ranges: [["thingMesh", from, all.count]], cut: 0, wanted: 0 });
    }
    if (all.empty) return;
    const geometry = bake(all.build(["position", "normal", "colour", "trait"]), (x, y, z, nz) => (0.62 + 0.38 * Math.min(1, z / 0.5)) * (nz < -0.5 ? 0.6 : 1));
    geometry.deleteAttribute("trait");
    this.thingMesh = this.sinking(THREE.Mesh, geometry, rises, { vertexShader: SUNK_VERTEX, fragmentShader: RAW_FRAGMENT, side: sideOf(geometry) });
  }

  printed(thing, prints) { // with a picture on it
    const mesh = new THREE.Mesh(...prints.textured(thing));
    if (thing.pose) { mesh.applyMatrix4(mounted(thing.pose)); mesh.updateMatrixWorld(); }
    mesh.userData.name = thing.name;
    this.group.add(mesh);
    if (!thing.pose) return mesh;
    const { outline, foot, base, top } = standing(mesh.geometry, mesh.matrix);
    this.pieces.push({ name: thing.name, foot, outline, base, top, high: 0, edges: [], ranges: [], cut: 0, wanted: 0 });
    return mesh;
  }

  // ---- ground

  floor(scene, prints, step) {
    const { ground } = scene;
    if (ground.mesh?.parts.some(([, name]) => name)) return new THREE.Mesh(...prints.textured({ textures: ground.mesh, colour: ground.colour }));
    if (ground.terrain || ground.mesh) return land(ground);
    const [ax, ay, bx, by] = floorArea(scene), solids = this.pieces.filter((piece) => piece.shadow !== false);
    const options = { step, reach: Math.min(0.55, 0.025 * this.size), colour: ground.colour }, texture = new THREE.CanvasTexture(floorPicture([ax, ay, bx, by], solids, options));
    texture.minFilter = THREE.LinearMipmapNearestFilter; // one bilinear fetch: trilinear costs twice as much in software
    texture.colorSpace = THREE.NoColorSpace;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(bx - ax, by - ay), new THREE.ShaderMaterial({
      uniforms: { picture: { value: texture } },
      vertexShader: "varying vec2 at; void main() { at = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: "varying vec2 at; uniform sampler2D picture; void main() { gl_FragColor = texture2D(picture, at); }",
    }));
    mesh.material.map = texture; // disposed with it
    mesh.position.set((ax + bx) / 2, (ay + by) / 2, 0);
    mesh.renderOrder = 0.5; // what others hide is not painted
    if (ground.picture) loaded(`/ground-picture?epoch=${scene.epoch}`).then((image) => {
      texture.dispose();
      texture.image = floorPicture([ax, ay, bx, by], solids, { ...options, image });
      texture.needsUpdate = true;
      prints.loaded();
    }, () => {});
    return mesh;
  }

  around(scene) { // the rest of the ground, and land up to the horizon, where it fades into the sky
    if (scene.ground.terrain || scene.ground.mesh) return [];
    const { size, center, colour } = scene.ground, sole = SOLE_M * Math.max(1, this.size / 10), flat = (mesh, z, order) => { mesh.position.set(center[0], center[1], z); mesh.renderOrder = order; return mesh; };
    const rest = new THREE.Mesh(new THREE.PlaneGeometry(...size), new THREE.ShaderMaterial({ vertexShader: "void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }", fragmentShader: FLAT_FRAGMENT, uniforms: { ink: { value: screen(colour === PLAIN_GROUND ? INK.floor : colour) } } }));
    const far = new THREE.RingGeometry(0.01, 30 * Math.max(this.size, ...size), 48, 6), where = far.attributes.position, most = far.parameters.outerRadius;
    for (let i = 0; i < where.count; i++) { const r = Math.hypot(where.getX(i), where.getY(i)) / most; where.setXY(i, where.getX(i) * r * r, where.getY(i) * r * r); } // finer near the middle
    far.setAttribute("share", new THREE.Float32BufferAttribute(Array.from({ length: where.count }, (_, i) => Math.min(1, Math.hypot(where.getX(i), where.getY(i)) / (0.4 * most)) ** 0.5), 1));
    this.horizon = new THREE.ShaderMaterial({
      uniforms: { near: { value: [0.8, 0.8, 0.78] }, sky: { value: [0.9, 0.93, 0.94] } },
      vertexShader: "attribute float share; uniform vec3 near, sky; varying vec3 c; void main() { c = mix(near, sky, share); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: RAW_FRAGMENT,
    });
    return [flat(rest, -sole, 0.55), flat(new THREE.Mesh(far, this.horizon), -3 * sole, 0.6)];
  }

  tint(palette) { // of sky and land
    if (!this.horizon) return;
    this.horizon.uniforms.near.value = screen(palette.ground);
    this.horizon.uniforms.sky.value = screen(palette.sky);
  }

  // ---- cutting away

  ease(share) { // towards what is wanted; says whether anything moved
    const moved = new Set();
    for (const piece of this.pieces) {
      if (piece.cut === piece.wanted) continue;
      piece.cut = Math.abs(piece.cut - piece.wanted) < 0.02 ? piece.wanted : piece.cut + (piece.wanted - piece.cut) * share;
      for (const [mesh, from, to] of piece.ranges) { this[mesh].geometry.attributes.cut.array.fill(piece.cut, from, to); moved.add(mesh); }
    }
    for (const mesh of moved) this[mesh].geometry.attributes.cut.needsUpdate = true;
    return moved.size > 0;
  }

  pick(raycaster, { walls = false } = {}) { // the thing under a ray, with its distance
    const meshes = [this.thingMesh, walls && this.wallMesh, ...this.group.children.filter((child) => child.userData.name && (walls || !child.userData.wall))].filter(Boolean);
    const hit = raycaster.intersectObjects(meshes, false)[0];
    if (!hit) return null;
    const key = hit.object === this.thingMesh ? "thingMesh" : "wallMesh", holds = ([mesh, from, to]) => mesh === key && from <= hit.face.a && hit.face.a < to;
    const name = hit.object.userData.name || this.pieces.find((piece) => piece.ranges.some(holds))?.name;
    return name ? { name, distance: hit.distance, wall: hit.object === this.wallMesh || Boolean(hit.object.userData.wall), point: hit.point } : null;
  }
}

function segments({ pieces }) {
  return Array.from({ length: pieces.length / 4 }, (_, i) => [...pieces.subarray(i * 4, i * 4 + 4)]);
}

function band(long, thick, low, high) { // the four sides of a box
  const made = new THREE.BoxGeometry(long, thick, high - low).translate(0, 0, (low + high) / 2);
  made.setIndex([...made.index.array].slice(0, 24));
  return made;
}

class Ends { // which walls end in another one: a grid of cells, so that large maps stay fast
  constructor(pieces, cell) {
    this.cell = cell;
    this.cells = new Map();
    for (const piece of pieces) {
      const [ax, ay, bx, by] = piece, count = Math.ceil(Math.hypot(bx - ax, by - ay) / cell) + 1;
      for (let i = 0; i <= count; i++) this.put(ax + ((bx - ax) * i) / count, ay + ((by - ay) * i) / count, piece);
    }
  }

  key(x, y) { return `${Math.round(x / this.cell)} ${Math.round(y / this.cell)}`; }

  put(x, y, piece) {
    const key = this.key(x, y);
    if (!this.cells.has(key)) this.cells.set(key, new Set());
    this.cells.get(key).add(piece);
  }

  within(x, y, own) {
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) {
      for (const piece of this.cells.get(this.key(x + dx * this.cell, y + dy * this.cell)) || []) if (piece !== own && lies(x, y, piece)) return true;
    }
    return false;
  }
}

function lies(x, y, [ax, ay, bx, by]) { // is a point on a line?
  const long = Math.hypot(bx - ax, by - ay) || 1e-9, t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long / long;
  return t > -1e-6 && t < 1 + 1e-6 && Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / long < 1e-3;
}

// an object as one geometry in its own frame: its look, stretched to its size, or else its shape
export function thingForm(thing, scene, meshes, level) {
  const into = new Corners(), figure = scene.figures[thing.figure];
  if (figure) addFigure(into, { ...figure, colour: thing.colour }, { level, before: stretched(figure, thing.shape), own: false, meshes });
  else into.add(solid(thing.shape, meshes, level.round), { colour: linear(thing.colour), trait: [1, thing.what === "light" ? MATERIALS.glow : thing.what === "ball" ? 0.4 : 0] });
  return into.build().setAttribute("color", new THREE.Float32BufferAttribute(into.colour, 3));
}

function stretched(figure, shape) { // from the size that it was modelled in to that of the object
  let [a, b, c] = shape.size || [2 * shape.radius, 2 * shape.radius, shape.height || 2 * shape.radius];
  const [na, nb, nc] = figure.size || [a, b, c], across = a > b !== na > nb && a !== b && na !== nb; // it lies the other way
  if (across) [a, b] = [b, a];
  const scale = new THREE.Matrix4().makeScale(a / na, b / nb, c / nc);
  return across ? new THREE.Matrix4().makeRotationZ(Math.PI / 2).multiply(scale) : scale;
}

const FOOT = 0.2; // share of a thing's height: what is lower stands on the floor

function standing(geometry, matrix) { // its outline, that of its foot, and the heights between which it is
  const { position } = geometry.attributes, points = [], p = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) { p.fromBufferAttribute(position, i).applyMatrix4(matrix); points.push([p.x, p.y, p.z]); }
  const heights = points.map((point) => point[2]), [least, top] = heights.reduce(([low, high], z) => [Math.min(low, z), Math.max(high, z)], [Infinity, -Infinity]);
  const outline = hull(points), foot = hull(points.filter(([, , z]) => z <= least + FOOT * (top - least)));
  return { outline, foot: foot.length > 2 ? foot : outline, base: Math.max(0, least), top };
}

function floorArea({ ground, bounds }) { // where the floor is drawn as a picture: within its walls, or all of it
  const [x, y] = ground.center, [w, h] = ground.size, all = [x - w / 2, y - h / 2, x + w / 2, y + h / 2];
  if (ground.picture) return all;
  const margin = 0.06 * Math.max(bounds[2] - bounds[0], bounds[3] - bounds[1]);
  const area = [Math.max(all[0], bounds[0] - margin), Math.max(all[1], bounds[1] - margin), Math.min(all[2], bounds[2] + margin), Math.min(all[3], bounds[3] + margin)];
  return area[2] - area[0] > 0 && area[3] - area[1] > 0 ? area : all;
}

function loaded(url) {
  return new Promise((done, fail) => { const image = new Image(); image.onload = () => done(image); image.onerror = fail; image.src = url; });
}

// ---- terrain

const MEADOW = linear("#a3b277"), SAND = linear("#d8cba0"), ROCK = linear("#8b7d6b"); // low, high, steep
const MOTTLE = 0.05; // how much neighbouring points differ, so that one sees oneself moving

const mix = (a, b, share) => a.map((value, k) => value * (1 - share) + b[k] * share);
const speckle = (i) => { const n = Math.sin(i * 12.9898) * 43758.5453; return 1 + MOTTLE * (2 * (n - Math.floor(n)) - 1); };

function land(ground) { // coloured by height and slope, lit once; with contour lines
  const geometry = ground.terrain ? terrain(ground.terrain) : triangles(ground.mesh), { position, normal, color } = geometry.attributes, colours = new Float32Array(position.count * 3);
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox, plain = ground.colour === PLAIN_GROUND, own = linear(ground.colour);
  for (let i = 0; i < position.count; i++) {
    const steep = Math.min(1, Math.max(0, (1 - Math.abs(normal.getZ(i)) - 0.04) / 0.3)), up = normal.getZ(i) < 0 ? -1 : 1, high = (position.getZ(i) - min.z) / (max.z - min.z || 1);
    const bare = color ? [color.getX(i), color.getY(i), color.getZ(i)] : mix(plain ? mix(MEADOW, SAND, high) : own, ROCK, steep).map((value) => value * speckle(i));
    colours.set(lit(bare, up * normal.getX(i), up * normal.getY(i), up * normal.getZ(i)), i * 3);
  }
  geometry.setAttribute("colour", new THREE.BufferAttribute(colours, 3));
  const mesh = new THREE.Mesh(geometry, new THREE.ShaderMaterial({ vertexShader: BAKED_VERTEX, fragmentShader: RAW_FRAGMENT, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 })); // lines lie before it
  if (ground.terrain) mesh.add(contours(ground.terrain));
  return mesh;
}

function terrain({ rows, columns, heights, corner, step }) { // two triangles per cell, the same as in the simulation
  const z = floats(heights), points = new Float32Array(rows * columns * 3), faces = [];
  for (let j = 0, k = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++, k++) {
      points.set([corner[0] + i * step[0], corner[1] + j * step[1], z[k]], k * 3);
      if (i < columns - 1 && j < rows - 1) faces.push(k, k + 1, k + columns + 1, k, k + columns + 1, k + columns);
    }
  }
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3)).setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

const CONTOURS = 12; // about so many lines between the lowest and the highest point

function contours({ rows, columns, z, corner, step }) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of z) { low = Math.min(low, value); high = Math.max(high, value); }
  const power = 10 ** Math.floor(Math.log10((high - low || 1) / CONTOURS)), every = [1, 2, 5, 10].map((n) => n * power).find((size) => (high - low) / size <= CONTOURS) || 1;
  const lines = [], lift = 0.002 * Math.max(columns * step[0], rows * step[1]) / 10;
  const put = (level, a, b) => { const t = (level - a[2]) / (b[2] - a[2]); lines.push(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), level + lift); };
  const triangle = (...corners) => {
    const heights = corners.map((p) => p[2]);
    for (let n = Math.ceil(Math.min(...heights) / every); n * every <= Math.max(...heights); n++) {
      const level = n * every + 1e-9, sides = [[0, 1], [1, 2], [2, 0]].filter(([i, j]) => heights[i] < level !== heights[j] < level);
      if (sides.length === 2) for (const [i, j] of sides) put(level, corners[i], corners[j]);
    }
  };
  for (let j = 0; j + 1 < rows; j++) for (let i = 0; i + 1 < columns; i++) {
    const p = (u, v) => [corner[0] + u * step[0], corner[1] + v * step[1], z[v * columns + u]];
    triangle(p(i, j), p(i + 1, j), p(i + 1, j + 1));
    triangle(p(i, j), p(i + 1, j + 1), p(i, j + 1));
  }
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(lines, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: "#5a4c3a", transparent: true, opacity: 0.45 }));
}

// ---- grid

export function grid(bounds, step, colour, height) { // draped over the ground
  const points = [], [ax, ay, bx, by] = bounds, raised = height(ax, ay) || height((ax + bx) / 2, (ay + by) / 2), piece = Math.max(bx - ax, by - ay) / (raised ? 100 : 1);
  const put = (x, y) => points.push(x, y, height(x, y) + (raised ? 0.03 : 0.0004 * Math.max(bx - ax, by - ay)));
  for (let x = Math.ceil(ax / step) * step; x <= bx + 1e-6; x += step) {
    for (let y = ay; y < by; y += piece) { put(x, y); put(x, Math.min(y + piece, by)); }
  }
  for (let y = Math.ceil(ay / step) * step; y <= by + 1e-6; y += step) {
    for (let x = ax; x < bx; x += piece) { put(x, y); put(Math.min(x + piece, bx), y); }
  }
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.3, depthWrite: false }));
}

export function dispose(group) {
  group.traverse((child) => {
    child.geometry?.dispose();
    for (const surface of [child.material || []].flat()) {
      surface.map?.dispose();
      surface.dispose();
    }
  });
}
