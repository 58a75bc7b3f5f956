// A pane's camera: a home view in which robots are seen, views of the selected robot, follow, ride and fly.
import { OrbitControls, THREE } from "/web/three.js";

const FIELD = 34, RIDE_FIELD = 62; // degrees: a long lens makes small things look built
const AZIMUTHS = 16, ELEVATIONS = [30, 36, 44, 52, 60]; // degrees; tried for the home view
const LARGE = 0.225, SMALL_PX = 70; // the selected robot's length in the home view: share of the pane's height at most, pixels at least
const MARGIN = 0.86, ABOVE_PX = 58, BELOW_PX = 76, FREE = 0.4; // robots stay in this share of the width, clear of the buttons above and the hint below, as far as the pane is high enough
export const DOLL_HOUSE_M = 1.2; // height of walls in views from above
const SUNNY = -0.7 * Math.PI; // azimuth of the home view if all else is equal (rad): what is lit is seen
const CALM = 0.8, HOME_S = 1.2; // share of its part of the pane that the selected robot may be in before the home view moves; how long it takes (s)
const FOLLOW = { turn: 0.75, elevation: 0.5, reaches: 11 }; // off its tail, upwards (rad); distance
const MOST_FRAMED = 16; // robots in a home view, with the selected one
const MODES = ["orbit", "follow", "ride", "fly"];
const SIDES = { front: [1, 0], back: [-1, 0], left: [0, 1], right: [0, -1] };
const TURN_SHARE = 2.5; // of a change of heading that the following camera makes up for in a second

// ---- what hides what: in the plan first, then by height

export function hides(piece, from, to, ceiling) {
  const rx = to.x - from.x, ry = to.y - from.y, high = piece.flat ? Math.min(piece.high, ceiling) : piece.high;
  if (Math.min(from.z, to.z) >= high) return false;
  for (const [a, b] of piece.edges) {
    const sx = b[0] - a[0], sy = b[1] - a[1], cross = rx * sy - ry * sx;
    if (Math.abs(cross) < 1e-9) continue;
    const t = ((a[0] - from.x) * sy - (a[1] - from.y) * sx) / cross, u = ((a[0] - from.x) * ry - (a[1] - from.y) * rx) / cross;
    if (t > 0 && t < 1 && u > -0.02 && u < 1.02 && from.z + t * (to.z - from.z) < high) return true;
  }
  return false;
}

export function probes({ x, y, z, reach }, eye, wide = 1) { // middle, left and right rim as seen from the eye
  const w = Math.atan2(y - eye.y, x - eye.x) + Math.PI / 2, c = Math.cos(w) * reach * wide, s = Math.sin(w) * reach * wide, up = z + reach * 0.3;
  return [new THREE.Vector3(x, y, up), new THREE.Vector3(x + c, y + s, up), new THREE.Vector3(x - c, y - s, up)];
}

const toward = (azimuth, elevation) => new THREE.Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));

function across(toEye) { // to the right and upwards in the picture
  const right = new THREE.Vector3(-toEye.y, toEye.x, 0).normalize();
  return [right, toEye.clone().cross(right)];
}

// the part of the picture that robots are kept in, as tangents from its middle
function part(camera, height) {
  const tan = Math.tan((camera.fov * Math.PI) / 360), clear = (pixels) => tan * Math.max(FREE, 1 - (2 * pixels) / height);
  return { side: tan * camera.aspect * MARGIN, up: clear(ABOVE_PX), down: clear(BELOW_PX) };
}

function fit({ side, up: above, down: below }, points, toEye, least) { // nearest place along toEye from which all points are in this part of the picture
  const target = new THREE.Box3().setFromPoints(points).getCenter(new THREE.Vector3()), [right, up] = across(toEye);
  const spans = (axis, high, low) => { // two planes through the eye touch the outermost points: gives distance and shift at once
    let most = -Infinity, lowest = Infinity;
    for (const p of points) { const d = p.clone().sub(target), out = d.dot(axis), near = d.dot(toEye); most = Math.max(most, out + near * high); lowest = Math.min(lowest, out - near * low); }
    return { far: (most - lowest) / (high + low), shift: (far) => (most + lowest - far * (high - low)) / 2 };
  };
  const wide = spans(right, side, side), tall = spans(up, above, below), far = Math.max(wide.far, tall.far, least);
  target.addScaledVector(right, wide.shift(far)).addScaledVector(up, tall.shift(far));
  return { target, eye: target.clone().addScaledVector(toEye, far), far };
}

const farAs = (camera, { reach }, share) => reach / share / Math.tan((camera.fov * Math.PI) / 360); // from where its length has this share of the pane's height

function together({ camera, height }, of, others, toEye) { // a view of a robot and of those near it, as long as it stays large
  const least = farAs(camera, of, LARGE), farthest = Math.max(least, farAs(camera, of, SMALL_PX / height)), frame = part(camera, height);
  let points = around(of, 1.6), view = fit(frame, points, toEye, least);
  for (const other of others) {
    const wider = fit(frame, [...points, ...around(other)], toEye, least);
    if (wider.far > farthest) break;
    points = [...points, ...around(other)];
    view = wider;
  }
  return { ...view, least };
}

// the view from which most of the robots are seen, as near as possible; the angle is chosen once, so that it does not jump about
export function home(pane, robots, pieces, chosen) {
  const others = neighbours(chosen, robots), frame = part(pane.camera, pane.height);
  let best = null;
  for (let i = 0; i < AZIMUTHS; i++) for (const elevation of ELEVATIONS) {
    const azimuth = -Math.PI / 2 + (i / AZIMUTHS) * 2 * Math.PI, toEye = toward(azimuth, (elevation * Math.PI) / 180), view = together(pane, chosen, others, toEye);
    const all = [chosen, ...others].flatMap((robot) => probes(robot, view.eye)), open = all.filter((p) => inside(frame, view.eye, toEye, p) && !pieces.some((piece) => hides(piece, view.eye, p, DOLL_HOUSE_M))).length;
    const usual = -0.25 * Math.abs(Math.sin((azimuth - SUNNY) / 2)) - 0.009 * Math.abs(elevation - 34); // low enough to see the room behind the robots
    const corner = 0.2 * Math.abs(Math.sin(2 * azimuth)); // corners look better than fronts
    const score = (0.7 * open) / all.length + 0.6 * (view.least / view.far) + usual + corner;
    if (!best || score > best.score) best = { ...view, toEye, score, open: open / all.length };
  }
  return best;
}

function inside({ side, up: above, down: below }, eye, toEye, point) { // this part of the picture
  const [right, up] = across(toEye), to = point.clone().sub(eye), deep = -to.dot(toEye), high = to.dot(up);
  return deep > 0 && Math.abs(to.dot(right)) < deep * side && high < deep * above && -high < deep * below;
}

const neighbours = (of, robots) => robots.filter((robot) => robot.name !== of.name).sort((a, b) => Math.hypot(a.x - of.x, a.y - of.y) - Math.hypot(b.x - of.x, b.y - of.y)).slice(0, MOST_FRAMED);

const around = ({ x, y, z, reach, top }, wide = 1.25) => [-1, 1].flatMap((i) => [-1, 1].flatMap((k) => [0, top + 0.5 * reach].map((up) => new THREE.Vector3(x + wide * i * reach, y + wide * k * reach, z + up))));

export class Eye {
  constructor(element, world, surroundings) {
    this.world = world;
    this.surroundings = surroundings; // () => {pieces, top(slot)}: what stands around
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.02, 500);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.screenSpacePanning = false; // along the floor, with the right button or two fingers
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.mouseButtons.MIDDLE = THREE.MOUSE.DOLLY;
    this.mode = "orbit"; // orbit, follow, ride, fly
    this.held = new Set();
    this.height = 1; // of the pane, in pixels
    this.looked = false;
  }

  get outside() { return this.mode === "orbit" || this.mode === "follow"; } // it looks at the scene, and nothing may be in its way

  get ceiling() { return this.mode === "orbit" ? DOLL_HOUSE_M : 1e6; }

  // ---- whom to look at

  targets() { // the robots, where they are
    const { world } = this, { top } = this.surroundings();
    return world.robots.map((robot, slot) => { const [x, y, h, z] = world.place(robot.name); return { name: robot.name, slot, x, y, z, heading: h, reach: robot.reach, top: top(slot) }; });
  }

  chosen() { // the selected thing as a target, or null
    const { world } = this, place = world.place(world.selected), thing = world.thing(world.selected);
    if (!place || !thing) return null;
    const slot = world.slots.get(thing.name), size = thing.shape.size, reach = thing.reach || (size ? Math.hypot(size[0], size[1]) / 2 : thing.shape.radius) || 0.3;
    return { name: thing.name, slot, x: place[0], y: place[1], z: place[3], heading: place[2], reach, top: slot === undefined ? thing.shape.height || size?.[2] || reach : this.surroundings().top(slot) };
  }

  scene() { // the whole scene as a target
    const [ax, ay, bx, by] = this.world.scene.bounds, x = (ax + bx) / 2, y = (ay + by) / 2;
    return { x, y, z: this.world.height(x, y), heading: 0, reach: Math.max(bx - ax, by - ay, 0.1) / 2, top: 0 };
  }

  // ---- views

  look(preset) {
    const [ax, ay, bx, by] = this.world.scene.bounds, size = Math.max(bx - ax, by - ay, 1);
    this.camera.far = size * 40 + 100;
    this.camera.near = Math.min(0.02, size / 500);
    this.widen(FIELD);
    this.framing = null;
    const robots = this.world.frame ? this.targets() : [];
    if (preset === "all") this.side("corner", this.scene());
    else if (preset !== "initial") this.side(preset, this.chosen() || this.scene());
    else if (robots.length) {
      const { target, eye, toEye } = home(this, robots, this.surroundings().pieces, robots.find((robot) => robot.name === this.world.selected) || robots[0]);
      this.place(eye, target);
      this.framing = { toEye, goal: { eye, target } }; // until the user looks elsewhere
    } else this.side("corner", this.scene());
    this.looked = true;
  }

  side(preset, of) {
    const target = new THREE.Vector3(of.x, of.y, of.z + of.top * 0.45), far = of.name ? FOLLOW.reaches * of.reach : (1.05 * of.reach * Math.max(1, 1.3 / this.camera.aspect)) / Math.tan((FIELD * Math.PI) / 360);
    const [dx, dy] = SIDES[preset] || [0, 0], elevation = of.name ? 0.25 : 0.45;
    const toEye = preset === "top" ? new THREE.Vector3(-1e-3 * Math.cos(of.name ? Math.PI / 2 : of.heading + Math.PI / 2), -1e-3, 1) : preset === "corner" ? toward(-2.1, 0.8) : toward(of.heading + Math.atan2(dy, dx), elevation);
    this.place(target.clone().addScaledVector(toEye, far), target);
  }

  place(eye, target) {
    this.camera.position.copy(eye);
    this.controls.target.copy(target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  widen(field) {
    if (this.camera.fov === field) return;
    this.camera.fov = field;
    this.camera.updateProjectionMatrix();
  }

  lead(mode) {
    this.mode = mode;
    this.framing = null;
    this.controls.enabled = this.outside;
    this.followed = null;
    this.widen(mode === "ride" ? RIDE_FIELD : FIELD);
    if (mode === "orbit") this.camera.up.set(0, 0, 1);
  }

  fit(width, height) {
    if (this.camera.aspect === width / height && this.height === height) return;
    this.camera.aspect = width / height;
    this.height = height;
    this.camera.updateProjectionMatrix();
    if (this.framing && this.world.frame) this.look("initial"); // another pane, another home
  }

  update(seconds) {
    if (!this.looked && this.world.scene && this.world.frame) this.look("initial");
    const of = this.chosen();
    if (this.mode === "follow" && of) this.follow(of, seconds);
    else if (this.mode === "ride" && of) this.ride(of);
    else if (this.mode === "fly") this.fly(seconds);
    else if (this.framing && this.world.frame) this.frame(seconds);
    this.camera.updateMatrixWorld();
  }

  frame(seconds) { // the home view moves on when the selected robot, or another one that was in it, drives out of it
    const robots = this.targets(), of = robots.find((robot) => robot.name === this.world.selected) || robots[0], { goal, toEye } = this.framing;
    if (!of) return;
    const others = neighbours(of, robots);
    if (!this.framing.moving && (this.leaves(of, CALM) || others.some((robot) => this.leaves(robot, 1)))) {
      const view = together(this, of, others, toEye);
      if (view.eye.distanceTo(goal.eye) > 0.1 * view.least) Object.assign(this.framing, { goal: view, moving: true });
    }
    if (!this.framing.moving) return;
    const share = Math.min(1, (3 * seconds) / HOME_S), eye = this.camera.position.clone().lerp(this.framing.goal.eye, share), target = this.controls.target.clone().lerp(this.framing.goal.target, share);
    this.place(eye, target);
    if (eye.distanceTo(this.framing.goal.eye) < 0.01 * this.framing.goal.far) this.framing.moving = false;
  }

  leaves({ x, y, z, top, reach }, share) { // this share of the part of the picture in which robots are kept
    const { side, up, down } = part(this.camera, this.height), seen = (height) => new THREE.Vector3(x, y, height).applyMatrix4(this.camera.matrixWorldInverse);
    const foot = seen(z), head = seen(z + top), deep = -foot.z * share;
    return deep <= 0 || Math.abs(foot.x) + reach > deep * side || head.y > -head.z * share * up || -foot.y + reach > deep * down;
  }

  follow(of, seconds) { // with it and around it, as it turns; users may look from elsewhere meanwhile
    const target = new THREE.Vector3(of.x, of.y, of.z + of.top * 0.4), last = this.followed;
    if (!last || last.name !== of.name) {
      this.followed = { ...of, heading: of.heading };
      return this.place(target.clone().addScaledVector(toward(of.heading + Math.PI - FOLLOW.turn, FOLLOW.elevation), FOLLOW.reaches * of.reach), target);
    }
    const behind = Math.atan2(Math.sin(of.heading - last.heading), Math.cos(of.heading - last.heading)), turn = behind * Math.min(1, TURN_SHARE * seconds);
    const away = this.camera.position.clone().sub(this.controls.target).applyAxisAngle(this.camera.up, turn);
    this.followed = { ...of, heading: last.heading + turn };
    this.place(target.clone().add(away), target);
  }

  ride(of) { // at its camera or scanner, without its own body
    const thing = this.world.thing(of.name), device = ["camera", "laser"].map((kind) => thing.devices?.find((each) => each.kind === kind)).find(Boolean);
    const { poses } = this.world.frame, slot = device?.joint >= 0 ? thing.limbs + device.joint : of.slot;
    if (slot === undefined) return this.follow(of, 1);
    const [x, y, z, roll, pitch, yaw] = device ? device.mount : [of.reach * 0.5, 0, of.top * 0.9, 0, 0, 0];
    const turn = new THREE.Quaternion().fromArray(poses, slot * 7 + 3), from = new THREE.Vector3(x, y, z).applyQuaternion(turn).add(new THREE.Vector3().fromArray(poses, slot * 7));
    const way = new THREE.Vector3(1, 0, 0).applyEuler(new THREE.Euler(roll, pitch, yaw, "ZYX")).applyQuaternion(turn);
    this.camera.position.copy(from);
    this.camera.lookAt(from.clone().add(way));
    this.controls.target.copy(from).addScaledVector(way, 2);
  }

  get hidden() { return this.mode === "ride" ? this.world.slots?.get(this.world.selected) : undefined; } // the body that is not drawn

  // ---- by keys

  fly(seconds) { // Q up, Z down, W and S forward and back, A and D sideways: SEAR's keys
    const way = new THREE.Vector3();
    this.camera.getWorldDirection(way);
    const side = new THREE.Vector3().crossVectors(way, this.camera.up).normalize(), pace = this.pace() * seconds;
    const move = (key, vector, sign) => this.held.has(key) && this.camera.position.addScaledVector(vector, sign * pace);
    move("KeyW", way, 1); move("KeyS", way, -1); move("KeyD", side, 1); move("KeyA", side, -1);
    move("KeyQ", this.camera.up, 1); move("KeyZ", this.camera.up, -1);
    const low = this.world.height(this.camera.position.x, this.camera.position.y) + 0.05;
    this.camera.position.z = Math.max(this.camera.position.z, low);
    this.controls.target.copy(this.camera.position).addScaledVector(way, 2);
  }

  pace() { // m/s of a flying camera: slower on a LEGO table
    const [ax, ay, bx, by] = this.world.scene.bounds;
    return Math.min(3, Math.max(0.2, 0.2 * Math.max(bx - ax, by - ay)));
  }

  shift(dx, dy, dz) { // the camera with what it looks at, along the world's axes, in steps
    this.lead("orbit");
    const by = new THREE.Vector3(dx, dy, dz).multiplyScalar(0.05 * this.camera.position.distanceTo(this.controls.target));
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  rotate(angle) { // about the vertical through itself (rad)
    this.lead("orbit");
    const away = this.controls.target.clone().sub(this.camera.position).applyAxisAngle(this.camera.up, angle);
    this.controls.target.copy(this.camera.position).add(away);
    this.controls.update();
  }

  turn(dx, dy) { // look around in fly mode, by pixels of the mouse
    const way = new THREE.Vector3();
    this.camera.getWorldDirection(way);
    const yaw = Math.atan2(way.y, way.x) - dx * 0.004, pitch = Math.max(-1.5, Math.min(1.5, Math.asin(way.z) - dy * 0.004));
    this.camera.lookAt(this.camera.position.clone().add(toward(yaw, pitch)));
  }

  ahead(metres) { // in fly mode, by two fingers
    const way = new THREE.Vector3();
    this.camera.getWorldDirection(way);
    this.camera.position.addScaledVector(way, metres);
  }

  // ---- points

  ray(u, v) { // through a point of the pane, 0 to 1 from the upper left
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(new THREE.Vector2(u * 2 - 1, 1 - v * 2), this.camera);
    return raycaster;
  }

  ground(u, v) { // where the ray meets the floor or the terrain
    const ray = this.ray(u, v), land = this.land?.();
    const hit = land ? ray.intersectObject(land, false)[0] : null;
    if (hit) return [hit.point.x, hit.point.y];
    return this.level(u, v, 0);
  }

  level(u, v, z) { // where the ray is at a height, or null
    const point = this.ray(u, v).ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), -z), new THREE.Vector3());
    return point ? [point.x, point.y] : null;
  }

  project(x, y, z) { // to shares of the pane, or null behind the camera
    const point = new THREE.Vector3(x, y, z).project(this.camera);
    return point.z < 1 ? [(point.x + 1) / 2, (1 - point.y) / 2] : null;
  }

  sees(x, y, z) { // nothing that is drawn stands before this point
    const to = new THREE.Vector3(x, y, z), { ceiling } = this;
    return !this.surroundings().pieces.some((piece) => !(this.outside && piece.cut >= 0.5) && hides(piece, this.camera.position, to, ceiling));
  }

  close({ edges }) { // is it nearer than half the way to what is looked at? Such things fill the picture
    const { x, y } = this.camera.position, most = 0.5 * this.camera.position.distanceTo(this.controls.target);
    return edges.some(([a, b]) => {
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]], t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) < most;
    });
  }

  middle() { // points over most of the picture, at the height of what is looked at
    const level = new THREE.Plane(new THREE.Vector3(0, 0, 1), -this.controls.target.z), shares = [0.15, 0.5, 0.85];
    return shares.flatMap((u) => shares.map((v) => this.ray(u, v).ray.intersectPlane(level, new THREE.Vector3()))).filter(Boolean);
  }

  // ---- kept over a reload

  get memory() { return { mode: this.mode, eye: this.camera.position.toArray(), target: this.controls.target.toArray() }; }

  recall({ mode, eye, target }) {
    if (![...eye, ...target].every(Number.isFinite) || !MODES.includes(mode)) return;
    this.look("initial");
    this.lead(mode);
    this.place(new THREE.Vector3(...eye), new THREE.Vector3(...target));
    if (mode === "follow") this.followed = this.chosen();
  }

  dispose() { this.controls.dispose(); }
}
