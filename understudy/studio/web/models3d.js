// Makes three.js meshes of a scene's description. Equal robots are one instanced mesh.
import { ROUND, triangles } from "/web/forms3d.js";
import { floats } from "/web/frames.js";
import { material } from "/web/prints3d.js";
import { contactForm, robot, wheelTurn } from "/web/robots3d.js";
import { THREE } from "/web/three.js";

const WHITE = new THREE.Color("#ffffff");
const MOST_PAINTED = 64; // bodies; with more, equal ones share a geometry, and their colour also tints wheels and devices
const ROUND_IN_CROWDS = 10, CROWD = 100; // from CROWD equal bodies on, circles have this many corners and wheels do not turn

function terrain({ rows, columns, heights, corner, step }) { // two triangles per cell, the same as in the simulation
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

// ---- the parts of a scene

export class Bodies { // everything that moves: one instanced mesh for each geometry, and for each of its wheels
  constructor(bodies, prints) {
    this.group = new THREE.Group();
    this.prints = prints;
    this.places = []; // by slot: [form, index]
    this.forms = [];
    const equal = new Map();
    this.painted = bodies.length <= MOST_PAINTED;
    bodies.forEach((body, slot) => {
      const key = JSON.stringify([(this.painted || body.textures) && body.colour, body.shape, body.textures, body.what === "robot" && [body.drive, body.track, body.wheel, body.wheels, body.castors, body.parts, body.looks, body.devices, body.joints]]);
      if (!equal.has(key)) equal.set(key, []);
      equal.get(key).push(slot);
    });
    for (const slots of equal.values()) this.form(bodies, slots, prints.meshes);
  }

  form(bodies, slots, meshes) {
    const first = bodies[slots[0]], crowd = slots.length > CROWD;
    const paint = this.painted ? new THREE.Color(first.colour) : WHITE, tints = slots.map((slot) => (this.painted || first.textures ? WHITE : new THREE.Color(bodies[slot].colour)));
    const form = first.what === "robot" ? robot(first, paint, meshes, crowd ? ROUND_IN_CROWDS : ROUND, crowd) : this.thing(first, paint);
    form.mesh = this.instances(form.geometry, slots, tints, form.surface);
    for (const part of [...form.wheels, ...form.limbs]) part.mesh = this.instances(part.geometry, slots);
    form.firsts = slots.map((slot) => bodies[slot].limbs); // index of each body's first joint among the poses
    form.wires = new THREE.InstancedMesh(first.textures ? form.geometry : contactForm(first, meshes), new THREE.MeshBasicMaterial({ wireframe: true, color: "#ff00aa" }), slots.length);
    form.wires.instanceMatrix = form.mesh.instanceMatrix;
    form.wires.frustumCulled = form.wires.visible = false;
    this.group.add(form.wires);
    this.forms.push(form);
    slots.forEach((slot, index) => { this.places[slot] = [form, index]; });
  }

  thing(thing, paint) {
    const [geometry, surface] = this.prints.form(thing.textures ? thing : { ...thing, colour: paint });
    return { geometry, surface: thing.textures ? surface : undefined, wheels: [], limbs: [] };
  }

  instances(geometry, slots, tints, surface = material({ side: THREE.DoubleSide })) { // mesh files may have inverted faces
    const mesh = new THREE.InstancedMesh(geometry, surface, slots.length);
    mesh.frustumCulled = false;
    mesh.userData.slots = slots;
    tints?.forEach((tint, index) => mesh.setColorAt(index, tint));
    this.group.add(mesh);
    return mesh;
  }

  show({ poses, rolling }) {
    const matrix = new THREE.Matrix4(), turned = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
    this.places.forEach(([form, index], slot) => {
      place.fromArray(poses, slot * 7);
      turn.fromArray(poses, slot * 7 + 3);
      form.mesh.setMatrixAt(index, matrix.compose(place, turn, one));
      for (const wheel of form.wheels) wheel.mesh.setMatrixAt(index, turned.multiplyMatrices(matrix, wheelTurn(wheel, rolling, slot, turned)));
      for (const limb of form.limbs) {
        const at = (form.firsts[index] + limb.joint) * 7;
        limb.mesh.setMatrixAt(index, matrix.compose(place.fromArray(poses, at), turn.fromArray(poses, at + 3), one));
      }
    });
    for (const mesh of this.meshes()) mesh.instanceMatrix.needsUpdate = true;
  }

  wires(on) { for (const form of this.forms) form.wires.visible = on; }

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
    const [form, surface] = prints.form(thing);
    const mesh = new THREE.Mesh(form, thing.what === "light" ? new THREE.MeshBasicMaterial({ vertexColors: true }) : surface);
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
    const mesh = wall.textures ? new THREE.Mesh(...prints.textured(wall)) : plainWall(wall);
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
  if (scene.ground.mesh?.parts.some(([, name]) => name)) return new THREE.Mesh(...prints.textured({ textures: scene.ground.mesh, colour: scene.ground.colour }));
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
