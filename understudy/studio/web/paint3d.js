// Lines, fans and dots that are redrawn in every frame, in buffers that grow when needed.
import { THREE } from "/web/three.js";
import { KINDS, markLines, outline } from "/web/world.js";

const ARC = 8; // segments of the front of a cone
const MOST_FANS = 12; // devices whose beams are filled; with more, only outlines are drawn, so that the scene stays visible

class Buffer {
  constructor(object, width) { this.object = object; this.width = width; this.grow(1024); }

  grow(count) {
    const geometry = this.object.geometry, old = this.positions, oldColours = this.colours;
    this.room = count;
    this.positions = new Float32Array(count * 3);
    this.colours = new Float32Array(count * this.width);
    if (old) { this.positions.set(old); this.colours.set(oldColours); }
    geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute("color", new THREE.BufferAttribute(this.colours, this.width).setUsage(THREE.DynamicDrawUsage));
    this.object.frustumCulled = false;
  }

  begin() { this.count = 0; }

  add(x, y, z, colour, alpha) {
    if (this.count === this.room) this.grow(this.room * 2);
    this.positions.set([x, y, z], this.count * 3);
    const at = this.count * this.width;
    this.colours[at] = colour.r; this.colours[at + 1] = colour.g; this.colours[at + 2] = colour.b;
    if (this.width === 4) this.colours[at + 3] = alpha;
    this.count += 1;
  }

  end() {
    const { position, color } = this.object.geometry.attributes;
    this.object.geometry.setDrawRange(0, this.count);
    position.needsUpdate = color.needsUpdate = true;
  }
}

export class Paint {
  constructor() {
    this.group = new THREE.Group();
    const see = { vertexColors: true, transparent: true, depthWrite: false };
    this.fans = this.make(new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ ...see, side: THREE.DoubleSide })), 4);
    this.lines = this.make(new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial(see)), 4);
    this.dots = this.make(new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ ...see, size: 4, sizeAttenuation: false })), 4);
    this.marks = this.make(new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ ...see, size: 9, sizeAttenuation: false, depthTest: false })), 4);
    this.colours = Object.fromEntries(Object.entries(KINDS).map(([kind, colour]) => [kind, new THREE.Color(colour)]));
    this.other = new THREE.Color("#888888");
    this.alarm = new THREE.Color("#ee2211");
    this.place = new THREE.Color("#8844bb");
    this.trailVersion = -1;
  }

  make(object, width) {
    this.group.add(object);
    return new Buffer(object, width);
  }

  show(world, options) {
    for (const buffer of [this.fans, this.lines, this.dots, this.marks]) buffer.begin();
    if (options.beams !== "none") this.beams(world, options);
    if (options.trails) this.trails(world);
    if (options.odometry) this.beliefs(world);
    if (options.contacts) this.contacts(world);
    if (options.names) this.places(world);
    for (const buffer of [this.fans, this.lines, this.dots, this.marks]) buffer.end();
  }

  beams(world, options) {
    const fans = this.fans, lines = this.lines, dots = this.dots;
    let last = null; // the end of the previous ray of the same laser
    const filled = world.frame.ranges.reduce((count, { rows }) => count + rows.length, 0) <= MOST_FANS;
    world.beams((beam, s, w, length, width, echo, row) => {
      const colour = this.colours[beam.sensor] || this.other;
      const ex = s[0] + w[0] * length, ey = s[1] + w[1] * length, ez = s[2] + w[2] * length;
      if (width > 0) {
        this.cone(s, w, length, width, colour, echo, filled);
      } else if (beam.sensor === "laser" && beam.count > 8) {
        if (last && last.beam === beam && last.row === row && !filled) {
          lines.add(last.x, last.y, last.z, colour, 0.6); lines.add(ex, ey, ez, colour, 0.6);
        } else if (last && last.beam === beam && last.row === row) {
          fans.add(s[0], s[1], s[2], colour, 0.16); fans.add(last.x, last.y, last.z, colour, 0.16); fans.add(ex, ey, ez, colour, 0.16);
        }
        last = { beam, row, x: ex, y: ey, z: ez };
      } else {
        lines.add(s[0], s[1], s[2], colour, 0.7); lines.add(ex, ey, ez, colour, 0.7);
      }
      if (options.rays) { lines.add(s[0], s[1], s[2], colour, 0.25); lines.add(ex, ey, ez, colour, 0.25); }
      if (echo && options.hits) dots.add(ex, ey, ez, colour, 0.9);
    });
  }

  cone(s, w, length, width, colour, echo, filled) {
    const alpha = echo ? 0.28 : 0.08;
    let px = 0, py = 0;
    for (let i = 0; i <= ARC; i++) {
      const turn = (i / ARC - 0.5) * width, c = Math.cos(turn), d = Math.sin(turn);
      const x = s[0] + (c * w[0] - d * w[1]) * length, y = s[1] + (d * w[0] + c * w[1]) * length, z = s[2] + w[2] * length;
      if (i > 0) {
        if (filled) { this.fans.add(s[0], s[1], s[2], colour, alpha); this.fans.add(px, py, z, colour, alpha); this.fans.add(x, y, z, colour, alpha); }
        if (echo) { this.lines.add(px, py, z, colour, 0.9); this.lines.add(x, y, z, colour, 0.9); }
      }
      px = x; py = y;
    }
  }

  trails(world) {
    const colours = world.robots.map((robot) => new THREE.Color(robot.colour));
    for (let i = 0; i < world.trailCount; i++) {
      const colour = colours[world.trailOwners[i]] || this.other, t = world.trails;
      this.lines.add(t[i * 6], t[i * 6 + 1], t[i * 6 + 2] + 0.01, colour, 0.8);
      this.lines.add(t[i * 6 + 3], t[i * 6 + 4], t[i * 6 + 5] + 0.01, colour, 0.8);
    }
  }

  beliefs(world) { // outline and axes at the robots' pose estimates
    const { beliefs } = world.frame, rows = world.scene.odometry;
    rows.forEach((row, i) => {
      const robot = world.robots[row], colour = new THREE.Color(robot.colour), [x, y, h] = beliefs.subarray(i * 3, i * 3 + 3);
      const c = Math.cos(h), s = Math.sin(h), z = world.height(x, y) + 0.02;
      const put = (px, py) => this.lines.add(x + c * px - s * py, y + s * px + c * py, z, colour, 0.9);
      const form = outline(robot.shape), points = form.points || circle(form.radius);
      points.forEach((point, k) => { put(...point); put(...points[(k + 1) % points.length]); });
      put(0, 0); put(robot.reach * 1.6, 0); put(0, 0); put(0, robot.reach * 0.8);
    });
  }

  places(world) { // marked lines and areas of a map
    for (const mark of world.scene.marks) {
      const ends = markLines(mark);
      for (let i = 0; i < ends.length; i += 2) this.lines.add(ends[i], ends[i + 1], world.height(ends[i], ends[i + 1]) + 0.02, this.place, 0.9);
    }
  }

  contacts(world) {
    const points = world.frame.contacts;
    for (let i = 0; i < points.length; i += 4) {
      const z = world.height(points[i], points[i + 1]) + 0.1;
      this.marks.add(points[i], points[i + 1], z, this.alarm, 1);
      this.lines.add(points[i], points[i + 1], z, this.alarm, 1);
      this.lines.add(points[i] + points[i + 2] * 0.3, points[i + 1] + points[i + 3] * 0.3, z, this.alarm, 1);
    }
  }
}

export function circle(radius, count = 24) {
  return Array.from({ length: count }, (_, i) => [radius * Math.cos((i * 2 * Math.PI) / count), radius * Math.sin((i * 2 * Math.PI) / count)]);
}
