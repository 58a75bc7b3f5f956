// The scene and the latest frame, shared by all panes of a page.
import { FAR, LOST, NEAR, NOTHING, floats, heading, rotate } from "/web/frames.js";
import { Trails } from "/web/trails.js";

const CAMERA_REACH = 1; // m; drawn length of a camera's rays
export const KINDS = { laser: "#2f9bff", beam: "#2f9bff", sonar: "#ddaa33", infrared: "#cc6677", proximity: "#cc6677", psd: "#cc6677" };

export class World {
  constructor() {
    this.scene = null;
    this.frame = null;
    this.selected = "";
    this.version = 0; // of the scene
    this.lostAt = null; // when a lost echo was first drawn (ms)
    this.trails = new Trails(); // recorded by the simulation
  }

  describe(scene) {
    scene.still = JSON.stringify([scene.name, scene.ground, scene.walls, scene.fixed, scene.lights, scene.bounds]); // to know whether it has changed
    for (const beam of scene.beams) {
      for (const key of ["origins", "ways", "widths"]) beam[key] = floats(beam[key]);
    }
    scene.beams = new Map(scene.beams.map((beam) => [beam.slot, beam]));
    for (const wall of scene.walls) wall.pieces = floats(wall.pieces);
    scene.fixed.push(...scene.lights.filter((light) => light.style === "lamp").map(lamp));
    if (scene.ground.terrain) scene.ground.terrain.z = floats(scene.ground.terrain.heights);
    this.scene = scene;
    this.robots = scene.bodies.filter((body) => body.what === "robot");
    this.slots = new Map(scene.bodies.map((body, slot) => [body.name, slot]));
    this.fixed = new Map(scene.fixed.map((thing) => [thing.name, thing]));
    this.frame = null;
    this.version += 1;
  }

  show(frame) { this.frame = frame; }

  // ---- places

  place(name) { // x, y, heading and height of a thing, or null
    const slot = this.slots?.get(name);
    if (slot !== undefined && this.frame) {
      const poses = this.frame.poses;
      return [poses[slot * 7], poses[slot * 7 + 1], heading(poses, slot), poses[slot * 7 + 2]];
    }
    const fixed = this.fixed?.get(name);
    return fixed ? [fixed.pose[0], fixed.pose[1], fixed.pose[5], fixed.pose[2]] : null;
  }

  height(x, y) { // of the terrain
    const land = this.scene?.ground.terrain;
    if (!land) return 0;
    const cell = (at, k, count) => { const u = Math.min(Math.max((at - land.corner[k]) / land.step[k], 0), count - 1), i = Math.min(Math.floor(u), Math.max(count - 2, 0)); return [i, u - i]; };
    const [i, u] = cell(x, 0, land.columns), [j, v] = cell(y, 1, land.rows), z = (a, b) => land.z[Math.min(j + b, land.rows - 1) * land.columns + Math.min(i + a, land.columns - 1)];
    const corner = u > v ? z(1, 0) : z(0, 1), low = z(0, 0), far = z(1, 1); // two triangles per cell, as in the simulation
    return u > v ? low + u * (corner - low) + v * (far - corner) : low + v * (corner - low) + u * (far - corner);
  }

  thing(name) {
    const slot = this.slots?.get(name);
    return slot !== undefined ? this.scene.bodies[slot] : this.fixed?.get(name) || this.scene?.walls.find((wall) => wall.name === name);
  }

  // ---- beams: calls draw(beam, start, way, length, width, echo, row, lost) for every ray of a reading

  beams(draw) {
    if (!this.frame) return;
    const start = [0, 0, 0], way = [0, 0, 0], poses = this.frame.poses;
    for (const { slot, rows, values } of this.frame.ranges) {
      const beam = this.scene.beams.get(slot);
      if (!beam) continue;
      const reach = beam.sensor === "camera" ? Math.min(beam.limit, CAMERA_REACH) : beam.limit;
      for (let row = 0; row < rows.length; row++) {
        const at = (beam.frames[rows[row]] ?? rows[row]) * 7;
        let near = 0; // of the last ray that came back
        for (let i = 0; i < beam.count; i++) {
          const value = values[row * beam.count + i];
          if (value === NOTHING) continue;
          rotate(poses, at + 3, beam.origins.subarray(i * 3, i * 3 + 3), start);
          rotate(poses, at + 3, beam.ways.subarray(i * 3, i * 3 + 3), way);
          for (let k = 0; k < 3; k++) start[k] += poses[at + k];
          if (value < LOST) near = value / 1000;
          else if (value === LOST) this.lostAt ??= performance.now();
          const length = value === LOST ? near : value === FAR || value === NEAR ? reach : value / 1000;
          draw(beam, start, way, length, beam.widths[i], value < LOST || value === NEAR, rows[row], value === LOST);
        }
      }
    }
  }
}

function lamp(light) { // as a thing that hangs over the floor
  return { ...light, what: "light", shape: { kind: "lamp", radius: 0.12, drop: light.pose[2] } };
}

export function markLines(mark) { // segments of an area or a line: x and y of both ends of each
  if (mark.line) return mark.line;
  if (!mark.size) return [];
  const [x, y, , , , heading] = mark.pose, c = Math.cos(heading), s = Math.sin(heading), [a, b] = [mark.size[0] / 2, mark.size[1] / 2];
  const corners = [[a, b], [-a, b], [-a, -b], [a, -b]].map(([px, py]) => [x + c * px - s * py, y + s * px + c * py]);
  return corners.flatMap((corner, i) => [...corner, ...corners[(i + 1) % 4]]);
}

// the outline of a thing seen from above, in its own frame: points, or a circle
export function outline(shape) {
  if (shape.kind === "prism") return { points: shape.points };
  if (shape.kind === "box") {
    const [x, y] = [shape.size[0] / 2, shape.size[1] / 2];
    return { points: [[x, y], [-x, y], [-x, -y], [x, -y]] };
  }
  if (shape.kind === "mesh") { // its bounding rectangle
    const [ax, ay] = shape.low, [bx, by] = [ax + shape.size[0], ay + shape.size[1]];
    return { points: [[bx, by], [ax, by], [ax, ay], [bx, ay]] };
  }
  return { radius: shape.radius || 0.25 };
}

export function holds(shape, x, y) { // whether a point of a thing's own frame is inside its outline
  const { points, radius } = outline(shape);
  if (!points) return Math.hypot(x, y) <= radius;
  let inside = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[i], [bx, by] = points[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
