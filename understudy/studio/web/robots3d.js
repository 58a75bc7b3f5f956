// The form of a robot: its looks, or else its body, wheels, parts and devices; the whole as one geometry, joints apart.
import { Corners, addFigure, at, mounted, solid } from "/web/forms3d.js";
import { MATERIALS, linear } from "/web/palette.js";
import { THREE } from "/web/three.js";

const DARK = linear("#24272c"), TYRE = linear("#1b1c1f"), RIM = linear("#b4b9bf"), PALE = linear("#f4f1ea");
const DEVICE_COLOURS = { laser: "#2458a6", sonar: "#d8a93a", beam: "#2458a6", gps: "#eeeeee", compass: "#888888" };
const MOST_DEVICES = 40; // device boxes drawn on one robot
const SPOKES = 5; // holes in a rim
const LYING = new THREE.Matrix4().makeRotationX(Math.PI / 2); // wheels lie along y

// level: how fine, see addFigure; returns the geometry of the body with its wheels, and those of what joints carry
export function robotForm(body, scene, meshes, level) {
  const into = new Corners(), wheels = turns(body, scene), scaled = { ...level, least: level.least * body.reach };
  if (body.looks.length) {
    looks(into, body, scene, meshes, scaled, wheels, (look) => look.joint < 0);
    for (const wheel of bare(body, scene)) addWheel(into, wheel, level);
  } else {
    plain(into, body, meshes, level);
    for (const wheel of allWheels(body)) addWheel(into, wheel, level);
  }
  if (into.empty) into.add(solid(body.shape, meshes, level.round), { trait: [1, 0] });
  return { geometry: into.build(), limbs: limbs(body, scene, meshes, scaled, wheels) };
}

function limbs(body, scene, meshes, level, wheels) { // what each joint carries, in the joint's own frame
  const found = [];
  for (let joint = 0; joint < body.joints; joint++) {
    const into = new Corners(), mine = (thing) => thing.joint === joint;
    if (body.looks.length) looks(into, body, scene, meshes, level, wheels, mine);
    else for (const part of body.parts.filter(mine)) into.add(solid(part.shape, meshes, level.round), { colour: linear(part.colour), place: mounted(part.mount) });
    for (const device of body.devices.filter(mine)) addDevice(into, device, -Infinity);
    if (!into.empty) found.push({ joint, geometry: into.build() });
  }
  return found;
}

function looks(into, body, scene, meshes, level, wheels, wanted) {
  for (const look of body.looks.filter(wanted)) {
    const figure = scene.figures[look.shape.figure] || { reach: body.reach, far: [], parts: [look] };
    for (const mount of look.shape.figure ? look.mounts : [[0, 0, 0, 0, 0, 0]]) addFigure(into, figure, { level: look.shape.figure ? level : { ...level, far: false }, before: mounted(mount), wheels: wheels.get(look), meshes });
  }
}

// ---- wheels: each corner knows its axle, the radius, whether it is steered, and the angle of its rollers

const wheelOf = ({ at: axle, radius, steered = false, roller = 0 }) => ({ axle, turn: [radius, steered ? 1 : 0, roller] });

function turns(body, scene) { // for each look, the wheels that its parts turn with, by name
  const named = Object.fromEntries(body.wheels.map((wheel) => [wheel.name, wheel])), found = new Map();
  for (const look of body.looks) {
    const axles = scene.figures[look.shape.figure]?.axles || {}, own = {};
    for (const [name, [x, y, z]] of Object.entries(axles)) own[name] = wheelOf({ ...named[name], at: [x, y, z], radius: z });
    for (const [name, wheel] of Object.entries(named)) own[name] ||= wheelOf(wheel);
    found.set(look, own);
  }
  return found;
}

function bare({ wheels, looks: worn }, { figures }) { // wheels that no look shows; a figure has all of its wheels
  if (worn.some((look) => look.shape.figure && Object.keys(figures[look.shape.figure]?.axles || {}).length)) return [];
  return wheels.filter((wheel) => !worn.some((look) => look.wheel === wheel.name));
}

const allWheels = (body) => (body.wheels.length ? body.wheels : guessedWheels(body));

function guessedWheels({ wheel, shape, reach, drive, track }) { // for a robot that specifies only its drive
  if (drive === "none") return [];
  const radius = Math.min(wheel, shape.height * 0.9), width = Math.min(0.05, reach / 5);
  const rows = drive === "differential" ? [0] : [-reach * 0.5, reach * 0.5];
  return rows.flatMap((x) => [-1, 1].map((side) => ({
    at: [x, (side * track) / 2, radius], radius, width, steered: drive === "ackermann" && x > 0, roller: drive === "omni" ? (Math.PI / 4) * Math.sign(-x * side) : 0,
  })));
}

function addWheel(into, wheel, level) {
  const { axle, turn } = wheelOf(wheel), { radius, width } = wheel, put = (geometry, colour, gloss, dx = 0, dy = 0, dz = 0) => into.add(geometry, { colour, trait: [0, gloss], axle, wheel: turn, place: at(axle[0] + dx, axle[1] + dy, axle[2] + dz).multiply(LYING) });
  const disc = (r, w, bevel = 0) => solid({ kind: "cylinder", radius: r, height: w, round: level.plain ? 0 : bevel }, null, level.round).clone().translate(0, 0, -w / 2);
  put(disc(radius, width, radius * 0.12), TYRE, MATERIALS.rubber);
  if (level.far) return;
  put(disc(radius * 0.64, width * 1.06), RIM, MATERIALS.metal);
  for (let i = 0; i < SPOKES && !level.plain; i++) {
    const w = (i * 2 * Math.PI) / SPOKES;
    put(disc(radius * 0.13, width * 1.1), DARK, 0, 0.4 * radius * Math.cos(w), 0, 0.4 * radius * Math.sin(w));
  }
}

// ---- robots without looks

function plain(into, body, meshes, level) {
  const { height } = body.shape, { reach } = body, lift = Math.min(0.04, height / 4), bevel = level.plain ? 0 : Math.min(0.02, 0.06 * reach, height / 6);
  into.add(solid({ ...body.shape, height: height - lift, round: bevel }, meshes, level.round), { trait: [1, MATERIALS.gloss], place: at(0, 0, lift) });
  for (const part of body.parts.filter((part) => part.joint < 0)) into.add(solid(part.shape, meshes, level.round), { colour: linear(part.colour), place: mounted(part.mount) });
  for (const { at: [x, y], radius } of body.castors) into.add(solid({ kind: "sphere", radius }, null, 10), { colour: TYRE, place: at(x, y, 0) });
  const nose = [[0.85, 0], [0.45, 0.24], [0.45, -0.24]].map(([x, y]) => [x * reach, y * reach]);
  into.add(solid({ kind: "prism", points: nose, height: Math.min(0.012, reach * 0.05) }), { colour: PALE, place: at(0, 0, height) });
  if (level.far) return;
  for (const device of body.devices.filter((device) => device.joint < 0).slice(0, MOST_DEVICES)) addDevice(into, device, height);
}

function addDevice(into, device, height) {
  const colour = DEVICE_COLOURS[device.kind], [x, y, z, , , yaw] = device.mount;
  if (!colour || (device.kind === "sonar" && !x && !y && !z)) return;
  const size = device.kind === "laser" ? [0.12, 0.13, 0.16] : [0.04, 0.05, 0.03];
  const middle = height > z ? height + size[2] / 2 : z, gap = middle - size[2] / 2 - height;
  const box = solid({ kind: "box", size, round: size[0] * 0.08 }).clone().translate(0, 0, -size[2] / 2);
  into.add(box, { colour: linear(colour), trait: [0, MATERIALS.gloss], place: new THREE.Matrix4().makeRotationZ(yaw).setPosition(x, y, middle) });
  if (gap > 0 && gap < 10) into.add(solid({ kind: "box", size: [0.016, 0.016, gap] }), { colour: DARK, place: at(x, y, height) }); // its post
}

export function contactForm(body, meshes) { // the collision shape
  const into = new Corners().add(solid(body.shape, meshes));
  for (const part of body.parts || []) if (part.contact && part.joint < 0) into.add(solid(part.shape, meshes), { place: mounted(part.mount) });
  return into.build(["position", "normal"]);
}
