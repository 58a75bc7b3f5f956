// The 3D panes: one scene, one WebGL canvas, a camera and a rectangle for each pane.
import { hides, probes } from "/web/camera3d.js";
import { Bodies } from "/web/crowd3d.js";
import { INK, PALETTE } from "/web/palette.js";
import { Paint } from "/web/paint3d.js";
import { Prints } from "/web/prints3d.js";
import { Room, dispose, grid } from "/web/room3d.js";
import { THREE } from "/web/three.js";

const MOST_CUT_FOR = 10; // robots that walls are cut away for; with more, only for the selected one
const UP = new THREE.Vector3(0, 0, 1);
const EASE = 0.2; // share of a cut that is done in a frame
const CAMERA_MS = 30; // without a graphics card, a camera that moves between two messages of the simulation waits so long for the next one

export class View3D {
  constructor(canvas, world, quality) {
    this.world = world;
    this.quality = quality;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: quality.antialias, stencil: true, preserveDrawingBuffer: true });
    this.renderer.setScissorTest(true);
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#a99f8c", 1.9)); // for things with pictures; all else has its light in its colours
    const sun = new THREE.DirectionalLight("#fff4e0", 1.6);
    sun.position.set(-4.5, -6.2, 10);
    this.scene.add(sun);
    this.things = new THREE.Group();
    this.paint = new Paint();
    this.ring = new THREE.Mesh(new THREE.RingGeometry(1, 1.09, 48), new THREE.MeshBasicMaterial({ color: INK.chosen, transparent: true, opacity: 0.9, depthWrite: false }));
    this.ring.visible = false;
    this.ring.renderOrder = 3;
    this.scene.add(this.things, this.paint.group, this.ring);
    this.version = -1;
    this.drawn = null;
    this.marked = new Set(); // pieces of walls and things that hide a robot in a pane
    this.picture = []; // what the last picture was drawn from
    this.drawnAt = 0; // and when (ms)
    canvas.addEventListener("webglcontextrestored", () => this.spoil());
  }

  spoil() { this.picture = []; } // something has changed that draw() does not compare

  rebuild() {
    const { scene } = this.world, kept = this.room && this.still === scene.still; // only what moves has changed
    const prints = new Prints(scene.meshes, () => this.spoil());
    if (this.bodies) { this.things.remove(this.bodies.group); dispose(this.bodies.group); }
    this.bodies = new Bodies(scene, prints, this.quality.software);
    this.things.add(this.bodies.group);
    if (!kept) {
      if (this.room) { this.things.remove(this.room.group); dispose(this.room.group); }
      this.room = new Room(scene, prints, gridStep(scene.bounds));
      this.things.add(this.room.group);
      this.still = scene.still;
      this.gridded = 0;
    }
    this.ground = this.room.ground;
    this.version = this.world.version;
    this.drawn = null;
    this.marked.clear();
  }

  lines(step) { // the grid
    if (this.gridded === step) return;
    if (this.grid) { this.things.remove(this.grid); dispose(this.grid); }
    this.grid = grid(this.world.scene.bounds, step, inkOn(this.world.scene.ground), (x, y) => this.world.height(x, y));
    this.grid.renderOrder = 0.7;
    this.things.add(this.grid);
    this.gridded = step;
  }

  update(options) { // move everything to the latest frame
    if (!this.world.scene) return;
    if (this.version !== this.world.version) this.rebuild();
    const palette = PALETTE[options.dark ? "dark" : "light"], frame = this.world.frame;
    this.renderer.setClearColor(palette.sky);
    this.room.tint(palette);
    this.lines(options.step);
    this.grid.visible = options.grid;
    this.bodies.wires(options.shapes, frame);
    if (this.room.ease(EASE) || options.changed) this.spoil();
    if (!frame) return;
    if (frame !== this.drawn || options.changed) {
      this.paint.sharp(this.quality.ratio, options.large);
      this.paint.show(this.world, { ...options, pull: this.room.thick / 2 });
      this.drawn = frame;
    }
    const place = this.world.place(this.world.selected), thing = place && this.world.thing(this.world.selected);
    this.ring.visible = Boolean(place);
    if (place) {
      const size = thing.reach || Math.max(...(thing.shape.size || [thing.shape.radius * 2])) * 0.6;
      this.ring.position.set(place[0], place[1], place[3] + 0.02 * size);
      this.ring.quaternion.setFromUnitVectors(UP, this.slope(place[0], place[1], size));
      this.ring.scale.setScalar(size * 1.25);
    }
  }

  slope(x, y, reach) { // the ground's upward direction, over the length of a robot
    const { world } = this, rise = (dx, dy) => (world.height(x - dx, y - dy) - world.height(x + dx, y + dy)) / (2 * reach);
    return new THREE.Vector3(rise(reach, 0), rise(0, reach), 1).normalize();
  }

  resize(width, height) {
    this.renderer.setPixelRatio(this.quality.ratio);
    this.renderer.setSize(width, height, false);
    this.spoil();
  }

  draw(panes, { dark }, now) { // all panes, if the picture would differ from the last one; says whether it did
    const { world, quality, renderer } = this;
    if (quality.software && world.frame === this.picture[0] && now - this.drawnAt < CAMERA_MS) return false;
    const sources = [world.frame, world.version, world.selected, dark, quality.ratio, quality.planar, renderer.domElement.width, renderer.domElement.height, ...panes.flatMap(sourcesOf)];
    if (sources.length === this.picture.length && sources.every((value, i) => value === this.picture[i])) return false;
    this.picture = sources;
    this.drawnAt = now;
    renderer.setScissorTest(false);
    renderer.clear(); // including the gaps between the panes
    renderer.setScissorTest(true);
    this.marked.clear();
    for (const pane of panes) this.drawPane(pane);
    for (const piece of this.room?.pieces || []) piece.wanted = this.marked.has(piece) ? 1 : 0;
    return true;
  }

  drawPane(pane) {
    const { left, top, width, height } = pane.rect, total = this.renderer.domElement.height / this.renderer.getPixelRatio(), { eye } = pane;
    this.renderer.setViewport(left, total - top - height, width, height);
    this.renderer.setScissor(left, total - top - height, width, height);
    if (this.world.frame && this.bodies && this.version === this.world.version) {
      const raised = this.world.scene.ground.terrain || this.world.scene.ground.mesh;
      this.bodies.show(this.world.frame, pane.camera, height, { planar: this.quality.planar && !raised, hidden: eye.hidden, floor: raised ? (x, y) => this.world.height(x, y) : null });
      this.room.ceiling.value = eye.ceiling;
      this.ring.material.visible = eye.hidden === undefined;
      this.room.cutting.value = eye.outside ? 1 : 0;
      if (eye.outside) this.cut(eye);
    }
    this.renderer.render(this.scene, pane.camera);
  }

  cut(eye) { // mark what hides robots from this pane's camera
    const from = eye.camera.position, robots = eye.targets(), chosen = eye.chosen();
    const seen = eye.mode === "orbit" && robots.length <= MOST_CUT_FOR ? robots : chosen?.slot !== undefined ? [chosen] : [];
    const mark = (pieces, points) => { for (const piece of pieces) if (!this.marked.has(piece) && points.some((point) => hides(piece, from, point, eye.ceiling))) this.marked.add(piece); };
    for (const robot of seen) mark(this.room.pieces, probes(robot, from, 1.6));
    if (eye.mode === "orbit" && seen.length) mark(this.room.pieces.filter((piece) => eye.close(piece)), eye.middle());
  }

  top(slot) { return this.bodies?.top(slot) ?? 0.3; }

  pick(raycaster, options) { // what is under a ray: its name, distance, and whether it is a wall
    const body = this.bodies && this.world.frame ? this.bodies.pick(raycaster, this.world.frame) : null, thing = this.room?.pick(raycaster, options);
    if (body && (!thing || body.distance <= thing.distance)) return { name: this.world.scene.bodies[body.slot].name, distance: body.distance };
    return thing || null;
  }

  dispose() {
    dispose(this.scene);
    this.renderer.dispose();
  }
}

const sourcesOf = ({ rect, eye }) => [rect.left, rect.top, rect.width, rect.height, eye.hidden, eye.ceiling, eye.outside, ...eye.camera.matrixWorld.elements, ...eye.camera.projectionMatrix.elements];

function inkOn({ colour, terrain, mesh }) { // a line colour with contrast to the ground
  const { r, g, b } = new THREE.Color(terrain || mesh ? "#d8cba8" : colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.3 ? "#f2f6fa" : "#6b6152";
}

export function gridStep(bounds) { // a round length that fits some tens of times into the scene
  const size = Math.max(bounds[2] - bounds[0], bounds[3] - bounds[1]), power = 10 ** Math.floor(Math.log10(size / 12));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => size / step <= 24);
}
