// The 2D map: a canvas of its own, drawn from the same frames; it needs no WebGL.
import { INK } from "/web/palette.js";
import { KINDS, holds, markLines, outline } from "/web/world.js";

const PAPER = { light: { back: "#f3f4f5", floor: "#ffffff", ink: "#30343a", grid: "#d5dbe0" }, dark: { back: "#14181d", floor: "#1d232a", ink: "#dfe5ea", grid: "#333c46" } };

export class Map2D { // a pane's map and its visible part
  constructor(canvas, world) {
    this.canvas = canvas;
    this.world = world;
    this.scale = 0; // pixels per metre
    this.x = this.y = 0; // world point in the middle (m)
    this.following = false;
    this.walls = null;
  }

  fit() {
    const [ax, ay, bx, by] = this.world.scene.bounds, { width, height } = this.size;
    this.scale = 0.92 * Math.min(width / Math.max(bx - ax, 0.1), height / Math.max(by - ay, 0.1));
    this.x = (ax + bx) / 2;
    this.y = (ay + by) / 2;
    this.following = false;
  }

  centre() {
    const place = this.world.place(this.world.selected);
    if (place) [this.x, this.y] = place;
    this.following = Boolean(place);
  }

  zoom(factor, u = 0.5, v = 0.5) { // about a point of the pane
    const before = this.ground(u, v);
    this.scale = Math.min(Math.max(this.scale * factor, 1), 4000);
    const after = this.ground(u, v);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
  }

  get memory() { return { x: this.x, y: this.y, scale: this.scale, following: this.following }; } // kept over a reload

  recall({ x, y, scale, following }) { if ([x, y, scale].every(Number.isFinite) && scale > 0) Object.assign(this, { x, y, scale, following: Boolean(following) }); }

  pan(dx, dy) { this.x -= dx / this.scale; this.y += dy / this.scale; this.following = false; }

  ground(u, v) {
    const { width, height } = this.size;
    return [this.x + ((u - 0.5) * width) / this.scale, this.y - ((v - 0.5) * height) / this.scale];
  }

  project(x, y) {
    const { width, height } = this.size;
    return [0.5 + ((x - this.x) * this.scale) / width, 0.5 - ((y - this.y) * this.scale) / height];
  }

  pick(u, v) {
    const [x, y] = this.ground(u, v), slack = 6 / this.scale;
    const things = [...this.world.scene.bodies.map((body) => body.name).reverse(), ...this.world.fixed.keys()];
    return things.find((name) => {
      const place = this.world.place(name);
      if (!place) return false;
      const dx = x - place[0], dy = y - place[1], c = Math.cos(place[2]), s = Math.sin(place[2]);
      return Math.hypot(dx, dy) < slack || holds(this.world.thing(name).shape, c * dx + s * dy, c * dy - s * dx);
    });
  }

  draw(size, options, preview) {
    this.size = size;
    const { canvas, world } = this, ratio = devicePixelRatio || 1, pen = canvas.getContext("2d");
    if (canvas.width !== Math.round(size.width * ratio) || canvas.height !== Math.round(size.height * ratio)) {
      canvas.width = Math.round(size.width * ratio);
      canvas.height = Math.round(size.height * ratio);
    }
    const paper = PAPER[options.dark ? "dark" : "light"];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = paper.back;
    pen.fillRect(0, 0, size.width, size.height);
    if (!world.scene) return;
    if (!this.scale) this.fit();
    if (this.following) this.centre();
    pen.setTransform(ratio * this.scale, 0, 0, -ratio * this.scale, ratio * (size.width / 2 - this.x * this.scale), ratio * (size.height / 2 + this.y * this.scale));
    this.pixel = 1 / this.scale;
    this.floor(pen, paper, options);
    this.drawWalls(pen, paper);
    if (options.names) this.marks(pen);
    for (const thing of world.fixed.values()) this.body(pen, thing, preview?.name === thing.name ? preview.place : world.place(thing.name), 1);
    if (!world.frame) return;
    if (options.trails) this.trails(pen, options);
    if (options.beams !== "none") this.beams(pen, options);
    for (const body of world.scene.bodies) this.body(pen, body, world.place(body.name), 1);
    if (options.odometry) this.beliefs(pen);
    if (options.contacts) this.contacts(pen);
  }

  floor(pen, paper, options) {
    const { size, center } = this.world.scene.ground, [ax, ay, bx, by] = this.world.scene.bounds;
    pen.fillStyle = paper.floor;
    pen.fillRect(center[0] - size[0] / 2, center[1] - size[1] / 2, size[0], size[1]);
    if (!options.grid) return;
    pen.strokeStyle = paper.grid;
    pen.lineWidth = this.pixel;
    pen.beginPath();
    for (let x = Math.ceil(ax / options.step) * options.step; x <= bx; x += options.step) { pen.moveTo(x, ay); pen.lineTo(x, by); }
    for (let y = Math.ceil(ay / options.step) * options.step; y <= by; y += options.step) { pen.moveTo(ax, y); pen.lineTo(bx, y); }
    pen.stroke();
  }

  drawWalls(pen, paper) {
    if (this.walls?.version !== this.world.version) {
      this.walls = { version: this.world.version, paths: this.world.scene.walls.map(wallPath) };
    }
    this.world.scene.walls.forEach((wall, i) => {
      pen.strokeStyle = paper.ink;
      pen.lineCap = "round";
      pen.lineWidth = Math.max(wall.thickness, 2 * this.pixel);
      pen.stroke(this.walls.paths[i]);
    });
  }

  marks(pen) { // marked lines and areas of a map
    pen.strokeStyle = "#8844bb";
    pen.lineWidth = 1.5 * this.pixel;
    pen.setLineDash([6 * this.pixel, 4 * this.pixel]);
    pen.beginPath();
    for (const mark of this.world.scene.marks) {
      const ends = markLines(mark);
      for (let i = 0; i < ends.length; i += 4) { pen.moveTo(ends[i], ends[i + 1]); pen.lineTo(ends[i + 2], ends[i + 3]); }
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  body(pen, body, place, alpha) {
    if (!place) return;
    pen.save();
    pen.translate(place[0], place[1]);
    pen.rotate(place[2]);
    pen.globalAlpha = alpha;
    pen.fillStyle = body.colour;
    const form = outline(body.shape), path = new Path2D();
    if (form.points) { form.points.forEach(([x, y]) => path.lineTo(x, y)); path.closePath(); } else path.arc(0, 0, form.radius, 0, 7);
    pen.fill(path);
    if (body.what === "light") this.rays(pen, form.radius);
    if (body.name === this.world.selected) { pen.strokeStyle = "#ffb000"; pen.lineWidth = 4 * this.pixel; pen.stroke(path); }
    if (body.what === "robot") {
      pen.fillStyle = "#ffffff";
      pen.beginPath();
      [[0.9, 0], [0.35, 0.35], [0.35, -0.35]].forEach(([x, y]) => pen.lineTo(x * body.reach, y * body.reach));
      pen.fill();
    }
    pen.restore();
  }

  rays(pen, radius) { // strokes that mark a disc as a lamp
    pen.strokeStyle = "#c08a00";
    pen.lineWidth = 2 * this.pixel;
    pen.beginPath();
    pen.arc(0, 0, radius, 0, 7);
    for (let i = 0; i < 8; i++) {
      const c = Math.cos((i * Math.PI) / 4), s = Math.sin((i * Math.PI) / 4);
      pen.moveTo(1.3 * radius * c, 1.3 * radius * s);
      pen.lineTo(1.9 * radius * c, 1.9 * radius * s);
    }
    pen.stroke();
  }

  trails(pen, options) {
    const { world } = this;
    pen.lineJoin = "round";
    for (const robot of world.robots) {
      pen.lineWidth = Math.max(robot.reach * 0.13, 1.5 * this.pixel) * options.trailWidth;
      pen.strokeStyle = robot.colour;
      pen.globalAlpha = 0.6;
      pen.beginPath();
      for (const { points } of world.trails.strokes(robot.name, options.trailLength)) for (let i = 0; i < points.length; i += 3) (i ? pen.lineTo(points[i], points[i + 1]) : pen.moveTo(points[i], points[i + 1]));
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  beams(pen, options) {
    const hits = [], fans = new Map();
    this.world.beams((beam, s, w, length, width, echo, row, lost) => {
      const colour = KINDS[beam.sensor] || "#888888", x = s[0] + w[0] * length, y = s[1] + w[1] * length;
      if (lost) {
        pen.globalAlpha = 0.6;
        pen.strokeStyle = INK.lost;
        pen.lineWidth = this.pixel;
        pen.setLineDash([3 * this.pixel, 5 * this.pixel]);
        pen.beginPath();
        pen.moveTo(s[0], s[1]);
        pen.lineTo(x, y);
        pen.stroke();
        pen.setLineDash([]);
        if (options.hits) hits.push(INK.lost, x, y);
        return;
      }
      if (width > 0) {
        const way = Math.atan2(w[1], w[0]);
        pen.globalAlpha = echo ? 0.35 : 0.1;
        pen.fillStyle = colour;
        pen.beginPath();
        pen.moveTo(s[0], s[1]);
        pen.arc(s[0], s[1], length, way - width / 2, way + width / 2);
        pen.fill();
      } else {
        const key = `${beam.slot} ${row}`;
        if (!fans.has(key)) fans.set(key, { colour, points: [s[0], s[1]], lines: beam.count <= 8 || options.rays });
        fans.get(key).points.push(x, y);
      }
      if (echo && options.hits) hits.push(colour, x, y);
    });
    for (const { colour, points, lines } of fans.values()) this.fan(pen, colour, points, lines);
    pen.globalAlpha = 1;
    for (let i = 0; i < hits.length; i += 3) {
      pen.fillStyle = hits[i];
      pen.fillRect(hits[i + 1] - 1.5 * this.pixel, hits[i + 2] - 1.5 * this.pixel, 3 * this.pixel, 3 * this.pixel);
    }
  }

  fan(pen, colour, points, lines) {
    pen.globalAlpha = lines ? 0.6 : 0.2;
    pen.beginPath();
    for (let i = 2; i < points.length; i += 2) {
      if (lines) pen.moveTo(points[0], points[1]);
      else if (i === 2) pen.moveTo(points[0], points[1]);
      pen.lineTo(points[i], points[i + 1]);
    }
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = this.pixel;
    if (lines) pen.stroke(); else { pen.closePath(); pen.fill(); }
  }

  beliefs(pen) {
    const { beliefs } = this.world.frame;
    pen.setLineDash([4 * this.pixel, 3 * this.pixel]);
    this.world.scene.odometry.forEach((row, i) => {
      const robot = this.world.robots[row], form = outline(robot.shape);
      pen.save();
      pen.translate(beliefs[i * 3], beliefs[i * 3 + 1]);
      pen.rotate(beliefs[i * 3 + 2]);
      pen.strokeStyle = robot.colour;
      pen.lineWidth = 1.5 * this.pixel;
      pen.beginPath();
      if (form.points) { form.points.forEach(([x, y]) => pen.lineTo(x, y)); pen.closePath(); } else pen.arc(0, 0, form.radius, 0, 7);
      pen.moveTo(0, 0); pen.lineTo(robot.reach * 1.6, 0);
      pen.moveTo(0, 0); pen.lineTo(0, robot.reach * 0.8);
      pen.stroke();
      pen.restore();
    });
    pen.setLineDash([]);
  }

  contacts(pen) {
    const points = this.world.frame.contacts;
    pen.fillStyle = pen.strokeStyle = "#ee2211";
    pen.lineWidth = 2 * this.pixel;
    for (let i = 0; i < points.length; i += 4) {
      pen.beginPath();
      pen.arc(points[i], points[i + 1], 4 * this.pixel, 0, 7);
      pen.fill();
      pen.beginPath();
      pen.moveTo(points[i], points[i + 1]);
      pen.lineTo(points[i] + points[i + 2] * 0.3, points[i + 1] + points[i + 3] * 0.3);
      pen.stroke();
    }
  }
}

function wallPath(wall) {
  const path = new Path2D();
  for (let i = 0; i < wall.pieces.length; i += 4) {
    path.moveTo(wall.pieces[i], wall.pieces[i + 1]);
    path.lineTo(wall.pieces[i + 2], wall.pieces[i + 3]);
  }
  return path;
}
