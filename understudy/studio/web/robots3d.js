// The geometry of a robot: its looks, or else its body, wheels, parts and devices.
import { Builder, at, mounted, solid } from "/web/forms3d.js";
import { THREE } from "/web/three.js";

const DARK = new THREE.Color("#2b2f36"), RIM = new THREE.Color("#aab0b6"), PALE = new THREE.Color("#f4f1ea");
const DEVICE_COLOURS = { laser: "#2266aa", sonar: "#d8d8d8", beam: "#2266aa", gps: "#eeeeee", compass: "#888888" };
const MOST_DEVICES = 40; // device boxes drawn on one robot
const SPOKES = 3; // bars across a rim

// the body as one geometry, and each wheel separately, about its axle; in a crowd wheels are part of the body
export function robot(body, colour, meshes, round, crowd) {
  const builder = new Builder(), wheels = body.wheels.length ? body.wheels : guessedWheels(body);
  if (body.looks.length) looks(builder, body, colour, meshes, (look) => look.joint < 0 && !wheels.some((wheel) => wheel.name === look.on));
  else plain(builder, body, colour, meshes, round);
  const limbs = limbForms(body, colour, meshes);
  const rolling = wheels.map((wheel) => ({ ...wheel, geometry: wheelForm(wheel, body, colour, meshes, round) }));
  if (!crowd) return { geometry: builder.build(), wheels: rolling, limbs };
  for (const wheel of rolling) builder.add(wheel.geometry, DARK, at(...wheel.at));
  return { geometry: builder.build(), wheels: [], limbs };
}

function limbForms(body, colour, meshes) { // what each joint carries, in the joint's own frame
  const limbs = [];
  for (let joint = 0; joint < body.joints; joint++) {
    const builder = new Builder(), mine = (thing) => thing.joint === joint;
    if (body.looks.length) looks(builder, body, colour, meshes, mine);
    else for (const part of body.parts.filter(mine)) builder.add(solid(part.shape, meshes), new THREE.Color(part.colour), mounted(part.mount));
    for (const device of body.devices.filter(mine)) devicePart(builder, device, -Infinity);
    if (!builder.empty) limbs.push({ joint, geometry: builder.build() });
  }
  return limbs;
}

function looks(builder, body, colour, meshes, wanted, before = new THREE.Matrix4()) {
  for (const look of body.looks.filter(wanted)) {
    const paint = look.colour ? new THREE.Color(look.colour) : colour;
    builder.add(solid(look.shape, meshes), paint, before.clone().multiply(mounted(look.mount)));
  }
}

function plain(builder, body, colour, meshes, round) {
  const height = body.shape.height, reach = body.reach;
  const lift = Math.min(0.04, height / 4), shape = { ...body.shape, height: height - lift };
  builder.add(solid(shape, meshes, round), colour, at(0, 0, lift));
  for (const part of body.parts.filter((part) => part.joint < 0)) builder.add(solid(part.shape, meshes), new THREE.Color(part.colour), mounted(part.mount));
  for (const { at: [x, y], radius } of body.castors) builder.add(new THREE.SphereGeometry(radius, 12, 8), DARK, at(x, y, radius));
  const nose = new THREE.Shape([[0.95, 0], [0.45, 0.28], [0.45, -0.28]].map(([x, y]) => new THREE.Vector2(x * reach, y * reach)));
  builder.add(new THREE.ExtrudeGeometry(nose, { depth: 0.012, bevelEnabled: false }), PALE, at(0, 0, height));
  for (const device of body.devices.filter((device) => device.joint < 0).slice(0, MOST_DEVICES)) devicePart(builder, device, height);
}

function guessedWheels({ wheel, shape, reach, drive, track }) { // for a robot that specifies only its drive
  if (drive === "none") return [];
  const radius = Math.min(wheel, shape.height * 0.9), width = Math.min(0.05, reach / 5);
  const rows = drive === "differential" ? [0] : [-reach * 0.5, reach * 0.5];
  return rows.flatMap((x) => [-1, 1].map((side) => ({
    at: [x, (side * track) / 2, radius], radius, width, steered: drive === "ackermann" && x > 0, roller: drive === "omni" ? (Math.PI / 4) * Math.sign(-x * side) : 0,
  })));
}

function wheelForm(wheel, body, colour, meshes, round) {
  const builder = new Builder(), { at: [x, y, z], radius, width, name } = wheel;
  looks(builder, body, colour, meshes, (look) => look.on === name && name, at(-x, -y, -z));
  if (!builder.empty) return builder.build();
  builder.add(new THREE.CylinderGeometry(radius, radius, width, Math.min(24, round)), DARK);
  builder.add(new THREE.CylinderGeometry(radius * 0.62, radius * 0.62, width * 1.02, Math.min(20, round)), RIM);
  for (let i = 0; i < SPOKES; i++) {
    const bar = new THREE.BoxGeometry(radius * 1.2, width * 1.05, radius * 0.14);
    builder.add(bar, DARK, new THREE.Matrix4().makeRotationY((i * Math.PI) / SPOKES));
  }
  return builder.build();
}

function devicePart(builder, device, height) {
  const colour = DEVICE_COLOURS[device.kind], [x, y, z, , , yaw] = device.mount;
  if (!colour || (device.kind === "sonar" && !x && !y && !z)) return;
  const size = device.kind === "laser" ? [0.12, 0.13, 0.16] : [0.04, 0.05, 0.03];
  const middle = height > z ? height + size[2] / 2 : z, gap = middle - size[2] / 2 - height;
  builder.add(new THREE.BoxGeometry(...size), new THREE.Color(colour), new THREE.Matrix4().makeRotationZ(yaw).setPosition(x, y, middle));
  if (gap > 0) builder.add(new THREE.BoxGeometry(0.016, 0.016, gap), DARK, at(x, y, height + gap / 2)); // its post
}

export function contactForm(body, meshes) { // the collision shape
  const builder = new Builder().add(solid(body.shape, meshes), PALE);
  for (const part of body.parts || []) if (part.contact && part.joint < 0) builder.add(solid(part.shape, meshes), PALE, mounted(part.mount));
  return builder.build();
}

// transform of a wheel in its robot: rolled by the travel in a frame's row, and steered along its curvature
const bend = new THREE.Euler();
export function wheelTurn({ at: [x, y, z], radius, steered, roller }, rolling, row, out) {
  const left = rolling[row * 4], right = rolling[row * 4 + 1], curve = rolling[row * 4 + 3];
  const path = y > 0 ? left : y < 0 ? right : (left + right) / 2, aside = rolling[row * 4 + 2] * Math.tan(roller);
  const steer = steered ? Math.atan2(curve * x, 1 - curve * y) : 0;
  bend.set(0, ((path + aside) / radius) % (2 * Math.PI), steer, "ZYX");
  return out.makeRotationFromEuler(bend).setPosition(x, y, z);
}
