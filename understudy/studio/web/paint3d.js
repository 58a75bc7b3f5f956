// Beams, trails and marks, redrawn with every frame, in buffers that grow when needed.
import { INK, screen } from "/web/palette.js";
import { THREE } from "/web/three.js";
import { KINDS, markLines, outline } from "/web/world.js";

const ARC = 8; // segments of the front of a cone
const MOST_FANS = 12; // devices whose beams are filled; with more, only outlines are drawn, so that the scene stays visible
const RIM_M = 0.25; // neighbouring hits that are closer are joined by a line
const GLASS = {
  vertexShader: "attribute vec4 colour; varying vec4 c; uniform float size; void main() { c = colour; gl_PointSize = size; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
  fragmentShader: "varying vec4 c; void main() { gl_FragColor = c; }",
  transparent: true, depthWrite: false, side: THREE.DoubleSide,
};

class Sheet { // corners that change with each frame
  constructor(kind, { size = 1, ...more } = {}) {
    this.size = { value: size };
    this.object = new kind(new THREE.BufferGeometry(), new THREE.ShaderMaterial({ ...GLASS, ...more, uniforms: { size: this.size } }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 4;
    this.count = 0;
    this.grow(1024);
  }

  grow(room) {
    const { geometry } = this.object, old = [this.positions, this.colours];
    this.room = room;
    [this.positions, this.colours] = [3, 4].map((width) => new Float32Array(room * width));
    if (old[0]) { this.positions.set(old[0]); this.colours.set(old[1]); }
    geometry.dispose(); // the old buffers of the graphics card
    geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute("colour", new THREE.BufferAttribute(this.colours, 4).setUsage(THREE.DynamicDrawUsage));
  }

  begin() { this.count = 0; }

  add(x, y, z, [r, g, b], alpha) {
    if (this.count === this.room) this.grow(this.room * 2);
    const p = this.positions, c = this.colours, at = this.count * 3, to = this.count * 4;
    p[at] = x; p[at + 1] = y; p[at + 2] = z;
    c[to] = r; c[to + 1] = g; c[to + 2] = b; c[to + 3] = alpha;
    this.count += 1;
  }

  end() {
    const { position, colour } = this.object.geometry.attributes;
    this.object.visible = this.count > 0;
    this.object.geometry.setDrawRange(0, this.count);
    position.needsUpdate = colour.needsUpdate = this.count > 0;
  }
}

export class Paint {
  constructor() {
    this.fans = new Sheet(THREE.Mesh);
    this.lines = new Sheet(THREE.LineSegments);
    this.dots = new Sheet(THREE.Points, { size: 4 });
    this.marks = new Sheet(THREE.Points, { size: 9, depthTest: false });
    this.ribbons = new Sheet(THREE.Mesh);
    this.ribbons.object.renderOrder = 3;
    this.group = new THREE.Group().add(...[this.fans, this.lines, this.dots, this.marks, this.ribbons].map((sheet) => sheet.object));
    this.inks = new Map();
    this.trailed = "";
  }

  ink(colour) {
    if (!this.inks.has(colour)) this.inks.set(colour, screen(colour));
    return this.inks.get(colour);
  }

  sharp(ratio, large) { this.dots.size.value = (large ? 8 : 4) * ratio; this.marks.size.value = (large ? 16 : 9) * ratio; }

  show(world, options) {
    const quick = [this.fans, this.lines, this.dots, this.marks];
    for (const sheet of quick) sheet.begin();
    if (options.beams !== "none") this.beams(world, options);
    if (options.odometry) this.beliefs(world);
    if (options.contacts) this.contacts(world);
    if (options.names) this.places(world);
    for (const sheet of quick) sheet.end();
    this.trails(world, options);
  }

  // ---- beams: a fan that fades outwards, a thin bright rim where it meets something, dots at the hits

  beams(world, options) {
    const { fans, lines, dots } = this, pull = options.pull || 0; // hits end at the face of a wall that is drawn with a thickness
    const filled = world.frame.ranges.reduce((count, { rows }) => count + rows.length, 0) <= MOST_FANS;
    let last = null; // the previous ray of the same laser
    world.beams((beam, s, w, range, width, echo, row, lost) => {
      const colour = this.ink(KINDS[beam.sensor] || "#888888"), length = echo ? Math.max(range - pull, 0) : range;
      const e = [s[0] + w[0] * length, s[1] + w[1] * length, s[2] + w[2] * length];
      if (lost) return this.lost(s, w, length, dots, lines, options);
      if (width > 0) this.cone(s, w, length, width, colour, echo, filled);
      else if (beam.sensor === "laser" && beam.count > 8) {
        if (last && last.beam === beam && last.row === row) this.fan(last, { s, w, e, length, echo }, beam, world, colour, filled, row);
        last = { beam, row, s: [...s], w: [...w], e, length, echo };
      } else { lines.add(...s, colour, 0.7); lines.add(...e, colour, 0.7); }
      if (options.rays) { lines.add(...s, colour, 0.25); lines.add(...e, colour, 0.25); }
      if (echo && options.hits) dots.add(...e, beam.sensor === "laser" ? this.ink(INK.hit) : colour, 0.9);
    });
  }

  fan(one, other, beam, world, colour, filled, row) { // between two neighbouring rays; it begins outside the robot, not to veil it
    const from = world.robots[row]?.reach ?? 0, start = ({ s, w, length }) => { const r = Math.min(from, length); return [s[0] + w[0] * r, s[1] + w[1] * r, s[2] + w[2] * r]; };
    const thin = ({ length }) => 0.13 * Math.max(0, 1 - length / 8) + 0.03;
    if (filled) {
      const [a, b] = [start(one), start(other)], near = 0.3;
      this.fans.add(...a, colour, near); this.fans.add(...one.e, colour, thin(one)); this.fans.add(...other.e, colour, thin(other));
      this.fans.add(...a, colour, near); this.fans.add(...other.e, colour, thin(other)); this.fans.add(...b, colour, near);
    }
    if (!filled || (one.echo && other.echo && Math.abs(one.length - other.length) < RIM_M)) { this.lines.add(...one.e, colour, 0.8); this.lines.add(...other.e, colour, 0.8); }
  }

  lost(s, w, length, dots, lines, options) { // a return that did not come back: a dashed ray up to where its neighbours end
    const colour = this.ink(INK.lost), point = (t) => [s[0] + w[0] * t, s[1] + w[1] * t, s[2] + w[2] * t], dashes = 8;
    for (let i = 0; i < dashes; i += 2) { lines.add(...point((length * (i + 0.5)) / dashes), colour, 0.55); lines.add(...point((length * (i + 1.3)) / dashes), colour, 0.55); }
    if (options.hits) dots.add(...point(length), colour, 0.9);
  }

  cone(s, w, length, width, colour, echo, filled) {
    const alpha = echo ? 0.18 : 0.04;
    let px = 0, py = 0;
    for (let i = 0; i <= ARC; i++) {
      const turn = (i / ARC - 0.5) * width, c = Math.cos(turn), d = Math.sin(turn);
      const x = s[0] + (c * w[0] - d * w[1]) * length, y = s[1] + (d * w[0] + c * w[1]) * length, z = s[2] + w[2] * length;
      if (i > 0) {
        if (filled) { this.fans.add(...s, colour, alpha); this.fans.add(px, py, z, colour, alpha * 0.6); this.fans.add(x, y, z, colour, alpha * 0.6); }
        if (echo) { this.lines.add(px, py, z, colour, 0.9); this.lines.add(x, y, z, colour, 0.9); }
      }
      px = x; py = y;
    }
  }

  // ---- trails: flat ribbons on the floor, the older the fainter; drawn again only when they have grown

  trails(world, options) {
    const key = `${world.trails.version} ${options.trails} ${options.trailLength} ${options.trailWidth} ${options.large} ${world.version}`;
    if (key === this.trailed) return;
    this.trailed = key;
    this.ribbons.begin();
    if (options.trails) for (const robot of world.robots) for (const stroke of world.trails.strokes(robot.name, options.trailLength)) this.ribbon(stroke, (robot.reach * (options.large ? 0.26 : 0.13) * options.trailWidth) / 2, 0.02 * robot.reach, this.ink(robot.colour));
    this.ribbons.end();
  }

  ribbon({ points, from, total }, half, lift, ink) { // points: x, y, z in a row; from: how many points of the trail are older
    const n = points.length / 3, side = (i) => {
      const a = Math.max(0, i - 1) * 3, b = Math.min(n - 1, i + 1) * 3, dx = points[b] - points[a], dy = points[b + 1] - points[a + 1], far = Math.hypot(dx, dy) || 1;
      return [(-dy / far) * half, (dx / far) * half];
    };
    const put = (i, [sx, sy], sign) => this.ribbons.add(points[i * 3] + sign * sx, points[i * 3 + 1] + sign * sy, points[i * 3 + 2] + lift, ink, 0.12 + 0.63 * ((from + i) / total) ** 0.7);
    for (let i = 1; i < n; i++) {
      const [a, b] = [side(i - 1), side(i)];
      put(i - 1, a, 1); put(i - 1, a, -1); put(i, b, -1);
      put(i - 1, a, 1); put(i, b, -1); put(i, b, 1);
    }
  }

  beliefs(world) { // outline and axes at the robots' pose estimates
    const { beliefs } = world.frame, rows = world.scene.odometry;
    rows.forEach((row, i) => {
      const robot = world.robots[row], colour = this.ink(robot.colour), [x, y, h] = beliefs.subarray(i * 3, i * 3 + 3);
      const c = Math.cos(h), s = Math.sin(h), z = world.height(x, y) + 0.06 * robot.reach;
      const put = (px, py) => this.lines.add(x + c * px - s * py, y + s * px + c * py, z, colour, 0.9);
      const form = outline(robot.shape), points = form.points || circle(form.radius);
      points.forEach((point, k) => { put(...point); put(...points[(k + 1) % points.length]); });
      put(0, 0); put(robot.reach * 1.6, 0); put(0, 0); put(0, robot.reach * 0.8);
    });
  }

  places(world) { // marked lines and areas of a map
    for (const mark of world.scene.marks) {
      const ends = markLines(mark);
      for (let i = 0; i < ends.length; i += 2) this.lines.add(ends[i], ends[i + 1], world.height(ends[i], ends[i + 1]) + 0.02, this.ink(INK.mark), 0.9);
    }
  }

  contacts(world) {
    const points = world.frame.contacts, alarm = this.ink(INK.alarm);
    for (let i = 0; i < points.length; i += 4) {
      const z = world.height(points[i], points[i + 1]) + 0.1;
      this.marks.add(points[i], points[i + 1], z, alarm, 1);
      this.lines.add(points[i], points[i + 1], z, alarm, 1);
      this.lines.add(points[i] + points[i + 2] * 0.3, points[i + 1] + points[i + 3] * 0.3, z, alarm, 1);
    }
  }
}

export function circle(radius, count = 24) {
  return Array.from({ length: count }, (_, i) => [radius * Math.cos((i * 2 * Math.PI) / count), radius * Math.sin((i * 2 * Math.PI) / count)]);
}
