// One rectangle of the stage: a 3D view with a camera, or a map; with names, ruler and scale drawn over it.
import { Eye } from "/web/camera3d.js";
import { Hands } from "/web/hands.js";
import { INK, PALETTE } from "/web/palette.js";
import { Map2D } from "/web/view2d.js";
import { REPLAY } from "/web/frames.js";
import { Snap, WallDrag } from "/web/wall_drag.js";
import { drawnHeights, hitWall, nearestWall, piecesOf } from "/web/walls.js";

const MOST_NAMES = 40;
const EXPLAINED_MS = 12000; // how long the sign of a lost echo is explained, once
const NEAR_PX = 8; // as near as this is on a wall, or snaps to a line

export class Pane {
  constructor(element, stage, kind, camera) {
    this.element = element;
    this.stage = stage;
    this.world = stage.world;
    this.canvas = element.querySelector(".us-map");
    this.overlay = element.querySelector(".us-over");
    this.hands = new Hands(this, stage);
    this.become(kind, camera);
  }

  become(kind, camera = "orbit") {
    this.eye?.dispose();
    this.eye = this.map = null;
    this.kind = this.stage.view3d ? kind : "2d";
    this.canvas.style.display = this.kind === "2d" ? "block" : "none";
    if (this.kind === "2d") this.map = new Map2D(this.canvas, this.world);
    else {
      this.eye = new Eye(this.element, this.world, () => ({ pieces: this.stage.view3d.room?.pieces || [], top: (slot) => this.stage.view3d.top(slot) }));
      this.eye.land = () => (this.world.scene?.ground.terrain || this.world.scene?.ground.mesh ? this.stage.view3d.ground : null);
      this.eye.lead(camera);
    }
  }

  get camera() { return this.eye.camera; }

  hold(on) { if (this.eye) this.eye.controls.enabled = !on && this.eye.outside; }

  get memory() { return this.eye ? { kind: this.kind, ...this.eye.memory } : { kind: this.kind, ...this.map.memory }; }

  recall(memory) {
    if (memory.kind !== this.kind) this.become(memory.kind);
    (this.eye || this.map).recall(memory);
  }

  ground(u, v) { return (this.eye || this.map).ground(u, v); }

  pick(u, v) {
    if (!this.world.scene || !this.world.frame) return null;
    if (this.map) return this.map.pick(u, v) || null;
    const thing = this.stage.view3d.pick(this.eye.ray(u, v)), wall = thing && this.wallFace(u, v);
    return thing && !(wall?.distance < thing.distance) ? thing.name : null;
  }

  wallAt(u, v) { // the wall under the pointer: its name, and the height at which it is there; or null
    const { scene } = this.world;
    if (!scene) return null;
    if (this.map) return nearestWall(scene.walls, this.map.ground(u, v), this.reachOf(u, v, 0));
    return this.wallFace(u, v) || this.wallTop(u, v);
  }

  wallFace(u, v) {
    const { origin, direction } = this.eye.ray(u, v).ray;
    return hitWall(this.world.scene.walls, origin, direction, drawnHeights(this.stage.view3d.room, this.eye.ceiling));
  }

  wallTop(u, v) { // from above only its top is seen
    const { walls } = this.world.scene, { ceiling } = this.eye;
    for (const z of new Set(walls.map((wall) => Math.min(wall.height, ceiling)))) {
      const found = nearestWall(walls.filter((wall) => Math.min(wall.height, ceiling) === z), this.level(u, v, z), this.reachOf(u, v, z));
      if (found) return { ...found, z };
    }
    return null;
  }

  level(u, v, z) { return this.map ? this.map.ground(u, v) : z ? this.eye.level(u, v, z) : this.eye.ground(u, v); }

  reachOf(u, v, z) { // a few pixels, in metres
    const a = this.level(u, v, z), b = this.level(u + NEAR_PX / Math.max(this.rect.width, 1), v, z);
    return a && b ? Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
  }

  // ---- the selected wall

  get wall() { return this.world.scene?.walls.find((each) => each.name === this.world.selected) || null; }

  handles(wall, corners = wall.points) { // where the corners of a wall are drawn, in pixels of the pane; a tape cannot be edited
    if (this.world.frame?.flags & REPLAY) return [];
    const { width, height } = this.rect;
    return corners.map(([x, y]) => this.point(x, y, this.world.height(x, y), width, height));
  }

  wallGrip(u, v, reach) { // what of the selected wall is under the pointer: a corner, or else all of it; or null
    const { wall, rect } = this;
    if (!wall || this.world.frame?.flags & REPLAY) return null;
    const far = this.handles(wall).map((at) => (at ? Math.hypot(at[0] - u * rect.width, at[1] - v * rect.height) : Infinity)), corner = far.indexOf(Math.min(...far));
    if (far[corner] <= reach) return { wall, corner, z: 0 };
    const found = this.pick(u, v) ? null : this.wallAt(u, v);
    return found?.name === wall.name ? { wall, corner: -1, z: found.z } : null;
  }

  dragWall({ wall, corner, z }, u, v) {
    const from = this.level(u, v, z);
    return from && new WallDrag(wall, corner, from, new Snap(this.world.scene, this.stage.options, wall.name));
  }

  project(name) { // to pixels of the page, for tests and labels
    const place = this.world.place(name);
    const at = place && (this.map ? this.map.project(place[0], place[1]) : this.eye.project(place[0], place[1], place[3] + 0.1));
    if (!at) return null;
    const box = this.element.getBoundingClientRect();
    return [box.left + at[0] * box.width, box.top + at[1] * box.height];
  }

  look(word) {
    if (word === "follow" && this.map) return this.map.centre();
    if (["initial", "all"].includes(word) && this.map) return this.map.fit();
    if (this.map) return;
    if (["follow", "ride", "fly"].includes(word)) this.eye.lead(this.eye.mode === word ? "orbit" : word);
    else {
      this.eye.lead("orbit");
      this.eye.look(word);
    }
  }

  aim(seconds) { // find its rectangle, and move its camera
    const box = this.element.getBoundingClientRect(), host = this.stage.root.getBoundingClientRect();
    this.rect = { left: box.left - host.left, top: box.top - host.top, width: box.width, height: box.height };
    if (!this.eye || !this.open) return;
    this.eye.fit(box.width, box.height);
    this.eye.update(seconds);
  }

  get open() { return this.rect.width >= 2 && this.rect.height >= 2; }

  draw(options, changed) { // what is not drawn by WebGL; changed: what is drawn by it
    if (!this.open) return;
    if (this.map) this.map.draw(this.rect, options, this.stage.preview);
    const { stage: { corner, moved, ruler, preview }, world, rect } = this, held = Boolean(corner || moved || ruler || preview);
    const state = [held, this.explains, world.selected, world.version, rect.width, rect.height, devicePixelRatio].join();
    if (this.map || changed || held || state !== this.over) this.drawOver(options);
    this.over = state;
  }

  get explains() { return this.stage.list[0] === this && this.world.lostAt !== null && performance.now() - this.world.lostAt < EXPLAINED_MS; }

  drawOver(options) {
    const canvas = this.overlay, pen = canvas.getContext("2d"), { width, height } = this.rect, ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (!this.world.scene) return;
    const { label: ink, paper } = PALETTE[options.dark ? "dark" : "light"];
    pen.font = `${options.large ? 20 : 13}px system-ui, sans-serif`;
    if (options.names) this.names(pen, width, height, ink, paper);
    if (this.stage.corner) this.line(pen, width, height, ink, paper, this.stage.corner, this.stage.tip); // of a wall that is drawn
    this.selectedWall(pen, width, height);
    if (this.stage.moved?.ruler && this.stage.moved.live) this.line(pen, width, height, ink, paper, ...this.stage.moved.ruler);
    if (this.stage.ruler) this.ruler(pen, width, height, ink, paper);
    if (this.stage.preview && this.eye) this.ghost(pen, width, height);
    if (options.grid) label(pen, `grid ${options.step} m`, 14, height - 10, ink, paper);
    if (this.explains) label(pen, "dashed red: an echo that was lost", 14, height - 62, ink, paper); // above the hint
  }

  point(x, y, z, width, height) {
    const at = this.map ? this.map.project(x, y) : this.eye.project(x, y, z);
    return at ? [at[0] * width, at[1] * height] : null;
  }

  above(thing, [x, y, , z], width, height) { // where its name is written: above its top, and only if a wall does not hide it
    const slot = this.world.slots.get(thing.name), top = z + (this.eye && slot !== undefined ? this.stage.view3d.top(slot) : thing.shape.height || 0.3) + 0.35 * (thing.reach || 0.3);
    if (this.eye && (this.eye.hidden === slot && slot !== undefined || !this.eye.sees(x, y, top))) return null;
    const at = this.point(x, y, top, width, height);
    return this.map ? [at[0], at[1] - (thing.reach || 0.3) * this.map.scale - 8] : at;
  }

  names(pen, width, height, ink, paper) {
    const { robots, selected, scene } = this.world;
    const shown = robots.length <= MOST_NAMES ? robots : robots.filter((robot) => robot.name === selected);
    const more = selected && !shown.some((robot) => robot.name === selected) ? [this.world.thing(selected)] : [];
    for (const robot of [...shown, ...more]) {
      const place = robot && this.world.place(robot.name);
      const at = place && this.above(robot, place, width, height);
      if (!at) continue;
      const text = robot.label || robot.name, left = at[0] - pen.measureText(text).width / 2;
      if (robot.name === selected) label(pen, text, left, at[1], "#1b2026", INK.chosen); else label(pen, text, left, at[1], ink, paper);
    }
    for (const mark of scene.marks.slice(0, MOST_NAMES)) {
      const [x, y] = mark.line ? [(mark.line[0] + mark.line[2]) / 2, (mark.line[1] + mark.line[3]) / 2] : mark.pose;
      const at = this.point(x, y, 0, width, height);
      if (at) label(pen, `◆ ${mark.label}`, at[0], at[1], ink, paper);
    }
  }

  selectedWall(pen, width, height) {
    const { wall } = this, moved = this.stage.moved?.name === wall?.name ? this.stage.moved : null;
    if (!wall) return;
    pen.strokeStyle = INK.chosen;
    pen.lineWidth = 3;
    for (const [ax, ay, bx, by] of moved ? moved.pieces : piecesOf(wall)) {
      const corners = [[ax, ay, 0], [bx, by, 0], [bx, by, wall.height], [ax, ay, wall.height]].map((at) => this.point(...at, width, height));
      if (corners.some((at) => !at)) continue;
      pen.beginPath();
      corners.forEach((at) => pen.lineTo(...at));
      pen.closePath();
      pen.stroke();
    }
    pen.lineWidth = 2;
    for (const at of this.handles(wall, wall.points.length && moved ? moved.corners : wall.points)) if (at) handle(pen, at);
  }

  ruler(pen, width, height, ink, paper) {
    const { from, to } = this.stage.ruler;
    this.line(pen, width, height, ink, paper, from, to);
  }

  line(pen, width, height, ink, paper, from, to) { // with its length and direction
    const a = this.point(...from, 0, width, height), b = this.point(...to, 0, width, height);
    if (!a || !b) return;
    pen.strokeStyle = "#d01c8b";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(...a);
    pen.lineTo(...b);
    pen.stroke();
    const dx = to[0] - from[0], dy = to[1] - from[1];
    label(pen, `${Math.hypot(dx, dy).toFixed(3)} m, ${((Math.atan2(dy, dx) * 180) / Math.PI).toFixed(1)}°`, b[0] + 8, b[1] - 8, ink, paper);
  }

  ghost(pen, width, height) { // target pose of a dragged thing
    const { name, place } = this.stage.preview, reach = this.world.thing(name)?.reach || 0.3;
    pen.strokeStyle = "#ffb000";
    pen.lineWidth = 2;
    pen.beginPath();
    for (let i = 0; i <= 24; i++) {
      const at = this.point(place[0] + reach * Math.cos((i * Math.PI) / 12), place[1] + reach * Math.sin((i * Math.PI) / 12), 0, width, height);
      if (at) pen.lineTo(...at);
    }
    const tip = this.point(place[0] + 1.4 * reach * Math.cos(place[2]), place[1] + 1.4 * reach * Math.sin(place[2]), 0, width, height);
    const middle = this.point(place[0], place[1], 0, width, height);
    if (tip && middle) { pen.moveTo(...middle); pen.lineTo(...tip); }
    pen.stroke();
  }

  dispose() {
    this.hands.dispose();
    this.eye?.dispose();
  }
}

function handle(pen, [x, y]) { // a corner that can be dragged
  pen.beginPath();
  pen.arc(x, y, 6, 0, 7);
  pen.fillStyle = "#ffffff";
  pen.fill();
  pen.strokeStyle = "#1b2026";
  pen.stroke();
}

function label(pen, text, x, y, ink, paper) { // on a rounded plate
  const wide = pen.measureText(text).width, high = parseInt(pen.font, 10) + 6;
  pen.fillStyle = paper;
  pen.beginPath();
  pen.roundRect(x - 7, y - high + 4, wide + 14, high + 2, 7);
  pen.fill();
  pen.fillStyle = ink;
  pen.fillText(text, x, y);
}
