// Makes three.js meshes of a scene's description. Equal robots are one instanced mesh.
import { floats } from "/web/frames.js";
import { THREE } from "/web/three.js";

const DARK = new THREE.Color("#2b2f36"), PALE = new THREE.Color("#f4f1ea"), WHITE = new THREE.Color("#ffffff");
const DEVICE_COLOURS = { laser: "#2266aa", sonar: "#d8d8d8", beam: "#2266aa", gps: "#eeeeee", compass: "#888888" };
const MOST_DEVICES = 40; // little boxes on one robot
const MOST_PAINTED = 64; // bodies; of more than these equal ones share a form, and their colour tints wheels and devices, too
const ROUND = 32, ROUND_IN_CROWDS = 10, CROWD = 100; // corners of a circle, and from how many equal bodies on it has fewer

// ---- geometry with a colour at each corner, so that wheels stay dark whatever colour the robot has

class Builder {
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

const at = (x, y, z) => new THREE.Matrix4().makeTranslation(x, y, z);
const upright = new THREE.Matrix4().makeRotationX(Math.PI / 2); // three.js cylinders lie along y, ours along z

function prism(points, height) {
  const shape = new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y)));
  const bevel = Math.min(0.015, height / 6);
  return new THREE.ExtrudeGeometry(shape, {
    depth: height - 2 * bevel, bevelEnabled: true, bevelThickness: bevel, bevelSize: 0, bevelSegments: 1, steps: 1,
  }).translate(0, 0, bevel);
}

export function solid(shape, round = ROUND) { // stands on z = 0
  if (shape.kind === "box") return new THREE.BoxGeometry(...shape.size).translate(0, 0, shape.size[2] / 2);
  if (shape.kind === "sphere") return new THREE.SphereGeometry(shape.radius, 24, 16).translate(0, 0, shape.radius);
  if (shape.kind === "prism") return prism(shape.points, shape.height);
  const top = shape.kind === "cone" ? 0 : shape.radius;
  if (shape.kind === "cone" || shape.kind === "cylinder") {
    return new THREE.CylinderGeometry(top, shape.radius, shape.height, round).applyMatrix4(upright).translate(0, 0, shape.height / 2);
  }
  return triangles(shape);
}

function triangles(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(floats(mesh.corners), 3));
  const colours = floats(mesh.colours).map(linear);
  if (colours.length) geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}

function linear(share) { return share < 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; } // of sRGB, as three.js mixes colours

// ---- pictures on things

export class Prints { // the pictures of a scene, each loaded once; until it is there its thing has its colour
  constructor() { this.waiting = new Map(); }

  load(name) {
    if (!this.waiting.has(name)) this.waiting.set(name, new THREE.TextureLoader().loadAsync(`/gallery/${name}`).then((picture) => {
      picture.colorSpace = THREE.SRGBColorSpace;
      picture.wrapS = picture.wrapT = THREE.RepeatWrapping;
      picture.anisotropy = 8;
      return picture;
    }));
    return this.waiting.get(name);
  }

  material(name, colour) { // the colour stays if the picture cannot be had
    const made = new THREE.MeshLambertMaterial({ color: colour });
    this.load(name).then((picture) => { made.map = picture; made.color.set("#ffffff"); made.needsUpdate = true; }, () => {});
    return made;
  }

  dress({ skin, colour }) { // geometry with a group for each picture, and a material for each
    const geometry = triangles(skin), materials = [], count = geometry.attributes.position.count;
    if (!geometry.attributes.color) {
      const { r, g, b } = new THREE.Color(colour);
      geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(count * 3).map((_, i) => [r, g, b][i % 3]), 3));
    }
    geometry.setAttribute("uv", new THREE.BufferAttribute(floats(skin.places), 2));
    skin.parts.reduce((first, [corners, name], row) => {
      geometry.addGroup(first, corners, row);
      materials.push(name ? this.material(name, colour) : material());
      return first + corners;
    }, 0);
    return [geometry, materials];
  }

  form(thing) { return thing.skin ? this.dress(thing) : [new Builder().add(solid(thing.shape), new THREE.Color(thing.colour)).build(), material()]; }
}

function terrain({ rows, columns, heights, corner, step }) { // the same two triangles to a cell as the simulation has
  const z = floats(heights), points = new Float32Array(rows * columns * 3), places = new Float32Array(rows * columns * 2), faces = [];
  for (let j = 0, k = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++, k++) {
      points.set([corner[0] + i * step[0], corner[1] + j * step[1], z[k]], k * 3);
      places.set([i / (columns - 1), j / (rows - 1)], k * 2);
      if (i < columns - 1 && j < rows - 1) faces.push(k, k + 1, k + columns + 1, k, k + columns + 1, k + columns);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setAttribute("uv", new THREE.BufferAttribute(places, 2));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

function robot(body, colour, round) {
  const builder = new Builder(), height = body.shape.height, reach = body.reach;
  const lift = Math.min(0.04, height / 4), shape = { ...body.shape, height: height - lift };
  builder.add(solid(shape, round), colour, at(0, 0, lift));
  for (const { at: [x, y, z], radius, width } of body.wheels.length ? body.wheels : guessedWheels(body)) {
    builder.add(new THREE.CylinderGeometry(radius, radius, width, Math.min(20, round)), DARK, at(x, y, z));
  }
  for (const { shape, mount, colour } of body.parts) {
    builder.add(solid(shape), new THREE.Color(colour), mounted(mount));
  }
  const nose = new THREE.Shape([[0.95, 0], [0.45, 0.28], [0.45, -0.28]].map(([x, y]) => new THREE.Vector2(x * reach, y * reach)));
  builder.add(new THREE.ExtrudeGeometry(nose, { depth: 0.012, bevelEnabled: false }), PALE, at(0, 0, height));
  for (const device of body.devices.slice(0, MOST_DEVICES)) devicePart(builder, device, height);
  return builder.build();
}

function guessedWheels({ wheel, shape, reach, drive, track }) { // of a robot that says no more than its drive
  const radius = Math.min(wheel, shape.height * 0.9), width = Math.min(0.05, reach / 5);
  const rows = drive === "differential" ? [0] : [-reach * 0.5, reach * 0.5];
  return rows.flatMap((x) => [-1, 1].map((side) => ({ at: [x, (side * track) / 2, radius], radius, width })));
}

function mounted([x, y, z, roll, pitch, yaw]) {
  return new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(roll, pitch, yaw, "ZYX")).setPosition(x, y, z);
}

function devicePart(builder, device, height) {
  const colour = DEVICE_COLOURS[device.kind], [x, y, z, , , yaw] = device.mount;
  if (!colour || (device.kind === "sonar" && !x && !y && !z)) return;
  const size = device.kind === "laser" ? [0.12, 0.13, 0.16] : [0.04, 0.05, 0.03];
  const matrix = new THREE.Matrix4().makeRotationZ(yaw).setPosition(x, y, Math.max(z, height > z ? height + size[2] / 2 : z));
  builder.add(new THREE.BoxGeometry(...size), new THREE.Color(colour), matrix);
}

// ---- the parts of a scene

function material(options = {}) {
  return new THREE.MeshLambertMaterial({ vertexColors: true, ...options });
}

export class Bodies { // whatever moves: one instanced mesh for each form
  constructor(bodies, prints) {
    this.group = new THREE.Group();
    this.prints = prints;
    this.places = []; // by slot: [mesh, index]
    const forms = new Map();
    this.painted = bodies.length <= MOST_PAINTED;
    bodies.forEach((body, slot) => {
      const key = JSON.stringify([(this.painted || body.skin) && body.colour, body.shape, body.skin, body.what === "robot" && [body.drive, body.track, body.wheel, body.wheels, body.parts, body.devices]]);
      if (!forms.has(key)) forms.set(key, []);
      forms.get(key).push(slot);
    });
    for (const slots of forms.values()) this.form(bodies, slots);
  }

  form(bodies, slots) {
    const first = bodies[slots[0]];
    const paint = this.painted ? new THREE.Color(first.colour) : WHITE, round = slots.length > CROWD ? ROUND_IN_CROWDS : ROUND;
    const [geometry, surface] = first.what === "robot" ? [robot(first, paint, round), material()] : this.prints.form(first.skin ? first : { ...first, colour: paint });
    const mesh = new THREE.InstancedMesh(geometry, surface, slots.length);
    mesh.frustumCulled = false;
    mesh.userData.slots = slots;
    slots.forEach((slot, index) => {
      this.places[slot] = [mesh, index];
      mesh.setColorAt(index, this.painted || first.skin ? WHITE : new THREE.Color(bodies[slot].colour));
    });
    const wires = new THREE.InstancedMesh(first.skin ? geometry : solid(first.shape), new THREE.MeshBasicMaterial({ wireframe: true, color: "#ff00aa" }), slots.length);
    wires.instanceMatrix = mesh.instanceMatrix;
    wires.frustumCulled = false;
    wires.visible = false;
    mesh.userData.wires = wires;
    this.group.add(mesh, wires);
  }

  show(poses) {
    const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
    this.places.forEach(([mesh, index], slot) => {
      place.fromArray(poses, slot * 7);
      turn.fromArray(poses, slot * 7 + 3);
      mesh.setMatrixAt(index, matrix.compose(place, turn, one));
    });
    for (const mesh of this.meshes()) mesh.instanceMatrix.needsUpdate = true;
  }

  wires(on) { for (const mesh of this.meshes()) mesh.userData.wires.visible = on; }

  meshes() { return this.group.children.filter((child) => child.userData.slots); }

  pick(raycaster) { // the slot under a ray, with its distance
    for (const mesh of this.meshes()) mesh.computeBoundingSphere();
    const hit = raycaster.intersectObjects(this.meshes(), false)[0];
    return hit ? { slot: hit.object.userData.slots[hit.instanceId], distance: hit.distance } : null;
  }
}

export function fixedThings(things, prints) {
  const group = new THREE.Group();
  for (const thing of things) {
    const mesh = new THREE.Mesh(...prints.form(thing));
    const [x, y, z, roll, pitch, yaw] = thing.pose;
    mesh.position.set(x, y, z);
    mesh.rotation.set(roll, pitch, yaw, "ZYX");
    mesh.userData.name = thing.name;
    group.add(mesh);
  }
  return group;
}

export function walls(list, prints) { // one mesh for each wall
  const group = new THREE.Group();
  for (const wall of list) {
    const mesh = wall.skin ? new THREE.Mesh(...prints.dress(wall)) : plainWall(wall);
    mesh.userData.name = wall.name;
    mesh.userData.wall = true;
    group.add(mesh);
  }
  return group;
}

function plainWall(wall) { // a box along every piece
  const count = wall.pieces.length / 4, unit = new THREE.BoxGeometry(1, 1, 1).translate(0, 0, 0.5);
  const mesh = new THREE.InstancedMesh(unit, new THREE.MeshLambertMaterial({ color: wall.colour }), count);
  const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 0, 1), thick = Math.max(wall.thickness, 0.03);
  for (let i = 0; i < count; i++) {
    const [ax, ay, bx, by] = wall.pieces.subarray(i * 4, i * 4 + 4);
    turn.setFromAxisAngle(up, Math.atan2(by - ay, bx - ax));
    const size = new THREE.Vector3(Math.hypot(bx - ax, by - ay) + thick * 0.98, thick, wall.height);
    mesh.setMatrixAt(i, matrix.compose(new THREE.Vector3((ax + bx) / 2, (ay + by) / 2, 0), turn, size));
  }
  return mesh;
}

export function ground(scene, prints) {
  if (scene.ground.mesh?.parts.some(([, name]) => name)) return new THREE.Mesh(...prints.dress({ skin: scene.ground.mesh, colour: scene.ground.colour }));
  const { size, center, colour, picture } = scene.ground, raised = scene.ground.terrain || scene.ground.mesh;
  const surface = new THREE.MeshLambertMaterial({ color: picture ? "#ffffff" : colour });
  if (picture) {
    surface.map = new THREE.TextureLoader().load(`/ground-picture?epoch=${scene.epoch}`);
    surface.map.colorSpace = THREE.SRGBColorSpace;
  }
  if (raised) {
    const form = scene.ground.terrain ? terrain(raised) : triangles(raised);
    surface.vertexColors = Boolean(form.attributes.color);
    surface.side = THREE.DoubleSide;
    return new THREE.Mesh(form, surface);
  }
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(size[0], size[1]), surface);
  mesh.position.set(center[0], center[1], -0.002);
  return mesh;
}

export function grid(bounds, step, colour, height) { // draped over the ground
  const points = [], [ax, ay, bx, by] = bounds, piece = Math.max(bx - ax, by - ay) / (height(ax, ay) || height((ax + bx) / 2, (ay + by) / 2) ? 100 : 1);
  const put = (x, y) => points.push(x, y, height(x, y) + (piece < step ? 0.03 : 0.002));
  for (let x = Math.ceil(ax / step) * step; x <= bx + 1e-6; x += step) {
    for (let y = ay; y < by; y += piece) { put(x, y); put(x, Math.min(y + piece, by)); }
  }
  for (let y = Math.ceil(ay / step) * step; y <= by + 1e-6; y += step) {
    for (let x = ax; x < bx; x += piece) { put(x, y); put(Math.min(x + piece, bx), y); }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.35 }));
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
